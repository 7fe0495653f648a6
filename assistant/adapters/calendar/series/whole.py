"""Change or delete a series as a whole."""

from datetime import date, datetime, timedelta
from itertools import islice
from zoneinfo import ZoneInfo

from assistant.adapters.calendar.icalendar_objects import title_of
from assistant.adapters.calendar.series import affected, moving, writing
from assistant.adapters.calendar.series.reading import Series, TimeForm, read
from assistant.domain.calendar.events import When
from assistant.domain.calendar.recurrence import Recurrence
from assistant.domain.calendar.series import BadSeries, Changed


def change_all(
    ics: bytes,
    *,
    stamp: datetime,
    zone: ZoneInfo | None,
    when: When | None = None,
    recurrence_id: date | None = None,
    title: str | None = None,
    recurrence: Recurrence | None = None,
) -> Changed:
    """Change every occurrence of a series. An event that does not repeat may begin to.

    Changed and removed occurrences move along. An occurrence with a time or title of its own keeps
    it.

    Args:
        ics: the object.
        stamp: now.
        zone: where times without a zone take place; None refuses them.
        when: the new time of one occurrence; all others move by as much on the series' clock.
        recurrence_id: which occurrence ``when`` is for; None: the first.
        title: the new title.
        recurrence: how often it repeats from now on.

    Raises:
        BadRecurrence: the new repetition does not fit the first day.
        NoSuchOccurrence: the series has none at ``recurrence_id``.
        TooFrequent, FloatingTime, BadSeries: the object cannot be read or written, or its rule
            cannot be moved to other days: then the new ``recurrence`` must be said.
    """
    series = read(ics, zone)
    writing.must_be_writable(series)
    if series.master is None:
        raise BadSeries("only some occurrences of the series are here")
    anchor = series.start if recurrence_id is None else series.find(recurrence_id)
    by = _shift(series.form, anchor, when)
    writing.add_ends(series)
    notes: tuple[str, ...] = ()
    if when is not None:
        notes = moving.move(series, by, _lasting(when), stamp)
    if title is not None:
        _retitle(series, title, stamp)
    writing.put_stamp(series.master, stamp)
    body = writing.written(series.calendar, series.start + by)
    moved = read(body, zone)
    before = read(ics, zone)
    lost = 0
    if recurrence is None:
        wanted = [wall + by for wall in islice(before.walls(), moving.COMPARED)]
        moving.must_match(moved, wanted, "its rule cannot be moved so: say its new days")
    else:
        lost = moving.put_recurrence(moved, recurrence)
        body = writing.written(moved.calendar, moved.start)
        read(body, zone)
    return Changed(body, affected.from_on(before, None, lost=lost, notes=notes))


def delete_all(ics: bytes, *, zone: ZoneInfo | None) -> Changed:
    """Say what the deletion of a whole series touches."""
    return Changed(None, affected.from_on(read(ics, zone), None))


def _shift(form: TimeForm, anchor: datetime, when: When | None) -> timedelta:
    if when is None:
        return timedelta()
    if when.all_day != form.all_day:
        raise BadSeries("a series cannot turn from times into whole days, or the reverse")
    return form.wall(when.start) - anchor


def _lasting(when: When) -> timedelta:
    return writing.exact(when)


def _retitle(series: Series, title: str, stamp: datetime) -> None:
    assert series.master is not None  # noqa: S101 (``change_all`` has checked)
    usual = title_of(series.master)
    for part in series.overrides.values():
        if title_of(part) == usual:
            writing.put_title(part, title)
            writing.put_stamp(part, stamp)
    writing.put_title(series.master, title)
