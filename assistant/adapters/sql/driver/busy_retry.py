"""Retry while another connection writes to SQLite, perhaps from another process.

SQLite itself sleeps for a millisecond, then two, five, ten, and so on up to a hundred. One of our
writers is done in a few tenths of a millisecond. Connections that write therefore have no busy
timeout, and retry here in shorter steps.
"""

import sqlite3
import time
from collections.abc import Callable
from typing import TypeVar

BUSY_SECONDS = 30
_FIRST_PAUSE = 0.00005
_LONGEST_PAUSE = 0.002

T = TypeVar("T")


def retry_while_busy(write: Callable[[], T]) -> T:
    """Call ``write`` until SQLite lets it in, and return what it returns.

    Raises:
        sqlite3.OperationalError: others have been writing for ``BUSY_SECONDS``.
    """
    pause, give_up = _FIRST_PAUSE, 0.0
    while True:
        try:
            return write()
        except sqlite3.OperationalError as error:
            now = time.monotonic()
            give_up = give_up or now + BUSY_SECONDS
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or now > give_up:
                raise
        time.sleep(pause)
        pause = min(pause * 1.5, _LONGEST_PAUSE)
