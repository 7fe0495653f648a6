"""Names for rows: random, so that they can be made anywhere and guessed nowhere."""

from secrets import token_hex


def new_id() -> str:
    """16 hexadecimal characters (64 random bits): a row's name, not a secret."""
    return token_hex(8)


def new_trace() -> str:
    """32 hexadecimal characters, the shape of a W3C Trace Context trace-id."""
    return token_hex(16)
