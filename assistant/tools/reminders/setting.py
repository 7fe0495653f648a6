"""Set a reminder: it is told at its moment by code, and needs no yes then."""

from collections.abc import Sequence
from datetime import datetime, time
from typing import Any

from assistant.domain.calendar import recurrence
from assistant.domain.calendar.recurrence import LATEST_YEAR
from assistant.domain.calendar.recurrence_words import words as repeats_in_words
from assistant.domain.calls.call import Facts, Reach, Risk
from assistant.domain.calls.inverse import Inverse
from assistant.domain.calls.ports import CallTx
from assistant.domain.conversation.deliveries import Line, Row, moment
from assistant.domain.conversation.glance import Glance
from assistant.domain.errors import BadArguments, NotFound
from assistant.domain.reminders.ports import ReminderTx
from assistant.domain.reminders.reminder import MOST_WAITING, Reminder, ReminderState
from assistant.domain.store import Store
from assistant.domain.text.quotes import quoted
from assistant.domain.time.moments import say_moment, zone_of
from assistant.domain.time.short import short_moment
from assistant.domain.time.wall_clock import first_moment
from assistant.tools.contract.context import ToolContext
from assistant.tools.contract.declare import change_tool, keyed_effect
from assistant.tools.contract.results import Result
from assistant.tools.contract.tool import Tool
from assistant.tools.reminders.args import REMINDERS, RemindMe, SetReminder

ON_A_DAY = time(9)
"""When one is reminded on a day of which no time was said."""
_ABOUT = "reminders"


def reminder_setter(store: Store) -> Tool[RemindMe]:
    def inspect(args: RemindMe, context: ToolContext) -> Sequence[Facts]:
        wanted = _wanted(args, context)
        with store.read(context.cause) as tx:
            _must_fit(tx)
        return [
            Facts(
                args=wanted.model_dump(mode="json"),
                destination=_ABOUT,
                state={location(wanted.id): ""},
                own=True,
                locations=(location(wanted.id),),
            )
        ]

    def execute(facts: Facts, context: ToolContext) -> Result:
        wanted = SetReminder.model_validate(facts.args)
        with store.begin(context.cause) as tx:
            _must_fit(tx)
            made = tx.add_reminder(_reminder(wanted, _was_tainted(tx, context), context))
        return _set(made)

    def reconcile(facts: Facts, context: ToolContext) -> Result | None:
        with store.read(context.cause) as tx:
            try:
                return _set(tx.reminder(facts.args["id"]))
            except NotFound:
                return None

    return change_tool(
        "remind_me",
        title="Set a reminder",
        args=RemindMe,
        result=SetReminder,
        scopes=REMINDERS,
        reach=Reach.WRITES,
        risk=Risk.MEDIUM,
        remembers=True,  # what is told later outlives the talk: outside text in view asks
        inspect=inspect,
        execute=execute,
        effect=keyed_effect("reminder.set", lambda facts, _call: str(facts.args["id"])),
        reconcile=reconcile,
        inverse=_inverse,
        card=_card,
        glance=_glance,
        expires_at=_useless_at,
        free_args=("text", "at"),
        made_args=("id", "wall", "zone"),
    )


def location(id: str) -> str:
    return f"{_ABOUT}:{id}"


def how_often(reminder: SetReminder | Reminder) -> str:
    """Write ``every day``; empty for what comes once."""
    if reminder.repeats is None:
        return ""
    said = repeats_in_words(reminder.repeats, reminder.wall)
    return said.removesuffix(", without an end")


def _must_fit(tx: ReminderTx) -> None:
    if tx.waiting_reminders() >= MOST_WAITING:
        raise BadArguments(f"{MOST_WAITING} reminders wait already; cancel one first")


def _wanted(args: RemindMe, context: ToolContext) -> SetReminder:
    """Resolve when it is: the moment, and what clocks show then in the owner's zone."""
    there = zone_of(context.zone)
    try:
        if isinstance(args.at, datetime):
            at = args.at
            wall = at.astimezone(there).replace(tzinfo=None, fold=0)
        else:
            wall = datetime.combine(args.at, ON_A_DAY)
            at = first_moment(wall, there)
    except OverflowError as error:
        raise BadArguments("at: that is too far away") from error
    if at <= context.now:
        raise BadArguments(f"at: {say_moment(at, context.zone)} is over; give a time to come")
    if at.year > LATEST_YEAR:
        raise BadArguments(f"at: it may be in {LATEST_YEAR} at the latest")
    if args.repeats:
        recurrence.check(args.repeats, wall)
    return SetReminder(
        id=context.call,
        text=args.text,
        at=at.astimezone(there),
        wall=wall,
        zone=context.zone,
        repeats=args.repeats,
    )


def _was_tainted(tx: CallTx, context: ToolContext) -> bool:
    """Whether outside text was in view; True where the call is not known."""
    try:
        return tx.call(context.call).tainted
    except NotFound:
        return True


def _reminder(wanted: SetReminder, tainted: bool, context: ToolContext) -> Reminder:  # noqa: FBT001
    return Reminder(
        **dict(wanted),
        owner=context.cause.owner,
        call=context.call,
        tainted=tainted,
        made=context.now,
    )


def _set(made: Reminder) -> Result:
    there = say_moment(made.at, made.zone)
    often = f", {how_often(made)}" if made.repeats else ""
    said = SetReminder.model_validate(made.model_dump(include=set(SetReminder.model_fields)))
    after: dict[str, Any] = {"state": {location(made.id): ReminderState.WAITING.value}}
    return Result(
        text=f"Reminder {made.handle} is set for {there}{often}",
        told=f"I remind you of {quoted(made.text)}",
        after=said.model_dump(mode="json") | after,
        data=said.model_dump(mode="json"),
        touched=(location(made.id),),
    )


def _inverse(facts: Facts, _context: ToolContext) -> Inverse:
    return Inverse(
        tool="cancel_reminder",
        args={"reminder": facts.args["id"]},
        words=f"Cancel the reminder {quoted(facts.args['text'])} that it set",
        of_creation=True,
    )


def _useless_at(facts: Facts) -> datetime | None:
    """Nobody needs a reminder after its time, unless it comes again."""
    wanted = SetReminder.model_validate(facts.args)
    return None if wanted.repeats else wanted.at


def _card(facts: Facts, zone: str) -> tuple[Line, ...]:
    wanted = SetReminder.model_validate(facts.args)
    often = how_often(wanted)
    keeps = f"{often}, at {wanted.wall:%H:%M} in {wanted.zone}" if often else ""
    lines = [
        Line(label="Remind of", value=wanted.text),
        moment("First" if often else "When", wanted.at, zone),
    ]
    return (*lines, *([Line(label="Again", value=keeps)] if keeps else []))


def _glance(facts: Facts, zone: str, now: datetime) -> Glance:
    wanted = SetReminder.model_validate(facts.args)
    often = how_often(wanted)
    elsewhere = f" in {wanted.zone}" if often and wanted.zone != zone else ""
    again = f"{often} at {wanted.wall:%H:%M}{elsewhere}"
    rows = [Row(text=short_moment(wanted.at, zone, now=now))]
    if often:
        rows = [Row(text=again), Row(name="First:", text=rows[0].text)]
    return Glance(
        verb="Remind you of",
        did="I remind you of",
        name=wanted.text,
        rows=tuple(rows),
        shows={"text": wanted.text, "at": rows[-1].text, "repeats": again},
    )
