"""Read times of day and lengths: ``3:30 pm``, ``half past five``, ``um 19 Uhr``, ``1.5 hours``."""

from datetime import timedelta
from typing import NamedTuple

from assistant.domain.time.said.language import Part, Unit, WordKind
from assistant.domain.time.said.lexer import SaidWords
from assistant.domain.time.said.values import Unclear

HALF_DAY = 12 * 60
FULL_DAY = 2 * HALF_DAY
_DIAL = range(1, 13)
_USUAL_HALF = range(8, 13)
_ONCE = range(13, 24)
"""Hours that are in one half of the day only."""
_EARLY, _NOON = 7, 12
"""Hours before the first, said alone, are of the night or the afternoon."""
_WAKING = range(_EARLY * 60, _EARLY * 60 + HALF_DAY)
"""In it are times that are told in words, such as ``half past five``."""
_PARTS = {
    Part.MORNING: range(60, HALF_DAY),
    Part.AFTERNOON: range(HALF_DAY, 19 * 60),
    Part.EVENING: range(16 * 60, FULL_DAY),
}
_HALVES = {Part.MORNING: 0, Part.AFTERNOON: 1, Part.EVENING: 1}
_LENGTHS = {Unit.MINUTE: timedelta(minutes=1), Unit.HOUR: timedelta(hours=1)}
_FRACTION = 100


class SaidClock(NamedTuple):
    """A time of day as it was said. ``minutes`` after midnight; of a dial, in its first half."""

    minutes: int
    text: str
    hour: int | None = None
    """The hour of a dial, where its half of the day was not said."""
    in_words: bool = False
    half_said: bool = False
    of_24: bool = False
    midnight: bool = False

    @property
    def sure(self) -> bool:
        return self.hour is None

    @property
    def has_usual_half(self) -> bool:
        """Whether the hour is meant in one half of the day by most: 8 to 11, and noon."""
        return self.hour in _USUAL_HALF


class FoundClock(NamedTuple):
    clock: SaidClock
    end: int


class FoundLength(NamedTuple):
    length: timedelta
    end: int


def read_clock(words: SaidWords, at: int, *, prefix: int | None) -> FoundClock | None:
    """Return the time of day that begins at a place; None for none.

    Args:
        words: the words.
        at: where it begins, behind its preposition.
        prefix: the number of the preposition: only behind one is a number alone an hour.

    Raises:
        Unclear: there is no such time of day.
    """
    if words.is_at(at, WordKind.MIDNIGHT):
        return FoundClock(SaidClock(0, words.text(at, at + 1), midnight=True), at + 1)
    if (past := words.at(at, WordKind.DIAL)) is not None:
        return _in_words(words, at, past)
    minutes = words.at(at, WordKind.CLOCK)
    if minutes is None:
        return _hour(words, at, prefix)
    end = at + 1
    half = words.at(end, WordKind.MERIDIEM)
    text = words.text(at, end + (half is not None))
    if half is not None and minutes // 60 in _DIAL:
        return FoundClock(
            SaidClock(minutes % HALF_DAY + half * HALF_DAY, text, half_said=True), end + 1
        )
    if half is not None or not 0 <= minutes < FULL_DAY:
        raise Unclear(f"{text} is no time of day.")
    end += words.is_at(end, WordKind.HOUR)
    return FoundClock(SaidClock(minutes, text, of_24=True), end)


def _hour(words: SaidWords, at: int, prefix: int | None) -> FoundClock | None:
    """Read ``3pm``, ``15 Uhr``, ``9 o'clock`` and, behind a preposition, ``9``."""
    hour = words.at(at, WordKind.NUMBER)
    if hour is None or (len(words.tokens[at].text) > 2 and words.tokens[at].text.isdigit()):  # noqa: PLR2004
        return None
    half, of = words.at(at + 1, WordKind.MERIDIEM), words.at(at + 1, WordKind.HOUR)
    if half is not None and words.is_at(at + 1, WordKind.ON) and prefix == 24:  # noqa: PLR2004
        half = None  # "um 7 am Montag"
    text = words.text(at, at + 2)
    if half is not None:
        if hour not in _DIAL:
            raise Unclear(f"{text} is no time of day.")
        return FoundClock(SaidClock(hour % 12 * 60 + half * HALF_DAY, text, half_said=True), at + 2)
    if of == 24:  # noqa: PLR2004
        if hour * 60 >= FULL_DAY:
            raise Unclear(f"{text} is no time of day.")
        return FoundClock(SaidClock(hour * 60, text, of_24=True), at + 2)
    if of is None and prefix is None:
        return None
    text = words.text(at, at + 1)
    if hour in _ONCE and of is None and words.is_at(at - 1, WordKind.AT):
        return FoundClock(SaidClock(hour * 60, text, of_24=True), at + 1)  # "at 15"
    return FoundClock(SaidClock(hour % 12 * 60, text, hour=hour), at + 1 + (of is not None))


def _in_words(words: SaidWords, at: int, past: int) -> FoundClock | None:
    hour, half = words.at(at + 1, WordKind.NUMBER), words.at(at + 2, WordKind.MERIDIEM)
    if hour is None or not words.tokens[at + 1].text.isalnum():
        return None
    if hour not in _DIAL:
        raise Unclear(f"{words.text(at, at + 2)} is no time of day; write it like 15:30.")
    minutes = (hour % 12 * 60 + past) % HALF_DAY
    if half is not None and not words.is_at(at + 2, WordKind.ON):
        text = words.text(at, at + 3)
        return FoundClock(SaidClock(minutes + half * HALF_DAY, text, half_said=True), at + 3)
    end = at + 2
    if half is not None and words.tokens[at].text in {"half past", "quarter past", "quarter to"}:
        text = words.text(at, at + 3)
        return FoundClock(SaidClock(minutes + half * HALF_DAY, text, half_said=True), at + 3)
    text = words.text(at, end)
    end += words.is_at(end, WordKind.HOUR)
    return FoundClock(SaidClock(minutes, text, hour=hour, in_words=True), end)


def in_part(clock: SaidClock, part: int) -> SaidClock:
    """Return the time as it is in a part of a day. Raises ``Unclear`` where it is not in it."""
    times = _PARTS[Part(part)]
    if clock.midnight and part == Part.EVENING:
        return SaidClock(FULL_DAY, clock.text)
    if not clock.sure and clock.hour in _DIAL:
        minutes = clock.minutes + _HALVES[Part(part)] * HALF_DAY
        clock = SaidClock(minutes, clock.text)
    if clock.sure and not clock.midnight and clock.minutes in times:
        return clock
    raise Unclear(f"{clock.text} is not in the {Part(part).name.lower()}.")


def in_range(start: SaidClock, end: SaidClock) -> tuple[SaidClock, SaidClock]:
    """Return both ends of a range, where one tells which half of the day the other is in."""
    if end.midnight:
        end = SaidClock(FULL_DAY, end.text)
    if not start.sure and not start.in_words and end.of_24 and end.text.isascii():
        start = _by_end(start, end)
    elif not start.sure and end.half_said:
        before = [one for one in _both(start) if one < end.minutes]
        start = SaidClock(max(before), start.text) if before else start
    elif start.half_said and not end.sure:
        after = [one for one in _both(end) if one > start.minutes]
        end = SaidClock(min(after), end.text) if after else end
    return start, end


def _by_end(start: SaidClock, end: SaidClock) -> SaidClock:
    """Return the begin where the end is of 24 hours: ``von 9 bis 17 Uhr``."""
    hour = start.hour or 0
    if not end.text.endswith("uhr"):
        before = [one for one in _both(start) if one < end.minutes]
        return SaidClock(before[0], start.text) if len(before) == 1 else start
    return SaidClock(hour * 60, start.text, of_24=True) if hour * 60 < FULL_DAY else start


def _both(clock: SaidClock) -> tuple[int, ...]:
    if clock.hour not in _DIAL:
        return ()
    return clock.minutes, clock.minutes + HALF_DAY


def by_day(clock: SaidClock) -> SaidClock:
    """Return a time whose half of the day was not said as the one of waking hours."""
    minutes = next(one for one in _both(clock) if one in _WAKING)
    return SaidClock(minutes, clock.text)


def halves(clock: SaidClock) -> tuple[SaidClock, ...]:
    """Return both times that an hour of the dial could be; none for another hour."""
    return tuple(SaidClock(minutes, clock.text) for minutes in _both(clock))


def which_hour(hour: int) -> str:
    """Ask which half of the day an hour is in."""
    if hour >= 24:  # noqa: PLR2004
        return f"{hour} is no time of day."
    if hour not in _DIAL:
        return f"Write the time of day like {hour:02}:00."
    if hour == _NOON:
        return "12 could be noon or midnight: write 12:00 or 0:00."
    either = "night or afternoon" if hour < _EARLY else "morning or evening"
    return f"{hour} could be {either}: write {hour}:00 or {hour}pm."


def read_length(words: SaidWords, at: int) -> FoundLength | None:
    """Return the length in hours and minutes, or in days, that begins at a place."""
    if words.is_at(at, WordKind.HALF_HOUR):
        return FoundLength(timedelta(minutes=30), at + 1)
    first = _amount(words, at)
    if not first:
        return None
    length, unit = first
    end = at + 2
    if unit != Unit.HOUR:
        return FoundLength(length, end)
    if words.is_at(end, WordKind.AND_A_HALF):
        return FoundLength(length + timedelta(minutes=30), end + 1)
    and_then = end + words.is_at(end, WordKind.AND)
    if (more := _amount(words, and_then)) and more[1] == Unit.MINUTE:
        return FoundLength(length + more[0], and_then + 2)
    return FoundLength(length, end)


def _amount(words: SaidWords, at: int) -> tuple[timedelta, int] | None:
    unit, number = words.at(at + 1, WordKind.UNIT), words.at(at, WordKind.NUMBER)
    if unit is None:
        return None
    if number is not None and unit == Unit.DAY:
        return timedelta(days=number), unit
    if unit not in {Unit.HOUR, Unit.MINUTE}:
        return None
    one = _LENGTHS[Unit(unit)]
    fraction = words.at(at, WordKind.FRACTION)
    if fraction is not None and unit == Unit.HOUR:
        return one * fraction / _FRACTION, unit
    return (one * number, unit) if number is not None else None
