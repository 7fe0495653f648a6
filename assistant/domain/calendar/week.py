"""A week of the calendar as it is shown: what is on each day, cut to the day."""

from collections.abc import Iterable, Iterator
from datetime import date, datetime, timedelta
from enum import StrEnum
from typing import Annotated, NamedTuple
from zoneinfo import ZoneInfo

from pydantic import AfterValidator, BaseModel, ConfigDict

from assistant.domain.calendar.events import When
from assistant.domain.calendar.free.busy_times import EventTime, moments_of
from assistant.domain.calendar.free.slots import Slot
from assistant.domain.errors import BadArguments
from assistant.domain.text.compatibility import with_few_marks
from assistant.domain.text.invisible import without_invisible
from assistant.domain.time.moments import zone_of
from assistant.domain.time.wall_clock import day_begins

MOST_BLOCKS = 500
TITLE = 80
"""The most characters of a title that is shown."""
_READ = 1_000
_MINUTE = timedelta(minutes=1)
_DAY = timedelta(days=1)
_YEARS = range(1900, 9000)


class BlockKind(StrEnum):
    BUSY = "busy"
    """Made by others, or elsewhere."""
    OWN = "own"
    """Made by the assistant."""
    PROPOSED = "proposed"
    """Waits for the owner's answer."""


def _shown(title: str) -> str:
    """Return a title in one line, short, without what is not seen."""
    line = " ".join(without_invisible(with_few_marks(title[:_READ])).split())
    return line if len(line) <= TITLE else f"{line[: TITLE - 1].rstrip()}…"


class Block(BaseModel):
    """An event as it is shown. Without a title it is only said that the owner is busy."""

    model_config = ConfigDict(frozen=True)
    when: When
    kind: BlockKind = BlockKind.BUSY
    title: Annotated[str, AfterValidator(_shown)] = ""

    @property
    def name(self) -> str:
        return self.title or ("busy" if self.kind is not BlockKind.PROPOSED else "proposed")


class Piece(NamedTuple):
    """What of a timed block is on one day."""

    block: Block
    slot: Slot
    begun: bool
    """It began on an earlier day."""
    goes_on: bool
    """It ends on a later day."""
    top: int
    """Minutes after midnight, as clocks show the beginning."""
    bottom: int
    """The same of the end; 1440 is midnight."""


class Day(NamedTuple):
    day: date
    all_day: tuple[Block, ...]
    """What is proposed first."""
    pieces: tuple[Piece, ...]
    """By start."""
    put_forward: timedelta
    """By how much clocks are put forward that day; negative if they are put back."""

    @property
    def event_count(self) -> int:
        """Return how many events are on the day; what is proposed does not count."""
        shown = [*self.all_day, *(piece.block for piece in self.pieces)]
        return sum(not _asks(block) for block in shown)


class Week(NamedTuple):
    """Seven days from a Monday, in the owner's zone."""

    days: tuple[Day, ...]
    zone: str
    now: datetime | None
    """In that zone; None if it is in another week."""
    left_out: int
    """How many blocks were too many; none that is proposed, while another can be left out."""
    limits: tuple[str, ...] = ()
    """What is not known of it, in a few words each: ``1 series not shown``."""

    @property
    def monday(self) -> date:
        return self.days[0].day


def week_of(
    day: date,
    blocks: Iterable[Block],
    *,
    zone: str,
    now: datetime | None = None,
    limits: tuple[str, ...] = (),
) -> Week:
    """Return the week of a day.

    Args:
        day: any day of the week.
        blocks: in any order; those of other weeks are left out.
        zone: IANA name of the owner's zone.
        now: an aware moment, which is marked if it is in that week.
        limits: what is not known of it.

    Raises:
        BadArguments: the zone is unknown, or the day beyond the calendar.
    """
    there = zone_of(zone)
    if day.year not in _YEARS:
        raise BadArguments("the week is beyond the calendar")
    monday = day - day.weekday() * _DAY
    bounds = tuple(day_begins(monday + n * _DAY, there) for n in range(8))
    timed, whole, left_out = _of_week(blocks, bounds, there)
    days = (_day(monday + n * _DAY, whole, timed, bounds[n : n + 2], there) for n in range(7))
    local = now.astimezone(there) if now and bounds[0] <= now < bounds[7] else None
    return Week(tuple(days), zone, local, left_out, limits)


_Timed = tuple[datetime, datetime, Block]


def _of_week(
    blocks: Iterable[Block], bounds: tuple[datetime, ...], zone: ZoneInfo
) -> tuple[list[_Timed], list[Block], int]:
    """Return the timed blocks, those of whole days, and how many were too many."""
    found = []
    for block in blocks:
        moments = moments_of(EventTime.of(block.when), zone)
        if moments and moments[0] < bounds[7] and moments[1] > bounds[0]:
            found.append((*moments, block))
    found.sort(key=lambda one: (not _asks(one[2]), one[0], one[1], one[2].kind, one[2].title))
    kept = found[:MOST_BLOCKS]
    whole = [one[2] for one in kept if one[2].when.all_day]
    timed = sorted((one for one in kept if not one[2].when.all_day), key=lambda one: one[:2])
    return timed, whole, len(found) - len(kept)


def _asks(block: Block) -> bool:
    return block.kind is BlockKind.PROPOSED


def _day(
    day: date,
    whole: Iterable[Block],
    timed: Iterable[_Timed],
    bounds: tuple[datetime, ...],
    zone: ZoneInfo,
) -> Day:
    begins, ends = bounds
    return Day(
        day=day,
        all_day=tuple(block for block in whole if block.when.start <= day < block.when.end),
        pieces=tuple(_pieces(timed, begins, ends, zone)),
        put_forward=_DAY - (ends - begins),
    )


def _pieces(
    timed: Iterable[_Timed], begins: datetime, ends: datetime, zone: ZoneInfo
) -> Iterator[Piece]:
    for start, end, block in timed:
        if start < ends and end > begins:
            first, last = max(start, begins), min(end, ends)
            slot = Slot(first.astimezone(zone), last.astimezone(zone))
            top = _minutes(slot.start)
            bottom = 24 * 60 if last == ends else _minutes(slot.end)
            if bottom <= top:  # the clocks are put back meanwhile, or it is less than a minute
                bottom = min(24 * 60, top + max(1, (last - first) // _MINUTE))
            yield Piece(block, slot, start < begins, end > ends, top, bottom)


def _minutes(local: datetime) -> int:
    return local.hour * 60 + local.minute
