"""Expands series as the real process does, and dies of a certain one."""

import os
from collections.abc import Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from assistant.adapters.calendar.expansion import expand_here
from assistant.domain.calendar.series import Expanded
from workers.expanding import server


def serve(fd: int, limits: dict[str, float], *, nice: int = 0) -> None:
    server.expand_here = _expand_or_die  # type: ignore[attr-defined]
    server.serve(fd, limits, nice=nice)


def _expand_or_die(
    objects: Sequence[bytes], start: datetime, end: datetime, *, zone: ZoneInfo
) -> Sequence[Expanded]:
    if any(b"UID:deadly" in ics for ics in objects):
        os._exit(9)
    return expand_here(objects, start, end, zone=zone)
