"""What a mail says in parts, each with its quote, and the ledger that is made of it."""
