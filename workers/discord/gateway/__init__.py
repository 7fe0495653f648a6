"""The bot: one connection to Discord's gateway, and what it is told there."""
