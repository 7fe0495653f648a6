"""A call: one request for a tool, its states, and what it changes."""
