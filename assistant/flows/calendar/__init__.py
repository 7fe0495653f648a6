"""The copy of the calendar: keep it true, answer from it, and tell of changes made elsewhere."""
