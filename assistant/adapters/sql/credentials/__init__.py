"""Passwords that are kept encrypted."""
