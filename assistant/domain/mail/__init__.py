"""A mail and its states."""
