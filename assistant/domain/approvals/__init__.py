"""A person's answer to a call, and the buttons that carry it."""
