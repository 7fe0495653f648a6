"""Show what could not be shown where others read, to one person alone."""

from pydantic import Field

from assistant.commands.answer import Answer, Card
from assistant.commands.body import Args, Body
from assistant.commands.context import Context


class _Kept(Args):
    delivery: str = Field(description="Its id.")


def _show(ctx: Context, args: _Kept) -> Answer:
    """As it is now, with buttons for this person."""
    with ctx.read() as tx:
        shown = tx.delivery(args.delivery).wanted
    return Answer(blocks=(Card(call="", handle="", shown=shown),))


SHOW = Body(args=_Kept, run=_show)
