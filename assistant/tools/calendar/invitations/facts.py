"""What an invitation asks for, and what there is to do for it, as the calendar is now."""

import re
from datetime import datetime
from typing import Annotated, Any
from zoneinfo import ZoneInfo

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field
from pydantic.json_schema import SkipJsonSchema

from assistant.domain.calendar.events import Event, When
from assistant.domain.calendar.invitations.news import ChangeKind
from assistant.domain.calendar.invitations.record import content_digest
from assistant.domain.calendar.ports import Calendar
from assistant.domain.calendar.recurrence import Recurrence, check, from_rrule
from assistant.domain.calendar.recurrence_words import words
from assistant.domain.calendar.series import Affected, SeriesEdit, SeriesScope
from assistant.domain.calls.call import Facts
from assistant.domain.errors import BadArguments, NotFound
from assistant.domain.store import Store
from assistant.domain.time.moments import zone_of
from assistant.tools.calendar.args import Moment, StoredEvent, Title, stored
from assistant.tools.calendar.cards.conflicts import find_conflicts
from assistant.tools.calendar.event_facts import facts_of
from assistant.tools.calendar.range import span
from assistant.tools.contract.context import ToolContext

ALREADY = "it is in the calendar already"
"""The trouble of a call that would change nothing."""
NO_SERIES = "its series is not in the calendar"
"""The trouble of a call about an occurrence of a series that was not accepted."""
_BESIDE = "Another event has its identifier, and stays as it is"
_PEOPLE = (
    "others take part in it as it stands in your calendar, and the server might write to them; "
    "change it in your own calendar program"
)
_FOLD = re.compile(rb"\r?\n[ \t]")
_OF_PEOPLE = re.compile(rb"^(?:ATTENDEE|ORGANIZER)[;:]", re.IGNORECASE | re.MULTILINE)
_NOTE = 300
_NOTES = 16
_ID = 1_000


class InvitationToFollow(BaseModel):
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
    occurrence: SkipJsonSchema[Moment | None] = None
    following: SkipJsonSchema[bool] = False
    title: Title = ""
    start: Moment | None = None
    end: Moment | None = None
    zone: SkipJsonSchema[str] = ""
    rrule: SkipJsonSchema[str] = ""
    single_dates: SkipJsonSchema[int] = 0
    """How many dates its series leaves out or adds."""
    instead: SkipJsonSchema[Annotated[str, Field(max_length=_ID)]] = ""
    """The UID of a new event where another event has its own."""
    told: SkipJsonSchema[tuple[str, ...]] = ()
    """Digests of what its organizer said before: an event that is so is the one that is meant."""
    by: SkipJsonSchema[str] = ""
    """Who invites, where the mail that asks for this is somebody else's."""
    notes: SkipJsonSchema[tuple[str, ...]] = ()
    """What the owner should know before they agree."""
    invitation: SkipJsonSchema[str] = ""
    """The row that it is proposed for, and which version of the proposal it is."""


class InvitedEvent(StoredEvent):
    """What is done, as facts hold it: the event as it will be, or as it is before it goes."""

    kind: ChangeKind
    series: bool = False
    """Whether it is carried out as a change of a series."""
    occurrence: Moment | None = None
    following: bool = False
    zone: str = ""
    rrule: str = ""
    """How it will repeat, where that is new."""
    often: str = ""
    """In words: how that repeats which is touched."""
    which: str = ""
    """Which occurrences of a series that is there: ``All 14``."""
    stamp: AwareDatetime | None = None
    by: str = ""
    notes: tuple[str, ...] = ()

    @property
    def local(self) -> When:
        """Return when it is, in the zone that a series follows."""
        start, end = self.start, self.end
        if self.zone and isinstance(start, datetime) and isinstance(end, datetime):
            zone: ZoneInfo = zone_of(self.zone)
            return When(start=start.astimezone(zone), end=end.astimezone(zone))
        return self.when

    @property
    def recurrence(self) -> Recurrence | None:
        return from_rrule(self.rrule, self.local.start) if self.rrule else None

    def event(self, etag: str) -> Event:
        return Event(
            uid=self.uid,
            title=self.title,
            when=self.local,
            etag=etag,
            recurrence=self.recurrence if self.kind is ChangeKind.CREATE else None,
        )

    def edit(self, etag: str, before: StoredEvent, stamp: datetime) -> SeriesEdit:
        """Return the change of the series, of which only what is new is named."""
        scope = SeriesScope.ALL
        if self.occurrence is not None:
            scope = SeriesScope.FOLLOWING if self.following else SeriesScope.THIS
        made = {"uid": self.uid, "etag": etag, "scope": scope, "occurrence": self.occurrence}
        if self.kind is ChangeKind.CANCEL:
            return SeriesEdit(**made, delete=True, stamp=stamp)
        return SeriesEdit(
            **made,
            title=self.title if self.title != before.title else None,
            when=self.local if self.when != before.when else None,
            recurrence=self.recurrence,
            stamp=stamp,
        )


def invited_facts(
    args: InvitationToFollow, calendar: Calendar, store: Store, context: ToolContext
) -> Facts:
    """Find out what there is to do. Raises ``BadArguments`` where it cannot be done."""
    uid, old = _found(args, calendar)
    made, affected = _made(args, uid, old, calendar, context)
    beside = [_BESIDE] if uid != args.uid and old is None else []
    lost = affected.lost if affected else 0
    changes = f"{lost} occurrence{'' if lost == 1 else 's'} that differ lose what differs"
    also = affected.notes if affected else ()
    notes = (*beside, *args.notes, *([changes] if lost else []), *also)
    made = made.model_copy(update={"notes": tuple(each[:_NOTE] for each in notes[:_NOTES])})
    is_so = old is not None and _is_so(old, made)
    if old is not None and not is_so and _has_people(calendar.raw(uid)):
        raise BadArguments(_PEOPLE)
    facts = facts_of(calendar, store, old, made.model_dump(mode="json"), context)
    is_one = args.occurrence is not None and not args.following
    return facts.model_copy(
        update={
            "lapses": facts.lapses if is_one or not (made.series or made.rrule) else None,
            "beside": _in_the_way(made, uid, calendar, context),
            "destructive": made.kind is ChangeKind.CANCEL,
            "own": facts.own or old is None,
            "trouble": ALREADY if is_so else "",
        }
    )


def _in_the_way(
    made: InvitedEvent, uid: str, calendar: Calendar, context: ToolContext
) -> dict[str, Any]:
    """Look for what is there already. Whoever invites chooses the time, so there is no other."""
    if made.kind is ChangeKind.CANCEL:
        return {}
    return find_conflicts(
        calendar, made.when, context, but=lambda event: event.uid == uid, others=False
    )


def same_content(one: Event, other: Event) -> bool:
    return content_digest(one.title, one.when) == content_digest(other.title, other.when)


def get(calendar: Calendar, uid: str) -> Event | None:
    try:
        return calendar.get(uid)
    except NotFound:
        return None


def _found(args: InvitationToFollow, calendar: Calendar) -> tuple[str, Event | None]:
    """Return the UID that is meant, and the event or occurrence there."""
    old = get(calendar, args.uid)
    if args.occurrence is not None:
        return args.uid, _occurrence(args, old, calendar)
    if args.kind is ChangeKind.CANCEL and old is None:
        raise BadArguments("it is not in the calendar any more")
    if args.kind is not ChangeKind.CREATE or old is None or args.instead in ("", args.uid):
        return args.uid, old
    told = {*args.told, content_digest(args.title, _when(args))}
    if content_digest(old.title, old.when) in told:
        return args.uid, old
    return args.instead, get(calendar, args.instead)


def _occurrence(args: InvitationToFollow, old: Event | None, calendar: Calendar) -> Event:
    if old is None or not old.recurring:
        raise BadArguments(NO_SERIES)
    if args.following and args.kind is not ChangeKind.CANCEL:
        raise BadArguments("it changes all occurrences from one day on; change these yourself")
    try:
        return calendar.get(args.uid, occurrence=args.occurrence)
    except NotFound as error:
        raise BadArguments("its series has no such occurrence any more") from error


def _made(
    args: InvitationToFollow,
    uid: str,
    old: Event | None,
    calendar: Calendar,
    context: ToolContext,
) -> tuple[InvitedEvent, Affected | None]:
    """Return what would be done, and which occurrences of a series that touches."""
    shared: dict[str, Any] = {"uid": uid, "occurrence": args.occurrence, "zone": args.zone}
    shared["by"] = args.by
    if args.kind is ChangeKind.CANCEL:
        assert old is not None  # noqa: S101 (what is cancelled was found)
        shared |= {"kind": args.kind, "following": args.following, "series": old.recurring}
        made = InvitedEvent(**{**stored(old).model_dump(), **shared})
    else:
        made = _planned(args, old, shared)
    made = made.model_copy(update={"stamp": context.now})
    if old is None or not made.series or _is_so(old, made):
        return made, None
    affected = calendar.affected(made.edit(old.etag, stored(old), context.now))
    one = args.occurrence is not None and not args.following
    if one:
        return made, affected
    some = "This and all after it" if args.following else "All"
    which = some if args.following or affected.more else f"{some} {affected.count}"
    return made.model_copy(update={"often": affected.words, "which": which}), affected


def _planned(args: InvitationToFollow, old: Event | None, shared: dict[str, Any]) -> InvitedEvent:
    """Return the event as it would be."""
    when = _when(args)
    kind = ChangeKind.CREATE if old is None else ChangeKind.UPDATE
    made = InvitedEvent(
        **{**shared, "kind": kind, "title": args.title, "start": when.start, "end": when.end}
    )
    if args.occurrence is not None:
        return made.model_copy(update={"series": True})
    if args.single_dates:
        raise BadArguments("its series leaves out or adds single dates; enter these yourself")
    recurrence = from_rrule(args.rrule, made.local.start) if args.rrule else None
    if recurrence is not None:
        check(recurrence, made.local.start)
    if old is None:
        often = words(recurrence, made.local.start) if recurrence else ""
        return made.model_copy(update={"rrule": args.rrule, "often": often})
    if recurrence is None and old.recurring:
        raise BadArguments("it repeats in the calendar, and would not repeat any more")
    other = recurrence is not None and recurrence != old.recurrence
    rrule = args.rrule if other else ""
    return made.model_copy(update={"series": old.recurring or other, "rrule": rrule})


def _has_people(ics: bytes) -> bool:
    """Return whether an object (RFC 5545) names an organizer or attendees."""
    return _OF_PEOPLE.search(_FOLD.sub(b"", ics)) is not None


def _is_so(old: Event, made: InvitedEvent) -> bool:
    """Return whether the calendar says already what an event is to become."""
    if made.kind is ChangeKind.CANCEL or made.rrule:
        return False
    return same_content(old, made.event(""))


def _when(args: InvitationToFollow) -> When:
    if args.start is None or args.end is None:
        raise BadArguments("it does not say when it is")
    return span(args.start, args.end)
