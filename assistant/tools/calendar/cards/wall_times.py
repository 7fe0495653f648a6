"""Refuse times that the owner's clocks skip, and say which is meant of one that comes twice."""

from datetime import date, datetime
from zoneinfo import ZoneInfo

from assistant.domain.calendar.events import When
from assistant.domain.errors import BadArguments
from assistant.domain.time.local_times import moments_at, nearest_moments
from assistant.domain.time.moments import zone_of


def refuse_skipped(*times: date | None, zone: str) -> None:
    """Check that the owner's clocks show each time that is written as one of theirs.

    A time with an offset that is never theirs around then is one of another zone, and is none here.

    Raises:
        BadArguments: the clocks are put forward over it; the words name the two nearest.
    """
    there = zone_of(zone)
    for at in times:
        if isinstance(at, datetime) and (nearest := _around(at, there)):
            before, after = (one.isoformat(timespec="minutes") for one in nearest)
            raise BadArguments(
                f"{at:%H:%M} on {at.date()} does not exist in {zone}, as the clocks are put "
                f"forward over it; the nearest are {before} and {after}"
            )


def say_repeated(when: When, zone: str) -> str:
    """Say which of two is meant where begin or end comes twice; empty where neither does.

    Writes ``02:30 is the first of two, before the clocks go back``.
    """
    return "; ".join(
        f"{local:%H:%M} is the {_which(local)} the clocks go back" for local in _twice(when, zone)
    )


def say_repeated_shortly(when: When, zone: str) -> str:
    """Say the same in a row of a card, below the time: ``first of two, before clocks go back``."""
    which = {f"{_which(local)} clocks go back" for local in _twice(when, zone)}
    return which.pop() if len(which) == 1 else say_repeated(when, zone)


def _twice(when: When, zone: str) -> list[datetime]:
    """Return what the clocks show at begin and end, where they show it twice."""
    there = zone_of(zone)
    times = [at for at in (when.start, when.end) if isinstance(at, datetime)]
    return [local for at in times if (local := _if_twice(at, there)) is not None]


def _around(at: datetime, zone: ZoneInfo) -> tuple[datetime, ...]:
    """Return the times nearest to one that is skipped; none if it is not."""
    local = at.replace(tzinfo=None, fold=0)
    try:
        if moments_at(local, zone):
            return ()
        nearest = nearest_moments(local, zone)
    except OverflowError:  # either end of the calendar
        return ()
    theirs = at.utcoffset() in {one.utcoffset() for one in nearest}
    return nearest if theirs else ()


def _if_twice(at: datetime, zone: ZoneInfo) -> datetime | None:
    """Return what the clocks of the zone show then, if they show it twice."""
    try:
        local = at.astimezone(zone)
        twice = len(moments_at(local.replace(tzinfo=None, fold=0), zone)) > 1
    except OverflowError:
        return None
    return local if twice else None


def _which(local: datetime) -> str:
    return "second of two, after" if local.fold else "first of two, before"
