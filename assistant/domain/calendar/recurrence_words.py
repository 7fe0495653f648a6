"""Say a recurrence in words, for a card: "every Tuesday until 31 March 2027, 18 times"."""

from collections.abc import Sequence
from datetime import date

from assistant.domain.calendar.recurrence import WEEK, DayOfWeek, Frequency, Recurrence

_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)
_NTH = {1: "first", 2: "second", 3: "third", 4: "fourth", 5: "fifth", -1: "last"}
_EVERY = "every "
"""Begins the words of each rule."""
THEN = "Then "
"""Begins the row that says how something repeats from now on."""
_UNIT = {
    Frequency.DAILY: "day",
    Frequency.WEEKLY: "week",
    Frequency.MONTHLY: "month",
    Frequency.YEARLY: "year",
}


def words(recurrence: Recurrence, start: date, *, times: int | None = None) -> str:
    """Return the words for a series that begins at ``start``.

    Args:
        recurrence: the rule.
        start: the first day or moment, for what the rule leaves out.
        times: how many occurrences there are, where the caller has counted them.
    """
    count = times if times is not None else recurrence.count
    how_many = "" if count is None else "once" if count == 1 else f"{count} times"
    if recurrence.until:
        end = f" until {day_words(recurrence.until)}" + (f", {how_many}" if how_many else "")
    elif recurrence.count:
        end = f", {how_many}"
    else:
        end = ", without an end"
    return _how_often(recurrence, start) + end


def is_rule(text: str) -> bool:
    """Whether a row of a card says how something repeats: ``every Tuesday``."""
    return text.removeprefix(THEN).startswith(_EVERY)


def day_words(day: date) -> str:
    return f"{day.day} {_MONTHS[day.month - 1]} {day.year}"


def _how_often(rule: Recurrence, start: date) -> str:
    unit = _UNIT[rule.frequency]
    every = f"every {unit}" if rule.interval == 1 else f"every {rule.interval} {unit}s"
    if rule.frequency is Frequency.DAILY:
        return every
    if rule.frequency is Frequency.WEEKLY:
        days = _weekdays(rule, start)
        return f"every {days}" if rule.interval == 1 else f"{every} on {days}"
    if rule.frequency is Frequency.MONTHLY:
        return f"{every} on the {_month_days(rule, start)}"
    return f"{every} on {_year_days(rule, start)}"


def _weekdays(rule: Recurrence, start: date) -> str:
    days = rule.weekdays or (DayOfWeek(day=WEEK[start.weekday()]),)
    return joined([_DAYS[day] for day in sorted(WEEK.index(each.day) for each in days)])


def _month_days(rule: Recurrence, start: date) -> str:
    if rule.weekdays:
        return joined([_nth_day(each) for each in rule.weekdays])
    days = rule.month_days or (start.day,)
    return joined([_ordinal(day) for day in sorted(days, key=lambda day: (day < 0, day))])


def _year_days(rule: Recurrence, start: date) -> str:
    months = joined([_MONTHS[month - 1] for month in sorted(rule.months or (start.month,))])
    if rule.weekdays:
        return f"the {joined([_nth_day(each) for each in rule.weekdays])} of {months}"
    days = rule.month_days or (start.day,)
    if -1 in days or len(days) > 1 or len(rule.months) > 1:
        return f"the {_month_days(rule, start)} of {months}"
    return f"{days[0]} {months}"


def _nth_day(each: DayOfWeek) -> str:
    name = _DAYS[WEEK.index(each.day)]
    return f"{_NTH[each.nth]} {name}" if each.nth else name


def _ordinal(day: int) -> str:
    if day == -1:
        return "last day"
    ending = {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th") if day not in (11, 12, 13) else "th"
    return f"{day}{ending}"


def joined(parts: Sequence[str]) -> str:
    return " and ".join([", ".join(parts[:-1]), parts[-1]]) if len(parts) > 1 else parts[0]
