"""A mail, its states, and what a transaction does with mails."""
