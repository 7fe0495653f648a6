"""Every character set by every way through a mail: read right, or a defect says that it was not."""

import pytest

from assistant.domain.limits import MailLimits
from ingest.mime.charsets import decode
from ingest.mime.encoded_words import decode_words
from ingest.mime.tree import parse_tree
from tests.ingest.charset_samples import BODIES, FIELDS, SAMPLES, UNNAMED, Sample, pairs

_RAW = "raw bytes"


def read(sample: Sample, way: str) -> tuple[str, tuple[str, ...]]:
    """Read a sample out of a mail: its text, and all that was said of it."""
    mail = parse_tree({**BODIES, **FIELDS}[way](sample), MailLimits())
    if way in FIELDS:
        words = decode_words(mail.field("subject") or b"", mail.charset)
        return words.text, words.defects
    found = decode(mail.data, mail.charset)
    return found.text.rstrip("\r\n"), (*mail.defects, *found.defects)


def is_right(sample: Sample, way: str) -> bool:
    return read(sample, way)[0] == sample.text


def named(pair: tuple[Sample, str]) -> str:
    sample, way = pair
    return f"{sample.label or 'unnamed'}, written in {sample.codec}, {way}"


@pytest.mark.parametrize("pair", list(pairs((*SAMPLES, *UNNAMED))), ids=named)
def test_a_text_is_right_or_a_defect_is_named(pair: tuple[Sample, str]) -> None:
    sample, way = pair
    text, defects = read(sample, way)
    assert text == sample.text or defects


@pytest.mark.parametrize("pair", list(pairs(SAMPLES)), ids=named)
def test_a_text_in_the_set_that_is_named_is_right(pair: tuple[Sample, str]) -> None:
    sample, way = pair
    if way == _RAW and sample.codec.startswith(("utf-16", "utf-32")):
        return  # its zeros and line ends are no header
    text, defects = read(sample, way)
    assert text == sample.text
    if way != _RAW and sample.label not in {"utf-16", "utf-32"}:
        assert defects == ()


def test_the_matrix_in_numbers() -> None:
    for name, samples, least in (("named", SAMPLES, 0.99), ("unnamed", UNNAMED, 0.95)):
        results = [is_right(*pair) for pair in pairs(samples)]
        print(f"{sum(results)} of {len(results)} {name} are right, the rest say what is wrong")
        assert sum(results) >= least * len(results)
