"""``assistant files``: what the owner puts in, takes out and throws away at a terminal."""

import base64
from pathlib import Path

import pytest

from tests.process.command import Ended, run


class Desk:
    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def files(self, *arguments: str, input: bytes = b"") -> Ended:
        return run("files", *arguments, data=self.folder / "data", input=input)

    def put(self, path: str, content: bytes, *more: str) -> Ended:
        return self.files("put", "-", path, "--json", *more, input=content)


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    return Desk(tmp_path_factory.mktemp("desk"))


def test_what_is_put_is_listed_and_got_back(desk: Desk) -> None:
    put = desk.put("a/rent.txt", b"850 EUR\n")
    assert (put.code, put.value["id"], put.value["version"]) == (0, "private:/a/rent.txt", 1)
    assert put.value["origin"] == "owner"
    assert put.value["by"].startswith("terminal:")
    [listed] = desk.files("ls", "a/", "--json").value
    assert listed == put.value
    assert desk.files("get", "a/rent.txt").out == "850 EUR\n"
    assert desk.files("get", "private:/a/rent.txt", "--json").value["text"] == "850 EUR\n"
    assert "private:/a/rent.txt" in desk.files("ls").out


def test_what_nobody_sees_in_a_file_is_counted_aside(desk: Desk) -> None:
    text = "pay\u200b \U000e0041now\n"
    desk.put("a/hidden.txt", text.encode())
    got = desk.files("get", "a/hidden.txt")
    assert got.out == text
    assert "it has 2 invisible characters, which no model is shown" in got.err


def test_a_file_of_the_machine_goes_in_and_out_byte_by_byte(desk: Desk) -> None:
    content = bytes(range(256))
    here, there = desk.folder / "in.bin", desk.folder / "out.bin"
    here.write_bytes(content)
    put = desk.files("put", str(here), "shared:/b/all.bin", "--json")
    assert put.value["content_type"] == "application/octet-stream"
    got = desk.files("get", "shared:/b/all.bin", "-o", str(there), "--json")
    assert (got.code, got.value["sha256"]) == (0, put.value["sha256"])
    assert there.read_bytes() == content
    shown = desk.files("get", "shared:/b/all.bin", "--json").value
    assert base64.b64decode(shown["base64"]) == content


def test_versions_are_kept_through_overwriting_and_removing(desk: Desk) -> None:
    desk.put("c/notes", b"one")
    refused = desk.put("c/notes", b"two")
    assert refused.code == 1
    assert "--overwrite" in refused.err
    assert desk.put("c/notes", b"two", "--overwrite").value["version"] == 2
    removed = desk.files("rm", "c/notes", "--json")
    assert (removed.value["version"], removed.value["deleted"]) == (3, True)
    assert desk.files("ls", "c/", "--json").value == []
    assert desk.files("get", "c/notes").code == 7
    assert desk.files("get", "c/notes", "--version", "1").out == "one"
    assert desk.files("get", "c/notes", "--version", "3").code == 7
    every = desk.files("ls", "c/", "--all-versions", "--json").value
    assert [(file["id"], file["version"]) for file in every] == [
        ("private:/c/notes", 3),
        ("private:/c/notes", 2),
        ("private:/c/notes", 1),
    ]
    assert "deleted" in desk.files("ls", "c/", "--all-versions").out
    assert desk.put("c/notes", b"three").value["version"] == 4


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("rm", "d/none"), 7),
        (("get", "d/none"), 7),
        (("put", "/no/such/file", "d/a"), 7),
        (("get", "../../etc/passwd"), 2),
        (("ls", "../"), 2),
        (("put", "-", "d/"), 2),
        (("put", "-"), 2),
    ],
)
def test_commands_end_with_the_code_that_says_how(
    desk: Desk, arguments: tuple[str, ...], code: int
) -> None:
    assert desk.files(*arguments).code == code


def test_a_second_spelling_is_refused_with_the_first(desk: Desk) -> None:
    desk.put("e/rent", b"1")
    refused = desk.put("e/Rent", b"2")
    assert refused.code == 1
    assert "private:/e/rent" in refused.err


def test_only_the_owner_says_what_a_search_passes_over(desk: Desk) -> None:
    assert desk.put("f/.gitignore", b"*.log\n").code == 0


def test_what_the_owner_does_is_in_the_audit(desk: Desk) -> None:
    put = desk.put("g/a", b"1").value
    desk.files("rm", "g/a")
    listed = run("audit", "list", "--subject", "private:/g/a", "--json", data=desk.folder / "data")
    assert [(entry["kind"], entry["args"]) for entry in listed.value] == [
        ("file.write", put["sha256"]),
        ("file.delete", ""),
    ]
