"""Another call in the place of one: edited, or asked about again."""

from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import Field

from assistant.commands.answer import Answer, Button, Form
from assistant.commands.body import Body, OneCall, Option
from assistant.commands.calls.answered import new_card, replaced
from assistant.commands.calls.lookups import (
    asked_about,
    call_named,
    calls_in,
    calls_waiting,
    look_first,
)
from assistant.commands.channel import Channel
from assistant.commands.context import Context
from assistant.commands.typed import json_object
from assistant.domain.approvals import Verb
from assistant.domain.call_states import ASKED_AGAIN, CallState
from assistant.domain.calls import Call
from assistant.domain.errors import BadArguments
from assistant.domain.typed_times import write_times
from assistant.flows.anew import ask_again, edit_call


class _Edited(OneCall):
    changes: Annotated[
        str,
        Field(description="What is to be otherwise, as a JSON object."),
        Option(name="--args", step=True),
    ] = ""


def _edit_preview(ctx: Context, args: _Edited) -> Answer:
    """Nothing is said yes to: the card of what takes its place is shown."""
    call, approval = asked_about(ctx, args.call)
    return Answer(shown={call.id: approval.card})


def _edit(ctx: Context, args: _Edited) -> Answer:
    call = call_named(ctx, args.call)
    if first := look_first(ctx, call):
        return first
    wanted = _otherwise(ctx, call, args.changes) if _has_others(call) else {}
    pressed = edit_call(
        call.id,
        wanted,
        by=ctx.by,
        card=ctx.shown.get(call.id, ""),
        cause=ctx.cause,
        ctx=ctx.flows,
    )
    return replaced(pressed, call)


def _edit_form(ctx: Context, args: _Edited) -> Form | None:
    """What it wants, with times on the owner's clock."""
    call = call_named(ctx, args.call)
    schema = ctx.flows.tool(call).schema.parameters
    if not _has_others(call) or look_first(ctx, call):
        return None
    return Form(
        argument="changes",
        title=f"Edit {call.handle}",
        schema=schema,
        values=write_times(call.asked, schema, zone=ctx.zone),
        next=Button(
            label="Edit",
            command="edit",
            args={"call": call.handle},
            verb=Verb.EDIT,
            subject=call.id,
        ),
    )


def _has_others(call: Call) -> bool:
    """Whether it can have other arguments: it waits, and is no undo, whose code made them."""
    return call.state is CallState.PARKED and not call.undoes


def _otherwise(ctx: Context, call: Call, typed: str) -> dict[str, Any]:
    try:
        return json_object(typed)
    except BadArguments as error:
        trouble = str(error) if typed else "what is to be otherwise?"
        raise BadArguments(f"{trouble} Type: {_example(ctx, call)}") from error


def _example(ctx: Context, call: Call) -> str:
    """How to change one of its fields, and which there are."""
    fields = list(call.asked)
    first = "title" if "title" in fields else next(iter(fields), "name")
    others = f" (it has {', '.join(fields)})" if len(fields) > 1 else ""
    change = f'{{"{first}": "..."}}'
    if ctx.channel is Channel.COMMAND_LINE:
        change = f"--args '{change}'"
    return f"{ctx.typed('edit', call.handle, change)}{others}"


def _again(ctx: Context, args: OneCall) -> Answer:
    call = call_named(ctx, args.call)
    return replaced(ask_again(call.id, cause=ctx.cause, ctx=ctx.flows), call)


def _ended(ctx: Context, typed: str) -> Sequence[tuple[str, str]]:
    """What can be asked about again."""
    return calls_in(ctx, typed, ASKED_AGAIN)


EDIT = Body(
    args=_Edited,
    run=_edit,
    preview=_edit_preview,
    then=new_card,
    choices={"call": calls_waiting},
    form=_edit_form,
)
AGAIN = Body(args=OneCall, run=_again, then=new_card, choices={"call": _ended})
