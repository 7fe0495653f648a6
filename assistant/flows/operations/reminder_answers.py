"""What an owner answers to a reminder: that it is done, or to be told again later."""

from collections.abc import Mapping
from datetime import UTC, datetime, time, timedelta
from enum import StrEnum

from assistant.domain.conversation.deliveries import Delivery
from assistant.domain.errors import Conflict, NotFound
from assistant.domain.ids import new_id
from assistant.domain.reminders.reminder import Reminder, ReminderState
from assistant.domain.store import Tx
from assistant.domain.time.moments import zone_of
from assistant.domain.time.short import soon
from assistant.domain.time.wall_clock import first_moment
from assistant.flows.operations.reminders import notices_of

_MORNING = time(9)
_AGAIN = "Again: "
_DONE = "Done: "
_TOLD = "Reminder: "


class PutOff(StrEnum):
    """For how long a reminder is put off. It is stored with buttons and keeps its name."""

    MINUTES = "minutes"
    HOUR = "hour"
    TOMORROW = "tomorrow"


def later_moment(how: PutOff, now: datetime, zone: str) -> datetime:
    """Return when it is told again, on the clocks of ``zone``."""
    if how is PutOff.TOMORROW:
        there = zone_of(zone)
        tomorrow = now.astimezone(there).date() + timedelta(days=1)
        return first_moment(datetime.combine(tomorrow, _MORNING), there)
    spans: Mapping[PutOff, timedelta] = {
        PutOff.MINUTES: timedelta(minutes=10),
        PutOff.HOUR: timedelta(hours=1),
    }
    return (now + spans[how]).astimezone(UTC)


def put_off(tx: Tx, reminder: Reminder, until: datetime, *, zone: str, now: datetime) -> Reminder:
    """Have a reminder that was told be told again, and say so where it was told.

    A series goes on beside it: what is told again is a reminder of its own. Raises ``Conflict`` if
    it was not told yet, was cancelled, or changes just now.
    """
    if reminder.told is None or reminder.state is ReminderState.CANCELLED:
        raise Conflict(f"{reminder.handle} was not told, or is cancelled")
    one = _single(tx, reminder, until) if reminder.repeats else reminder
    waiting = {"at": until, "state": ReminderState.WAITING}
    moved = one.model_copy(update=waiting)
    if not tx.move_reminder(one, moved):
        raise Conflict(f"{reminder.handle} has changed meanwhile")
    _show(tx, reminder, text=f"{_AGAIN}{soon(until, zone, now=now)}")
    return moved


def be_done(tx: Tx, reminder: Reminder) -> None:
    """End a reminder that was told, or is to be told again. A series goes on.

    Raises ``Conflict`` if it was not told yet.
    """
    if reminder.told is None:
        raise Conflict(f"{reminder.handle} was not told yet")
    put_off_one = _put_off(tx, reminder) if reminder.repeats else reminder
    # Also where it was told: it may be put off at this moment.
    if put_off_one and put_off_one.state is not ReminderState.CANCELLED:
        ended = put_off_one.model_copy(update={"state": ReminderState.TOLD})
        if not tx.move_reminder(put_off_one, ended):
            raise Conflict(f"{reminder.handle} has changed meanwhile")
    _show(tx, reminder, text="", title=_DONE)


def _single(tx: Tx, reminder: Reminder, until: datetime) -> Reminder:
    """Return what tells the newest occurrence of a series again; it is made if it is not there."""
    there = _put_off(tx, reminder)
    if there is not None:
        return there
    wall = until.astimezone(zone_of(reminder.zone)).replace(tzinfo=None, fold=0)
    new = {"id": _id(reminder), "number": 0, "repeats": None, "at": until, "wall": wall}
    return tx.add_reminder(reminder.model_copy(update=new))


def _put_off(tx: Tx, reminder: Reminder) -> Reminder | None:
    try:
        return tx.reminder(_id(reminder))
    except NotFound:
        return None


def _id(reminder: Reminder) -> str:
    told = int(reminder.told.timestamp()) if reminder.told else new_id()
    return f"{reminder.id}-{told}"


def _show(tx: Tx, reminder: Reminder, *, text: str, title: str = _TOLD) -> None:
    """Change the notice by which it was told last."""
    newest: Delivery | None = next(iter(tx.deliveries(prefix=notices_of(reminder), limit=1)), None)
    if newest is None:
        return
    what = newest.wanted.title.partition(": ")[2]
    actions = () if title == _DONE else newest.wanted.actions
    wanted = newest.wanted.model_copy(
        update={"title": f"{title}{what}", "text": text, "actions": actions}
    )
    tx.want(newest.model_copy(update={"wanted": wanted}))
