"""Modes, signals and the budget of tokens."""
