"""Render what a person is shown, from rows."""
