"""Calendar events, and the port of a calendar."""
