"""A mail whose words are damaged where they are kept: said in words, shown as far as can be."""

from pathlib import Path

import pytest

from tests.flows.test_mail_steps import RAW
from tests.process.command import Ended, run


class House:
    def __init__(self, data: Path) -> None:
        self._data = data
        self.id = str(self("mail", "add", "-", "--json", input=RAW).value["id"])

    def __call__(self, *words: str, input: bytes = b"") -> Ended:
        return run(*words, data=self._data, input=input, env={"ASSISTANT_TIMEZONE": "UTC"})

    def damage(self, blob: str, data: bytes) -> None:
        [file] = (self._data / "blobs").rglob(f"*{blob}")
        file.write_bytes(data)


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path)


@pytest.mark.parametrize("data", [b"", b'{"a":', b"[5]", b"\xff"])
def test_damaged_letters_are_said_and_the_text_is_shown_as_it_stands(
    house: House, data: bytes
) -> None:
    house.damage("letters.json", data)
    shown = house("mail", "show", house.id)
    assert shown.code == 1
    assert "damaged" in shown.err
    assert "Traceback" not in shown.err
    whole = house("mail", "show", house.id, "--whole")
    assert whole.code == 0
    assert "See below." in whole.out
    assert house.id[:8] in house("mail", "list").out


def test_a_text_with_damaged_bytes_is_shown(house: House) -> None:
    house.damage("body.txt", b"See \xff below.")
    whole = house("mail", "show", house.id, "--whole")
    assert (whole.code, "See \N{REPLACEMENT CHARACTER} below." in whole.out) == (0, True)
