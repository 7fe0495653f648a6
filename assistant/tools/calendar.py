"""Look at the calendar; create, change and delete single events in it.

Only title, time and all-day are ever read or written. What the assistant made itself it may read at
once; the titles of the owner's own events wait for a yes, and so does every change.
"""

from collections.abc import Callable, Sequence
from datetime import date, datetime, timedelta
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    AwareDatetime,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
)
from pydantic.json_schema import SkipJsonSchema

from assistant.domain.calls import Facts, Reach, Risk
from assistant.domain.deliveries import Line
from assistant.domain.effects import Effect
from assistant.domain.errors import BadArguments, NotFound, Stale
from assistant.domain.events import TITLE_LIMIT, Event, When
from assistant.domain.fence import fence
from assistant.domain.moments import begins, ends, say_when, zone_of
from assistant.ports import Calendar, Store
from assistant.tools.toolbox import Errand, Result, Tool

RANGE_DAYS = 100
"""The longest range a read may ask for."""
AHEAD = timedelta(days=330)
BEHIND = timedelta(days=31)
"""Where an event is looked for by its title when no day is given."""


def _no_naive(value: Any) -> Any:
    if isinstance(value, str) and len(value) > len("2026-11-30"):
        try:
            naive = datetime.fromisoformat(value).tzinfo is None
        except ValueError:
            return value
        if naive:
            raise ValueError("a time needs its offset, such as 2026-11-30T10:00:00+01:00")
    return value


def _plain_title(value: str) -> str:
    title = " ".join(value.split())
    if not title or not title.isprintable():
        raise ValueError("a title is one line of printable text")
    return title


Moment = Annotated[AwareDatetime | date, BeforeValidator(_no_naive)]
Time = Annotated[AwareDatetime, BeforeValidator(_no_naive)]
Title = Annotated[str, Field(max_length=TITLE_LIMIT), AfterValidator(_plain_title)]


class GetEventsAvailability(BaseModel):
    """When the owner is busy between two moments: time slots only, no titles."""

    model_config = ConfigDict(extra="forbid")
    start: Time
    end: Time


class GetEventsDetails(BaseModel):
    """Events between two moments with their titles.

    Events the assistant created are shown at once; the owner's own need the owner's approval.
    """

    model_config = ConfigDict(extra="forbid")
    start: Time
    end: Time
    uids: SkipJsonSchema[tuple[str, ...] | None] = None
    """Which events exactly; code fills it in, so that a yes covers no event that came later."""


class CreateEvent(BaseModel):
    """Create an event in the owner's calendar. Waits for the owner's approval.

    Times carry an offset (2026-11-30T10:00:00+01:00); an all-day event has plain dates, the end
    being the day after its last one. Without an end it lasts an hour, or a day.
    """

    model_config = ConfigDict(extra="forbid")
    title: Title
    start: Moment
    end: Moment | None = None


class UpdateEvent(BaseModel):
    """Change the title or the time of one event. Waits for the owner's approval.

    What is not given stays; a new start alone keeps the duration.
    """

    model_config = ConfigDict(extra="forbid")
    event: str = Field(min_length=1, max_length=1000, description="its uid, or its exact title")
    on: date | None = Field(None, description="the day it is on now, if the title is not enough")
    title: Title | None = None
    start: Moment | None = None
    end: Moment | None = None


class DeleteEvent(BaseModel):
    """Delete one event. Waits for the owner's approval."""

    model_config = ConfigDict(extra="forbid")
    event: str = Field(min_length=1, max_length=1000, description="its uid, or its exact title")
    on: date | None = Field(None, description="the day it is on, if the title is not enough")


class _Stored(BaseModel):
    """One event as facts hold it."""

    uid: str
    title: Title
    start: Moment
    end: Moment

    @property
    def when(self) -> When:
        return When(start=self.start, end=self.end)


def calendar_tools(
    *, calendar: Calendar, store: Store, timeout: float = 20.0
) -> tuple[Tool[Any], ...]:
    return (
        _availability(calendar),
        _details(calendar, store),
        _create(calendar, timeout),
        _update(calendar, store, timeout),
        _delete(calendar, store, timeout),
    )


def _availability(calendar: Calendar) -> Tool[GetEventsAvailability]:
    def look(args: GetEventsAvailability, _errand: Errand) -> Sequence[Facts]:
        _range(args.start, args.end)
        return [Facts(args=args.model_dump(mode="json"), own=True)]

    def act(facts: Facts, errand: Errand) -> Result:
        args = GetEventsAvailability.model_validate(facts.args)
        asked = _range(args.start, args.end)
        slots = sorted({say_when(event.when, errand.zone) for event in calendar.between(asked)})
        span = say_when(asked, errand.zone)
        if not slots:
            return Result(text=f"Free: nothing is on {span}.", told=f"Nothing is on {span}.")
        lines = "\n".join(f"- {slot}" for slot in slots)
        return Result(text=f"Busy within {span}:\n{lines}", told=f"{len(slots)} slots are taken.")

    return Tool(
        name="get_events_availability",
        args=GetEventsAvailability,
        reach=Reach.READS,
        risk=lambda _facts: Risk.LOW,
        look=look,
        act=act,
        quick=True,
    )


def _details(calendar: Calendar, store: Store) -> Tool[GetEventsDetails]:
    def look(args: GetEventsDetails, errand: Errand) -> Sequence[Facts]:
        found = calendar.between(_range(args.start, args.end))
        if args.uids is not None:
            found = [event for event in found if event.uid in args.uids]
        uids = sorted({event.uid for event in found})
        with store.read(errand.cause) as tx:
            own = tx.own_uids(calendar.address(), uids)
        theirs = [uid for uid in uids if uid not in own]
        parts = [(sorted(own), True)] if own or not theirs else []
        parts += [(theirs, False)] if theirs else []
        return [
            Facts(
                args={**args.model_dump(mode="json"), "uids": part},
                destination=calendar.address(),
                own=mine,
            )
            for part, mine in parts
        ]

    def act(facts: Facts, errand: Errand) -> Result:
        _same_place(calendar, facts)
        args = GetEventsDetails.model_validate(facts.args)
        asked = _range(args.start, args.end)
        chosen = [event for event in calendar.between(asked) if event.uid in (args.uids or ())]
        span = say_when(asked, errand.zone)
        if not chosen:
            return Result(text=f"Nothing is on {span}.", told=f"Nothing is on {span}.")
        lines = "\n".join(
            f"- {say_when(event.when, errand.zone)}: {event.title} (uid {event.uid})"
            for event in chosen
        )
        fenced = fence(lines, source="titles in the calendar")
        return Result(
            text=f"On {span}:\n{fenced}", told=f"{len(chosen)} events shown.", outside=True
        )

    def card(facts: Facts, zone: str) -> tuple[Line, ...]:
        args = GetEventsDetails.model_validate(facts.args)
        return (
            Line(label="Between", value=say_when(When(start=args.start, end=args.end), zone)),
            Line(label="Events", value=f"{len(args.uids or ())} that you made yourself"),
            Line(label="Calendar", value=facts.destination),
        )

    return Tool(
        name="get_events_details",
        title="Read the titles of your own events",
        args=GetEventsDetails,
        reach=Reach.READS,
        risk=lambda facts: Risk.LOW if facts.own else Risk.HIGH,
        look=look,
        act=act,
        card=card,
        quick=True,
    )


def _create(calendar: Calendar, timeout: float) -> Tool[CreateEvent]:
    def look(args: CreateEvent, errand: Errand) -> Sequence[Facts]:
        end = args.end or _default_end(args.start)
        when = _when(args.start, end)
        uid = f"assistant-{errand.call}"
        return [
            Facts(
                args=_Stored(uid=uid, title=args.title, start=when.start, end=when.end).model_dump(
                    mode="json"
                ),
                destination=calendar.address(),
                state={uid: ""},
                own=True,
            )
        ]

    def act(facts: Facts, _errand: Errand) -> Result:
        _same_place(calendar, facts)
        event = _event(facts)
        etag = calendar.create(event)
        return _changed("Created", event, etag)

    def settle(facts: Facts, _errand: Errand) -> Result | None:
        _same_place(calendar, facts)
        event = _event(facts)
        try:
            found = calendar.get(event.uid)
        except NotFound:
            return None
        return _changed("Created", event, found.etag)

    return Tool(
        name="create_event",
        title="Create an event",
        args=CreateEvent,
        reach=Reach.WRITES,
        risk=lambda _facts: Risk.HIGH,
        look=look,
        act=act,
        effect=_effect("calendar.create"),
        makes=lambda facts: (facts.destination, facts.args["uid"]),
        settle=settle,
        card=_card,
        moot=_moot,
        timeout=timeout,
    )


def _update(calendar: Calendar, store: Store, timeout: float) -> Tool[UpdateEvent]:
    def look(args: UpdateEvent, errand: Errand) -> Sequence[Facts]:
        if args.title is None and args.start is None and args.end is None:
            raise BadArguments("nothing to change: give a title, a start or an end")
        old = _find(calendar, args.event, args.on, errand)
        when = _moved(old.when, args.start, args.end)
        new = _Stored(uid=old.uid, title=args.title or old.title, start=when.start, end=when.end)
        return [_facts_of(calendar, store, old, new, errand)]

    def act(facts: Facts, _errand: Errand) -> Result:
        _same_place(calendar, facts)
        event = _event(facts)
        etag = calendar.update(event)
        return _changed("Changed", event, etag)

    def settle(facts: Facts, _errand: Errand) -> Result | None:
        _same_place(calendar, facts)
        event = _event(facts)
        found = calendar.get(event.uid)
        if (found.title, found.when) == (event.title, event.when):
            return _changed("Changed", event, found.etag)
        if found.etag == event.etag:
            return None
        raise Stale("the event was changed by someone else")

    return Tool(
        name="update_event",
        title="Change an event",
        args=UpdateEvent,
        reach=Reach.WRITES,
        risk=lambda _facts: Risk.HIGH,
        look=look,
        act=act,
        effect=_effect("calendar.update"),
        settle=settle,
        card=_card,
        moot=_moot,
        timeout=timeout,
    )


def _delete(calendar: Calendar, store: Store, timeout: float) -> Tool[DeleteEvent]:
    def look(args: DeleteEvent, errand: Errand) -> Sequence[Facts]:
        old = _find(calendar, args.event, args.on, errand)
        return [_facts_of(calendar, store, old, _stored(old), errand)]

    def act(facts: Facts, _errand: Errand) -> Result:
        _same_place(calendar, facts)
        event = _event(facts)
        calendar.delete(event.uid, etag=event.etag)
        return _changed("Deleted", event, "")

    def settle(facts: Facts, _errand: Errand) -> Result | None:
        _same_place(calendar, facts)
        event = _event(facts)
        try:
            found = calendar.get(event.uid)
        except NotFound:
            return _changed("Deleted", event, "")
        if found.etag == event.etag:
            return None
        raise Stale("the event was changed by someone else")

    return Tool(
        name="delete_event",
        title="Delete an event",
        args=DeleteEvent,
        reach=Reach.DESTROYS,
        risk=lambda _facts: Risk.HIGH,
        look=look,
        act=act,
        effect=_effect("calendar.delete"),
        settle=settle,
        card=_card,
        moot=_moot,
        timeout=timeout,
    )


def _same_place(calendar: Calendar, facts: Facts) -> None:
    """A yes is for the calendar it was given for. Raises ``Stale`` when the settings moved on."""
    if calendar.address() != facts.destination:
        raise Stale(f"it was meant for {facts.destination}; the calendar is another one now")


def _range(start: datetime, end: datetime) -> When:
    if end - start > timedelta(days=RANGE_DAYS):
        raise BadArguments(f"ask for {RANGE_DAYS} days at the most")
    return _when(start, end)


def _when(start: date, end: date) -> When:
    try:
        return When(start=start, end=end)
    except ValidationError as error:
        reasons = "; ".join(problem["msg"] for problem in error.errors(include_url=False))
        raise BadArguments(reasons.removeprefix("Value error, ")) from error


def _default_end(start: date) -> date:
    return start + (timedelta(hours=1) if isinstance(start, datetime) else timedelta(days=1))


def _moved(old: When, start: date | None, end: date | None) -> When:
    if start is None and end is None:
        return old
    new_start = start or old.start
    if end is not None:
        return _when(new_start, end)
    if isinstance(new_start, datetime) != isinstance(old.start, datetime):
        return _when(new_start, _default_end(new_start))
    length: timedelta = old.end - old.start
    return _when(new_start, new_start + length)


def _find(calendar: Calendar, name: str, on: date | None, errand: Errand) -> Event:
    """The one event meant. Raises ``BadArguments`` with what would make it clear."""
    try:
        event = calendar.get(name)
    except NotFound:
        event = _titled(calendar, name, on, errand)
    if event.recurring:
        raise BadArguments("it is part of a series; only single events can be changed so far")
    return event


def _titled(calendar: Calendar, title: str, on: date | None, errand: Errand) -> Event:
    zone = zone_of(errand.zone)
    if on is not None:
        first = datetime(on.year, on.month, on.day, tzinfo=zone)
        window = When(start=first, end=first + timedelta(days=1))
    else:
        window = When(start=errand.now - BEHIND, end=errand.now + AHEAD)
    wanted = " ".join(title.split()).casefold()
    found = [
        event
        for event in calendar.between(window)
        if " ".join(event.title.split()).casefold() == wanted
    ]
    if not found:
        raise BadArguments(
            f"no event called {title!r} {f'on {on}' if on else 'in the next eleven months'}"
        )
    if len({event.uid for event in found}) > 1:
        raise BadArguments(f"{len(found)} events are called so; say on which day, with `on`")
    return found[0]


def _stored(event: Event) -> _Stored:
    return _Stored(
        uid=event.uid,
        title=event.title or "(no title)",
        start=event.when.start,
        end=event.when.end,
    )


def _facts_of(calendar: Calendar, store: Store, old: Event, new: _Stored, errand: Errand) -> Facts:
    address = calendar.address()
    with store.read(errand.cause) as tx:
        own = bool(tx.own_uids(address, [old.uid]))
    return Facts(
        args=new.model_dump(mode="json"),
        destination=address,
        state={old.uid: old.etag},
        before=_stored(old).model_dump(mode="json"),
        own=own,
    )


def _event(facts: Facts) -> Event:
    stored = _Stored.model_validate(facts.args)
    return Event(uid=stored.uid, title=stored.title, when=stored.when, etag=facts.state[stored.uid])


def _changed(verb: Literal["Created", "Changed", "Deleted"], event: Event, etag: str) -> Result:
    return Result(
        text=f"{verb} the event (uid {event.uid})",
        told=f"{verb} “{event.title}”",
        after=_stored(event).model_dump(mode="json") | {"etag": etag},
    )


def _effect(kind: str) -> Callable[[Facts, str], Effect]:
    def effect(facts: Facts, call: str) -> Effect:
        return Effect(
            call=call,
            kind=kind,
            key=facts.args["uid"],
            destination=facts.destination,
            before=facts.before,
        )

    return effect


def _card(facts: Facts, zone: str) -> tuple[Line, ...]:
    new = _Stored.model_validate(facts.args)
    lines = [
        Line(label="Title", value=new.title),
        Line(label="When", value=say_when(new.when, zone)),
    ]
    if facts.before:
        old = _Stored.model_validate(facts.before)
        if old.title != new.title:
            lines.insert(0, Line(label="Title now", value=old.title))
        if old.when != new.when:
            lines.append(Line(label="When now", value=say_when(old.when, zone)))
        lines.append(Line(label="Made by", value="the assistant" if facts.own else "you"))
    return (*lines, Line(label="Calendar", value=facts.destination))


def _moot(facts: Facts) -> datetime | None:
    """A change is of no use once the event is over, before and after the change."""
    times = [_Stored.model_validate(facts.args).when]
    if facts.before:
        times.append(_Stored.model_validate(facts.before).when)
    return max(ends(when, "UTC") for when in times)


def agenda(calendar: Calendar, when: When, zone: str) -> list[dict[str, Any]]:
    """Events as ``assistant events list`` prints them: id, title, start, end, all_day."""
    return [
        {
            "id": event.uid,
            "title": event.title,
            "start": event.when.start.isoformat(),
            "end": event.when.end.isoformat(),
            "all_day": event.when.all_day,
            "when": say_when(event.when, zone),
        }
        for event in sorted(calendar.between(when), key=lambda event: begins(event.when, zone))
    ]
