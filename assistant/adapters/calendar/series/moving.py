"""Move a whole series: its master, its rules, the days left out, and the changed occurrences."""

from datetime import datetime, timedelta
from itertools import islice
from typing import Any

import icalendar

from assistant.adapters.calendar.series import writing
from assistant.adapters.calendar.series.reading import STEPS, Part, Series
from assistant.adapters.calendar.series.rules import DayRule, checked
from assistant.adapters.calendar.series.times import length, moment
from assistant.domain.calendar.recurrence import WEEK, Recurrence, check, to_rrule
from assistant.domain.calendar.series import BadSeries

_SHORTEST_MONTH = 28
COMPARED = 2000
"""How many occurrences are compared to see that a change did what it should."""


def move(
    series: Series, by: timedelta, lasting: timedelta | None, stamp: datetime
) -> tuple[str, ...]:
    """Move every occurrence by this much on the clock of the series; change how long each lasts.

    An occurrence that was moved by itself keeps its own time. Returns what a person must know.
    """
    master, form = series.master, series.form
    if master is None:
        raise BadSeries("only some occurrences of the series are here")
    if by and any(series.added.values()):
        raise BadSeries("some of its dates have an end of their own, and cannot be moved")
    usual = length(series, master)
    stays = 0
    for wall, part in series.overrides.items():
        own = length(series, part)
        same = own == usual
        writing.put(part, "RECURRENCE-ID", wall + by, form)
        if moment(series, part, "DTSTART") != form.moment(wall):
            stays += 1
        elif by or (same and lasting is not None):
            keeps = own.most - timedelta(days=1)
            writing.put_span(
                part, wall + by, lasting if same and lasting is not None else keeps, form
            )
        writing.put_stamp(part, stamp)
    rules = [_moved_rule(rule, series, by) for rule in series.rules]
    removed = [wall + by for wall in series.walls_removed()]
    if by:
        put_rules(master, rules)
        writing.put_list(master, "EXDATE", removed, form)
        writing.put_list(master, "RDATE", [wall + by for wall in series.added], form)
    keeps = lasting if lasting is not None else writing.lasting(series, series.start)
    writing.put_span(master, series.start + by, keeps, form)
    return tuple(_notes(series, by, stays))


def _notes(series: Series, by: timedelta, stays: int) -> list[str]:
    notes = []
    if by and stays:
        one = "1 occurrence that was moved by itself stays where it is"
        notes.append(one if stays == 1 else f"{stays} occurrences moved by themselves stay")
    triggers = [part.get("TRIGGER") for part in series.calendar.walk("VALARM")]
    if by and any(isinstance(getattr(each, "dt", None), datetime) for each in triggers):
        notes.append("an alarm at a time of its own stays where it is")
    return notes


def put_recurrence(series: Series, recurrence: Recurrence) -> int:
    """Replace how often the series repeats; return how many occurrences lose a change of their own.

    Keeps changed and removed occurrences where the new rule has an occurrence too.
    """
    master, form = series.master, series.form
    if master is None:
        raise BadSeries("only some occurrences of the series are here")
    start = form.local(series.start)
    check(recurrence, start)
    written = icalendar.vRecur.from_ical(to_rrule(recurrence, start))
    until = written["UNTIL"][0] if "UNTIL" in written else None
    rule = checked(written, form.wall(until) if until is not None else None)
    single = {*series.overrides, *series.walls_removed()}
    latest = max(single, default=series.start)
    named = {series.start, *islice(rule.walls(series.start, before=latest), STEPS)}
    gone = [wall for wall in series.overrides if wall not in named]
    put_rules(master, [written])
    master.pop("RDATE", None)
    removed = [wall for wall in series.walls_removed() if wall in named]
    writing.put_list(master, "EXDATE", removed, form)
    drop_overrides(series, gone)
    return len(gone) + len(set(series.added) - named)


def put_rules(master: Part, rules: list[Any]) -> None:
    if rules:
        master["RRULE"] = rules if len(rules) > 1 else rules[0]
    else:
        master.pop("RRULE", None)


def _moved_rule(rule: DayRule, series: Series, by: timedelta) -> Any:
    days = ((series.start + by).date() - series.start.date()).days
    written = icalendar.vRecur(rule.written)
    if rule.until is not None:
        written["UNTIL"] = [writing.until_of(rule.until + by, series.form)]
    if not days:
        return written
    if rule.frequency == "WEEKLY" and "BYDAY" in written:
        written["BYDAY"] = [_later(each, days) for each in _values(written["BYDAY"])]
    elif "BYMONTHDAY" in written:
        moved = [int(each) + days for each in _values(written["BYMONTHDAY"])]
        if all(0 < day <= _SHORTEST_MONTH for day in moved):
            written["BYMONTHDAY"] = moved
    return written


def _later(weekday: Any, days: int) -> str:
    place = [str(each) for each in WEEK].index(str(weekday).upper()[-2:])
    return str(WEEK[(place + days) % 7])


def _values(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list) else [value]


def drop_overrides(series: Series, walls: list[datetime]) -> None:
    """Remove what was changed in these occurrences alone."""
    gone = {id(series.overrides.pop(wall)) for wall in walls}
    series.calendar.subcomponents = [
        part for part in series.calendar.subcomponents if id(part) not in gone
    ]


def must_match(found: Series, wanted: list[datetime], problem: str) -> None:
    """Check that a series has just these occurrences, the first ``COMPARED`` of them.

    Raises:
        BadSeries: it has others, so the change is not made.
    """
    if list(islice(found.walls(), COMPARED)) != wanted[:COMPARED]:
        raise BadSeries(problem)
