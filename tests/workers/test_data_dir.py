"""What lies in DATA_DIR may be torn, empty or odd: it starts nevertheless, or says why not."""

from pathlib import Path

import pytest

from assistant.domain.errors import Misconfigured
from workers.house import House, Started
from workers.settings import only


@pytest.fixture
def house(tmp_path: Path) -> House:
    made = House(only(data_dir=tmp_path))
    made.open()
    return made


def test_a_secret_is_made_once(house: House) -> None:
    assert house.secret("valkey") == house.secret("valkey")
    assert house.secret("valkey") != house.secret("http-token")


def test_a_secret_lost_in_a_power_cut_is_made_again(house: House) -> None:
    (house.root / "valkey.secret").write_text("")
    assert len(house.secret("valkey")) >= 32


@pytest.mark.parametrize(
    "torn",
    ["", "[]", "null", "\xff", '{"x": 5}', '{"x": {}}', '{"x": {"pid": -1, "began": 0}}'],
)
def test_what_does_not_name_processes_names_none(house: House, torn: str) -> None:
    (house.run / "children.json").write_text(torn)
    assert house.children == {}


def test_processes_are_known_again(house: House) -> None:
    noted = {"beat": Started(pid=7, began=1.5)}
    house.write_children(noted)
    assert house.children == noted


def test_a_folder_that_cannot_be_written_to_is_said_to_be_one(house: House) -> None:
    house.run.rmdir()
    house.run.write_text("a file")
    with pytest.raises(Misconfigured, match="DATA_DIR"):
        house.write_children({})
