"""Connect the assistant to one calendar of an account: providers, accounts, and the proof."""
