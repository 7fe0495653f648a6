"""A talk, its entries, and what a channel shows of it."""
