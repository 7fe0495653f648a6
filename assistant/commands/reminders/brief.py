"""The morning brief, at any time of the day."""

from assistant.commands.answer import Answer, Words
from assistant.commands.body import Body, Nothing
from assistant.commands.context import CommandContext
from assistant.domain.reminders.due_notices import DueKind
from assistant.flows.operations.brief import BriefContext, brief_now


def _brief(ctx: CommandContext, _args: Nothing) -> Answer:
    with ctx.read() as tx:
        last = tx.last_notice(DueKind.BRIEF)
    made = BriefContext(**vars(ctx.flows), calendar=ctx.parts.calendar, home=ctx.parts.home)
    shown = brief_now(ctx.cause, ctx=made, since=last.made if last else None)
    told = {"title": shown.title, "text": shown.text}
    return Answer(
        blocks=(Words(text=shown.title), Words(text=shown.text, outside=True)), data=lambda: told
    )


BRIEF = Body(args=Nothing, run=_brief)
