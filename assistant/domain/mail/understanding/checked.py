"""Keep of an understanding what its mail bears out: every fact's quote must stand in the mail."""

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime
from typing import NamedTuple, TypeVar

from assistant.domain.mail.understanding.named_amounts import currencies, numbers
from assistant.domain.mail.understanding.quotes import plain_quote, plain_words
from assistant.domain.mail.understanding.understood import WORDS as LONGEST_WORDS
from assistant.domain.mail.understanding.understood import (
    AmountFact,
    Ask,
    DateFact,
    Deadline,
    Fact,
    Promise,
    Understood,
    shortened,
)
from assistant.domain.time.named_days import MONTHS, NamedDay, named_days, next_weekday

READ = 200_000
"""The most characters of a mail that quotes are looked for in."""
_NUMBER = re.compile(r"(?<![\d.:/])\d{1,2}(?![\d/]|[.:]\d)")
_WORD = re.compile(r"[^\W\d_]+")
_CLOCK = re.compile(r"(?<![\d.,])(\d{1,2})(?:[:.h](\d\d))?(?!\d)(?: ?([ap])\.?m\b)?", re.IGNORECASE)
_NOON = re.compile(r"\b(?:noon|midday|mittags?)\b", re.IGNORECASE)
_HOST = re.compile(
    r"[\w.+-]{1,64}@[\w.-]{1,99}|\b\w[\w-]{0,62}(?:\.\w[\w-]{0,62}){0,5}\.[^\W\d_]{2,20}\b"
)
_BETWEEN = re.compile(r"[\s,.()/-]{0,4}(?:the|der|den|dem)?[\s,.()/-]{0,4}")
"""What may stand between a weekday and its date."""
_AFTERNOON = 12


class Checked(NamedTuple):
    """What the mail bears out, and how many facts were dropped because it does not."""

    understood: Understood
    dropped: int


F = TypeVar("F", bound=Fact)
D = TypeVar("D", Ask, Promise)


def checked(
    understood: Understood, text: str, *, own: str = "", sent: date | None = None
) -> Checked:
    """Drop and count every fact that the mail does not bear out.

    A quote must stand in the mail; a day, a time and a sum must agree with their quote as well. An
    ask or a promise loses a ``due`` that does not, which counts too. Words that name a number or an
    address that the mail does not have give way to the quote.

    Args:
        understood: what a model, or code, made of the mail.
        text: the mail's subject and text.
        own: what in it the owner wrote; without it, nobody can say what the owner promised.
        sent: the day on which it was written, for words such as ``tomorrow``.
    """
    mail = plain_words(text[:READ])
    asks, late_asks = _on_time(_standing(understood.asks, mail), sent)
    promised = _standing(understood.promises, plain_words(own[:READ])) if own else ()
    promises, late_promises = _on_time(promised, sent)
    dates = [_dated(one, sent) for one in _standing(understood.dates, mail)]
    deadlines = [one for one in _standing(understood.deadlines, mail) if _agrees(one, sent)]
    amounts = [one for one in _standing(understood.amounts, mail) if _is_sum_of(one)]
    kept = Understood(
        gist=understood.gist,
        asks=tuple(_told(one, mail) for one in asks),
        promises=tuple(_told(one, mail) for one in promises),
        dates=tuple(_told(one, mail) for one in dates if one is not None),
        amounts=tuple(_told(_in_its_currency(one), mail) for one in amounts),
        deadlines=tuple(_told(one, mail) for one in deadlines),
    )
    missing = count_facts(understood) - count_facts(kept)
    return Checked(kept, missing + late_asks + late_promises)


def count_facts(understood: Understood) -> int:
    """Count the facts of every kind."""
    one = understood
    return sum(map(len, (one.asks, one.promises, one.dates, one.amounts, one.deadlines)))


def with_found(understood: Understood, found: Understood) -> Understood:
    """Add what code found where a model names nothing of a kind at all.

    So no mail can talk a model into saying that nothing is asked and nothing is due.

    Args:
        understood: what a model made of the mail, checked.
        found: what code found in it (``ingest.excerpt``), checked.
    """
    return understood.model_copy(
        update={
            "gist": understood.gist or found.gist,
            "asks": understood.asks or found.asks,
            "amounts": understood.amounts or found.amounts,
            "deadlines": understood.deadlines or found.deadlines,
            "dates": understood.dates or found.dates,
        }
    )


def names_day(quote: str, day: date, *, sent: date | None = None) -> bool:
    """Return whether a quote names this day: by number, by weekday, or relative to ``sent``."""
    named = list(named_days(quote))
    dated = [reading for one in named for reading in one.readings]
    if any(
        (number, month) == (day.day, day.month) and year in (None, day.year)
        for number, month, year in dated
    ):
        return True
    if any((number, month) == (day.day, day.month) for number, month, _ in dated):
        return False  # of another year
    months = {MONTHS[word] for word in map(str.lower, _WORD.findall(quote)) if word in MONTHS}
    if day.day in map(int, _NUMBER.findall(quote)):  # ``24 to 26 December``, ``on the 24th``
        return day.month in months if months else not dated
    if dated:
        alone = _apart(quote, named)
        return sent is not None and any(next_weekday(one, sent) == day for one in alone)
    weekdays = {one.weekday for one in named if one.weekday is not None}
    offsets = {one.offset for one in named if one.offset is not None}
    return day.weekday() in weekdays or (sent is not None and (day - sent).days in offsets)


def _apart(quote: str, named: Sequence[NamedDay]) -> Iterator[int]:
    """Yield the weekdays of a quote that belong to no date: not that of ``Friday, 27 November``."""
    dated = [one for one in named if one.readings]
    for one in named:
        gaps = (quote[min(one.end, other.end) : max(one.start, other.start)] for other in dated)
        if one.weekday is not None and all(_BETWEEN.fullmatch(gap) is None for gap in gaps):
            yield one.weekday


def names_time(quote: str, at: datetime) -> bool:
    """Return whether a quote names this hour and minute."""
    if (at.hour, at.minute) == (_AFTERNOON, 0) and _NOON.search(quote):
        return True
    return any(
        int(minute or 0) == at.minute and at.hour in _hours(int(hour), half.lower())
        for hour, minute, half in _CLOCK.findall(quote)
    )


def _standing(facts: Iterable[F], mail: str) -> tuple[F, ...]:
    return tuple(one for one in facts if (quote := plain_quote(one.quote)) and quote in mail)


def _on_time(facts: Iterable[D], sent: date | None) -> tuple[tuple[D, ...], int]:
    """Take away each ``due`` that its quote does not name, and count them."""
    kept, late = [], 0
    for one in facts:
        due = _agreed(one.due, one.quote, sent)
        late += one.due is not None and due is None
        kept.append(one.model_copy(update={"due": due}))
    return tuple(kept), late


def _dated(fact: DateFact, sent: date | None) -> DateFact | None:
    if fact.at is None:
        return fact if _names_some_time(fact.quote) else None
    at = _agreed(fact.at, fact.quote, sent)
    return None if at is None else fact.model_copy(update={"at": at})


def _agrees(fact: Deadline, sent: date | None) -> bool:
    return fact.due is None or _agreed(fact.due, fact.quote, sent) is not None


def _agreed(at: date | None, quote: str, sent: date | None) -> date | None:
    """Return what of a moment its quote bears out: all of it, its day, or nothing."""
    if at is None:
        return None
    day = at.date() if isinstance(at, datetime) else at
    if not names_day(quote, day, sent=sent):
        return None
    return day if isinstance(at, datetime) and not names_time(quote, at) else at


def _names_some_time(quote: str) -> bool:
    return bool(re.search(r"\d", quote)) or next(named_days(quote), None) is not None


def _hours(hour: int, half: str) -> set[int]:
    if half == "p":
        return {hour % _AFTERNOON + _AFTERNOON}
    return {hour % _AFTERNOON} if half == "a" else {hour}


def _is_sum_of(fact: AmountFact) -> bool:
    return fact.value in set(numbers(fact.quote))


def _in_its_currency(fact: AmountFact) -> AmountFact:
    """Take away a currency that the quote does not name."""
    if fact.currency in currencies(fact.quote):
        return fact
    return fact.model_copy(update={"currency": ""})


def _told(fact: F, mail: str) -> F:
    """Put the quote in the place of words with numbers or addresses that the mail does not have."""
    if all(_stands(detail, mail) for detail in _details(fact.words)):
        return fact
    return fact.model_copy(update={"words": shortened(fact.quote, LONGEST_WORDS)})


def _details(words: str) -> Iterable[str]:
    yield from (word for word in plain_words(words).split() if any(map(str.isdigit, word)))
    yield from (found[0] for found in _HOST.finditer(words))


def _stands(detail: str, mail: str) -> bool:
    plain = plain_words(detail)
    return plain in mail
