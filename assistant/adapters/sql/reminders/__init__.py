"""The rows of reminders, and of what was due to be told."""
