"""Whatever a stranger sends: an answer, within bounds."""

from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.domain.limits import MailLimits
from ingest.mime.addresses import parse_addresses
from ingest.mime.charsets import decode
from ingest.mime.encoded_words import decode_words
from ingest.mime.flowed import unflow
from ingest.mime.transfer import undo
from ingest.mime.tree import parse_tree
from tests.ingest.charset_samples import SAMPLES
from tests.ingest.mime_mutations import mutated

LIMITS = MailLimits()
CORPUS = sorted((Path(__file__).parent / "corpus" / "mime").glob("*.eml"))
LABELS = st.one_of(
    st.none(), st.sampled_from(sorted({sample.label for sample in SAMPLES})), st.text(max_size=20)
)
CODINGS = ["", "7bit", "base64", "quoted-printable", "x-uuencode", "8-bit", "unknown"]


def read_all(raw: bytes) -> int:
    """Read a mail as a whole; returns how many characters came out."""
    size = 0
    mail = parse_tree(raw, LIMITS)
    for part in mail.walk():
        found = decode(part.data, part.charset, html=part.kind == "text/html")
        found.text.encode()
        size += len(unflow(found.text))
        for name, value in part.fields:
            if name in {"from", "to", "cc"}:
                parse_addresses(value, mail.charset)
            decode_words(value, mail.charset)
    return size


@given(st.binary(max_size=300), LABELS, st.booleans(), st.booleans())
def test_any_bytes_are_a_text(data: bytes, label: str, html: bool, detect: bool) -> None:  # noqa: FBT001
    found = decode(data, label, html=html, detect=detect)
    found.text.encode()
    assert len(found.text) <= 4 * len(data) + 1
    assert len(found.defects) <= 3


@given(st.text(max_size=100))
def test_a_text_in_utf_8_comes_back(text: str) -> None:
    data = text.encode("utf-8", "replace")
    read = decode(b"-" + data, "utf-8")  # not first, where it would be a byte order mark
    assert read.text == "-" + data.decode() or read.defects


@given(st.binary(max_size=300), st.sampled_from(CODINGS))
def test_any_bytes_have_a_transfer_coding(body: bytes, coding: str) -> None:
    assert len(undo(body, coding).data) <= 2 * len(body) + 4


@given(st.binary(max_size=400))
def test_any_bytes_are_a_mail(raw: bytes) -> None:
    assert read_all(raw) <= 4 * len(raw) + 8


@pytest.mark.parametrize("path", CORPUS, ids=lambda path: path.stem)
def test_a_mutated_mail_is_read(path: Path) -> None:
    raw, random = path.read_bytes(), Random(path.stem)
    for _ in range(20):
        changed = mutated(raw, random)
        assert read_all(changed) <= 8 * len(changed) + 64
