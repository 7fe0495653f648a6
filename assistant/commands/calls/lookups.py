"""Calls: how they are looked up, chosen and told."""

from collections.abc import Collection, Sequence
from contextlib import suppress
from typing import Any

from assistant.commands.answer import Answer, Card, CommandOutcome, Words
from assistant.commands.context import CommandContext
from assistant.domain.approvals.approval import Approval
from assistant.domain.calls.call import Call
from assistant.domain.calls.states import HAPPENED, CallState, state_name
from assistant.domain.conversation.deliveries import Line, Shown
from assistant.domain.conversation.ports import DeliveryTx
from assistant.domain.errors import AssistantError, NotFound
from assistant.domain.store import Tx
from assistant.domain.text.fence import unfence
from assistant.flows.render.call_status import lookup_status
from assistant.flows.render.cards import card_id, in_short
from assistant.flows.render.details import details
from assistant.tools.contract.toolbox import Toolbox

_MANY = 100


def call_named(ctx: CommandContext, handle: str) -> Call:
    """Raises ``NotFound``."""
    seen = ctx.button.call if ctx.button else None
    if seen is not None and seen.id == handle:
        return seen  # it was read with its button: a press is waited for
    with ctx.read() as tx:
        return tx.call_named(handle)


def asked_about(ctx: CommandContext, handle: str) -> tuple[Call, Approval]:
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


def card_of(tx: DeliveryTx, call: Call) -> Shown:
    """The card as it was made for the call, or, once answered, what became of it."""
    return tx.delivery(card_id(call)).wanted


def as_card(ctx: CommandContext, call: Call) -> Card:
    with ctx.read() as tx:
        shown = card_of(tx, call)
    state = (
        "waits for you"
        if call.state is CallState.PARKED
        else f"{state_name(call.state)}. {shown.text}"
    )
    return Card(call=call.id, handle=call.handle, shown=shown, state=state)


def look_first(ctx: CommandContext, call: Call) -> Answer | None:
    """The card of a call that waits, where this channel has not shown it; else None.

    An answer to it would be one to something that nobody has seen.
    """
    if call.state is not CallState.PARKED or ctx.shown.get(call.id):
        return None
    words = Words(text=f"Look at {call.handle} first.")
    return Answer(blocks=(words, as_card(ctx, call)), outcome=CommandOutcome.STALE)


def usable_tools(ctx: CommandContext) -> Toolbox:
    """The tools, or none: lockdown, and a look at what waits, need no calendar that works."""
    try:
        return ctx.parts.toolbox
    except AssistantError:
        return Toolbox()


def whole_details(ctx: CommandContext, call: Call) -> tuple[Line, ...]:
    """All that a yes to the call covers, uncut."""
    with ctx.read() as tx:
        status = lookup_status(tx, call)
    return details(status, usable_tools(ctx).get(call.tool), zone=ctx.zone)


def calls_waiting(ctx: CommandContext, typed: str) -> Sequence[tuple[str, str]]:
    with ctx.read() as tx:
        told = [in_a_line(tx, call) for call, _ in waiting(tx)]
    return fitting(told, typed)


def calls_lately(ctx: CommandContext, typed: str) -> Sequence[tuple[str, str]]:
    return calls_in(ctx, typed, ())


def calls_in(
    ctx: CommandContext, typed: str, states: Collection[CallState]
) -> Sequence[tuple[str, str]]:
    """The newest calls in these states, or in any."""
    with ctx.read() as tx:
        told = [in_a_line(tx, call) for call in tx.calls(states=states, limit=_MANY)]
    return fitting(told, typed)


def in_a_line(tx: DeliveryTx, call: Call) -> tuple[str, str]:
    """What it did or was to do, and its handle."""
    told = call.told if call.state in HAPPENED else ""
    if not told:
        with suppress(NotFound):
            told = in_short(card_of(tx, call))
    return f"{call.handle}: {told or call.tool} ({state_name(call.state)})", call.handle


def fitting(found: Sequence[tuple[str, str]], typed: str) -> Sequence[tuple[str, str]]:
    """Those in which what was typed occurs."""
    return [one for one in found if typed.casefold() in one[0].casefold()]


def asked_facts(ctx: CommandContext, call: Call, approval: Approval) -> dict[str, Any]:
    """A call that its owner was asked about, for programs."""
    shown = as_card(ctx, call).shown
    return {
        "id": call.handle,
        "call": call.id,
        "tool": call.tool,
        "title": shown.title,
        "shown": {line.label: line.value for line in told_of(ctx, call, shown)},
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


def told_of(ctx: CommandContext, call: Call, shown: Shown) -> Sequence[Line]:
    """What would happen, as labelled lines; of a card from before it was short, its lines."""
    tool = usable_tools(ctx).get(call.tool)
    if shown.tone is None or tool is None or not call.facts.args:
        return shown.fields
    return tool.card(call.facts, ctx.zone)


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
