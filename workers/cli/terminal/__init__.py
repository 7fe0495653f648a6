"""The chat of a terminal."""
