"""Create, change and delete single events. Every change waits for a yes, and can be taken back."""

from collections.abc import Callable, Sequence
from datetime import date, datetime, timedelta
from typing import Any, Literal

from assistant.domain.calendar.events import Event, When
from assistant.domain.calendar.ports import Calendar
from assistant.domain.calls.call import Facts, Reach, Risk
from assistant.domain.calls.effects import Effect
from assistant.domain.calls.inverse import Inverse
from assistant.domain.conversation.deliveries import Line
from assistant.domain.errors import BadArguments, NotFound, Stale
from assistant.domain.policy.traits import Category, Confirmation, Group, Scopes
from assistant.domain.store import Store
from assistant.domain.time.moments import ends, zone_of
from assistant.tools.calendar_args import (
    CreateEvent,
    DeleteEvent,
    StoredEvent,
    UpdateEvent,
    shown_title,
    stored,
    when_line,
)
from assistant.tools.calendar_range import same_place, span
from assistant.tools.contract import UNLOCKED, Tool
from assistant.tools.errand import Errand
from assistant.tools.results import Result

AHEAD = timedelta(days=330)
BEHIND = timedelta(days=31)
"""Where an event is looked for by its title when no day is given."""

PutBack = Callable[[Facts, Errand], Inverse | None]
"""What keeps an event as it is now, and gives the call that would put it back."""
_NOT_KEPT = "there is nowhere to keep the event as it was"


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
        event = event_of(facts)
        etag = calendar.create(event)
        return changed("Created", event, etag)

    def settle(facts: Facts, _errand: Errand) -> Result | None:
        same_place(calendar, facts)
        event = event_of(facts)
        try:
            found = calendar.get(event.uid)
        except NotFound:
            return None
        return changed("Created", event, found.etag)

    return change(
        "create",
        title="Create an event",
        args=CreateEvent,
        free_args=("start", "end"),
        made_args=("uid",),
        reach=Reach.WRITES,
        look=look,
        act=act,
        settle=settle,
        timeout=timeout,
        makes=lambda facts: (facts.destination, facts.args["uid"]),
        inverse=deletion,
    )


def update(
    calendar: Calendar, store: Store, timeout: float, put_back: PutBack | None
) -> Tool[UpdateEvent]:
    def look(args: UpdateEvent, errand: Errand) -> Sequence[Facts]:
        if args.title is None and args.start is None and args.end is None:
            raise BadArguments("nothing to change: give a title, a start or an end")
        old = _find(calendar, args.event, args.on, errand)
        when = _moved(old.when, args.start, args.end)
        new = StoredEvent(
            uid=old.uid, title=args.title or old.title, start=when.start, end=when.end
        )
        return [facts_of(calendar, store, old, new.model_dump(mode="json"), errand)]

    def act(facts: Facts, _errand: Errand) -> Result:
        same_place(calendar, facts)
        event = event_of(facts)
        etag = calendar.update(event)
        return changed("Changed", event, etag)

    def settle(facts: Facts, _errand: Errand) -> Result | None:
        same_place(calendar, facts)
        event = event_of(facts)
        found = calendar.get(event.uid)
        if (found.title, found.when) == (event.title, event.when):
            return changed("Changed", event, found.etag)
        untouched(found, event)
        return None

    return change(
        "update",
        anchor=_by_uid,
        title="Change an event",
        args=UpdateEvent,
        free_args=("start", "end"),
        reach=Reach.WRITES,
        look=look,
        act=act,
        settle=settle,
        timeout=timeout,
        inverse=put_back,
        irreversible="" if put_back else _NOT_KEPT,
    )


def delete(
    calendar: Calendar, store: Store, timeout: float, put_back: PutBack | None
) -> Tool[DeleteEvent]:
    def look(args: DeleteEvent, errand: Errand) -> Sequence[Facts]:
        old = _find(calendar, args.event, args.on, errand)
        facts = facts_of(calendar, store, old, stored(old).model_dump(mode="json"), errand)
        return [facts.model_copy(update={"destructive": True})]

    def act(facts: Facts, _errand: Errand) -> Result:
        same_place(calendar, facts)
        event = event_of(facts)
        calendar.delete(event.uid, etag=event.etag)
        return changed("Deleted", event, "")

    def settle(facts: Facts, _errand: Errand) -> Result | None:
        same_place(calendar, facts)
        event = event_of(facts)
        try:
            found = calendar.get(event.uid)
        except NotFound:
            return changed("Deleted", event, "")
        untouched(found, event)
        return None

    return change(
        "delete",
        anchor=_by_uid,
        title="Delete an event",
        args=DeleteEvent,
        reach=Reach.DESTROYS,
        look=look,
        act=act,
        settle=settle,
        timeout=timeout,
        inverse=put_back,
        irreversible="" if put_back else _NOT_KEPT,
    )


def deletion(facts: Facts, _errand: Errand) -> Inverse:
    """What would take back that an event came to be."""
    title = shown_title(facts.args["title"])
    return Inverse(
        tool="delete_event",
        args={"event": facts.args["uid"]},
        words=f"Delete the event “{title}” again",
    )


def _by_uid(facts: Facts) -> dict[str, Any]:
    return {"event": facts.args["uid"]}


def untouched(found: Event, event: Event) -> None:
    """It did not happen: the event is as it was. Raises ``Stale`` if it is not."""
    if found.etag != event.etag:
        raise Stale("the event was changed by someone else")


def change(verb: str, **own: Any) -> Tool[Any]:
    """What all of them have in common: they wait for a yes on a card that shows the event."""
    common: dict[str, Any] = {
        "name": f"{verb}_event",
        "group": Group.EDIT,
        "category": Category.SYSTEM_WRITE,
        "confirmation": Confirmation.ALWAYS,
        "scopes": Scopes(apps=("calendar",)),
        "allowed_modes": UNLOCKED,
        "risk": lambda _facts: Risk.HIGH,
        "effect": _effect(f"calendar.{verb}"),
        "card": _card,
        "moot": _moot,
    }
    return Tool(**common | own)


def _default_end(start: date) -> date:
    try:
        return start + (timedelta(hours=1) if isinstance(start, datetime) else timedelta(days=1))
    except OverflowError as error:
        raise BadArguments(f"{start} is too late to end") from error


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


def facts_of(
    calendar: Calendar, store: Store, old: Event | None, args: dict[str, Any], errand: Errand
) -> Facts:
    """The facts of a change from what is there, None for nothing, to what ``args`` say."""
    address, uid = calendar.address(), args["uid"]
    with store.read(errand.cause) as tx:
        own = bool(tx.own_uids(address, [uid]))
    return Facts(
        args=args,
        destination=address,
        state={uid: old.etag if old else ""},
        before=stored(old).model_dump(mode="json") if old else {},
        own=own,
        locations=(_location(uid),),
    )


def _location(uid: str) -> str:
    return f"calendar:{uid}"


def event_of(facts: Facts) -> Event:
    stored = StoredEvent.model_validate(facts.args)
    return Event(uid=stored.uid, title=stored.title, when=stored.when, etag=facts.state[stored.uid])


def changed(
    verb: Literal["Created", "Changed", "Deleted", "Put back"], event: Event, etag: str
) -> Result:
    """What was done; ``etag`` is the event's now, empty where there is none any more."""
    state = {"etag": etag, "state": {event.uid: etag}}
    return Result(
        text=f"{verb} the event (uid {event.uid})",
        told=f"{verb} “{shown_title(event.title)}”",
        after=stored(event).model_dump(mode="json") | state,
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
        lines.append(when_line("When now", old.when, zone))
    lines.append(when_line("When", new.when, zone))
    if facts.before:
        lines.append(Line(label="Made by", value="the assistant" if facts.own else "you"))
    return (*lines, Line(label="Calendar", value=facts.destination))


def _moot(facts: Facts) -> datetime | None:
    """A change is of no use once the event is over, before and after the change."""
    times = [StoredEvent.model_validate(facts.args).when]
    if facts.before:
        times.append(StoredEvent.model_validate(facts.before).when)
    return max(ends(when, "UTC") for when in times)
