"""Invitations that came by mail: what one says, what is known, what is new."""
