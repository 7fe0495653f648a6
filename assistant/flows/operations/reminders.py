"""Tell the owner of what they wanted to be reminded of, when it is due. No model is asked."""

import logging
from dataclasses import dataclass
from datetime import datetime, timedelta

from assistant.domain.approvals.approval import Verb
from assistant.domain.conversation.deliveries import Action, Home, Shown, ShownKind
from assistant.domain.errors import NotFound
from assistant.domain.jobs.job import Cause
from assistant.domain.reminders.due_notices import LATE, DueKind, DueNotice
from assistant.domain.reminders.reminder import Reminder, ReminderState
from assistant.domain.reminders.times import Passed, passed
from assistant.domain.store import Store, Tx
from assistant.domain.time.clock import Clock
from assistant.domain.time.moments import zone_of
from assistant.domain.time.short import soon
from assistant.flows.render import cards
from assistant.flows.render.influence import influence
from assistant.tools.reminders.setting import how_often

log = logging.getLogger(__name__)

PREFIX = "remind-"
"""How the ids of these deliveries begin."""
_ON_TIME = timedelta(minutes=1)
"""Told so soon after its time, a reminder says nothing of being late."""
_MANY = 50
"""Reminders that one tick tells at the most."""


@dataclass(frozen=True, kw_only=True)
class ReminderWatch:
    """Tells reminders that are due, each once: two processes may do it at once.

    What is told, and that it is told, are of one transaction.
    """

    store: Store
    clock: Clock
    home: Home
    zone: str
    """The zone of the settings, for an owner who chose none."""

    def tick(self, cause: Cause) -> int:
        """Tell what is due; return how many. It never raises: a tick has other work."""
        try:
            return self.tell(cause)
        except Exception:  # the next tick tells it
            log.exception("could not tell reminders")
            return 0

    def tell(self, cause: Cause) -> int:
        """Tell what is due now; return how many reminders that were."""
        now = self.clock.now()
        with self.store.read(cause) as tx:
            due = tx.due_reminders(now, limit=_MANY)
        return sum(self._tell(one, now, cause) for one in due)

    def _tell(self, reminder: Reminder, now: datetime, cause: Cause) -> bool:
        come = passed(reminder, now)
        moved = reminder.model_copy(
            update={
                "at": come.next or come.latest,
                "state": ReminderState.WAITING if come.next else ReminderState.TOLD,
                "told": now,
            }
        )
        with self.store.begin(cause) as tx:
            if not tx.move_reminder(reminder, moved):
                return False  # another process told it, or it was cancelled
            shown = self._shown(tx, reminder, come, now)
            id = f"{notices_of(reminder)}{int(come.latest.timestamp())}"
            tx.want(cards.at(self.home, cause.owner, id, shown))
            late = now - come.latest >= LATE
            tx.expect_notice(
                DueNotice(id=id, kind=DueKind.REMINDER, due=come.latest, made=now, says_late=late)
            )
        return True

    def _shown(self, tx: Tx, reminder: Reminder, come: Passed, now: datetime) -> Shown:
        zone = tx.zone() or self.zone
        text = _lateness(reminder, come, now, zone)
        often = how_often(reminder)
        small = " · ".join(filter(None, (reminder.handle, often, _elsewhere(reminder, zone))))
        return Shown(
            kind=ShownKind.NOTICE,
            title=f"Reminder: {reminder.text}",
            text=text,
            small=small,
            warning=_led_by(tx, reminder),
            outside=reminder.tainted,
            actions=_buttons(reminder),
        )


def notices_of(reminder: Reminder) -> str:
    """Return how the ids of all deliveries of a reminder begin."""
    return f"{PREFIX}{reminder.id}-"


def _lateness(reminder: Reminder, come: Passed, now: datetime, zone: str) -> str:
    """Say ``due Mon 09:00, told now, 3 hours late``; empty for what is on time."""
    late = now - come.latest
    said = ""
    if late >= _ON_TIME:
        said = f"Due {_when(come.latest, zone, now)}, told now, {in_words(late)} late."
    if come.missed:
        times = "time" if come.missed == 1 else "times"
        since = _when(reminder.at, zone, now)
        said = f"{said} Missed {come.missed} {times} before that, since {since}.".strip()
    return said


def in_words(span: timedelta) -> str:
    """Write ``5 minutes``, ``3 hours`` or ``2 days``, in whole ones."""
    seconds = int(span.total_seconds())
    for unit, size in (("day", 86_400), ("hour", 3_600), ("minute", 60)):
        if seconds >= size:
            count = seconds // size
            return f"{count} {unit}" if count == 1 else f"{count} {unit}s"
    return f"{seconds} seconds"


def _when(moment: datetime, zone: str, now: datetime) -> str:
    """Write it with the day of the week, also where it is today."""
    said = soon(moment, zone, now=now)
    today = moment.astimezone(zone_of(zone))
    return f"{today:%a} {said}" if said[0].isdigit() else said


def _elsewhere(reminder: Reminder, zone: str) -> str:
    """Say in which zone a series keeps its time, where its owner is in another one now."""
    if reminder.repeats is None or reminder.zone == zone:
        return ""
    return f"{reminder.wall:%H:%M} in {reminder.zone}"


def _led_by(tx: Tx, reminder: Reminder) -> str:
    """Say whose words led to it; empty if none were in view, or its owner typed all of it."""
    if not reminder.tainted:
        return ""
    try:
        found = influence(tx.call(reminder.call))
    except NotFound:
        return "Words of others led to this"
    return found.warning


def _buttons(reminder: Reminder) -> tuple[Action, ...]:
    later = {"subject": reminder.id, "handle": reminder.handle}
    return (
        Action(verb=Verb.REMINDER_DONE, label="Done", **later),
        Action(verb=Verb.REMIND_LATER, label="In 10 minutes", terms={"when": "minutes"}, **later),
        Action(verb=Verb.REMIND_LATER, label="In an hour", terms={"when": "hour"}, **later),
        Action(verb=Verb.REMIND_LATER, label="Tomorrow 9:00", terms={"when": "tomorrow"}, **later),
    )
