"""``make prove``: kill everything, over and over, and count what happened outside the database."""
