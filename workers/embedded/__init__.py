"""Servers of our own for a machine that has none: what their files hold and how they start."""
