"""How careful the house is: its owner says so, or it notices something; lockdown voids what waits.

Nothing here needs a model, a broker or a calendar. The mode's row is locked first, and alone, so
that whoever judges, decides or claims at the moment has either finished or sees the new mode.
"""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from hmac import compare_digest
from string import ascii_uppercase

from pydantic import ConfigDict

from assistant.domain.approvals import Answer, ApprovalState
from assistant.domain.audit import AuditEntry
from assistant.domain.batches import startable
from assistant.domain.call_states import OPEN, CallState
from assistant.domain.calls import Call, Reach
from assistant.domain.deliveries import Home, Shown, moment
from assistant.domain.effects import Effect
from assistant.domain.errors import Conflict, Denied
from assistant.domain.jobs import Cause
from assistant.domain.messages import Run
from assistant.domain.modes import NEXT, SIGNAL, WORD_LIVES, Mode, ModeRecord
from assistant.domain.talk import Origin
from assistant.flows import cards
from assistant.flows.call_status import approval_of
from assistant.flows.outcomes import show_card, tell_model
from assistant.ports import Clock, Store, Tx
from assistant.tools.contract.toolbox import Toolbox

TRIES = 10
"""How often a change is tried again when somebody else changed something at the same moment."""
LOOKED_BACK = timedelta(days=1)
"""How far back recovery looks where nobody says."""
REASON = 500
"""Characters of a reason, at the most."""
KEPT = "effect.kept"
"""Entry of the audit: the owner looked at what a call did, and left it so."""
_LEAVE = "LEAVE-LOCKDOWN-"
_EVERY = 1_000_000
_TOLD = "void: the house went into lockdown; nothing was done"


class Changed(Answer):
    """What came of wanting another mode."""

    model_config = ConfigDict(frozen=True)
    record: ModeRecord
    """The mode that the house is in now."""
    word: str = ""
    """What must be said with the same wish to make it come true; told to whoever wished."""
    stale: bool = False
    """True where a second step came too late."""


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
) -> Changed:
    """The owner's act: enter a mode. Only a channel that knows its owner may call this.

    Args:
        mode: the mode to enter.
        by: who wants it, by the channel's own id of them.
        cause: on whose behalf.
        store: where the rows are.
        clock: for the word's end.
        toolbox: to tell reads from the rest and to render the ends of cards; where it lacks a tool,
            that tool's calls count as more than reads.
        zone: the owner's.
        home: where the change is announced.
        reason: the owner's own words.
        word: the second step out of lockdown, as the first step gave it.
        since: for recovery: what was done since then is looked at; a day before by default.

    Raises:
        Denied: ``by`` is nobody's id.
        Conflict: others change the house all the time.
    """
    if not by or by == "model" or by.startswith(SIGNAL):
        raise Denied(f"{by or 'nobody'} does not change the mode of the house")
    wish = _Wish(
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
            return _fulfil(wish)
        except Conflict:
            continue  # whoever came first has committed: look again
    raise Conflict("the mode of the house changes all the time")


def is_word(text: str) -> bool:
    """Whether these words are meant as a second step, not as a reason."""
    return text.strip().upper().startswith(_LEAVE)


@dataclass(frozen=True, kw_only=True)
class _Wish:
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


def _fulfil(wish: _Wish) -> Changed:
    with wish.store.read(wish.cause) as tx:
        now = tx.mode()
    if now.mode is wish.mode:
        text = f"The house is in {now.mode} already, by {now.by}."
        return Changed(accepted=True, text=text, record=now)
    if wish.mode not in NEXT[now.mode]:
        ways = ", ".join(sorted(NEXT[now.mode]))
        text = f"From {now.mode} the house can go to {ways}; not to {wish.mode}."
        return Changed(accepted=False, text=text, record=now)
    if now.mode is not Mode.LOCKDOWN:
        with wish.store.begin(wish.cause) as tx:
            return _enter(tx, now, wish)
    return _leave(now, wish) if wish.word else _ask_for_word(now, wish)


def _enter(tx: Tx, now: ModeRecord, wish: _Wish) -> Changed:
    """Take the mode's row alone, then see to all that follows from the mode."""
    review = None
    if wish.mode is Mode.RECOVERY:
        review = wish.since or tx.high_water(wish.clock.now()) - LOOKED_BACK
    wanted = {"mode": wish.mode, "by": wish.by, "reason": wish.reason, "review": review}
    record = tx.set_mode(now.model_copy(update=wanted))
    ended = _end_all(tx, wish) if wish.mode is Mode.LOCKDOWN else Ended()
    announce_mode(tx, record, home=wish.home, zone=wish.zone, ended=ended)
    return Changed(accepted=True, text=_said(record, ended), record=record)


# Lockdown


@dataclass(frozen=True)
class Ended:
    """What lockdown put an end to, and what it came too late for."""

    void: Sequence[Call] = ()
    running: Sequence[Call] = ()
    grants: int = 0


def _end_all(tx: Tx, wish: _Wish) -> Ended:
    """Void what waits for a yes or is about to run, every yes, and every grant.

    Reads go on. What runs cannot be called back; but if it has to begin anew, its yes is gone.
    """
    at = tx.high_water(wish.clock.now())
    grants = tx.revoke_grants(by=wish.by, at=at)
    for talk in sorted({call.conversation for call in tx.calls(states=OPEN, limit=_EVERY)}):
        tx.conversation(talk, lock=True)
    void: list[Call] = []
    running: list[Call] = []
    for seen in reversed(tx.calls(states=OPEN, limit=_EVERY)):
        call = tx.call(seen.id, lock=True)
        if call.state is not CallState.PARKED and _only_reads(call, wish.toolbox):
            continue
        _void_approval(tx, call, by=wish.by, at=at)
        if call.can_become(CallState.VOID):
            void.append(_void(tx, call))
        elif call.state in OPEN:
            running.append(call)
    for call in void:
        show_card(tx, call, toolbox=wish.toolbox, zone=wish.zone)
    _let_reads_begin(tx, void)
    return Ended(void, running, grants)


def _let_reads_begin(tx: Tx, void: Sequence[Call]) -> None:
    """What waited for a call that is void now, and may go on."""
    for talk, turn in {(call.conversation, call.turn) for call in void}:
        for call in startable(tx.calls(conversation=talk, turn=turn)):
            tx.emit(Run(id=call.id))


def _void(tx: Tx, call: Call) -> Call:
    """What a worker owed is answered for; what waited for a person is not."""
    void = tx.move(call, CallState.VOID, result=_TOLD, told="the house went into lockdown")
    owed = call.state is CallState.CLEARED
    tell_model(tx, void, _TOLD, origin=Origin.ASSISTANT, answer=owed)
    return void


def _void_approval(tx: Tx, call: Call, *, by: str, at: datetime) -> None:
    approval = approval_of(tx, call)
    if approval and approval.state in (ApprovalState.OPEN, ApprovalState.APPROVED):
        tx.settle(approval, ApprovalState.VOID, by=by, reason="lockdown", at=at)


def _only_reads(call: Call, toolbox: Toolbox) -> bool:
    tool = toolbox.get(call.tool)
    return tool is not None and tool.reach_of(call.facts) is Reach.READS


# The second step out of it


def _ask_for_word(now: ModeRecord, wish: _Wish) -> Changed:
    """Give out a word to be said with the same wish; the one before it is worth nothing."""
    word = _LEAVE + "".join(secrets.choice(ascii_uppercase) for _ in range(4))
    with wish.store.begin(wish.cause) as tx:
        given = {
            "word": now.sealed(word, by=wish.by),
            "asked": tx.high_water(wish.clock.now()),
        }
        tx.give_word(now.model_copy(update=given))
        tx.note(_tried(now, wish, "asked"))
    minutes = WORD_LIVES.total_seconds() / 60
    text = f"Leaving lockdown takes a second step within {minutes:g} minutes, with the word {word}."
    return Changed(accepted=False, text=text, record=now, word=word)


def _leave(now: ModeRecord, wish: _Wish) -> Changed:
    """Try a word, once, in the transaction that leaves lockdown if it is right."""
    with wish.store.begin(wish.cause) as tx:
        held = tx.take_word()
        if held.revision != now.revision:
            raise Conflict(f"the house is in {held.mode} now")
        late = held.asked is None or tx.high_water(wish.clock.now()) >= held.asked + WORD_LIVES
        right = compare_digest(held.word, held.sealed(wish.word, by=wish.by))
        if right and not late:
            return _enter(tx, held, wish)
        tx.note(_tried(now, wish, "late" if right else "refused"))
    why = "That word has had its time" if right else "That is not the word"
    text = f"{why}; the house stays in lockdown. Begin again with the first step."
    return Changed(accepted=False, text=text, record=now, stale=right)


def _tried(now: ModeRecord, wish: _Wish, how: str) -> AuditEntry:
    return AuditEntry(
        kind="mode.word",
        subject=f"mode {now.revision}",
        actor=wish.by,
        reason=f"to leave {now.mode} for {wish.mode}",
        result=how,
    )


# Recovery


def reviewed(tx: Tx, record: ModeRecord) -> Sequence[tuple[Call, Effect]]:
    """What recovery looks at: all that was done since its time, and not kept or taken back."""
    if record.mode is not Mode.RECOVERY or record.review is None:
        return ()
    noted = tx.audit(kind=KEPT, since=record.since, limit=_EVERY)
    kept = {entry.subject for entry in noted}
    done = [(tx.call(effect.call), effect) for effect in tx.done_since(record.review)]
    return [
        (call, effect)
        for call, effect in done
        if call.id not in kept and not (call.undoes and call.mode is Mode.RECOVERY)
    ]


def keep(handle: str, *, by: str, cause: Cause, store: Store) -> Answer:
    """In recovery: what this call did stays; it is looked at no more.

    Raises ``NotFound``: there is no such call.
    """
    with store.begin(cause) as tx:
        record = tx.mode()
        call = tx.call_named(handle)
        if call.id not in {seen.id for seen, _ in reviewed(tx, record)}:
            text = f"{call.handle} is not among what recovery looks at."
            return Answer(accepted=False, text=text)
        tx.note(AuditEntry(kind=KEPT, subject=call.id, actor=by, tool=call.tool))
    return Answer(accepted=True, text=f"{call.handle} is kept.")


# What the owner is told


def announce_mode(
    tx: Tx,
    record: ModeRecord,
    *,
    home: Home,
    zone: str,
    ended: Ended | None = None,
) -> None:
    """See that the owner is told of a mode that was entered; of the same one once."""
    shown = _announcement(record, _said(record, ended or Ended()), zone)
    tx.want(cards.at(home, tx.cause.owner, f"mode-{record.revision}", shown))


def _announcement(record: ModeRecord, said: str, zone: str) -> Shown:
    why = f" because {record.reason}" if record.reason and record.by_itself else ""
    words = f"\nReason given: {record.reason}" if record.reason and not record.by_itself else ""
    text = f"By {record.by}{why}.{words}\n{said}"
    return cards.notice(
        text,
        title=f"{record.mode.value.capitalize()} (it was {record.before})",
        fields=[moment("Since", record.since, zone)] if record.since else [],
    )


def _said(record: ModeRecord, ended: Ended) -> str:
    """What the mode means, and what came of entering it."""
    lines = [_MEANINGS[record.mode]]
    if record.mode is Mode.LOCKDOWN:
        lines.append(f"Void, and not done: {_handles(ended.void) or 'nothing waited'}.")
    if ended.grants:
        lines.append(f"Grants revoked: {ended.grants}.")
    if ended.running:
        lines.append(f"Too late to stop: {_handles(ended.running)}.")
    return "\n".join(lines)


def _handles(calls: Sequence[Call]) -> str:
    return ", ".join(call.handle for call in calls)


_MEANINGS = {
    Mode.NORMAL: "The house is as usual.",
    Mode.ALERT: (
        "Every risk counts one step more until you say otherwise: /mode normal, or in a shell "
        "`assistant mode set normal`."
    ),
    Mode.DEGRADED: (
        "No model is asked: a small grammar answers you, and mails are shown in their own "
        "sentences until a model has read them."
    ),
    Mode.LOCKDOWN: (
        "Only reading goes on. To leave: /mode recovery, or normal; or in a shell `assistant mode "
        "set`. Each takes a second step."
    ),
    Mode.RECOVERY: (
        "What was done is to be looked at, and kept or undone; then: /mode normal, or in a shell "
        "`assistant mode set normal`."
    ),
}
