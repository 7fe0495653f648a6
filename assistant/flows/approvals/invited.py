"""Ask the owner about what an invitation in a mail changes, and keep what came of it.

The row of an invitation says what is wanted; the call that waits for the owner is made to fit it.
So it does not matter how often, or in which order, the same invitation comes.
"""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from assistant.domain.approvals.approval import ApprovalState
from assistant.domain.calendar.invitations.known import CalendarPlace, InvitationKey, carried_out
from assistant.domain.calendar.invitations.news import (
    FORWARDED,
    SERIES_MISSING,
    ChangeKind,
    not_by_organizer,
    own_uid,
)
from assistant.domain.calendar.invitations.record import InvitationRecord, Proposal, fit_title
from assistant.domain.calls.call import Call, QuotedArgument
from assistant.domain.calls.ports import CallTx
from assistant.domain.calls.states import OPEN, CallState
from assistant.domain.conversation.conversation import Conversation, Entry, Origin, Role, Want
from assistant.domain.conversation.deliveries import Home
from assistant.domain.errors import NotFound
from assistant.domain.jobs.job import Job
from assistant.domain.mail.heading import heading_of
from assistant.domain.mail.mail import Mail
from assistant.domain.messages import FollowInvitation
from assistant.domain.policy.decide import PolicyContext
from assistant.domain.policy.decisions import MAIL
from assistant.domain.store import Tx
from assistant.domain.text.quotes import quoted
from assistant.flows.calls.judge import draft_for, inspect, judge_turn
from assistant.flows.calls.led_calls import WHY, influence_of
from assistant.flows.calls.record import advance, record_call, record_replacement
from assistant.flows.context import Context
from assistant.flows.render import cards
from assistant.flows.render.ledger import why_refused
from assistant.flows.render.outcomes import show_card
from assistant.tools.calendar.invitations.facts import ALREADY, NO_SERIES
from assistant.tools.calendar.invitations.follow import FOLLOW

LATER = timedelta(minutes=5)
"""When to look again, where too much waits for the owner."""
_NOTE = "An invitation in a mail was put to the owner without you."
_SAID_OTHERWISE = frozenset({FORWARDED, SERIES_MISSING})
"""Notes that its card says otherwise: whose mail it is, and that a call follows the series."""
_NEWER = "a newer mail changes what it is about"


def most_waiting(pending: int) -> int:
    """Return how many calls may wait before no more invitations are asked about.

    The other half stays for what the owner asks for: a flood of mail must not keep that out.
    """
    return max(1, pending // 2)


def follow(message: FollowInvitation, job: Job, *, home: Home, ctx: Context) -> None:
    """Make the call that waits for an invitation fit its row: ask, ask anew, or withdraw it."""
    with ctx.store.read(job) as tx:
        try:
            seen = tx.invitation(message.id)
        except NotFound:
            seen = None
        draft = _draft(tx, seen, job) if seen else None
    call = None
    if draft is not None:
        [call] = inspect(draft, cause=job, ctx=ctx, now=ctx.clock.now(), patient=True)
    with ctx.store.begin(job) as tx:
        tx.done(job)
        if seen is not None:
            _fit(_lock(tx, seen, home, ctx), seen, call, message)


def gave_up_following(
    message: FollowInvitation, job: Job, reason: str, *, home: Home, ctx: Context
) -> None:
    """Tell the owner that an invitation could not be asked about."""
    with ctx.store.begin(job) as tx:
        with suppress(NotFound):
            record = tx.invitation(message.id, lock=True)
            tx.keep_invitation(record.model_copy(update={"wanted": False}))
            _tell(tx, record, reason, home)
        tx.fail(job, reason)


def note_end(tx: Tx, call: Call) -> None:
    """Keep where an invitation stands in the calendar, once a call for it, or its undo, ended.

    The call is locked. Its row is looked at again, as newer mails may have waited for the end.
    """
    followed = tx.call(call.undoes) if call.undoes else call
    if followed.tool != FOLLOW or not followed.facts.args:
        return
    id, _, token = str(followed.asked.get("invitation", "")).partition(".")
    try:
        record = tx.invitation(id, lock=True)
    except NotFound:
        return
    if call.state is CallState.DONE:
        place = _place(followed, undone=bool(call.undoes))
        record = _placed(record, place, "" if call.undoes else token)
        tx.keep_invitation(record)
        _wake_occurrences(tx, record)
    tx.emit(FollowInvitation(id=record.id))


def _draft(tx: Tx, record: InvitationRecord, job: Job) -> Call | None:
    """Draft the call for a proposal that none was made for yet."""
    if record.proposal is None or not record.wanted:
        return None
    mail = tx.mail(record.led)
    args = _args(record, record.proposal, mail)
    led = influence_of(tx, mail, writer=record.proposal.invitation.organizer)
    copied = tuple(
        QuotedArgument(arg=name, source=led.source, grade=led.grade)
        for name in ("title", "start", "end")
        if args.get(name)
    )
    draft = draft_for(Want(tool=FOLLOW, args=args), cause=job, tainted=True, actor=MAIL)
    return draft.model_copy(update={"led": (led,), "copied": copied})


def _args(record: InvitationRecord, proposal: Proposal, mail: Mail) -> dict[str, Any]:
    change, invitation = proposal.change, proposal.invitation
    title = change.title or (record.known.title if record.known else "")
    when = {
        name: getattr(change.when, name).isoformat() for name in ("start", "end") if change.when
    }
    by = invitation.organizer or invitation.sender
    wrote = (heading_of(mail).sender_address or by).casefold()  # the card's warning names them
    not_said = {*_SAID_OTHERWISE, *([not_by_organizer(invitation)] if wrote == by else [])}
    is_part = change.recurrence_id is not None
    return {
        "kind": change.kind.value,
        "uid": change.uid,
        "occurrence": change.recurrence_id.isoformat() if change.recurrence_id else None,
        "following": change.and_following,
        "title": fit_title(title),
        **when,
        "zone": change.zone,
        "rrule": "" if is_part else change.rrule,
        "single_dates": 0 if is_part else len(change.left_out) + len(change.added),
        "instead": own_uid(invitation) if change.kind is ChangeKind.CREATE else "",
        "told": list(record.told),
        "by": by if by != wrote else "",
        "notes": [fit_title(note) for note in proposal.notes if note not in not_said],
        "invitation": f"{record.id}.{proposal.token}",
    }


@dataclass(frozen=True, kw_only=True)
class _Locked:
    """A row and the call that waits for it, locked in the order of ``assistant.domain.store``."""

    tx: Tx
    ctx: Context
    home: Home
    now: PolicyContext
    conversation: Conversation
    old: Call | None
    """The call that is not over; None where there is none."""
    record: InvitationRecord


def _lock(tx: Tx, seen: InvitationRecord, home: Home, ctx: Context) -> _Locked:
    now = ctx.policy_context(tx)
    old = _open_call(tx, seen)
    if old is None:
        conversation = tx.conversation_in(home.channel, home.place, idle=float("inf"))
    else:
        conversation = tx.conversation(old.conversation, lock=True)
        old = tx.call(old.id, lock=True)
    return _Locked(
        tx=tx,
        ctx=ctx,
        home=home,
        now=now,
        conversation=conversation,
        old=old,
        record=tx.invitation(seen.id, lock=True),
    )


def _fit(
    locked: _Locked, seen: InvitationRecord, call: Call | None, message: FollowInvitation
) -> None:
    """Make what waits fit the row. ``call``: what there is to ask about, as was seen."""
    tx, record, old = locked.tx, locked.record, locked.old
    if record != seen or (old is not None and old.state not in OPEN):
        tx.emit(message)  # it changed meanwhile
    elif old is not None and old.state is not CallState.PARKED:
        pass  # its end orders this again
    elif record.proposal is None:
        if old is not None:
            _withdraw(locked, old, record.withdrawn or _NEWER)
        if record.known is None:
            tx.drop_invitation(record.id)
    elif call is not None:
        _propose(locked, record.proposal, call, message)


def _propose(locked: _Locked, proposal: Proposal, call: Call, message: FollowInvitation) -> None:
    tx, record, old = locked.tx, locked.record, locked.old
    if call.facts.trouble:
        if old is not None:
            _withdraw(locked, old, call.facts.trouble)
        _not_asked(tx, record, call, locked.home)
    elif old is None and _is_full(tx, locked.ctx):
        tx.emit(message, due=locked.now.now + LATER)
    else:
        asked = _ask(locked, call) if old is None else _ask_anew(locked, old, call)
        made = {"asked": proposal.token, "wanted": False, "call": asked.id}
        tx.keep_invitation(record.model_copy(update=made))
        if asked.state is CallState.REFUSED:
            _tell(tx, record, why_refused(asked), locked.home)


def _open_call(tx: CallTx, record: InvitationRecord) -> Call | None:
    """Return the call for an invitation that is not over, also where its owner edited it."""
    mine = (call for call in tx.calls(states=OPEN) if _row_of(call) == record.id)
    return next((call for call in mine if call.tool == FOLLOW and not call.undoes), None)


def _row_of(call: Call) -> str:
    return str(call.asked.get("invitation", "")).partition(".")[0]


def _is_full(tx: CallTx, ctx: Context) -> bool:
    most = most_waiting(ctx.limits.pending)
    return len(tx.calls(states={CallState.PARKED}, limit=most)) >= most


def _ask(locked: _Locked, call: Call) -> Call:
    tx, conversation, now, ctx = locked.tx, locked.conversation, locked.now, locked.ctx
    note = Entry(role=Role.NOTE, origin=Origin.ASSISTANT, text=_NOTE)
    turn = tx.append(conversation.id, note, answer=False)
    placed = call.model_copy(update={"conversation": conversation.id, "turn": turn})
    [judged] = judge_turn([placed], conversation, now, ctx, ask=WHY)
    recorded = record_call(tx, judged, ctx=ctx)
    advance(tx, conversation, turn, now=now, ctx=ctx)
    return recorded


def _ask_anew(locked: _Locked, old: Call, new: Call) -> Call:
    """Put a call in the place of one that waits; its card is replaced."""
    tx, conversation, now, ctx = locked.tx, locked.conversation, locked.now, locked.ctx
    tx.settle(tx.approval(old.id), ApprovalState.VOID, by=MAIL, reason="", at=now.now)
    new = new.model_copy(update={"conversation": conversation.id})
    recorded = record_replacement(tx, conversation, old, new, now=now, ctx=ctx, ask=_NEWER)
    advance(tx, conversation, old.turn, now=now, ctx=ctx)
    return recorded


def _withdraw(locked: _Locked, old: Call, why: str) -> None:
    tx, now, ctx = locked.tx, locked.now, locked.ctx
    ended = tx.settle(tx.approval(old.id), ApprovalState.VOID, by=MAIL, reason=why, at=now.now)
    void = tx.move(old, CallState.VOID, result=f"withdrawn: {why}", told=why)
    show_card(tx, void, toolbox=ctx.toolbox, zone=ctx.zone, approval=ended)
    advance(tx, locked.conversation, old.turn, now=now, ctx=ctx, broken=void)


def _not_asked(tx: Tx, record: InvitationRecord, call: Call, home: Home) -> None:
    """Keep that an invitation cannot be followed now, or that the calendar says it already."""
    record = record.model_copy(update={"wanted": False})
    if call.facts.trouble == ALREADY:
        place = _place(call, undone=False)
        record = _placed(record, place, record.proposal.token if record.proposal else "")
    elif call.facts.trouble != NO_SERIES:  # it is asked about once its series is there
        _tell(tx, record, call.facts.trouble, home)
    tx.keep_invitation(record)
    _wake_occurrences(tx, record)


def _placed(record: InvitationRecord, place: CalendarPlace | None, token: str) -> InvitationRecord:
    """Return the row with where it stands; with what was carried out, where that is its proposal.

    A proposal that came meanwhile stays.
    """
    proposal = record.proposal
    if proposal is not None and proposal.token == token:
        known = carried_out(proposal.invitation, place)
        done = {"proposal": None, "wanted": False, "mail": record.led, "led": ""}
        return record.model_copy(update={**done, "known": known})
    if record.known is None:
        return record
    known = record.known.model_copy(update={"place": place})
    return record.model_copy(update={"known": known})


def _place(call: Call, *, undone: bool) -> CalendarPlace | None:
    """Return where an invitation stands once a call for it is done, or undone."""
    args: Mapping[str, Any] = call.facts.args
    kind = ChangeKind(args["kind"])
    gone = ChangeKind.CREATE if undone else ChangeKind.CANCEL
    if kind is gone:
        return None
    return CalendarPlace(uid=args["uid"], recurrence_id=args["occurrence"])


def _wake_occurrences(tx: Tx, record: InvitationRecord) -> None:
    """Ask about single occurrences whose series was not in the calendar until now."""
    if record.occurrence or record.known is None or record.known.place is None:
        return
    key = InvitationKey(record.uid, record.occurrence, record.organizer)
    for other in tx.invitations_like(key):
        proposal = other.proposal
        if other.organizer != record.organizer or proposal is None or other.wanted:
            continue
        if proposal.token != other.asked:
            locked = tx.invitation(other.id, lock=True)
            tx.keep_invitation(locked.model_copy(update={"wanted": locked.proposal is not None}))
            tx.emit(FollowInvitation(id=other.id))


def _tell(tx: Tx, record: InvitationRecord, why: str, home: Home) -> None:
    title = record.proposal.change.title if record.proposal else ""
    text = f"I do not ask you about the invitation {quoted(fit_title(title))}: {why}."
    shown = cards.notice(text).model_copy(update={"outside": True})
    tx.want(cards.at(home, tx.cause.owner, f"invited-{record.id}", shown))
