"""A conversation: stop it, begin another, and what can be said in it."""

from typing import Annotated

from pydantic import Field

from assistant.commands.answer import Answer, Button, Form, Outcome, Waits, Words, say
from assistant.commands.body import Args, Body, Nothing, Option
from assistant.commands.context import Context
from assistant.commands.help import help_for
from assistant.domain.approvals import Verb
from assistant.domain.mail import MailState
from assistant.flows.chat import begin_anew, hear, stop


class _Asked(Args):
    words: Annotated[
        str, Field(description="What you want, in your own words."), Option(needed=True)
    ] = ""
    mail: Annotated[
        str, Field(description="The id of the mail that it is about."), Option(chat=False)
    ] = ""


def _ask(ctx: Context, args: _Asked) -> Answer:
    """Hear it as the owner's words; a mail that it is about is named by code."""
    if args.mail and _is_forgotten(ctx, args.mail):
        return say("That mail was forgotten.", outcome=Outcome.STALE)
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
    return Answer(
        blocks=(Words(text=f"I am on it; the answer comes {ctx.answers_in}."),),
        waits=Waits(trace=ctx.cause.trace),
        follow=talk or "",
    )


def _ask_form(ctx: Context, args: _Asked) -> Form | None:
    if args.words or not args.mail or _is_forgotten(ctx, args.mail):
        return None
    return Form(
        argument="words",
        title="Ask about this mail",
        label="Your question",
        long=True,
        next=Button(
            label="Ask about it",
            command="ask",
            args={"mail": args.mail},
            verb=Verb.ASK,
            subject=args.mail,
        ),
    )


def _is_forgotten(ctx: Context, id: str) -> bool:
    with ctx.read() as tx:
        return tx.mail(id).state is MailState.FORGOTTEN


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


ASK = Body(args=_Asked, run=_ask, form=_ask_form)
STOP = Body(args=Nothing, run=_stop)
NEW = Body(args=Nothing, run=_new)
HELP = Body(args=Nothing, run=_help)
