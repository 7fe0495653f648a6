"""Make the owner's own calls, with no model between: looked at, judged and approved as any."""

from collections.abc import Mapping, Sequence
from typing import Any

from assistant.domain.calls.call import Call
from assistant.domain.calls.ports import CallTx
from assistant.domain.calls.states import OPEN, CallState
from assistant.domain.conversation.conversation import Conversation, Entry, Origin, Role, Want
from assistant.domain.conversation.ports import ConversationTx
from assistant.domain.jobs.job import Cause
from assistant.flows.calls.judge import draft_for, inspect, judge_turn
from assistant.flows.calls.record import advance, record_call
from assistant.flows.context import Context


def call_tool(
    tool: str,
    args: Mapping[str, Any],
    *,
    by: str,
    channel: str,
    place: str,
    cause: Cause,
    ctx: Context,
) -> list[Call]:
    """Ask for a tool; return the judged calls: cleared (and ordered), parked or refused.

    Args:
        tool: its name.
        args: as a model would give them.
        by: who asks, by their id in the channel.
        channel: where they ask, and are shown the card if one is needed.
        place: where in that channel.
        cause: on whose behalf.
        ctx: the rows, the clock and the tools.
    """
    want = Want(tool=tool, args=dict(args))
    draft = draft_for(want, cause=cause, tainted=False, actor=f"owner:{by}")
    return ask_all([draft], channel=channel, place=place, cause=cause, ctx=ctx)


def ask_all(
    drafts: Sequence[Call], *, channel: str, place: str, cause: Cause, ctx: Context
) -> list[Call]:
    """Look at the world for these drafts, judge them and record them as one turn, in order."""
    now = ctx.clock.now()
    inspected = [call for draft in drafts for call in inspect(draft, cause=cause, ctx=ctx, now=now)]
    return record_all(inspected, channel=channel, place=place, cause=cause, ctx=ctx)


def record_all(
    inspected: Sequence[Call],
    *,
    channel: str,
    place: str,
    cause: Cause,
    ctx: Context,
    ask: str = "",
) -> list[Call]:
    """Judge and record calls that were looked at already, as one turn.

    Leaves out the undo of a call that is undone, or is being undone. ``ask``: why a person is asked
    although the policy would let them run; empty for no reason.
    """
    with ctx.store.begin(cause) as tx:
        policy_context = ctx.policy_context(tx)
        conversation = tx.conversation_in(channel, place, idle=float("inf"))
        inspected = [call for call in inspected if not _is_second_undo(tx, call)]
        if not inspected:
            return []
        turn = _append_note(tx, conversation, inspected)
        here = {"conversation": conversation.id, "turn": turn}
        calls = [call.model_copy(update={**here, "ordinal": n}) for n, call in enumerate(inspected)]
        for call in judge_turn(calls, conversation, policy_context, ctx, ask=ask):
            record_call(tx, call, ctx=ctx)
        advance(tx, conversation, turn, now=policy_context, ctx=ctx)
        return [tx.call(call.id) for call in calls]


def _is_second_undo(tx: CallTx, call: Call) -> bool:
    """Whether the call to undo is undone, or being undone. Its row stays locked."""
    if not call.undoes:
        return False
    if tx.call(call.undoes, lock=True).state is not CallState.DONE:
        return True
    return any(other.undoes == call.undoes for other in tx.calls(states=OPEN))


def _append_note(tx: ConversationTx, conversation: Conversation, calls: Sequence[Call]) -> int:
    """Append the only entry that a model sees of these calls: that the owner made them."""
    names = ", ".join(sorted({call.tool for call in calls}))
    note = Entry(
        role=Role.NOTE,
        origin=Origin.ASSISTANT,
        text=f"The owner did this without you: {names}.",
    )
    return tx.append(conversation.id, note, answer=False)
