"""Invitations: those that mail programs write, and those that nobody should."""
