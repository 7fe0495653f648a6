"""Put the day or time that a mail names into the calendar, once its owner has seen the card."""

from pydantic import Field

from assistant.commands.answer import Answer, CommandOutcome, say
from assistant.commands.body import Args, Body
from assistant.commands.context import CommandContext
from assistant.commands.everyday.mails import found
from assistant.domain.calendar.events import When
from assistant.domain.calls.call import Call
from assistant.domain.calls.states import CallState
from assistant.domain.mail.heading import heading_of
from assistant.domain.mail.mail import Mail, MailState
from assistant.domain.text.invisible import without_invisible
from assistant.domain.text.subjects import bare_subject
from assistant.domain.time.moments import say_when
from assistant.flows.calls.led_calls import propose_from_mail
from assistant.flows.render.ledger import why_refused
from assistant.tools.calendar.invitations.follow import FOLLOW

TOOL = "create_event"
_TITLE = 200
"""Characters of a title, the most that is taken of a subject."""


class _Scheduled(Args):
    mail: str = Field(description="The mail's id, or enough of its beginning.")


def _schedule(ctx: CommandContext, args: _Scheduled) -> Answer:
    """Propose the event; it waits for a yes, as its words are a stranger's."""
    with ctx.read() as tx:
        mail = tx.mail(args.mail)
    if mail.state is MailState.FORGOTTEN:
        return say("That mail was forgotten.", outcome=CommandOutcome.STALE)
    if waiting := _waiting(ctx, mail):
        return say(f"{waiting.handle} asks you about it already.", outcome=CommandOutcome.STALE)
    when = ctx.parts.mails.when(mail)
    if when is None:
        said = "I find no day or time in this mail that is still to come."
        return say(said, outcome=CommandOutcome.STALE)
    with ctx.store.begin(ctx.cause) as tx:
        if not tx.first_sight("schedule", ctx.event):
            return say("It was asked for already.", outcome=CommandOutcome.STALE)
    call = propose_from_mail(
        TOOL,
        {"title": _title(mail), "start": when.start.isoformat(), "end": when.end.isoformat()},
        mail,
        by=ctx.by,
        channel=ctx.conversations,
        place=ctx.alone,
        cause=ctx.cause,
        ctx=ctx.flows,
    )
    return _proposed(ctx, call, when)


def _proposed(ctx: CommandContext, call: Call, when: When) -> Answer:
    if call.state is not CallState.PARKED:
        return say(f"It cannot be added: {why_refused(call)}", outcome=CommandOutcome.DENIED)
    return say(f"{call.handle} waits for your yes: {say_when(when, ctx.zone)}.")


def _waiting(ctx: CommandContext, mail: Mail) -> Call | None:
    """The call that asks about this mail's time and still waits."""
    with ctx.read() as tx:
        parked = tx.calls(states={CallState.PARKED})
    about = f"mail {mail.id} "
    return next(
        (
            call
            for call in parked
            if (call.tool == FOLLOW or (call.tool == TOOL and call.actor.startswith("owner:")))
            and any(f"{one.source} ".startswith(about) for one in call.led)
        ),
        None,
    )


def _title(mail: Mail) -> str:
    """The subject as one line that a card can show."""
    line = " ".join(bare_subject(without_invisible(heading_of(mail).subject)).split())
    shown = "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in line)
    return shown[:_TITLE] or "(no subject)"


SCHEDULE = Body(args=_Scheduled, run=_schedule, choices={"mail": found})
