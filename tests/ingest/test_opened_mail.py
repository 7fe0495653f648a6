"""Mails whose words or files stand in a container: winmail.dat, S/MIME and PGP."""

import base64

from assistant.domain.limits import MailLimits
from assistant.domain.mail.letter import LetterKind
from assistant.domain.mail.mail import Parsed
from ingest.parse import parse
from tests.ingest.extract import samples
from tests.ingest.extract.samples import attribute, tnef
from tests.ingest.extract.test_opened_containers import in_pieces
from tests.ingest.messages import HEAD, PLAIN, file, mixed, words

BARE = HEAD.replace(b"MIME-Version: 1.0\r\n", b"")


def read(raw: bytes) -> Parsed:
    return parse(raw, MailLimits())


def coded(kind: str, name: str, data: bytes) -> bytes:
    head = f'Content-Type: {kind}; name="{name}"\r\nContent-Transfer-Encoding: base64\r\n\r\n'
    return head.encode() + base64.encodebytes(data)


def signed(inner: bytes) -> bytes:
    return coded("application/pkcs7-mime; smime-type=signed-data", "smime.p7m", in_pieces(inner))


def test_the_files_of_a_winmail_are_those_of_the_mail() -> None:
    parsed = read(
        mixed(words("hi"), coded("application/ms-tnef", "winmail.dat", samples.winmail()))
    )
    assert parsed.text == "hi"
    assert [(part.name, part.said) for part in parsed.attachments] == [("report 2026.pdf", "PDF")]


def test_the_text_of_a_winmail_is_that_of_a_mail_without_one() -> None:
    parsed = read(mixed(coded("application/octet-stream", "winmail.dat", samples.winmail())))
    assert parsed.text == "Grüße\nAda"


def test_rich_text_alone_is_read_too() -> None:
    rich = bytes.fromhex(
        "2d0000002b0000004c5a4675f1c5c7a703000a00726370673132354232"
        "0af32068656c090020627705b06c647d0a800fa0"
    )
    told = samples.properties((0x102, 0x1009, rich))
    data = tnef(attribute(0x69003, told))
    assert read(HEAD + coded("application/ms-tnef", "winmail.dat", data)).text == "hello world"


def test_a_broken_winmail_is_kept_as_a_file() -> None:
    data = samples.winmail()[:-300]
    parsed = read(mixed(words("hi"), coded("application/ms-tnef", "winmail.dat", data)))
    assert parsed.attachments[0].name == "winmail.dat"
    assert "the winmail.dat ends too early" in parsed.defects


def test_an_opaque_signed_mail_shows_its_words_and_says_that_nothing_was_checked() -> None:
    inner = mixed(words("Pay 99 EUR."), file(b"bill.pdf"), head=b"", boundary=b"in")
    parsed = read(BARE + signed(inner))
    assert parsed.text == "Pay 99 EUR."
    assert [part.name for part in parsed.attachments] == ["smime.p7m", "bill.pdf"]
    assert parsed.attachments[0].said == "signed message (S/MIME)"
    assert parsed.defects == ("it is signed (S/MIME), and the signature was not checked",)


def test_a_signed_mail_in_signed_mails_is_opened_a_few_times() -> None:
    inner = words("deep")
    for _ in range(4):
        inner = signed(inner)
    assert read(BARE + signed(inner)).text == "deep"
    deeper = read(BARE + signed(signed(inner)))
    assert deeper.text == ""
    assert "only its first 5 signed messages were opened" in deeper.defects


def test_a_signed_message_that_was_forwarded_is_a_letter() -> None:
    parsed = read(
        mixed(
            words("mine"), b"Content-Type: message/rfc822\r\n\r\n" + BARE + signed(words("theirs"))
        )
    )
    assert [(letter.kind, letter.text) for letter in parsed.letters] == [
        (LetterKind.MAIL, "mine"),
        (LetterKind.ATTACHED_FORWARD, "theirs"),
    ]


def test_a_clearly_signed_mail_is_read_through() -> None:
    signature = coded(
        "application/pgp-signature", "signature.asc", b"-----BEGIN PGP SIGNATURE-----\n"
    )
    parsed = read(mixed(words("hi"), signature, kind=b"signed"))
    assert (parsed.text, parsed.defects) == ("hi", ())
    assert parsed.attachments[0].said == "PGP signature"


def test_an_encrypted_mail_says_by_what() -> None:
    pgp = mixed(
        b"Content-Type: application/pgp-encrypted\r\n\r\nVersion: 1\r\n",
        b"Content-Type: application/octet-stream\r\n\r\n-----BEGIN PGP MESSAGE-----\r\nx\r\n",
        kind=b"encrypted",
    )
    parsed = read(pgp)
    assert (parsed.text, parsed.defects) == ("", ("it is encrypted (PGP)",))
    assert [part.said for part in parsed.attachments] == ["encrypted message (PGP)"] * 2
    assert read(HEAD + b"\r\n-----BEGIN PGP MESSAGE-----\r\n\r\nx\r\n").defects == parsed.defects
    sealed = b"\x30\x80\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x07\x03\xa0\x80\0\0\0\0"
    smime = read(BARE + coded("application/pkcs7-mime", "smime.p7m", sealed))
    assert (smime.text, smime.defects) == ("", ("it is encrypted (S/MIME)",))


def test_an_invitation_is_a_named_file() -> None:
    invitation = b"BEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\nEND:VCALENDAR\r\n"
    calendar = b"Content-Type: text/calendar; method=REQUEST\r\n\r\n" + invitation
    parsed = read(
        mixed(words("Come."), words("<p>Come.</p>", "html"), calendar, kind=b"alternative")
    )
    assert parsed.text == "Come."
    assert [(part.name, part.kind) for part in parsed.attachments] == [
        ("part-4.ics", "text/calendar")
    ]


def test_a_file_that_deceives_is_doubted_by_the_name_as_it_came() -> None:
    (part,) = read(
        mixed(words("hi"), file("bill\u202efdp.exe".encode(), b"TVqQAAMAAAAEAAAA"))
    ).attachments
    assert part.name == "billfdp.exe"
    assert "hide how it ends" in part.doubt


def test_a_mail_that_holds_nothing_but_a_forward_shows_its_words() -> None:
    parsed = read(mixed(b"Content-Type: message/rfc822\r\n\r\n" + PLAIN, kind=b"mixed"))
    assert parsed.letters[1].text == "At noon?\nYours"
    assert "At noon?" in parsed.text


def test_each_signed_message_shows_its_own_words() -> None:
    parts = [signed(words(f"<p>number {number}</p>", "html")) for number in range(5)]
    assert read(mixed(*parts)).text.split("\n\n") == [f"number {number}" for number in range(5)]
