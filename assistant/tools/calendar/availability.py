"""Tell when the owner is busy and free, at once: times only, no word of any event."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import partial

from pydantic import BaseModel, ConfigDict, Field
from pydantic.config import JsonDict

from assistant.domain.calendar.copies.copied import as_of
from assistant.domain.calendar.events import When
from assistant.domain.calendar.free.availability import (
    NEXT,
    NEXT_DAYS,
    Availability,
    availability,
    say_availability,
    say_next_free,
)
from assistant.domain.calendar.free.slots import MOST_SLOTS, Slots
from assistant.domain.calendar.free.working_hours import OFFICE_HOURS, WorkingHours
from assistant.domain.calendar.ports import Calendar
from assistant.domain.calendar.times import say_incomplete
from assistant.domain.calls.call import Facts
from assistant.domain.errors import BadArguments
from assistant.tools.calendar.args import CALENDAR, Time
from assistant.tools.calendar.range import say_range, span, time_range
from assistant.tools.contract.context import ToolContext
from assistant.tools.contract.declare import read_tool
from assistant.tools.contract.results import Result
from assistant.tools.contract.tool import Tool

_EXAMPLE: JsonDict = {"start": "2026-11-30T10:00:00+01:00", "end": "2026-11-30T11:00:00+01:00"}


class GetEventsAvailability(BaseModel):
    """When the owner is busy and free between two moments: time slots only, no titles.

    With ``minutes`` and no end, the next three free slots that are long enough.
    """

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [_EXAMPLE]})
    start: Time | None = Field(None, description="now, if not given")
    end: Time | None = Field(None, description="not needed with minutes")
    minutes: int | None = Field(
        None, ge=1, le=NEXT_DAYS * 24 * 60, description="the least length of a free slot"
    )
    within_working_hours: bool = Field(
        default=True, description="false looks for free slots at all hours"
    )


class TimeSlot(BaseModel):
    """A time slot, the end excluded, in the owner's zone."""

    start: datetime
    end: datetime


class FoundSlots(BaseModel):
    """When the owner is busy and free. Events that overlap or adjoin are one slot."""

    busy: list[TimeSlot]
    free: list[TimeSlot]
    """Within the working hours, where these were asked for."""
    complete: bool
    """False where there are more slots than are told, or a series could not be read in full."""


def availability_tool(
    calendar: Calendar, *, working_hours: WorkingHours = OFFICE_HOURS
) -> Tool[GetEventsAvailability]:
    """Make ``get_events_availability``."""

    def inspect(args: GetEventsAvailability, context: ToolContext) -> Sequence[Facts]:
        if args.end is None and args.minutes is None:
            raise BadArguments("say until when, or for how many minutes")
        start = args.start or context.now
        _range(start, args.end)
        resolved = args.model_copy(update={"start": start})
        return [Facts(args=resolved.model_dump(mode="json"), own=True)]

    def execute(facts: Facts, context: ToolContext) -> Result:
        args = GetEventsAvailability.model_validate(facts.args)
        start = args.start or context.now
        when = _range(start, args.end)
        known = calendar.times(when)
        note = say_incomplete(known.incomplete) + as_of(known, context.zone, now=context.now)
        look = partial(
            availability,
            known.times,
            start,
            args.end or start + timedelta(days=NEXT_DAYS),
            zone=context.zone,
            hours=working_hours if args.within_working_hours else WorkingHours.always(),
            least=timedelta(minutes=args.minutes or 1),
        )
        found = look(most_free=MOST_SLOTS if args.end else NEXT)
        enough = not known.incomplete and (not found.free.more or not args.end)
        data = _data(found, complete=enough)
        if args.end is None:
            text = say_next_free(found)
            told = text.splitlines()[0].rstrip(":.")
            return Result(text=_noted(text, note), told=told + note, data=data)
        words = say_range(when, context.zone)
        told = _told(found, words)
        text = _noted(say_availability(found, span=words), note)
        return Result(text=text, told=told + note, data=data)

    return read_tool(
        "get_events_availability",
        title="See when you are busy",
        args=GetEventsAvailability,
        result=FoundSlots,
        scopes=CALENDAR,
        inspect=inspect,
        execute=execute,
        free_args=("start", "end", "minutes", "within_working_hours"),
        quick=True,
    )


def _range(start: datetime, end: datetime | None) -> When:
    """Raises ``BadArguments`` for a range that is too long, or ends before it begins."""
    if end is None:
        return span(start, start + timedelta(days=NEXT_DAYS))
    return time_range(start, end)


def _noted(text: str, note: str) -> str:
    """Return a text with what limits it, which has a line of its own below other lines."""
    return f"{text}\n{note.strip()}" if note and "\n" in text else text + note


def _data(found: Availability, *, complete: bool) -> dict[str, object]:
    busy, free = (
        [TimeSlot(start=one.start, end=one.end) for one in slots.slots]
        for slots in (found.busy, found.free)
    )
    complete = complete and not found.busy.more
    return FoundSlots(busy=busy, free=free, complete=complete).model_dump(mode="json")


def _told(found: Availability, words: str) -> str:
    if not found.busy.slots:
        return f"Nothing is on {words}."
    return f"{_counted(found.busy)} taken, {_counted(found.free)} free."


def _counted(slots: Slots) -> str:
    count = len(slots.slots)
    over = "more than " if slots.more else ""
    return f"{over}{count} slot{'' if count == 1 else 's'}"
