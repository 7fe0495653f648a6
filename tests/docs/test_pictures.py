"""The pictures in the docs are of what is shown today."""

from pathlib import Path

import pytest
from PIL import Image

from tests import agenda_picture, terminal_pictures
from tests.pictures import FOLDER, SCENES, digest, draw, made_of, scene

PAGE = (FOLDER.parent / "discord.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", SCENES)
def test_a_picture_is_of_what_is_shown(name: str) -> None:
    with scene(name) as (_, picture):
        assert made_of(FOLDER / f"{name}.png") == digest(picture), "run: make pictures"


@pytest.mark.parametrize("name", SCENES)
def test_a_picture_is_small_and_in_the_docs(name: str) -> None:
    assert (FOLDER / f"{name}.png").stat().st_size < 50_000
    assert f"](pictures/{name}.png)" in PAGE


def test_there_are_no_other_pictures() -> None:
    assert {path.stem for path in FOLDER.glob("discord-*")} == set(SCENES)


@pytest.mark.parametrize("name", terminal_pictures.SCENES)
def test_a_picture_of_a_terminal_is_of_what_is_shown(name: str) -> None:
    picture = (FOLDER / f"{name}.svg").read_text(encoding="utf-8")
    assert picture == terminal_pictures.drawn(name), "run: make pictures"
    assert f"](pictures/{name}.svg)" in (FOLDER.parent / "first-walk.md").read_text("utf-8")


def test_the_picture_of_a_week_is_of_what_is_drawn() -> None:
    assert agenda_picture.made_of() == agenda_picture.digest(), "run: make pictures"
    assert agenda_picture.PATH.stat().st_size < 50_000
    assert "](pictures/week.png)" in (FOLDER.parent / "agenda.md").read_text("utf-8")


@pytest.mark.system
@pytest.mark.parametrize("name", SCENES)
def test_a_picture_can_be_drawn_again(name: str, tmp_path: Path) -> None:
    with scene(name) as (stage, picture):
        draw(stage, picture, tmp_path / "again.png")
    with Image.open(FOLDER / f"{name}.png") as before, Image.open(tmp_path / "again.png") as again:
        assert again.info == before.info
        assert again.size == pytest.approx(before.size, abs=20)  # another chromium, another pixel
