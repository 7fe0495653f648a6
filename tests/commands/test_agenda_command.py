"""The agenda on a command line and in a chat: words, a picture in a file, JSON."""

import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image

from assistant.domain.calendar.events import Event, When
from assistant.domain.conversation.conversation import Want
from assistant.domain.time.moments import zone_of
from tests.process.command import run
from tests.proposing import proposed
from workers.cli.session import Session
from workers.cli.terminal.slash import command
from workers.settings import only

TIMES = {"start": "2031-03-04T10:00:00+00:00", "end": "2031-03-04T10:30:00+00:00"}
ENV = {"ASSISTANT_TIMEZONE": "UTC"}


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Session]:
    """A calendar with an event of the owner's own, and a proposal beside it."""
    made = Session(only(data_dir=tmp_path, timezone="UTC"))
    made.open()
    when = When.model_validate(TIMES)
    made.assistant.calendar.create(Event(uid="dentist", title="Dentist", when=when))
    proposed(made, Want(tool="create_event", args={"title": "Tea", **TIMES}))
    yield made
    made.assistant.close()


@pytest.mark.usefixtures("opened")
def test_a_day_is_told_in_words(tmp_path: Path) -> None:
    done = run("agenda", "4", "March", "2031", data=tmp_path, env=ENV)
    assert done.out.splitlines() == [
        "Tue 4 Mar 2031",
        "- 10:00–10:30 Tea (proposed)",
        "- 10:00–10:30 Dentist",
        "A1 waits for your answer: assistant approvals list",
    ]


def test_a_chat_says_the_same(opened: Session) -> None:
    said = command(opened, "/agenda 4 March 2031", cause=opened.assistant.cause())
    assert said.splitlines()[1:] == [
        "- 10:00–10:30 Tea (proposed)",
        "- 10:00–10:30 Dentist",
        "A1 waits for your answer: /pending",
    ]
    today = opened.assistant.clock.now().astimezone(zone_of("UTC"))
    assert f"{today.day} " in command(opened, "/agenda", cause=opened.assistant.cause())


@pytest.mark.usefixtures("opened")
def test_a_picture_is_written_to_a_file(tmp_path: Path) -> None:
    file = tmp_path / "week.png"
    done = run("agenda", "2031-03-04", "--picture", str(file), data=tmp_path, env=ENV)
    assert (done.code, "Dentist" in done.out) == (0, True)
    assert Image.open(io.BytesIO(file.read_bytes())).width == 800
    nowhere = run("agenda", "--picture", "/nowhere/week.png", data=tmp_path, env=ENV)
    assert (nowhere.code, nowhere.out) == (2, "")
    assert "--picture /nowhere/week.png: No such file" in nowhere.err


@pytest.mark.usefixtures("opened")
def test_programs_get_json(tmp_path: Path) -> None:
    found = run("agenda", "4 March 2031", "--json", data=tmp_path, env=ENV).value
    assert (found["from"], found["until"], found["zone"]) == ("2031-03-04", "2031-03-04", "UTC")
    assert found["events"] == [
        {
            "id": "dentist",
            "title": "Dentist",
            "start": "2031-03-04T10:00:00+00:00",
            "end": "2031-03-04T10:30:00+00:00",
            "all_day": False,
            "when": "Tue 4 Mar 2031, 10:00 to 10:30 (UTC)",
            "own": False,
        }
    ]
    [tea] = found["proposed"]
    assert (tea["call"], tea["tool"], tea["name"]) == ("A1", "create_event", "Tea")
    assert run("agenda", "2031-03-05", "--json", data=tmp_path, env=ENV).value["events"] == []


@pytest.mark.usefixtures("opened")
def test_a_time_that_is_none_is_refused(tmp_path: Path) -> None:
    done = run("agenda", "mimsy", data=tmp_path, env=ENV)
    assert (done.code, "try: assistant agenda next week" in done.err) == (2, True)
