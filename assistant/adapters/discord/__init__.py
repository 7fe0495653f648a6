"""The channel on Discord: messages as Discord's JSON, and its REST API."""
