"""The owner's calendar, as this installation reaches it."""
