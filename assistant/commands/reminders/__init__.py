"""Reminders set, listed and answered, and the morning brief."""
