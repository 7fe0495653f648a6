"""``assistant mail attachment`` and ``/attachment``: list, read and save what is attached."""

import base64
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.ingest.extract import samples
from tests.ingest.messages import file, mixed, words
from tests.process.command import Ended, run
from workers.cli.session import Session
from workers.cli.terminal.slash import command
from workers.settings import only

LONG = "".join(f"{n:07} " for n in range(4_000))
PROGRAM = b"MZ\x90\0" + b"\0" * 200


def attached(name: str, data: bytes) -> bytes:
    return file(name.encode(), base64.encodebytes(data))


MAIL = mixed(
    words("See the files."),
    attached("Invoice 2026.pdf", samples.pdf("Invoice 4711\nPay \x1b[31m850 EUR")),
    attached("plan.pdf", PROGRAM),
    attached("long.txt", LONG.encode()),
    attached("same.txt", b"first"),
    attached("same.txt", b"second"),
)


class Desk:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.data = folder / "data"
        added = run("mail", "add", "-", "--json", data=self.data, input=MAIL)
        self.id = str(added.value["id"])

    def attachment(self, *arguments: str) -> Ended:
        return run("mail", "attachment", self.id[:8], *arguments, data=self.data)


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    return Desk(tmp_path_factory.mktemp("desk"))


def test_what_is_attached_is_listed_with_what_it_is(desk: Desk) -> None:
    listed = desk.attachment("--json")
    assert [one["number"] for one in listed.value] == [1, 2, 3, 4, 5]
    assert [one["said"] for one in listed.value][:3] == ["PDF", "program (Windows)", "text"]
    assert [one["readable"] for one in listed.value] == [True, False, True, True, True]
    assert "named plan.pdf, but it is a program" in listed.value[1]["doubt"]
    shown = desk.attachment()
    assert shown.code == 0
    assert "Invoice 2026.pdf" in shown.out
    assert "named plan.pdf, but it is a program (Windows)" in shown.out


@pytest.mark.parametrize("name", ["1", "Invoice 2026.pdf", "invoice"])
def test_one_is_read_by_number_name_or_part_of_it(desk: Desk, name: str) -> None:
    read = desk.attachment(name)
    assert read.code == 0
    assert "| Invoice 4711" in read.out
    assert "\x1b" not in read.out
    assert "Invoice 4711" in desk.attachment(name, "--json").value["text"]


def test_a_shell_gets_all_of_a_long_text(desk: Desk) -> None:
    assert desk.attachment("long", "--json").value["text"] == LONG.strip()
    assert "0003999" in desk.attachment("long").out


def test_what_cannot_be_read_says_why_and_what_to_do(desk: Desk) -> None:
    read = desk.attachment("plan")
    assert read.code == 1
    assert "no text is read from this kind of file: program (Windows)" in read.out
    assert f"assistant mail attachment {desk.id[:8]} 2 -o FILE" in read.err


def test_one_is_saved_byte_by_byte_and_replaces_nothing_unasked(desk: Desk) -> None:
    to = desk.folder / "plan.bin"
    saved = desk.attachment("2", "-o", str(to))
    assert saved.code == 0
    assert "Beware" in saved.out
    assert to.read_bytes() == PROGRAM
    assert not os.access(to, os.X_OK)
    again = desk.attachment("1", "--output", str(to))
    assert again.code == 1
    assert f"{to} is there; --overwrite replaces it" in again.err
    assert to.read_bytes() == PROGRAM
    assert desk.attachment("same.txt", "-o", str(to), "--overwrite").code == 2
    assert desk.attachment("4", "-o", str(to), "--overwrite").code == 0
    assert to.read_bytes() == b"first"


def test_a_link_is_not_followed_and_a_folder_is_not_written(desk: Desk) -> None:
    link = desk.folder / "link"
    link.symlink_to(desk.folder / "elsewhere")
    assert desk.attachment("1", "-o", str(link)).code == 1
    assert not (desk.folder / "elsewhere").exists()
    assert desk.attachment("1", "-o", str(desk.folder)).code == 1
    assert desk.attachment("1", "-o", str(desk.folder / "no" / "such")).code == 2
    assert desk.attachment("-o", str(desk.folder / "x")).code == 2


@pytest.mark.parametrize("name", ["9", "nothing like it", "same", "same.txt"])
def test_a_name_that_does_not_say_which_is_a_mistake(desk: Desk, name: str) -> None:
    assert desk.attachment(name).code == 2


def test_a_mail_that_is_not_there_is_not_found(desk: Desk) -> None:
    assert run("mail", "attachment", "ffff", data=desk.data).code == 7


@pytest.fixture
def opened(desk: Desk) -> Iterator[Session]:
    made = Session(only(data_dir=desk.data, timezone="UTC"))
    made.open()
    yield made
    made.assistant.close()


def test_a_chat_in_a_terminal_lists_and_reads(desk: Desk, opened: Session) -> None:
    cause = opened.assistant.cause()
    listed = command(opened, f"/attachment {desk.id[:8]}", cause=cause)
    assert "Invoice 2026.pdf, PDF" in listed
    assert f"/attachment {desk.id[:8]} NUMBER reads one" in listed
    read = command(opened, f"/attachment {desk.id[:8]} Invoice 2026.pdf", cause=cause)
    assert "Pay " in read
    assert "\x1b" not in read
    assert "0003999" in command(opened, f"/attachment {desk.id[:8]} 3", cause=cause)


def test_the_process_that_read_it_ends_with_the_program(desk: Desk) -> None:
    made = Session(only(data_dir=desk.data, timezone="UTC"))
    made.open()
    command(made, f"/attachment {desk.id[:8]} 1", cause=made.assistant.cause())
    (slot,) = made.assistant.extract_process._child._slots.values()
    assert slot.child
    process = slot.child.process
    made.assistant.close()
    assert process.poll() is not None


def test_a_forgotten_mail_has_nothing_attached(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    assert run("mail", "forget", desk.id, "--yes", data=desk.data).code == 0
    for arguments in ((), ("1",), ("1", "-o", str(tmp_path / "x"))):
        ended = desk.attachment(*arguments)
        assert ended.code == 7
        assert "forgotten" in ended.err
    assert not (tmp_path / "x").exists()
