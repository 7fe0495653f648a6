"""Create, change and delete single events. Every change waits for approval, and can be undone."""

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from functools import partial

from assistant.domain.calendar.events import Event, When
from assistant.domain.calendar.ports import Calendar
from assistant.domain.calls.call import Facts, Reach, Risk
from assistant.domain.errors import BadArguments, NotFound
from assistant.domain.policy.traits import Confirmation
from assistant.domain.store import Store
from assistant.domain.text.invisible import without_invisible
from assistant.domain.time.moments import zone_of
from assistant.tools.calendar.args import (
    CALENDAR,
    CreateEvent,
    DeleteEvent,
    EventChange,
    StoredEvent,
    UpdateEvent,
    stored,
)
from assistant.tools.calendar.event_facts import (
    by_uid,
    change_card,
    changed,
    deletion,
    event_of,
    facts_of,
    location,
    over_at,
    uid_key,
    untouched,
)
from assistant.tools.calendar.glances import change, creation
from assistant.tools.calendar.glances import deletion as deletion_glance
from assistant.tools.calendar.range import same_place, span
from assistant.tools.contract.context import ToolContext
from assistant.tools.contract.declare import change_tool, keyed_effect
from assistant.tools.contract.results import Result
from assistant.tools.contract.tool import Irreversible, MakeInverse, Tool

AHEAD = timedelta(days=330)
BEHIND = timedelta(days=31)
"""How far an event is searched for by its title when no day is given."""

_NOT_SHOWN = (
    "others' words are in view, and neither the owner nor the calendar has named this event here; "
    "look at the events of that day with get_events_details, or ask the owner for the exact title"
)
_NOT_KEPT = Irreversible("there is nowhere to keep the event as it was")


def create(calendar: Calendar, timeout: float) -> Tool[CreateEvent]:
    def inspect(args: CreateEvent, context: ToolContext) -> Sequence[Facts]:
        end = args.end or _default_end(args.start)
        when = span(args.start, end)
        uid = f"assistant-{context.call}"
        return [
            Facts(
                args=StoredEvent(
                    uid=uid, title=args.title, start=when.start, end=when.end
                ).model_dump(mode="json"),
                destination=calendar.address(),
                state={uid: ""},
                own=True,
                locations=(location(uid),),
            )
        ]

    def execute(facts: Facts, _context: ToolContext) -> Result:
        same_place(calendar, facts)
        event = event_of(facts)
        etag = calendar.create(event)
        return changed("Created", event, etag)

    def reconcile(facts: Facts, _context: ToolContext) -> Result | None:
        same_place(calendar, facts)
        event = event_of(facts)
        try:
            found = calendar.get(event.uid)
        except NotFound:
            return None
        return changed("Created", event, found.etag)

    return change_tool(
        "create_event",
        title="Create an event",
        args=CreateEvent,
        result=EventChange,
        scopes=CALENDAR,
        reach=Reach.WRITES,
        risk=Risk.HIGH,
        confirmation=Confirmation.ALWAYS,
        inspect=inspect,
        execute=execute,
        effect=keyed_effect("calendar.create", uid_key),
        reconcile=reconcile,
        inverse=partial(deletion, of_creation=True),
        creates_event=lambda facts: (facts.destination, facts.args["uid"]),
        card=change_card,
        glance=creation,
        expires_at=over_at,
        free_args=("start", "end"),
        made_args=("uid",),
        timeout=timeout,
    )


def update(
    calendar: Calendar, store: Store, timeout: float, put_back: MakeInverse | None
) -> Tool[UpdateEvent]:
    def inspect(args: UpdateEvent, context: ToolContext) -> Sequence[Facts]:
        if args.title is None and args.start is None and args.end is None:
            raise BadArguments("nothing to change: give a title, a start or an end")
        old = _find(calendar, args.event, args.on, context)
        when = _moved(old.when, args.start, args.end)
        new = StoredEvent(
            uid=old.uid, title=args.title or old.title, start=when.start, end=when.end
        )
        return [facts_of(calendar, store, old, new.model_dump(mode="json"), context)]

    def execute(facts: Facts, _context: ToolContext) -> Result:
        same_place(calendar, facts)
        event = event_of(facts)
        etag = calendar.update(event)
        return changed("Changed", event, etag)

    def reconcile(facts: Facts, _context: ToolContext) -> Result | None:
        same_place(calendar, facts)
        event = event_of(facts)
        found = calendar.get(event.uid)
        if (found.title, found.when) == (event.title, event.when):
            return changed("Changed", event, found.etag)
        untouched(found, event)
        return None

    return change_tool(
        "update_event",
        title="Change an event",
        args=UpdateEvent,
        result=EventChange,
        scopes=CALENDAR,
        reach=Reach.WRITES,
        risk=Risk.HIGH,
        confirmation=Confirmation.ALWAYS,
        inspect=inspect,
        execute=execute,
        effect=keyed_effect("calendar.update", uid_key),
        reconcile=reconcile,
        inverse=put_back or _NOT_KEPT,
        pin=by_uid,
        card=change_card,
        glance=change,
        expires_at=over_at,
        free_args=("start", "end"),
        timeout=timeout,
    )


def delete(
    calendar: Calendar, store: Store, timeout: float, put_back: MakeInverse | None
) -> Tool[DeleteEvent]:
    def inspect(args: DeleteEvent, context: ToolContext) -> Sequence[Facts]:
        old = _find(calendar, args.event, args.on, context)
        facts = facts_of(calendar, store, old, stored(old).model_dump(mode="json"), context)
        return [facts.model_copy(update={"destructive": True})]

    def execute(facts: Facts, _context: ToolContext) -> Result:
        same_place(calendar, facts)
        event = event_of(facts)
        calendar.delete(event.uid, etag=event.etag)
        return changed("Deleted", event, "")

    def reconcile(facts: Facts, _context: ToolContext) -> Result | None:
        same_place(calendar, facts)
        event = event_of(facts)
        try:
            found = calendar.get(event.uid)
        except NotFound:
            return changed("Deleted", event, "")
        untouched(found, event)
        return None

    return change_tool(
        "delete_event",
        title="Delete an event",
        args=DeleteEvent,
        result=EventChange,
        scopes=CALENDAR,
        reach=Reach.DESTROYS,
        risk=Risk.HIGH,
        confirmation=Confirmation.ALWAYS,
        inspect=inspect,
        execute=execute,
        effect=keyed_effect("calendar.delete", uid_key),
        reconcile=reconcile,
        inverse=put_back or _NOT_KEPT,
        pin=by_uid,
        card=change_card,
        glance=deletion_glance,
        expires_at=over_at,
        timeout=timeout,
    )


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


def _find(calendar: Calendar, name: str, on: date | None, context: ToolContext) -> Event:
    """Find the one event meant. Raises ``BadArguments`` with what would make it clear.

    Of a name that is not known the calendar is not asked: the answer is the same whether there is
    such an event or not.
    """
    if not context.knows(name):
        raise BadArguments(_NOT_SHOWN)
    try:
        event = calendar.get(name)
    except NotFound:
        event = _titled(calendar, name, on, context)
    if event.recurring:
        raise BadArguments("it is part of a series; only single events can be changed so far")
    return event


def _titled(calendar: Calendar, title: str, on: date | None, context: ToolContext) -> Event:
    zone = zone_of(context.zone)
    if on is not None:
        first = datetime(on.year, on.month, on.day, tzinfo=zone)
        window = When(start=first, end=first + timedelta(days=1))
    else:
        window = When(start=context.now - BEHIND, end=context.now + AHEAD)
    wanted = _plain(title)
    found = [event for event in calendar.between(window) if _plain(event.title) == wanted]
    if not found:
        raise BadArguments(
            f"no event called {title!r} {f'on {on}' if on else 'in the next eleven months'}"
        )
    if len({event.uid for event in found}) > 1:
        raise BadArguments(f"{len(found)} events are called so; say on which day, with `on`")
    return found[0]


def _plain(title: str) -> str:
    """Return a title as it is compared: as a model is shown it, without case or further blanks."""
    return " ".join(without_invisible(title).split()).casefold()
