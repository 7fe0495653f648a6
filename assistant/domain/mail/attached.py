"""What is attached to a mail: which one is meant, what it is, and what it says."""

from typing import NamedTuple, Protocol

from pydantic import BaseModel, ConfigDict

from assistant.domain.errors import BadArguments, NotFound
from assistant.domain.mail.mail import MAIL_NAMES, Attachment, Mail, MailState
from assistant.domain.text.invisible import without_invisible

_OFFICE = "application/vnd.openxmlformats-officedocument."
_OPEN = "application/vnd.oasis.opendocument."
READABLE = frozenset(
    {
        "application/json",
        "application/pdf",
        "application/rtf",
        f"{_OPEN}presentation",
        f"{_OPEN}spreadsheet",
        f"{_OPEN}text",
        f"{_OFFICE}presentationml.presentation",
        f"{_OFFICE}spreadsheetml.sheet",
        f"{_OFFICE}wordprocessingml.document",
        "application/x-url",
        "application/xml",
        "application/zip",
        "message/rfc822",
        "text/calendar",
        "text/csv",
        "text/html",
        "text/markdown",
        "text/plain",
        "text/tab-separated-values",
        "text/vcard",
        "text/x-script",
    }
)
"""The media types, by content, of which text is read. Of a zip archive it is the names in it."""


class FileKind(NamedTuple):
    type: str
    """The media type, by content."""
    said: str
    """What it is, in words."""
    doubt: str = ""
    """Where name, declared type and content disagree in a way that deceives; else empty."""


class AttachmentText(BaseModel):
    """The text of a file. A stranger wrote it."""

    model_config = ConfigDict(frozen=True)
    text: str = ""
    pages: int = 0
    """Pages, slides or sheets; 0 where the format has none."""
    truncated: bool = False
    """True where the file has more text than this."""
    defects: tuple[str, ...] = ()
    """What was not read, and what a reader of the file does not see, in words."""


class AttachmentTexts(Protocol):
    """Reads attachments, in a process that may die of it."""

    def kind_of(self, attachment: Attachment) -> FileKind:
        """Return what it is; of one that was stored before that was kept, by looking at it.

        Raises:
            NotFound: its bytes were deleted meanwhile.
            Unreachable: they could not be fetched, or the process could not be started.
        """
        ...

    def text_of(self, attachment: Attachment, kind: FileKind) -> AttachmentText:
        """Return its text. What is wrong with the file is a defect. Raises as ``kind_of``."""
        ...


def attachments_of(mail: Mail) -> tuple[Attachment, ...]:
    """Return what is attached to a mail. Raises ``NotFound`` where that is not known, or gone."""
    if mail.state is MailState.FORGOTTEN:
        raise NotFound(f"what was attached to mail {mail.id}; it was forgotten {mail.reason}")
    if mail.state in (MailState.STORED, MailState.HELD) and not mail.attachments:
        raise NotFound(f"what is attached to mail {mail.id}: {MAIL_NAMES[mail.state]}")
    return mail.attachments


def attachment_called(mail: Mail, name: str, *, part: bool = False) -> int:
    """Return the place of the attachment that is meant, from 0.

    Args:
        mail: what it is attached to.
        name: its number, from 1, or its name. A number counts before a name that looks like one.
        part: whether a part of its name will do, in any case.

    Raises:
        NotFound: the mail is forgotten, or was not read.
        BadArguments: none is meant, or several. It tells numbers, as strangers choose the names.
    """
    found = attachments_of(mail)
    if not found:
        raise BadArguments(f"nothing is attached to mail {mail.id}")
    asked = _seen(name)
    number = asked.removeprefix("#")
    if number.isascii() and number.isdecimal() and 1 <= int(number[:9]) <= len(found):
        return int(number[:9]) - 1
    names = [_seen(one.name) for one in found]
    meant = [place for place, one in enumerate(names) if one == asked]
    if part and asked and not meant:
        folded = asked.casefold()
        meant = [place for place, one in enumerate(names) if one.casefold() == folded]
        meant = meant or [at for at, one in enumerate(names) if folded in one.casefold()]
    if len(meant) == 1:
        return meant[0]
    if meant:
        numbers = ", ".join(str(place + 1) for place in meant)
        raise BadArguments(f"several attachments fit; say which by its number: {numbers}")
    numbers = "its number is 1" if len(found) == 1 else f"their numbers are 1 to {len(found)}"
    raise BadArguments(f"no attachment of mail {mail.id} is called that; {numbers}")


def _seen(name: str) -> str:
    """Return what a person, or a model, sees of a name."""
    return " ".join(without_invisible(name).split())
