"""The letters of a mail: their words are in a blob, their facts in its row."""

from datetime import UTC, datetime

from assistant.domain.mail.forward import ForwardedMail, HowForwarded
from assistant.domain.mail.letter import Letter, LetterKind
from assistant.domain.mail.mail import Mail, forwarded_letter, said_inside
from assistant.domain.mail.words import as_bytes, letters_from, letters_of, without_words
from tests.memory_blobs import MemoryBlobs

NOW = datetime(2026, 11, 23, 9, tzinfo=UTC)
NOTE = Letter(kind=LetterKind.MAIL, sender="Olga <o@example.org>", text="see below")
INNER = Letter(
    kind=LetterKind.INLINE_FORWARD,
    depth=1,
    inside=0,
    sender="Ada <ada@example.org>",
    subject="Rent",
    sent=NOW,
    text="The rent is due.\r\n\u00fc",
    signature="-- \nAda",
)
BY_HAND = ForwardedMail(how=HowForwarded.BY_HAND, keeps_sender=False)


def a_mail(**more: object) -> Mail:
    facts = {"id": "m1", "owner": "owner", "sha256": "ab", "size": 1, "door": "smtp", "raw": "r"}
    return Mail.model_validate({**facts, "received": NOW, **more})


def test_letters_come_back_as_they_were_kept() -> None:
    blobs = MemoryBlobs()
    blobs.put("words", as_bytes((NOTE, INNER)))
    assert letters_of(a_mail(words="words"), blobs) == (NOTE, INNER)
    assert letters_from(as_bytes(())) == ()


def test_a_mail_without_others_in_it_is_one_letter() -> None:
    blobs = MemoryBlobs()
    blobs.put("body", b"hello")
    mail = a_mail(body="body", sender="Ada <ada@example.org>", sent=NOW)
    [only] = letters_of(mail, blobs)
    assert (only.kind, only.text, only.sender, only.sent) == (
        LetterKind.MAIL,
        "hello",
        "Ada <ada@example.org>",
        NOW,
    )


def test_a_row_has_no_words() -> None:
    [bare] = without_words([INNER])
    assert (bare.text, bare.signature, bare.subject) == ("", "", "Rent")


def test_the_forwarded_letter_is_found_only_where_somebody_forwarded_one() -> None:
    letters = (NOTE, INNER)
    assert forwarded_letter(letters, BY_HAND) == INNER
    assert forwarded_letter(letters, ForwardedMail()) is None
    by_rule = ForwardedMail(how=HowForwarded.AUTOMATIC)
    assert forwarded_letter(letters, by_rule) is None
    assert forwarded_letter((NOTE,), BY_HAND) is None


def test_searches_find_who_wrote_what_was_forwarded() -> None:
    quoted = INNER.model_copy(update={"kind": LetterKind.QUOTED_REPLY, "subject": "Old"})
    assert said_inside((NOTE, INNER, quoted)) == "Ada <ada@example.org> Rent"
