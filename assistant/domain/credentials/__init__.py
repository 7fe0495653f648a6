"""Passwords of the owner's accounts elsewhere, kept encrypted."""
