"""The arguments of the calendar's tools, their results, and how facts hold an event."""

from datetime import date, datetime, timedelta
from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    AwareDatetime,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    JsonValue,
)
from pydantic.json_schema import SkipJsonSchema

from assistant.domain.calendar.events import TITLE_LIMIT, Event, When
from assistant.domain.calendar.recurrence import Recurrence
from assistant.domain.calendar.series import SeriesScope
from assistant.domain.conversation.deliveries import Line
from assistant.domain.policy.traits import Scopes
from assistant.domain.time.moments import begins, ends, say_when
from assistant.tools.calendar.repeats import EventRepeats

CALENDAR = Scopes(apps=("calendar",))
"""The most that any of its tools may touch."""


def _no_naive(value: Any) -> Any:
    if isinstance(value, str) and len(value) > len("2026-11-30"):
        try:
            naive = datetime.fromisoformat(value).tzinfo is None
        except ValueError:
            return value
        if naive:
            raise ValueError("a time needs its offset, such as 2026-11-30T10:00:00+01:00")
    return value


_JOINERS = frozenset("\u00ad\u200c\u200d")
"""Invisible characters that words and emoji are written with."""


def shown_title(title: str) -> str:
    """Make a title fit for a card: one line, without characters that hide or turn the rest."""
    line = " ".join(title.split())
    return (
        "".join(
            c if c.isprintable() or c in _JOINERS else "\N{REPLACEMENT CHARACTER}" for c in line
        )
        or "(no title)"
    )


def when_line(label: str, when: When, zone: str, *, what: str = "") -> Line:
    """Make a line that says when something is, with ``what`` it is before the time."""
    value = f"{what}{say_when(when, zone)}"
    if when.all_day:  # a day is one in the owner's zone alone
        return Line(label=label, value=value)
    return Line(label=label, value=value, at=begins(when, zone), until=ends(when, zone))


def _plain_title(value: str) -> str:
    title = " ".join(value.split())
    if shown_title(title) != title:
        raise ValueError("a title is one line of text that can be shown")
    return title


Moment = Annotated[AwareDatetime | date, BeforeValidator(_no_naive)]
Time = Annotated[AwareDatetime, BeforeValidator(_no_naive)]
Title = Annotated[str, Field(max_length=TITLE_LIMIT), AfterValidator(_plain_title)]


def _as_list(value: Any) -> Any:
    """Take one number for a list of it, as a person types ``alerts=30``."""
    return [value] if isinstance(value, int) else value


MOST_ALERTS = 5
_WEEKS = 4
Alert = Annotated[int, Field(ge=0, le=_WEEKS * 7 * 24 * 60)]
"""Minutes before an event begins."""

_TEN = "2026-11-30T10:00:00+01:00"
_ELEVEN = "2026-11-30T11:00:00+01:00"


def _asked(**example: JsonValue) -> ConfigDict:
    return ConfigDict(extra="forbid", json_schema_extra={"examples": [example]})


class GetEventsDetails(BaseModel):
    """Events between two moments with their titles.

    Events the assistant created are shown at once; the owner's own need the owner's approval.
    """

    model_config = _asked(start=_TEN, end=_ELEVEN)
    start: Time
    end: Time
    uids: SkipJsonSchema[tuple[str, ...] | None] = None
    """Which events exactly. Code fills it in, so that an approval covers no event added later."""


class CreateEvent(BaseModel):
    """Create an event in the owner's calendar. Waits for the owner's approval.

    Times carry an offset (2026-11-30T10:00:00+01:00); an all-day event has plain dates, the end
    being the day after its last one. Without an end it lasts an hour, or a day. Of an event that
    repeats, start and end are those of its first time.
    """

    model_config = _asked(
        title="Pay the rent", start=_TEN, end=_ELEVEN, repeats={"frequency": "monthly"}, alerts=[30]
    )
    title: Title
    start: Moment
    end: Moment | None = None
    repeats: EventRepeats | None = Field(None, description="how it repeats; leave it out if once")
    alerts: Annotated[tuple[Alert, ...], BeforeValidator(_as_list)] = Field(
        (),
        max_length=MOST_ALERTS,
        description="minutes before its begin, such as 30",
    )


_SCOPE = (
    "of an event that repeats: only the one on that day, that one and all after it, or all; "
    "ask the owner which, unless their words say so"
)


class UpdateEvent(BaseModel):
    """Change the title or the time of an event. Waits for the owner's approval.

    What is not given stays; a new start alone keeps the duration. Of an event that repeats, say
    with `on` the day of the one that is meant, and with `scope` how many; start and end are the new
    ones of that one, and the others move along. `repeats` says how it repeats from then on.
    """

    model_config = _asked(event="Pay the rent", on="2026-11-30", start=_ELEVEN)
    event: str = Field(min_length=1, max_length=1000, description="its uid, or its exact title")
    on: date | None = Field(None, description="the day it is on now, if the title is not enough")
    title: Title | None = None
    start: Moment | None = None
    end: Moment | None = None
    scope: SeriesScope | None = Field(None, description=_SCOPE)
    repeats: EventRepeats | None = Field(None, description="how it repeats from now on")


class DeleteEvent(BaseModel):
    """Delete an event. Waits for the owner's approval.

    Of an event that repeats, say with `on` the day of the one that is meant, and with `scope` how
    many are deleted.
    """

    model_config = _asked(event="Pay the rent", on="2026-11-30")
    event: str = Field(min_length=1, max_length=1000, description="its uid, or its exact title")
    on: date | None = Field(None, description="the day it is on, if the title is not enough")
    scope: SeriesScope | None = Field(None, description=_SCOPE)


class BusySlot(BaseModel):
    """A time at which something is on; of a whole day, plain dates with the day after as end."""

    start: Moment
    end: Moment


class FoundEvent(BusySlot):
    """One event. A series has a row for each time it takes place."""

    uid: str
    title: str
    defect: str = ""
    """Why not all times of its series are known."""


class FoundEvents(BaseModel):
    """The events that were found."""

    events: list[FoundEvent]


class EventChange(BaseModel):
    """The event that was changed, as it is now, or as it was when it was deleted."""

    uid: str
    title: str
    start: Moment
    end: Moment
    deleted: bool
    scope: SeriesScope | None = None
    """How much of a series was changed; None for an event that does not repeat."""


class StoredEvent(BaseModel):
    """One event as facts hold it. Of a change of a series, the occurrence that is meant."""

    uid: str
    title: str
    """As the calendar has it: what is not changed is not touched."""
    start: Moment
    end: Moment
    repeats: Recurrence | None = None
    """How it repeats, where that is set."""
    alerts: tuple[Alert, ...] = ()
    scope: SeriesScope | None = None
    """How much of a series is changed; None for an event that does not repeat."""
    occurrence: Moment | None = None
    """When this occurrence would begin if nobody had moved it; None for the first one."""
    stamp: AwareDatetime | None = None
    """When the change of a series was asked for."""
    new_uid: str = ""
    """The UID of the rest, where a series is cut."""

    @property
    def when(self) -> When:
        return When(start=self.start, end=self.end)

    def facts(self) -> dict[str, Any]:
        """Return it as arguments, without what is not set."""
        repeats = self.repeats and self.repeats.model_dump(mode="json", exclude_defaults=True)
        rest = self.model_dump(mode="json", exclude_defaults=True, exclude={"repeats"})
        return {**rest, **({"repeats": repeats} if repeats else {})}


def stored(event: Event) -> StoredEvent:
    return StoredEvent(
        uid=event.uid,
        title=event.title,
        start=event.when.start,
        end=event.when.end,
    )


def alerts_of(event: StoredEvent) -> tuple[timedelta, ...]:
    return tuple(timedelta(minutes=minutes) for minutes in event.alerts)
