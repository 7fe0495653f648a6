"""Summarise a mail with its own sentences, when no model reads it."""
