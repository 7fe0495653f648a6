"""Another call in the place of one: edited, or asked about again."""

import shlex
from collections.abc import Mapping, Sequence
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
from assistant.commands.channel import CommandChannel
from assistant.commands.context import CommandContext
from assistant.commands.typed import LENGTH, edits
from assistant.domain.approvals.approval import Verb
from assistant.domain.calls.call import Call
from assistant.domain.calls.states import ASKED_AGAIN, CallState
from assistant.domain.errors import BadArguments
from assistant.domain.policy.schemas import reached
from assistant.domain.time.typed_times import write_times
from assistant.flows.approvals.reproposal import ask_again, edit_call

_MOST_INPUTS = 5
"""Of a form."""
_ID = "uid"
"""The resolved argument that holds the id of an object."""


class _Edited(OneCall):
    changes: Annotated[
        str,
        Field(description="What is to be otherwise: title=Dentist start=14:15, or a JSON object."),
        Option(name="--args", step=True),
    ] = ""


def _edit_preview(ctx: CommandContext, args: _Edited) -> Answer:
    """Nothing is said yes to: the card of what takes its place is shown."""
    call, approval = asked_about(ctx, args.call)
    return Answer(shown={call.id: approval.card})


def _edit(ctx: CommandContext, args: _Edited) -> Answer:
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


def _edit_form(ctx: CommandContext, args: _Edited) -> Form | None:
    """What it wants, with times on the owner's clock."""
    call = call_named(ctx, args.call)
    if not _has_others(call) or look_first(ctx, call):
        return None
    schema, asked = _readable(ctx.flows.tool(call).schema.parameters, call)
    return Form(
        argument="changes",
        title=f"Edit {call.handle}",
        schema=schema,
        values=write_times(asked, schema, zone=ctx.zone),
        next=Button(
            label="Edit",
            command="edit",
            args={"call": call.handle},
            verb=Verb.EDIT,
            subject=call.id,
        ),
    )


def _readable(schema: Mapping[str, Any], call: Call) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """The arguments that a person types: no id, and no object, list or choice that was not given.

    Where there are too many for a form, what names the object is left out too. What is not in the
    form stays as it was.
    """
    given = {name: value for name, value in call.asked.items() if value not in (None, "", [], ())}
    ids = {name for name, value in given.items() if value == call.facts.args.get(_ID)}
    all_of_them = schema.get("properties", {})
    out = ids | {
        name for name, node in all_of_them.items() if name not in given and _is_picked(node, schema)
    }
    if len(all_of_them.keys() - out) > _MOST_INPUTS:
        out |= set(schema.get("required", ()))
    if not out:
        return schema, call.asked
    properties = {name: one for name, one in all_of_them.items() if name not in out}
    required = [name for name in schema.get("required", ()) if name not in out]
    asked = {name: value for name, value in call.asked.items() if name not in out}
    return {**schema, "properties": properties, "required": required}, asked


def _is_picked(node: Mapping[str, Any], schema: Mapping[str, Any]) -> bool:
    """Whether an argument is an object or a list, or one of a few words."""
    nodes = reached(node, schema)
    return any(one.get("type") in {"object", "array"} or "enum" in one for one in nodes)


def _has_others(call: Call) -> bool:
    """Whether it can have other arguments: it waits, and is no undo, whose code made them."""
    return call.state is CallState.PARKED and not call.undoes


def edit_line(ctx: CommandContext, call: str) -> str:
    """The command that edits a call, with what it has now, for a person to go on with.

    An event's end is left out, so that it keeps its length. Raises ``NotFound``.
    """
    found = call_named(ctx, call)
    schema = ctx.flows.tool(found).schema.parameters
    now = write_times(found.asked, schema, zone=ctx.zone)
    if {"start", "end"} <= now.keys():
        del now["end"]
    plain = {name: value for name, value in now.items() if isinstance(value, str) and value}
    pairs = [f"{name}={shlex.quote(value)}" for name, value in plain.items()]
    return ctx.typed("edit", found.handle, *pairs)


def edit_names(ctx: CommandContext, call: str) -> str:
    """The names that an edit of the call takes, in a line. Raises ``NotFound``."""
    found = call_named(ctx, call)
    schema, _ = _readable(ctx.flows.tool(found).schema.parameters, found)
    names = ", ".join(schema.get("properties", ()))
    if not {"start", "end"} <= set(schema.get("properties", ())):
        return f"It takes {names}."
    times = "start=14:15 keeps the length, end=15:00 or length=45m sets it."
    return f"It takes {names}, length: {times}"


def _otherwise(ctx: CommandContext, call: Call, typed: str) -> dict[str, Any]:
    schema = ctx.flows.tool(call).schema.parameters
    try:
        return edits(typed, schema, was=call.asked, zone=ctx.zone, now=ctx.now())
    except BadArguments as error:
        trouble = str(error) if typed.strip() else "what is to be otherwise?"
        ended = trouble if trouble.endswith((".", "?")) else f"{trouble}."
        raise BadArguments(f"{ended} Type: {_example(ctx, call)}") from error


def _example(ctx: CommandContext, call: Call) -> str:
    """How to change one of its fields, and which there are."""
    fields = list(call.asked)
    if {"start", "end"} <= set(ctx.flows.tool(call).schema.parameters.get("properties", ())):
        fields = list(dict.fromkeys((*fields, "end", LENGTH)))
    first = "title" if "title" in fields else next(iter(fields), "name")
    others = f" (it has {', '.join(fields)})" if len(fields) > 1 else ""
    change = f"{first}=..."
    if ctx.channel is CommandChannel.COMMAND_LINE:
        change = f"--args '{change}'"
    return f"{ctx.typed('edit', call.handle, change)}{others}"


def _again(ctx: CommandContext, args: OneCall) -> Answer:
    call = call_named(ctx, args.call)
    return replaced(ask_again(call.id, cause=ctx.cause, ctx=ctx.flows), call)


def _ended(ctx: CommandContext, typed: str) -> Sequence[tuple[str, str]]:
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
