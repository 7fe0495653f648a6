"""What the owner is to be told at a time: reminders, and by when something was to be told."""
