"""Carry out what an invitation in a mail asks for. Code proposes it; no model is offered it.

Only title and time go to the calendar: no participants, no notes, no organizer. So no server has
anybody to write to, and no reply is sent.
"""

from collections.abc import Sequence
from datetime import datetime
from functools import partial
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field
from pydantic.json_schema import SkipJsonSchema

from assistant.domain.calendar.events import Event, When
from assistant.domain.calendar.invitations.news import ChangeKind
from assistant.domain.calendar.invitations.record import content_digest, fit_title
from assistant.domain.calendar.ports import Calendar
from assistant.domain.calls.call import Facts, Reach, Risk
from assistant.domain.calls.inverse import Inverse
from assistant.domain.conversation.deliveries import Line, Row
from assistant.domain.conversation.glance import Glance
from assistant.domain.errors import AlreadyThere, BadArguments, NotFound, Stale
from assistant.domain.policy.traits import Confirmation
from assistant.domain.store import Store
from assistant.tools.calendar.args import (
    CALENDAR,
    EventChange,
    Moment,
    StoredEvent,
    Title,
    stored,
)
from assistant.tools.calendar.event_facts import (
    change_card,
    changed,
    deletion,
    event_of,
    facts_of,
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

FOLLOW = "follow_invitation"
NO_REPLY = "no reply is sent"
ALREADY = "it is in the calendar already"
"""The trouble of a call that would change nothing."""
_NOTE = 300
_NOTES = 16
_ID = 1_000
_NOT_KEPT = Irreversible("there is nowhere to keep the event as it was")
_VERBS = {
    ChangeKind.CREATE: "Created",
    ChangeKind.UPDATE: "Changed",
    ChangeKind.CANCEL: "Deleted",
}


class FollowInvitation(BaseModel):
    """Do in the calendar what an invitation in a mail says. Waits for the owner's approval."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [
                {
                    "kind": "create",
                    "uid": "review-7@example.org",
                    "title": "Review",
                    "start": "2026-11-30T10:00:00+01:00",
                    "end": "2026-11-30T11:00:00+01:00",
                    "by": "ann@example.org",
                }
            ]
        },
    )
    kind: SkipJsonSchema[ChangeKind] = ChangeKind.CREATE
    uid: SkipJsonSchema[Annotated[str, Field(min_length=1, max_length=_ID)]]
    title: Title = ""
    start: Moment | None = None
    end: Moment | None = None
    instead: SkipJsonSchema[Annotated[str, Field(max_length=_ID)]] = ""
    """The UID of a new event where another event has its own."""
    told: SkipJsonSchema[tuple[str, ...]] = ()
    """Digests of what its organizer said before: an event that is so is the one that is meant."""
    by: SkipJsonSchema[str] = ""
    """Who invites, by an address that nobody has verified."""
    notes: SkipJsonSchema[tuple[str, ...]] = ()
    """What the owner should know before they agree."""
    invitation: SkipJsonSchema[str] = ""
    """The row that it is proposed for, and which version of the proposal it is."""


def follow_invitation(
    calendar: Calendar, store: Store, timeout: float, put_back: MakeInverse | None
) -> Tool[FollowInvitation]:
    """Declare the tool. It is never offered to a model."""

    def inspect(args: FollowInvitation, context: ToolContext) -> Sequence[Facts]:
        return [_facts(args, calendar, store, context)]

    def execute(facts: Facts, _context: ToolContext) -> Result:
        same_place(calendar, facts)
        event, kind = event_of(facts), _kind(facts)
        etag = ""
        if kind is ChangeKind.CREATE:
            etag = _create(calendar, event)
        elif kind is ChangeKind.UPDATE:
            etag = calendar.update(event)
        else:
            calendar.delete(event.uid, etag=event.etag)
        return changed(_VERBS[kind], event, etag)  # type: ignore[arg-type]  # one of its words

    return change_tool(
        FOLLOW,
        title="Follow an invitation",
        internal=True,
        args=FollowInvitation,
        result=EventChange,
        scopes=CALENDAR,
        reach=Reach.WRITES,
        reach_by=lambda facts: Reach.DESTROYS if facts.destructive else Reach.WRITES,
        risk=Risk.HIGH,
        confirmation=Confirmation.ALWAYS,
        inspect=inspect,
        execute=execute,
        effect=keyed_effect("calendar.follow", uid_key),
        reconcile=partial(_reconcile, calendar=calendar),
        inverse=_NOT_KEPT if put_back is None else partial(_inverse, put_back=put_back),
        creates_event=_created,
        card=_card,
        glance=_glance,
        expires_at=over_at,
        free_args=("start", "end"),
        made_args=("uid", "kind", "instead", "told", "invitation"),
        timeout=timeout,
    )


# What it would do, as the calendar is now


def _facts(args: FollowInvitation, calendar: Calendar, store: Store, context: ToolContext) -> Facts:
    kind, uid, old = _found(args, calendar)
    if kind is ChangeKind.CANCEL and old is not None:
        event = stored(old)
    else:
        when = _when(args)
        event = StoredEvent(uid=uid, title=args.title, start=when.start, end=when.end)
    beside = uid != args.uid and kind is ChangeKind.CREATE
    notes = (*args.notes, *(["Another event has its identifier, and stays as it is"] * beside))
    told = {
        **event.model_dump(mode="json"),
        "kind": kind.value,
        "by": args.by,
        "notes": [each[:_NOTE] for each in notes[:_NOTES]],
    }
    facts = facts_of(calendar, store, old, told, context)
    same = kind is not ChangeKind.CANCEL and old is not None and _is_so(old, event)
    return facts.model_copy(
        update={
            "destructive": kind is ChangeKind.CANCEL,
            "own": facts.own or old is None,
            "trouble": ALREADY if same else "",
        }
    )


def _found(args: FollowInvitation, calendar: Calendar) -> tuple[ChangeKind, str, Event | None]:
    """Return what there is to do, to which UID, and what stands there."""
    old = _get(calendar, args.uid)
    if old is not None and old.recurring:
        raise BadArguments("it is part of a series; only single events can be followed so far")
    if args.kind is ChangeKind.CANCEL:
        if old is None:
            raise BadArguments("it is not in the calendar any more")
        return ChangeKind.CANCEL, args.uid, old
    if old is None:
        return ChangeKind.CREATE, args.uid, None
    when = _when(args)
    told = {*args.told, content_digest(args.title, when)}
    meant = args.kind is ChangeKind.UPDATE or content_digest(old.title, old.when) in told
    if meant or args.instead in ("", args.uid):
        return ChangeKind.UPDATE, args.uid, old
    own = _get(calendar, args.instead)
    kind = ChangeKind.CREATE if own is None else ChangeKind.UPDATE
    return kind, args.instead, own


def _get(calendar: Calendar, uid: str) -> Event | None:
    try:
        return calendar.get(uid)
    except NotFound:
        return None


def _is_so(old: Event, new: StoredEvent) -> bool:
    return content_digest(old.title, old.when) == content_digest(new.title, new.when)


def _when(args: FollowInvitation) -> When:
    if args.start is None or args.end is None:
        raise BadArguments("it does not say when it is")
    return span(args.start, args.end)


def _kind(facts: Facts) -> ChangeKind:
    return ChangeKind(facts.args["kind"])


def _created(facts: Facts) -> tuple[str, str] | None:
    if _kind(facts) is not ChangeKind.CREATE:
        return None
    return facts.destination, facts.args["uid"]


# Doing it, and after


def _create(calendar: Calendar, event: Event) -> str:
    try:
        return calendar.create(event)
    except AlreadyThere as error:
        raise Stale("an event with its identifier is in the calendar by now") from error


def _reconcile(facts: Facts, _context: ToolContext, *, calendar: Calendar) -> Result | None:
    same_place(calendar, facts)
    event, kind = event_of(facts), _kind(facts)
    found = _get(calendar, event.uid)
    if kind is ChangeKind.CANCEL:
        if found is None:
            return changed("Deleted", event, "")
    elif found is None:
        if kind is ChangeKind.UPDATE:
            raise NotFound("the event")
        return None
    elif content_digest(found.title, found.when) == content_digest(event.title, event.when):
        return changed("Created" if kind is ChangeKind.CREATE else "Changed", event, found.etag)
    untouched(found, event)
    return None


def _inverse(facts: Facts, context: ToolContext, *, put_back: MakeInverse) -> Inverse | None:
    if _kind(facts) is ChangeKind.CREATE:
        return deletion(facts, context, of_creation=True)
    return put_back(facts, context)


# What is shown


def _card(facts: Facts, zone: str) -> tuple[Line, ...]:
    notes = [Line(label="Careful", value=note) for note in facts.args["notes"]]
    return (
        Line(label="From", value=_by(facts)),
        *change_card(facts, zone),
        *notes,
        Line(label="Replies", value=NO_REPLY),
    )


def _glance(facts: Facts, zone: str, now: datetime) -> Glance:
    make = {
        ChangeKind.CREATE: creation,
        ChangeKind.UPDATE: change,
        ChangeKind.CANCEL: deletion_glance,
    }[_kind(facts)]
    said = make(facts, zone, now)
    notes: list[str] = facts.args["notes"]
    careful = [Row(name="Careful:", text=notes[0])] if notes else []
    rows = (*said.rows, Row(name="From:", text=_by(facts)), *careful)
    more = max(0, len(notes) - 1)
    shows = {**said.shows, "by": "", "notes": ""}
    return said._replace(rows=rows, shows=shows, more=said.more + more)


def _by(facts: Facts) -> str:
    return fit_title(facts.args["by"] or "nobody named")
