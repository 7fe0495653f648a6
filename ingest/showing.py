"""Show a whole mail to a person."""

from collections.abc import Iterator

from assistant.domain.conversation.deliveries import Line, moment
from assistant.domain.files.ports import Blobs
from assistant.domain.mail.heading import heading_of, how_it_came, letter_title
from assistant.domain.mail.mail import Mail, MailState
from assistant.domain.mail.understanding.understood import shortened
from assistant.domain.mail.words import (
    HIDDEN_SHOWN,
    HIDDEN_TITLE,
    OTHER_WORDS,
    all_text_of,
    hidden_in,
    letter_words,
    letters_of,
    with_words,
)
from assistant.domain.text.invisible import count_invisible, say_invisible, says_invisible
from assistant.domain.text.sizes import in_bytes

_NO_TEXT = {
    MailState.STORED: "(it is not read yet)",
    MailState.HELD: "(it could not be read)",
    MailState.FORGOTTEN: "(it is forgotten)",
}


def whole(mail: Mail, *, blobs: Blobs, zone: str, as_it_stands: bool = False) -> tuple[Line, ...]:
    """Return the lines of a whole mail, its text uncut, times in ``zone`` (an IANA name).

    All values are outside text. ``as_it_stands``: its text in one piece, not told apart by who
    wrote what.

    Raises:
        NotFound: the text was deleted meanwhile.
        Unreachable: the text could not be fetched now.
        Unreadable: who wrote what in it is damaged where it is kept.
    """
    lines = (*_facts(mail, zone), *_words(mail, blobs, zone, as_it_stands=as_it_stands))
    return tuple(line for line in lines if line.value)


def _facts(mail: Mail, zone: str) -> Iterator[Line]:
    heading = heading_of(mail)
    yield Line(label="From", value=heading.sender)
    yield Line(label="Forwarded by", value=heading.forwarded_by)
    yield Line(label="To", value=heading.recipients)
    if heading.sent:
        yield moment("Date", heading.sent, zone)
    elif heading.sent_words:
        yield Line(label="Date", value=heading.sent_words)
    else:
        yield moment("Received", mail.received, zone)
    yield Line(label="Subject", value=heading.subject)
    for label, value in how_it_came(mail, zone).items():
        yield Line(label=label, value=value)
    for part in mail.attachments:
        size = in_bytes(part.size)
        yield Line(label="Attached", value=f"{part.name} ({part.content_type}, {size})")


def _words(mail: Mail, blobs: Blobs, zone: str, *, as_it_stands: bool) -> Iterator[Line]:
    text = all_text_of(mail, blobs)
    letters = () if as_it_stands else letters_of(mail, blobs)
    yield Line(label="Hidden", value=_invisible(mail, text))
    if len(letters) <= 1:
        yield Line(label="Text", value=text or _NO_TEXT.get(mail.state, "(it has no text)"))
    else:
        for number, letter in enumerate(with_words(letters), 1):
            yield Line(label=f"Letter {number}", value=letter_title(mail, letter, zone))
            yield Line(label="Text", value=letter_words(letter))
    yield Line(label=HIDDEN_TITLE, value=shortened(hidden_in(mail, blobs), HIDDEN_SHOWN))


def _invisible(mail: Mail, text: str) -> str:
    """Say how many characters nobody sees; of a mail read before they were counted, of its text."""
    told = next(filter(says_invisible, mail.defects), "")
    differs = OTHER_WORDS if OTHER_WORDS in mail.defects else ""
    return "; ".join(filter(None, (told or say_invisible(count_invisible(text)), differs)))
