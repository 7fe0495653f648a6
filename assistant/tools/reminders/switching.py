"""Cancel a reminder, and let a cancelled one wait again."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from pydantic import BaseModel

from assistant.domain.calls.call import Facts, Reach, Risk
from assistant.domain.calls.inverse import Inverse
from assistant.domain.conversation.deliveries import Line, Row, moment
from assistant.domain.conversation.glance import Glance
from assistant.domain.errors import Stale
from assistant.domain.reminders.reminder import Reminder, ReminderState
from assistant.domain.store import Store
from assistant.domain.text.quotes import quoted
from assistant.domain.time.short import short_moment
from assistant.tools.contract.context import ToolContext
from assistant.tools.contract.declare import change_tool, keyed_effect
from assistant.tools.contract.results import Result
from assistant.tools.contract.tool import Tool
from assistant.tools.reminders.args import (
    REMINDERS,
    CancelReminder,
    ResumeReminder,
    SetReminder,
)
from assistant.tools.reminders.setting import how_often, location

_IS: Mapping[ReminderState, str] = {
    ReminderState.WAITING: "waits",
    ReminderState.TOLD: "was told",
    ReminderState.CANCELLED: "is cancelled",
}


class _Otherwise(Stale):
    """It changed since it was shown."""

    said_alone = True


def reminder_canceller(store: Store) -> Tool[CancelReminder]:
    return _switch(
        store,
        "cancel_reminder",
        CancelReminder,
        was=ReminderState.WAITING,
        to=ReminderState.CANCELLED,
        back="resume_reminder",
    )


def reminder_resumer(store: Store) -> Tool[ResumeReminder]:
    """Declare what takes a cancellation back. It is never offered to a model."""
    return _switch(
        store,
        "resume_reminder",
        ResumeReminder,
        was=ReminderState.CANCELLED,
        to=ReminderState.WAITING,
        back="cancel_reminder",
    )


def _switch(
    store: Store,
    name: str,
    args: type[Any],
    *,
    was: ReminderState,
    to: ReminderState,
    back: str,
) -> Tool[Any]:
    """Declare a tool that moves a reminder from one state to another; ``back`` undoes it."""
    cancels = to is ReminderState.CANCELLED
    verb, did = ("Cancel", "Cancelled") if cancels else ("Set again", "Set again")

    def inspect(asked: BaseModel, context: ToolContext) -> Sequence[Facts]:
        with store.read(context.cause) as tx:
            found = tx.reminder(asked.model_dump()["reminder"])
        _must_be(found, was)
        if not cancels and not found.repeats and found.at <= context.now:
            raise Stale(f"the time of {found.handle} is over")
        here = location(found.id)
        return [
            Facts(
                args={"reminder": found.id},
                destination="reminders",
                state={here: found.state.value},
                before=_said(found),
                own=True,
                destructive=cancels,
                locations=(here,),
            )
        ]

    def execute(facts: Facts, context: ToolContext) -> Result:
        with store.begin(context.cause) as tx:
            found = tx.reminder(facts.args["reminder"])
            _must_be(found, was)
            if not tx.move_reminder(found, found.model_copy(update={"state": to})):
                raise Stale(f"{found.handle} has changed meanwhile")
        return done(found)

    def reconcile(facts: Facts, context: ToolContext) -> Result | None:
        with store.read(context.cause) as tx:
            found = tx.reminder(facts.args["reminder"])
        return done(found) if found.state is to else None

    def done(found: Reminder) -> Result:
        after: dict[str, Any] = {"state": {location(found.id): to.value}}
        return Result(
            text=f"{did} the reminder {found.handle}",
            told=f"{did}: the reminder {quoted(found.text)}",
            after=after,
            data=_said(found),
            touched=(location(found.id),),
        )

    def inverse(facts: Facts, _context: ToolContext) -> Inverse:
        said = "Let the reminder {} wait again" if cancels else "Cancel the reminder {} again"
        words = said.format(quoted(facts.before["text"]))
        return Inverse(tool=back, args={"reminder": facts.args["reminder"]}, words=words)

    def card(facts: Facts, zone: str) -> tuple[Line, ...]:
        held = SetReminder.model_validate(facts.before)
        often = how_often(held)
        again = [Line(label="Again", value=often)] if often else []
        return (Line(label="Reminder", value=held.text), moment("Next", held.at, zone), *again)

    def glance(facts: Facts, zone: str, now: datetime) -> Glance:
        held = SetReminder.model_validate(facts.before)
        when = ", ".join(filter(None, (how_often(held), short_moment(held.at, zone, now=now))))
        return Glance(
            verb=f"{verb} the reminder" if cancels else "Set the reminder again",
            did=f"{did} the reminder" if cancels else "Set the reminder again",
            name=held.text,
            rows=(Row(text=when),),
            shows={"reminder": held.text},
        )

    return change_tool(
        name,
        title="Cancel a reminder" if cancels else "Set a reminder again",
        internal=not cancels,
        args=args,
        result=SetReminder,
        scopes=REMINDERS,
        reach=Reach.WRITES,
        risk=Risk.MEDIUM,
        inspect=inspect,
        execute=execute,
        effect=keyed_effect(
            f"reminder.{to.value}", lambda facts, _call: str(facts.args["reminder"])
        ),
        reconcile=reconcile,
        inverse=inverse,
        card=card,
        glance=glance,
        expires_at=None,
    )


def _must_be(found: Reminder, state: ReminderState) -> None:
    if found.state is not state:
        raise _Otherwise(f"the reminder {found.handle} {_IS[found.state]} already")


def _said(found: Reminder) -> dict[str, Any]:
    return found.model_dump(mode="json", include=set(SetReminder.model_fields))
