"""The grammar of the offline model. docs/offline-grammar.md is its manual.

It reads only what the owner typed. A reading says what was understood, and holds the calls to
propose, if any.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from typing import Any

from pydantic import ValidationError

from assistant.adapters.offline import patterns, texts
from assistant.adapters.offline.patterns import (
    AN_EVENT,
    ANSWER,
    CANCEL,
    COMMAND,
    CREATE,
    DIARY,
    EVENT,
    HELLO,
    HELP,
    ID,
    MAIL,
    MOVE,
    NEW,
    PAGE,
    PLACE,
    REMIND,
    SENDS,
    SHOW,
    SINCE,
    THE_MAIL,
    WAITS,
    form,
)
from assistant.adapters.offline.scopes import read_scope, say_scope
from assistant.domain.calendar.events import When
from assistant.domain.calendar.free.availability import say_length
from assistant.domain.calendar.recurrence_words import words
from assistant.domain.calendar.series import SeriesScope
from assistant.domain.conversation.conversation import Tell, Want
from assistant.domain.reminders.said import read_reminder
from assistant.domain.time.moments import say_moment, say_when
from assistant.domain.time.said.almanac import Almanac
from assistant.domain.time.said.clocks import read_length
from assistant.domain.time.said.days import EXAMPLES
from assistant.domain.time.said.repeats import read_repeats, say_repeats
from assistant.domain.time.said.say import say_span
from assistant.domain.time.said.values import Repeated, Repeats, Span, Unclear

MOST = 5
"""The most changes in one sentence."""
_LONGEST = 500
_SOME_TIME = timedelta(minutes=30)
"""The length of a free slot where none is said."""
_LONGEST_FREE = timedelta(days=14)
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_TRIED = 16
"""Words that are left out, one by one, until an order is clear."""


@dataclass(frozen=True)
class Reading:
    """How the owner's words were understood."""

    text: str
    wants: tuple[Want, ...] = ()
    tells: Tell | None = None
    unclear: Unclear | None = None
    """What was asked back, with what it could be."""


@dataclass(frozen=True)
class Reader:
    """Reads one order, or several changes at once.

    ``last_mail`` is the id of the mail that ``it`` means; empty for none. ``listed`` are the ids of
    the mails listed last, in the order in which they were shown.
    """

    almanac: Almanac
    last_mail: str
    listed: Sequence[str] = ()

    def read(self, words: str) -> Reading | None:
        """Read the words; None when they do not match the grammar."""
        text = _tidy(words)
        if len(text) > _LONGEST * MOST:
            return None
        reading = self._understood(text)
        if no := patterns.NO.search(_without_quoted(text)):
            before = text[: no.start()]
            if _changes(reading) or _changes(self._understood(before.rstrip(" ,;"))):
                return Reading(f"{texts.WITH_A_NO}\n{self._only(before)}")
        if reading is None and patterns.FOREIGN.search(_without_quoted(text)):
            return Reading(texts.LANGUAGES)
        return reading

    def _understood(self, text: str) -> Reading | None:
        changes = self._changes(text)
        if len(changes) > 1:
            return self._all(text, changes)
        reading = self._one(text)
        return self._with_ways(text, reading) if reading and reading.unclear else reading

    def _with_ways(self, text: str, reading: Reading) -> Reading:
        """Offer the order with each of what its words could be, to copy."""
        ways = [
            way
            for way in _ways(text, reading.unclear)
            if (meant := self._one(way)) is not None and meant.wants
        ]
        if not ways:
            return reading
        return replace(reading, text="\n".join((reading.text, texts.COPY, *_listed(ways))))

    def _only(self, text: str) -> str:
        """Say how an order is written that is certain: the longest that the text begins with."""
        words = text.split()
        for end in range(len(words), max(1, len(words) - _TRIED), -1):
            clear = " ".join(words[:end]).rstrip(" ,;")
            if _changes(self._understood(clear)):
                return texts.ONLY.format(clear=clear)
        return texts.ONLY.format(clear=texts.EXAMPLE)

    def _changes(self, text: str) -> list[str]:
        """Split a text into its changes; return the text itself if it has only one."""
        quoted = _quoted_changes(text)
        if len(quoted) > 1:
            return quoted
        begin = 0
        changes: list[str] = []
        for joint in patterns.THEN.finditer(text):
            change = text[begin : joint.start()]
            if len(changes) > MOST:
                break
            if _outside_quotes(text, joint.start()) and self._is_a_whole_change(change):
                changes.append(change)
                begin = joint.end()
        changes.append(text[begin:])
        return changes if all(map(self._may_be_a_change, changes)) else [text]

    def _is_a_whole_change(self, text: str) -> bool:
        """Whether a text ends as a change does: with its time, or with a title in quotes."""
        if text.endswith('"'):
            return bool(patterns.CHANGE.match(text))
        if patterns.ENDS_WITH_EVERY.search(text):
            return False  # "every tuesday and thursday" is one repeat
        words = text.split()[-patterns.TIME_WORDS - 1 :]
        return any(self._is_a_time(" ".join(words[begin:])) for begin in range(1, len(words)))

    def _may_be_a_change(self, text: str) -> bool:
        return bool(text) and not patterns.NO_EVENT.match(text) and not self._is_a_time(text)

    def _is_a_time(self, text: str, *, rough: bool = True) -> bool:
        """Whether a text is a time; ``rough``: a part of a day or a week counts as one."""
        try:
            span = self.almanac.span(patterns.BARE_HOUR.sub(_by_day, text))
        except Unclear:
            return True
        return span is not None and (rough or not span.rough)

    def _all(self, text: str, changes: Sequence[str]) -> Reading:
        """Read all changes or none: an owner who must clarify one types all of them again.

        A time without a day is on the day of the change before it. Behind an event that is created
        the verb may be left out.
        """
        if len(changes) > MOST:
            return Reading(texts.TOO_MANY)
        reader, readings = self, []
        creates = bool(patterns.CREATES.match(changes[0]))
        for change in changes:
            words = change if patterns.CHANGES.match(change) or not creates else f"create {change}"
            readings.append(reader._one(_tidy(words)) or Reading(texts.UNKNOWN))
            reader = reader._on_the_day_of(readings[-1])
        unclear = [
            (change, reading.text)
            for change, reading in zip(changes, readings, strict=True)
            if not reading.wants
        ]
        if unclear:
            return Reading("\n".join((_say_unclear(unclear), *self._example(text))))
        said = "\n".join(reading.text for reading in readings)
        return Reading(said, tuple(want for reading in readings for want in reading.wants))

    def _on_the_day_of(self, reading: Reading) -> "Reader":
        days = (want.args.get("start") or want.args.get("on") for want in reading.wants)
        starts = [str(day) for day in days if day]
        if not starts:
            return self
        day = date.fromisoformat(starts[-1][: len("2026-11-30")])
        return replace(self, almanac=replace(self.almanac, on=day))

    def _example(self, text: str) -> Iterator[str]:
        """Write the text with hours that are clear, where that is all it lacks."""
        clear = _apart_from_quotes(text, lambda said: patterns.BARE_HOUR.sub(_by_day, said))
        if clear != text and (reading := self.read(clear)) and reading.wants:
            yield f"Such as: {clear}"

    def _one(self, text: str) -> Reading | None:
        if not text or len(text) > _LONGEST:
            return None
        for order, understand in _FORMS:
            if not (found := order.fullmatch(text)):
                continue
            try:
                reading = understand(self, found)
            except Unclear as unclear:
                foreign = patterns.FOREIGN.search(_without_quoted(text))
                told = f"{unclear}\n{texts.LANGUAGES}" if foreign else str(unclear)
                return Reading(told, unclear=unclear)
            if reading:
                return reading
        return None

    def help(self, _found: re.Match[str]) -> Reading:
        return Reading(texts.HELP)

    def buttons(self, found: re.Match[str]) -> Reading:
        return Reading(texts.BUTTONS.format(call=found["call"].upper()))

    def greet(self, _found: re.Match[str]) -> Reading:
        return Reading(texts.GREETING, tells=Tell.NEWS)

    def waiting(self, _found: re.Match[str]) -> Reading:
        return Reading(texts.WAITING, tells=Tell.WAITING)

    def answered(self, _found: re.Match[str]) -> Reading:
        return Reading(texts.NO_ANSWER, tells=Tell.CARDS)

    def coming(self, _found: re.Match[str]) -> Reading:
        """Look at the calendar of the week that begins today."""
        today = self.almanac.today
        return self._looked(Span(today, today + timedelta(days=7)))

    def search(self, found: re.Match[str]) -> Reading:
        named = found.groupdict()
        args = {key: _unquoted(named.get(key) or "") for key in ("query", "sender")}
        args = {key: value for key, value in args.items() if value}
        sender = f' from "{args["sender"]}"' if "sender" in args else ""
        about = f' for "{args["query"]}"' if "query" in args else ""
        what = f"search mail{sender}{about}" if args else "list the newest mails"
        return _reading(what, "search_emails", args)

    def since(self, found: re.Match[str]) -> Reading:
        today = self.almanac.today
        back = {"yesterday": 1, "this week": today.weekday()}.get(found["since"].lower(), 0)
        after = today - timedelta(days=back)
        return _reading(
            f"list the mails since {after:%a} {after.day} {after:%b}",
            "search_emails",
            {"after": after.isoformat()},
        )

    def read_mail(self, found: re.Match[str]) -> Reading:
        mail = (found["id"] or self._placed(found["place"]) or "").lower()
        if not mail:
            return Reading(texts.WHICH_MAIL)
        args: dict[str, Any] = {"id": mail}
        if not found["page"]:
            return _reading(f"read mail {mail}", "read_email", args)
        args["page"] = int(found["page"])
        return _reading(f"read mail {mail}, page {found['page']}", "read_email", args)

    def _placed(self, place: str | None) -> str:
        """Return the id of the mail at a place of the list, or of the one that ``it`` means."""
        if place is None:
            return self.last_mail
        number = patterns.PLACES.get(place.lower()) or int(place)
        return self.listed[number - 1] if 0 < number <= len(self.listed) else ""

    def availability(self, found: re.Match[str]) -> Reading | None:
        day, _, lasts = found["when"].rpartition(" for ")
        if day and (length := self._length(lasts)):
            within = self.almanac.span(day)
            if within and (within.all_day or within.rough):
                return self._free_within(within, length)
        span = self.almanac.span(found["when"])
        return self._asked("is anything on", "get_events_availability", span) if span else None

    def next_free(self, found: re.Match[str]) -> Reading | None:
        """Look for a free slot of some length: within a range, or the next ones."""
        words = (found["length"] or "").split()
        if not words:
            return self._next_free(_SOME_TIME)
        if len(words) == 1:
            words = ["an" if words[0].startswith("h") else "a", *words]
        for end in range(len(words), 0, -1):
            length = self._length(" ".join(words[:end]))
            if length is None:
                continue
            if end == len(words):
                return self._next_free(length)
            if span := self.almanac.span(" ".join(words[end:])):
                return self._free_within(span, length)
        return None

    def _free_within(self, span: Span, length: timedelta) -> Reading:
        what = f"free times of {say_length(length)},"
        asked = self._asked(what, "get_events_availability", span)
        [want] = asked.wants
        args = {**want.args, "minutes": length // timedelta(minutes=1)}
        return replace(asked, wants=(want.model_copy(update={"args": args}),))

    def _next_free(self, length: timedelta) -> Reading:
        args = {"minutes": length // timedelta(minutes=1)}
        said = f"the next free times of {say_length(length)}"
        return _reading(said, "get_events_availability", args)

    def _length(self, text: str) -> timedelta | None:
        """Return the length that a text is; None if it is none."""
        words = self.almanac.words(text)
        found = read_length(words, 0) if words else None
        if not words or not found or found.end != len(words.tokens):
            return None
        return found.length if timedelta() < found.length <= _LONGEST_FREE else None

    def details(self, found: re.Match[str]) -> Reading | None:
        span = self.almanac.span(next(filter(None, found.groups())))
        return self._looked(span) if span else None

    def when_free(self, _found: re.Match[str]) -> Reading:
        raise Unclear(texts.WHICH_TIME)

    def day(self, _found: re.Match[str]) -> Reading:
        today = self.almanac.today
        return self._looked(Span(today, today + timedelta(days=1)))

    def month(self, _found: re.Match[str]) -> Reading:
        """Look for an event that is named: nothing searches the calendar by title."""
        today = self.almanac.today
        return self._looked(Span(today, today + timedelta(days=31)))

    def clock(self, _found: re.Match[str]) -> Reading:
        return Reading(f"It is {say_moment(self.almanac.now, self._zone)}.")

    def thanks(self, _found: re.Match[str]) -> Reading:
        return Reading("You are welcome.")

    def leave(self, _found: re.Match[str]) -> Reading:
        return Reading("In a terminal /quit or Ctrl-D closes the chat. /stop stops what goes on.")

    def command(self, found: re.Match[str]) -> Reading:
        name, call = found["name"].lower(), found["call"]
        typed = " ".join(
            filter(None, (f"/{patterns.MEANT.get(name, name)}", call and call.upper()))
        )
        return Reading(f"That is a command: type {typed}. /help lists all.")

    def no_mail_out(self, _found: re.Match[str]) -> Reading:
        return Reading(texts.NO_MAIL_OUT)

    def settings(self, _found: re.Match[str]) -> Reading:
        return Reading(texts.SETTINGS)

    def files(self, _found: re.Match[str]) -> Reading:
        return Reading(texts.FILES)

    def remind(self, found: re.Match[str]) -> Reading:
        said = read_reminder(found["rest"], self.almanac)
        rule = said.repeats.model_dump(mode="json", exclude_none=True) if said.repeats else None
        args = {"text": said.text, "at": said.at.isoformat()} | ({"repeats": rule} if rule else {})
        span = Span(said.at, None if isinstance(said.at, datetime) else said.at + timedelta(days=1))
        often = f", {words(said.repeats, said.at)}" if said.repeats else ""
        what = f'remind you of "{said.text}" on {say_span(span, self.almanac.zone)}{often}'
        return _reading(what, "remind_me", args, note=said.note)

    def reminders(self, _found: re.Match[str]) -> Reading:
        return _reading("list the reminders", "list_reminders", {})

    def alone(self, found: re.Match[str]) -> Reading | None:
        """Read a time alone, to look at, or a title with a time of day, to create."""
        text = found["rest"]
        if patterns.NO_EVENT.match(text) or ('"' in text and not patterns.QUOTED.fullmatch(text)):
            return None
        if span := self.almanac.span(text):
            return self._looked(span)
        if repeated := self._repeated(_without_calendar(text), with_time=True):
            return self.create(found) if _is_short(repeated[0]) else None
        title, span = self._title_and_time(_without_calendar(text))
        if not span or not _is_short(title):
            return None
        created = self.create(found)
        if span.all_day:
            raise Unclear(self._day_alone(title, span))
        return created

    def _day_alone(self, title: str, span: Span) -> str:
        """Offer a title with a day and without a verb as an event: of all day, or with an hour."""
        end = span.end or span.start + timedelta(days=1)
        last = end - timedelta(days=1)
        single = last <= span.start
        days = f"{span.start}" if single else f"{span.start} to {last}"
        text = f"{texts.DAY_ALONE}{texts.HOUR_TOO if single else ''}"
        return text.format(title=title, day=say_span(span, self.almanac.zone), days=days)

    def create(self, found: re.Match[str]) -> Reading:
        rest = _without_calendar(found["rest"])
        if self._is_a_time(rest):
            raise Unclear(texts.NO_TITLE)
        if repeated := self._repeated(rest):
            return self._series(*repeated, sure='"' in rest)
        title, span = self._title_and_time(rest)
        if not span:
            raise Unclear(f'I understood: create "{title}", but not when. Write: {EXAMPLES}.')
        self._refuse_what_is_over(span)
        self._refuse_rough(span)
        if '"' not in rest and self._holds_a_time(title):
            raise Unclear(f"{texts.MANY_TIMES}\n{self._only(f'create {title}')}")
        if self._is_of_two_days(span) and _joins(rest.replace(title, "", 1)):
            raise Unclear(f"{texts.MANY_DAYS}\n{self._only(_first(f'create {rest}'))}")
        said = f'create "{title}" on {self._said(span)}'
        return _reading(said, "create_event", {"title": title} | self._times(span), note=span.note)

    def _holds_a_time(self, title: str) -> bool:
        """Whether a title without quotes holds a time, or ends with one."""
        words = title.split()
        begins = range(max(1, len(words) - patterns.SHORT_TIME_WORDS), len(words))
        ends = any(
            self._is_a_time(" ".join(words[begin:]), rough=len(words) - begin > 1)
            for begin in begins
        )
        return ends or bool(patterns.TIME_IN_TITLE.search(title))

    def _refuse_rough(self, span: Span) -> None:
        if span.rough:
            usual = span.usual and say_span(Span(span.usual, None), self.almanac.zone)
            raise Unclear(texts.ROUGH.format(clear=usual or texts.ROUGH_EXAMPLE))

    def _refuse_what_is_over(self, span: Span) -> None:
        """Refuse a time that is counted from now, and that has passed."""
        start, end = self.almanac.bounds(span)
        begun = end if span.all_day or span.rough else start
        if span.from_now and begun <= self.almanac.now:
            when = say_span(Span(span.start, None), self.almanac.zone)
            raise Unclear(texts.PAST.format(when=when))

    def _repeated(self, text: str, *, with_time: bool = False) -> tuple[str, Repeated] | None:
        """Split a title and how it repeats; None where nothing repeats.

        ``with_time``: only where a time of day is said with it.
        """
        quoted = patterns.QUOTED.fullmatch(text)
        words = (quoted["rest"] if quoted else text).split()
        last = [(" ".join(words[:at]), words[at:], with_time) for at in range(len(words))]
        first = [(" ".join(words[at:]), words[:at], True) for at in range(len(words) - 1, 0, -1)]
        for title, part, timed in (*(last if quoted else last[1:]), *first):
            repeated = read_repeats(" ".join(part), self.almanac)
            if repeated and not (timed and repeated.first.all_day):
                named = quoted["title"] if quoted else patterns.PREPOSITION.sub("", title)
                return named, repeated
        return None

    def _series(self, title: str, repeated: Repeated, *, sure: bool) -> Reading:
        """Propose an event that repeats. ``sure``: its title stands in quotes."""
        first = repeated.first
        if not sure and self._holds_a_time(title):
            raise Unclear(texts.TIME_IN_TITLE)
        said = f'create "{title}" {say_repeats(repeated.repeats)}, first on {self._said(first)}'
        args = {"title": title, **self._times(first), "repeats": _repeats(repeated.repeats)}
        return _reading(said, "create_event", args, note=repeated.note)

    def _is_of_two_days(self, span: Span) -> bool:
        start, end = self.almanac.bounds(span)
        return end - start > timedelta(days=1)

    def move(self, found: re.Match[str]) -> Reading:
        rest, scope = read_scope("move", found["rest"])
        for event, when in _divided(rest):
            title, on = self._title_and_day(event)
            if span := replace(self.almanac, on=on).span(when):
                if self._is_of_two_days(span) and _joins(when):
                    first = _first(f"move {rest}")
                    raise Unclear(f"{texts.MANY_DAYS}\n{self._only(first)}")
                if scope and not on:
                    such = f'move "{title}" on {self.almanac.today}{say_scope(scope)} to {when}'
                    raise Unclear(texts.WHICH_DAY.format(such=such))
                return self._moved(title, on, span, scope)
        raise Unclear(
            f'I did not understand what to move to when. Write: move "Title" to {patterns.LATER}.'
        )

    def rename(self, found: re.Match[str]) -> Reading:
        rest, scope = read_scope("rename", found["rest"])
        ways = [(old, new) for old, new in _divided(rest) if old and new]
        if len(ways) != 1:
            raise Unclear('Write both titles in quotes: rename "Title" to "New title".')
        title, on = self._title_and_day(ways[0][0])
        new = _unquoted(ways[0][1])
        self._ask_for_day("rename", title, on, scope, f' to "{new}"')
        said = f'rename "{title}"{_on(on)}{say_scope(scope)} to "{new}"'
        return _reading(said, "update_event", _event(title, on, scope) | {"title": new})

    def cancel(self, found: re.Match[str]) -> Reading:
        rest, scope = read_scope("cancel", found["rest"])
        title, on = self._title_and_day(rest)
        self._ask_for_day("cancel", title, on, scope)
        said = f'delete "{title}"{_on(on)}{say_scope(scope)}'
        return _reading(said, "delete_event", _event(title, on, scope))

    def _ask_for_day(
        self, order: str, title: str, on: date | None, scope: SeriesScope | None, to: str = ""
    ) -> None:
        """Raise ``Unclear`` where one of a series is meant and its day is not said."""
        if on is None and scope not in {None, SeriesScope.ALL}:
            such = f'{order} "{title}" on {self.almanac.today}{say_scope(scope)}{to}'
            raise Unclear(texts.WHICH_DAY.format(such=such))

    def _looked(self, span: Span) -> Reading:
        return self._asked("what is on", "get_events_details", span)

    def _asked(self, what: str, tool: str, span: Span) -> Reading:
        start, end = self.almanac.bounds(span)
        args = {"start": start.isoformat(), "end": end.isoformat()}
        return _reading(f"{what} {self._said(span)}", tool, args, note=span.note)

    def _moved(self, title: str, on: date | None, span: Span, scope: SeriesScope | None) -> Reading:
        self._refuse_what_is_over(span)
        self._refuse_rough(span)
        if span.bare and not on:
            raise Unclear(f'Say on which day as well: move "{title}" to {patterns.LATER}.')
        single = span.all_day and span.end == span.start + timedelta(days=1)
        if single and not span.said_all_day:
            raise Unclear(
                f"Say at what time, or all day: {span.start} 10:00, {span.start} all day."
            )
        said, times = self._said(span), self._times(span)
        if not span.end:
            del times["end"]
            said = f"{say_moment(self.almanac.bounds(span)[0], self._zone)}, as long as before"
        said = f'move "{title}"{_on(on)}{say_scope(scope)} to {said}'
        return _reading(said, "update_event", _event(title, on, scope) | times, note=span.note)

    def _title_and_time(self, text: str) -> tuple[str, Span | None]:
        """Split a title and a time: at the closing quote, or else where the longest time begins."""
        if quoted := patterns.QUOTED.fullmatch(text):
            return quoted["title"], self.almanac.span(quoted["rest"])
        if '"' in text:
            raise Unclear(texts.QUOTES)
        words = text.split()
        for begin in range(1, len(words)):
            if span := self.almanac.span(" ".join(words[begin:])):
                return patterns.PREPOSITION.sub("", " ".join(words[:begin])), span
        for end in range(len(words) - 1, 0, -1):  # the time first, and with an hour
            span = self.almanac.span(" ".join(words[:end]))
            if span and not span.all_day:
                return " ".join(words[end:]), span
        return text, None

    def _title_and_day(self, text: str) -> tuple[str, date | None]:
        """Split ``"Title" on friday``. Without quotes, a day must follow ``on`` or ``am``."""
        if quoted := patterns.QUOTED.fullmatch(text):
            day = self.almanac.day(quoted["rest"])
            if quoted["rest"] and not day:
                raise Unclear(f'I cannot tell which day "{quoted["rest"]}" is. Write: 2026-11-30.')
            return quoted["title"], day
        if '"' in text:
            raise Unclear(texts.QUOTES)
        if patterns.PRONOUN.fullmatch(text):
            raise Unclear(texts.WHICH_EVENT)
        if near := patterns.NEAR.fullmatch(text):
            return near["title"], self.almanac.day(near["day"])
        for behind in (" on ", " am "):
            title, _, rest = text.rpartition(behind)
            if title and (day := self.almanac.day(rest)):
                return title, day
        return text, None

    def _when(self, span: Span) -> When:
        try:
            if span.all_day:
                return When(start=span.start, end=span.end)
            # In UTC, as Python compares two times of one zone without their offsets.
            start, end = (moment.astimezone(UTC) for moment in self.almanac.bounds(span))
            return When(start=start, end=end)
        except ValidationError as error:
            raise Unclear("An event lasts 366 days at the most.") from error

    def _times(self, span: Span) -> dict[str, str]:
        """Return a span as arguments: dates for all day, else times with their offset."""
        start, end = (span.start, span.end) if span.all_day else self.almanac.bounds(span)
        return {"start": start.isoformat(), "end": end.isoformat() if end else ""}

    def _said(self, span: Span) -> str:
        return say_when(self._when(span), self._zone)

    @property
    def _zone(self) -> str:
        return str(self.almanac.zone)


def _reading(said: str, tool: str, args: dict[str, Any], *, note: str = "") -> Reading:
    text = f"I understood: {said}."
    return Reading(f"{text} {note}".rstrip(), (Want(tool=tool, args=args),))


def _repeats(repeats: Repeats) -> dict[str, Any]:
    """Return a repeat as an argument of ``create_event``."""
    given = {
        "interval": repeats.interval if repeats.interval != 1 else None,
        "weekdays": [_WEEKDAYS[day] for day in repeats.weekdays],
        "nth": repeats.ordinal,
        "month_days": [repeats.month_day] if repeats.month_day else None,
        "until": repeats.until.isoformat() if repeats.until else None,
        "count": repeats.count,
    }
    said = {name: value for name, value in given.items() if value}
    return {"frequency": repeats.frequency.value, **said}


def _is_short(title: str) -> bool:
    """Whether a title may stand without a verb."""
    return 0 < len(title.split()) <= patterns.TITLE_WORDS


def _event(title: str, on: date | None, scope: SeriesScope | None) -> dict[str, Any]:
    day = {"on": on.isoformat()} if on else {}
    return {"event": title} | day | ({"scope": scope.value} if scope else {})


def _on(day: date | None) -> str:
    return f" on {day.isoformat()}" if day else ""


def _divided(text: str) -> Iterator[tuple[str, str]]:
    """Yield each way to split ``EVENT to SOMETHING`` outside quotes, from the left."""
    for between in re.finditer(" to ", text, re.IGNORECASE):
        left, right = text[: between.start()], text[between.end() :]
        if left.count('"') % 2 == 0:
            yield left, right


def _quoted_changes(text: str) -> list[str]:
    """Split a text into its changes, outside quotes; return the text itself if it has only one.

    Each change begins with its verb and names its event in quotes.
    """
    begin, changes = 0, []
    for joint in patterns.JOINT.finditer(text):
        if _outside_quotes(text, joint.start()):
            changes.append(text[begin : joint.start()])
            begin = joint.end()
    changes.append(text[begin:])
    return changes if all(patterns.CHANGE.match(change) for change in changes) else [text]


def _outside_quotes(text: str, place: int) -> bool:
    return text.count('"', 0, place) % 2 == 0


def _apart_from_quotes(text: str, change: Callable[[str], str]) -> str:
    """Change what stands outside quotes."""
    parts = text.split('"')
    return '"'.join(part if place % 2 else change(part) for place, part in enumerate(parts))


def _changes(reading: Reading | None) -> bool:
    """Whether a reading proposes to change something."""
    wants = reading.wants if reading else ()
    return any(want.tool in patterns.CHANGING for want in wants)


def _without_quoted(text: str) -> str:
    """Blank what stands in quotes; all else keeps its place."""
    parts = text.split('"')
    return '"'.join(" " * len(part) if place % 2 else part for place, part in enumerate(parts))


def _joins(when: str) -> bool:
    """Whether a time names two by ``and``, which are no begin and end."""
    return bool(patterns.AND.search(when)) and not patterns.BETWEEN.search(when)


def _first(text: str) -> str:
    """Return what stands before the last ``and``."""
    *_, last = patterns.AND.finditer(text)
    return text[: last.start()]


def _without_calendar(text: str) -> str:
    return _apart_from_quotes(text, lambda said: patterns.IN_CALENDAR.sub("", said))


def _ways(text: str, unclear: Unclear | None) -> Iterator[str]:
    """Write a text with each of what its unclear words could be in their place."""
    if unclear is None or not unclear.words:
        return
    for reading in unclear.readings:
        values = [say_repeats(reading)] if isinstance(reading, Repeats) else _typed(reading)
        way = text
        for said, value in zip(unclear.words, values, strict=False):
            same = re.finditer(rf"(?<![\w:.]){re.escape(said)}(?![\w:])", way, re.IGNORECASE)
            places = [one for one in same if _outside_quotes(way, one.start())]
            if not places:
                return
            # Of one hour the last, as a title may hold it too; of a range the first that is left.
            at = places[-1] if len(unclear.words) == 1 else places[0]
            way = way[: at.start()] + value + way[at.end() :]
        yield way


def _typed(span: Span) -> list[str]:
    """Write the hours of a span, or its day."""
    if not isinstance(span.start, datetime):
        return [f"{span.start}"]
    ends = [span.end] if isinstance(span.end, datetime) else []
    return [f"{one:%H:%M}" for one in (span.start, *ends)]


def _listed(ways: Sequence[str]) -> Iterator[str]:
    return (f"- {way}" for way in ways)


def _by_day(found: re.Match[str]) -> str:
    """Write an hour that could be two as the one between 7:00 and 18:59."""
    hour = int(found["hour"])
    return f"at {hour + 12 if hour < patterns.WAKING else hour}:00"


def _say_unclear(unclear: Sequence[tuple[str, str]]) -> str:
    if len(unclear) > 1:
        return "\n".join((texts.UNCLEAR, *(f"- {change}: {why}" for change, why in unclear)))
    [(change, why)] = unclear
    return f"{texts.UNCLEAR} {change}. {why}"


def _tidy(words: str) -> str:
    text = " ".join(words.translate(patterns.TYPOGRAPHY).split())
    return patterns.POLITE_AFTER.sub("", patterns.POLITE_BEFORE.sub("", text))


def _unquoted(text: str) -> str:
    return text.replace('"', "").strip()


_FORMS: tuple[tuple[re.Pattern[str], Callable[[Reader, re.Match[str]], Reading | None]], ...] = (
    (form(HELP), Reader.help),
    (form(HELLO), Reader.greet),
    (form(WAITS), Reader.waiting),
    (form(ANSWER), Reader.answered),
    (form(r"(?:ok(?:ay)?,? |no,? )?(?:thanks|thank you|thx|danke)(?: a lot)?"), Reader.thanks),
    (form(r"(?:good ?)?bye|tschüss|quit|exit|leave|logout"), Reader.leave),
    (form(COMMAND), Reader.command),
    (form(r"what(?:'s| is)? (?:the )?(?:time|day|date)(?: is it)?(?: today)?"), Reader.clock),
    (form(SENDS), Reader.no_mail_out),
    (form(r"(?:my |the )?(?:settings|setup|configuration)"), Reader.settings),
    (form(r"(?:list |show )?(?:me )?(?:my |the )?(?:files|notes)"), Reader.files),
    (form(REMIND), Reader.remind),
    (
        form(r"(?:(?:show|list)(?: me)? )?(?:my |the )?reminders|(?:meine )?erinnerungen"),
        Reader.reminders,
    ),
    (form(r"(?:approve|allow|confirm|deny|reject|cancel) #?(?P<call>a[0-9]+)"), Reader.buttons),
    (
        form(rf"{SHOW}(?:(?:{NEW} )?(?:{MAIL}|inbox)|unread|latest)|(?:my |the )?last {MAIL}"),
        Reader.search,
    ),
    (
        form(rf"{SHOW}(?:{NEW} )?{MAIL} (?:(?:from|of|since) )?{SINCE}"),
        Reader.since,
    ),
    (form(r"what did (?P<sender>.+?) (?:write|send|say)(?: me)?"), Reader.search),
    (
        form(rf"{SHOW}{MAIL} from (?P<sender>.+?)(?: (?:about|with) (?P<query>.+))?"),
        Reader.search,
    ),
    (form(rf"{SHOW}{MAIL} about (?P<query>.+)"), Reader.search),
    (
        form(
            rf"(?:read|open|show|summari[sz]e)(?: me)? "
            rf"(?:{THE_MAIL}|{ID}|(?:the )?{PLACE}){PAGE}"
        ),
        Reader.read_mail,
    ),
    (
        form(
            r"(?:(?:when|what)(?:'s| is)? )?(?:am i |are we |my |the )?next free"
            r"(?: (?:time|times|slot|slots))?(?: for)?(?P<length> .+)?"
        ),
        Reader.next_free,
    ),
    (
        form(
            r"(?:when )?(?:am i|are we|will i be) (?:next )?(?:free|available)(?: next)?"
            r" for (?P<length>.+)"
        ),
        Reader.next_free,
    ),
    (form(r"when (?:am i|are we) (?:next )?(?:free|available)(?P<length>)"), Reader.next_free),
    (
        form(r"(?:find|show)(?: me)? (?:a )?free (?:time|slot)s?(?: for| of)? (?P<length>.+)"),
        Reader.next_free,
    ),
    (
        form(r"(?:when )?(?:am i|are we|will i be) (?:free|busy|available) (?P<when>.+)"),
        Reader.availability,
    ),
    (form(r"free(?P<length>)"), Reader.next_free),
    (form(r"(?:free|do i have time)(?: for)? (?P<length>.+)"), Reader.next_free),
    (form(r"(?:free|do i have time) (?P<when>.+)"), Reader.availability),
    (form(r"(?:am i|are we) (?:free|busy|available)|do i have time"), Reader.when_free),
    (form(r"(?:what(?:'s| is) |my |the )?next(?: (?:event|appointment|meeting))?"), Reader.coming),
    (
        form(r"when(?:'s| is| are)(?: (?:my|the))? next (?:event|appointment|meeting)"),
        Reader.coming,
    ),
    (form(r"when(?:'s| is) (?:my |the )?[^?]+"), Reader.month),
    (
        form(r"(?:what(?:'s| is) |how(?:'s| is) )?my day|(?:what are )?my plans|what(?:'s| is) up"),
        Reader.day,
    ),
    (
        form(
            rf"what(?:'s| is|s)(?: (?:on|in))?(?: (?:my |the )?{DIARY})?(?: for)? "
            r"(?P<when>.+)"
        ),
        Reader.details,
    ),
    (form(r"what do i have(?: on| planned)? (?P<when>.+)"), Reader.details),
    (
        form(r"do i have (?:any ?thing|something|plans|events|appointments) (?P<when>.+)"),
        Reader.details,
    ),
    (form(r"(?:what are )?my plans (?P<when>.+)|what(?:'s| is) up (?P<then>.+)"), Reader.details),
    (
        form(rf"(?:(?:show|list)(?: me)? )?(?:my |the )?{DIARY} (?P<when>.+)"),
        Reader.details,
    ),
    (form(rf"(?:(?:show|list)(?: me)? )?(?:my |the )?{DIARY}"), Reader.coming),
    (form(rf"{CREATE} {EVENT}(?P<rest>.+)"), Reader.create),
    (form(rf"(?:new|make|set up) {AN_EVENT}(?P<rest>.+)"), Reader.create),
    (form(r"event(?: called| named| titled)?:? (?P<rest>.+)"), Reader.create),
    (form(rf"(?:put|enter) (?P<rest>.+{patterns.IN_CALENDAR.pattern}.*)"), Reader.create),
    (form(rf"{MOVE} (?P<rest>.+)"), Reader.move),
    (form(r"rename (?P<rest>.+)"), Reader.rename),
    (form(rf"{CANCEL} (?P<rest>.+)"), Reader.cancel),
    (form(r"(?:search|find|look)(?: for)? (?P<query>.+)"), Reader.search),
    (form(r"(?P<rest>.+)"), Reader.alone),
)
"""The forms in the order they are tried; if a reader returns None, the next form is tried."""
