"""Commands about what guards the assistant: its mode, policy, audit, and whom it listens to."""
