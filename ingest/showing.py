"""Show a whole mail to a person."""

from collections.abc import Iterator

from assistant.domain.conversation.deliveries import Line
from assistant.domain.files.ports import Blobs
from assistant.domain.mail.mail import Mail, MailState
from assistant.domain.text.invisible import count_invisible, say_invisible, says_invisible
from ingest.announce import when

_NO_TEXT = {
    MailState.STORED: "(it is not read yet)",
    MailState.HELD: "(it could not be read)",
    MailState.FORGOTTEN: "(it is forgotten)",
}


def whole(mail: Mail, *, blobs: Blobs, zone: str) -> tuple[Line, ...]:
    """Return the lines of a whole mail, its text uncut, times in ``zone`` (an IANA name).

    All values are outside text.

    Raises:
        NotFound: the text was deleted meanwhile.
        Unreachable: the text could not be fetched now.
    """
    return tuple(line for line in _lines(mail, blobs, zone) if line.value)


def _lines(mail: Mail, blobs: Blobs, zone: str) -> Iterator[Line]:
    yield Line(label="From", value=mail.sender)
    yield Line(label="To", value=mail.recipients)
    yield when("Date", mail.sent, zone)
    yield when("Received", None if mail.sent else mail.received, zone)
    yield Line(label="Subject", value=mail.subject)
    for part in mail.attachments:
        size = f"{part.size:,} byte{'' if part.size == 1 else 's'}"
        yield Line(label="Attached", value=f"{part.name} ({part.content_type}, {size})")
    text = blobs.get(mail.body).decode() if mail.body else ""
    yield Line(label="Hidden", value=_hidden(mail, text))
    yield Line(label="Text", value=text or _NO_TEXT.get(mail.state, "(it has no text)"))


def _hidden(mail: Mail, text: str) -> str:
    """Say how many characters nobody sees; of a mail read before they were counted, of its text."""
    told = next(filter(says_invisible, mail.defects), "")
    return told or say_invisible(count_invisible(text))
