"""A conversation: stop it, begin another, and what can be said in it."""

from dataclasses import replace
from typing import Annotated

from pydantic import Field

from assistant.commands.answer import Answer, say
from assistant.commands.body import Args, Body, Nothing, Option
from assistant.commands.context import Context
from assistant.commands.help import help_for
from assistant.flows.chat import begin_anew, hear, stop


class _Asked(Args):
    words: str = Field(description="What you want, in your own words.")
    mail: Annotated[
        str, Field(description="The id of the mail that it is about."), Option(chat=False)
    ] = ""


def _ask(ctx: Context, args: _Asked) -> Answer:
    """Heard as the owner's words; a mail that they are about is named by code."""
    about = f"\n(This is about mail {args.mail}.)" if args.mail else ""
    talk = hear(
        f"{args.words}{about}",
        channel=ctx.talks,
        place=ctx.place,
        event=ctx.event,
        cause=ctx.cause,
        store=ctx.store,
        limits=ctx.parts.limits,
        aside=ctx.aside,
    )
    return replace(say("I am on it."), follow=talk or "")


def _stop(ctx: Context, _args: Nothing) -> Answer:
    return say(
        stop(
            channel=ctx.talks,
            place=ctx.place,
            cause=ctx.cause,
            store=ctx.store,
            toolbox=ctx.parts.toolbox,
            zone=ctx.zone,
        )
    )


def _new(ctx: Context, _args: Nothing) -> Answer:
    begin_anew(channel=ctx.talks, place=ctx.place, cause=ctx.cause, store=ctx.store)
    return say("A new conversation; the old one is kept.")


def _help(ctx: Context, _args: Nothing) -> Answer:
    return say(help_for(ctx.channel))


ASK = Body(args=_Asked, run=_ask)
STOP = Body(args=Nothing, run=_stop)
NEW = Body(args=Nothing, run=_new)
HELP = Body(args=Nothing, run=_help)
