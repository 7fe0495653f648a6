"""``assistant init``: ask for the first settings, try them, and write them to ``.env``."""
