"""Change or delete an occurrence and all that follow: cut the series in two."""

from collections.abc import Callable, Iterator
from datetime import date, datetime, timedelta
from itertools import islice
from zoneinfo import ZoneInfo

import icalendar

from assistant.adapters.calendar.icalendar_objects import parts_of
from assistant.adapters.calendar.series import affected, moving, writing
from assistant.adapters.calendar.series.reading import LAST, STEPS, Part, Series, listed, read
from assistant.adapters.calendar.series.whole import change_all
from assistant.domain.calendar.events import When
from assistant.domain.calendar.recurrence import Recurrence
from assistant.domain.calendar.series import BadSeries, SplitSeries

_SECOND = timedelta(seconds=1)


def change_following(
    ics: bytes,
    recurrence_id: date,
    *,
    new_uid: str,
    stamp: datetime,
    zone: ZoneInfo | None,
    when: When | None = None,
    title: str | None = None,
    recurrence: Recurrence | None = None,
) -> SplitSeries:
    """Change an occurrence and all that follow: end the series before it, and begin a new one.

    The new series names the old one (RELATED-TO). From the first occurrence on it is a change of
    the whole: ``old`` is then the changed object, and ``new`` None. See ``change_all``.
    """
    series = read(ics, zone)
    writing.must_be_writable(series)
    wall = _cut(series, recurrence_id)
    if not _any_before(series, wall):
        whole = change_all(
            ics,
            stamp=stamp,
            zone=zone,
            when=when,
            recurrence_id=recurrence_id,
            title=title,
            recurrence=recurrence,
        )
        return SplitSeries(whole.ics, None, whole.affected)
    old = _head(ics, wall, stamp, zone)
    rest = _tail(ics, wall, new_uid, stamp, zone)
    new = change_all(rest, stamp=stamp, zone=zone, when=when, title=title, recurrence=recurrence)
    return SplitSeries(old, new.ics, new.affected)


def delete_following(
    ics: bytes, recurrence_id: date, *, stamp: datetime, zone: ZoneInfo | None
) -> SplitSeries:
    """Delete an occurrence and all that follow; from the first one on, the object."""
    series = read(ics, zone)
    writing.must_be_writable(series)
    wall = _cut(series, recurrence_id)
    touched = affected.from_on(series, wall)
    if not _any_before(series, wall):
        return SplitSeries(None, None, touched)
    return SplitSeries(_head(ics, wall, stamp, zone), None, touched)


def _cut(series: Series, recurrence_id: date) -> datetime:
    if series.master is None or not series.repeats:
        raise BadSeries("it is no series, or only some of its occurrences are here")
    return series.find(recurrence_id)


def _any_before(series: Series, wall: datetime) -> bool:
    return next(series.walls(), wall) < wall


def _head(ics: bytes, wall: datetime, stamp: datetime, zone: ZoneInfo | None) -> bytes:
    """Return the series without the occurrence and all that follow."""
    whole, series = read(ics, zone), read(ics, zone)
    master = _master(series)
    rules = []
    for rule in series.rules:
        count = _count(rule.walls(series.start, before=wall - _SECOND))
        written = icalendar.vRecur(rule.written)
        if rule.count is not None:
            written["COUNT"] = [count]
        elif rule.until is None or rule.until >= wall:
            written["UNTIL"] = [_last_until(series, wall)]
        if count:
            rules.append(written)
    moving.put_rules(master, rules)
    _keep(series, lambda each: each < wall)
    writing.add_ends(series)
    writing.put_stamp(master, stamp)
    body = writing.written(series.calendar, series.start)
    wanted = list(islice((each for each in whole.walls(before=wall) if each < wall), STEPS))
    moving.must_match(read(body, zone), wanted, "its rule cannot be cut here")
    return body


def _tail(ics: bytes, wall: datetime, uid: str, stamp: datetime, zone: ZoneInfo | None) -> bytes:
    """Return a new series of the occurrence and all that follow."""
    whole, series = read(ics, zone), read(ics, zone)
    master = _master(series)
    rules = []
    for rule in series.rules:
        written = icalendar.vRecur(rule.written)
        left = 1
        if rule.count is not None:
            left = rule.count - _count(rule.walls(series.start, before=wall - _SECOND))
            written["COUNT"] = [left]
        elif next(rule.walls(series.start, after=wall, before=LAST), None) is None:
            left = 0
        if left > 0:
            rules.append(written)
    moving.put_rules(master, rules)
    _keep(series, lambda each: each >= wall)
    lasting = writing.lasting(series, series.start)
    writing.put_span(master, wall, lasting, series.form)
    old = icalendar.vText(series.uid)
    old.params["RELTYPE"] = "SIBLING"
    for part in parts_of(series.calendar):
        writing.replace(part, "UID", uid)
        part.add("RELATED-TO", old)
        writing.put_stamp(part, stamp)
    body = writing.written(series.calendar, wall)
    wanted = list(islice(whole.walls(after=wall), moving.COMPARED))
    moving.must_match(read(body, zone), wanted, "its rule cannot be cut here")
    return body


def _master(series: Series) -> Part:
    assert series.master is not None  # noqa: S101 (``_cut`` has checked)
    return series.master


def _count(walls: Iterator[datetime]) -> int:
    count = sum(1 for _ in islice(walls, STEPS))
    if count >= STEPS:
        raise BadSeries("it has too many occurrences to be cut")
    return count


def _last_until(series: Series, wall: datetime) -> date:
    last = timedelta(days=1) if series.form.all_day else _SECOND
    return writing.until_of(wall - last, series.form)


def _keep(series: Series, kept: Callable[[datetime], bool]) -> None:
    """Keep the dates and changed occurrences of one side of the cut."""
    master = _master(series)
    for name in ("RDATE", "EXDATE"):
        props = []
        for prop in listed(master.get(name)):
            prop.dts = [each for each in prop.dts if kept(series.wall_of(each.dt, prop))]
            if prop.dts:
                props.append(prop)
        master.pop(name, None)
        if props:
            master[name] = props if len(props) > 1 else props[0]
    moving.drop_overrides(series, [wall for wall in series.overrides if not kept(wall)])
