"""A conversation: stop it, begin another, and what can be said in it."""

from assistant.commands.answer import Answer, say
from assistant.commands.body import Body, Nothing
from assistant.commands.context import Context
from assistant.commands.help import help_for
from assistant.flows.chat import begin_anew, stop


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


STOP = Body(args=Nothing, run=_stop)
NEW = Body(args=Nothing, run=_new)
HELP = Body(args=Nothing, run=_help)
