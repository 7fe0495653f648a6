"""Draw pictures for people."""
