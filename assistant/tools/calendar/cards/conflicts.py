"""Look for what is in the way of an event, and say so on its card, with other times.

Only the owner sees it: it is in ``Facts.beside``, which no model is shown.
"""

from collections.abc import Callable, Iterator, Sequence
from datetime import date, datetime, timedelta
from typing import Any

from pydantic import BaseModel

from assistant.domain.calendar.copies.copied import last_answer
from assistant.domain.calendar.events import Event, When
from assistant.domain.calendar.free.busy_times import EventTime
from assistant.domain.calendar.free.conflicts import conflicts
from assistant.domain.calendar.free.working_hours import OFFICE_HOURS, WorkingHours
from assistant.domain.calendar.ports import Calendar
from assistant.domain.calendar.times import defective
from assistant.domain.calls.call import Facts
from assistant.domain.conversation.deliveries import Line, Row, moment
from assistant.domain.conversation.glance import Other
from assistant.domain.errors import AssistantError
from assistant.domain.text.quotes import quoted
from assistant.domain.text.rows import cut_to
from assistant.domain.time.moments import clock, ends, say_lately, zone_of
from assistant.domain.time.short import short_start, short_when
from assistant.domain.time.wall_clock import day_begins
from assistant.tools.calendar.args import Moment, shown_title
from assistant.tools.contract.context import ToolContext

_DAYS = timedelta(days=16)
"""How far other times are looked for."""
_LONGEST = timedelta(days=366)
_NAMED = 3
"""How many of the events that are in the way are kept, with their titles."""
_WIDTH = 24
"""Columns of a title on the card."""
_BESIDE = "conflicts"


class InTheWay(BaseModel):
    """An event that is there at the time."""

    title: str
    start: Moment
    end: Moment


class FoundConflicts(BaseModel):
    """What is in the way of an event, and when else it could be, as facts hold it."""

    events: tuple[InTheWay, ...] = ()
    total: int = 0
    free: tuple[tuple[Moment, Moment], ...] = ()
    unknown: str = ""
    """Why nobody could look."""
    unread: int = 0
    """Of how many series not all times are known; see ``Event.defect``."""
    as_of: Moment | None = None
    """When the calendar answered last, if it did not when it was asked."""


def find_conflicts(
    calendar: Calendar,
    when: When,
    context: ToolContext,
    *,
    but: Callable[[Event], bool] = lambda _event: False,
    hours: WorkingHours = OFFICE_HOURS,
    others: bool = True,
) -> dict[str, Any]:
    """Ask the calendar once what is in the way; return what ``Facts.beside`` holds of it.

    A calendar that does not answer keeps nobody from being asked: the card says that nobody looked.

    Args:
        calendar: where the event is to be.
        when: when it is to be; what is over has no conflicts.
        context: of the call.
        but: whether this is the event itself.
        hours: the owner's working hours, in which other times are looked for.
        others: whether to look for other times.
    """
    try:
        if ends(when, context.zone) <= context.now:
            return {}
        looked = calendar.between(_window(when, context.zone))
        others_there = [event for event in looked if not but(event)]
        there = [event for event in others_there if not event.unread]
        found = _conflicts(when, there, context, hours).model_copy(
            update={"unread": len(defective(others_there)), "as_of": last_answer(looked)}
        )
    except (AssistantError, OverflowError):
        found = FoundConflicts(unknown="the calendar did not answer")
    if not others:
        found = found.model_copy(update={"free": ()})
    told = found.total or found.unknown or found.unread or found.as_of
    return {_BESIDE: found.model_dump(mode="json")} if told else {}


def conflict_rows(facts: Facts, zone: str, now: datetime) -> tuple[Row, ...]:
    """Say on the card what is in the way, and when else it could be."""
    found = _found(facts)
    if found.unknown:
        return (Row(text="Not checked for overlaps: no answer"),)
    limits = _limits(found, zone, now)
    if not found.total:
        return (Row(text=f"No overlap{limits}"),) if limits else ()
    first, *_ = found.events
    title = quoted(cut_to(shown_title(first.title), _WIDTH)[0])
    more = f" and {found.total - 1} more" if found.total > 1 else ""
    asked = When(start=facts.args["start"], end=facts.args["end"])
    said = _say_beside(When(start=first.start, end=first.end), asked, zone, now)
    rows = [Row(name="Overlaps", text=f"{title} {said}{more}")]
    if found.free:
        times = ", ".join(_say_free(found, asked, zone))
        rows.append(Row(name="Free:", text=times))
    if limits:
        rows.append(Row(text=f"Overlaps{limits}"))
    return tuple(rows)


def other_times(facts: Facts, zone: str, now: datetime) -> tuple[Other, ...]:
    """Return the free times as edits that take them."""
    return tuple(
        Other(
            label=short_start(When(start=start, end=end), zone, now=now),
            changes=f"start={_typed(start, zone)}",
        )
        for start, end in _found(facts).free
    )


def conflict_lines(facts: Facts, zone: str) -> Iterator[Line]:
    """Tell under the details all that is in the way, and how another time is taken."""
    found = _found(facts)
    if found.unknown:
        yield Line(label="Overlaps", value=f"not known: {found.unknown}")
    if isinstance(found.as_of, datetime):
        yield moment("Overlaps as of", found.as_of, zone)
    if found.unread:
        yield Line(label="Not compared with", value=f"{found.unread} series that cannot be read")
    if not found.total:
        return
    now = ends(When(start=facts.args["start"], end=facts.args["end"]), zone)
    said = [
        f"{quoted(shown_title(one.title))} "
        f"{short_when(When(start=one.start, end=one.end), zone, now=now)}"
        for one in found.events
    ]
    if found.total > len(said):
        said.append(f"and {found.total - len(said)} more")
    yield Line(label="Overlaps", value="\n".join(said))
    if found.free:
        edits = [f"start={_typed(start, zone)}" for start, _ in found.free]
        yield Line(label="Free instead, by an edit", value="\n".join(edits))


def _window(when: When, zone: str) -> When:
    there = zone_of(zone)
    day = when.start.astimezone(there).date() if isinstance(when.start, datetime) else when.start
    begins = day_begins(day, there)
    return When(start=begins, end=min(max(begins + _DAYS, ends(when, zone)), begins + _LONGEST))


def _conflicts(
    when: When, there: Sequence[Event], context: ToolContext, hours: WorkingHours
) -> FoundConflicts:
    """Find them. A whole day is in the way of a time, and yet leaves other times of it free."""
    now, zone = context.now, context.zone
    times = [EventTime.of(event.when) for event in there]
    all_of_them = conflicts(when, times, now=now, zone=zone, hours=hours)
    blocking = [
        time
        if when.all_day or isinstance(time.start, datetime)
        else time._replace(transparent=True)
        for time in times
    ]
    free = conflicts(when, blocking, now=now, zone=zone, hours=hours).alternatives
    overlapping = sorted(
        (there[place] for place in all_of_them.events), key=lambda event: event.when.all_day
    )
    return FoundConflicts(
        events=tuple(
            InTheWay(title=event.title, start=event.when.start, end=event.when.end)
            for event in overlapping[:_NAMED]
        ),
        total=all_of_them.total,
        free=tuple((one.start, one.end) for one in free),
    )


def _limits(found: FoundConflicts, zone: str, now: datetime) -> str:
    """Say what the look did not know, to follow a word: `` as of 09:00, 1 series unread``."""
    old = ""
    if isinstance(found.as_of, datetime):
        old = f" as of {say_lately(found.as_of, zone, now=now)}"
    return f"{old}, {found.unread} series unread" if found.unread else old


def _found(facts: Facts) -> FoundConflicts:
    return FoundConflicts.model_validate(facts.beside.get(_BESIDE, {}))


def _say_beside(when: When, asked: When, zone: str, now: datetime) -> str:
    """Write ``10:00–11:00`` of the day that was asked for."""
    if when.all_day:
        return "all day" if not asked.all_day else short_when(when, zone, now=now)
    start, end = _local(when.start, zone), _local(when.end, zone)
    same = start.date() == end.date() == _local(asked.start, zone).date()
    return f"{clock(start)}–{clock(end)}" if same else short_when(when, zone, now=now)


def _say_free(found: FoundConflicts, asked: When, zone: str) -> Iterator[str]:
    """Write ``11:00``, and of other days ``Tue 10:00``; of whole days ``Tue 1``."""
    for start, _ in found.free:
        local = _local(start, zone)
        if not isinstance(start, datetime):
            yield f"{start:%a} {start.day} {start:%b}"
        elif local.date() == _local(asked.start, zone).date():
            yield clock(local)
        else:
            yield f"{local:%a} {local.day} {clock(local)}"


def _typed(start: date, zone: str) -> str:
    if not isinstance(start, datetime):
        return start.isoformat()
    local = _local(start, zone)
    alone = clock(local) == f"{local:%H:%M}"
    return f"{local:%Y-%m-%d %H:%M}" if alone else local.isoformat(timespec="minutes")


def _local(at: date, zone: str) -> datetime:
    if isinstance(at, datetime):
        return at.astimezone(zone_of(zone))
    return datetime(at.year, at.month, at.day, tzinfo=zone_of(zone))
