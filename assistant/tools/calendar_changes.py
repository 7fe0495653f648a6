"""Create, change and delete single events. Every change waits for a yes."""

from collections.abc import Callable, Sequence
from datetime import date, datetime, timedelta
from typing import Any, Literal

from assistant.domain.calls import Facts, Reach, Risk
from assistant.domain.deliveries import Line
from assistant.domain.effects import Effect
from assistant.domain.errors import BadArguments, NotFound, Stale
from assistant.domain.events import Event, When
from assistant.domain.moments import ends, say_when, zone_of
from assistant.domain.terms import Category, Confirmation, Group, Scopes
from assistant.ports import Calendar, Store
from assistant.tools.calendar_args import (
    CreateEvent,
    DeleteEvent,
    StoredEvent,
    UpdateEvent,
    shown_title,
    stored,
)
from assistant.tools.calendar_range import same_place, span
from assistant.tools.contract import UNLOCKED, Tool
from assistant.tools.errand import Errand
from assistant.tools.results import Result

AHEAD = timedelta(days=330)
BEHIND = timedelta(days=31)
"""Where an event is looked for by its title when no day is given."""


def create(calendar: Calendar, timeout: float) -> Tool[CreateEvent]:
    def look(args: CreateEvent, errand: Errand) -> Sequence[Facts]:
        end = args.end or _default_end(args.start)
        when = span(args.start, end)
        uid = f"assistant-{errand.call}"
        return [
            Facts(
                args=StoredEvent(
                    uid=uid, title=args.title, start=when.start, end=when.end
                ).model_dump(mode="json"),
                destination=calendar.address(),
                state={uid: ""},
                own=True,
                locations=(_location(uid),),
            )
        ]

    def act(facts: Facts, _errand: Errand) -> Result:
        same_place(calendar, facts)
        event = _event(facts)
        etag = calendar.create(event)
        return _changed("Created", event, etag)

    def settle(facts: Facts, _errand: Errand) -> Result | None:
        same_place(calendar, facts)
        event = _event(facts)
        try:
            found = calendar.get(event.uid)
        except NotFound:
            return None
        return _changed("Created", event, found.etag)

    return _change(
        "create",
        title="Create an event",
        args=CreateEvent,
        free_args=("uid", "start", "end"),
        reach=Reach.WRITES,
        look=look,
        act=act,
        settle=settle,
        timeout=timeout,
        makes=lambda facts: (facts.destination, facts.args["uid"]),
    )


def update(calendar: Calendar, store: Store, timeout: float) -> Tool[UpdateEvent]:
    def look(args: UpdateEvent, errand: Errand) -> Sequence[Facts]:
        if args.title is None and args.start is None and args.end is None:
            raise BadArguments("nothing to change: give a title, a start or an end")
        old = _find(calendar, args.event, args.on, errand)
        when = _moved(old.when, args.start, args.end)
        new = StoredEvent(
            uid=old.uid, title=args.title or old.title, start=when.start, end=when.end
        )
        return [_facts_of(calendar, store, old, new, errand)]

    def act(facts: Facts, _errand: Errand) -> Result:
        same_place(calendar, facts)
        event = _event(facts)
        etag = calendar.update(event)
        return _changed("Changed", event, etag)

    def settle(facts: Facts, _errand: Errand) -> Result | None:
        same_place(calendar, facts)
        event = _event(facts)
        found = calendar.get(event.uid)
        if (found.title, found.when) == (event.title, event.when):
            return _changed("Changed", event, found.etag)
        _untouched(found, event)
        return None

    return _change(
        "update",
        title="Change an event",
        args=UpdateEvent,
        free_args=("start", "end"),
        reach=Reach.WRITES,
        look=look,
        act=act,
        settle=settle,
        timeout=timeout,
    )


def delete(calendar: Calendar, store: Store, timeout: float) -> Tool[DeleteEvent]:
    def look(args: DeleteEvent, errand: Errand) -> Sequence[Facts]:
        old = _find(calendar, args.event, args.on, errand)
        facts = _facts_of(calendar, store, old, stored(old), errand)
        return [facts.model_copy(update={"destructive": True})]

    def act(facts: Facts, _errand: Errand) -> Result:
        same_place(calendar, facts)
        event = _event(facts)
        calendar.delete(event.uid, etag=event.etag)
        return _changed("Deleted", event, "")

    def settle(facts: Facts, _errand: Errand) -> Result | None:
        same_place(calendar, facts)
        event = _event(facts)
        try:
            found = calendar.get(event.uid)
        except NotFound:
            return _changed("Deleted", event, "")
        _untouched(found, event)
        return None

    return _change(
        "delete",
        title="Delete an event",
        args=DeleteEvent,
        reach=Reach.DESTROYS,
        look=look,
        act=act,
        settle=settle,
        timeout=timeout,
    )


def _untouched(found: Event, event: Event) -> None:
    """It did not happen: the event is as it was. Raises ``Stale`` if it is not."""
    if found.etag != event.etag:
        raise Stale("the event was changed by someone else")


def _change(verb: str, **own: Any) -> Tool[Any]:
    """What all three have in common: they wait for a yes on a card that shows the event."""
    return Tool(
        name=f"{verb}_event",
        group=Group.EDIT,
        category=Category.SYSTEM_WRITE,
        confirmation=Confirmation.ALWAYS,
        scopes=Scopes(apps=("calendar",)),
        allowed_modes=UNLOCKED,
        risk=lambda _facts: Risk.HIGH,
        effect=_effect(f"calendar.{verb}"),
        card=_card,
        moot=_moot,
        **own,
    )


def _default_end(start: date) -> date:
    return start + (timedelta(hours=1) if isinstance(start, datetime) else timedelta(days=1))


def _moved(old: When, start: date | None, end: date | None) -> When:
    if start is None and end is None:
        return old
    new_start = start or old.start
    if end is not None:
        return span(new_start, end)
    if isinstance(new_start, datetime) != isinstance(old.start, datetime):
        return span(new_start, _default_end(new_start))
    length: timedelta = old.end - old.start
    return span(new_start, new_start + length)


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


def _facts_of(
    calendar: Calendar, store: Store, old: Event, new: StoredEvent, errand: Errand
) -> Facts:
    address = calendar.address()
    with store.read(errand.cause) as tx:
        own = bool(tx.own_uids(address, [old.uid]))
    return Facts(
        args=new.model_dump(mode="json"),
        destination=address,
        state={old.uid: old.etag},
        before=stored(old).model_dump(mode="json"),
        own=own,
        locations=(_location(old.uid),),
    )


def _location(uid: str) -> str:
    return f"calendar:{uid}"


def _event(facts: Facts) -> Event:
    stored = StoredEvent.model_validate(facts.args)
    return Event(uid=stored.uid, title=stored.title, when=stored.when, etag=facts.state[stored.uid])


def _changed(verb: Literal["Created", "Changed", "Deleted"], event: Event, etag: str) -> Result:
    return Result(
        text=f"{verb} the event (uid {event.uid})",
        told=f"{verb} “{shown_title(event.title)}”",
        after=stored(event).model_dump(mode="json") | {"etag": etag},
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
    """What is now stands above what it would become."""
    new = StoredEvent.model_validate(facts.args)
    old = StoredEvent.model_validate(facts.before) if facts.before else new
    lines = [Line(label="Title", value=shown_title(new.title))]
    if old.title != new.title:
        lines.insert(0, Line(label="Title now", value=shown_title(old.title)))
    if old.when != new.when:
        lines.append(Line(label="When now", value=say_when(old.when, zone)))
    lines.append(Line(label="When", value=say_when(new.when, zone)))
    if facts.before:
        lines.append(Line(label="Made by", value="the assistant" if facts.own else "you"))
    return (*lines, Line(label="Calendar", value=facts.destination))


def _moot(facts: Facts) -> datetime | None:
    """A change is of no use once the event is over, before and after the change."""
    times = [StoredEvent.model_validate(facts.args).when]
    if facts.before:
        times.append(StoredEvent.model_validate(facts.before).when)
    return max(ends(when, "UTC") for when in times)
