"""The owner speaks, and a model answers."""
