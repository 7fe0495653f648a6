"""A mail is taken apart, however it was put together: no word is lost without a defect."""

import json
import time
import tracemalloc
from pathlib import Path

import pytest

from assistant.domain.limits import MailLimits
from ingest.mime.charsets import decode
from ingest.mime.parts import UNREAD, MimePart
from ingest.mime.tree import parse_tree, seems_to_be
from tests.ingest.messages import HEAD, PLAIN, file, mixed, nested, words

CORPUS = Path(__file__).parent / "corpus" / "mime"
LIMITS = MailLimits()
MiB = 2**20


def read(raw: bytes) -> MimePart:
    return parse_tree(raw, LIMITS)


def texts(mail: MimePart) -> list[str]:
    leaves = (part for part in mail.walk() if part.kind.startswith("text/"))
    return [decode(part.data, part.charset).text for part in leaves]


def defects(mail: MimePart) -> list[str]:
    return [defect for part in mail.walk() for defect in part.defects]


@pytest.mark.parametrize("path", sorted(CORPUS.glob("*.eml")), ids=lambda path: path.stem)
def test_a_mail_of_the_corpus_has_its_parts_and_defects(path: Path) -> None:
    mail = read(path.read_bytes())
    parts = [
        [part.depth, part.kind, part.name, decode(part.data, part.charset).text]
        for part in mail.walk()
    ]
    assert {"parts": parts, "defects": defects(mail)} == json.loads(
        path.with_suffix(".json").read_text(encoding="utf-8")
    )


def test_a_plain_mail_has_its_fields_and_its_words() -> None:
    mail = read(PLAIN)
    assert mail.field("subject") == b"Lunch"
    assert (mail.kind, mail.depth, mail.data) == ("text/plain", 1, b"At noon?\r\nYours\r\n")
    assert bytes(mail.raw) == PLAIN
    assert defects(mail) == []


def test_a_leaf_says_what_its_header_says() -> None:
    part = (
        b"Content-Type: text/html; charset=KOI8-R; format=flowed\r\nContent-ID: <a@b>\r\n"
        b"Content-Disposition: Inline; filename=a.html\r\n\r\nx"
    )
    leaf = read(mixed(part)).children[0]
    assert (leaf.kind, leaf.charset, leaf.disposition) == ("text/html", "KOI8-R", "inline")
    assert (leaf.name, leaf.content_id, leaf.depth) == ("a.html", "a@b", 2)
    assert leaf.parameters.named["format"] == "flowed"


def test_an_embedded_mail_is_a_part_with_a_header_of_its_own() -> None:
    inner = mixed(words("theirs"), file(b"inner.pdf"), head=b"Subject: inner\r\n", boundary=b"y")
    mail = read(mixed(words("mine"), b"Content-Type: message/rfc822\r\n\r\n" + inner))
    embedded = mail.children[1].children[0]
    assert embedded.field("subject") == b"inner"
    assert [part.name for part in embedded.children] == ["", "inner.pdf"]
    assert bytes(mail.children[1].raw).rstrip().endswith(inner.rstrip())


# Limits


def test_more_parts_than_the_most_become_one_leaf() -> None:
    mail = read(mixed(*[words(f"{number}") for number in range(300)]))
    assert len(mail.children) == 200
    assert texts(mail)[0] == "0"
    assert texts(mail)[-1] == "198"
    assert (mail.children[-1].kind, mail.children[-1].name) == (UNREAD, "101 more parts, not read")


def test_more_attachments_than_the_most_become_one_leaf_and_words_after_them_are_read() -> None:
    mail = read(mixed(*[file(b"%d.pdf" % number) for number in range(112)], words("the end")))
    assert texts(mail) == ["the end"]
    assert sum(part.kind == "application/pdf" for part in mail.children) == 100
    assert mail.children[-1].name == "12 more parts, not read"


def test_deeper_parts_than_the_most_become_one_leaf() -> None:
    mail = read(nested(30))
    assert max(part.depth for part in mail.walk() if part.kind != UNREAD) == LIMITS.depth
    assert mail.children[-1].name == "1 more part, not read"


def test_embedded_mails_count_as_levels() -> None:
    raw = PLAIN
    for _ in range(30):
        raw = b"Content-Type: message/rfc822\r\n\r\n" + raw
    mail = read(raw)
    assert max(part.depth for part in mail.walk()) == LIMITS.depth
    assert mail.children[-1].kind == UNREAD


def test_a_header_that_is_too_long_is_cut_and_its_body_read() -> None:
    mail = read(b"Subject: Lunch\r\n" + b"X-A: b\r\n" * 2_000 + b"\r\nwords")
    assert (mail.field("subject"), mail.data) == (b"Lunch", b"words")
    assert defects(mail) == ["its header is too long, and was not read to its end"]


# Cost

BOMBS = {
    "parts": HEAD + b"Content-Type: multipart/mixed; boundary=x\r\n\r\n" + b"--x\r\n\r\n" * 100_000,
    "empty parts": HEAD + b"Content-Type: multipart/mixed; boundary=x\r\n\r\n" + b"--x\n" * 250_000,
    "ends": HEAD + b"Content-Type: multipart/mixed; boundary=x\r\n\r\n" + b"--x--\n" * 200_000,
    "near parts": HEAD + b"Content-Type: multipart/mixed; boundary=x\r\n\r\n" + b"--xy\n" * 200_000,
    "levels": nested(10_000),
    "dashes": HEAD + b"Content-Type: multipart/mixed\r\n\r\n" + b"--\n" * 300_000,
    "guesses": HEAD + b"Content-Type: multipart/mixed\r\n\r\n" + b"--a " * 250_000,
    "fields": b"a:\n" * 300_000,
    "folds": b"a:\n " * 250_000,
    "blanks in a type": b"Content-Type: a" + b" " * 250_000 + b"\r\n\r\n",
    "semicolons": b"Content-Type: a/b" + b";a=b" * 60_000 + b"\r\n\r\n",
    "open quotes": b'Content-Type: a/b; c="' + b';"\\' * 80_000 + b"\r\n\r\n",
    "words": b"Content-Type: a/b; name=" + b"=?a?q?" * 40_000 + b"\r\n\r\n",
    "boundaries": b"Content-Type: multipart/a; " + b"boundary " * 25_000 + b"\r\n\r\n--a\r\n",
    "begins": b"\r\n" + b"begin 644 a\n#86)C\n" * 50_000,
    "equals": b"Content-Transfer-Encoding: quoted-printable\r\n\r\n" + b"=" * 1_000_000,
    "soft blanks": b"Content-Transfer-Encoding: quoted-printable\r\n\r\n=" + b" " * 1_000_000,
    "runs": b"Content-Transfer-Encoding: base64\r\n\r\n" + b"QQ==" * 250_000,
    "one line": b"\r\n" + b"x" * 1_000_000,
}


@pytest.mark.parametrize("name", BOMBS)
def test_the_cost_of_a_megabyte_is_bounded(name: str) -> None:
    before = time.thread_time()
    mail = read(BOMBS[name])
    texts(mail)
    assert time.thread_time() - before < 1
    assert sum(1 for _ in mail.walk()) <= 2 * LIMITS.parts


def _sized(head: bytes, line: bytes) -> bytes:
    return head + b"\r\n\r\n" + line * (MiB // len(line))


BIG = {
    "base64": _sized(b"Content-Transfer-Encoding: base64", b"d29yZHMg" * 9 + b"\r\n"),
    "binary": _sized(b"Content-Type: application/a", bytes(range(256))),
    "latin-1": _sized(b"Content-Type: text/plain; charset=latin1", b"Gr\xfc\xdfe an alle\r\n"),
    "unnamed": _sized(b"Content-Type: text/plain", b"Gr\xfc\xdfe an alle\r\n"),
    "utf-8": _sized(b"Content-Type: text/plain; charset=utf-8", "ü🎉 an alle\r\n".encode()),
    "quoted": _sized(b"Content-Transfer-Encoding: quoted-printable", b"Gr=C3=BC=C3=9Fe=\r\n"),
    "uuencode": _sized(b"Subject: a", b"begin 644 a\r\n" + b"M" + b"A" * 60 + b"\r\nend\r\n"),
}


@pytest.mark.parametrize("name", BIG)
def test_reading_takes_at_most_eight_times_the_size_of_a_mail(name: str) -> None:
    raw = BIG[name]
    texts(read(raw))  # what is loaded once does not count
    tracemalloc.start()
    try:
        mail = read(raw)
        words = texts(mail)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert words is not None
    assert peak < 8 * len(raw)


# What bytes are


@pytest.mark.parametrize(
    ("data", "charset", "said"),
    [
        (b"%PDF-1.7\n", "utf-8", "a PDF"),
        (b"PK\x03\x04...", None, "a ZIP archive or an office document"),
        (bytes(100) + b"\x01\x02", None, "no text"),
        ("words".encode("utf-16-le"), None, None),
        ("words".encode("utf-32"), "utf-32", None),
        (b"words", "utf-8", None),
        (b"", None, None),
    ],
)
def test_bytes_that_are_no_text_are_known(data: bytes, charset: str, said: str) -> None:
    assert seems_to_be(data, charset) == said
