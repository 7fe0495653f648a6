"""What was to be told by a time, when it was shown, and turns that processes take."""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta

from sqlalchemy import bindparam, or_, select, text, update

from assistant.adapters.sql.driver import Prepared
from assistant.adapters.sql.rows import Rows, as_columns
from assistant.adapters.sql.tables.columns import UtcDateTime, table
from assistant.adapters.sql.tables.deliveries import MISSING, UNTOLD, DueNoticeRow
from assistant.domain.reminders.due_notices import LATE, DueKind, DueNotice

_NOTICE = table(DueNoticeRow)
_MINE = _NOTICE.c.owner == bindparam("me")
_TURN = "turn"
_PAGE = 200

# Built once, because ticks and deliveries need them.
_MISSING = Prepared(
    select(_NOTICE)
    .where(_MINE, text(MISSING), _NOTICE.c.due < bindparam("before", type_=UtcDateTime()))
    .order_by(_NOTICE.c.due)
    .limit(bindparam("most"))
)
_UNTOLD = Prepared(
    select(_NOTICE).where(_MINE, text(UNTOLD)).order_by(_NOTICE.c.due).limit(bindparam("most"))
)
_LAST = Prepared(
    select(_NOTICE)
    .where(_MINE, _NOTICE.c.kind == bindparam("of_kind"))
    .order_by(_NOTICE.c.made.desc())
    .limit(1)
    .offset(bindparam("skipped"))
)
_SHOWN = Prepared(
    update(_NOTICE)
    .where(_MINE, _NOTICE.c.id == bindparam("this"), _NOTICE.c.shown.is_(None))
    .values(
        shown=bindparam("now", type_=UtcDateTime()),
        told=_NOTICE.c.due > bindparam("on_time", type_=UtcDateTime()),
    )
)
_TOLD = Prepared(
    update(_NOTICE)
    .where(_MINE, _NOTICE.c.id == bindparam("this"), text("NOT told"))
    .values(told=bindparam("yes"))
)
_TAKE = Prepared(
    update(_NOTICE)
    .where(
        _MINE,
        _NOTICE.c.id == bindparam("this"),
        or_(
            _NOTICE.c.due <= bindparam("before", type_=UtcDateTime()),
            _NOTICE.c.due > bindparam("now", type_=UtcDateTime()),  # a clock was set back
        ),
    )
    .values(due=bindparam("now", type_=UtcDateTime()))
)
_THERE = Prepared(select(_NOTICE.c.due).where(_MINE, _NOTICE.c.id == bindparam("this")))


class DueNoticeRows(Rows):
    """See ``assistant.domain.reminders.ports.DueNoticeTx``."""

    def expect_notice(self, notice: DueNotice) -> bool:
        values = as_columns(notice.model_dump())
        return self._insert_new(_NOTICE, {**values, "told": False})

    def notice_shown(self, id: str) -> None:
        values = {"now": self._now, "on_time": self._now - LATE}
        self._count(_SHOWN, {"me": self.cause.owner, "this": id, **values})

    def notices_missing(self, *, due_before: datetime) -> Sequence[DueNotice]:
        values = {"me": self.cause.owner, "before": due_before, "most": _PAGE}
        return [DueNotice.model_validate(row) for row in self._all(_MISSING, values)]

    def notices_late(self) -> Sequence[DueNotice]:
        rows = self._all(_UNTOLD, {"me": self.cause.owner, "most": _PAGE})
        return [DueNotice.model_validate(row) for row in rows]

    def note_lateness(self, ids: Collection[str]) -> bool:
        each = [{"me": self.cause.owner, "this": id, "yes": True} for id in sorted(ids)]
        return self._count_each(_TOLD, each) == len(each) if each else True

    def last_notice(self, kind: DueKind, *, skip: int = 0) -> DueNotice | None:
        values = {"me": self.cause.owner, "of_kind": kind.value, "skipped": skip}
        rows = self._all(_LAST, values)
        return DueNotice.model_validate(rows[0]) if rows else None

    def take_turn(self, name: str, *, every: timedelta) -> bool:
        values = {"me": self.cause.owner, "this": f"{_TURN}-{name}"}
        if not self._all(_THERE, values):
            row = {"id": values["this"], "kind": _TURN, "due": self._now, "made": self._now}
            never = {"shown": None, "says_late": False, "told": False}
            return self._insert_new(_NOTICE, {**row, **never})
        early = {**values, "before": self._now - every, "now": self._now}
        return self._count(_TAKE, early) == 1
