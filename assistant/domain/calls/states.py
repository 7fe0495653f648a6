"""The states of a call: one table with a row for each, from which every set and word comes.

To add a state, name it in ``CallState`` and give it a row in ``STATES``.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum, StrEnum

from assistant.domain.conversation.deliveries import Tone


class CallState(StrEnum):
    PROPOSED = "proposed"
    """The model asked; nothing is decided."""
    CLEARED = "cleared"
    """It may run: the policy or a person said so."""
    RUNNING = "running"
    """A worker holds it, and its effect may be happening."""
    DONE = "done"
    FAILED = "failed"
    """It did not happen, or it ended in an error that is known."""
    UNKNOWN = "unknown"
    """The worker was lost; whether it happened must be asked of the world."""
    REFUSED = "refused"
    """The policy, or the tool's own checks, said no."""
    PARKED = "parked"
    """It waits for a person."""
    DENIED = "denied"
    EXPIRED = "expired"
    VOID = "void"
    """What it rested on is gone: lockdown, or its approval no longer fits."""
    SUPERSEDED = "superseded"
    """An edited copy, or one bound to the newer state of its object, took its place."""
    CANCELLED = "cancelled"
    UNDONE = "undone"


class Party(StrEnum):
    """Who owes the next step of a call."""

    WORKER = "a worker"
    OWNER = "you"
    NOBODY = "nobody"


class AskAgain(Enum):
    """Where the owner of a call finds the button that asks about it again."""

    ON_CARD = "on its card"
    IN_NOTICE = "in the notice that it expired"
    NOWHERE = "nowhere"


class OwnerReply(StrEnum):
    """What an owner's answer to a call says about calls like it."""

    YES = "yes"
    """Approved as it was."""
    NO = "no"
    """Denied, edited, stopped, undone, or never answered."""
    NEITHER = "neither"


class Tally(StrEnum):
    """Groups under which the changes of a conversation are listed, in this order."""

    DONE = "Done"
    UNDONE = "Undone"
    WAITS = "Waits for you"
    NOT_YET = "Not done yet"
    UNKNOWN = "Not known whether done"
    FAILED = "Failed"
    REFUSED = "Refused"
    NOT_DONE = "Not done"


@dataclass(frozen=True, kw_only=True)
class StateRow:
    """What is true of every call in one state. What depends on the call is a function elsewhere."""

    name: str
    """What people call it, and may type for it. What is stored, and JSON, keep the state's own."""
    next: frozenset[CallState]
    """The states that may follow."""
    owed_by: Party
    """Who owes the next step; nobody once the call has ended."""
    done: bool
    """Whether it was done, also if it was undone since."""
    to_run: bool
    """Whether it runs now or when its turn comes."""
    breaks_turn: bool
    """Whether the later changes of its turn are asked about again."""
    ask_again: AskAgain
    """Whether its owner can be asked about it again, and where that is offered."""
    reply: OwnerReply
    """What it says about calls like it, for suggestions to the policy."""
    tally: Tally | None
    """Its group in the list of a conversation's changes; None leaves it out."""
    in_progress: str
    """Its line while the assistant is busy; takes ``name``, ``handle``, ``progress``, ``state``."""
    after_yes: str
    """Begins ``card_text`` where a person was asked and said yes."""
    headline: str
    """Begins the first line of its card, before what was asked for."""
    tone: Tone
    """The accent of its card."""
    card_text: str
    """What its card says became of it; a capital is put where it begins a sentence."""
    card_reason: str
    """How its card quotes ``Call.told``, where there is any; takes ``told``."""
    tells_why: bool
    """Whether its card, once it is answered, says ``Call.told`` below its first line."""
    ended_label: str
    """Labels the line that says when it ended; empty for no such line."""
    late: str
    """Answers a press that comes too late.

    Takes ``name``, ``state`` (what people call it), ``why``, ``replaced`` (replaced or edited) and
    ``hint`` (what can be done now).
    """


_S = CallState
_STOPPED = frozenset({_S.DENIED, _S.EXPIRED, _S.VOID, _S.SUPERSEDED, _S.CANCELLED})
"""How a call can end before it has begun."""
_RUNS = "it runs now or when its turn comes."
_ENDED = "{name}: {state}"
_ANSWERED = "{name} was answered already: it is {state}."


def complete(rows: Mapping[CallState, StateRow]) -> Mapping[CallState, StateRow]:
    """Return the rows. Raises ``LookupError``, with their names, if states have none."""
    if missing := [state.name for state in CallState if state not in rows]:
        raise LookupError(f"STATES has no row for {', '.join(missing)}")
    return rows


STATES: Mapping[CallState, StateRow] = complete(
    {
        _S.PROPOSED: StateRow(
            name="not decided",
            next=frozenset({_S.CLEARED, _S.PARKED, _S.REFUSED}),
            owed_by=Party.WORKER,
            done=False,
            to_run=False,
            breaks_turn=False,
            ask_again=AskAgain.NOWHERE,
            reply=OwnerReply.NEITHER,
            tally=Tally.NOT_YET,
            in_progress="{name} is next",
            after_yes="",
            headline="Not decided yet",
            tone=Tone.WAITS,
            card_text="Not decided yet.",
            card_reason="",
            tells_why=False,
            ended_label="",
            late="{name} is not decided yet.",
        ),
        _S.PARKED: StateRow(
            name="waiting",
            next=frozenset({_S.CLEARED, *_STOPPED}),
            owed_by=Party.OWNER,
            done=False,
            to_run=False,
            breaks_turn=False,
            ask_again=AskAgain.NOWHERE,
            reply=OwnerReply.NEITHER,
            tally=Tally.WAITS,
            in_progress="{handle} waits for you",
            after_yes="",
            headline="Waits for you",
            tone=Tone.WAITS,
            card_text="it waits for your yes or no.",
            card_reason="",
            tells_why=False,
            ended_label="",
            late="{name} waits for your yes or no.",
        ),
        _S.CLEARED: StateRow(
            name="queued",
            next=frozenset({_S.RUNNING, *_STOPPED}),
            owed_by=Party.WORKER,
            done=False,
            to_run=True,
            breaks_turn=False,
            ask_again=AskAgain.NOWHERE,
            reply=OwnerReply.YES,
            tally=Tally.NOT_YET,
            in_progress="{name} is next",
            after_yes="Approved; ",
            headline="Approved",
            tone=Tone.WAITS,
            card_text=_RUNS,
            card_reason="",
            tells_why=False,
            ended_label="",
            late=_ANSWERED,
        ),
        _S.RUNNING: StateRow(
            name="running",
            next=frozenset({_S.DONE, _S.FAILED, _S.UNKNOWN, _S.CLEARED}),
            owed_by=Party.WORKER,
            done=False,
            to_run=True,
            breaks_turn=False,
            ask_again=AskAgain.NOWHERE,
            reply=OwnerReply.YES,
            tally=Tally.NOT_YET,
            in_progress="{name}: {progress}",
            after_yes="Approved; ",
            headline="Approved",
            tone=Tone.WAITS,
            card_text=_RUNS,
            card_reason="",
            tells_why=False,
            ended_label="",
            late=_ANSWERED,
        ),
        _S.UNKNOWN: StateRow(
            name="unknown",
            next=frozenset({_S.DONE, _S.FAILED, _S.CLEARED}),
            owed_by=Party.WORKER,
            done=False,
            to_run=False,
            breaks_turn=True,
            ask_again=AskAgain.NOWHERE,
            reply=OwnerReply.YES,
            tally=Tally.UNKNOWN,
            in_progress="{name}: {progress}",
            after_yes="Approved; ",
            headline="Finding out",
            tone=Tone.WAITS,
            card_text="finding out whether it happened.",
            card_reason="",
            tells_why=False,
            ended_label="",
            late=_ANSWERED,
        ),
        _S.DONE: StateRow(
            name="done",
            next=frozenset({_S.UNDONE}),
            owed_by=Party.NOBODY,
            done=True,
            to_run=False,
            breaks_turn=False,
            ask_again=AskAgain.NOWHERE,
            reply=OwnerReply.YES,
            tally=Tally.DONE,
            in_progress=_ENDED,
            after_yes="Approved and ",
            headline="Done",
            tone=Tone.DONE,
            card_text="done.",
            card_reason="",
            tells_why=False,
            ended_label="Done",
            late=_ANSWERED,
        ),
        _S.FAILED: StateRow(
            name="failed",
            next=frozenset(),
            owed_by=Party.NOBODY,
            done=False,
            to_run=False,
            breaks_turn=True,
            ask_again=AskAgain.ON_CARD,
            reply=OwnerReply.YES,
            tally=Tally.FAILED,
            in_progress=_ENDED,
            after_yes="Approved, but ",
            headline="Failed",
            tone=Tone.FAILED,
            card_text="it failed.",
            card_reason="{told}",
            tells_why=True,
            ended_label="Failed",
            late=_ANSWERED,
        ),
        _S.REFUSED: StateRow(
            name="refused",
            next=frozenset(),
            owed_by=Party.NOBODY,
            done=False,
            to_run=False,
            breaks_turn=True,
            ask_again=AskAgain.NOWHERE,
            reply=OwnerReply.NEITHER,
            tally=Tally.REFUSED,
            in_progress=_ENDED,
            after_yes="",
            headline="Refused",
            tone=Tone.DENIED,
            card_text="Refused; nothing was done.",
            card_reason="",
            tells_why=False,
            ended_label="",
            late=_ANSWERED,
        ),
        _S.DENIED: StateRow(
            name="denied",
            next=frozenset(),
            owed_by=Party.NOBODY,
            done=False,
            to_run=False,
            breaks_turn=True,
            ask_again=AskAgain.NOWHERE,
            reply=OwnerReply.NO,
            tally=Tally.NOT_DONE,
            in_progress=_ENDED,
            after_yes="",
            headline="Denied",
            tone=Tone.DENIED,
            card_text="Denied; nothing was done.",
            card_reason="Reason: {told}",
            tells_why=False,  # its small line does
            ended_label="",  # the line that says who denied it has the moment
            late=_ANSWERED,
        ),
        _S.EXPIRED: StateRow(
            name="expired",
            next=frozenset(),
            owed_by=Party.NOBODY,
            done=False,
            to_run=False,
            breaks_turn=True,
            ask_again=AskAgain.IN_NOTICE,
            reply=OwnerReply.NO,
            tally=Tally.NOT_DONE,
            in_progress=_ENDED,
            after_yes="",
            headline="Expired",
            tone=Tone.DENIED,
            card_text="Expired; nothing was done.",
            card_reason="",
            tells_why=False,
            ended_label="Expired",
            late="{name} has expired; nothing was done. {hint}",
        ),
        _S.VOID: StateRow(
            name="cancelled",
            next=frozenset(),
            owed_by=Party.NOBODY,
            done=False,
            to_run=False,
            breaks_turn=True,
            ask_again=AskAgain.ON_CARD,
            reply=OwnerReply.NEITHER,
            tally=Tally.NOT_DONE,
            in_progress=_ENDED,
            after_yes="",
            headline="Cancelled",
            tone=Tone.DENIED,
            card_text="Cancelled; nothing was done.",
            card_reason="Reason: {told}",
            tells_why=True,
            ended_label="Cancelled",
            late="{name} was cancelled{why}; nothing was done. {hint}",
        ),
        _S.SUPERSEDED: StateRow(
            name="replaced",
            next=frozenset(),
            owed_by=Party.NOBODY,
            done=False,
            to_run=False,
            breaks_turn=False,  # another call is in its place
            ask_again=AskAgain.NOWHERE,
            reply=OwnerReply.NEITHER,
            tally=None,
            in_progress=_ENDED,
            after_yes="",
            headline="Replaced",
            tone=Tone.REPLACED,
            card_text="Replaced; nothing was done.",
            card_reason="Reason: {told}",
            tells_why=True,
            ended_label="Replaced",
            late="{name} was {replaced}; nothing was done. {hint}",
        ),
        _S.CANCELLED: StateRow(
            name="stopped",
            next=frozenset(),
            owed_by=Party.NOBODY,
            done=False,
            to_run=False,
            breaks_turn=True,
            ask_again=AskAgain.NOWHERE,
            reply=OwnerReply.NO,
            tally=Tally.NOT_DONE,
            in_progress=_ENDED,
            after_yes="",
            headline="Stopped",
            tone=Tone.DENIED,
            card_text="Stopped by you; nothing was done.",
            card_reason="",
            tells_why=False,
            ended_label="Stopped",
            late="{name} was stopped by you; nothing was done.",
        ),
        _S.UNDONE: StateRow(
            name="undone",
            next=frozenset(),
            owed_by=Party.NOBODY,
            done=True,
            to_run=False,
            breaks_turn=False,
            ask_again=AskAgain.NOWHERE,
            reply=OwnerReply.NO,
            tally=Tally.UNDONE,
            in_progress=_ENDED,
            after_yes="Approved, ",
            headline="Undone",
            tone=Tone.DENIED,
            card_text="done, and undone again.",
            card_reason="",
            tells_why=False,
            ended_label="Undone",
            late=_ANSWERED,
        ),
    }
)


def state_name(state: CallState) -> str:
    """What people call a state: ``waiting`` for what is stored as ``parked``."""
    return STATES[state].name


def states_called(word: str) -> frozenset[CallState]:
    """The states that a person may mean by a word: by their name for it, or by the stored one.

    Raises ``ValueError``, which says what there is.
    """
    typed = " ".join(word.lower().replace("-", " ").split())
    found = _where(lambda row: row.name == typed) | {one for one in CallState if one == typed}
    if not found:
        names = ", ".join(row.name for row in STATES.values())
        raise ValueError(f"there is no state {word}; there are {names}")
    return found


def _where(holds: Callable[[StateRow], bool]) -> frozenset[CallState]:
    return frozenset(state for state, row in STATES.items() if holds(row))


NEXT: Mapping[CallState, frozenset[CallState]] = {state: row.next for state, row in STATES.items()}
OWED = _where(lambda row: row.owed_by is Party.WORKER)
"""States in which a worker, not a person, owes the next step."""
ENDED = _where(lambda row: row.owed_by is Party.NOBODY)
OPEN = frozenset(STATES) - ENDED
"""States in which a worker or a person owes the next step."""
EXECUTED = NEXT[CallState.RUNNING] & ENDED
"""Ends of a call that was executed and not undone since."""
NOT_BEGUN = frozenset(ENDED - NEXT[CallState.RUNNING] - {CallState.UNDONE})
"""Ends of a call that was never executed."""
HAPPENED = _where(lambda row: row.done)
"""States of what was done, also if it was undone since."""
BROKEN = _where(lambda row: row.breaks_turn)
"""States after which the later changes of a turn are asked about again."""
CHANGED_NOTHING = frozenset(STATES) - HAPPENED - {CallState.RUNNING, CallState.UNKNOWN}
"""States in which a call has changed nothing, unless it ended unclear."""
ASKED_AGAIN = _where(lambda row: row.ask_again is not AskAgain.NOWHERE)
"""States in which a call's owner can be asked about it again."""
ASKED_ON_CARD = _where(lambda row: row.ask_again is AskAgain.ON_CARD)
"""Those of them whose card offers it."""
