"""Who wrote what in a mail: its letters with their words, which stand in blobs."""

from collections.abc import Iterable, Sequence
from typing import Any

from pydantic import TypeAdapter, ValidationError

from assistant.domain.calendar.invitations.invitation import Invitation
from assistant.domain.errors import Unreadable
from assistant.domain.files.ports import Blobs
from assistant.domain.mail.letter import Letter, LetterKind
from assistant.domain.mail.mail import Mail

_INVITATIONS: TypeAdapter[tuple[Invitation, ...]] = TypeAdapter(tuple[Invitation, ...])
_LETTERS: TypeAdapter[tuple[Letter, ...]] = TypeAdapter(tuple[Letter, ...])
_WORDS = ("text", "signature")
HIDDEN_TITLE = "Hidden in its HTML (nobody sees this in a mail program)"
OTHER_WORDS = "its plain text, which was read, and its HTML, which mail programs show, differ"
"""A defect of a mail, told on its card."""
HIDDEN_SHOWN = 2_000
"""The most characters of hidden words that a person is shown."""


def letters_of(mail: Mail, blobs: Blobs) -> tuple[Letter, ...]:
    """Return the letters of a mail with their words, the mail's own first.

    A mail without other letters in it, or read before they were told apart, is one letter.

    Raises:
        NotFound: the words were deleted meanwhile.
        Unreachable: they could not be fetched now.
        Unreadable: the blob with the letters is damaged.
    """
    if mail.words:
        return letters_from(blobs.get(mail.words))
    alone = Letter(
        kind=LetterKind.MAIL,
        sender=mail.sender,
        sender_address=mail.sender_address,
        recipients=mail.recipients,
        subject=mail.subject,
        sent=mail.sent,
        text=all_text_of(mail, blobs),
    )
    return (alone,)


def all_text_of(mail: Mail, blobs: Blobs) -> str:
    """Return all text of a mail as it stands. Raises as ``hidden_in`` does."""
    return blobs.get(mail.body).decode(errors="replace") if mail.body else ""


def letter_words(letter: Letter) -> str:
    """Return what the author wrote, with the signature below it."""
    return "\n".join(filter(None, (letter.text, letter.signature)))


def with_words(letters: Sequence[Letter]) -> Sequence[Letter]:
    """Return the letters whose author wrote something: not an empty note above a forward."""
    return [letter for letter in letters if letter_words(letter).strip()] or letters[:1]


def note_in(mail: Mail, letters: Sequence[Letter]) -> str:
    """Return what the forwarder wrote above what was forwarded; empty if nothing was."""
    return letters[0].text if mail.forwarded and letters else ""


def text_shown(mail: Mail, letters: Sequence[Letter]) -> str:
    """Return the words that a mail is about: without the forwarder's note if it was forwarded."""
    shown = letters[1:] if mail.forwarded else letters
    return "\n\n".join(filter(None, (letter.text for letter in shown)))


def invitations_of(mail: Mail, blobs: Blobs) -> tuple[Invitation, ...]:
    """Return the invitations in a mail; none of a mail that was read before they were looked for.

    Raises:
        NotFound: the words were deleted meanwhile.
        Unreachable: they could not be fetched now.
        Unreadable: the blob with the invitations is damaged.
    """
    if not mail.invitations:
        return ()
    try:
        return _INVITATIONS.validate_json(blobs.get(mail.invitations))
    except ValidationError as error:
        raise Unreadable("its stored invitations are damaged") from error


def invitations_as_bytes(invitations: Sequence[Invitation]) -> bytes:
    """Return invitations as their blob has them; nothing where there are none."""
    return _INVITATIONS.dump_json(tuple(invitations)) if invitations else b""


def hidden_in(mail: Mail, blobs: Blobs) -> str:
    """Return the words of its HTML that nobody sees.

    Raises:
        NotFound: the words were deleted meanwhile.
        Unreachable: they could not be fetched now.
    """
    return blobs.get(mail.hidden).decode(errors="replace") if mail.hidden else ""


def letters_from(stored: bytes) -> tuple[Letter, ...]:
    """Return the letters that ``as_bytes`` wrote. Raises ``Unreadable`` if they are damaged."""
    try:
        return _LETTERS.validate_json(stored)
    except ValidationError as error:
        raise Unreadable("who wrote what in it is damaged where it is kept") from error


def as_bytes(letters: Iterable[Letter]) -> bytes:
    """Return letters with their words as they are kept in a blob."""
    return _LETTERS.dump_json(tuple(letters))


def without_words(letters: Iterable[Letter]) -> tuple[Letter, ...]:
    """Return the facts of letters alone, as a mail's row has them."""
    empty: dict[str, Any] = dict.fromkeys(_WORDS, "")
    return tuple(letter.model_copy(update=empty) for letter in letters)
