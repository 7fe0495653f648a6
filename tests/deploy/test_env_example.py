"""What .env.example promises: every setting, explained, with the default it really has."""

import os
import re
from pathlib import Path

import pytest

from workers.settings import PREFIX, Settings

EXAMPLE = Path(__file__).resolve().parents[2] / ".env.example"
KEY = re.compile(rf"^#{PREFIX}([A-Z0-9_]+)=(.*)$")


@pytest.fixture(autouse=True)
def _nothing_set(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Neither the caller's environment nor files where the tests were started."""
    for name in os.environ:
        if name.startswith(PREFIX):
            monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)


def lines() -> list[str]:
    return EXAMPLE.read_text(encoding="utf-8").splitlines()


def test_it_names_each_setting_once_and_nothing_else() -> None:
    named = [match[1].lower() for line in lines() if (match := KEY.match(line))]
    assert sorted(named) == sorted(Settings.model_fields)


def test_each_setting_has_one_line_of_words_before_it() -> None:
    before = dict(zip(lines()[1:], lines(), strict=False))
    unexplained = [
        line for line in lines() if KEY.match(line) and not before[line].startswith("# ")
    ]
    assert unexplained == []


def test_uncommented_it_says_what_the_defaults_are(tmp_path: Path) -> None:
    uncommented = [line.removeprefix("#") if KEY.match(line) else line for line in lines()]
    (tmp_path / "full.env").write_text("\n".join(uncommented))
    assert Settings(_env_file=tmp_path / "full.env") == Settings(_env_file=None)


def test_as_it_stands_it_sets_nothing(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("\n".join(lines()))
    assert Settings().model_fields_set == Settings(_env_file=None).model_fields_set
