"""Take back what calls did, by calls of their own that are judged like any."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from typing import Annotated, Any

from pydantic import Field

from assistant.commands.answer import Answer, Block, Button, CommandOutcome, Waits, Words, say
from assistant.commands.body import Args, Body, Option
from assistant.commands.buttons import plan_name
from assistant.commands.calls.lookups import as_card, call_facts, fitting
from assistant.commands.channel import PRESSING, CommandChannel
from assistant.commands.context import CommandContext
from assistant.commands.typed import past
from assistant.domain.approvals.approval import Verb
from assistant.domain.calls.call import Call
from assistant.domain.calls.states import HAPPENED, CallState, state_name
from assistant.domain.errors import BadArguments
from assistant.domain.policy.decisions import one_line
from assistant.domain.time.moments import say_lately
from assistant.flows.approvals.buttons import use_up
from assistant.flows.calls import undo as undoing
from assistant.flows.calls.undo import Undoing

_LATELY = timedelta(days=30)
_OFFERED = 25
_LIST = "undo since"
"""What a channel has shown of the list: the ids of its calls."""
_TITLE = 55
"""Characters of what is offered while it is typed, so that its time has room behind it."""
_WORST = (
    CommandOutcome.FAILED,
    CommandOutcome.STALE,
    CommandOutcome.DENIED,
    CommandOutcome.WAITING,
)


class _Undone(Args):
    all: bool = Field(False, description="All that was done in answer to the same words of yours.")
    call: Annotated[
        list[str],
        Field(description="Such as A17 A18."),
        Option(positional=True),
    ] = Field(default_factory=list)
    since: Annotated[
        str,
        Field(description="All that was done since then: ISO, or how long ago (2h, 3d)."),
        Option(chat=False),
    ] = ""
    yes: Annotated[
        bool,
        Field(description="With --since: yes, to all that was listed."),
        Option(step=True, chat=False),
    ] = False


def _listed(ctx: CommandContext, args: _Undone) -> Answer:
    """All that would be undone, and one question; nothing to ask where calls are named."""
    if not args.since or args.call:
        return Answer()
    moment = past(args.since, zone=ctx.zone, now=ctx.now())
    found = undoing.undoable_since(moment, cause=ctx.cause, ctx=ctx.flows)
    if not found:
        return Answer()
    these = "this one" if len(found) == 1 else f"all {len(found)}"
    return Answer(
        blocks=(Words(text="\n".join(f"{one.handle}: {words}" for one, words in found)),),
        shown={_LIST: " ".join(one.id for one, _ in found)},
        question=f"Undo {these}?",
    )


def _undo(ctx: CommandContext, args: _Undone) -> Answer:
    if not (args.call or args.all or args.since):
        return _offer(ctx)
    if args.all and not args.since:
        return _undo_all(ctx, args.call)
    if args.all or bool(args.call) == bool(args.since):
        raise BadArguments("name calls, such as A17, or a time with --since")
    if args.call:
        return _begun(ctx, [], _taken_back(ctx, partial(undoing.undo, _known(ctx, args.call))))
    moment = past(args.since, zone=ctx.zone, now=ctx.now())
    if handles := ctx.shown.get(_LIST, "").split():
        return _begun(ctx, [], _taken_back(ctx, partial(undoing.undo, handles)))
    return _nothing_to_begin(ctx, moment)


def _nothing_to_begin(ctx: CommandContext, since: datetime) -> Answer:
    """Say what waits or is at work to undo what was done since then; else that nothing was."""
    at_work = undoing.being_undone_since(since, cause=ctx.cause, ctx=ctx.flows)
    if not at_work:
        return say("Nothing was done since then that can be taken back.", data=list)
    found = [
        Undoing(handle=one.handle, accepted=True, text=f"{one.handle}: {by.handle}", call=by)
        for one, by in at_work
    ]
    return _told(ctx, found)


def _offer(ctx: CommandContext) -> Answer:
    """The newest changes that can be undone; nothing is chosen for whoever does not say."""
    found = [one for one in _to_undo(ctx) if one.ended]
    if not found:
        return say("There is nothing to undo.", data=list)
    typed = [
        f"{ctx.typed('undo', one.handle)}  {_told_in_short(one)}, {_ended(ctx, one)}"
        for one in found
    ]
    lines = [] if ctx.channel in PRESSING else typed
    buttons = tuple(
        Button(
            label=f"{one.handle}: {_told_in_short(one)}",
            command="undo",
            args={"call": [one.handle]},
            verb=Verb.UNDO,
            subject=one.id,
            choice="Undo one of them",
            detail=_ended(ctx, one),
        )
        for one in found
    )
    return Answer(
        blocks=(Words(text="\n".join(("What shall I undo?", *lines))),),
        buttons=buttons,
        data=lambda: [call_facts(one) for one in found],
    )


def _undo_all(ctx: CommandContext, named: Sequence[str]) -> Answer:
    """What the button's message showed as done; typed, all that was done for the same words."""
    if len(named) != 1:
        raise BadArguments(f"name one call. Type: {ctx.typed('undo', 'all', 'A17')}")
    shown = ctx.shown.get(plan_name(named[0]), "").split() if ctx.button else []
    undo = (
        partial(undoing.undo_these, shown)
        if shown
        else partial(undoing.undo_all, _known(ctx, named)[0])
    )
    found = _taken_back(ctx, undo)
    if not found:
        return say(f"Nothing that was done with {named[0]} can be undone.", data=list)
    return _begun(ctx, [], found)


def _begun(ctx: CommandContext, ended: list[Undoing], found: list[Undoing]) -> Answer:
    """What is begun. A chat says no more than that."""
    if not any(one.accepted for one in found):
        return _told(ctx, [*ended, *found])
    lines = "\n".join(one.text for one in (*ended, *found))
    waits = Waits(trace=ctx.cause.trace, about=(ended, found))
    return Answer(blocks=(Words(text=lines),), waits=waits)


def _came_of(ctx: CommandContext, _args: _Undone, answer: Answer) -> Answer:
    """What came of each; of several changes to one object the newest goes first, then the next."""
    assert answer.waits is not None  # noqa: S101 (nobody else is asked)
    ended, found = answer.waits.about
    moved = [one.handle for one in found if one.stale]
    if moved and answer.waits.rested and len(moved) < len(found):
        rest = [one for one in found if not one.stale]
        return _begun(ctx, [*ended, *rest], _taken_back(ctx, partial(undoing.undo, moved)))
    told = _told(ctx, [_now(ctx, one) for one in (*ended, *found)])
    if answer.waits.rested:
        return told
    late = f"it is still at work; {ctx.typed('calls list')} tells what came of it"
    return replace(told, outcome=CommandOutcome.UNREACHABLE, notes=(*told.notes, late))


def _told(ctx: CommandContext, found: Sequence[Undoing]) -> Answer:
    accepted = [(one.text, one.call) for one in found if one.accepted and one.call is not None]
    parked = [call for _, call in accepted if call.state is CallState.PARKED]
    blocks: list[Block] = [Words(text=_line(text, call)) for text, call in accepted]
    if len(parked) == 1:
        blocks.append(as_card(ctx, parked[0]))
    elif len({(call.conversation, call.turn) for call in parked}) == 1:
        many = f"All {len(parked)} wait for one yes"
        blocks.append(Words(text=f"{many}: {_plan_as_typed(ctx, parked[0])}"))
    outcomes = {_outcome(one) for one in found}
    return Answer(
        blocks=tuple(blocks),
        notes=tuple(one.text for one in found if not one.accepted),
        outcome=next((one for one in _WORST if one in outcomes), CommandOutcome.DONE),
        data=lambda: [_facts(one) for one in found],
    )


def _line(text: str, call: Call) -> str:
    """Say what undoes a call, and how that stands."""
    if call.state is not CallState.PARKED:
        return f"{text}: {state_name(call.state)}. {call.told}"
    waits = f"{call.handle} waits for your yes"
    return text if text.endswith(waits) else f"{text}: {waits}"


def _plan_as_typed(ctx: CommandContext, call: Call) -> str:
    if ctx.channel is CommandChannel.COMMAND_LINE:
        return ctx.typed("approve", call.handle, "--plan")
    return ctx.typed("plan", call.handle)


def _outcome(one: Undoing) -> CommandOutcome:
    if one.call is None:
        return CommandOutcome.STALE if one.stale else CommandOutcome.FAILED
    if one.call.state in HAPPENED:
        return CommandOutcome.DONE
    if one.call.state is CallState.REFUSED:
        return CommandOutcome.DENIED
    waits = one.call.can_become(CallState.CANCELLED)
    return CommandOutcome.WAITING if waits else CommandOutcome.FAILED


def _taken_back(ctx: CommandContext, undo: Callable[..., list[Undoing]]) -> list[Undoing]:
    """A receipt's button counts once, but stays where nothing came of it."""
    who: dict[str, Any] = {
        "by": ctx.by,
        "channel": ctx.conversations,
        "place": ctx.alone,
        "cause": ctx.cause,
        "ctx": ctx.flows,
    }
    found = undo(**who)
    if ctx.token and any(one.accepted for one in found):
        use_up(ctx.token, by=ctx.by, cause=ctx.cause, ctx=ctx.flows)
    return found


def _known(ctx: CommandContext, handles: Sequence[str]) -> list[str]:
    """Their ids. Raises ``NotFound`` if one is no call, before anything is asked for."""
    with ctx.read() as tx:
        return [tx.call_named(handle).id for handle in handles]


def _now(ctx: CommandContext, one: Undoing) -> Undoing:
    """The same, its call as it is once it rests."""
    if one.call is None or not one.call.number:
        return one.model_copy(update={"call": None})
    with ctx.read() as tx:
        return one.model_copy(update={"call": tx.call(one.call.id)})


def _facts(one: Undoing) -> dict[str, Any]:
    return {
        "id": one.handle,
        "accepted": one.accepted,
        "text": one.text,
        "stale": one.stale,
        "by": call_facts(one.call) if one.call else None,
    }


def _undoable(ctx: CommandContext, typed: str) -> Sequence[tuple[str, str]]:
    found = [
        (f"{one.handle}: {_told_in_short(one)}, {_ended(ctx, one)}", one.handle)
        for one in _to_undo(ctx)
    ]
    return fitting(found, typed)


def _to_undo(ctx: CommandContext) -> list[Call]:
    """The newest calls whose changes can be undone."""
    since = ctx.now() - _LATELY
    handles = undoing.done_since(since, cause=ctx.cause, ctx=ctx.flows)[:_OFFERED]
    with ctx.read() as tx:
        return [tx.call_named(handle) for handle in handles]


def _told_in_short(call: Call) -> str:
    return one_line(call.told, _TITLE) or call.tool


def _ended(ctx: CommandContext, call: Call) -> str:
    return say_lately(call.ended, ctx.zone, now=ctx.now()) if call.ended else ""


UNDO = Body(args=_Undone, run=_undo, preview=_listed, then=_came_of, choices={"call": _undoable})
