"""Keep of a model's answer what the mail bears out, and add what code finds in the mail."""

from collections.abc import Sequence
from datetime import date, datetime
from typing import NamedTuple
from zoneinfo import ZoneInfo

from assistant.domain.conversation.conversation import Summary
from assistant.domain.mail.understanding.checked import READ, checked, count_facts, with_found
from assistant.domain.mail.understanding.quotes import plain_words, stands_in_plain
from assistant.domain.mail.understanding.understood import WORDS, Promise, Understood, shortened
from ingest.excerpt.excerpt import excerpt
from ingest.summary.letters import SeenMail

_WRITER = 60
"""The most characters of an address in the words of a promise."""


class Understanding(NamedTuple):
    """What is stored of a mail."""

    understood: Understood
    unproved: int
    """The facts of the model that were dropped: malformed, or their quote is not in the mail."""
    by_model: bool
    """False where nothing of it is a model's."""


def understand(summary: Summary, seen: SeenMail, *, zone: str) -> Understanding:
    """Compare an answer with its mail, and add what code finds where the answer has nothing.

    An extractive summary is empty, so all that is said is what code finds.

    Args:
        summary: the answer.
        seen: the mail, as the model saw it.
        zone: the owner's zone: an IANA name.
    """
    sent = _day(seen.sent, zone) if seen.sent else None
    kept, dropped = checked(summary.understood, seen.text, own=seen.own, sent=sent)
    found = excerpt(seen.about, subject=seen.subject, sent=sent).understood
    kept = kept.model_copy(update={"promises": _with_who_quotes(kept.promises, seen)})
    said = bool(kept.gist) or count_facts(kept) > 0
    return Understanding(
        with_found(kept, found),
        unproved=dropped + summary.malformed,
        by_model=said and not summary.extractive,
    )


def _with_who_quotes(promises: Sequence[Promise], seen: SeenMail) -> tuple[Promise, ...]:
    """Say of a promise that stands in another's letter alone that it is they who quote it."""
    at_first_hand = plain_words(seen.at_first_hand[:READ]) if promises else ""
    quoting = f"{shortened(seen.writer, _WRITER) or 'Somebody'} quotes you:"
    return tuple(
        one
        if stands_in_plain(one.quote, at_first_hand)
        else one.model_copy(update={"words": shortened(f"{quoting} {one.words}", WORDS)})
        for one in promises
    )


def _day(moment: datetime, zone: str) -> date:
    """Return its day in a zone; at either end of the calendar its day where it was written."""
    try:
        return moment.astimezone(ZoneInfo(zone)).date()
    except OverflowError:
        return moment.date()
