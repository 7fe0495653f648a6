"""The morning brief, at any time of the day."""

from assistant.commands.answer import Answer, Card
from assistant.commands.body import Body, Nothing
from assistant.commands.context import CommandContext
from assistant.domain.reminders.due_notices import DueKind
from assistant.flows.operations.brief import BriefContext, brief_now


def _brief(ctx: CommandContext, _args: Nothing) -> Answer:
    with ctx.read() as tx:
        last = tx.last_notice(DueKind.BRIEF)
    made = BriefContext(**vars(ctx.flows), calendar=ctx.parts.calendar, home=ctx.parts.home)
    shown = brief_now(ctx.cause, ctx=made, since=last.made if last else None)
    card = Card(call="", handle="", shown=shown)
    return Answer(blocks=(card,), data=lambda: {"title": shown.title, "text": shown.text})


BRIEF = Body(args=Nothing, run=_brief)
