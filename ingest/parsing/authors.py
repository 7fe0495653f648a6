"""Tell who wrote what in a mail: its letters, and its whole text as it is kept."""

from collections.abc import Sequence
from datetime import tzinfo
from typing import NamedTuple

from assistant.domain.mail.letter import Letter, LetterKind
from ingest.letters.split import split_letters
from ingest.parsing.messages import FoundMessage

MOST_LETTERS = 200
"""With more letters than these, the texts of attached messages are not searched for others."""


class Authors(NamedTuple):
    letters: tuple[Letter, ...]
    """All letters with their words, the mail's own first."""
    places: tuple[int, ...]
    """For each message, the place of its letter."""

    @property
    def holds_forward(self) -> bool:
        """Return whether a forward is copied into the mail's own text."""
        return any(
            letter.kind is LetterKind.INLINE_FORWARD and letter.inside == 0
            for letter in self.letters
        )


def find_authors(messages: Sequence[FoundMessage], zone: tzinfo | None) -> Authors:
    """Split the text of each message into its letters.

    Args:
        messages: the mail itself, and each message before those attached to it.
        zone: the zone of dates that name none.
    """
    letters: list[Letter] = []
    places: list[int] = []
    for message in messages:
        start = len(letters)
        top = _letter(message)
        if message.inside >= 0:
            parent = places[message.inside]
            top = top.model_copy(update={"inside": parent, "depth": letters[parent].depth + 1})
        places.append(start)
        if start >= MOST_LETTERS:
            letters.append(top.model_copy(update={"text": message.text}))
            continue
        first, *inner = split_letters(message.text, top, zone).letters
        moved = (each.model_copy(update={"inside": each.inside + start}) for each in inner)
        letters += [first, *moved]
    return Authors(tuple(letters), tuple(places))


def whole_text(messages: Sequence[FoundMessage]) -> str:
    """Return the mail's own text, and below it that of each attached message under its header."""
    pieces = [messages[0].text] if messages else []
    for number, message in enumerate(messages[1:], 1):
        pieces += (_heading(number, message), message.text or "(no text)")
    return "\n\n".join(piece for piece in pieces if piece)


def _heading(number: int, message: FoundMessage) -> str:
    facts = message.facts
    within = f", inside attached message {message.inside}" if message.inside > 0 else ""
    fields = {
        "From": facts.sender,
        "To": facts.recipients,
        "Date": facts.sent_words,
        "Subject": facts.subject,
    }
    said = (f"{name}: {value}" for name, value in fields.items() if value)
    return "\n".join((f"-------- Attached message {number}{within} --------", *said))


def _letter(message: FoundMessage) -> Letter:
    facts = message.facts
    is_mail = message.inside < 0
    return Letter(
        kind=LetterKind.MAIL if is_mail else LetterKind.ATTACHED_FORWARD,
        sender=facts.sender,
        sender_address=facts.sender_address,
        recipients=facts.recipients,
        subject=facts.subject,
        sent=facts.sent,
        sent_words=facts.sent_words,
        defects=() if is_mail else facts.defects[:10],
    )
