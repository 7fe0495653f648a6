"""Read days, times and ranges in words. Reads days in German too."""

import re
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from functools import partial
from threading import Lock
from typing import NoReturn
from zoneinfo import ZoneInfo

EXAMPLES = "2026-11-30 10:00-11:00, tomorrow at 15:00, friday, 24 December"

_form = partial(re.compile, flags=re.ASCII)  # ISO 8601 knows no other digits
_LONGEST = 100
_LEAP = 9
"""Within so many years there is always a 29 February."""
_VAGUE = "Say at what time, such as: tomorrow at 15:00."
_DAY = timedelta(days=1)
_HOUR = timedelta(hours=1)
_YEARS = range(1970, 2101)
_PARTS = {
    "morning": (time(6), time(12)),
    "afternoon": (time(12), time(18)),
    "evening": (time(18), time(23)),
}
_WEEKDAYS = ("mon", "tue die", "wed mit", "thu don", "fri fre", "sat sam", "sun son")
"""The first three letters of each weekday, in English and German; Monday is 0."""

_WEEKDAY = (
    r"(?:mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:r(?:s(?:day)?)?)?|fri(?:day)?"
    r"|sat(?:urday)?|sun(?:day)?"
    r"|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag)"
)
_MONTH = (
    r"(?:jan(?:uary|uar)?|feb(?:ruary|ruar)?|mar(?:ch)?|märz|apr(?:il)?|may|mai|june?|juni|july?|juli"
    r"|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|okt(?:ober)?|nov(?:ember)?|dec(?:ember)?"
    r"|dez(?:ember)?)"
)
_DATE = _form(
    rf"(?:(?:the )?(?P<day>\d{{1,2}})(?:st|nd|rd|th|\.)?(?: of)? (?P<month>{_MONTH})"
    rf"|(?P<month_first>{_MONTH}) (?P<day_second>\d{{1,2}})(?:st|nd|rd|th)?"
    r"|(?P<day_dotted>\d{1,2})\.(?P<month_dotted>\d{1,2})\.?)"
    r"(?:,? ?(?P<year>\d{4}))?"
)
_RELATIVE = _form(
    r"today|tomorrow|(?:the )?day after tomorrow|yesterday|heute|morgen|übermorgen|gestern"
    r"|in (?:a|an|one|two|three|four|ein|eine|einer|einem|zwei|drei|vier|\d{1,3})"
    r" (?:days?|weeks?|months?|tag|tagen|woche|wochen|monat|monaten)"
    rf"|(?:next |this |coming |nächsten |kommenden |diesen )?{_WEEKDAY}"
)
_ISO_DAY = _form(r"\d{4}-\d{2}-\d{2}")
_ISO_MOMENT = _form(r"\d{4}-\d{2}-\d{2}t\d{2}:\d{2}(?::\d{2})?(?:z|[+-]\d{2}:\d{2})?")
_WITH_WEEKDAY = _form(rf"(?P<weekday>{_WEEKDAY}),? (?P<rest>.*\d.*)")
_SLASHES = _form(r"\d{1,2}/\d{1,2}(?:/\d{2,4})?")

_TIME = r"(?:\d{1,2}(?::\d{2})? ?[ap]m|\d{1,2}(?::\d{2})? ?uhr|\d{1,2}:\d{2}|noon|midday)"
_TO = r"(?: ?[-\u2013\u2014] ?| (?:to|till|until|bis|and) )"
_SEPARATOR = _form(_TO)
_AT = r"(?:at |from |between |um |von )?"
_PREPOSITION = _form(r"(?:on|for|at|from|between|um|von) ")
_TIMES_LAST = _form(rf"(?:(?P<rest>.*?),? )?{_AT}(?P<start>{_TIME})(?:{_TO}(?P<end>{_TIME}))?")
_TIMES_FIRST = _form(rf"{_AT}(?P<start>{_TIME})(?:{_TO}(?P<end>{_TIME}))?,?(?: on)? (?P<rest>.+)")
_BARE_HOUR = _form(r"(?:.* )?(?:at|um) (?P<hour>\d{1,2})")
_PART_LAST = _form(r"(?:(?P<rest>.+) )?(?:in the )?(?P<part>morning|afternoon|evening)")
_FOR = _form(r"(?P<rest>.+?),? for (?P<length>[^,]+)")
_ALL_DAY = _form(r"(?P<rest>.+?),? all[- ]day")
_LENGTH = _form(
    r"(?:(?P<hours>\d{1,3}(?:[.,]\d{1,2})?|an?) ?(?:h|hours?|hrs?))?"
    r"(?: ?(?:and )?(?P<minutes>\d{1,4}) ?(?:m|min|mins|minutes?))?"
)
_DAYS_LONG = _form(r"(?P<days>\d{1,3}|an?|one|two|three) days?")
_NUMBERS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3}
_ON_A_DIAL = {hour: hour % 12 for hour in range(1, 13)}
_EARLY, _NOON = 7, 12
"""Hours before the first, said alone, are of the night or the afternoon."""
_WEEKS = _form(r"(?P<which>this|next|the) (?P<what>week|weekend)")

_dateparser = Lock()


class Unclear(Exception):
    """The words look like a time, but name none or several. The text is for the owner."""


@dataclass(frozen=True)
class Span:
    """A span of time that was read: two dates, the end excluded, or two aware times.

    ``end`` is None for a time without an end. ``rough`` means a part of a day or a week: good
    enough for a question, too vague to book. ``bare`` means a time without a day. ``note`` is for
    the owner.
    """

    start: date
    end: date | None
    rough: bool = False
    bare: bool = False
    said_all_day: bool = False
    note: str = ""

    @property
    def all_day(self) -> bool:
        return not isinstance(self.start, datetime)


@dataclass(frozen=True)
class Almanac:
    """Reads days and times, relative to ``now`` (aware) in ``zone``.

    ``on`` is the day of a time without a day; None means today, and only a future time.
    """

    now: datetime
    zone: ZoneInfo
    on: date | None = None

    @property
    def today(self) -> date:
        return self.now.astimezone(self.zone).date()

    def span(self, words: str) -> Span | None:
        """Return the span that all the words name; None if they have not the form of one.

        Raises:
            Unclear: there is no such time, or the words are ambiguous.
        """
        text = _plain(words)
        if not text or len(text) > _LONGEST:
            return None
        if found := _BARE_HOUR.fullmatch(" ".join(words.lower().split()).strip(" ,.;!?")):
            raise Unclear(_which_hour(int(found["hour"])))
        if found := _ALL_DAY.fullmatch(text):
            return self._all_day(found["rest"])
        if found := _FOR.fullmatch(text):
            return self._lasting(found["rest"], found["length"])
        return self._from_to(text) or self._single(text)

    def day(self, words: str) -> date | None:
        """Return the day that the words name; None if they name none. Raises ``Unclear``."""
        text = _plain(words)
        day = self._day(text) if text and len(text) <= _LONGEST else None
        if day and day.year not in _YEARS:
            raise Unclear(f"{day.isoformat()} is too far away.")
        return day

    def bounds(self, span: Span) -> tuple[datetime, datetime]:
        """Return the begin and end of a span as moments; without an end it lasts an hour."""
        if not isinstance(span.start, datetime):
            return self._midnight(span.start), self._midnight(span.end or span.start + _DAY)
        if isinstance(span.end, datetime):
            return span.start, span.end
        return span.start, self._later(span.start, _HOUR)

    def _single(self, text: str) -> Span | None:
        if found := _WEEKS.fullmatch(text):
            return self._week(found["which"], found["what"])
        if moment := self._iso_moment(text):
            return Span(*moment)
        for form in (_TIMES_LAST, _TIMES_FIRST):
            if (found := form.fullmatch(text)) and (day := self._that_day(found["rest"])):
                return self._timed(day, found)
        part = _PART_LAST.fullmatch(text.replace("tonight", "this evening"))
        if part and (day := self._that_day(part["rest"])):
            return self._part(day, part["part"])
        single = self.day(text)
        return Span(single, single + _DAY) if single else None

    def _from_to(self, text: str) -> Span | None:
        """Read ``friday 22:00 to saturday 01:00`` or ``24 December to 26 December``."""
        for between in _SEPARATOR.finditer(text):
            left, right = text[: between.start()], text[between.end() :]
            if (start := self._moment(left)) and (end := self._moment(right)):
                return _ordered(Span(start.start, end.start, note=start.note or end.note))
            if (first := self.day(left)) and (last := self.day(right)):
                return _ordered(Span(first, last + _DAY))
        return None

    def _moment(self, text: str) -> Span | None:
        """Read a time on a named day."""
        if moment := self._iso_moment(text):
            return Span(*moment)
        found = _TIMES_LAST.fullmatch(_plain(text))
        if not found or found["end"] or not found["rest"]:
            return None
        day = self.day(found["rest"])
        return self._timed(day, found) if day else None

    def _lasting(self, rest: str, length: str) -> Span | None:
        span = self.span(rest)
        lasts = _length(length)
        if not span or not lasts:
            return None
        if span.rough:
            raise Unclear(_VAGUE)
        if span.all_day:
            if lasts % _DAY:
                raise Unclear("Say at what time it begins, such as: tomorrow at 15:00 for 45 min.")
            return replace(span, end=span.start + lasts)
        if span.end:
            raise Unclear("That gives an end and a length; one of them is enough.")
        assert isinstance(span.start, datetime)  # noqa: S101  # what is not all day has a time
        return replace(span, end=self._later(span.start, lasts))

    def _all_day(self, rest: str) -> Span | None:
        span = self.span(rest)
        if span and not span.all_day:
            raise Unclear("That gives a time, and says all day.")
        return replace(span, said_all_day=True) if span else None

    def _week(self, which: str, what: str) -> Span:
        monday = self.today - timedelta(days=self.today.weekday())
        if which == "next":
            monday += timedelta(weeks=1)
        begins = monday + timedelta(days=5) if what == "weekend" else monday
        return Span(begins, monday + timedelta(weeks=1), rough=True)

    def _part(self, day: date, part: str) -> Span:
        begins, ends = _PARTS[part]
        return Span(self._at(day, begins)[0], self._at(day, ends)[0], rough=True)

    def _timed(self, day: date, found: re.Match[str]) -> Span:
        start, note = self._at(day, _clock(found["start"]))
        end, note_too = self._at(day, _clock(found["end"])) if found["end"] else (None, "")
        bare = found["rest"] is None
        if bare and not self.on and start < self.now:
            raise Unclear(f"{start:%H:%M} today is over; say on which day.")
        return _ordered(Span(start, end, bare=bare, note=note or note_too))

    def _iso_moment(self, text: str) -> tuple[datetime, None] | None:
        if not _ISO_MOMENT.fullmatch(text):
            return None
        try:
            moment = datetime.fromisoformat(text.upper())
        except ValueError as error:
            raise Unclear(f"{text.upper()} does not exist: {error}.") from error
        if moment.year not in _YEARS:
            raise Unclear(f"{text} is too far away.")
        if moment.tzinfo is None:
            return self._at(moment.date(), moment.time())[0], None
        return moment.astimezone(self.zone), None

    def _at(self, day: date, clock: time) -> tuple[datetime, str]:
        """Return a time on a day, and a note for the owner if it comes twice."""
        local = datetime.combine(day, clock, self.zone)
        if self._wall_clock(local) != local.replace(tzinfo=None):
            raise Unclear(
                f"{clock:%H:%M} does not exist on {day}: the clocks in {self.zone} skip it."
            )
        if local.utcoffset() == local.replace(fold=1).utcoffset():
            return local, ""
        return local, f"{clock:%H:%M} comes twice on {day}; I took the first."

    def _wall_clock(self, local: datetime) -> datetime:
        """Return what a clock in the zone shows at that moment."""
        return local.astimezone(UTC).astimezone(self.zone).replace(tzinfo=None)

    def _midnight(self, day: date) -> datetime:
        """Return when a day begins: a little later where the clocks skip midnight."""
        return datetime.combine(day, time(), self.zone).astimezone(UTC).astimezone(self.zone)

    def _later(self, start: datetime, lasts: timedelta) -> datetime:
        return (start.astimezone(UTC) + lasts).astimezone(self.zone)

    def _that_day(self, rest: str | None) -> date | None:
        return (self.on or self.today) if rest in (None, "this") else self.day(rest)

    def _day(self, text: str) -> date | None:
        if _SLASHES.fullmatch(text):
            raise Unclear(f"{text} can be read in two ways; write the day like 2026-12-24.")
        if _ISO_DAY.fullmatch(text):
            return _iso_day(text)
        if found := _DATE.fullmatch(text):
            return self._dated(found)
        if _RELATIVE.fullmatch(text):
            return self._parsed(text) or _unread(text)
        if found := _WITH_WEEKDAY.fullmatch(text):
            return self._checked(found["weekday"], found["rest"])
        return None

    def _dated(self, found: re.Match[str]) -> date:
        """Return a day of a month; without a year, the next such day."""
        year = found["year"]
        this = self.today.year
        number = int(found["day"] or found["day_second"] or found["day_dotted"])
        for candidate in [int(year)] if year else range(this, this + _LEAP):
            day = self._in_year(found, candidate, number)
            # dateparser turns a day that does not exist into another one.
            if day and day.day == number and (year or day >= self.today):
                return day
        return _unread(found[0])

    def _in_year(self, found: re.Match[str], year: int, number: int) -> date | None:
        if not found["month_dotted"]:
            return self._parsed(f"{number} {found['month'] or found['month_first']} {year}")
        try:
            return date(year, int(found["month_dotted"]), number)
        except ValueError:
            return None

    def _checked(self, weekday: str, rest: str) -> date | None:
        day = self.day(rest)
        if day and weekday[:3] not in _WEEKDAYS[day.weekday()]:
            raise Unclear(f"{day} is no {weekday}; leave one of the two out.")
        return day

    def _parsed(self, text: str) -> date | None:
        import dateparser  # noqa: PLC0415  # takes a sixth of a second, and few need it

        settings = {
            "RELATIVE_BASE": self.now.astimezone(self.zone).replace(tzinfo=None),
            "TIMEZONE": str(self.zone),
            "PREFER_DATES_FROM": "future",
            "DATE_ORDER": "DMY",
        }
        with _dateparser:  # it keeps caches that threads share
            moment = dateparser.parse(text, languages=["en", "de"], settings=settings)
        return moment.date() if moment else None


def _plain(words: str) -> str:
    text = " ".join(words.lower().split()).strip(" ,.;!?")
    found = _PREPOSITION.match(text)
    return text[found.end() :] if found else text


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


def _clock(text: str) -> time:
    if text in {"noon", "midday"}:
        return time(12)
    hour, _, minute = text.rstrip(" apmuhr").partition(":")
    try:
        if text.endswith(("am", "pm")):
            return time(_ON_A_DIAL[int(hour)] + 12 * text.endswith("pm"), int(minute or 0))
        return time(int(hour), int(minute or 0))
    except (ValueError, KeyError) as error:
        raise Unclear(f"{text} is no time of day.") from error


def _length(text: str) -> timedelta | None:
    if found := _DAYS_LONG.fullmatch(text):
        return timedelta(days=_NUMBERS.get(found["days"]) or int(found["days"]))
    if text == "half an hour":
        return timedelta(minutes=30)
    found = _LENGTH.fullmatch(text)
    if not found or not (found["hours"] or found["minutes"]):
        return None
    hours = found["hours"] or "0"
    number = 1.0 if hours in {"a", "an"} else float(hours.replace(",", "."))
    return timedelta(hours=number, minutes=int(found["minutes"] or 0)) or None


def _iso_day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise Unclear(f"{text} does not exist: {error}.") from error


def _which_hour(hour: int) -> str:
    if hour not in _ON_A_DIAL:
        return f"Write the time of day like {hour:02}:00."
    if hour == _NOON:
        return "12 could be noon or midnight: write 12:00 or 0:00."
    either = "night or afternoon" if hour < _EARLY else "morning or evening"
    return f"{hour} could be {either}: write {hour}:00 or {hour}pm."


def _unread(text: str) -> NoReturn:
    raise Unclear(f'I cannot tell which day "{text}" is. Write it like one of: {EXAMPLES}.')
