"""Expand the series of a range of time, all in one go."""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol
from zoneinfo import ZoneInfo

from assistant.adapters.calendar.series.expanding import expand
from assistant.domain.calendar.series import BadSeries, Expanded

MOST = 10_000
"""Occurrences of one series in one range."""


class Expand(Protocol):
    def __call__(
        self, objects: Sequence[bytes], start: datetime, end: datetime, *, zone: ZoneInfo
    ) -> Sequence[Expanded]:
        """Return the occurrences of each object; of what cannot be expanded, why (``unread``)."""
        ...


def expand_here(
    objects: Sequence[bytes], start: datetime, end: datetime, *, zone: ZoneInfo
) -> Sequence[Expanded]:
    """Expand in this process. A stranger's object may make that take seconds."""
    return [_expanded(ics, start, end, zone) for ics in objects]


def _expanded(ics: bytes, start: datetime, end: datetime, zone: ZoneInfo) -> Expanded:
    try:
        return expand(ics, start, end, zone=zone, most=MOST)
    except BadSeries as problem:
        return Expanded(unread=str(problem))
