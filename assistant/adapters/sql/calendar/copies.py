"""The copy of a calendar. A read of a range is one statement over one index."""

from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy import (
    BindParameter,
    Column,
    CompoundSelect,
    bindparam,
    delete,
    func,
    insert,
    select,
    text,
    union_all,
    update,
)

from assistant.adapters.sql.driver import Prepared
from assistant.adapters.sql.rows import Row, Rows, prepared_upserts
from assistant.adapters.sql.tables.calendar.copies import (
    CalendarCopyRow,
    CalendarObjectRow,
    CalendarTimeRow,
)
from assistant.adapters.sql.tables.calls import OwnEventRow
from assistant.adapters.sql.tables.columns import table
from assistant.domain.calendar.copies.changes import CopiedObject
from assistant.domain.calendar.copies.copied import CalendarCopy, CopiedTime
from assistant.domain.calendar.events import MORE_FOLLOW, Event, When
from assistant.domain.calendar.free.busy_times import EventTime
from assistant.domain.calendar.times import EventTimes
from assistant.domain.errors import Conflict

_COPY = table(CalendarCopyRow)
_OBJECT = table(CalendarObjectRow)
_TIME = table(CalendarTimeRow)
_OWN = table(OwnEventRow)
_SECOND = timedelta(seconds=1)
_DAY_ALONE = len("2026-11-30")
_AT_ONCE = 500
"""How many values one statement takes."""

_HERE = (_COPY.c.owner == bindparam("me"), _COPY.c.address == bindparam("at"))
_OBJECTS = (_OBJECT.c.owner == bindparam("me"), _OBJECT.c.address == bindparam("at"))
_TIMES = (_TIME.c.owner == bindparam("me"), _TIME.c.address == bindparam("at"))
_NAMED: BindParameter[str] = bindparam("this")

# Built once, because building a statement takes several times as long as running it.
_COPIES = Prepared(select(_COPY).where(_COPY.c.owner == bindparam("me")))
_DEFECTS = Prepared(
    select(func.count().label("defects"))
    .select_from(_OBJECT)
    .where(*_OBJECTS, text("defect <> ''"))
)
_LOCKED = Prepared(
    update(_COPY).where(*_HERE, _COPY.c.fence == bindparam("held")).values(fence=_COPY.c.fence)
)
_TAKE_OVER = Prepared(
    update(_COPY)
    .where(*_HERE)
    .values(
        fence=_COPY.c.fence + 1,
        source=bindparam("to_source"),
        began=bindparam("to_began", type_=_COPY.c.began.type),
    )
)
_WRITTEN = Prepared(
    update(_COPY)
    .where(_COPY.c.owner == bindparam("me"), _COPY.c.source == bindparam("led"))
    .values(written=_COPY.c.written + 1)
)
_LONGER = Prepared(
    update(_COPY)
    .where(*_HERE, _COPY.c.longest < bindparam("least"))
    .values(longest=bindparam("least"))
)
_ETAGS = Prepared(select(_OBJECT.c.name, _OBJECT.c.etag).where(*_OBJECTS))
_PAGE = (
    select(_OBJECT)
    .where(*_OBJECTS, _OBJECT.c.name > bindparam("after"))
    .order_by(_OBJECT.c.name)
    .limit(bindparam("most"))
)
_ALL = Prepared(_PAGE)
_REPEATING = Prepared(_PAGE.where(text("repeats")))
_UID = Prepared(select(_OBJECT.c.uid).where(*_OBJECTS, _OBJECT.c.name == _NAMED))
_DROP_TIMES = Prepared(delete(_TIME).where(*_TIMES, _TIME.c.name == _NAMED))
_DROP_OBJECT = Prepared(delete(_OBJECT).where(*_OBJECTS, _OBJECT.c.name == _NAMED))
_KEPT = ("owner", "address", "name", "uid", "etag", "ics", "repeats", "defect", "trace")
_RENEWED = ("uid", "etag", "ics", "repeats", "defect")


def _keeping(insert: Any) -> Any:
    made = insert(_OBJECT).values({name: bindparam(f"to_{name}") for name in _KEPT}).inline()
    return made.on_conflict_do_update(
        index_elements=["owner", "address", "name"],
        set_={name: made.excluded[name] for name in _RENEWED},
    )


_KEEP: Mapping[bool, Prepared] = prepared_upserts(_keeping)
_ADD_TIME = Prepared(
    insert(_TIME)
    .values(
        {column.name: bindparam(f"to_{column.name}", type_=column.type) for column in _TIME.columns}
    )
    .inline()
)
_GONE = Prepared(
    update(_OWN)
    .where(
        _OWN.c.owner == bindparam("me"),
        _OWN.c.calendar == bindparam("at"),
        _OWN.c.uid == _NAMED,
    )
    .values(gone=bindparam("to_gone", type_=_OWN.c.gone.type))
)
_GONE_SINCE = Prepared(
    select(_OWN.c.gone).where(
        _OWN.c.owner == bindparam("me"),
        _OWN.c.calendar == bindparam("at"),
        _OWN.c.uid == _NAMED,
    )
)
_KNOWN = frozenset({"", MORE_FOLLOW})
"""The defects of a time that is true."""
_SHOWN = (
    _TIME.c.begins,
    _TIME.c.ends,
    _TIME.c.day,
    _TIME.c.last,
    _TIME.c.uid,
    _TIME.c.title,
    _TIME.c.etag,
    _TIME.c.occurrence,
    _TIME.c.repeats,
    _TIME.c.defect,
)
_BEFORE_STOP = _TIME.c.begins < bindparam("stop", type_=_TIME.c.begins.type)


def _overlapping(*columns: Column[Any]) -> CompoundSelect[Any]:
    return union_all(
        select(*columns).where(
            *_TIMES,
            # No event that begins before this reaches into the range.
            _TIME.c.begins > bindparam("floor", type_=_TIME.c.begins.type),
            _BEFORE_STOP,
            _TIME.c.ends > bindparam("start", type_=_TIME.c.begins.type),
            _TIME.c.defect == "",
        ),
        # What cannot be expanded may take place at any time from its first on.
        select(*columns).where(*_TIMES, _BEFORE_STOP, text("defect <> ''")),
    )


_OVERLAPPING = _overlapping(*_SHOWN).subquery()
_WITHIN = Prepared(
    select(_OVERLAPPING).order_by(_OVERLAPPING.c.begins, _OVERLAPPING.c.ends, _OVERLAPPING.c.uid)
)
_TIMES_WITHIN = Prepared(
    _overlapping(
        _TIME.c.begins, _TIME.c.ends, _TIME.c.day, _TIME.c.last, _TIME.c.uid, _TIME.c.defect
    )
)


class CopyRows(Rows):
    """See ``assistant.domain.calendar.copies.ports``."""

    def calendar_copy(self, *, source: str = "") -> CalendarCopy | None:
        rows = self._all(_COPIES, {"me": self.cause.owner})
        found = [row for row in rows if source in ("", row["source"])]
        if not found:
            return None
        newest = max(found, key=lambda row: (row["synced"] is not None, row["fence"]))
        return CalendarCopy.model_validate(newest)

    def calendar_defects(self, address: str) -> int:
        return int(self._all(_DEFECTS, self._copy_at(address))[0]["defects"])

    def begin_sync(self, address: str, *, source: str, zone: str) -> CalendarCopy:
        for other in self._all(_COPIES, {"me": self.cause.owner}):
            if other["address"] != address:
                self._drop_copy(other["address"])
        self._insert_new(_COPY, {**_EMPTY, "address": address, "source": source, "zone": zone})
        self._count(
            _TAKE_OVER, {**self._copy_at(address), "to_source": source, "to_began": self._now}
        )
        made = next(
            row for row in self._all(_COPIES, {"me": self.cause.owner}) if row["address"] == address
        )
        return CalendarCopy.model_validate(made)

    def hold_sync(self, copy: CalendarCopy) -> None:
        if self._count(_LOCKED, {**self._copy_at(copy.address), "held": copy.fence}) != 1:
            raise Conflict("another sync of the calendar has begun")

    def end_sync(
        self, copy: CalendarCopy, *, token: str, kind: str, synced: datetime, seen: int
    ) -> None:
        self._set(
            copy,
            token=token,
            kind=kind,
            synced=synced,
            seen=seen,
            began=None,
            failed=None,
            failures=0,
            trouble="",
        )

    def pause_sync(self, copy: CalendarCopy) -> None:
        self._set(copy, began=None)

    def fail_sync(self, source: str, trouble: str, *, fence: int | None = None) -> None:
        failed = update(_COPY).where(_COPY.c.owner == self.cause.owner, _COPY.c.source == source)
        if fence is not None:
            failed = failed.where(_COPY.c.fence == fence)
        self._count(
            failed.values(
                began=None, failed=self._now, failures=_COPY.c.failures + 1, trouble=trouble
            )
        )

    def move_window(
        self, copy: CalendarCopy, since: datetime, until: datetime, *, zone: str
    ) -> None:
        self._set(copy, since=since, until=until, zone=zone)

    def copied_etags(self, address: str) -> Mapping[str, str]:
        return {row["name"]: row["etag"] for row in self._all(_ETAGS, self._copy_at(address))}

    def copied_named(self, address: str, names: Collection[str]) -> Mapping[str, str]:
        return self._etags(_OBJECT.c.name, address, names)

    def copied_uids(self, address: str, uids: Collection[str]) -> Mapping[str, str]:
        return self._etags(_OBJECT.c.uid, address, uids)

    def _etags(self, key: Any, address: str, values: Collection[str]) -> Mapping[str, str]:
        wanted = sorted(values)
        found: dict[str, str] = {}
        for start in range(0, len(wanted), _AT_ONCE):
            rows = self._all(
                select(key.label("key"), _OBJECT.c.etag).where(
                    _OBJECT.c.owner == self.cause.owner,
                    _OBJECT.c.address == address,
                    key.in_(wanted[start : start + _AT_ONCE]),
                )
            )
            found |= {row["key"]: row["etag"] for row in rows}
        return found

    def copied_objects(
        self, address: str, *, after: str, limit: int, all_of_them: bool
    ) -> Sequence[CopiedObject]:
        values = {**self._copy_at(address), "after": after, "most": limit}
        rows = self._all(_ALL if all_of_them else _REPEATING, values)
        return [CopiedObject.model_validate(row) for row in rows]

    def keep_copied(
        self, copy: CalendarCopy, one: CopiedObject, times: Sequence[CopiedTime]
    ) -> None:
        at = self._copy_at(copy.address)
        values = {**one.model_dump(), "address": copy.address}
        self._count(
            _KEEP[self._sqlite], {f"to_{name}": self._signed(values)[name] for name in _KEPT}
        )
        self._count(_DROP_TIMES, {**at, "this": one.name})
        longest = max((time.end - time.begin for time in times), default=timedelta(0))
        least = -(-longest // _SECOND)
        if least > copy.longest:
            self._count(_LONGER, {**at, "least": least})
        if times:
            rows = [self._time(copy, one, ordinal, time) for ordinal, time in enumerate(times)]
            self._count_each(_ADD_TIME, rows)
        if one.uid:
            self._count(_GONE, {**at, "this": one.uid, "to_gone": None})

    def _time(self, copy: CalendarCopy, one: CopiedObject, ordinal: int, time: CopiedTime) -> Row:
        values = {
            "address": copy.address,
            "name": one.name,
            "ordinal": ordinal,
            "begins": time.begin,
            "ends": time.end,
            "day": time.day.isoformat() if time.day else "",
            "last": time.last.isoformat() if time.last else "",
            "uid": one.uid,
            "title": time.title,
            "etag": one.etag,
            "occurrence": time.occurrence,
            "repeats": one.repeats,
            "defect": time.defect,
        }
        return {f"to_{name}": value for name, value in self._signed(values).items()}

    def drop_copied(self, copy: CalendarCopy, names: Collection[str]) -> None:
        at = self._copy_at(copy.address)
        for name in sorted(names):
            this = {**at, "this": name}
            for row in self._all(_UID, this):
                self._count(_GONE, {**at, "this": row["uid"], "to_gone": self._now})
            self._count(_DROP_TIMES, this)
            self._count(_DROP_OBJECT, this)

    def copied_events(self, copy: CalendarCopy, begin: datetime, end: datetime) -> Sequence[Event]:
        zone = ZoneInfo(copy.zone)
        return [_event_of(row, zone) for row in self._within(_WITHIN, copy, begin, end)]

    def copied_times(self, copy: CalendarCopy, begin: datetime, end: datetime) -> EventTimes:
        rows = self._within(_TIMES_WITHIN, copy, begin, end)
        return EventTimes(
            [_time_of(row) for row in rows if row["defect"] in _KNOWN],
            len({row["uid"] for row in rows if row["defect"]}),
        )

    def _within(
        self, statement: Prepared, copy: CalendarCopy, begin: datetime, end: datetime
    ) -> Sequence[Row]:
        values = {
            "floor": begin.astimezone(UTC) - copy.longest * _SECOND - _SECOND,
            "start": begin,
            "stop": end,
        }
        return self._all(statement, {**self._copy_at(copy.address), **values})

    def calendar_written(self, source: str) -> None:
        self._count(_WRITTEN, {"me": self.cause.owner, "led": source})

    def own_event_gone(self, address: str, uid: str) -> datetime | None:
        rows = self._all(_GONE_SINCE, {**self._copy_at(address), "this": uid})
        return rows[0]["gone"] if rows else None

    def _drop_copy(self, address: str) -> None:
        for kept in (_TIME, _OBJECT, _COPY):
            self._count(
                delete(kept).where(kept.c.owner == self.cause.owner, kept.c.address == address)
            )

    def _set(self, copy: CalendarCopy, **values: Any) -> None:
        self._count(
            update(_COPY)
            .where(_COPY.c.owner == self.cause.owner, _COPY.c.address == copy.address)
            .values(**values)
        )

    def _copy_at(self, address: str) -> Row:
        return {"me": self.cause.owner, "at": address}


_EMPTY = {
    "token": "",
    "kind": "",
    "failures": 0,
    "trouble": "",
    "fence": 0,
    "written": 0,
    "seen": 0,
    "longest": 0,
}


def _occurrence(said: str, zone: ZoneInfo) -> datetime | date | None:
    if not said:
        return None
    if len(said) == _DAY_ALONE:
        return date.fromisoformat(said)
    return datetime.fromisoformat(said).astimezone(zone)


def _time_of(row: Row) -> EventTime:
    if row["day"]:
        return EventTime(date.fromisoformat(row["day"]), date.fromisoformat(row["last"]))
    return EventTime(row["begins"], row["ends"])


def _event_of(row: Row, zone: ZoneInfo) -> Event:
    if row["day"]:
        when = When(start=date.fromisoformat(row["day"]), end=date.fromisoformat(row["last"]))
    else:
        when = When(start=row["begins"].astimezone(zone), end=row["ends"].astimezone(zone))
    return Event(
        uid=row["uid"],
        title=row["title"],
        when=when,
        etag=row["etag"],
        recurring=row["repeats"],
        recurrence_id=_occurrence(row["occurrence"], zone),
        defect=row["defect"],
    )
