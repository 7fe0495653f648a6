"""Say which occurrences a change touches."""

from collections.abc import Sequence
from datetime import datetime

from assistant.adapters.calendar.series.expanding import counted
from assistant.adapters.calendar.series.reading import LAST, Series
from assistant.adapters.calendar.series.times import times
from assistant.domain.calendar.recurrence import (
    COUNT_LIMIT,
    BadRecurrence,
    Recurrence,
    from_rrule,
)
from assistant.domain.calendar.recurrence_words import words
from assistant.domain.calendar.series import Affected

OWN_RULE = "by a rule of its own"


def one(series: Series, wall: datetime) -> Affected:
    """Return what a change of one occurrence touches."""
    begins = times(series, wall).start
    return Affected(
        words=rule_words(series, None), count=1, first=begins, last=begins, notes=series.defects
    )


def from_on(
    series: Series, wall: datetime | None, *, lost: int = 0, notes: Sequence[str] = ()
) -> Affected:
    """Return what a change of the occurrence and all that follow (None: of all) touches."""
    found = counted(series, wall, LAST, COUNT_LIMIT)
    return Affected(
        words=rule_words(series, None if found.more else found.count),
        count=found.count,
        more=found.more,
        first=found.first,
        last=found.last,
        lost=lost,
        notes=(*series.defects, *notes),
    )


def rule_words(series: Series, count: int | None) -> str:
    if not series.repeats:
        return "once"
    times_ = "" if count is None else ", once" if count == 1 else f", {count} times"
    if len(series.rules) != 1 or series.added:
        return ("on chosen days" if not series.rules else OWN_RULE) + times_
    rule = recurrence_of(series)
    if rule is None:
        return OWN_RULE + times_
    return words(rule, series.form.local(series.start), times=count)


def recurrence_of(series: Series) -> Recurrence | None:
    """Return how a series repeats; None if ``Recurrence`` has no words for it."""
    if len(series.rules) != 1 or series.added:
        return None
    try:
        rule = series.rules[0].written.to_ical().decode()
        return from_rrule(rule, series.form.local(series.start))
    except BadRecurrence:
        return None
