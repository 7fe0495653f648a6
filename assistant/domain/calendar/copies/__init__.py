"""The local copy of a calendar: what a server says of changes, and what is kept of its objects."""
