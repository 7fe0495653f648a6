"""Carry out what an invitation in a mail asks for. Code proposes it; no model is offered it.

Only title and time go to the calendar: no participants, no notes, no organizer. So no server has
anybody to write to, and no reply is sent.
"""

from collections.abc import Sequence
from datetime import datetime
from functools import partial
from typing import Literal

from assistant.domain.calendar.invitations.news import ChangeKind
from assistant.domain.calendar.invitations.record import fit_title
from assistant.domain.calendar.ports import Calendar
from assistant.domain.calendar.series import SeriesEdit
from assistant.domain.calls.call import Facts, Reach, Risk
from assistant.domain.calls.inverse import Inverse
from assistant.domain.conversation.deliveries import Line, Row
from assistant.domain.conversation.glance import Glance
from assistant.domain.errors import AlreadyThere, NotFound, Stale
from assistant.domain.policy.traits import Confirmation
from assistant.domain.store import Store
from assistant.domain.text.quotes import quoted
from assistant.tools.calendar.args import (
    CALENDAR,
    EventChange,
    StoredEvent,
    shown_title,
    stored,
)
from assistant.tools.calendar.event_facts import (
    change_card,
    changed,
    deletion,
    lapses_at,
    out_of_reach,
    uid_key,
    untouched,
)
from assistant.tools.calendar.glances import change, creation
from assistant.tools.calendar.glances import deletion as deletion_glance
from assistant.tools.calendar.invitations.facts import (
    InvitationToFollow,
    InvitedEvent,
    get,
    invited_facts,
    same_content,
)
from assistant.tools.contract.context import ToolContext
from assistant.tools.contract.declare import change_tool, keyed_effect
from assistant.tools.contract.results import Result
from assistant.tools.contract.tool import Irreversible, MakeInverse, Tool

FOLLOW = "follow_invitation"
NO_REPLY = "no reply is sent"
_FURTHER = 5
"""Rows more than other cards have: a stranger wrote what a yes is about."""
_NOT_KEPT = Irreversible("there is nowhere to keep the event as it was")
_MADE = tuple(InvitedEvent.model_fields.keys() - InvitationToFollow.model_fields.keys())
_GLANCES = {
    ChangeKind.CREATE: creation,
    ChangeKind.UPDATE: change,
    ChangeKind.CANCEL: deletion_glance,
}


def follow_invitation(
    calendar: Calendar, store: Store, timeout: float, put_back: MakeInverse | None
) -> Tool[InvitationToFollow]:
    """Declare the tool. It is never offered to a model."""

    def inspect(args: InvitationToFollow, context: ToolContext) -> Sequence[Facts]:
        return [invited_facts(args, calendar, store, context)]

    def execute(facts: Facts, _context: ToolContext) -> Result:
        there = calendar.at(facts.destination)
        made = _made(facts)
        return changed(_done(made), made.event(_etag(facts)), _carry_out(facts, made, there))

    inverse = partial(_inverse, calendar=calendar, put_back=put_back) if put_back else _NOT_KEPT
    return change_tool(
        FOLLOW,
        title="Follow an invitation",
        internal=True,
        args=InvitationToFollow,
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
        out_of_reach=partial(out_of_reach, calendar=calendar),
        inverse=inverse,
        creates_event=_created,
        card=_card,
        glance=_glance,
        expires_at=_lapses_at,
        free_args=("start", "end"),
        made_args=_MADE,
        timeout=timeout,
    )


def _made(facts: Facts) -> InvitedEvent:
    return InvitedEvent.model_validate(facts.args)


def _etag(facts: Facts) -> str:
    return facts.state[facts.args["uid"]]


def _done(made: InvitedEvent) -> Literal["Created", "Changed", "Deleted"]:
    if made.kind is ChangeKind.CREATE:
        return "Created"
    return "Deleted" if made.kind is ChangeKind.CANCEL else "Changed"


def _edit(facts: Facts, made: InvitedEvent) -> SeriesEdit | None:
    if not made.series or made.stamp is None:
        return None
    before = StoredEvent.model_validate(facts.before)
    return made.edit(_etag(facts), before, made.stamp)


def _carry_out(facts: Facts, made: InvitedEvent, calendar: Calendar) -> str:
    """Change the calendar; return the etag of the event now, empty where it is gone."""
    event, edit = made.event(_etag(facts)), _edit(facts, made)
    if edit is not None:
        return calendar.change_series(edit)
    if made.kind is ChangeKind.CANCEL:
        calendar.delete(made.uid, etag=event.etag)
        return ""
    if made.kind is ChangeKind.UPDATE:
        return calendar.update(event)
    try:
        return calendar.create(event)
    except AlreadyThere as error:
        raise Stale("an event with its identifier is in the calendar by now") from error


def _reconcile(facts: Facts, _context: ToolContext, *, calendar: Calendar) -> Result | None:
    there = calendar.at(facts.destination)
    made = _made(facts)
    event, edit = made.event(_etag(facts)), _edit(facts, made)
    found = get(there, made.uid)
    etag = found.etag if found else ""
    if edit is not None:
        is_done = there.holds(edit)
    elif made.kind is ChangeKind.CANCEL:
        is_done = found is None
    else:
        is_done = found is not None and same_content(found, event)
    if is_done:
        return changed(_done(made), event, etag)
    if found is None:
        if made.kind is not ChangeKind.CREATE:
            raise NotFound("the event")
        return None
    untouched(found, event)
    return None


def _created(facts: Facts) -> tuple[str, str] | None:
    if _made(facts).kind is not ChangeKind.CREATE:
        return None
    return facts.destination, facts.args["uid"]


def _inverse(
    facts: Facts, context: ToolContext, *, calendar: Calendar, put_back: MakeInverse
) -> Inverse | None:
    made = _made(facts)
    if made.kind is not ChangeKind.CREATE:
        whole = stored(calendar.get(made.uid)) if made.occurrence else None
        if whole is not None:  # of a series all is kept, whatever part is changed
            facts = facts.model_copy(update={"before": whole.model_dump(mode="json")})
        return put_back(facts, context)
    if not made.rrule:
        return deletion(facts, context, of_creation=True)
    return Inverse(
        tool=FOLLOW,
        args={"kind": ChangeKind.CANCEL.value, "uid": made.uid},
        words=f"Delete all of {quoted(shown_title(made.title))}, which it created",
        of_creation=True,
    )


def _lapses_at(facts: Facts) -> datetime | None:
    made = _made(facts)
    is_one = made.occurrence is not None and not made.following
    return lapses_at(facts) if is_one or not (made.series or made.rrule) else None


# What is shown


def _card(facts: Facts, zone: str) -> tuple[Line, ...]:
    made = _made(facts)
    rows = (("Invites you", made.by and fit_title(made.by)), ("Repeats", made.often))
    return (
        *change_card(facts, zone),
        *(Line(label=label, value=value) for label, value in rows if value),
        *(Line(label="Careful", value=note) for note in made.notes),
        Line(label="Replies", value=NO_REPLY),
    )


def _glance(facts: Facts, zone: str, now: datetime) -> Glance:
    made = _made(facts)
    said = _GLANCES[made.kind](facts, zone, now)
    rows = [Row(name="Careful:", text=made.notes[0])] if made.notes else []
    rows += [Row(name=f"{made.which or 'Repeats'}:", text=made.often)] if made.often else []
    rows += [Row(name="Invites:", text=fit_title(made.by))] if made.by else []
    once = made.occurrence is not None and not made.following
    return said._replace(
        after=" once" if once else said.after,
        shows={**dict.fromkeys(InvitationToFollow.model_fields, ""), **said.shows},
        rows=(*said.rows, *rows),
        more=said.more + max(0, len(made.notes) - 1),
        further=_FURTHER,
    )
