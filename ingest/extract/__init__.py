"""What an attached or dropped file is, and its text."""
