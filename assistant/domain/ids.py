"""Make random ids for rows: any process can make one, and nobody can guess one."""

from secrets import token_hex


def new_id() -> str:
    """Return 16 hexadecimal characters (64 random bits): an id, not a secret."""
    return token_hex(8)


def new_trace() -> str:
    """Return 32 hexadecimal characters, the form of a W3C Trace Context trace-id."""
    return token_hex(16)
