"""Passwords are encrypted, and bound to whose they are and what they are for."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from stat import S_IMODE

import pytest

from assistant.adapters.secrets.box import AesBox
from assistant.adapters.secrets.key import Key
from assistant.domain.credentials.credential import WrongKey
from assistant.domain.errors import Misconfigured

PASSWORD = "abcd-efgh-ijkl-mnop"


def key(folder: Path, *, given: str = "") -> Key:
    return Key(given=given, file=folder / "credentials.key", setting="ASSISTANT_SECRET_KEY")


def test_what_is_encrypted_is_read_again_and_shows_nothing(tmp_path: Path) -> None:
    box = AesBox(key(tmp_path))
    one, other = (box.seal(PASSWORD, bound="mine") for _ in range(2))
    assert one != other
    assert PASSWORD not in one
    assert AesBox(key(tmp_path)).open(one, bound="mine") == PASSWORD


def test_the_key_file_is_for_this_user_alone_and_made_once(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as threads:
        made = {*threads.map(lambda _: key(tmp_path).ensure(), range(8))}
    assert len(made) == 1
    file = tmp_path / "credentials.key"
    assert S_IMODE(file.stat().st_mode) == 0o600
    assert [one.name for one in tmp_path.iterdir()] == [file.name]


@pytest.mark.parametrize("cut", [0, 1, 2, 10, -1])
def test_what_was_changed_is_not_read(tmp_path: Path, cut: int) -> None:
    box = AesBox(key(tmp_path))
    sealed = box.seal(PASSWORD, bound="mine")
    other = "B" if sealed[cut] == "A" else "A"
    changed = f"{sealed[:cut]}{other}{sealed[cut:][1:]}" if cut >= 0 else sealed[:cut]
    with pytest.raises(WrongKey):
        box.open(changed, bound="mine")


def test_it_is_bound_to_what_it_is_for(tmp_path: Path) -> None:
    box = AesBox(key(tmp_path))
    sealed = box.seal(PASSWORD, bound="https://good.example")
    with pytest.raises(WrongKey):
        box.open(sealed, bound="https://evil.example")


def test_another_key_and_a_missing_one_are_told_apart(tmp_path: Path) -> None:
    sealed = AesBox(key(tmp_path)).seal(PASSWORD, bound="mine")
    with pytest.raises(WrongKey, match="the key in ASSISTANT_SECRET_KEY does not open it"):
        AesBox(key(tmp_path, given="k" * 32)).open(sealed, bound="mine")
    (tmp_path / "credentials.key").unlink()
    with pytest.raises(WrongKey, match=r"the key is missing: there is no .*credentials\.key"):
        AesBox(key(tmp_path)).open(sealed, bound="mine")
    assert list(tmp_path.iterdir()) == []


def test_a_key_that_is_given_opens_on_another_machine(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    sealed = AesBox(key(tmp_path, given="k" * 32)).seal(PASSWORD, bound="mine")
    assert AesBox(key(tmp_path / "b", given="k" * 32)).open(sealed, bound="mine") == PASSWORD
    assert not (tmp_path / "credentials.key").exists()


def test_a_file_with_a_key_can_be_given_as_the_setting(tmp_path: Path) -> None:
    sealed = AesBox(key(tmp_path)).seal(PASSWORD, bound="mine")
    text = (tmp_path / "credentials.key").read_text().strip()
    assert AesBox(key(tmp_path / "elsewhere", given=text)).open(sealed, bound="mine") == PASSWORD


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    with pytest.raises(Misconfigured, match="so no password is kept"):
        AesBox(key(tmp_path / "none")).seal(PASSWORD, bound="mine")
