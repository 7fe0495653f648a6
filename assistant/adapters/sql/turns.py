"""Waiting for SQLite's one writer, which may be in another process.

SQLite itself sleeps a millisecond, then two, five, ten, and so on up to a hundred, whereas a writer
of ours is done in a few tenths of one. Connections that write therefore have no busy timeout, and
wait here.
"""

import sqlite3
import time
from collections.abc import Callable
from typing import TypeVar

BUSY_SECONDS = 30
_SOONEST = 0.00005
_LATEST = 0.002

T = TypeVar("T")


def in_turn(write: Callable[[], T]) -> T:
    """Begin to write as soon as nobody else does. ``write`` is called until it is let in.

    Raises:
        sqlite3.OperationalError: somebody else has been writing for ``BUSY_SECONDS``.
    """
    wait, give_up = _SOONEST, 0.0
    while True:
        try:
            return write()
        except sqlite3.OperationalError as error:
            now = time.monotonic()
            give_up = give_up or now + BUSY_SECONDS
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or now > give_up:
                raise
        time.sleep(wait)
        wait = min(wait * 1.5, _LATEST)
