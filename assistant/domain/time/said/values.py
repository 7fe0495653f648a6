"""What was said, as values: a span of time, a repeat, and what is unclear."""

from dataclasses import dataclass
from datetime import date, datetime
from typing import NamedTuple

from assistant.domain.calendar.recurrence import Frequency


@dataclass(frozen=True)
class Span:
    """A span of time that was read: two dates, the end excluded, or two aware times.

    ``end`` is None for a time without an end. ``rough`` means a part of a day or a week: good
    enough for a question, too vague to book. ``bare`` means a time without a day. ``from_now``
    means a day or a moment counted from now, such as ``today`` or ``5 minutes ago``. ``usual`` is
    the time that a part of a day often means. ``note`` is for the owner.
    """

    start: date
    end: date | None
    rough: bool = False
    bare: bool = False
    said_all_day: bool = False
    from_now: bool = False
    usual: datetime | None = None
    note: str = ""

    @property
    def all_day(self) -> bool:
        return not isinstance(self.start, datetime)


@dataclass(frozen=True)
class Repeats:
    """How something repeats, by no vendor's rule.

    ``weekdays``: Monday is 0. ``ordinal``: which such weekday of the month, -1 for the last.
    ``until``: the last day on which it may be, included.
    """

    frequency: Frequency
    interval: int = 1
    weekdays: tuple[int, ...] = ()
    ordinal: int | None = None
    month_day: int | None = None
    until: date | None = None
    count: int | None = None


class Repeated(NamedTuple):
    """A repeat, and the first time of it: all day, or a begin and, where it was said, an end."""

    repeats: Repeats
    first: Span
    note: str = ""
    """For the owner."""


class Unclear(Exception):
    """The words look like a time, but name none or several. The text is for the owner.

    ``readings``: what they could be, the nearest two. ``words``: the words in question, of a range
    of hours both; empty where a reading does not take their place alone.
    """

    def __init__(
        self,
        said: str,
        readings: tuple[Span | Repeats, ...] = (),
        words: tuple[str, ...] = (),
    ) -> None:
        super().__init__(said)
        self.readings = readings
        self.words = words
