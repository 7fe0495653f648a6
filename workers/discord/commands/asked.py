"""What somebody typed, pressed or filled in, as a command with its arguments."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, get_origin

from assistant.adapters.discord.modals import modal, read_modal, text_modal
from assistant.commands.answer import Form
from assistant.commands.buttons import given_by, shown_with, source_name, text_name
from assistant.commands.carry_out import BoundCommand, bound, chat_fields, named, plain_kind
from assistant.commands.context import CommandContext
from assistant.commands.index import given_in
from assistant.domain.conversation.conversation import Quoted
from assistant.domain.errors import BadArguments
from assistant.flows.approvals.buttons import look_up
from workers.discord.interaction import Interaction, Kind

_TYPED = "text"
"""The one input of a form, where it has one."""


@dataclass(frozen=True, kw_only=True)
class Asked:
    """A command, with what it is given by."""

    ctx: CommandContext
    bound: BoundCommand
    custom_id: str = ""
    """What the button or the form carries; empty where the command was typed."""
    filled: bool = False
    """True for a form that was sent, False for the button that leads to one."""

    def form(self) -> Form | None:
        """What has to be typed first: what the command lacks, or what a button can take beside."""
        form = None if self.filled else self.bound.form(self.ctx)
        return form if form and (form.required or self.custom_id) else None


def typed(it: Interaction, ctx: CommandContext) -> Asked:
    """A slash command. Raises as ``bound``."""
    command = named(it.name, ctx.channel)
    kinds = {
        name: plain_kind(info)
        for name, info, option in chat_fields(command.load())
        if not option.step
    }
    if odd := it.options.keys() - kinds.keys():
        raise BadArguments(f"/{it.name} takes no {min(odd)}")
    given = {name: _read(kinds[name], value) for name, value in it.options.items()}
    return Asked(ctx=ctx, bound=bound(ctx, it.name, given))


def pointed_at(it: Interaction, ctx: CommandContext) -> Asked:
    """A command on a message's menu. Raises ``NoCommand``."""
    about = it.about or Quoted(source="a message on Discord", text="")
    known = given_in(ctx.channel).values()
    name = next((one.name for one in known if one.menu and one.menu == it.name), it.name)
    ctx = ctx.having_shown({source_name(it.target): about.source, text_name(it.target): about.text})
    return Asked(ctx=ctx, bound=bound(ctx, name, {"message": it.target}))


def pressed(it: Interaction, ctx: CommandContext) -> Asked:
    """A button, or the form that it led to.

    Raises:
        NotFound: it is no button of ours.
        Denied: it counts for nothing, wherever that comes from.
        BadArguments: what was filled in does not fit.
    """
    button = look_up(it.token, by=ctx.by, shown_as=it.message, cause=ctx.cause, ctx=ctx.flows)
    ctx = replace(ctx, button=button, shown=shown_with(button.token))
    name, given = given_by(button.token)
    one = Asked(ctx=ctx, bound=bound(ctx, name, given), custom_id=it.custom_id)
    if it.kind is not Kind.MODAL:
        return one
    return replace(one, bound=one.bound.having(**_filled_in(one, it.fields)), filled=True)


def _filled_in(one: Asked, fields: Mapping[str, str]) -> dict[str, Any]:
    """The argument that a form was for; without one of its own it asked for the word."""
    if form := one.form():
        return {form.argument: _typed_into(form, fields)}
    if "why" in type(one.bound.args).model_fields:  # a form that Deny itself led to, once
        return {"why": fields.get(_TYPED, "")}
    takes_word = "word" in type(one.bound.args).model_fields
    return {"word": fields.get(_TYPED, "")} if takes_word else {}


def _typed_into(form: Form, fields: Mapping[str, str]) -> str:
    """What was there and is not any more was taken out, and does not simply stay."""
    if form.schema is None:
        return fields.get(_TYPED, "")
    read = read_modal(form.schema, fields)
    return json.dumps({**dict.fromkeys(form.values.keys() - read.keys()), **read})


def as_modal(form: Form, *, custom_id: str) -> Mapping[str, Any]:
    if form.schema is not None:
        return modal(form.title, custom_id, form.schema, form.values)
    return text_modal(
        form.title,
        custom_id,
        form.label,
        required=form.required,
        placeholder=form.placeholder,
        long=form.long,
        most=form.most,
    )


def word_modal(word: str, *, custom_id: str) -> Mapping[str, Any]:
    """A form for the second step."""
    return text_modal("A second step", custom_id, f"Type {word}", placeholder=word)


def _read(kind: Any, value: object) -> object:
    if isinstance(value, str):
        return value.split() if get_origin(kind) is list else value.strip()
    return value
