"""Modes, signals, and the models' budget."""
