"""A mail that Olga forwarded by hand, as its row and blobs are when it has been read."""

from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

from assistant.domain.files.ports import Blobs
from assistant.domain.mail.forward import ForwardedMail, ForwardingConfirmation, HowForwarded
from assistant.domain.mail.letter import Letter, LetterKind
from assistant.domain.mail.mail import Mail, MailState
from assistant.domain.mail.understanding.understood import AmountFact, Ask, Deadline, Understood
from assistant.domain.mail.words import as_bytes, without_words

NOTE = Letter(
    kind=LetterKind.MAIL,
    sender="Olga <olga@example.org>",
    sender_address="olga@example.org",
    text="Please pay this for me.",
)
ADA = Letter(
    kind=LetterKind.ATTACHED_FORWARD,
    depth=1,
    inside=0,
    sender="Ada Byron <ada@example.com>",
    sender_address="ada@example.com",
    recipients="Olga <olga@example.org>",
    subject="Fwd: The rent",
    sent=datetime(2026, 11, 20, 8, tzinfo=UTC),
    text="Come on Monday 30 November at 10:00.\nThe rent is due.",
    signature="-- \nAda Byron",
)
OLD = Letter(
    kind=LetterKind.QUOTED_REPLY,
    depth=2,
    inside=1,
    sender="Charles <charles@example.com>",
    sent_words="last Tuesday",
    text="When is it due?",
)
LETTERS = (NOTE, ADA, OLD)
BY_HAND = ForwardedMail(
    how=HowForwarded.BY_HAND,
    keeps_sender=False,
    forwarder="olga@example.org",
    rests_on=("a message attached to it",),
)
GMAIL = ForwardingConfirmation(
    provider="Gmail",
    code="123456789",
    link="https://mail-settings.google.com/mail/vf-abc-123",
    for_address="olga@example.org",
)
UNDERSTOOD = Understood(
    asks=(Ask(words="Pay the rent", due=date(2026, 11, 27)), Ask(words="Send the form")),
    amounts=(AmountFact(words="rent", value=Decimal("1250.00"), currency="EUR"),),
    deadlines=(
        Deadline(words="Rent is due", due=date(2026, 11, 27)),
        Deadline(words="The offer ends", due=datetime(2026, 12, 4, 12, tzinfo=UTC)),
    ),
)
BODY = "All of it, as it stands."
FACTS: dict[str, Any] = {
    "sender": "Olga <olga@example.org>",
    "sender_address": "olga@example.org",
    "recipients": "inbox@example.net",
    "subject": "Fwd: The rent",
    "sent": datetime(2026, 11, 21, 9, tzinfo=UTC),
    "forward": BY_HAND,
    "letters": without_words(LETTERS),
    "inside": "Ada Byron <ada@example.com> The rent",
}


def forwarded(**more: Any) -> Mail:
    """Its row alone."""
    facts = {
        "id": "3f2a11aa22bb33cc",
        "owner": "owner",
        "sha256": "0" * 64,
        "size": 1,
        "door": "smtp",
        "raw": "raw",
        "received": datetime(2026, 11, 21, 9, 5, tzinfo=UTC),
        "state": MailState.SUMMARISED,
        "summary": "Ada asks for the rent.",
        "summarised_by": "small-model",
    }
    return Mail.model_validate({**facts, **FACTS, **more})


def put_words(blobs: Blobs, *, hidden: str = "") -> dict[str, str]:
    """Store its words; return the names of their blobs by the fields of its row."""
    for name, words in (("body", BODY.encode()), ("words", as_bytes(LETTERS))):
        blobs.put(name, words)
    if hidden:
        blobs.put("hidden", hidden.encode())
    return {"body": "body", "words": "words", "hidden": "hidden" if hidden else ""}
