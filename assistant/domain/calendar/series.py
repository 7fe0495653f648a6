"""A series of events: its occurrences, and which of them a change touches."""

from datetime import date
from enum import StrEnum
from typing import NamedTuple, Self

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, model_validator

from assistant.domain.calendar.events import TITLE_LIMIT, Alert, When
from assistant.domain.calendar.recurrence import Recurrence
from assistant.domain.errors import BadArguments, NotFound


class BadSeries(BadArguments):
    """The series cannot be read, or not be changed like this."""


class TooFrequent(BadSeries):
    """It repeats more often than daily."""


class FloatingTime(BadSeries):
    """Its times have no time zone."""


class NoSuchOccurrence(NotFound):
    """The series has no such occurrence."""


class SeriesScope(StrEnum):
    """How much of a series a change touches."""

    THIS = "this"
    FOLLOWING = "this and following"
    ALL = "all"


class SeriesEdit(BaseModel):
    """A change or deletion of one occurrence, of it and all that follow, or of all.

    Carried out twice, it does the same: ``stamp`` and ``new_uid`` are part of it.

    Raises:
        ValidationError: the parts do not fit together.
    """

    model_config = ConfigDict(frozen=True)
    uid: str
    etag: str
    """The version that the owner was shown."""
    scope: SeriesScope
    occurrence: AwareDatetime | date | None = None
    """The ``recurrence_id``. None, with ``ALL`` only, is the first one."""
    title: str | None = Field(default=None, max_length=TITLE_LIMIT)
    when: When | None = None
    """The new time of that occurrence. All others move by as much on the clock of the series."""
    recurrence: Recurrence | None = None
    """How it repeats from now on. With ``ALL``, an event that does not repeat may begin to."""
    delete: bool = False
    new_uid: str = ""
    """The UID of the rest, where ``FOLLOWING`` cuts a series in two. Nobody else may use it."""
    stamp: AwareDatetime
    """When the change was asked for; it is written into what changes."""

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if self.occurrence is None and self.scope is not SeriesScope.ALL:
            raise ValueError("say which occurrence")
        new = (self.title, self.when, self.recurrence)
        if self.delete != (new == (None, None, None)):
            raise ValueError("say either what is new, or that it is deleted")
        if self.recurrence is not None and self.scope is SeriesScope.THIS:
            raise ValueError("one occurrence does not repeat")
        if self.scope is SeriesScope.FOLLOWING and not self.delete and not self.new_uid:
            raise ValueError("the rest of a series that is cut needs a new UID")
        return self


class Occurrence(BaseModel):
    """One occurrence of a series, or an event that does not repeat."""

    model_config = ConfigDict(frozen=True)
    uid: str
    title: str
    when: When
    recurrence_id: AwareDatetime | date | None = None
    """When it would begin if nobody had moved it. Names the occurrence (RFC 5545, 3.8.4.4)."""
    changed: bool = False
    """True if this occurrence was changed by itself."""
    alerts: tuple[Alert, ...] = ()


class Expanded(BaseModel):
    """The occurrences in a range of time, by start."""

    model_config = ConfigDict(frozen=True)
    events: tuple[Occurrence, ...] = ()
    defects: tuple[str, ...] = ()
    """What was found wrong, for a person."""
    truncated: bool = False
    """True if there are more than were asked for, or than may be counted."""
    unread: str = ""
    """Why there are none: the series cannot be expanded."""


class Counted(BaseModel):
    """How many occurrences there are. ``more``: at least so many, and perhaps without an end."""

    model_config = ConfigDict(frozen=True)
    count: int
    more: bool
    first: AwareDatetime | date | None = None
    last: AwareDatetime | date | None = None
    """When the last begins; None if there are more."""


class Affected(BaseModel):
    """Which occurrences a change touches, so that a card can say so."""

    model_config = ConfigDict(frozen=True)
    words: str
    """How the touched part repeats, such as "every Tuesday until 31 March 2027, 18 times"."""
    count: int
    more: bool = False
    """True if there are more than ``count``: too many to count, or without an end."""
    first: AwareDatetime | date | None = None
    last: AwareDatetime | date | None = None
    lost: int = 0
    """How many occurrences lose what was changed in them alone."""
    notes: tuple[str, ...] = ()
    """What else a person must know, such as the zone that times without one were read in."""


class Changed(NamedTuple):
    """The object to store (None: delete it), and what the change touches."""

    ics: bytes | None
    affected: Affected


class SplitSeries(NamedTuple):
    """A series cut in two. ``old`` is None if nothing stays, ``new`` if the rest was deleted."""

    old: bytes | None
    new: bytes | None
    affected: Affected
