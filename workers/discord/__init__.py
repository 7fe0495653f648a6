"""Discord: the bot people talk to, and the buttons they trust."""
