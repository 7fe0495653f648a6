"""Reminders: kept once for each id, told by a conditional update."""

import re
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import BindParameter, bindparam, func, select, text, update

from assistant.adapters.sql.driver import Prepared
from assistant.adapters.sql.rows import Row, Rows, as_columns, assigned, assignments
from assistant.adapters.sql.tables.columns import UtcDateTime, table
from assistant.adapters.sql.tables.deliveries import WAITING, ReminderRow
from assistant.domain.errors import NotFound
from assistant.domain.reminders.reminder import Reminder, ReminderState

_REMINDER = table(ReminderRow)
_MINE = _REMINDER.c.owner == bindparam("me")
_NEXT = select(_REMINDER).where(_MINE, text(WAITING)).order_by(_REMINDER.c.at, _REMINDER.c.number)
_MOST: BindParameter[int] = bindparam("most")
_HANDLE = re.compile(r"[Rr]?([0-9]{1,9})")

# Built once, because every tick needs it.
_DUE = Prepared(
    _NEXT.where(_REMINDER.c.at <= bindparam("now", type_=UtcDateTime())).limit(_MOST),
)
_WAITING = Prepared(_NEXT.limit(_MOST))
_NEWEST = Prepared(select(_REMINDER).where(_MINE).order_by(_REMINDER.c.number.desc()).limit(_MOST))
_COUNT = Prepared(
    select(func.count().label("count")).select_from(_REMINDER).where(_MINE, text(WAITING))
)
_BY_ID = Prepared(select(_REMINDER).where(_MINE, _REMINDER.c.id == bindparam("this")))
_BY_NUMBER = Prepared(select(_REMINDER).where(_MINE, _REMINDER.c.number == bindparam("this")))
_MOVED = ("at", "state", "told")
_MOVE = Prepared(
    update(_REMINDER)
    .where(
        _MINE,
        _REMINDER.c.id == bindparam("this"),
        _REMINDER.c.state == bindparam("was"),
        _REMINDER.c.at == bindparam("was_at", type_=UtcDateTime()),
    )
    .values(assignments(_REMINDER, _MOVED))
)


class ReminderRows(Rows):
    """See ``assistant.domain.reminders.ports.ReminderTx``."""

    def add_reminder(self, reminder: Reminder) -> Reminder:
        values = as_columns(reminder.model_dump(exclude={"number", "repeats", "wall"}))
        values["repeats"] = reminder.repeats.model_dump(mode="json") if reminder.repeats else None
        values["wall"] = reminder.wall.isoformat()
        self._insert_new(_REMINDER, values)
        return self.reminder(reminder.id)

    def reminder(self, id: str) -> Reminder:
        found = self._all(_BY_ID, {"me": self.cause.owner, "this": id})
        number = _HANDLE.fullmatch(id)
        if not found and number:
            found = self._all(_BY_NUMBER, {"me": self.cause.owner, "this": int(number[1])})
        if not found:
            raise NotFound(f"reminder {id}")
        return _reminder_of(found[0])

    def reminders(
        self, *, state: ReminderState | None = ReminderState.WAITING, limit: int = 200
    ) -> Sequence[Reminder]:
        values = {"me": self.cause.owner, "most": limit}
        if state is ReminderState.WAITING:
            return [_reminder_of(row) for row in self._all(_WAITING, values)]
        newest = map(_reminder_of, self._all(_NEWEST, values))
        return [one for one in newest if state in (None, one.state)]

    def due_reminders(self, now: datetime, *, limit: int = 50) -> Sequence[Reminder]:
        values = {"me": self.cause.owner, "now": now, "most": limit}
        return [_reminder_of(row) for row in self._all(_DUE, values)]

    def waiting_reminders(self) -> int:
        return int(self._all(_COUNT, {"me": self.cause.owner})[0]["count"])

    def move_reminder(self, reminder: Reminder, to: Reminder) -> bool:
        was = {
            "me": self.cause.owner,
            "this": reminder.id,
            "was": reminder.state.value,
            "was_at": reminder.at,
        }
        new: dict[str, Any] = {name: getattr(to, name) for name in _MOVED}
        return self._count(_MOVE, {**was, **assigned(as_columns(new))}) == 1


def _reminder_of(row: Row) -> Reminder:
    return Reminder.model_validate(row)
