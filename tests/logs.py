"""Logging as the tests have it, whatever a command or a worker sets up meanwhile."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def own_logging() -> Iterator[None]:
    """What sets logging up for a process of its own does so for this block alone."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    try:
        yield
    finally:
        root.handlers[:] = handlers
        root.setLevel(level)
