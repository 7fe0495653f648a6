"""What lies in DATA_DIR may be torn, empty or odd: it starts nevertheless, or says why not."""

from pathlib import Path

import pytest

from assistant.domain.errors import Misconfigured
from workers.data_folder import DataFolder, Started
from workers.settings import only


@pytest.fixture
def data_folder(tmp_path: Path) -> DataFolder:
    made = DataFolder(only(data_dir=tmp_path))
    made.open()
    return made


def test_a_secret_is_made_once(data_folder: DataFolder) -> None:
    assert data_folder.secret("valkey") == data_folder.secret("valkey")
    assert data_folder.secret("valkey") != data_folder.secret("http-token")


def test_a_secret_lost_in_a_power_cut_is_made_again(data_folder: DataFolder) -> None:
    (data_folder.root / "valkey.secret").write_text("")
    assert len(data_folder.secret("valkey")) >= 32


@pytest.mark.parametrize(
    "torn",
    ["", "[]", "null", "\xff", '{"x": 5}', '{"x": {}}', '{"x": {"pid": -1, "began": 0}}'],
)
def test_what_does_not_name_processes_names_none(data_folder: DataFolder, torn: str) -> None:
    (data_folder.run / "children.json").write_text(torn)
    assert data_folder.children == {}


def test_processes_are_known_again(data_folder: DataFolder) -> None:
    noted = {"beat": Started(pid=7, began=1.5)}
    data_folder.write_children(noted)
    assert data_folder.children == noted


def test_a_folder_that_cannot_be_written_to_is_said_to_be_one(data_folder: DataFolder) -> None:
    data_folder.run.rmdir()
    data_folder.run.write_text("a file")
    with pytest.raises(Misconfigured, match="DATA_DIR"):
        data_folder.write_children({})
