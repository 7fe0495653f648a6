"""What the header of a message says: who wrote it, to whom, when and about what."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from itertools import islice
from typing import NamedTuple

from mailparser.dates import parse_mail_date

from ingest.mime.addresses import Mailbox, parse_addresses
from ingest.mime.charsets import SAMPLE, decode
from ingest.mime.encoded_words import decode_words
from ingest.mime.labels import UTF_8
from ingest.mime.parts import MimePart
from ingest.text import NAME, RECIPIENTS, SUBJECT, line

MAILBOXES = 100
"""The most mailboxes of one field that are named."""
_DATE = 200
_NO_BYTES = b""


class HeaderFacts(NamedTuple):
    """A stranger wrote every word of it."""

    message_id: str = ""
    sender: str = ""
    """``Name <address>``."""
    sender_address: str = ""
    """Empty where it cannot be parsed."""
    more_senders: str = ""
    """Further mailboxes in From."""
    sent_by: str = ""
    """The mailbox in Sender, where it is not in From."""
    reply_to: str = ""
    """The mailboxes in Reply-To, where they are not those in From."""
    recipients: str = ""
    subject: str = ""
    sent: datetime | None = None
    """Aware; None where the date has no zone or is outside the calendar."""
    sent_words: str = ""
    defects: tuple[str, ...] = ()


def header_facts(message: MimePart) -> HeaderFacts:
    """Return what the header of a message says. Raises nothing."""
    reading = _Reading(message)
    senders = reading.mailboxes("From")
    first = next((each for each in senders if each.address), Mailbox("", ""))
    more = [each for each in senders if each.address and not _is_same(each, first)]
    recipients = [*reading.mailboxes("To"), *reading.mailboxes("Cc")]
    sent_words = reading.words("Date", _DATE)
    return HeaderFacts(
        message_id=reading.words("Message-ID", SUBJECT),
        # What cannot be read as an address is words, which must not look like one.
        sender=first.shown or Mailbox(reading.words("From", NAME), "").shown,
        sender_address=first.address,
        more_senders=_list(more),
        sent_by=_list(_others(reading.mailboxes("Sender")[:1], senders)),
        reply_to=_reply_to(reading.mailboxes("Reply-To"), senders),
        recipients=_list(recipients),
        subject=reading.words("Subject", SUBJECT),
        sent=reading.sent(),
        sent_words=sent_words,
        defects=tuple(dict.fromkeys(reading.defects)),
    )


def decoded_fields(message: MimePart) -> list[tuple[str, str]]:
    """Return names and decoded values of all header fields, in their order."""
    return [(name, _decoded(value)) for name, value in message.fields]


def _decoded(value: bytes) -> str:
    if value.isascii() and b"=?" not in value:
        return " ".join(value.decode("ascii").split())
    return decode_words(value).text


class _Reading:
    def __init__(self, message: MimePart) -> None:
        self.defects: list[str] = []
        self._values: dict[str, list[bytes]] = {}
        for name, value in message.fields:
            self._values.setdefault(name, []).append(value)
        texts = (part.charset for part in message.walk() if part.kind.startswith("text/"))
        self._charset = next((charset for charset in texts if charset), None) or _detected(message)

    def _all(self, name: str) -> Sequence[bytes]:
        return self._values.get(name.lower(), ())

    def words(self, name: str, most: int) -> str:
        """Return the first field of a name, decoded."""
        given = self._all(name)
        found = decode_words(next(iter(given), _NO_BYTES), self._charset)
        self._note(name, found.defects)
        if len(given) > 1:
            self.defects.append(f"{name}: it stands there {len(given)} times; the first was read")
        return line(found.text, most)

    def mailboxes(self, name: str) -> list[Mailbox]:
        found = [parse_addresses(value, self._charset) for value in self._all(name)]
        for each in found:
            self._note(name, each.defects)
        return [mailbox for each in found for mailbox in each.found]

    def sent(self) -> datetime | None:
        """Return the moment in Date, as mail-parser reads it: it knows how dates go wrong."""
        value = next(iter(self._all("date")), _NO_BYTES)
        if not value.strip():
            return None
        found = parse_mail_date(value[:_DATE].decode("ascii", "surrogateescape"))
        self._note("Date", (reason.replace("-", " ") for reason in found.reasons))
        date = found.value
        return date if isinstance(date, datetime) and date.tzinfo else None

    def _note(self, name: str, defects: Iterable[str]) -> None:
        self.defects += (f"{name}: {defect}" for defect in defects)


def _detected(message: MimePart) -> str | None:
    """Return the character set that a mail without a label seems to be in; None for UTF-8.

    A subject alone is often too short to tell it: its whole header and a text tell it together.
    """
    header = b"\n".join(value for _, value in message.fields if not value.isascii())
    if not header:
        return None
    text = next((part.data for part in message.walk() if part.kind.startswith("text/")), b"")
    found = decode(b"\n".join((header, text))[:SAMPLE], None).charset
    return None if found == UTF_8.name else found


def _is_same(one: Mailbox, other: Mailbox) -> bool:
    return one.address.casefold() == other.address.casefold()


def _others(found: Iterable[Mailbox], senders: Sequence[Mailbox]) -> list[Mailbox]:
    """Return the mailboxes with an address that is not in From."""
    known = {each.address.casefold() for each in senders}
    return [each for each in found if each.address and each.address.casefold() not in known]


def _reply_to(found: Sequence[Mailbox], senders: Sequence[Mailbox]) -> str:
    return _list(found) if _others(found, senders) else ""


def _list(mailboxes: Iterable[Mailbox]) -> str:
    named = (each.shown for each in mailboxes if each.address)
    return line(", ".join(islice(named, MAILBOXES)), RECIPIENTS)
