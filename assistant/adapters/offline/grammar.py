"""The grammar of the offline model. docs/offline-grammar.md is its manual.

It reads only what the owner typed. A reading says what was understood, and holds the calls to
propose, if any.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, timedelta
from typing import Any

from pydantic import ValidationError

from assistant.adapters.offline.dates import EXAMPLES, Almanac, Span, Unclear
from assistant.domain.calendar.events import When
from assistant.domain.conversation.conversation import Tell, Want
from assistant.domain.time.moments import say_moment, say_when

HELP = """\
I answer without a language model and understand this much, in any case:

- hello · pending (what waits for your yes, and what is new)

Mail
- newest mails · mail · inbox
- search WORDS · find mail about WORDS · mail from NAME · mail from NAME about WORDS
- read ID · read it · read ID page 2

Calendar, looking
- today · calendar · am I free tomorrow afternoon? · am I free on 2026-11-30 10:00-11:00?
- what is on tomorrow? · what's on this week?

Calendar, changing (each waits for your approval)
- create "Title" 2026-11-30 10:00-10:30 · create "Title" tomorrow at 15:00 for 45 minutes
- create "Title" 2026-12-24 (all day)
- move "Title" to friday 10:00 · move "Title" on 2026-11-30 to 16:00
- rename "Title" to "New title"
- cancel "Title" · cancel "Title" on friday
- several at once, up to five: cancel "Title" and create "Other title" tomorrow 10:00"""

MOST = 5
"""The most changes in one sentence."""
_LONGEST = 500
_BUTTONS = (
    "Only you can approve or deny: use the card's buttons, or type /approve A17 or /deny A17 "
    "in a terminal."
)
_GREETING = "Hello. I answer without a language model; `help` shows what I know."
_NO_ANSWER = "Words approve and deny nothing: the card does."
_WHICH_MAIL = "I do not know which mail. Search first, such as: mail from Anna. Then: read ID."
_QUOTES = 'The quotes do not fit. Write titles like this: create "Team lunch" friday 12:00-13:00.'
_TOO_MANY = "I take at most five changes at once: nothing was done. Ask for fewer."
_UNKNOWN = "I do not understand it."
_ROUGH = "That is too vague to book; say at what time, such as: tomorrow at 15:00 for 45 minutes."


@dataclass(frozen=True)
class Reading:
    """How the owner's words were understood."""

    text: str
    wants: tuple[Want, ...] = ()
    tells: Tell | None = None


@dataclass(frozen=True)
class Reader:
    """Reads one order, or several changes at once.

    ``last_mail`` is the id of the mail that ``it`` means; empty for none.
    """

    almanac: Almanac
    last_mail: str

    def read(self, words: str) -> Reading | None:
        """Read the words; None when they do not match the grammar."""
        text = _tidy(words)
        if len(text) > _LONGEST * MOST:
            return None
        changes = _changes(text)
        return self._all(changes) if len(changes) > 1 else self._one(text)

    def _all(self, changes: Sequence[str]) -> Reading:
        """Read all changes or none: an owner who must clarify one types all of them again."""
        if len(changes) > MOST:
            return Reading(_TOO_MANY)
        readings = [self._one(_tidy(change)) or Reading(_UNKNOWN) for change in changes]
        for change, reading in zip(changes, readings, strict=True):
            if not reading.wants:
                return Reading(f"Nothing was done, as this is not clear: {change}. {reading.text}")
        text = "\n".join(reading.text for reading in readings)
        return Reading(text, tuple(want for reading in readings for want in reading.wants))

    def _one(self, text: str) -> Reading | None:
        if not text or len(text) > _LONGEST:
            return None
        for form, understand in _FORMS:
            if not (found := form.fullmatch(text)):
                continue
            try:
                reading = understand(self, found)
            except Unclear as unclear:
                return Reading(str(unclear))
            if reading:
                return reading
        return None

    def help(self, _found: re.Match[str]) -> Reading:
        return Reading(HELP)

    def buttons(self, _found: re.Match[str]) -> Reading:
        return Reading(_BUTTONS)

    def greet(self, _found: re.Match[str]) -> Reading:
        return Reading(_GREETING, tells=Tell.NEWS)

    def waiting(self, _found: re.Match[str]) -> Reading:
        return Reading("This waits for your yes.", tells=Tell.WAITING)

    def answered(self, _found: re.Match[str]) -> Reading:
        return Reading(_NO_ANSWER, tells=Tell.CARDS)

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

    def read_mail(self, found: re.Match[str]) -> Reading:
        mail = (found["id"] or self.last_mail).lower()
        if not mail:
            return Reading(_WHICH_MAIL)
        args: dict[str, Any] = {"id": mail}
        if not found["page"]:
            return _reading(f"read mail {mail}", "read_email", args)
        args["page"] = int(found["page"])
        return _reading(f"read mail {mail}, page {found['page']}", "read_email", args)

    def availability(self, found: re.Match[str]) -> Reading | None:
        span = self.almanac.span(found["when"])
        return self._asked("is anything on", "get_events_availability", span) if span else None

    def details(self, found: re.Match[str]) -> Reading | None:
        span = self.almanac.span(found["when"])
        return self._looked(span) if span else None

    def create(self, found: re.Match[str]) -> Reading:
        title, span = self._title_and_time(found["rest"])
        if not span:
            raise Unclear(f'I understood: create "{title}", but not when. Write: {EXAMPLES}.')
        if span.rough:
            raise Unclear(_ROUGH)
        said = f'create "{title}" on {self._said(span)}'
        return _reading(said, "create_event", {"title": title} | self._times(span), note=span.note)

    def move(self, found: re.Match[str]) -> Reading:
        for event, when in _divided(found["rest"]):
            title, on = self._title_and_day(event)
            if span := replace(self.almanac, on=on).span(when):
                return self._moved(title, on, span)
        raise Unclear(
            f'I did not understand what to move to when. Write: move "Title" to {_LATER}.'
        )

    def rename(self, found: re.Match[str]) -> Reading:
        ways = [(old, new) for old, new in _divided(found["rest"]) if old and new]
        if len(ways) != 1:
            raise Unclear('Write both titles in quotes: rename "Title" to "New title".')
        title, on = self._title_and_day(ways[0][0])
        new = _unquoted(ways[0][1])
        said = f'rename "{title}"{_on(on)} to "{new}"'
        return _reading(said, "update_event", _event(title, on) | {"title": new})

    def cancel(self, found: re.Match[str]) -> Reading:
        title, on = self._title_and_day(found["rest"])
        return _reading(f'delete "{title}"{_on(on)}', "delete_event", _event(title, on))

    def _looked(self, span: Span) -> Reading:
        return self._asked("what is on", "get_events_details", span)

    def _asked(self, what: str, tool: str, span: Span) -> Reading:
        start, end = self.almanac.bounds(span)
        args = {"start": start.isoformat(), "end": end.isoformat()}
        return _reading(f"{what} {self._said(span)}", tool, args, note=span.note)

    def _moved(self, title: str, on: date | None, span: Span) -> Reading:
        if span.rough:
            raise Unclear(_ROUGH)
        if span.bare and not on:
            raise Unclear(f'Say on which day as well: move "{title}" to {_LATER}.')
        single = span.all_day and span.end == span.start + timedelta(days=1)
        if single and not span.said_all_day:
            raise Unclear(
                f"Say at what time, or all day: {span.start} 10:00, {span.start} all day."
            )
        said, times = self._said(span), self._times(span)
        if not span.end:
            del times["end"]
            said = f"{say_moment(self.almanac.bounds(span)[0], self._zone)}, as long as before"
        said = f'move "{title}"{_on(on)} to {said}'
        return _reading(said, "update_event", _event(title, on) | times, note=span.note)

    def _title_and_time(self, text: str) -> tuple[str, Span | None]:
        """Split a title and a time: at the closing quote, or else where the longest time begins."""
        if quoted := _QUOTED.fullmatch(text):
            return quoted["title"], self.almanac.span(quoted["rest"])
        if '"' in text:
            raise Unclear(_QUOTES)
        words = text.split()
        for begin in range(1, len(words)):
            if span := self.almanac.span(" ".join(words[begin:])):
                return _PREPOSITION.sub("", " ".join(words[:begin])), span
        return text, None

    def _title_and_day(self, text: str) -> tuple[str, date | None]:
        """Split ``"Title" on friday``. Without quotes, a day must follow the last ``on``."""
        if quoted := _QUOTED.fullmatch(text):
            day = self.almanac.day(quoted["rest"])
            if quoted["rest"] and not day:
                raise Unclear(f'I cannot tell which day "{quoted["rest"]}" is. Write: 2026-11-30.')
            return quoted["title"], day
        if '"' in text:
            raise Unclear(_QUOTES)
        title, _, rest = text.rpartition(" on ")
        day = self.almanac.day(rest) if title else None
        return (title, day) if day else (text, None)

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


def _event(title: str, on: date | None) -> dict[str, Any]:
    return {"event": title} | ({"on": on.isoformat()} if on else {})


def _on(day: date | None) -> str:
    return f" on {day.isoformat()}" if day else ""


def _divided(text: str) -> Iterator[tuple[str, str]]:
    """Yield each way to split ``EVENT to SOMETHING`` outside quotes, from the left."""
    for between in re.finditer(" to ", text, re.IGNORECASE):
        left, right = text[: between.start()], text[between.end() :]
        if left.count('"') % 2 == 0:
            yield left, right


def _changes(text: str) -> list[str]:
    """Split a text into its changes, outside quotes; return the text itself if it has only one.

    Each change begins with its verb and names its event in quotes.
    """
    begin, changes = 0, []
    for joint in _JOINT.finditer(text):
        if text.count('"', 0, joint.start()) % 2 == 0:
            changes.append(text[begin : joint.start()])
            begin = joint.end()
    changes.append(text[begin:])
    return changes if all(_CHANGE.match(change) for change in changes) else [text]


def _tidy(words: str) -> str:
    text = " ".join(words.translate(_TYPOGRAPHY).split())
    return _POLITE_AFTER.sub("", _POLITE_BEFORE.sub("", text))


def _unquoted(text: str) -> str:
    return text.replace('"', "").strip()


def _form(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


_TYPOGRAPHY = str.maketrans("\u2018\u2019\u201c\u201d\u201e\u00ab\u00bb", '\'\'"""""')
_POLITE_BEFORE = _form(r"^(?:(?:please|can you|could you) )+")
_POLITE_AFTER = _form(r"(?:,? please)?[ .!?]*$")
_QUOTED = _form(r'"(?P<title>[^"]*[^" ][^"]*)"(?:,? ?(?:on )?(?P<rest>[^"]*))')
_PREPOSITION = _form(r" (?:on|at|from|for)$")
_LATER = "2026-11-30 10:00"
_CREATE = r"(?:create|add|schedule|book|plan)"
_MOVE = r"(?:move|reschedule|shift|postpone)"
_CANCEL = r"(?:cancel|delete|remove)"
_CHANGE = _form(rf'(?:{_CREATE}|{_MOVE}|rename|{_CANCEL}) [^"]*"')
_JOINT = _form(rf"(?: ?; ?|,? and )(?:and )?(?:then )?(?:please )?(?={_CHANGE.pattern})")

_MAIL = r"(?:(?:e-?)?mails?|messages?)"
_SHOW = r"(?:(?:show|list|find|search|get|read)(?: me)?(?: all)?(?: the| my)? )?"
_THE_MAIL = r"(?:it|that|this|(?:that|this|the last|the latest) (?:one|(?:e-?)?mail|message))"
_ID = r"(?:(?:the )?(?:(?:e-?)?mail|message) )?(?P<id>[0-9a-f]{4,64})"
_PAGE = r"(?:,? page (?P<page>[0-9]{1,4}))?"
_DIARY = r"(?:calendar|agenda|schedule|events|appointments)"
_EVENT = r"(?:(?:an? |the )?(?:new )?(?:event|appointment|entry)(?: called| named| titled)? |an? )?"

_HELLO = (
    r"(?:hello|hi|hey|hallo|moin|good (?:morning|afternoon|evening)|guten (?:morgen|tag|abend))"
    r"(?: there)?|(?:is there )?(?:any ?thing|what(?:'s| is)) new|news"
)
_ANSWER = r"yes|yep|yeah|y|no|nope|n|ok|okay|sure|go ahead|do it|approved?|den(?:y|ied)|ja|nein"
_A_DAY = r"today|tomorrow|tonight|(?:this|next) week|this weekend"

_FORMS: tuple[tuple[re.Pattern[str], Callable[[Reader, re.Match[str]], Reading | None]], ...] = (
    (_form(r"help|hilfe|what can you do"), Reader.help),
    (_form(_HELLO), Reader.greet),
    (_form(r"pending|what waits(?: for me)?|what is (?:pending|waiting)"), Reader.waiting),
    (_form(_ANSWER), Reader.answered),
    (_form(r"(?:approve|allow|confirm|deny|reject|cancel|undo) #?a[0-9]+"), Reader.buttons),
    (
        _form(rf"{_SHOW}(?:(?:any )?(?:new|newest|latest|recent) )?(?:{_MAIL}|inbox)"),
        Reader.search,
    ),
    (
        _form(rf"{_SHOW}{_MAIL} from (?P<sender>.+?)(?: (?:about|with) (?P<query>.+))?"),
        Reader.search,
    ),
    (_form(rf"{_SHOW}{_MAIL} about (?P<query>.+)"), Reader.search),
    (_form(rf"(?:read|open|show)(?: me)? (?:{_THE_MAIL}|{_ID}){_PAGE}"), Reader.read_mail),
    (
        _form(r"(?:when )?(?:am i|are we|will i be) (?:free|busy|available) (?P<when>.+)"),
        Reader.availability,
    ),
    (_form(r"do i have time (?P<when>.+)"), Reader.availability),
    (
        _form(rf"what(?:'s| is|s)(?: (?:on|in))?(?: (?:my |the )?{_DIARY})?(?: for)? (?P<when>.+)"),
        Reader.details,
    ),
    (_form(r"what do i have(?: on| planned)? (?P<when>.+)"), Reader.details),
    (_form(rf"(?:(?:show|list)(?: me)? )?(?:my |the )?{_DIARY} (?P<when>.+)"), Reader.details),
    (_form(rf"(?:(?:show|list)(?: me)? )?(?:my |the )?{_DIARY}"), Reader.coming),
    (_form(rf"(?P<when>{_A_DAY})"), Reader.details),
    (_form(rf"{_CREATE} {_EVENT}(?P<rest>.+)"), Reader.create),
    (_form(rf"{_MOVE} (?P<rest>.+)"), Reader.move),
    (_form(r"rename (?P<rest>.+)"), Reader.rename),
    (_form(rf"{_CANCEL} (?P<rest>.+)"), Reader.cancel),
    (_form(r"(?:search|find|look)(?: for)? (?P<query>.+)"), Reader.search),
)
"""The forms in the order they are tried; if a reader returns None, the next form is tried."""
