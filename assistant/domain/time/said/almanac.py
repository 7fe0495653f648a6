"""Read days, times and ranges in words."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from assistant.domain.time.local_times import moments_at, nearest_moments
from assistant.domain.time.said.clocks import (
    FULL_DAY,
    SaidClock,
    by_day,
    halves,
    in_part,
    in_range,
    read_clock,
    read_length,
    which_hour,
)
from assistant.domain.time.said.days import DAY, YEARS, DayReader
from assistant.domain.time.said.english import ENGLISH
from assistant.domain.time.said.german import GERMAN
from assistant.domain.time.said.language import Part, Phrases, Unit, WordKind
from assistant.domain.time.said.lexer import SaidWords, words_of
from assistant.domain.time.said.values import Span, Unclear

LANGUAGES: Sequence[Phrases] = (ENGLISH, GERMAN)
_EDGES = " ,.;!?"
_VAGUE = "Say at what time, such as: tomorrow at 15:00."
_HOUR = timedelta(hours=1)
_PARTS = {
    Part.MORNING: (6 * 60, 12 * 60),
    Part.AFTERNOON: (12 * 60, 18 * 60),
    Part.EVENING: (18 * 60, 23 * 60),
}
_USUAL = {Part.MORNING: 9 * 60, Part.AFTERNOON: 15 * 60, Part.EVENING: 20 * 60}


@dataclass
class _Side:
    """What was said on one side of a ``to``; all of it, where there is none."""

    days: list[date] = field(default_factory=list)
    clocks: list[SaidClock] = field(default_factory=list)
    parts: list[int] = field(default_factory=list)
    moments: list[Span] = field(default_factory=list)
    day_last: bool = False
    from_now: bool = False

    @property
    def only_day(self) -> bool:
        return bool(self.days) and not (self.clocks or self.parts or self.moments)

    @property
    def doubled(self) -> bool:
        """Whether it says two of a kind, which are no single time."""
        kinds: tuple[Sequence[object], ...] = (self.days, self.clocks, self.parts, self.moments)
        many = max(len(kind) for kind in kinds)
        other = self.days or self.clocks or self.parts
        return many > 1 or bool(self.moments and other) or not (self.moments or other)


@dataclass
class _Said:
    sides: list[_Side] = field(default_factory=lambda: [_Side()])
    length: timedelta | None = None
    all_day: bool = False


@dataclass(frozen=True)
class Almanac:
    """Reads days and times, relative to ``now`` (aware) in ``zone``.

    ``on`` is the day of a time without a day; None means today, and only a future time. ``strict``
    asks for the half of the day of each hour alone; else only for that of 1 to 7.
    """

    now: datetime
    zone: ZoneInfo
    on: date | None = None
    languages: Sequence[Phrases] = LANGUAGES
    strict: bool = False

    @property
    def today(self) -> date:
        return self.now.astimezone(self.zone).date()

    def span(self, words: str) -> Span | None:
        """Return the span that all the words name; None if they have not the form of one.

        Raises:
            Unclear: there is no such time, or the words are ambiguous.
        """
        read = self.words(words)
        return self.span_of(read) if read else None

    def words(self, text: str) -> SaidWords | None:
        """Return the words of a text; None where one is unknown. Raises ``Unclear``."""
        return words_of(text.strip(_EDGES), self.languages)

    def span_of(self, words: SaidWords) -> Span | None:
        """Return the span that words name, as ``span`` does."""
        said = self._said(words)
        if said is None or any(side.doubled for side in said.sides):
            return None
        try:
            span = self._between(*said.sides) if said.sides[1:] else self._single(said.sides[0])
            if span and said.all_day:
                span = _all_day(span)
            return self._lasting(span, said.length) if span and said.length else span
        except OverflowError as error:
            raise Unclear("That is too far away.") from error

    def day(self, words: str) -> date | None:
        """Return the day that the words name; None if they name none. Raises ``Unclear``."""
        read = self.words(words)
        said = self._said(read) if read else None
        if said is None or said.sides[1:] or said.length or said.all_day:
            return None
        side = said.sides[0]
        return side.days[0] if side.only_day and not side.doubled else None

    def bounds(self, span: Span) -> tuple[datetime, datetime]:
        """Return the begin and end of a span as moments; without an end it lasts an hour."""
        if not isinstance(span.start, datetime):
            return self._midnight(span.start), self._midnight(span.end or span.start + DAY)
        if isinstance(span.end, datetime):
            return span.start, span.end
        return span.start, self._later(span.start, _HOUR)

    def _said(self, words: SaidWords) -> _Said | None:
        """Sort the words into days, times and lengths; None where one is none of them."""
        said, at = _Said(), 0
        days = DayReader(words, self.today)
        while at < len(words.tokens):
            end = self._next(words, at, days, said)
            if end is None or len(said.sides) > 2:  # noqa: PLR2004
                return None
            at = end
        return said

    def _next(self, words: SaidWords, at: int, days: DayReader, said: _Said) -> int | None:
        """Read what begins at a place into ``said``; return the place behind it, or None."""
        if end := self._extra(words, at, said):
            return end
        if found := self._moment(words, at) or self._week(words, at):
            span, end = found
            said.sides[-1].moments.append(span)
            return end
        if end := self._of_a_day(words, at, days, said):
            return end
        if at and words.is_at(at, WordKind.TO, WordKind.AND):
            said.sides.append(_Side())
            return at + 1
        return None

    def _extra(self, words: SaidWords, at: int, said: _Said) -> int | None:
        """Read what goes with a time: a comma, ``all day``, ``for 45 minutes``."""
        if words.is_at(at, WordKind.COMMA) and 0 < at < len(words.tokens) - 1:
            return at + 1
        if words.is_at(at, WordKind.ALL_DAY) and not said.all_day:
            said.all_day = True
            return at + 1
        long = read_length(words, at + 1) if words.is_at(at, WordKind.FOR) else None
        if not long or not long.length or said.length:
            return None
        said.length = long.length
        return long.end

    def _of_a_day(self, words: SaidWords, at: int, days: DayReader, said: _Said) -> int | None:
        """Read a day, a time of day or a part of one, behind its preposition."""
        side = said.sides[-1]
        prefix = words.at(at, WordKind.AT)
        prefix = words.at(at, WordKind.FROM) if prefix is None else prefix
        after = at + (prefix is not None or words.is_at(at, WordKind.ON, WordKind.FOR))
        if day := days.day(after):
            side.days.append(day.day)
            side.day_last = bool(side.clocks)
            side.from_now = side.from_now or day.from_now
            return day.end
        behind_to = len(said.sides) > 1 and not (side.clocks or side.days)
        if behind_to and prefix is None and said.sides[0].clocks:
            prefix = words.at(at - 1, WordKind.TO) or 0
        if clock := read_clock(words, after, prefix=prefix):
            side.clocks.append(clock.clock)
            return clock.end
        said_this = words.is_at(after, WordKind.THIS)
        after += said_this
        part = words.at(after, WordKind.PART)
        if part is not None and (said_this or self._may_be_part(words, after, side)):
            side.parts.append(part)
            return after + 1
        return None

    def _may_be_part(self, words: SaidWords, at: int, side: _Side) -> bool:
        """Whether it is told of which time this is a part: ``morning friday`` rather is none."""
        alone = len(words.tokens) == 1
        return alone or bool(side.days or side.clocks) or " " in words.tokens[at].text

    def _moment(self, words: SaidWords, at: int) -> tuple[Span, int] | None:
        """Read ``in 2 hours``, ``5 minutes ago`` and a moment by ISO 8601."""
        written = words.at(
            at,
            WordKind.FROM,
        ) is not None or words.is_at(at, WordKind.AT, WordKind.ON)
        if words.is_at(at + written, WordKind.MOMENT):
            return self._written(words, at + written), at + written + 1
        ahead = words.is_at(at, WordKind.IN)
        back = words.is_at(at, WordKind.BEFORE)
        long = read_length(words, at + (ahead or back))
        if not long or long.length % DAY == timedelta():
            return None
        ago = not (ahead or back) and words.is_at(long.end, WordKind.AGO)
        if not (ahead or back or ago):
            return None
        now = self.now.replace(second=0, microsecond=0)
        moment = self._later(now, long.length if ahead else -long.length)
        return Span(moment, None, from_now=True), long.end + ago

    def _written(self, words: SaidWords, at: int) -> Span:
        moment = words.tokens[at].moment
        assert moment  # noqa: S101  # as this kind of word has one
        if moment.year not in YEARS:
            raise Unclear(f"{words.tokens[at].text} is too far away.")
        if moment.tzinfo is None:
            start, note = self._at(moment.date(), moment.hour * 60 + moment.minute)
            return Span(start + timedelta(seconds=moment.second), None, note=note)
        return Span(moment.astimezone(self.zone), None)

    def _week(self, words: SaidWords, at: int) -> tuple[Span, int] | None:
        """Read ``this week``, ``next weekend`` and ``next month``."""
        at += words.is_at(at, WordKind.ON, WordKind.FOR) and not words.is_at(
            at + 1, WordKind.NUMBER
        )
        further = words.is_at(at, WordKind.NEXT)
        if not (further or words.is_at(at, WordKind.THIS, WordKind.THE)):
            return None
        unit = words.at(at + 1, WordKind.UNIT)
        if unit == Unit.MONTH:
            begins = self.today.replace(day=1)
            ends = (begins + 31 * DAY).replace(day=1)
            if further:
                begins, ends = ends, (ends + 31 * DAY).replace(day=1)
            return Span(begins, ends, rough=True), at + 2
        weekend = words.is_at(at + 1, WordKind.WEEKEND)
        if not weekend and words.is_at(at + 2, WordKind.WEEKDAY):
            return None  # "next week tuesday" is a day
        if unit != Unit.WEEK and not weekend:
            return None
        monday = self.today - self.today.weekday() * DAY + 7 * DAY * further
        return Span(monday + 5 * DAY * weekend, monday + 7 * DAY, rough=True), at + 2

    def _single(self, side: _Side) -> Span | None:
        if side.moments:
            return side.moments[0]
        day = side.days[0] if side.days else self.on or self.today
        if side.clocks:
            return self._timed(side, None, day)
        if side.parts:
            begins, ends = _PARTS[Part(side.parts[0])]
            start, end = self._at(day, begins)[0], self._at(day, ends)[0]
            meant = self._at(day, _USUAL[Part(side.parts[0])])[0]
            usual = meant if meant > self.now else None
            return Span(start, end, rough=True, from_now=side.from_now, usual=usual)
        return Span(day, day + DAY, from_now=side.from_now)

    def _between(self, left: _Side, right: _Side) -> Span | None:
        """Read ``friday 22:00 to saturday 01:00`` or ``24 December to 26 December``."""
        now = left.from_now
        if left.only_day and right.only_day:
            return _ordered(Span(left.days[0], right.days[0] + DAY, from_now=now))
        if not (left.moments or left.clocks) or not (right.moments or right.clocks):
            return None
        if (left.moments or left.days) and (right.moments or right.days):
            start, end = self._single(left), self._single(right)
            if not start or not end or start.rough or end.rough:
                return None
            note = start.note or end.note
            return _ordered(Span(start.start, end.start, from_now=now, note=note))
        if left.moments or right.moments or (right.days and not right.day_last):
            return None
        days = left.days or right.days
        return self._timed(left, right, days[0] if days else self.on or self.today)

    def _timed(self, left: _Side, right: _Side | None, day: date) -> Span:
        """Return the times of one day."""
        bare = not (left.days or (right and right.days))
        parts = [*left.parts, *(right.parts if right else ())]
        clocks = [left.clocks[0], *(right.clocks if right else ())]
        if parts:
            clocks = [in_part(clock, parts[-1]) for clock in clocks]
        if right:
            clocks = list(in_range(*clocks))
        if bare and not self.on and clocks[0].midnight and not right:
            bare, clocks = False, [SaidClock(FULL_DAY, clocks[0].text)]  # the one to come
        self._ask_for_half(clocks, day)
        notes = [
            f"{clock.text} is taken as {_shown(by_day(clock))}."
            for clock in clocks
            if not clock.sure
        ]
        clocks = [clock if clock.sure else by_day(clock) for clock in clocks]
        times = [self._at(day, clock.minutes) for clock in clocks]
        if right and (second := self._in_second_pass(day, *clocks)):
            times[0] = second
        start, end = times[0][0], times[1][0] if right else None
        if bare and not self.on and not parts and start < self.now:
            raise Unclear(f"{start:%H:%M} today is over; say on which day.")
        note = " ".join(dict.fromkeys([*notes, *(note for _, note in times if note)]))
        from_now = left.from_now or bool(right and right.from_now)
        return _ordered(Span(start, end, bare=bare, from_now=from_now, note=note))

    def _ask_for_half(self, clocks: Sequence[SaidClock], day: date) -> None:
        """Ask where an hour could be in either half of the day, or midnight at either end."""
        if clocks[0].midnight:
            starts = tuple(self._at(day, minutes)[0] for minutes in (0, FULL_DAY))
            before, after = (f"{at:%a} {at.day} {at:%b}, 0:00" for at in starts)
            raise Unclear(
                f"{clocks[0].text} could be {before}, or {after}: write one of them.",
                tuple(Span(at, None) for at in starts),
            )
        for clock in clocks:
            if clock.sure or clock.in_words or (clock.has_usual_half and not self.strict):
                continue
            ways = zip(
                *(halves(one) if not one.sure else (one, one) for one in clocks), strict=False
            )
            raise Unclear(
                which_hour(clock.hour or 0),
                tuple(self._reading(day, way) for way in ways),
                tuple(one.text for one in clocks),
            )

    def _reading(self, day: date, clocks: Sequence[SaidClock]) -> Span:
        start, *end = (self._at(day, clock.minutes)[0] for clock in clocks)
        return Span(start, end[0] if end else None)

    def _lasting(self, span: Span, lasts: timedelta) -> Span:
        if span.rough:
            raise Unclear(_VAGUE)
        if not isinstance(span.start, datetime):
            if lasts % DAY:
                raise Unclear("Say at what time it begins, such as: tomorrow at 15:00 for 45 min.")
            return replace(span, end=span.start + lasts)
        if span.end:
            raise Unclear("That gives an end and a length; one of them is enough.")
        return replace(span, end=self._later(span.start, lasts))

    def _at(self, day: date, minutes: int) -> tuple[datetime, str]:
        """Return a time on a day, and a note for the owner if it comes twice."""
        local = datetime.combine(day, time()) + timedelta(minutes=minutes)
        said = f"{local:%H:%M}"
        moments = moments_at(local, self.zone)
        if not moments:
            nearest = nearest_moments(local, self.zone)
            before, after = (f"{one:%H:%M}" for one in nearest)
            raise Unclear(
                f"{said} does not exist on {local.date()}: the clocks in {self.zone} skip it. "
                f"The nearest are {before} and {after}.",
                tuple(Span(one, None) for one in nearest),
            )
        if len(moments) == 1:
            return moments[0], ""
        first, second = (one.isoformat()[-6:] for one in moments)
        return moments[0], (
            f"{said} comes twice on {local.date()}, at {first} and at {second}; I took the first."
        )

    def _in_second_pass(
        self, day: date, start: SaidClock, end: SaidClock
    ) -> tuple[datetime, str] | None:
        """Return a begin in the second of two equal hours where the end is the end of that hour.

        Until then the first of the two would last an hour longer than the clocks show.
        """
        begins, ends, last = (
            datetime.combine(day, time()) + timedelta(minutes=minutes)
            for minutes in (start.minutes, end.minutes, end.minutes - 1)
        )
        twice = moments_at(begins, self.zone)
        if ends <= begins or len(twice) == 1 or len(moments_at(ends, self.zone)) != 1:
            return None
        if len(moments_at(last, self.zone)) == 1:
            return None
        offset = twice[-1].isoformat()[-6:]
        return twice[-1], (
            f"{begins:%H:%M} comes twice on {day}; I took the second, at {offset}, "
            f"as it ends at {ends:%H:%M}."
        )

    def _midnight(self, day: date) -> datetime:
        """Return when a day begins: a little later where the clocks skip midnight."""
        return datetime.combine(day, time(), self.zone).astimezone(UTC).astimezone(self.zone)

    def _later(self, start: datetime, lasts: timedelta) -> datetime:
        return (start.astimezone(UTC) + lasts).astimezone(self.zone)


def _all_day(span: Span) -> Span:
    if not span.all_day:
        raise Unclear("That gives a time, and says all day.")
    return replace(span, said_all_day=True)


def _ordered(span: Span) -> Span:
    ordered = span.end is None or _moment_of(span.end) > _moment_of(span.start)
    if ordered:
        return span
    raise Unclear(
        "The end is not after the start. If it ends on another day, write both days: "
        "2026-11-30 22:00 to 2026-12-01 01:00."
    )


def _moment_of(value: date) -> datetime:
    """Return a moment in UTC: Python compares two times of one zone without their offsets."""
    if isinstance(value, datetime):
        return value.astimezone(UTC)
    return datetime.combine(value, time(), UTC)


def _shown(clock: SaidClock) -> str:
    return f"{clock.minutes // 60:02}:{clock.minutes % 60:02}"
