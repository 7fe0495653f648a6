"""A conversation, its entries, its people, and what a channel shows of it."""
