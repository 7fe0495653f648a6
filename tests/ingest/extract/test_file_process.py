"""Files are read in a process that may die of them."""

from collections.abc import Iterator

import pytest

from assistant.domain.limits import MailLimits
from assistant.domain.mail.attached import FileKind
from ingest.extract.kinds import kind_of
from ingest.extract.process import ExtractProcess
from tests.ingest.extract import samples

pytestmark = pytest.mark.process

HEAVY = samples.sheet_with(
    "".join(f'<row r="{n}">{"<c><v>1</v></c>" * 50}</row>' for n in range(1, 4_000))
)


@pytest.fixture
def process() -> Iterator[ExtractProcess]:
    process = ExtractProcess(MailLimits())
    yield process
    process.close()


def test_kind_and_text_are_found_in_another_process(process: ExtractProcess) -> None:
    data = samples.pdf("Invoice 4711")
    kind = process.kind_of(data, "application/pdf", "a.pdf")
    assert kind == kind_of(data, "application/pdf", "a.pdf")
    assert process.text_of(data, kind).text == "[page 1]\nInvoice 4711"


@pytest.mark.parametrize("data", [samples.word(), samples.sheet()])
def test_each_format_is_read_within_its_memory(process: ExtractProcess, data: bytes) -> None:
    found = process.text_of(data, process.kind_of(data, "", ""))
    assert "Chair" in found.text


def test_a_file_that_takes_too_long_says_so_and_the_next_one_is_read() -> None:
    process = ExtractProcess(MailLimits(extract_cpu_seconds=0.2))
    found = process.text_of(HEAVY, kind_of(HEAVY, "", ""))
    assert found.text == ""
    assert found.defects == ("reading it took more than 0.2 s of computing",)
    assert process.text_of(b"hello", kind_of(b"hello", "", "")).text == "hello"
    process.close()


def test_a_file_that_takes_too_much_memory_says_so() -> None:
    process = ExtractProcess(MailLimits(parse_memory=48 * 1024 * 1024))
    text = b"hello " * 6_000_000
    found = process.text_of(text, FileKind("text/plain", "text"))
    assert "memory" in found.defects[0] or found.truncated
    assert process.text_of(b"hello", kind_of(b"hello", "", "")).text == "hello"
    process.close()


def test_a_process_that_was_killed_is_replaced(process: ExtractProcess) -> None:
    hello = kind_of(b"hello", "", "")
    process.text_of(b"hello", hello)
    (slot,) = process._child._slots.values()
    assert slot.child
    slot.child.process.kill()
    assert process.text_of(b"hello", hello).text == "hello"
