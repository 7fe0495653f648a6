"""Reminders: set, listed, cancelled."""
