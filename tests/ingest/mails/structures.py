# ruff: noqa: E501 - lines as they are sent
"""Mails of every structure, sound and broken: what is text, what is attached, what is neither."""

from collections.abc import Iterator

from tests.ingest.extract.samples import pdf, word
from tests.ingest.mails.case import MAIL, QUOTED, MailCase, WantedFile, WantedLetter
from tests.ingest.mails.writing import NOON, SOUND, both, file, head, html, mail, multi, text

PDF = pdf("The rent is 850 euros.")
PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1\0\0\0\1\x08\2\0\0\0\x90wS\xde"
CSV = b"day,hours\r\nMonday,8\r\nTuesday,7\r\n"
SIGNED = "The key is under the mat."


def only(*must: str, no: tuple[str, ...] = ()) -> tuple[WantedLetter, ...]:
    """One letter, the mail's own."""
    return (WantedLetter(MAIL, must, no),)


def cases() -> Iterator[MailCase]:
    yield from _sound()
    yield from _attached()
    yield from _broken()
    yield from _crowded()
    yield from _without_words()


def _sound() -> Iterator[MailCase]:
    yield MailCase("plain text alone", mail(text(NOON)), only(NOON), SOUND)
    yield MailCase("no type at all", head() + b"\r\n" + NOON.encode(), only(NOON), SOUND)
    yield MailCase("html alone", mail(html(f"<p>{NOON}</p>")), only(NOON, no=("<p>",)), SOUND)
    yield MailCase("text and html", mail(both(NOON, f"<b>{NOON}</b>")), only(NOON), SOUND)
    yield MailCase(
        "html that says more than its empty text",
        mail(both(" ", f"<p>{NOON}</p>")),
        only(NOON),
        SOUND,
    )
    yield MailCase(
        "html beside blanks that look like none",
        mail(both("\u00a0\n\u200b\n", f"<p>{NOON}</p>")),
        only(NOON),
        SOUND,
    )
    yield MailCase(
        "html before text in an alternative",
        mail(multi("alternative", html(f"<i>{NOON}</i>"), text(NOON))),
        only(NOON, no=("<i>",)),
    )
    yield MailCase(
        "an alternative within related within mixed",
        mail(
            multi(
                "mixed",
                multi(
                    "related",
                    both(NOON, f'<p>{NOON}<img src="cid:logo@x" alt="our logo"></p>'),
                    file(
                        "logo.png", PNG, "image/png", how="inline", more="Content-ID: <logo@x>\r\n"
                    ),
                ),
                file("rent.pdf", PDF, "application/pdf"),
            )
        ),
        only(NOON),
        files=(WantedFile("logo.png", "PNG"), WantedFile("rent.pdf", "PDF", PDF)),
    )
    yield MailCase(
        "Apple Mail: text, picture, text",
        mail(
            multi(
                "mixed",
                text("Here is the garden."),
                file("garden.png", PNG, "image/png", how="inline"),
                text("And we come at five."),
            )
        ),
        only("Here is the garden.", "And we come at five."),
        files=(WantedFile("garden.png", "PNG"),),
    )
    yield MailCase(
        "Apple Mail: html around a pdf",
        mail(
            multi(
                "alternative",
                text("See the offer.\n\nBest, Eve"),
                multi(
                    "mixed",
                    html("<p>See the offer.</p>"),
                    file("offer.pdf", PDF, "application/pdf", how="inline"),
                    html("<p>Best, Eve</p>"),
                ),
            )
        ),
        only("See the offer.", "Best, Eve"),
        files=(WantedFile("offer.pdf", "PDF"),),
    )
    yield MailCase(
        "an alternative in an alternative",
        mail(multi("alternative", text(NOON), multi("alternative", text(NOON), html(NOON)))),
        only(NOON),
    )
    yield MailCase(
        "related with html alone, as scanners send it",
        mail(
            multi(
                "related",
                html('<p>Scan of page one</p><img src="cid:1">'),
                file("", PNG, "image/png", how="", more="Content-ID: <1>\r\n"),
                more='; type="text/html"',
            )
        ),
        only("Scan of page one"),
        files=(WantedFile("part-3.png", "PNG"),),
    )
    yield MailCase(
        "amp beside text and html",
        mail(multi("alternative", text(NOON), text("<html amp4email>", "x-amp-html"), html(NOON))),
        only(NOON, no=("amp4email",)),
        files=(),
        may_have_defects=True,
    )
    yield MailCase(
        "enriched text beside plain text",
        mail(multi("alternative", text(NOON), text("<bold>noon</bold>", "enriched"))),
        only(NOON, no=("<bold>",)),
        may_have_defects=True,
    )
    yield MailCase(
        "flowing text with soft breaks and quotes",
        mail(
            text(
                "We would like to ask you \nwhether Friday suits.\n\n> Does Thursday suit \n> you?\n",
                more="; format=flowed",
            )
        ),
        (
            WantedLetter(must=("We would like to ask you whether Friday suits.",)),
            WantedLetter(kind=QUOTED, must=("Does Thursday suit you?",)),
        ),
    )
    yield MailCase(
        "flowing text with deleted blanks",
        mail(text("Donaudampfschiff \nfahrt um zehn.", more="; format=flowed; delsp=yes")),
        only("Donaudampfschifffahrt um zehn."),
    )
    yield MailCase(
        "two texts one after the other",
        mail(multi("mixed", text("The first half."), text("The second half."))),
        only("The first half.", "The second half."),
    )
    yield MailCase(
        "a list's footer behind html",
        mail(
            multi(
                "mixed", html(f"<p>{NOON}</p>"), text("To leave the list: garden-leave@l.example")
            )
        ),
        only(NOON, "To leave the list"),
    )
    yield MailCase(
        "parallel parts",
        mail(multi("parallel", text(NOON), file("a.csv", CSV, "text/csv"))),
        only(NOON),
        files=(WantedFile("a.csv", "CSV"),),
    )
    yield MailCase(
        "an unknown multipart",
        mail(multi("x-bundle", text(NOON), text("and the rest"))),
        only(NOON, "and the rest"),
    )


def _attached() -> Iterator[MailCase]:
    yield MailCase(
        "a text as an attachment",
        mail(multi("mixed", text(NOON), file("notes.txt", b"milk, eggs\r\n", "text/plain"))),
        only(NOON, no=("milk",)),
        files=(WantedFile("notes.txt", "text"),),
    )
    yield MailCase(
        "a web page as an attachment",
        mail(multi("mixed", text(NOON), file("page.html", b"<p>offer</p>", "text/html"))),
        only(NOON, no=("offer",)),
        files=(WantedFile("page.html", "web page"),),
    )
    yield MailCase(
        "a mail that is one pdf",
        mail(file("letter.pdf", PDF, "application/pdf")),
        (),
        SOUND,
        files=(WantedFile("letter.pdf", "PDF", PDF),),
    )
    yield MailCase(
        "a document under a type that says nothing",
        mail(multi("mixed", text(NOON), file("offer.docx", word()))),
        only(NOON),
        files=(WantedFile("offer.docx", "Word"),),
    )
    yield MailCase(
        "a program named as a bill",
        mail(multi("mixed", text("See the bill."), file("bill.pdf.exe", b"MZ\x90\0" + bytes(90)))),
        only("See the bill."),
        files=(WantedFile("bill.pdf.exe", "program", doubt="yes"),),
    )
    yield MailCase(
        "a page named as a pdf",
        mail(
            multi("mixed", text("See."), file("bill.pdf", b"<html>pay</html>", "application/pdf"))
        ),
        only("See."),
        files=(WantedFile("bill.pdf", "web page", doubt="yes"),),
    )
    yield MailCase(
        "two files of one name",
        mail(
            multi(
                "mixed",
                text("Both scans."),
                file("scan.pdf", PDF, "application/pdf"),
                file("scan.pdf", pdf("page two"), "application/pdf"),
            )
        ),
        only("Both scans."),
        files=(WantedFile("scan.pdf", "PDF", PDF), WantedFile("scan.pdf", "PDF")),
    )
    yield MailCase(
        "a name with a path",
        mail(multi("mixed", text(NOON), file("..\\..\\boot.csv", CSV, "text/csv"))),
        only(NOON),
        files=(WantedFile("boot.csv", "CSV"),),
    )
    yield MailCase(
        "a name that reads backwards",
        mail(multi("mixed", text(NOON), file("bill\u202efdp.csv", CSV, "text/csv"))),
        only(NOON),
        files=(WantedFile("billfdp.csv", "CSV", doubt=None),),
    )
    yield MailCase(
        "an empty file",
        mail(multi("mixed", text(NOON), file("empty.txt", b"", "text/plain"))),
        only(NOON),
        files=(WantedFile("empty.txt", "empty", b""),),
    )
    yield MailCase(
        "a file outside, on a server",
        mail(
            multi(
                "mixed",
                text(NOON),
                b'Content-Type: message/external-body; access-type=URL; URL="https://x.example/f"'
                b"\r\n\r\nContent-Type: application/pdf\r\n\r\n",
            )
        ),
        only(NOON),
        may_have_defects=True,
    )
    yield MailCase(
        "a calendar file beside the words",
        mail(
            multi(
                "mixed",
                text("The dentist, as agreed."),
                file("visit.ics", b"BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n", "text/calendar"),
            )
        ),
        only("The dentist, as agreed."),
        files=(WantedFile("visit.ics", "calendar"),),
    )
    yield MailCase(
        "uuencoded below the words",
        head() + b'\r\nThe list:\r\n\r\nbegin 644 list.txt\r\n*=&AE(&YO=&5S"@``\r\n`\r\nend\r\n',
        only("The list:", no=("begin 644",)),
        files=(WantedFile("list.txt", "text", b"the notes\n"),),
        defects=("uuencode",),
    )
    yield MailCase(
        "a key and its owner's signature",
        mail(
            multi(
                "signed",
                text(SIGNED),
                file(
                    "signature.asc",
                    b"-----BEGIN PGP SIGNATURE-----\r\n",
                    "application/pgp-signature",
                ),
                more='; protocol="application/pgp-signature"; micalg=pgp-sha256',
            )
        ),
        only(SIGNED, no=("BEGIN PGP",)),
        files=(WantedFile("signature.asc", "signature"),),
    )


def _broken() -> Iterator[MailCase]:
    whole = mail(multi("mixed", text(NOON), file("rent.pdf", PDF, "application/pdf")))
    boundary = whole.split(b'boundary="')[1].split(b'"')[0]
    kept = (WantedFile("rent.pdf", "PDF", PDF),)
    yield MailCase(
        "the last boundary is cut off",
        whole[: whole.rindex(b"\r\n--" + boundary)],
        only(NOON),
        files=kept,
        defects=("last delimiter is missing",),
    )
    yield MailCase(
        "cut off within the attachment",
        whole[: whole.index(b"JVBER") + 400],
        only(NOON),
        files=(WantedFile("rent.pdf", "PDF", doubt=None),),
        defects=("missing",),
    )
    yield MailCase(
        "cut off within the words",
        whole[: whole.index(b"noon") + 4],
        only("Shall we meet at noon"),
        defects=("missing",),
    )
    yield MailCase(
        "the boundary has another name",
        whole.replace(b'boundary="' + boundary, b'boundary="other'),
        only(NOON),
        files=kept,
        defects=("boundary stands nowhere",),
    )
    yield MailCase(
        "no boundary is named",
        whole.replace(b'; boundary="' + boundary + b'"', b""),
        only(NOON),
        files=kept,
        defects=("names no boundary",),
    )
    yield MailCase(
        "no line divides it",
        head() + b"Content-Type: multipart/mixed; boundary=a\r\n\r\n" + NOON.encode(),
        only(NOON),
        defects=("no line divides it",),
    )
    yield MailCase(
        "the parts have no header",
        head()
        + b"Content-Type: multipart/mixed; boundary=a\r\n\r\n--a\r\n\r\n"
        + NOON.encode()
        + b"\r\n--a\r\n\r\nBring bread.\r\n--a--\r\n",
        only(NOON, "Bring bread."),
    )
    yield MailCase(
        "blanks behind the boundaries",
        whole.replace(b"--" + boundary + b"\r\n", b"--" + boundary + b" \t\r\n"),
        only(NOON),
        files=kept,
    )
    yield MailCase("line feeds alone", whole.replace(b"\r\n", b"\n"), only(NOON), files=kept)
    yield MailCase(
        "carriage returns alone", mail(text(NOON)).replace(b"\r\n", b"\r"), only(NOON), SOUND
    )
    yield MailCase(
        "the line of a mailbox file",
        b"From juerg@firm.example Tue Nov  3 10:00:00 2026\r\n" + mail(text(NOON)),
        only(NOON),
        SOUND,
    )
    yield MailCase(
        "a quoted line of a mailbox file in the words",
        mail(text("Yes.\n\n>From noon on we are there.")),
        None,
        SOUND,
        must=("From noon on we are there.",),
    )
    yield MailCase(
        "words before the first boundary",
        whole.replace(b"\r\n\r\n--" + boundary, b"\r\n\r\nThe key is 4711.\r\n--" + boundary, 1),
        only(NOON),
        files=kept,
        defects=("stand outside its parts",),
    )
    yield MailCase(
        "no empty line before the words",
        head(MIME_Version=None) + b"Shall we meet at noon by the bridge?\r\nYours\r\n",
        only(NOON),
        SOUND,
        defects=("no empty line",),
    )
    yield MailCase(
        "its transfer coding is of the whole",
        head() + b"Content-Type: multipart/mixed; boundary=a\r\n"
        b"Content-Transfer-Encoding: base64\r\n\r\n--a\r\n\r\n" + NOON.encode() + b"\r\n--a--\r\n",
        only(NOON),
        may_have_defects=True,
    )
    yield MailCase(
        "two types",
        mail(b"Content-Type: text/plain\r\nContent-Type: text/html\r\n\r\nNoon?\r\n"),
        only("Noon?"),
        may_have_defects=True,
    )
    yield MailCase(
        "a type that is none",
        mail(b"Content-Type: text\r\n\r\n" + NOON.encode()),
        only(NOON),
        SOUND,
        defects=("type cannot be read",),
    )
    yield MailCase(
        "quoted-printable that is cut within a letter",
        head() + b"Content-Type: text/plain; charset=utf-8\r\n"
        b"Content-Transfer-Encoding: quoted-printable\r\n\r\nGr=C3=BC=C3=9Fe bis Freitag =C3",
        only("Grüße bis Freitag"),
        defects=("utf-8",),
        may_have_defects=True,
    )
    yield MailCase(
        "zeros between the letters",
        head() + b"Content-Type: text/plain\r\n\r\nNo\0on by the bri\0dge?\r\n",
        None,
        may_have_defects=True,
    )


def _crowded() -> Iterator[MailCase]:
    yield MailCase(
        "three hundred parts",
        mail(multi("mixed", *(text(f"Line {n} of the log.") for n in range(300)))),
        None,
        must=("Line 0 of the log.", "Line 150 of the log."),
        defects=("not read",),
    )
    yield MailCase(
        "a hundred and twenty files",
        mail(multi("mixed", text(NOON), *(file(f"{n}.csv", CSV, "text/csv") for n in range(120)))),
        only(NOON),
        files=tuple(WantedFile(f"{n}.csv", "CSV") for n in range(100)),
        defects=("not read",),
    )
    deep = text(NOON)
    for _ in range(18):
        deep = multi("mixed", deep)
    yield MailCase("eighteen levels", mail(deep), only(NOON), SOUND)
    for _ in range(20):
        deep = multi("mixed", deep)
    yield MailCase(
        "thirty-eight levels below the first words",
        mail(multi("mixed", text("Read this first."), deep)),
        only("Read this first."),
        defects=("not read",),
    )
    yield MailCase(
        "three hundred boundaries in a row",
        head()
        + b"Content-Type: multipart/mixed; boundary=a\r\n\r\n--a\r\n\r\n"
        + NOON.encode()
        + b"\r\n--a\r\n" * 300,
        None,
        must=(NOON,),
        may_have_defects=True,
    )
    yield MailCase(
        "a header of nine hundred fields",
        head() + b"".join(b"X-Trace-%d: hop\r\n" % n for n in range(900)) + b"\r\n" + NOON.encode(),
        only(NOON),
        SOUND,
    )


def _without_words() -> Iterator[MailCase]:
    yield MailCase("a header alone", head() + b"\r\n", (), SOUND)
    yield MailCase(
        "a header without its empty line", head().rstrip(), (), SOUND, may_have_defects=True
    )
    yield MailCase("blanks alone", mail(text(" \n\t\n")), (), SOUND)
    yield MailCase("an empty page", mail(html("<html><body></body></html>")), (), SOUND)
    yield MailCase(
        "a multipart without parts",
        head() + b"Content-Type: multipart/mixed; boundary=a\r\n\r\n",
        (),
        SOUND,
        defects=("without parts",),
    )
    yield MailCase(
        "a picture alone",
        mail(file("sky.png", PNG, "image/png", how="inline")),
        (),
        SOUND,
        files=(WantedFile("sky.png", "PNG"),),
    )
