"""The matrix of character sets and codings through the whole parse: none is silently wrong."""

from functools import cache

import pytest

from assistant.domain.limits import MailLimits
from ingest.parse import parse
from tests.ingest.charset_samples import BODIES, FIELDS, SAMPLES, UNNAMED, Sample, pairs
from tests.ingest.mails.case import folded

ALL = tuple(pairs((*SAMPLES, *UNNAMED)))
LIMITS = MailLimits()
_NO_LINES = ("utf-16", "utf-32")
"""What no header field can be written in."""


@cache
def read(sample: Sample, way: str) -> tuple[str, tuple[str, ...]]:
    """Read a sample out of a whole mail: its text or subject, and all defects."""
    found = parse({**BODIES, **FIELDS}[way](sample), LIMITS)
    return (found.subject if way in FIELDS else found.text), found.defects


def is_right(sample: Sample, way: str) -> bool:
    return folded(read(sample, way)[0]) == folded(sample.text)


def named(pair: tuple[Sample, str]) -> str:
    sample, way = pair
    return f"{sample.label or 'unnamed'}, written in {sample.codec}, {way}"


@pytest.mark.parametrize("pair", ALL, ids=named)
def test_a_mail_is_read_right_or_has_a_defect(pair: tuple[Sample, str]) -> None:
    assert is_right(*pair) or read(*pair)[1]


@pytest.mark.parametrize("pair", list(pairs(SAMPLES)), ids=named)
def test_a_mail_in_the_set_that_it_names_is_read_right(pair: tuple[Sample, str]) -> None:
    sample, way = pair
    assert is_right(sample, way) or (way == "raw bytes" and sample.codec.startswith(_NO_LINES))


def test_the_matrix_of_bodies_in_numbers() -> None:
    bodies = [pair for pair in ALL if pair[1] in BODIES]
    right = sum(is_right(*pair) for pair in bodies)
    print(f"{right} of {len(bodies)} bodies are right, the rest say what is wrong")
    assert len(bodies) >= 222
    assert right >= 0.97 * len(bodies)


@pytest.mark.parametrize(
    ("charset", "writer", "subject", "text"),
    [
        ("cp1251", "Ольга Иванова", "Счёт № 318", "Напоминаем, что счёт нужно оплатить до среды."),
        ("iso-8859-1", "Jörg Müller", "Grüße", "Schöne Grüße aus Köln, und bis nächste Woche!"),
        ("utf-8", "Ольга", "Счёт", "Напоминаем, что счёт нужно оплатить."),
    ],
)
def test_a_short_subject_without_a_label_is_read_as_the_rest_of_its_mail(
    charset: str, writer: str, subject: str, text: str
) -> None:
    raw = f"From: {writer} <o@x.org>\r\nSubject: {subject}\r\n\r\n{text}\r\n".encode(charset)
    parsed = parse(raw, LIMITS)
    assert (parsed.sender, parsed.subject) == (f"{writer} <o@x.org>", subject)
    assert parsed.text == text
