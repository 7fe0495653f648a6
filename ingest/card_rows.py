"""The rows on the card of a mail: at most seven, each bounded, strangers' words only as values."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime
from urllib.parse import urlsplit

from assistant.domain.conversation.deliveries import Line, moment
from assistant.domain.mail.forward import ForwardingConfirmation
from assistant.domain.mail.heading import MailHeading, heading_of
from assistant.domain.mail.mail import Attachment, Mail, MailState, how_known, how_seen
from assistant.domain.mail.understanding.quotes import plain_words
from assistant.domain.mail.understanding.understood import (
    AmountFact,
    Ask,
    Deadline,
    Fact,
    shortened,
)
from assistant.domain.mail.words import OTHER_WORDS
from assistant.domain.text.invisible import says_invisible
from assistant.domain.text.sizes import in_bytes
from assistant.domain.time.short import short_day, short_moment
from ingest.summary.wordless import is_wordless
from ingest.text import line

AS_MAIL = "message, read as mail"
"""What a mail that was attached is, in words."""
_CALENDAR = "text/calendar"
EXTRACT = "extract"
"""The author of a summary that no model wrote."""
ROWS = 7
VALUE = 1_000
"""The most characters of a row."""
ATTACHED = 5
"""The attachments that are named."""
NAME = 80
"""The most characters of a name or a sender in a list."""
_MAILBOX = 160
_NOTE = 200
_FACT = 80
"""The most characters of one ask, deadline or amount."""
_TOLD = 40
"""The most characters of one that the summary has in full."""
_FACTS = 2
"""The asks, deadlines or amounts that are told."""
_SENT = 100
_HELD = MailState.HELD
_READ = 4_000
"""The most characters that are looked at of one value."""

_FROM, _BY, _KNOWN, _SENT_AT, _CAME = "From", "Forwarded by", "Known", "Sent", "Received"
_ANSWERS, _SENT_BY, _ALSO, _HIDDEN = "Answers go to", "Sent by", "Also from", "Hidden"
_ASKS, _DEADLINES, _AMOUNTS = "Asks", "Deadlines", "Amounts"
_ATTACHED, _SUMMARY_BY = "Attachments", "Summary by"
_TOGETHER: Sequence[tuple[str, frozenset[str]]] = (
    ("In it", frozenset({_ASKS, _DEADLINES, _AMOUNTS})),
    ("Careful", frozenset({_ANSWERS, _SENT_BY, _ALSO, _HIDDEN})),
    (_FROM, frozenset({_FROM, _SENT_AT, _CAME})),
    (_BY, frozenset({_BY, _KNOWN})),
    (_ATTACHED, frozenset({_ATTACHED, _SUMMARY_BY})),
)
"""The rows that become one where there are too many, in this order, and what that is called."""


def mail_rows(
    mail: Mail, *, zone: str, earlier: int, note: str, invited: str = ""
) -> tuple[Line, ...]:
    """Return the rows of a mail; see ``announce.render`` for the arguments."""
    rows: Sequence[Line] = _bounded(_rows(mail, zone, earlier, note, invited))
    for label, labels in _TOGETHER:
        if len(rows) > ROWS:
            rows = _as_one(rows, label, labels)
    return _bounded(rows)


def confirmation_rows(mail: Mail, asked: ForwardingConfirmation, earlier: int) -> tuple[Line, ...]:
    """Return the rows of a provider's question. Its code is the text above them."""
    held = f"the mail could not be summarised: {mail.reason}" if mail.state is _HELD else ""
    rows = (
        Line(label="For mail to", value=asked.for_address),
        Line(label="Its link leads to", value=_host(asked.link)),
        Line(label="Link", value=asked.link),
        Line(
            label="Careful",
            value=_only(asked),
        ),
        Line(label=_FROM, value=mailbox(mail.sender)),
        Line(label=_KNOWN, value=_known(mail, heading_of(mail), earlier)),
        Line(label="Held", value=held),
    )
    return _bounded(rows)


def _only(asked: ForwardingConfirmation) -> str:
    code = f"Type the code where {line(asked.provider, NAME)} asks for it" if asked.code else ""
    do = f"{code}, or press the link," if code else "Press the link"
    return f"{do} only if you have just set this up. Anybody can write such a mail."


def attached(part: Attachment) -> str:
    """Return an attachment's name, or of an event when it begins; its size; what is doubtful."""
    doubt = f"; careful: {line(part.doubt, NAME)}" if part.doubt else ""
    if part.kind == _CALENDAR and not doubt:  # what it is tells more than its name
        return f"{mailbox(part.said, NAME)} ({in_bytes(part.size)})"
    return f"{mailbox(part.name, NAME)} ({in_bytes(part.size)}{doubt})"


def mailbox(text: str, most: int = NAME) -> str:
    """Return one line; a long one keeps its end, where the address or a file's type stands."""
    whole = line(text, _READ)
    return whole if len(whole) <= most else f"{whole[: most // 2]}…{whole[1 - most // 2 :]}"


def _rows(mail: Mail, zone: str, earlier: int, note: str, invited: str) -> Iterator[Line]:
    heading, asks = heading_of(mail), mail.understood.asks
    known = _known(mail, heading, earlier)
    beside = f"; {heading.beside} more in this mail" if heading.beside else ""
    by = mailbox(heading.forwarded_by, _MAILBOX)
    from_ = mailbox(heading.sender, _MAILBOX) or ("nobody named" if by else "")
    yield Line(label=_FROM, value=from_)
    yield Line(label=_BY, value=by and f"{by}{beside}")
    yield Line(label=_KNOWN, value=known)
    yield _answers(mail)
    yield _when(mail, heading, zone)
    yield Line(label="Forwarder's note", value=line(note, _NOTE))
    if mail.state is not _HELD:
        told = {_due_day(ask) for ask in asks} - {None}
        deadlines = [one for one in mail.understood.deadlines if _due_day(one) not in told]
        new = [ask for ask in asks if ask.due or not _is_told(ask, mail)]
        yield Line(label="Invitation", value=invited)
        yield Line(label=_ASKS, value=_some([_ask(ask, mail, zone) for ask in new]))
        yield Line(label=_DEADLINES, value=_some([_ask(one, mail, zone) for one in deadlines]))
        amounts = [_amount(one, mail) for one in mail.understood.amounts]
        yield Line(label=_AMOUNTS, value=_some(list(dict.fromkeys(amounts))))
    yield Line(label=_ATTACHED, value=_attachments(_enclosed(mail, heading, invited)))
    yield Line(label=_SUMMARY_BY, value=_author(mail))
    yield Line(label=_HIDDEN, value=_hidden(mail))


def _known(mail: Mail, heading: MailHeading, earlier: int) -> str:
    """Say how well the address in From is known; one inside a forward is only claimed."""
    if heading.forwarded_by:
        seen = how_seen(mail.sender_address, earlier)
        return f"forwarder: {seen}, not verified; who wrote it is only what the forward says"
    return how_known(mail.sender_address, earlier) if mail.sender else ""


def _answers(mail: Mail) -> Line:
    """Tell the other mailboxes of its header in one row."""
    others = ((_ANSWERS, mail.reply_to), (_SENT_BY, mail.sent_by), (_ALSO, mail.more_senders))
    rows = [Line(label=label, value=mailbox(value, _MAILBOX)) for label, value in others]
    said = [row for row in rows if row.value] or rows[:1]
    return _joined(said, said[0].label)


def _when(mail: Mail, heading: MailHeading, zone: str) -> Line:
    if heading.sent:
        return moment(_SENT_AT, heading.sent, zone)
    if words := line(heading.sent_words, _SENT):
        return Line(label=_SENT_AT, value=words)
    return moment(_CAME, mail.received, zone)


def _ask(fact: Ask | Deadline, mail: Mail, zone: str) -> str:
    words = line(fact.words, _READ)
    if fact.due is None:
        return shortened(words, _FACT)
    by = f"by {_due(fact.due, mail, zone)}"
    if len(words) > _TOLD and _is_told(fact, mail):
        return f"{by}: {shortened(words, _TOLD)}"
    return f"{shortened(words, _FACT).removesuffix('.')}, {by}"


def _due(due: date, mail: Mail, zone: str) -> str:
    if not isinstance(due, datetime):
        return short_day(due, mail.received)
    if due.tzinfo is None:  # in the mail's own zone, whatever that is
        return f"{short_day(due, mail.received)} {due:%H:%M}"
    return short_moment(due, zone, now=mail.received)


def _due_day(fact: Ask | Deadline) -> date | None:
    return fact.due.date() if isinstance(fact.due, datetime) else fact.due


def _is_told(fact: Fact, mail: Mail) -> bool:
    """Return whether the summary has these words already."""
    words = plain_words(fact.words)
    return bool(words) and words in plain_words(mail.summary)


def _amount(fact: AmountFact, mail: Mail) -> str:
    amount = f"{fact.value:,f} {line(fact.currency, _FACT)}".strip()
    words = line(fact.words, _READ)
    if len(words) > _TOLD and _is_told(fact, mail):
        return amount
    return f"{amount} ({shortened(words, _FACT)})"


def _some(facts: Sequence[str]) -> str:
    more = len(facts) - _FACTS
    return "; ".join(facts[:_FACTS]) + (f"; and {more} more" if more > 0 else "")


def _enclosed(mail: Mail, heading: MailHeading, invited: str) -> list[Attachment]:
    """Return what is attached, without what the card shows in a row of its own.

    That is a forwarded mail, and an event of an invitation, which often comes twice in one mail.
    """
    shown = heading.forwarded_by
    return [
        one
        for one in mail.attachments
        if one.doubt
        or not ((shown and one.said == AS_MAIL) or (invited and one.said and one.kind == _CALENDAR))
    ]


def _attachments(parts: Sequence[Attachment]) -> str:
    """Name the first attachments, and before them those that are not what they seem."""
    ordered = sorted(parts, key=lambda part: not part.doubt)
    named = ", ".join(map(attached, ordered[:ATTACHED]))
    return named + (f", and {len(parts) - ATTACHED} more" if len(parts) > ATTACHED else "")


def _author(mail: Mail) -> str:
    if mail.state is _HELD or not mail.summary:
        return ""
    if is_wordless(mail):
        return ""
    author = line(mail.summarised_by, NAME)
    if mail.summarised_by == EXTRACT:
        author = "excerpt (its own sentences; no model has read it)"
    if not mail.unproved:
        return author
    one = mail.unproved == 1
    facts, their = ("fact", "its") if one else ("facts", "their")
    return f"{author}; {mail.unproved:,} {facts} left out: {their} words do not stand in the mail"


def _hidden(mail: Mail) -> str:
    count = mail.hidden_words
    words = f"{count:,} word{' was' if count == 1 else 's were'} hidden" if count > 0 else ""
    characters = next(filter(says_invisible, mail.defects), "")
    differs = OTHER_WORDS if OTHER_WORDS in mail.defects else ""
    return "; ".join(filter(None, (words, characters, differs)))


def _host(link: str) -> str:
    try:
        return urlsplit(link).hostname or ""
    except ValueError:
        return ""


def _as_one(rows: Sequence[Line], label: str, labels: frozenset[str]) -> list[Line]:
    """Make one row of those with these labels, where the first of them stands."""
    found = [row for row in rows if row.label in labels]
    if len(found) < 2:  # noqa: PLR2004 (nothing to join)
        return list(rows)
    first = found[0]
    return [
        _joined(found, label) if row is first else row
        for row in rows
        if row is first or row.label not in labels
    ]


def _joined(rows: Sequence[Line], label: str) -> Line:
    """Join rows into one, each named by its label where that is not the row's."""
    parts = (
        row.value if row.label == label else f"{row.label.lower()}: {row.value}" for row in rows
    )
    return Line(label=label, value="; ".join(parts))


def _bounded(rows: Iterable[Line]) -> tuple[Line, ...]:
    """Return the rows that say something, each in one line."""
    bounded = (row.model_copy(update={"value": line(row.value, VALUE)}) for row in rows)
    return tuple(row for row in bounded if row.value)
