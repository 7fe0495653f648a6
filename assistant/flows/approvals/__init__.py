"""A call waits for its owner, and is answered."""
