"""A copy of a calendar as it is stored, and how old an answer from it is."""

from collections import UserList
from collections.abc import Iterable
from datetime import date, datetime, timedelta
from typing import NamedTuple

from pydantic import AwareDatetime, BaseModel, ConfigDict

from assistant.domain.calendar.events import Event
from assistant.domain.calendar.times import EventTimes
from assistant.domain.time.moments import say_lately

FRESH = timedelta(seconds=90)
"""How old an answer from the copy may be without saying so."""


class CalendarCopy(BaseModel):
    """The copy of one calendar: how it is kept true, and how far it reaches."""

    model_config = ConfigDict(frozen=True)
    address: str
    source: str
    """The settings that lead to the calendar, so that its copy is found without asking it."""
    zone: str
    """Where whole days and times without a zone take place."""
    token: str = ""
    kind: str = ""
    synced: AwareDatetime | None = None
    """As of when the copy is true; None before it was whole for the first time."""
    began: AwareDatetime | None = None
    """When the sync that runs now began; None if none does."""
    failed: AwareDatetime | None = None
    """When the calendar did not answer last; None if it has answered since."""
    failures: int = 0
    """How often in a row it did not."""
    trouble: str = ""
    fence: int = 0
    """Counts syncs. What an earlier one writes after a later one began is refused."""
    written: int = 0
    """Counts the assistant's own changes, and ``seen`` those that a sync has seen."""
    seen: int = 0
    longest: int = 0
    """Seconds that the longest event in it lasts, or more."""
    since: AwareDatetime | None = None
    until: AwareDatetime | None = None
    """The window in which series are expanded."""

    def fresh(self, now: datetime) -> bool:
        """Whether it may answer without asking the calendar."""
        return (
            self.synced is not None
            and self.seen == self.written
            and timedelta(0) <= now - self.synced < FRESH
        )

    def covers(self, begin: datetime, end: datetime) -> bool:
        if self.synced is None or self.since is None or self.until is None:
            return False
        return self.since <= begin and end <= self.until


class CopiedTime(NamedTuple):
    """One time at which an event of the copy takes place."""

    begin: datetime
    end: datetime
    title: str
    day: date | None = None
    """Its first day, where it is all day."""
    last: date | None = None
    """The day after its last one, where it is all day."""
    occurrence: str = ""
    """Its recurrence id in ISO 8601, where it is one of a series."""
    defect: str = ""
    """See ``Event.defect``."""


class KeptEvents(UserList[Event]):
    """Events as they were when the calendar answered last."""

    def __init__(self, events: Iterable[Event], *, as_of: datetime, why: str) -> None:
        super().__init__(events)
        self.as_of = as_of
        self.why = why


def last_answer(events: object) -> datetime | None:
    """Return when the calendar answered last; None for events that are as they are now."""
    return events.as_of if isinstance(events, KeptEvents | EventTimes) else None


def as_of(events: object, zone: str, *, now: datetime) -> str:
    """Say as of when events are, to follow what was said: ``As of 09:12; ... does not answer.``

    It begins with a blank, and is empty for events that are as they are now.
    """
    if not isinstance(events, KeptEvents | EventTimes) or events.as_of is None:
        return ""
    return f" As of {say_lately(events.as_of, zone, now=now)}; {events.why}."
