"""Set a reminder in words. It is a call of the owner's own, so that undo takes it back."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any

from pydantic import Field

from assistant.commands.answer import Answer, CommandOutcome, Waits, say
from assistant.commands.body import Args, Body, Option
from assistant.commands.calls.lookups import as_card, call_facts
from assistant.commands.channel import CommandChannel
from assistant.commands.context import CommandContext
from assistant.domain.calls.call import Call
from assistant.domain.calls.states import HAPPENED, CallState
from assistant.domain.errors import BadArguments
from assistant.domain.reminders.said import SaidReminder, read_parts, read_reminder
from assistant.domain.text.quotes import quoted
from assistant.domain.time.moments import say_moment, zone_of
from assistant.domain.time.said.almanac import Almanac
from assistant.domain.time.said.values import Unclear
from assistant.flows.calls.owner_calls import call_tool
from assistant.flows.render.ledger import why_refused
from assistant.tools.reminders.args import SetReminder
from assistant.tools.reminders.setting import how_often

_TOOL = "remind_me"
_TWO = 2
_SOON = 2.0
"""Seconds that a chat waits for it to be set."""


class _Reminded(Args):
    words: Annotated[
        list[str],
        Field(description="Of what and when: call Bob tomorrow at 9."),
        Option(positional=True),
    ]


def _remind(ctx: CommandContext, args: _Reminded) -> Answer:
    said = _read(ctx, args.words)
    [call] = call_tool(
        _TOOL,
        _asked(said),
        by=ctx.by,
        channel=ctx.conversations,
        place=ctx.place,
        cause=ctx.cause,
        ctx=ctx.flows,
    )
    waits = Waits(trace=ctx.cause.trace, calls=(call.id,), soon=_SOON, about=said.note)
    return replace(_told(ctx, call, said.note), waits=waits)


def _read(ctx: CommandContext, words: Sequence[str]) -> SaidReminder:
    almanac = Almanac(now=ctx.now().astimezone(zone_of(ctx.zone)), zone=zone_of(ctx.zone))
    try:
        if ctx.channel is CommandChannel.COMMAND_LINE and len(words) == _TWO:
            return read_parts(words[0], words[1], almanac)
        return read_reminder(" ".join(words), almanac)
    except Unclear as unclear:
        raise BadArguments(str(unclear)) from unclear


def _asked(said: SaidReminder) -> Mapping[str, Any]:
    """Return what was understood as the tool takes it."""
    rule = said.repeats.model_dump(mode="json", exclude_none=True) if said.repeats else None
    asked = {"text": said.text, "at": said.at.isoformat()}
    return asked | ({"repeats": rule} if rule else {})


def _came_of(ctx: CommandContext, _args: _Reminded, answer: Answer) -> Answer:
    assert answer.waits is not None  # noqa: S101 (nobody else is asked)
    [id] = answer.waits.calls
    with ctx.read() as tx:
        return _told(ctx, tx.call(id), answer.waits.about)


def _told(ctx: CommandContext, call: Call, note: str) -> Answer:
    """Say what was understood, and what became of it."""
    if call.state is CallState.PARKED:
        card = as_card(ctx, call)
        return Answer(blocks=(card,), outcome=CommandOutcome.WAITING, data=lambda: call_facts(call))
    if call.state is CallState.REFUSED:
        return say(f"It cannot be set: {why_refused(call)}", outcome=CommandOutcome.DENIED)
    wanted = SetReminder.model_validate(call.facts.args)
    often = how_often(wanted)
    when = ", ".join(filter(None, (say_moment(wanted.at, ctx.zone), often)))
    lines = [f"I remind you of {quoted(wanted.text)}: {when}.", note]
    happened = call.state in HAPPENED
    if not happened:
        lines.append("It is being set.")
    elif ctx.channel is CommandChannel.COMMAND_LINE:
        lines.append(f"`{ctx.typed('undo', call.handle)}` takes it back.")
    return say(*filter(None, lines), data=lambda: call_facts(call))


REMIND = Body(args=_Reminded, run=_remind, then=_came_of)
