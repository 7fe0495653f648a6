"""List the reminders that wait."""

from collections.abc import Sequence

from assistant.domain.calls.call import Facts
from assistant.domain.reminders.reminder import Reminder
from assistant.domain.store import Store
from assistant.domain.text.fence import fence
from assistant.domain.time.moments import say_moment
from assistant.tools.contract.context import ToolContext
from assistant.tools.contract.declare import read_tool
from assistant.tools.contract.results import Result
from assistant.tools.contract.tool import Tool
from assistant.tools.reminders.args import (
    REMINDERS,
    FoundReminder,
    FoundReminders,
    ListReminders,
    SetReminder,
)
from assistant.tools.reminders.setting import how_often

_WRITTEN = "reminders that others' words led to"
_NONE = "No reminder waits."


def reminder_lister(store: Store) -> Tool[ListReminders]:
    def inspect(args: ListReminders, _context: ToolContext) -> Sequence[Facts]:
        return [Facts(args=args.model_dump(mode="json"), own=True)]

    def execute(facts: Facts, context: ToolContext) -> Result:
        with store.read(context.cause) as tx:
            found = tx.reminders(limit=facts.args["limit"])
            count = tx.waiting_reminders()
        data = FoundReminders(reminders=[_row(one) for one in found]).model_dump(mode="json")
        if not found:
            return Result(text=_NONE, told=_NONE, data=data)
        own = "\n".join(_line(one, context.zone) for one in found if not one.tainted)
        led = "\n".join(_line(one, context.zone) for one in found if one.tainted)
        told = f"{count} reminder{' waits' if count == 1 else 's wait'}."
        fenced = fence(led, source=_WRITTEN) if led else ""
        text = "\n".join(filter(None, (told, own, fenced)))
        return Result(text=text, told=told, outside=bool(led), data=data)

    return read_tool(
        "list_reminders",
        title="List reminders",
        args=ListReminders,
        result=FoundReminders,
        scopes=REMINDERS,
        inspect=inspect,
        execute=execute,
        source=lambda _facts: _WRITTEN,
        free_args=("limit",),
        quick=True,
    )


def _row(one: Reminder) -> FoundReminder:
    held = one.model_dump(include=set(SetReminder.model_fields))
    return FoundReminder(handle=one.handle, **held)


def _line(one: Reminder, zone: str) -> str:
    often = how_often(one)
    return (
        f"{one.handle}: {one.text} ({', '.join(filter(None, (say_moment(one.at, zone), often)))})"
    )
