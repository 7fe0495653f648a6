"""A conversation: stop it, begin another, and what can be said in it."""

from typing import Annotated

from pydantic import Field

from assistant.commands.answer import Answer, Button, CommandOutcome, Form, Waits, Words, say
from assistant.commands.body import Args, Body, Nothing, Option
from assistant.commands.buttons import source_name, text_name
from assistant.commands.context import CommandContext
from assistant.commands.help import help_for
from assistant.domain.approvals.approval import Verb
from assistant.domain.conversation.conversation import Quoted
from assistant.domain.mail.mail import MailState
from assistant.flows.conversation.hear import begin_anew, hear, stop


class _Asked(Args):
    words: Annotated[
        str, Field(description="What you want, in your own words."), Option(needed=True)
    ] = ""
    mail: Annotated[
        str, Field(description="The id of the mail that it is about."), Option(chat=False)
    ] = ""
    message: Annotated[
        str, Field(description="The channel's id of a message it is about."), Option(chat=False)
    ] = ""


def _ask(ctx: CommandContext, args: _Asked) -> Answer:
    """Hear it as the owner's words; a mail that it is about is named by code.

    A message that it is about is outside text, whoever pointed at it.
    """
    if args.mail and _is_forgotten(ctx, args.mail):
        return say("That mail was forgotten.", outcome=CommandOutcome.STALE)
    about = f"\n(This is about mail {args.mail}.)" if args.mail else ""
    conversation = hear(
        f"{args.words}{about}",
        channel=ctx.conversations,
        place=ctx.place,
        event=ctx.event,
        cause=ctx.cause,
        store=ctx.store,
        limits=ctx.parts.limits,
        aside=ctx.aside,
        quoted=_pointed_at(ctx, args.message) if args.message else (),
    )
    return Answer(
        blocks=(Words(text=f"I am on it; the answer comes {ctx.answers_in}."),),
        waits=Waits(trace=ctx.cause.trace),
        follow=conversation or "",
    )


def _pointed_at(ctx: CommandContext, message: str) -> tuple[Quoted]:
    source, text = ctx.shown[source_name(message)], ctx.shown[text_name(message)]
    return (Quoted(source=source, text=text),)


def _ask_form(ctx: CommandContext, args: _Asked) -> Form | None:
    if args.words:
        return None
    if args.message:
        return _question("message", args.message, "Ask about this", verb=Verb.ASK_ABOUT)
    if not args.mail or _is_forgotten(ctx, args.mail):
        return None
    return _question("mail", args.mail, "Ask about it", verb=Verb.ASK)


def _question(about: str, subject: str, label: str, *, verb: Verb) -> Form:
    """Ask for the question about a mail or a message."""
    return Form(
        argument="words",
        title=f"Ask about this {about}",
        label="Your question",
        long=True,
        next=Button(label=label, command="ask", args={about: subject}, verb=verb, subject=subject),
    )


def _is_forgotten(ctx: CommandContext, id: str) -> bool:
    with ctx.read() as tx:
        return tx.mail(id).state is MailState.FORGOTTEN


def _stop(ctx: CommandContext, _args: Nothing) -> Answer:
    return say(
        stop(
            channel=ctx.conversations,
            place=ctx.place,
            cause=ctx.cause,
            store=ctx.store,
            toolbox=ctx.parts.toolbox,
            zone=ctx.zone,
        )
    )


def _new(ctx: CommandContext, _args: Nothing) -> Answer:
    begin_anew(channel=ctx.conversations, place=ctx.place, cause=ctx.cause, store=ctx.store)
    return say("A new conversation; the old one is kept.")


class _Helped(Args):
    all: bool = Field(default=False, description="Every command, not only the first ones.")


def _help(ctx: CommandContext, args: _Helped) -> Answer:
    return say(help_for(ctx.channel, all=args.all))


ASK = Body(args=_Asked, run=_ask, form=_ask_form)
STOP = Body(args=Nothing, run=_stop)
NEW = Body(args=Nothing, run=_new)
HELP = Body(args=_Helped, run=_help)
