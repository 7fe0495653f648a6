"""Calls: how they are looked up, chosen and told."""

from collections.abc import Collection, Sequence
from contextlib import suppress
from typing import Any

from assistant.commands.answer import Answer, Card, Outcome, Words
from assistant.commands.context import Context
from assistant.domain.approvals import Approval
from assistant.domain.call_states import HAPPENED, CallState
from assistant.domain.calls import Call
from assistant.domain.deliveries import Shown
from assistant.domain.errors import AssistantError, NotFound
from assistant.domain.fence import unfence
from assistant.flows.cards import card_id, in_short
from assistant.ports import Tx
from assistant.tools.contract.toolbox import Toolbox

_MANY = 100


def call_named(ctx: Context, handle: str) -> Call:
    """Raises ``NotFound``."""
    seen = ctx.button.call if ctx.button else None
    if seen is not None and seen.id == handle:
        return seen  # it was read with its button: a press is waited for
    with ctx.read() as tx:
        return tx.call_named(handle)


def asked_about(ctx: Context, handle: str) -> tuple[Call, Approval]:
    """A call and its approval. Raises ``NotFound``, also for one that nobody was asked about."""
    with ctx.read() as tx:
        call = tx.call_named(handle)
        try:
            return call, tx.approval(call.id)
        except NotFound as error:
            raise NotFound(f"{call.handle} never waited for an answer") from error


def waiting(tx: Tx) -> list[tuple[Call, Approval]]:
    """What waits for its owner, oldest first."""
    return [(call, tx.approval(call.id)) for call in reversed(tx.calls(states={CallState.PARKED}))]


def card_of(tx: Tx, call: Call) -> Shown:
    """The card as it was made for the call, or, once answered, what became of it."""
    return tx.delivery(card_id(call)).wanted


def as_card(ctx: Context, call: Call) -> Card:
    with ctx.read() as tx:
        shown = card_of(tx, call)
    state = "waits for you" if call.state is CallState.PARKED else f"{call.state}. {shown.text}"
    return Card(call=call.id, handle=call.handle, shown=shown, state=state)


def look_first(ctx: Context, call: Call) -> Answer | None:
    """The card of a call that waits, where this channel has not shown it; else None.

    An answer to it would be one to something that nobody has seen.
    """
    if call.state is not CallState.PARKED or ctx.shown.get(call.id):
        return None
    words = Words(text=f"Look at {call.handle} first.")
    return Answer(blocks=(words, as_card(ctx, call)), outcome=Outcome.STALE)


def usable_tools(ctx: Context) -> Toolbox:
    """The tools, or none: lockdown, and a look at what waits, need no calendar that works."""
    try:
        return ctx.parts.toolbox
    except AssistantError:
        return Toolbox()


def calls_waiting(ctx: Context, typed: str) -> Sequence[tuple[str, str]]:
    with ctx.read() as tx:
        told = [in_a_line(tx, call) for call, _ in waiting(tx)]
    return fitting(told, typed)


def calls_lately(ctx: Context, typed: str) -> Sequence[tuple[str, str]]:
    return calls_in(ctx, typed, ())


def calls_in(ctx: Context, typed: str, states: Collection[CallState]) -> Sequence[tuple[str, str]]:
    """The newest calls in these states, or in any."""
    with ctx.read() as tx:
        told = [in_a_line(tx, call) for call in tx.calls(states=states, limit=_MANY)]
    return fitting(told, typed)


def in_a_line(tx: Tx, call: Call) -> tuple[str, str]:
    """What it did or was to do, and its handle."""
    told = call.told if call.state in HAPPENED else ""
    if not told:
        with suppress(NotFound):
            told = in_short(card_of(tx, call))
    return f"{call.handle}: {told or call.tool} ({call.state})", call.handle


def fitting(found: Sequence[tuple[str, str]], typed: str) -> Sequence[tuple[str, str]]:
    """Those in which what was typed occurs."""
    return [one for one in found if typed.casefold() in one[0].casefold()]


def asked_facts(ctx: Context, call: Call, approval: Approval) -> dict[str, Any]:
    """A call that its owner was asked about, for programs."""
    shown = as_card(ctx, call).shown
    return {
        "id": call.handle,
        "call": call.id,
        "tool": call.tool,
        "title": shown.title,
        "shown": {line.label: line.value for line in shown.fields},
        "arguments": call.facts.args,
        "state": call.state.value,
        "approval": approval.state.value,
        "expires": approval.expires.isoformat(),
        "decided": approval.decided.isoformat() if approval.decided else None,
        "by": approval.by,
        "reason": approval.reason,
        "word": approval.word,
        "result": call.told,
        "card": approval.card,
        "trace": call.trace,
    }


def call_facts(call: Call) -> dict[str, Any]:
    """Any call, for programs."""
    return {
        "id": call.handle,
        "call": call.id,
        "tool": call.tool,
        "version": call.version,
        "arguments": call.facts.args,
        "destination": call.facts.destination,
        "risk": call.risk.value,
        "reasons": list(call.reasons),
        "tainted": call.tainted,
        "state": call.state.value,
        "outcome": outcome_of(call),
        "created": call.created.isoformat() if call.created else None,
        "started": call.started.isoformat() if call.started else None,
        "ended": call.ended.isoformat() if call.ended else None,
        "trace": call.trace,
    }


def outcome_of(call: Call) -> str:
    """What came of it in a line; of a refused call, why."""
    refused = call.state is CallState.REFUSED
    return call.told or (unfence(call.result) if refused else "")
