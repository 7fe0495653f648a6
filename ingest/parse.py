"""Parse one message: its facts, its letters, its text and its attachments. Pure, within limits.

``ingest.mime`` takes the bytes apart and ``ingest.parsing`` reads the parts. A message forwarded as
an attachment is a letter of its own, to any depth, and its words are never mixed with the mail's.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from assistant.domain.errors import Unreadable
from assistant.domain.limits import MailLimits
from assistant.domain.mail.forward import ForwardingConfirmation
from assistant.domain.mail.mail import MailContext, Parsed
from assistant.domain.mail.words import OTHER_WORDS
from assistant.domain.text.invisible import count_invisible, say_invisible
from ingest.invitations.find import invitations_in
from ingest.letters.automatic import how_forwarded
from ingest.letters.confirmations import forwarding_confirmation
from ingest.mime.parts import MimePart
from ingest.mime.tree import parse_tree
from ingest.parsing.authors import find_authors, whole_text
from ingest.parsing.header import decoded_fields
from ingest.parsing.messages import Messages
from ingest.parsing.texts import FromHtml, TextReader, from_html
from ingest.text import NAME, line

DEFECTS = 50
_MOST_DEFECTS = 1_000
"""How many defects are looked at for those that differ."""
_NOT_KNOWN = MailContext()
_UTC = ZoneInfo("UTC")

_BLANK_LINE = re.compile(rb"\r?\n\r?\n|\r\r")
_FIELD = re.compile(rb"(?:^|[\r\n])[^ \t\r\n]")


def parse(
    raw: bytes,
    limits: MailLimits,
    context: MailContext = _NOT_KNOWN,
    *,
    read_html: FromHtml = from_html,
) -> Parsed:
    """Parse one message by RFC 5322 and MIME, leniently.

    Errors of form (bad character sets, broken boundaries, impossible dates) become ``defects``, and
    so does what is beyond a limit of parts, attachments or levels: it is named and not read.

    Raises:
        Unreadable: the message is empty, too large or has too large a header, or the parsers fail
            on it. Raises nothing else.
    """
    _check_before(raw, limits)
    try:
        return _parse(raw, limits, context, read_html)
    except (Unreadable, MemoryError):
        raise
    except RecursionError as error:
        raise Unreadable("its parts are nested too deeply") from error
    # mail-parser does not document what it raises on bytes that no mail program would write.
    except Exception as error:
        raise Unreadable(f"the parser failed on it ({type(error).__name__})") from error


def _check_before(raw: bytes, limits: MailLimits) -> None:
    """Check the limits that need no parsing."""
    if not raw.strip():
        raise Unreadable("it is empty")
    if len(raw) > limits.message:
        raise Unreadable(f"it has {len(raw)} bytes, and {limits.message} is the most")
    end = _BLANK_LINE.search(raw, 0, limits.headers + 4)
    header = raw[: end.start()] if end else raw
    if len(header) > limits.headers:
        raise Unreadable(f"its header has more than {limits.headers} bytes")
    if len(_FIELD.findall(header)) > limits.header_fields:
        raise Unreadable(f"it has more than {limits.header_fields} header fields")


def _parse(raw: bytes, limits: MailLimits, context: MailContext, read_html: FromHtml) -> Parsed:
    tree = parse_tree(raw, limits)
    texts = TextReader(limits.html_seconds, read_html)
    messages = Messages(tree, limits, texts)
    facts = messages.found[0].facts
    zone = _zone(context.zone)
    authors = find_authors(messages.found, zone)
    text = whole_text(messages.found)
    headers = _headers(tree, facts.sender)
    subject = next((value for name, value in headers if name == "subject"), "")  # uncleaned
    attached = any(each.is_forward and each.inside == 0 for each in messages.found)
    return Parsed(
        message_id=facts.message_id,
        sender=facts.sender,
        sender_address=facts.sender_address,
        more_senders=facts.more_senders,
        sent_by=facts.sent_by,
        reply_to=facts.reply_to,
        recipients=facts.recipients,
        subject=facts.subject,
        sent=facts.sent,
        forward=how_forwarded(
            headers,
            context.envelope,
            holds_forward=attached or authors.holds_forward,
        ),
        letters=authors.letters if len(authors.letters) > 1 else (),
        confirmation=_confirmation(messages, text),
        text=text,
        hidden=tuple(texts.hidden),
        hidden_words=texts.hidden_words,
        attachments=tuple(
            file.model_copy(update={"letter": authors.places[file.letter]})
            for file in messages.files.kept
        ),
        invitations=invitations_in(tree, zone or _UTC, context.addresses, limits),
        defects=_defects(
            chain(
                _invisible(f"{subject}\n{text}"),
                [OTHER_WORDS] if messages.differs else [],
                messages.unread,
                messages.defects,
                texts.defects,
            )
        ),
    )


def _confirmation(messages: Messages, text: str) -> ForwardingConfirmation | None:
    """Return what a provider asks. Providers attach nothing: with a file it is any other mail."""
    facts = messages.found[0].facts
    if any(not file.kind.startswith("image/") for file in messages.files.kept):
        return None
    return forwarding_confirmation(facts.sender_address, facts.subject, text)


def _headers(tree: MimePart, sender: str) -> list[tuple[str, str]]:
    """Return the fields decoded, From as it was parsed: an encoded name cannot be an address."""
    return [(name, sender if name == "from" else value) for name, value in decoded_fields(tree)]


def _zone(name: str) -> ZoneInfo | None:
    try:
        return ZoneInfo(name)
    except (ValueError, OSError, ZoneInfoNotFoundError):
        return None


def _invisible(words: str) -> Iterator[str]:
    """Say how many characters nobody sees, if there are any."""
    if said := say_invisible(count_invisible(words)):
        yield said


def _defects(found: Iterable[str]) -> tuple[str, ...]:
    lines = dict.fromkeys(line(words, NAME) for words in islice(found, _MOST_DEFECTS))
    return tuple(islice(lines, DEFECTS))
