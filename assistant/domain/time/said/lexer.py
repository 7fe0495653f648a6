"""Split a text into words that languages know, and numbers."""

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import date, datetime
from typing import NamedTuple, TypeVar

from assistant.domain.time.said.language import Meaning, Phrases, WordKind
from assistant.domain.time.said.values import Unclear

LONGEST = 120
"""Characters of a time; a longer text is none."""
_LONGEST_PHRASE = 4
_Moment = TypeVar("_Moment", date, datetime)
_FINEST = 100
"""How a fraction's second number is counted."""

_RAW = re.compile(
    r"(?P<moment>[0-9]{4}-[0-9]{2}-[0-9]{2}t[0-9]{2}:[0-9]{2}(?::[0-9]{2})?"
    r"(?:z|[+-][0-9]{2}:[0-9]{2})?(?!\w))"
    r"|(?P<iso>[0-9]{4}-[0-9]{2}-[0-9]{2}(?!\w))"
    r"|(?P<slashed>[0-9]{1,2}/[0-9]{1,2}(?:/[0-9]{2,4})?(?![\w/]))"
    r"|(?P<dotted>[0-9]{1,2}\.[0-9]{1,2}\.(?:[0-9]{4}(?![\w.]))?)"
    r"|(?P<fraction>[0-9]{1,3}[.,][0-9]{1,2}(?![0-9.,]))"
    r"|(?P<clock>[0-9]{1,2}:[0-9]{2}(?![0-9:]))"
    r"|(?P<placed>[0-9]{1,2}(?:(?:st|nd|rd|th)(?!\w)|\.(?![0-9])))"
    r"|(?P<number>[0-9]{1,4}(?![0-9]))"
    r"|(?P<word>all-day|[^\W\d_]+(?:'[^\W\d_]+)?)"
    r"|(?P<dash>[-\u2013\u2014])"
    r"|(?P<comma>,)"
    r"|(?P<other>\S)"
)


class Word(NamedTuple):
    """A word, with each meaning it can have."""

    senses: Meaning
    text: str
    glued: bool = False
    """Whether it stands behind the one before without a space."""
    day: date | None = None
    days: tuple[date | tuple[int, int], ...] = ()
    """What a date written in numbers can be; one without a year is a month and a day."""
    moment: datetime | None = None


class SaidWords(NamedTuple):
    """The words of a text. ``at`` a place beyond them no word has a meaning."""

    tokens: tuple[Word, ...]

    def at(self, place: int, kind: WordKind) -> int | None:
        """Return the number of this kind of word; None where there is no such word."""
        if not 0 <= place < len(self.tokens):
            return None
        return next((n for one, n in self.tokens[place].senses if one is kind), None)

    def is_at(self, place: int, *kinds: WordKind) -> bool:
        return any(self.at(place, kind) is not None for kind in kinds)

    def text(self, begin: int, end: int) -> str:
        parts = [
            f"{'' if one.glued or not n else ' '}{one.text}"
            for n, one in enumerate(self.tokens[begin:end])
        ]
        return "".join(parts)

    def part(self, begin: int, end: int) -> "SaidWords":
        return SaidWords(self.tokens[begin:end])


def words_of(text: str, languages: Sequence[Phrases]) -> SaidWords | None:
    """Return the words of a text; None where it holds one that no language knows.

    Raises:
        Unclear: a date or a time is written in numbers that do not exist.
    """
    text = " ".join(text.lower().replace("\N{RIGHT SINGLE QUOTATION MARK}", "'").split())
    if not text or len(text) > LONGEST:
        return None
    raw = list(_RAW.finditer(text))
    tokens: list[Word] = []
    place = 0
    while place < len(raw):
        found = raw[place]
        glued = place > 0 and raw[place - 1].end() == found.start()
        if found.lastgroup != "word":
            token = _written(found, glued=glued)
            if token is None:
                return None
            tokens.append(token)
            place += 1
            continue
        taken, named = _phrase(raw, place, languages)
        if not named or (glued and not _may_be_glued(raw[place - 1], named)):
            return None
        tokens += (Word(one.senses, one.text, glued and not n) for n, one in enumerate(named))
        place += taken
    return SaidWords(tuple(tokens))


def _phrase(
    raw: Sequence[re.Match[str]], place: int, languages: Sequence[Phrases]
) -> tuple[int, list[Word]]:
    """Return the longest phrase that begins here: how many words it has, and what they mean."""
    for length in range(_LONGEST_PHRASE, 0, -1):
        run = raw[place : place + length]
        if len(run) < length or any(one.lastgroup != "word" for one in run):
            continue
        text = " ".join(one[0] for one in run)
        meanings = [meaning for table in languages if (meaning := table.get(text))]
        if not meanings:
            continue
        if all(len(meaning) == 1 for meaning in meanings):
            return length, [Word(tuple(meaning[0] for meaning in meanings), text)]
        return length, [Word((sense,), text) for sense in meanings[0]]
    return 0, []


def _may_be_glued(before: re.Match[str], named: Sequence[Word]) -> bool:
    """Whether a word may stand behind another without a space: ``7pm``, ``45min``, ``-friday``."""
    if before.lastgroup in {"dash", "comma"}:
        return True
    behind_number = {WordKind.MERIDIEM, WordKind.HOUR, WordKind.UNIT}
    numbers = {"number", "clock", "fraction"}
    return before.lastgroup in numbers and any(kind in behind_number for kind, _ in named[0].senses)


def _written(found: re.Match[str], *, glued: bool) -> Word | None:
    kind, text = found.lastgroup, found[0]
    if kind in {"slashed", "dotted", "fraction"}:
        return _numbers(kind, text, glued=glued)
    if kind == "iso":
        return Word(((WordKind.DAY, 0),), text, glued, day=_checked(date.fromisoformat, text))
    if kind == "moment":
        moment = _checked(datetime.fromisoformat, text)
        return Word(((WordKind.MOMENT, 0),), text, glued, moment=moment)
    sense = _SENSES.get(kind or "")
    return Word((sense(text),), text, glued) if sense else None


def _clock(text: str) -> tuple[WordKind, int]:
    hour, minute = map(int, text.split(":"))
    return WordKind.CLOCK, hour * 60 + minute if minute < 60 else -1  # noqa: PLR2004


_SENSES: dict[str, Callable[[str], tuple[WordKind, int]]] = {
    "number": lambda text: (WordKind.NUMBER, int(text)),
    "placed": lambda text: (WordKind.PLACED, int(re.sub(r"\D", "", text))),
    "clock": _clock,
    "dash": lambda _: (WordKind.TO, 0),
    "comma": lambda _: (WordKind.COMMA, 0),
}


def _checked(read: Callable[[str], _Moment], text: str) -> _Moment:
    try:
        return read(text.upper())
    except ValueError as error:
        raise Unclear(f"{text.upper()} does not exist: {error}.") from error


def _numbers(kind: str, text: str, *, glued: bool) -> Word:
    """Read a date of two or three numbers, or a fraction: ``24.12.``, ``11/12/2026``, ``1.5``."""
    parts = [int(part) for part in re.split(r"[./,]", text) if part]
    year = parts[2] if len(parts) > 2 else None  # noqa: PLR2004
    first, second = parts[0], parts[1]
    orders = [(second, first), (first, second)] if kind == "slashed" else [(second, first)]
    days = tuple(dict.fromkeys(_dates(orders, year)))
    if kind == "fraction":
        scale = _FINEST // 10 if len(text.rpartition("." if "." in text else ",")[2]) == 1 else 1
        comma = "," in text
        number = first * _FINEST + second * scale
        senses = (
            ((WordKind.FRACTION, number),)
            if comma
            else ((WordKind.FRACTION, number), (WordKind.DAY, 0))
        )
        return Word(senses, text, glued, days=() if comma else days)
    slashed = (
        (WordKind.SLASHED, 0 if year is not None and year < _FINEST else 1),
        (WordKind.DAY, 0),
    )
    return Word(slashed if kind == "slashed" else ((WordKind.DAY, 0),), text, glued, days=days)


def _dates(orders: Sequence[tuple[int, int]], year: int | None) -> Iterator[date | tuple[int, int]]:
    for month, day in orders:
        try:
            if year is not None:
                yield date(year, month, day)
            else:
                date(2000, month, day)
                yield month, day
        except ValueError:
            continue
