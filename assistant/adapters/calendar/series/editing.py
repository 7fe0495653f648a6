"""Carry out a ``SeriesEdit`` on an object, and tell whether it is carried out already."""

from datetime import UTC, date, datetime
from itertools import islice
from zoneinfo import ZoneInfo

from assistant.adapters.calendar.icalendar_objects import span_of, title_of
from assistant.adapters.calendar.series.affected import recurrence_of
from assistant.adapters.calendar.series.expanding import found, occurrence
from assistant.adapters.calendar.series.moving import COMPARED
from assistant.adapters.calendar.series.reading import Part, Series, read
from assistant.adapters.calendar.series.single import cancel_occurrence, change_occurrence
from assistant.adapters.calendar.series.splitting import change_following, delete_following
from assistant.adapters.calendar.series.whole import change_all, delete_all
from assistant.domain.calendar.events import When
from assistant.domain.calendar.series import (
    BadSeries,
    Changed,
    NoSuchOccurrence,
    Occurrence,
    SeriesEdit,
    SeriesScope,
    SplitSeries,
)


def edited(ics: bytes, edit: SeriesEdit, *, zone: ZoneInfo) -> SplitSeries:
    """Carry out an edit. ``zone`` is where times without a zone take place.

    Raises:
        NoSuchOccurrence: the series has no such occurrence.
        BadRecurrence: the new repetition does not fit the day.
        TooFrequent, BadSeries: the object cannot be read, or not be changed like this.
    """
    at, stamp = edit.occurrence, edit.stamp
    if edit.scope is SeriesScope.ALL or at is None:
        return _whole(_all(ics, edit, zone))
    if edit.scope is SeriesScope.FOLLOWING:
        if edit.delete:
            return delete_following(ics, at, stamp=stamp, zone=zone)
        return change_following(
            ics,
            at,
            new_uid=edit.new_uid,
            stamp=stamp,
            zone=zone,
            when=edit.when,
            title=edit.title,
            recurrence=edit.recurrence,
        )
    if edit.delete:
        return _whole(cancel_occurrence(ics, at, stamp=stamp, zone=zone))
    return _whole(
        change_occurrence(ics, at, stamp=stamp, zone=zone, when=edit.when, title=edit.title)
    )


def is_made(edit: SeriesEdit, ics: bytes | None, rest: bytes | None, *, zone: ZoneInfo) -> bool:
    """Return whether an edit is carried out.

    Args:
        edit: the edit.
        ics: the object as it is now; None if it is gone.
        rest: the object of ``edit.new_uid``; None if there is none.
        zone: as for ``edited``.
    """
    if ics is None:
        return edit.delete
    try:
        series = read(ics, zone)
        if edit.delete:
            return _is_gone(series, edit)
        if edit.scope is SeriesScope.THIS:
            return _is_one_changed(series, edit, zone)
        if rest is not None:
            return _ends_before(series, edit.occurrence)
        return _is_whole_changed(series, edit, zone)
    except BadSeries:
        return False


def is_same(one: bytes, other: bytes, *, zone: ZoneInfo) -> bool:
    """Return whether two objects hold the same occurrences, however a server writes them."""
    try:
        return _shown(read(one, zone)) == _shown(read(other, zone))
    except BadSeries:
        return False


def is_stamped(ics: bytes, stamp: datetime, *, zone: ZoneInfo) -> bool:
    """Return whether the last change of a series is the one of this stamp."""
    try:
        return _stamped(read(ics, zone).master, stamp)
    except BadSeries:
        return False


def _all(ics: bytes, edit: SeriesEdit, zone: ZoneInfo) -> Changed:
    if edit.delete:
        return delete_all(ics, zone=zone)
    return change_all(
        ics,
        stamp=edit.stamp,
        zone=zone,
        when=edit.when,
        recurrence_id=edit.occurrence,
        title=edit.title,
        recurrence=edit.recurrence,
    )


def _whole(done: Changed) -> SplitSeries:
    return SplitSeries(done.ics, None, done.affected)


def _is_gone(series: Series, edit: SeriesEdit) -> bool:
    match edit.scope:
        case SeriesScope.THIS:
            return edit.occurrence is not None and not _has(series, edit.occurrence)
        case SeriesScope.FOLLOWING:
            return _ends_before(series, edit.occurrence)
        case SeriesScope.ALL:
            return False


def _is_one_changed(series: Series, edit: SeriesEdit, zone: ZoneInfo) -> bool:
    if edit.occurrence is None or not _has(series, edit.occurrence):
        return False
    one = found(series, edit.occurrence)
    return edit.title in (None, one.title) and (
        edit.when is None or _same_time(edit.when, one.when, zone)
    )


def _is_whole_changed(series: Series, edit: SeriesEdit, zone: ZoneInfo) -> bool:
    """Return whether all of a series is as the edit makes it."""
    if series.master is None or edit.title not in (None, title_of(series.master)):
        return False
    if edit.recurrence not in (None, recurrence_of(series)):
        return False
    if _stamped(series.master, edit.stamp):
        return True
    return edit.when is None or _is_moved(series, edit.when, edit.occurrence, zone)


def _is_moved(series: Series, when: When, was: date | None, zone: ZoneInfo) -> bool:
    """Return whether the occurrence is at its new time, and no other at its old one."""
    if was is None:
        first = occurrence(series, series.start)
        return first is not None and _same_time(when, first.when, zone)
    if not _has(series, when.start) or _has(series, was):
        return False
    return _same_time(when, found(series, when.start).when, zone)


def _ends_before(series: Series, moment: date | None) -> bool:
    if moment is None or series.form.all_day == isinstance(moment, datetime):
        return False
    return next(series.walls(after=series.form.wall(moment)), None) is None


def _has(series: Series, recurrence_id: date) -> bool:
    try:
        found(series, recurrence_id)
    except NoSuchOccurrence:
        return False
    return True


def _same_time(one: When, other: When, zone: ZoneInfo) -> bool:
    return one.all_day == other.all_day and span_of(one, zone) == span_of(other, zone)


def _stamped(part: Part | None, stamp: datetime) -> bool:
    whole = stamp.astimezone(UTC).replace(microsecond=0)
    names = ("LAST-MODIFIED", "DTSTAMP")
    return part is not None and any(getattr(part.get(name), "dt", None) == whole for name in names)


def _shown(series: Series) -> list[Occurrence | None]:
    return [
        one and one.model_copy(update={"uid": ""})
        for one in (occurrence(series, wall) for wall in islice(series.walls(), COMPARED))
    ]
