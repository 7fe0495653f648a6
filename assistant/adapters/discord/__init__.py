"""The channel over Discord: messages as Discord's own JSON, and the REST that carries them."""
