"""The owner's own calls, without a model between: the same look, policy and approval."""

from collections.abc import Mapping, Sequence
from typing import Any

from assistant.domain.call_states import OPEN, CallState
from assistant.domain.calls import Call
from assistant.domain.jobs import Cause
from assistant.domain.talk import Conversation, Entry, Origin, Role, Want
from assistant.flows.context import Context
from assistant.flows.judging import draft_for, judge_turn, look
from assistant.flows.placing import advance, place
from assistant.ports import Tx


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
    """Ask for a tool; what comes of it, judged: cleared (and ordered), parked or refused.

    Args:
        tool: its name.
        args: as a model would give them.
        by: who asks, by the channel's own id of them.
        channel: where they ask, and are shown the card if one is needed.
        place: in that channel.
        cause: on whose behalf.
        ctx: the rows, the clock and the tools.
    """
    want = Want(tool=tool, args=dict(args))
    draft = draft_for(want, cause=cause, tainted=False, actor=f"owner:{by}")
    return ask_all([draft], channel=channel, where=place, cause=cause, ctx=ctx)


def ask_all(
    drafts: Sequence[Call], *, channel: str, where: str, cause: Cause, ctx: Context
) -> list[Call]:
    """Look at these, judge them and place them as one turn, in order."""
    now = ctx.clock.now()
    looked = [call for draft in drafts for call in look(draft, cause=cause, ctx=ctx, now=now)]
    return place_all(looked, channel=channel, where=where, cause=cause, ctx=ctx)


def place_all(
    looked: Sequence[Call], *, channel: str, where: str, cause: Cause, ctx: Context
) -> list[Call]:
    """Judge and place what was looked at already, as one turn.

    Of two calls that would take back the same thing, the second is left out.
    """
    with ctx.store.begin(cause) as tx:
        standing = ctx.standing(tx)
        talk = tx.conversation_in(channel, where, idle=float("inf"))
        looked = [call for call in looked if not _comes_second(tx, call)]
        if not looked:
            return []
        turn = _note(tx, talk, looked)
        here = {"conversation": talk.id, "turn": turn}
        calls = [call.model_copy(update={**here, "ordinal": n}) for n, call in enumerate(looked)]
        for call in judge_turn(calls, talk, standing, ctx):
            place(tx, call, ctx=ctx)
        advance(tx, talk, turn, now=standing, ctx=ctx)
        return [tx.call(call.id) for call in calls]


def _comes_second(tx: Tx, call: Call) -> bool:
    """Whether what this would take back is being taken back, or was; its row stays locked."""
    if not call.undoes:
        return False
    if tx.call(call.undoes, lock=True).state is not CallState.DONE:
        return True
    return any(other.undoes == call.undoes for other in tx.calls(states=OPEN))


def _note(tx: Tx, talk: Conversation, calls: Sequence[Call]) -> int:
    """The entry that a model will see of it: that the owner did this, and no more."""
    names = ", ".join(sorted({call.tool for call in calls}))
    text = f"(the owner did this without you: {names})"
    return tx.append(talk.id, Entry(role=Role.OWNER, origin=Origin.OWNER, text=text), answer=False)
