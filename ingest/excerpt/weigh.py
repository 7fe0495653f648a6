"""Weigh the sentences of a mail: what asks, names a date or a sum, or says what has changed."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from assistant.domain.mail.understanding.named_amounts import NamedAmount, named_amounts
from assistant.domain.time.named_days import MONTHS, WEEKDAYS, NamedDay, named_days
from ingest.excerpt import signs


def _any(parts: Sequence[str]) -> re.Pattern[str]:
    return _form("|".join(parts))


def _form(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


_ASKS = _any(signs.ASKS)
_NOT_ASKED = _any(signs.NOT_ASKED)
_ORDERS = _any(signs.ORDERS)
_TO_YOU = _any(signs.TO_YOU)
_MILD = _any(signs.MILD)
_BY = _any(signs.BY)
_TIME = _form(
    r"(?<![\d.,:])(?:[01]?\d|2[0-3])"
    r"(?::[0-5]\d(?!\d)|[.][0-5]\d(?= ?uhr)| ?(?:[ap]\.?m\b|uhr\b|h\b))"
    r"|\bnoon\b|\bmidday\b"
)
_CONSEQUENCES = _any(signs.CONSEQUENCES)
_NEWS = _any(signs.NEWS)
_TOTAL = _any(signs.TOTAL)
_SUBTOTAL = _any(signs.SUBTOTAL)
_PART_SUM = _any(signs.PART_SUM)
_ITEM = _form(r"^(?:[^:]{1,60}:|\S{1,20}(?: \S{1,20})?) {0,4}\S{0,4} ?[\d.,]+ ?\S{0,4}$")
"""A line of a list of sums."""
_BOILERPLATE = _any(signs.BOILERPLATE)
_PROMOTION = _any(signs.PROMOTION)
_SHORTEST = 3
_NAMED = "|".join(name for name in (*MONTHS, *WEEKDAYS) if len(name) >= _SHORTEST)
_SPAN = _form(
    r"(?:\b\d{1,2}\.(?: ?\d{1,2}\.(?: ?\d{2,4})?)?|\bfrom \d{1,2}"
    rf"|\b(?:{_NAMED})(?:,? \d{{4}})?),? (?:bis|until|till|through)(?: zum| the)?,? "
    r"(?:\w{2,10},? )?(?:the |den |dem )?$"
)
"""What stands before the last day of a span, back to its first."""
_FEW = 3
_HEADING = 5
_LONG = 220

ASK, ORDER, QUESTION, TO_YOU = 5, 4, 3, 2
DEADLINE, DAY, TIME, SUM, TOTAL, ITEM, PART_OF_SUM = 3, 3, 2, 3, 3, -3, -4
NEWS, CONSEQUENCE, MILD, PROMOTION, BOILERPLATE = 2, 2, 1, -5, -8
FIRST, SECOND, SUBJECT, MOST_OF_SUBJECT, REPEATS = 2, 1, 1, 3, -1
SHORT, LONG = -3, -1
_NO_BLANKS = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
"""A sign of Japanese or Chinese, which put no blanks between words."""
_SIGNS = 2
"""The signs of a word of those."""
_WORD = re.compile(r"[^\W\d_]{4,}")


class Weighed(NamedTuple):
    """A sentence, what it names, and how much it tells."""

    text: str
    place: int
    days: tuple[NamedDay, ...]
    amounts: tuple[NamedAmount, ...]
    time: re.Match[str] | None
    asks: bool
    deadline: NamedDay | None
    sums: int
    """How much its sums count: a total most, an item least."""
    boilerplate: bool
    weight: int
    substance: int
    """Its weight regardless of where it stands."""


def weighed(sentence: str, place: int, subject: frozenset[str]) -> Weighed:
    """Weigh a sentence. ``place`` counts from 0; ``subject`` has the words of the subject."""
    days = tuple(named_days(sentence))
    amounts = tuple(named_amounts(sentence))
    clock = _TIME.search(sentence)
    boilerplate = _BOILERPLATE.search(sentence) is not None
    asking = _asking(sentence)
    due = _deadline(sentence, days, asking=asking >= ORDER)
    told = words(sentence)
    sums = _of_amounts(sentence, amounts)
    substance = (
        (0 if boilerplate else asking)
        + (DEADLINE if due else 0)
        + (DAY if days else 0)
        + (TIME if clock else 0)
        + sums
        + (NEWS if _NEWS.search(sentence) else 0)
        + (CONSEQUENCE if _CONSEQUENCES.search(sentence) else 0)
        + (MILD if _MILD.search(sentence) else 0)
        + (BOILERPLATE if boilerplate else 0)
        + (PROMOTION if _PROMOTION.search(sentence) else 0)
        + (min(MOST_OF_SUBJECT, SUBJECT * len(subject & told)) if told - subject else REPEATS)
        + (SHORT if not (amounts or days or clock) and _is_heading(sentence) else 0)
        + (LONG if len(sentence) > _LONG else 0)
    )
    asks = asking >= ORDER and not boilerplate
    weight = substance + (FIRST, SECOND, 0)[min(place, 2)]
    return Weighed(
        sentence, place, days, amounts, clock, asks, due, sums, boilerplate, weight, substance
    )


def words(text: str) -> frozenset[str]:
    """Return the longer words of a text in small letters."""
    return frozenset(_WORD.findall(text.lower()))


def _is_heading(sentence: str) -> bool:
    count = max(len(sentence.split()), len(_NO_BLANKS.findall(sentence)) // _SIGNS)
    return count < _FEW or (count <= _HEADING and sentence[-1] not in ".!?:")


def _asking(sentence: str) -> int:
    question = sentence.rstrip("\"'\u201c\u201d )").endswith("?")
    to_you = TO_YOU if question and _TO_YOU.search(sentence) else 0
    if _ASKS.search(_NOT_ASKED.sub(" ", sentence)):
        return ASK + to_you
    if _ORDERS.search(sentence):
        return ORDER
    return QUESTION + to_you if question else 0


def _deadline(sentence: str, days: tuple[NamedDay, ...], *, asking: bool) -> NamedDay | None:
    """Return the day by which something is due: ``by``, ``until`` or the like is before it.

    The last day of a span is none, unless its sentence asks for something.
    """
    for day in days:
        begin = max(0, day.start - 30)
        if not _BY.search(sentence, begin, day.start):
            continue
        if asking or not _SPAN.search(sentence[begin : day.start]):
            return day
    return None


def _of_amounts(sentence: str, amounts: tuple[NamedAmount, ...]) -> int:
    if not amounts:
        return 0
    if _TOTAL.search(sentence) and not _SUBTOTAL.search(sentence):
        return SUM + TOTAL
    if _PART_SUM.search(sentence):
        return SUM + PART_OF_SUM
    return SUM + (ITEM if _ITEM.match(sentence) else 0)
