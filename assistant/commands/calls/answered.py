"""What a yes or a no counts for, and what comes of it."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from assistant.commands.answer import (
    Answer,
    Block,
    Button,
    CommandOutcome,
    Fields,
    Waits,
    Words,
    fields,
)
from assistant.commands.calls.lookups import as_card, asked_about, asked_facts, whole_details
from assistant.commands.context import CommandContext
from assistant.domain.approvals.approval import ApprovalAnswer as Pressed
from assistant.domain.calls.call import Call
from assistant.domain.calls.states import CallState, state_name
from assistant.domain.errors import Denied
from assistant.domain.policy.decisions import MODEL
from assistant.flows.approvals.answers import open_details
from assistant.flows.render.ledger import why_refused


def answered(
    ctx: CommandContext, pressed: Pressed, calls: Sequence[Call], *, again: Button | None = None
) -> Answer:
    """What was answered about these calls. ``again``: the command that takes the word it lacks."""
    ids = tuple(call.id for call in calls)
    if pressed.accepted:
        outcome = CommandOutcome.DONE
    else:
        outcome = CommandOutcome.WAITING if pressed.word else CommandOutcome.STALE
    return Answer(
        blocks=(Words(text=pressed.text, at=pressed.at), *_to_be_seen(ctx, pressed)),
        outcome=outcome,
        word=pressed.word,
        next=again if pressed.word else None,
        waits=None if pressed.word else Waits(trace=calls[0].trace, calls=ids),
        follow=calls[0].conversation if pressed.accepted and calls[0].actor == MODEL else "",
        said=pressed,
        data=lambda: _facts(ctx, ids, pressed),
    )


def _to_be_seen(ctx: CommandContext, pressed: Pressed) -> Sequence[Block]:
    """Show the details that must be looked at first; the next yes counts."""
    if not pressed.look:
        return ()
    call = asked_about(ctx, pressed.look)[0]
    lines = whole_details(ctx, call)
    open_details(call.id, cause=ctx.cause, ctx=ctx.flows)
    next = Words(text="Here they are; a yes counts from now on.")
    return (next, Fields(title=f"{call.handle}: details", lines=lines))


def came_of(ctx: CommandContext, _args: Any, answer: Answer) -> Answer:
    """How the calls stand now."""
    assert answer.waits is not None  # noqa: S101 (nobody else is asked)
    ended = replace(answer, waits=None)
    if answer.outcome is not CommandOutcome.DONE:
        return ended
    calls = [asked_about(ctx, id)[0] for id in answer.waits.calls]
    now = {
        call.handle: f"{state_name(call.state)}. {call.told}"
        for call in calls
        if call.state is not CallState.DENIED  # what was answered says so already
    }
    failed = any(call.state is CallState.FAILED for call in calls)
    return replace(
        ended,
        blocks=(Words(text=answer.text), *([fields(now)] if now else [])),
        outcome=CommandOutcome.FAILED if failed else CommandOutcome.DONE,
    )


def replaced(pressed: Pressed, old: Call) -> Answer:
    """What was answered, where a new call is to take the place of the old one."""
    return Answer(
        blocks=(Words(text=pressed.text),),
        outcome=CommandOutcome.DONE if pressed.accepted else CommandOutcome.STALE,
        waits=Waits(trace=old.trace, calls=(old.id,)),
        follow=old.conversation if pressed.accepted and old.actor == MODEL else "",
        said=pressed,
        data=pressed.model_dump,
    )


def new_card(ctx: CommandContext, _args: Any, answer: Answer) -> Answer:
    """The call that has taken the old one's place, which waits for a yes."""
    assert answer.waits is not None  # noqa: S101 (nobody else is asked)
    assert answer.said is not None  # noqa: S101 (as above)
    ended = replace(answer, waits=None)
    call = _in_place_of(ctx, answer.waits.calls[0]) if answer.said.accepted else None
    if call is None:
        return replace(ended, outcome=CommandOutcome.STALE)
    if call.state is not CallState.PARKED:
        raise Denied(f"{call.handle} is {state_name(call.state)}: {why_refused(call)}")
    said = answer.said.model_dump(exclude={"call"})
    return replace(
        ended,
        blocks=(*answer.blocks, as_card(ctx, call)),
        outcome=CommandOutcome.WAITING,
        data=lambda: {**asked_facts(ctx, *asked_about(ctx, call.id)), **said},
    )


def _in_place_of(ctx: CommandContext, old: str) -> Call | None:
    with ctx.read() as tx:
        call = tx.call(old)
        turn = tx.calls(conversation=call.conversation, turn=call.turn)
    return next((one for one in turn if one.supersedes == old), None)


def _facts(ctx: CommandContext, calls: Sequence[str], pressed: Pressed) -> dict[str, Any]:
    told = [asked_facts(ctx, *asked_about(ctx, id)) for id in calls]
    shown = told[0] if len(told) == 1 else {"calls": told}
    return {**shown, **pressed.model_dump(exclude={"call"})}
