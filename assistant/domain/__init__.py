"""Pure code: values, states, the policy. It reads no clock and no environment, and no vendor."""
