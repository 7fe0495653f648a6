"""Mails in many characters: bodies, header fields, names of files, addresses; sound and untrue."""

from base64 import b64encode
from collections.abc import Iterator
from urllib.parse import quote_from_bytes

from tests.ingest.charset_samples import (
    ARABIC,
    CHINESE,
    CZECH,
    EURO,
    FRENCH,
    GREEK,
    HEBREW,
    JAPANESE,
    KOREAN,
    RUSSIAN,
    SAMPLES,
    TAIWANESE,
    THAI,
    TURKISH,
    VIETNAMESE,
)
from tests.ingest.mails.case import MAIL, MailCase, WantedFile, WantedLetter
from tests.ingest.mails.structures import PDF, only
from tests.ingest.mails.writing import (
    NOON,
    SOUND,
    coded,
    encoded,
    file,
    head,
    html,
    mail,
    multi,
    text,
)

_CODINGS = ("base64", "quoted-printable", "8bit")


def cases() -> Iterator[MailCase]:
    yield from _bodies()
    yield from _pages()
    yield from _subjects()
    yield from _senders()
    yield from _other_fields()
    yield from _dates()
    yield from _file_names()


def _bodies() -> Iterator[MailCase]:
    """Each character set once, by a coding in turn; ``test_charset_parse`` has them all."""
    chosen = [sample for sample in SAMPLES if not sample.codec.startswith(("utf-16", "utf-32"))]
    for number, sample in enumerate(chosen[::2]):
        coding = _CODINGS[number % 3]
        body = coded(sample.text.encode(sample.codec) + b"\r\n", coding)
        kind = f"Content-Type: text/plain; charset={sample.label}\r\n"
        raw = (
            head() + kind.encode() + f"Content-Transfer-Encoding: {coding}\r\n\r\n".encode() + body
        )
        yield MailCase(
            f"a text in {sample.label} of {sample.codec}, {coding}",
            raw,
            only(sample.text),
            SOUND,
            may_have_defects=True,
        )


def _pages() -> Iterator[MailCase]:
    for words, label, codec in (
        (RUSSIAN, "windows-1251", "cp1251"),
        (JAPANESE, "iso-2022-jp", "iso2022_jp"),
        (CHINESE, "gb2312", "gb2312"),
        (EURO, "iso-8859-15", "iso8859-15"),
        (HEBREW, "windows-1255", "cp1255"),
    ):
        page = f'<html><head><meta charset="{label}"></head><body><p>{words}</p></body></html>'
        named = f"Content-Type: text/html; charset={label}\r\n".encode()
        for name, kind in (
            ("in its header", named),
            ("in itself alone", b"Content-Type: text/html\r\n"),
        ):
            raw = head() + kind + b"Content-Transfer-Encoding: base64\r\n\r\n"
            yield MailCase(
                f"a page that names {label} {name}",
                raw + coded(page.encode(codec), "base64"),
                only(words),
                SOUND,
                may_have_defects=True,
            )
    entities = "".join(f"&#{ord(letter)};" for letter in GREEK)
    yield MailCase("a page of entities", mail(html(f"<p>{entities}</p>")), only(GREEK), SOUND)
    yield MailCase(
        "a page whose meta is untrue",
        head()
        + b"Content-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n"
        + coded(f'<meta charset="iso-8859-1"><p>{TURKISH}</p>'.encode(), "base64"),
        only(TURKISH),
        SOUND,
    )
    yield MailCase(
        "text in one character set and html in another",
        mail(
            multi(
                "alternative",
                text(EURO, charset="iso-8859-15", coding="8bit"),
                html(f"<p>{EURO}</p>"),
            )
        ),
        only(EURO),
        SOUND,
    )
    yield MailCase(
        "an utf-8 text with a byte order mark",
        mail(text("\ufeff" + THAI)),
        only(THAI),
        SOUND,
        may_have_defects=True,
    )


def _subjects() -> Iterator[MailCase]:
    words = text(NOON)
    for name, written, subject in (
        ("in B", encoded(FRENCH, way="B"), FRENCH),
        ("in Q", encoded(CZECH, way="Q"), CZECH),
        ("in iso-2022-jp", encoded(JAPANESE, "iso-2022-jp"), JAPANESE),
        ("in koi8-r", encoded(RUSSIAN, "koi8-r"), RUSSIAN),
        ("in big5", encoded(TAIWANESE, "big5"), TAIWANESE),
        ("in euc-kr", encoded(KOREAN, "euc-kr", "Q"), KOREAN),
        ("in raw utf-8", VIETNAMESE.encode(), VIETNAMESE),
        ("with a language", b"=?utf-8*de?Q?Gr=C3=BC=C3=9Fe?=", "Grüße"),
        (
            "in words and plain",
            b"Re: =?utf-8?Q?Miete_f=C3=BCr?= November",
            "Re: Miete für November",
        ),
        ("without a blank between", b"=?utf-8?Q?a=C3=BC?==?utf-8?Q?b?=", "aüb"),
        ("split within a letter", b"=?utf-8?B?R3LD?=\r\n =?utf-8?B?vMOf?=", "Grüß"),
        ("with blanks in a word", b"=?utf-8?Q?Gr=C3=BC=C3=9Fe aus Bonn?=", "Grüße aus Bonn"),
        ("folded with a tab", b"Lunch\r\n\ton\r\n Friday", "Lunch on Friday"),
        ("of nine hundred letters", b"a" * 900, "a" * 900),
        ("with a hidden letter", "Lun\u200bch".encode(), "Lunch"),
        ("that turns round", "bill \u202etfard".encode(), "bill tfard"),
        ("that is empty", b"", ""),
        ("with an end of line inside a word", b"=?utf-8?B?TGluZQpCY2M6IHg=?=", "Line Bcc: x"),
        ("in quotes", b'"Lunch"', '"Lunch"'),
        ("that is broken base64", b"=?utf-8?B?TGluZQ?=", "Line"),
    ):
        yield MailCase(
            f"a subject {name}",
            mail(words, Subject=written),
            only(NOON),
            {**SOUND, "subject": subject},
            may_have_defects=True,
        )
    yield MailCase("no subject", mail(words, Subject=None), only(NOON), {**SOUND, "subject": ""})
    yield MailCase(
        "a subject in raw windows-1251, which its body names",
        head(Subject="Счет за ноябрь месяц".encode("cp1251"))
        + text(RUSSIAN, charset="windows-1251", coding="8bit"),
        only(RUSSIAN),
        {**SOUND, "subject": "Счет за ноябрь месяц"},
        may_have_defects=True,
    )
    yield MailCase(
        "two subjects",
        mail(text(NOON), Subject="First", SUBJECT=b"Second"),
        only(NOON),
        {**SOUND, "subject": "First"},
        defects=("Subject",),
    )


def _senders() -> Iterator[MailCase]:
    for name, written, sender, address in (
        ("an address alone", b"ann@firm.example", "ann@firm.example", "ann@firm.example"),
        ("an address in brackets", b"<ann@firm.example>", "ann@firm.example", "ann@firm.example"),
        (
            "a name in quotes",
            b'"Lee, Ann" <ann@firm.example>',
            "Lee, Ann <ann@firm.example>",
            "ann@firm.example",
        ),
        ("a name with a comment", b"Ann (at work) <ann@firm.example>", None, "ann@firm.example"),
        (
            "the old form",
            b"ann@firm.example (Ann Lee)",
            "Ann Lee <ann@firm.example>",
            "ann@firm.example",
        ),
        (
            "an encoded name",
            encoded("Änne Groß <ann@firm.example>"),
            "Änne Groß <ann@firm.example>",
            "ann@firm.example",
        ),
        (
            "a raw name",
            "Änne Groß <ann@firm.example>".encode(),
            "Änne Groß <ann@firm.example>",
            "ann@firm.example",
        ),
        (
            "an encoded name in quotes",
            b'"=?utf-8?Q?Gro=C3=9F=2C_Ann?=" <ann@firm.example>',
            "Groß, Ann <ann@firm.example>",
            "ann@firm.example",
        ),
        (
            "a name that is another address",
            b'"bank@bank.example" <eve@mail.example>',
            "eve@mail.example",
            "eve@mail.example",
        ),
        ("a name with brackets", encoded("Bank <bank@bank.example> <eve@mail.example>"), None, ""),
        ("a domain in other letters", "ann@grüße.example".encode(), None, "ann@grüße.example"),
        ("an address in quotes", b'"ann lee"@firm.example', None, '"ann lee"@firm.example'),
        ("a route", b"Ann <@relay.example:ann@firm.example>", None, "ann@firm.example"),
        ("capitals", b"ANN <Ann@Firm.Example>", "ANN <Ann@Firm.Example>", "Ann@Firm.Example"),
        ("no address", b"Ann Lee", "Ann Lee", ""),
        ("an empty group", b"undisclosed-recipients:;", None, ""),
        (
            "a folded name",
            b"Ann\r\n Lee\r\n <ann@firm.example>",
            "Ann Lee <ann@firm.example>",
            "ann@firm.example",
        ),
    ):
        facts = {**SOUND, "sender_address": address, "sender": sender}
        if sender is None:
            del facts["sender"]
        yield MailCase(
            f"from {name}", mail(text(NOON), From=written), only(NOON), facts, may_have_defects=True
        )
    yield MailCase(
        "from nobody",
        mail(text(NOON), From=None),
        only(NOON),
        {**SOUND, "sender": "", "sender_address": ""},
        may_have_defects=True,
    )
    yield MailCase(
        "from two people",
        mail(text(NOON), From="Ann <ann@firm.example>, Bo <bo@firm.example>"),
        only(NOON),
        {"sender_address": "ann@firm.example", "more_senders": "Bo <bo@firm.example>"},
        may_have_defects=True,
    )
    yield MailCase(
        "two header fields From",
        b"From: Ann <ann@firm.example>\r\n" + mail(text(NOON)),
        only(NOON),
        {"sender_address": "ann@firm.example", "more_senders": SOUND["sender"]},
        may_have_defects=True,
    )
    yield MailCase(
        "sent by a service for somebody",
        mail(text(NOON), Sender="Box <box@service.example>"),
        only(NOON),
        {**SOUND, "sent_by": "Box <box@service.example>"},
    )
    yield MailCase(
        "sent by the same",
        mail(text(NOON), Sender="juerg@firm.example"),
        only(NOON),
        {**SOUND, "sent_by": ""},
    )
    yield MailCase(
        "to be answered elsewhere",
        mail(text(NOON), Reply_To="Eve <eve@mail.example>"),
        only(NOON),
        {**SOUND, "reply_to": "Eve <eve@mail.example>"},
    )
    yield MailCase(
        "to be answered to the sender",
        mail(text(NOON), Reply_To="<JUERG@firm.example>"),
        only(NOON),
        {**SOUND, "reply_to": ""},
    )


def _other_fields() -> Iterator[MailCase]:
    yield MailCase(
        "to a group",
        mail(text(NOON), To="Garden: ada@home.example, Bo <bo@firm.example>;"),
        only(NOON),
        {**SOUND, "recipients": "ada@home.example, Bo <bo@firm.example>"},
        may_have_defects=True,
    )
    yield MailCase(
        "to people and copies",
        mail(text(NOON), Cc="Bo <bo@firm.example>"),
        only(NOON),
        {**SOUND, "recipients": "Ada <ada@home.example>, Bo <bo@firm.example>"},
    )
    yield MailCase(
        "to undisclosed recipients",
        mail(text(NOON), To="undisclosed-recipients:;"),
        only(NOON),
        {**SOUND, "recipients": ""},
    )
    many = ", ".join(f"Guest{n} <guest{n}@party.example>" for n in range(400))
    yield MailCase(
        "to four hundred guests",
        mail(text(NOON), To=many),
        only(NOON),
        {"sender_address": "juerg@firm.example"},
        may_have_defects=True,
    )
    yield MailCase(
        "in capital names of fields",
        mail(text(NOON)).replace(b"Subject:", b"SUBJECT:"),
        only(NOON),
        SOUND,
    )
    yield MailCase(
        "with a blank before the colon",
        mail(text(NOON)).replace(b"Subject:", b"Subject :"),
        only(NOON),
        SOUND,
    )
    yield MailCase(
        "without a blank behind the colon",
        mail(text(NOON)).replace(b"Subject: ", b"Subject:"),
        only(NOON),
        SOUND,
    )
    yield MailCase(
        "without a number",
        mail(text(NOON), Message_ID=None),
        only(NOON),
        {**SOUND, "message_id": ""},
    )


def _dates() -> Iterator[MailCase]:
    for name, written, sent in (
        ("without a weekday", "3 Nov 2026 10:00:00 +0100", "2026-11-03T10:00:00+01:00"),
        ("with a comment", "Tue, 3 Nov 2026 10:00:00 +0100 (CET)", "2026-11-03T10:00:00+01:00"),
        ("with a zone by name", "Tue, 3 Nov 2026 10:00:00 GMT", "2026-11-03T10:00:00+00:00"),
        ("with an American zone", "Tue, 3 Nov 2026 10:00:00 EST", "2026-11-03T10:00:00-05:00"),
        ("with a year of two digits", "Tue, 3 Nov 26 10:00 +0100", "2026-11-03T10:00:00+01:00"),
        ("without seconds", "Tue, 3 Nov 2026 10:00 +0100", "2026-11-03T10:00:00+01:00"),
        ("that cannot be", "Tue, 32 Nov 2026 10:00:00 +0100", None),
        ("in words", "yesterday", None),
        ("that is none", None, None),
        ("folded", b"Tue, 3 Nov 2026\r\n 10:00:00 +0100", "2026-11-03T10:00:00+01:00"),
    ):
        yield MailCase(
            f"a date {name}",
            mail(text(NOON), Date=written),
            only(NOON),
            {**SOUND, "sent": sent},
            may_have_defects=True,
        )


def _file_names() -> Iterator[MailCase]:
    def named(field: bytes) -> bytes:
        return mail(
            multi(
                "mixed",
                text(NOON),
                b"Content-Type: application/pdf\r\nContent-Transfer-Encoding: base64\r\n"
                b"Content-Disposition: attachment; " + field + b"\r\n\r\n" + b64encode(PDF),
            )
        )

    quoted = quote_from_bytes("Müll & Miete.pdf".encode())
    for name, field, read in (
        ("in quotes", b'filename="rent november.pdf"', "rent november.pdf"),
        ("without quotes", b"filename=rent.pdf", "rent.pdf"),
        ("without quotes, with blanks", b"filename=rent november.pdf", "rent november.pdf"),
        ("by RFC 2231", b"filename*=UTF-8''" + quoted.encode(), "Müll & Miete.pdf"),
        ("by RFC 2231 in latin-1", b"filename*=iso-8859-1'de'Gr%FC%DFe.pdf", "Grüße.pdf"),
        ("in pieces", b'filename*0="rent ";\r\n filename*1="november.pdf"', "rent november.pdf"),
        (
            "in coded pieces",
            b"filename*0*=UTF-8''Gr%C3%BC;\r\n filename*1*=%C3%9Fe.pdf",
            "Grüße.pdf",
        ),
        ("in pieces out of order", b'filename*1="b.pdf";\r\n filename*0="a"', "ab.pdf"),
        ("both ways", b"filename=\"Gr__e.pdf\"; filename*=UTF-8''Gr%C3%BC%C3%9Fe.pdf", "Grüße.pdf"),
        ("in words", b'filename="=?utf-8?B?R3LDvMOfZS5wZGY=?="', "Grüße.pdf"),
        ("in raw utf-8", 'filename="Grüße.pdf"'.encode(), "Grüße.pdf"),
        ("with escaped quotes", b'filename="the \\"big\\" bill.pdf"', "the _big_ bill.pdf"),
        ("with a line end", b'filename="rent\r\n november.pdf"', "rent november.pdf"),
        ("as the name of the type", b'x="y"', "part-3.pdf"),
        ("of dots", b'filename="...."', "attachment-1"),
    ):
        yield MailCase(
            f"a file's name {name}",
            named(field),
            only(NOON),
            SOUND,
            files=(WantedFile(read, "PDF", PDF),),
            may_have_defects=True,
        )
    long = "a" * 400 + ".pdf"
    yield MailCase(
        "a file's name of four hundred letters",
        named(b'filename="' + long.encode() + b'"'),
        only(NOON),
        SOUND,
        files=(WantedFile("a" * 196 + ".pdf", "PDF"),),
    )
    yield MailCase(
        "a file's name in Japanese",
        mail(multi("mixed", text(JAPANESE), file("請求書.pdf", PDF, "application/pdf"))),
        only(JAPANESE),
        SOUND,
        files=(WantedFile("請求書.pdf", "PDF"),),
    )
    yield MailCase(
        "right to left, with a number between",
        mail(text(f"{ARABIC} 850"), Subject=encoded("اجتماع")),
        (WantedLetter(MAIL, (ARABIC,)),),
        {**SOUND, "subject": "اجتماع"},
    )
