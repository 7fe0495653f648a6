"""Create, change and delete events. Every change waits for approval, and can be undone."""

from collections.abc import Callable, Sequence
from datetime import date, datetime, timedelta
from functools import partial

from assistant.domain.calendar.events import Event, When
from assistant.domain.calendar.free.working_hours import OFFICE_HOURS, WorkingHours
from assistant.domain.calendar.ports import Calendar
from assistant.domain.calendar.recurrence import Recurrence
from assistant.domain.calendar.series import SeriesScope
from assistant.domain.calls.call import Facts, Reach, Risk
from assistant.domain.errors import BadArguments, NotFound
from assistant.domain.policy.traits import Confirmation
from assistant.domain.store import Store
from assistant.tools.calendar.args import (
    CALENDAR,
    CreateEvent,
    DeleteEvent,
    EventChange,
    StoredEvent,
    UpdateEvent,
    stored,
)
from assistant.tools.calendar.cards.conflicts import find_conflicts
from assistant.tools.calendar.cards.lapse import lapse
from assistant.tools.calendar.cards.wall_times import refuse_skipped
from assistant.tools.calendar.event_facts import (
    by_uid,
    change_card,
    changed,
    deletion,
    event_of,
    facts_of,
    lapses_at,
    location,
    out_of_reach,
    uid_key,
    untouched,
)
from assistant.tools.calendar.finding import find
from assistant.tools.calendar.glances import change, creation
from assistant.tools.calendar.glances import deletion as deletion_glance
from assistant.tools.calendar.range import span
from assistant.tools.calendar.repeats import recurrence_of
from assistant.tools.calendar.series import (
    change_series,
    find_change,
    is_series,
    of_series,
    rest_of,
    with_affected,
    with_other_parts,
)
from assistant.tools.contract.context import ToolContext
from assistant.tools.contract.declare import change_tool, keyed_effect
from assistant.tools.contract.results import Result
from assistant.tools.contract.tool import Irreversible, MakeInverse, Tool

_NOT_KEPT = Irreversible("there is nowhere to keep the event as it was")


def create(
    calendar: Calendar, timeout: float, *, hours: WorkingHours = OFFICE_HOURS
) -> Tool[CreateEvent]:
    def inspect(args: CreateEvent, context: ToolContext) -> Sequence[Facts]:
        refuse_skipped(args.start, args.end, zone=context.zone)
        when = span(args.start, args.end or _default_end(args.start))
        repeats = args.repeats and recurrence_of(args.repeats, when.start, context.zone)
        uid = f"assistant-{context.call}"
        event = StoredEvent(
            uid=uid,
            title=args.title,
            start=when.start,
            end=when.end,
            repeats=repeats,
            alerts=tuple(sorted(set(args.alerts))),
        )
        return [
            Facts(
                args=event.facts(),
                destination=calendar.address(),
                state={uid: ""},
                own=True,
                locations=(location(uid),),
                lapses=lapse([when], now=context.now, zone=context.zone),
                beside=find_conflicts(calendar, when, context, hours=hours),
            )
        ]

    def execute(facts: Facts, context: ToolContext) -> Result:
        there = calendar.at(facts.destination)
        event = event_of(facts)
        etag = there.create(event)
        return changed("Created", event, etag, zone=context.zone)

    def reconcile(facts: Facts, context: ToolContext) -> Result | None:
        there = calendar.at(facts.destination)
        event = event_of(facts)
        try:
            found = there.get(event.uid)
        except NotFound:
            return None
        return changed("Created", event, found.etag, zone=context.zone)

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
        out_of_reach=partial(out_of_reach, calendar=calendar),
        inverse=partial(deletion, of_creation=True),
        creates_event=lambda facts: (facts.destination, facts.args["uid"]),
        card=change_card,
        glance=creation,
        expires_at=lapses_at,
        free_args=("start", "end"),
        made_args=("uid",),
        timeout=timeout,
    )


def update(
    calendar: Calendar,
    store: Store,
    timeout: float,
    put_back: MakeInverse | None,
    *,
    hours: WorkingHours = OFFICE_HOURS,
) -> Tool[UpdateEvent]:
    def inspect(args: UpdateEvent, context: ToolContext) -> Sequence[Facts]:
        if (args.title, args.start, args.end, args.repeats) == (None, None, None, None):
            raise BadArguments("nothing to change: give a title, a start, an end or repeats")
        old = find(calendar, args.event, args.on, args.scope, context)
        new = _changed_as(args, old, context)
        facts = facts_of(calendar, store, old, new.facts(), context)
        if is_series(facts):
            facts = with_affected(facts, calendar, delete=False)
            facts = with_other_parts(facts, calendar, store, context)
        else:
            calendar.refuse_to_mail(old.uid)
        if new.when != old.when:
            same = _part_of(old, new.scope)
            found = find_conflicts(calendar, new.when, context, but=same, hours=hours)
            facts = facts.model_copy(update={"beside": {**facts.beside, **found}})
        return [facts]

    def execute(facts: Facts, context: ToolContext) -> Result:
        if is_series(facts):
            return change_series(calendar, facts, delete=False)
        there = calendar.at(facts.destination)
        event = event_of(facts)
        etag = there.update(event)
        return changed("Changed", event, etag, zone=context.zone)

    def reconcile(facts: Facts, context: ToolContext) -> Result | None:
        if is_series(facts):
            return find_change(calendar, facts, delete=False)
        there = calendar.at(facts.destination)
        event = event_of(facts)
        found = there.get(event.uid)
        if (found.title, found.when) == (event.title, event.when):
            return changed("Changed", event, found.etag, zone=context.zone)
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
        out_of_reach=partial(out_of_reach, calendar=calendar),
        inverse=put_back or _NOT_KEPT,
        pin=by_uid,
        creates_event=rest_of,
        card=change_card,
        glance=change,
        expires_at=lapses_at,
        free_args=("start", "end"),
        made_args=("stamp", "new_uid"),
        timeout=timeout,
    )


def delete(
    calendar: Calendar, store: Store, timeout: float, put_back: MakeInverse | None
) -> Tool[DeleteEvent]:
    def inspect(args: DeleteEvent, context: ToolContext) -> Sequence[Facts]:
        old = find(calendar, args.event, args.on, args.scope, context)
        event = stored(old).model_copy(update=of_series(old, args.scope, context, delete=True))
        facts = facts_of(calendar, store, old, event.facts(), context)
        if is_series(facts):
            facts = with_affected(facts, calendar, delete=True)
            facts = with_other_parts(facts, calendar, store, context)
        else:
            calendar.refuse_to_mail(old.uid)
        return [facts.model_copy(update={"destructive": True})]

    def execute(facts: Facts, _context: ToolContext) -> Result:
        if is_series(facts):
            return change_series(calendar, facts, delete=True)
        there = calendar.at(facts.destination)
        event = event_of(facts)
        there.delete(event.uid, etag=event.etag)
        return changed("Deleted", event, "")

    def reconcile(facts: Facts, _context: ToolContext) -> Result | None:
        if is_series(facts):
            return find_change(calendar, facts, delete=True)
        there = calendar.at(facts.destination)
        event = event_of(facts)
        try:
            found = there.get(event.uid)
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
        out_of_reach=partial(out_of_reach, calendar=calendar),
        inverse=put_back or _NOT_KEPT,
        pin=by_uid,
        card=change_card,
        glance=deletion_glance,
        expires_at=lapses_at,
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


def _changed_as(args: UpdateEvent, old: Event, context: ToolContext) -> StoredEvent:
    """Return the event as it is to be. Raises ``BadArguments``."""
    refuse_skipped(args.start, args.end, zone=context.zone)
    if old.recurring and args.on is None and (args.start or args.end):
        words = "it repeats: say with `on` the day of the one whose new time it is"
        raise BadArguments(words, told="It repeats: say the day of the one that moves")
    when = _moved(old.when, args.start, args.end)
    new = StoredEvent(
        uid=old.uid,
        title=args.title or old.title,
        start=when.start,
        end=when.end,
        repeats=_repeats(args, old, when, context),
        **of_series(old, args.scope, context, delete=False),
    )
    begins_to_repeat = new.repeats is not None and not old.recurring
    series = {"scope": SeriesScope.ALL, "stamp": context.now}
    return new.model_copy(update=series if begins_to_repeat else {})


def _repeats(args: UpdateEvent, old: Event, when: When, context: ToolContext) -> Recurrence | None:
    """Return how it is to repeat; the calendar checks a series' own first day."""
    if args.repeats is None:
        return None
    if old.recurring and args.scope is SeriesScope.THIS:
        raise BadArguments("one of a series does not repeat by itself: say which scope it is for")
    return recurrence_of(args.repeats, when.start, context.zone, first=not old.recurring)


def _part_of(old: Event, scope: SeriesScope | None) -> Callable[[Event], bool]:
    """Return whether an event is the one that is moved, or moves along."""
    if scope is SeriesScope.THIS:
        return lambda event: (event.uid, event.recurrence_id) == (old.uid, old.recurrence_id)
    return lambda event: event.uid == old.uid
