"""Find the first day or time to come that a text names among other words."""

import re
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from itertools import chain
from zoneinfo import ZoneInfo

from assistant.domain.calendar.events import When
from assistant.domain.time.said.almanac import Almanac
from assistant.domain.time.said.values import Span, Unclear

SEARCHED = 4_000
"""Characters of a text that are looked through."""
_WORDS = 10
"""Words of the longest time, such as ``Monday 30 November 2026 from 10:00 am to 11:30 am``."""
_TRIED = 150
"""Readings of one text, at the most."""
_HORIZON = timedelta(days=300)
"""Beyond it a day without a year is rather one that has passed."""

_NAME = (
    r"(?:mon|tue|wed|thu|fri|sat|sun|die|mit|don|sam|son"
    r"|jan|feb|mar|mär|apr|may|mai|jun|jul|aug|sep|oct|okt|nov|dec|dez)[a-zä]*"
)
_PART = re.compile(
    rf"{_NAME}|\d[\d:.+-]*(?:st|nd|rd|th|am|pm|uhr|t[\d:.+z-]*)?|[ap]m|uhr|noon|midday"
    r"|tomorrow|today|heute|morgen|übermorgen|the|of|on|at|from|between|to|till|until|and|um|von|bis"
    r"|this|next|coming|nächsten|kommenden|diesen|for|hours?|min(?:utes)?|h|[-\u2013\u2014]",
    re.IGNORECASE,
)
"""A word that may be part of a time."""
_TELLS = re.compile(
    rf"\b{_NAME}|\d{{4}}-\d\d-\d\d|\d\.\d|\b(?:noon|midday|tomorrow|today|heute|morgen|übermorgen)\b",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d|\bnoon\b|\bmidday\b", re.IGNORECASE)
"""A weekday or a ``tomorrow`` without a number is too common to be meant as an appointment."""
_FRACTION = re.compile(r"\d{1,2}\.\d{1,2}\.?")
"""A day and a month look like a price or a version where nothing stands with them."""
_VERB = re.compile(r"\bmay\b")
"""In small letters it is rather no month: ``5 may fail``."""
_ENDS = re.compile(r".*(?:[;!?)]|[^\d]\.)$")
"""A word after which a time does not go on."""
_EDGES = " ,.;:!?()[]\"'*_<>\u201c\u201d\u201e"


def first_time(
    texts: Sequence[str], *, base: datetime, after: datetime, zone: ZoneInfo
) -> When | None:
    """Return the first time that one of the texts names and that is still to come; else None.

    Where that is a whole day, which may be the end of a span or a deadline, an hour on that day is
    preferred, then an hour in the same text. A day in the first text, the subject, is kept.

    Args:
        texts: in the order in which they are looked through, the subject first.
        base: the moment that words such as ``tomorrow`` are relative to.
        after: the time must begin after this moment.
        zone: the zone of times without one.
    """
    almanac = Almanac(now=base.astimezone(zone), zone=zone, strict=True)
    found = [
        (place, when) for place, text in enumerate(texts) for when in _to_come(text, almanac, after)
    ]
    if not found:
        return None
    its, first = found[0]
    hours = [(place, when) for place, when in found if not when.all_day]
    on_it = (when for _, when in hours if _day(when) == _day(first))
    beside = (when for place, when in hours if place == its and place > 0)
    return first if not first.all_day else next(chain(on_it, beside, [first]))


def _to_come(text: str, almanac: Almanac, after: datetime) -> Iterator[When]:
    for span in _spans(text[:SEARCHED], almanac):
        begins, ends = almanac.bounds(span)
        if after < begins < after + _HORIZON and ends - begins < _HORIZON:
            yield _days(span) if span.all_day else When(start=begins, end=ends)


def _day(when: When) -> str:
    return f"{when.start:%Y-%m-%d}"


def _days(span: Span) -> When:
    return When(start=span.start, end=span.end or span.start + timedelta(days=1))


def _spans(text: str, almanac: Almanac) -> Iterator[Span]:
    left = _TRIED
    for run in _runs(text):
        at = 0
        while at < len(run) and left > 0:
            taken = 1
            for length in range(min(_WORDS, len(run) - at), 0, -1):
                phrase = " ".join(run[at : at + length]).strip(_EDGES)
                if not _may_be_time(phrase):
                    continue
                left -= 1
                if (span := _read(phrase, almanac)) is not None:
                    yield span
                    taken = length
                    break
            at += taken


def _runs(text: str) -> Iterator[list[str]]:
    """Yield the words that stand together and may each be part of a time."""
    run: list[str] = []
    for word in text.split():
        if word in "-\u2013\u2014" or _PART.fullmatch(word.strip(_EDGES)):
            run.append(word)
            if not _ENDS.fullmatch(word):
                continue
        if run:
            yield run
        run = []
    if run:
        yield run


def _may_be_time(phrase: str) -> bool:
    told = _TELLS.search(phrase) and _NUMBER.search(phrase)
    return bool(told) and not (_FRACTION.fullmatch(phrase) or _VERB.search(phrase))


def _read(phrase: str, almanac: Almanac) -> Span | None:
    """Return what a phrase names whole, if that is a day or a time that can be booked."""
    try:
        span = almanac.span(phrase)
    except (Unclear, OverflowError, ValueError):
        return None
    return span if span and not (span.rough or span.bare) else None
