"""Change modes, watch signals, and keep the budget of models."""
