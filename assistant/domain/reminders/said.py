"""Read what to be reminded of and when, in words: ``call Bob tomorrow at 9``."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta

from assistant.domain.calendar.recurrence import WEEK, DayOfWeek, Frequency, Recurrence, made
from assistant.domain.time.said.almanac import Almanac
from assistant.domain.time.said.repeats import read_repeats
from assistant.domain.time.said.say import say_span
from assistant.domain.time.said.values import Repeated, Repeats, Span, Unclear

SUCH = "Such as: remind me to call Bob tomorrow at 9:00."
_QUOTED = re.compile(r'(?P<before>[^"]*)"(?P<text>[^"]*[^" ][^"]*)"(?P<after>[^"]*)')
_JOINED = re.compile(r"^(?:to|about|of|that|an|daran,?|zu|:|,|-)+ ", re.IGNORECASE)
_ENDS = re.compile(r"(?:[ ,]+(?:on|at|from|for|um|am|by))?[ ,]*$", re.IGNORECASE)
_LONGEST = 14
"""Words of a time, at the most."""


@dataclass(frozen=True)
class SaidReminder:
    """What was understood. ``at`` is a day or an aware moment, of a series the first."""

    text: str
    at: date
    repeats: Recurrence | None = None
    note: str = ""
    """For the owner."""


def read_reminder(words: str, almanac: Almanac) -> SaidReminder:
    """Read a text and a time, in either order. Raises ``Unclear`` where there are not both."""
    if quoted := _QUOTED.fullmatch(words.strip()):
        when = f"{quoted['before']} {_JOINED.sub('', quoted['after'].strip())}".strip()
        return read_parts(quoted["text"], _without_joint(when), almanac)
    if _is_a_time(words, almanac):
        raise Unclear(f"I understood when, but did not understand of what. {SUCH}")
    for text, when in _divided(words):
        if found := _time(when, almanac):
            _refuse_two_times(text, almanac)
            return _reminder(text, found, almanac)
    raise Unclear(f"I did not understand when. {SUCH}")


def read_parts(text: str, when: str, almanac: Almanac) -> SaidReminder:
    """Read a time whose text is known. Raises ``Unclear``."""
    found = _time(when, almanac)
    if found is None:
        raise Unclear(f'I did not understand "{when}" as a time. {SUCH}')
    return _reminder(text, found, almanac)


def _divided(words: str) -> Iterator[tuple[str, str]]:
    """Yield ways to divide text and time: the time last, then first, the longest time first."""
    said = words.split()
    for begin in range(max(1, len(said) - _LONGEST), len(said)):
        text = _ENDS.sub("", _JOINED.sub("", " ".join(said[:begin])))
        if text:
            yield text, " ".join(said[begin:])
    for end in range(min(len(said) - 1, _LONGEST), 0, -1):
        rest = " ".join(said[end:])
        text = _JOINED.sub("", rest)
        if text and (text != rest or end > 1):
            yield text, " ".join(said[:end])


def _refuse_two_times(text: str, almanac: Almanac) -> None:
    """Raise ``Unclear`` where the text is a time as well, or begins with one."""
    said = text.split()
    for end in range(1, min(len(said), _LONGEST) + 1):
        begin, rest = " ".join(said[:end]), " ".join(said[end:])
        if (not rest or _JOINED.match(rest)) and _is_a_time(begin, almanac):
            two = "I see two times, or did not understand of what to remind you"
            raise Unclear(f'{two}. Put it in quotes: remind me "call Bob" tomorrow at 9:00.')


def _is_a_time(words: str, almanac: Almanac) -> bool:
    try:
        return _time(words, almanac) is not None
    except Unclear:
        return True


def _without_joint(when: str) -> str:
    return re.sub(r"[ ,:]+(?:to|an|of|about|daran)?$", "", when, flags=re.IGNORECASE)


def _time(when: str, almanac: Almanac) -> Repeated | Span | None:
    """Read a time. Raises ``Unclear``."""
    # A series that would begin just now begins the next time.
    ahead = replace(almanac, now=almanac.now + timedelta(seconds=1))
    return read_repeats(when, ahead) or almanac.span(when)


def _reminder(text: str, found: Repeated | Span, almanac: Almanac) -> SaidReminder:
    span = found.first if isinstance(found, Repeated) else found
    at, note = _at(span, almanac), span.note
    if not isinstance(found, Repeated):
        return SaidReminder(text.strip(" ,"), at, note=note)
    first = at.date() if isinstance(at, datetime) else at
    repeats = _recurrence(found.repeats, first)
    return SaidReminder(text.strip(" ,"), at, repeats, note=found.note or note)


def _at(span: Span, almanac: Almanac) -> date:
    """Return the one time that a span is. Raises ``Unclear`` where it is none, or is over."""
    if span.rough:
        if span.usual is None:
            raise Unclear(f"Say at what time. {SUCH}")
        return span.usual
    timed = isinstance(span.start, datetime)
    if span.end is not None and (timed or (span.end - span.start).days > 1):
        raise Unclear(f"Say one time, and not from when to when. {SUCH}")
    if timed and span.start <= almanac.now:
        when = say_span(Span(span.start, None), almanac.zone)
        raise Unclear(f"{when} is over; say a time to come.")
    return span.start


def _recurrence(said: Repeats, first: date) -> Recurrence:
    nth = said.ordinal
    days = tuple(DayOfWeek(day=WEEK[day], nth=nth) for day in said.weekdays)
    month_days = (said.month_day,) if said.month_day else ()
    frequency = Frequency(said.frequency.value)
    yearly = frequency is Frequency.YEARLY and (days or month_days)
    return made(
        frequency=frequency,
        interval=said.interval,
        weekdays=days,
        month_days=month_days,
        months=(first.month,) if yearly else (),
        count=said.count,
        until=said.until,
    )
