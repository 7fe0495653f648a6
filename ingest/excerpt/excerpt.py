"""Pick the sentences of a mail that tell most, and the facts that code is sure of."""

import re
from collections.abc import Iterator, Sequence
from datetime import date, datetime, time
from itertools import islice
from typing import NamedTuple

from assistant.domain.mail.understanding.checked import checked
from assistant.domain.mail.understanding.quotes import LONGEST as LONGEST_QUOTE
from assistant.domain.mail.understanding.understood import (
    MOST,
    WORDS,
    AmountFact,
    Ask,
    DateFact,
    Deadline,
    Understood,
    shortened,
)
from assistant.domain.text.invisible import without_invisible
from assistant.domain.text.sentences import sentences
from assistant.domain.text.sound import sound
from assistant.domain.time.named_days import NamedDay, next_weekday
from ingest.excerpt.cut import (
    READ,
    is_footer,
    units,
    with_hosts,
    without_device,
    without_greeting,
    without_links,
)
from ingest.excerpt.weigh import Weighed, weighed, words

COUNT = 3
"""The most sentences of an excerpt."""
LENGTH = 300
"""The most characters of an excerpt: what a phone shows at a glance."""
_SENTENCES = 300
"""The most sentences that are weighed."""
_LEAST = 2
"""The least weight of a second and third sentence, wherever it stands."""
_CLOCK = re.compile(r"(\d{1,2})(?:[:.](\d\d))?(?: ?([ap])\.?m)?", re.IGNORECASE)
_NOON = 12
_ENDS = '.!?…:)"”“' + "".join(map(chr, (0x3002, 0xFF01, 0xFF1F, 0x300D)))
_EMPTY_CELLS = re.compile(r"(?: ?\| ?){2,50}")
_TOO_MUCH = 10**12
"""No sum of this much is told: a fact holds no more than twelve digits before its point."""


class Excerpt(NamedTuple):
    """At most three sentences of a mail in their order, and the facts in all of it."""

    text: str
    understood: Understood


def excerpt(text: str, *, subject: str = "", sent: date | None = None) -> Excerpt:
    """Return what a mail says in its own words. Never raises, and takes linear time.

    Args:
        text: the mail's text, as it is shown.
        subject: its subject, which need not be repeated.
        sent: the day on which it was written, for days without a year.
    """
    seen = without_invisible(sound(text[:READ]))
    title = " ".join(without_invisible(sound(subject[:1_000])).split())
    about = words(title)
    said = _sentences(seen, title)
    weights = [weighed(one, place, about) for place, one in enumerate(said)]
    told = " ".join(_shown(one.text) for one in _picked(weights))
    gist = shortened(told, LENGTH)
    found = Understood(
        gist=gist,
        asks=tuple(islice(_asks(weights, sent), MOST)),
        dates=tuple(islice(_dates(weights, sent), MOST)),
        amounts=tuple(islice(_amounts(weights), MOST)),
        deadlines=tuple(islice(_deadlines(weights, sent), MOST)),
    )
    return Excerpt(gist, checked(found, f"{title}\n\n{seen}", sent=sent).understood)


def _sentences(text: str, subject: str) -> list[str]:
    """Return the sentences that are no footers, each once; of any text with words at least one."""
    found = (without_greeting(one) for unit in units(text, subject) for one in _split(unit))
    kept = list(dict.fromkeys(one for one in found if _has_word(one) and not is_footer(one)))
    if not kept:
        said = " ".join(without_device(text).split())
        whole = (one for one in _split(said) if _has_word(one))
        kept = [one for one, _ in zip(whole, range(COUNT), strict=False)]
    return kept[:_SENTENCES]


def _split(unit: str) -> Iterator[str]:
    for sentence in sentences(unit):
        yield " ".join(sentence.split())


def _has_word(sentence: str) -> bool:
    return re.search(r"\w\w", without_links(sentence)) is not None


def _picked(weights: Sequence[Weighed]) -> list[Weighed]:
    """Return the weightiest sentences that fit, in their order."""
    best = sorted(weights, key=lambda one: (-one.weight, one.place))
    if not best:
        return []
    taken, room = [best[0]], LENGTH - len(_shown(best[0].text))
    for one in best[1:]:
        needs = len(_shown(one.text)) + 1
        if len(taken) == COUNT:
            break
        if one.substance >= _LEAST and needs <= room:
            taken.append(one)
            room -= needs
    return sorted(taken, key=lambda one: one.place)


def _shown(sentence: str) -> str:
    """Return a sentence for reading: without addresses of links, with a sign at its end."""
    bare = _bare(sentence).strip(",;| ")
    words_alone = shortened(bare, LENGTH)
    begun = words_alone[:1].upper() + words_alone[1:]
    return begun if begun[-1:] in _ENDS else f"{begun}."


# Facts


def _asks(weights: Sequence[Weighed], sent: date | None) -> Iterator[Ask]:
    for one in weights:
        if one.asks:
            due = _day(one.deadline, sent) if one.deadline else None
            yield Ask(words=_words(one), quote=_quote(one), due=due)


def _dates(weights: Sequence[Weighed], sent: date | None) -> Iterator[DateFact]:
    for one in weights:
        for named in one.days:
            day = _day(named, sent) if named == one.deadline else named.day(sent)
            dated = [other for other in one.days if other.weekday is None]
            if one.boilerplate or (dated and named.weekday is not None):
                continue
            at = _at(day, one) if day and len(dated) == 1 else day
            yield DateFact(words=named.words, quote=_quote(one, named.end), at=at)


def _amounts(weights: Sequence[Weighed]) -> Iterator[AmountFact]:
    for one in sorted(weights, key=lambda one: -one.sums):
        for named in one.amounts:
            if named.value >= _TOO_MUCH:
                continue
            yield AmountFact(
                words=_words(one),
                quote=_quote(one, named.end),
                value=named.value,
                currency=named.currency,
            )


def _deadlines(weights: Sequence[Weighed], sent: date | None) -> Iterator[Deadline]:
    for one in weights:
        if one.deadline and (one.amounts or not one.boilerplate):
            day = _day(one.deadline, sent)
            yield Deadline(words=_words(one), quote=_quote(one, one.deadline.end), due=day)


def _day(named: NamedDay, sent: date | None) -> date | None:
    if named.weekday is not None and sent is not None:
        return next_weekday(named.weekday, sent)
    return named.day(sent)


def _at(day: date, one: Weighed) -> date:
    """Return the day with the time that its sentence names, where it names one."""
    found = _CLOCK.match(one.time[0]) if one.time else None
    if not found:
        return day
    hour = int(found[1])
    if found[3]:
        hour = hour % _NOON + (_NOON if found[3].lower() == "p" else 0)
    return datetime.combine(day, time(hour, int(found[2] or 0)))


def _words(one: Weighed) -> str:
    return shortened(_bare(one.text), WORDS)


def _bare(sentence: str) -> str:
    """Return a sentence without addresses of links and empty cells of a table."""
    return _EMPTY_CELLS.sub(" | ", with_hosts(sentence))


def _quote(one: Weighed, until: int = 0) -> str:
    """Return the sentence, or as much of it as a quote may have; ``until`` must be in it."""
    text = one.text
    if len(text) <= LONGEST_QUOTE:
        return text
    begin = max(0, until - LONGEST_QUOTE // 2)
    cut = text[begin : begin + LONGEST_QUOTE]
    return cut[cut.find(" ") + 1 if begin else 0 :].rpartition(" ")[0]
