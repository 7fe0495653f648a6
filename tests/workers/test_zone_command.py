"""``/zone``: where the owner is."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from assistant.domain.errors import BadArguments
from tests.process.command import run
from workers.cli.session import Session
from workers.cli.terminal.slash import command
from workers.settings import only


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Session]:
    made = Session(only(data_dir=tmp_path, timezone="Europe/Berlin"))
    made.open()
    yield made
    made.assistant.close()


def says(opened: Session, text: str) -> str:
    return command(opened, text, cause=opened.assistant.cause())


def test_a_zone_is_looked_at_chosen_and_ended(opened: Session) -> None:
    assert says(opened, "/zone") == "Times are told and read in Europe/Berlin."
    chosen = says(opened, "/zone lisbon")
    assert "(Europe/Lisbon). Times are told and read so from now on." in chosen
    assert "`/zone home` goes back to Europe/Berlin." in chosen
    assert says(opened, "/zone").startswith("Times are told and read in Europe/Lisbon.")
    assert opened.assistant.zone == "Europe/Lisbon"
    assert "(Europe/Berlin)" in says(opened, "/zone home")
    assert opened.assistant.zone == "Europe/Berlin"


def test_an_unknown_zone_is_refused_with_one_that_there_is(opened: Session) -> None:
    with pytest.raises(BadArguments) as refused:
        says(opened, "/zone Europe/Lisbo")
    assert str(refused.value) == "There is no time zone Europe/Lisbo; did you mean Europe/Lisbon?"
    assert opened.assistant.zone == "Europe/Berlin"


def test_a_zone_that_is_like_none_is_not_taken_for_one(opened: Session) -> None:
    with pytest.raises(BadArguments) as refused:
        says(opened, "/zone Mars")
    assert str(refused.value) == (
        "There is no time zone Mars; use an IANA name such as Europe/Berlin."
    )


def test_a_shell_has_it_as_well(tmp_path: Path) -> None:
    run("mode", "set", "normal", data=tmp_path)
    assert run("zone", "Europe/Lisbon", data=tmp_path).code == 0
    assert run("zone", "--json", data=tmp_path).value["zone"] == "Europe/Lisbon"
    wrong = run("zone", "Nowhere/Land", data=tmp_path)
    assert wrong.code == 2
    assert wrong.err.startswith("assistant: There is no time zone Nowhere/Land")
