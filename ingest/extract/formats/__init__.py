"""The text of each format that can be read, within limits."""
