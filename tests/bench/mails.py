"""Mail of the usual shapes; every number makes another message of the same size."""

from collections.abc import Callable, Mapping
from email.message import EmailMessage
from random import Random

_WORDS = "the rent is due on Monday and the boiler will be looked at before noon if you are in"
_PARAGRAPH = f"{_WORDS}, {_WORDS}.\r\n\r\n"


def short(number: int) -> bytes:
    """About 1 KB of plain text."""
    return _mail(number, paragraphs=4).as_bytes()


def newsletter(number: int) -> bytes:
    """About 30 KB: the same words as text and as HTML."""
    mail = _mail(number, paragraphs=50)
    rows = "".join(f"<tr><td><p>{_PARAGRAPH}</p></td></tr>" for _ in range(80))
    mail.add_alternative(f"<html><body><table>{rows}</table></body></html>", subtype="html")
    return mail.as_bytes()


def invoice(number: int) -> bytes:
    """About 300 KB: a few words and a PDF."""
    mail = _mail(number, paragraphs=4)
    data = Random(number).randbytes(220_000)
    mail.add_attachment(data, maintype="application", subtype="pdf", filename="invoice.pdf")
    return mail.as_bytes()


SHAPES: Mapping[str, Callable[[int], bytes]] = {
    "1 KB text": short,
    "30 KB text and HTML": newsletter,
    "300 KB with a PDF": invoice,
}


def _mail(number: int, *, paragraphs: int) -> EmailMessage:
    mail = EmailMessage()
    mail["From"] = "Jürgen Meier <juergen.meier@example.org>"
    mail["To"] = "Ada <ada@example.org>, Bob <bob@example.org>"
    mail["Subject"] = f"Your flat, number {number}"
    mail["Date"] = "Tue, 03 Nov 2026 10:00:00 +0100"
    mail["Message-ID"] = f"<{number}@example.org>"
    for hop in range(5):
        mail["Received"] = (
            f"from relay{hop}.example.org (relay{hop}.example.org [192.0.2.{hop}])"
            f" by mx{hop}.example.org with ESMTPS id {number}; Tue, 03 Nov 2026 10:00:0{hop} +0100"
        )
    mail.set_content(_PARAGRAPH * paragraphs)
    return mail
