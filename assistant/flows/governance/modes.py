"""Change the mode; lockdown voids what waits.

Nothing here needs a model, a broker or a calendar. The mode's row is locked first, and exclusively,
so that a transaction that judges, decides or claims has either ended or sees the new mode.
"""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from hmac import compare_digest
from string import ascii_uppercase

from pydantic import ConfigDict

from assistant.domain.approvals.approval import ApprovalAnswer, ApprovalState, Verb
from assistant.domain.approvals.ports import ApprovalTx
from assistant.domain.audit.entries import KEPT, effect_kept
from assistant.domain.audit.entry import AuditEntry
from assistant.domain.calls.batches import startable
from assistant.domain.calls.call import Call, Reach
from assistant.domain.calls.effects import Effect
from assistant.domain.calls.states import ASKED_ON_CARD, OPEN, CallState
from assistant.domain.conversation.conversation import Origin
from assistant.domain.conversation.deliveries import Action, Home, Shown, moment
from assistant.domain.errors import Conflict, Denied
from assistant.domain.governance.modes import NEXT, SIGNAL, WORD_LIVES, Mode, ModeRecord
from assistant.domain.governance.signals import begun_by_denials
from assistant.domain.jobs.job import Cause
from assistant.domain.messages import Run
from assistant.domain.store import Store, Tx
from assistant.domain.time.clock import Clock
from assistant.flows.render import cards
from assistant.flows.render.call_status import approval_of, lookup_status
from assistant.flows.render.outcomes import delivery_of, show_card, tell_model
from assistant.tools.contract.toolbox import Toolbox

TRIES = 10
"""How often a change is tried when others change the assistant at the same moment."""
LOOKED_BACK = timedelta(days=1)
"""How far back recovery looks by default."""
REASON = 500
"""Characters that are kept of a reason."""
_WORD_BEGINS = "LEAVE-LOCKDOWN-"
_NO_LIMIT = 1_000_000
_VOID_RESULT = "void: the assistant went into lockdown; nothing was done"


class ModeAnswer(ApprovalAnswer):
    """The answer to a request for another mode."""

    model_config = ConfigDict(frozen=True)
    record: ModeRecord
    """The mode that the assistant is in now."""
    word: str = ""
    """The second step: the word to repeat the request with; empty if none is needed."""
    stale: bool = False
    """True if the second step came too late."""


def set_mode(
    mode: Mode,
    *,
    by: str,
    cause: Cause,
    store: Store,
    clock: Clock,
    toolbox: Toolbox,
    zone: str,
    home: Home,
    reason: str = "",
    word: str = "",
    since: datetime | None = None,
) -> ModeAnswer:
    """Enter a mode for the owner. Only a channel that knows its owner may call this.

    Args:
        mode: the mode to enter.
        by: who wants it, by their id in the channel.
        cause: on whose behalf.
        store: where the rows are.
        clock: tells when the word expires.
        toolbox: tells reads from changes, and renders cards; the calls of a tool it lacks count as
            changes.
        zone: the owner's IANA zone.
        home: where the change is announced.
        reason: the owner's own words.
        word: the second step out of lockdown, as the first step gave it.
        since: for recovery, the time from which calls are reviewed; by default a day ago.

    Raises:
        Denied: ``by`` is not a person's id.
        Conflict: others kept changing the mode at the same moment.
    """
    if not by or by == "model" or by.startswith(SIGNAL):
        raise Denied(f"{by or 'nobody'} does not change the assistant's mode")
    asked = _ModeRequest(
        mode=mode,
        by=by,
        reason=" ".join(reason.split())[:REASON],
        word=word.strip().upper(),
        since=since,
        cause=cause,
        store=store,
        clock=clock,
        toolbox=toolbox,
        zone=zone,
        home=home,
    )
    for _ in range(TRIES):
        try:
            return _try_set_mode(asked)
        except Conflict:
            continue  # another change has committed first: read the mode again
    raise Conflict("the assistant's mode was changed by others at the same moment; try again")


def is_word(text: str) -> bool:
    """Whether a text is meant as the second step, not as a reason."""
    return text.strip().upper().startswith(_WORD_BEGINS)


@dataclass(frozen=True, kw_only=True)
class _ModeRequest:
    mode: Mode
    by: str
    reason: str
    word: str
    since: datetime | None
    cause: Cause
    store: Store
    clock: Clock
    toolbox: Toolbox
    zone: str
    home: Home


def _try_set_mode(asked: _ModeRequest) -> ModeAnswer:
    """Enter the mode, or begin the second step. Raises ``Conflict`` if another change was first."""
    with asked.store.read(asked.cause) as tx:
        now = tx.mode()
    if now.mode is asked.mode:
        text = f"The assistant is in {now.mode} already, by {now.by}."
        return ModeAnswer(accepted=True, text=text, record=now)
    if asked.mode not in NEXT[now.mode]:
        ways = ", ".join(sorted(NEXT[now.mode]))
        text = f"From {now.mode} the assistant can go to {ways}; not to {asked.mode}."
        return ModeAnswer(accepted=False, text=text, record=now)
    if now.mode is not Mode.LOCKDOWN:
        with asked.store.begin(asked.cause) as tx:
            return _enter(tx, now, asked)
    return _try_word(now, asked) if asked.word else _give_word(now, asked)


def _enter(tx: Tx, now: ModeRecord, asked: _ModeRequest) -> ModeAnswer:
    """Lock the mode's row exclusively and enter the mode; for lockdown, end all that waits."""
    review = None
    if asked.mode is Mode.RECOVERY:
        review = asked.since or tx.high_water(asked.clock.now()) - LOOKED_BACK
    wanted = {"mode": asked.mode, "by": asked.by, "reason": asked.reason, "review": review}
    record = tx.set_mode(now.model_copy(update=wanted))
    ended = _end_all(tx, asked) if asked.mode is Mode.LOCKDOWN else Ended()
    if now.mode is Mode.LOCKDOWN:
        _offer_again(tx, now, asked)
    announce_mode(tx, record, home=asked.home, zone=asked.zone, ended=ended)
    return ModeAnswer(
        accepted=True, text=_consequences(record, ended, asked.home.channel), record=record
    )


# Lockdown


@dataclass(frozen=True)
class Ended:
    """The calls and grants that lockdown ended, and the calls it could not stop."""

    void: Sequence[Call] = ()
    running: Sequence[Call] = ()
    grants: int = 0


def _end_all(tx: Tx, asked: _ModeRequest) -> Ended:
    """Void every waiting or cleared change, every approval and every grant.

    Reads go on. A running change cannot be stopped; but its approval is void, so that it cannot
    start once more.
    """
    at = tx.high_water(asked.clock.now())
    grants = tx.revoke_grants(by=asked.by, at=at)
    open_calls = tx.calls(states=OPEN, limit=_NO_LIMIT)
    for conversation in sorted({call.conversation for call in open_calls}):
        tx.conversation(conversation, lock=True)
    void: list[Call] = []
    running: list[Call] = []
    for seen in reversed(tx.calls(states=OPEN, limit=_NO_LIMIT)):
        call = tx.call(seen.id, lock=True)
        if call.state is not CallState.PARKED and _only_reads(call, asked.toolbox):
            continue
        _void_approval(tx, call, by=asked.by, at=at)
        if call.can_become(CallState.VOID):
            void.append(_void(tx, call))
        elif call.state in OPEN:
            running.append(call)
    for call in void:
        show_card(tx, call, toolbox=asked.toolbox, zone=asked.zone)
    _start_reads(tx, void)
    return Ended(void, running, grants)


def _offer_again(tx: Tx, lockdown: ModeRecord, asked: _ModeRequest) -> None:
    """Give the cards of what ended in lockdown their button again, which would be refused there."""
    for call in tx.calls(states=ASKED_ON_CARD):
        if call.ended and lockdown.since and call.ended >= lockdown.since:
            status = lookup_status(tx, call)
            show_card(tx, call, toolbox=asked.toolbox, zone=asked.zone, successor=status.successor)


def _start_reads(tx: Tx, void: Sequence[Call]) -> None:
    """Start the reads that waited for a call that is void now."""
    for conversation, turn in {(call.conversation, call.turn) for call in void}:
        for call in startable(tx.calls(conversation=conversation, turn=turn)):
            tx.emit(Run(id=call.id))


def _void(tx: Tx, call: Call) -> Call:
    """Void a call; the model answers if the call was cleared, not if it waited for a person."""
    why = "the assistant went into lockdown"
    void = tx.move(call, CallState.VOID, result=_VOID_RESULT, told=why)
    owed = call.state is CallState.CLEARED
    tell_model(tx, void, _VOID_RESULT, origin=Origin.ASSISTANT, answer=owed)
    return void


def _void_approval(tx: ApprovalTx, call: Call, *, by: str, at: datetime) -> None:
    approval = approval_of(tx, call)
    if approval and approval.state in (ApprovalState.OPEN, ApprovalState.APPROVED):
        tx.settle(approval, ApprovalState.VOID, by=by, reason="lockdown", at=at)


def _only_reads(call: Call, toolbox: Toolbox) -> bool:
    tool = toolbox.get(call.tool)
    return tool is not None and tool.reach_of(call.facts) is Reach.READS


# The second step out of lockdown


def _give_word(now: ModeRecord, asked: _ModeRequest) -> ModeAnswer:
    """Give out a word for the second step; a word given before is no longer valid."""
    word = _WORD_BEGINS + "".join(secrets.choice(ascii_uppercase) for _ in range(4))
    with asked.store.begin(asked.cause) as tx:
        given = {
            "word": now.sealed(word, by=asked.by),
            "asked": tx.high_water(asked.clock.now()),
        }
        tx.give_word(now.model_copy(update=given))
        tx.note(_word_entry(now, asked, "asked"))
    minutes = WORD_LIVES.total_seconds() / 60
    text = f"Leaving lockdown takes a second step within {minutes:g} minutes, with the word {word}."
    return ModeAnswer(accepted=False, text=text, record=now, word=word)


def _try_word(now: ModeRecord, asked: _ModeRequest) -> ModeAnswer:
    """Use up the word given out; leave lockdown in this transaction if it is the right one."""
    with asked.store.begin(asked.cause) as tx:
        given = tx.take_word()
        if given.revision != now.revision:
            raise Conflict(f"the assistant is in {given.mode} now")
        late = given.asked is None or tx.high_water(asked.clock.now()) >= given.asked + WORD_LIVES
        right = compare_digest(given.word, given.sealed(asked.word, by=asked.by))
        if right and not late:
            return _enter(tx, given, asked)
        tx.note(_word_entry(now, asked, "late" if right else "refused"))
    why = "That word has expired" if right else "That is not the word"
    text = f"{why}; the assistant stays in lockdown. Begin again with the first step."
    return ModeAnswer(accepted=False, text=text, record=now, stale=right)


def _word_entry(now: ModeRecord, asked: _ModeRequest, how: str) -> AuditEntry:
    return AuditEntry(
        kind="mode.word",
        subject=f"mode {now.revision}",
        actor=asked.by,
        reason=f"to leave {now.mode} for {asked.mode}",
        result=how,
    )


# Recovery


def reviewed(tx: Tx, record: ModeRecord) -> Sequence[tuple[Call, Effect]]:
    """Return what recovery has to review: calls done since its start time, not kept or undone."""
    if record.mode is not Mode.RECOVERY or record.review is None:
        return ()
    noted = tx.audit(kind=KEPT, since=record.since, limit=_NO_LIMIT)
    kept = {entry.subject for entry in noted}
    done = [(tx.call(effect.call), effect) for effect in tx.done_since(record.review)]
    return [
        (call, effect)
        for call, effect in done
        if call.id not in kept and not (call.undoes and call.mode is Mode.RECOVERY)
    ]


def keep(handle: str, *, by: str, cause: Cause, store: Store) -> ApprovalAnswer:
    """Keep what a call did, so that recovery no longer reviews it. Raises ``NotFound``."""
    with store.begin(cause) as tx:
        record = tx.mode()
        call = tx.call_named(handle)
        if call.id not in {seen.id for seen, _ in reviewed(tx, record)}:
            text = f"{call.handle} is not one of the calls that recovery reviews."
            return ApprovalAnswer(accepted=False, text=text)
        tx.note(effect_kept(call, by=by))
    return ApprovalAnswer(accepted=True, text=f"{call.handle} is kept.")


# The announcement


def announce_mode(
    tx: Tx,
    record: ModeRecord,
    *,
    home: Home,
    zone: str,
    ended: Ended | None = None,
) -> None:
    """Tell the owner of a mode that was entered, once for each change."""
    _take_button_away(tx, record)
    shown = _announcement(
        record, _consequences(record, ended or Ended(), home.channel), tx.zone() or zone
    )
    tx.want(cards.at(home, tx.cause.owner, _notice_id(record.revision), shown))


def _take_button_away(tx: Tx, record: ModeRecord) -> None:
    """Leave no button on the notice of the mode that has ended: it was about that mode."""
    before = delivery_of(tx, _notice_id(record.revision - 1))
    if before is not None and before.wanted.actions:
        shown = before.wanted.model_copy(update={"actions": ()})
        tx.want(before.model_copy(update={"wanted": shown}))


def _notice_id(revision: int) -> str:
    return f"mode-{revision}"


def _announcement(record: ModeRecord, said: str, zone: str) -> Shown:
    why = f" because {record.reason}" if record.reason and record.by_itself else ""
    words = f"\nReason given: {record.reason}" if record.reason and not record.by_itself else ""
    ends = f"\n{_ENDS_BY_ITSELF}" if begun_by_denials(record) else ""
    text = f"By {record.by}{why}.{words}\n{said}{ends}"
    notice = cards.notice(
        text,
        title=f"{record.mode.value.capitalize()} (it was {record.before})",
        fields=[moment("Since", record.since, zone)] if record.since else [],
    )
    back = (_BACK_TO_NORMAL,) if record.mode is Mode.ALERT else ()
    return notice.model_copy(update={"actions": back})


def _consequences(record: ModeRecord, ended: Ended, channel: str) -> str:
    """Say what the mode means, and what entering it ended."""
    lines = [_MEANINGS[record.mode].format_map(_TYPED.get(channel, _TYPED["terminal"]))]
    if record.mode is Mode.LOCKDOWN:
        lines.append(f"Cancelled, and not done: {_handles(ended.void) or 'nothing waited'}.")
    if ended.grants:
        lines.append(f"Grants revoked: {ended.grants}.")
    if ended.running:
        lines.append(f"Too late to stop: {_handles(ended.running)}.")
    return "\n".join(lines)


def _handles(calls: Sequence[Call]) -> str:
    return ", ".join(call.handle for call in calls)


_ENDS_BY_ITSELF = "It ends by itself an hour after the last such denial."
_BACK_TO_NORMAL = Action(
    verb=Verb.MODE,
    label="Back to normal",
    subject=Mode.NORMAL.value,
    handle=Mode.NORMAL.value,
)
_TYPED = {
    "discord": {"mode": "/mode set", "review": "/review list", "keep": "/review keep"},
    "terminal": {"mode": "/mode", "review": "/review", "keep": "/keep"},
}
"""Names of commands, by the channel in which the notice is read."""
_MEANINGS = {
    Mode.NORMAL: "Back to normal.",
    Mode.ALERT: (
        "Every risk counts one step more until you end it: {mode} normal, or in a shell "
        "`assistant mode set normal`."
    ),
    Mode.DEGRADED: (
        "No model is asked: I only understand a few fixed phrases, and mails are shown in their "
        "own sentences until a model has read them."
    ),
    Mode.LOCKDOWN: (
        "Only reading goes on. To leave: {mode} recovery, or normal; or in a shell "
        "`assistant mode set`. Each takes a second step."
    ),
    Mode.RECOVERY: (
        "Look at what was done: {review}. Keep or undo each: {keep} A17, or /undo A17. "
        "Then: {mode} normal. In a shell: `assistant mode review`, `assistant mode set normal`."
    ),
}
