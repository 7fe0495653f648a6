"""Commands while nothing else runs: they do their own work, and end with the code that says how."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.process.command import Ended, run
from tests.servers.openai_api import KEY, OpenAIServer, Reply
from tests.servers.radicale import RadicaleServer, free_port

MAIL = b"From: Ada <ada@example.org>\r\nSubject: Rent\r\n\r\nThe rent is due on 30 November.\r\n"


class Desk:
    """A data directory nobody works on but these commands, and a calendar server."""

    def __init__(self, data: Path, calendar: RadicaleServer) -> None:
        self.data = data
        self.settings = {
            "ASSISTANT_CALDAV_URL": calendar.files.url,
            "ASSISTANT_CALDAV_USERNAME": calendar.files.username,
            "ASSISTANT_CALDAV_PASSWORD": calendar.files.password,
            "ASSISTANT_CALDAV_PROVIDER": "radicale",
            "ASSISTANT_TIMEZONE": "UTC",
        }

    def run(self, *arguments: str, input: bytes = b"", **settings: str) -> Ended:
        env = {**self.settings, **{f"ASSISTANT_{k.upper()}": v for k, v in settings.items()}}
        return run(*arguments, data=self.data, input=input, env=env)

    def parked(self) -> str:
        """The handle of a call that waits for a yes."""
        said = self.run("chat", "--once", 'create "Pay the rent" 2031-03-04 10:00', "--json")
        assert said.code == 6, said
        [handle] = said.value["waiting"]
        return str(handle)


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    with RadicaleServer(tmp_path_factory.mktemp("radicale")) as calendar:
        yield Desk(tmp_path_factory.mktemp("desk"), calendar)


def test_a_mail_that_is_added_is_read_and_summarised_there_and_then(desk: Desk) -> None:
    added = desk.run("mail", "add", "-", "--json", input=MAIL)
    assert added.code == 0
    assert added.value["state"] == "announced"
    assert added.value["summarised_by"] == "extract"
    again = desk.run("mail", "add", "-", "--json", input=MAIL)
    assert (again.value["id"], again.value["known"]) == (added.value["id"], True)
    [found] = desk.run("mail", "search", "rent", "--json").value
    assert found["id"] == added.value["id"]


def test_a_mail_is_forgotten_when_its_owner_says_so_twice(desk: Desk) -> None:
    raw = MAIL.replace(b"Rent", b"Umbrella")
    id = desk.run("mail", "add", "-", "--json", input=raw).value["id"]
    refused = desk.run("mail", "forget", id[:8])
    assert (refused.code, "--yes" in refused.err) == (2, True)
    assert desk.run("mail", "show", id, "--json").value["subject"] == "Umbrella"
    gone = desk.run("mail", "forget", id[:8], "--yes", "--json")
    assert (gone.code, gone.value["state"], gone.value["subject"]) == (0, "forgotten", "")
    assert gone.value["reason"].startswith("by terminal:")
    assert desk.run("mail", "search", "umbrella", "--json").value == []
    assert not [
        path for path in (desk.data / "blobs").rglob("*.eml") if gone.value["sha256"] in str(path)
    ]
    again = desk.run("mail", "add", "-", "--json", input=raw)
    assert (again.code, again.value["known"], again.value["state"]) == (0, True, "forgotten")
    [listed] = desk.run("mail", "list", "--state", "forgotten", "--json").value
    assert listed["id"] == id


def test_what_is_said_once_is_answered(desk: Desk) -> None:
    said = desk.run("chat", "--once", "help", "--json")
    assert said.code == 0
    assert said.value["finished"] is True
    assert said.value["replies"]


def test_an_approval_given_by_a_command_is_carried_out_by_it(desk: Desk) -> None:
    handle = desk.parked()
    approved = desk.run("approvals", "approve", handle, "--json")
    assert approved.code == 0
    assert approved.value["state"] == "done"
    listed = desk.run("agenda", "2031-03-04", "--json")
    assert [event["title"] for event in listed.value["events"]] == ["Pay the rent"]
    second = desk.run("approvals", "approve", handle, "--json")
    assert (second.code, second.value["accepted"]) == (8, False)
    said = desk.run("chat", "--once", f"/approve {handle}")
    assert said.code == 8
    assert said.err.startswith(f"assistant: {handle} was answered already")


def test_a_denied_call_does_nothing_and_cannot_be_approved_any_more(desk: Desk) -> None:
    handle = desk.parked()
    assert desk.run("approvals", "deny", handle, "--why", "too early").code == 0
    assert desk.run("approvals", "approve", handle).code == 8
    assert desk.run("calls", "show", handle, "--json").value["state"] == "denied"


@pytest.mark.parametrize(
    "arguments",
    [
        ("chat", "--once", "   "),
        ("chat", "--json"),
        ("mail", "add"),
        ("agenda", "one day"),
        ("no-such-command",),
    ],
)
def test_what_is_asked_wrongly_ends_with_2(desk: Desk, arguments: tuple[str, ...]) -> None:
    assert desk.run(*arguments).code == 2


def test_settings_that_do_not_work_end_with_3_and_are_named(desk: Desk) -> None:
    ended = desk.run("status", timezone="Mars/Olympus")
    assert ended.code == 3
    assert "ASSISTANT_TIMEZONE" in ended.err
    old = desk.run("status", database_url=f"sqlite:///{desk.data}/other.sqlite3")
    assert old.code == 3
    assert "assistant migrate" in old.err


def test_status_tells_how_much_there_is(desk: Desk) -> None:
    sizes = desk.run("status", "--json").value["sizes"]
    assert sizes["database"] > 10_000
    assert sizes.keys() == {"database", "blobs", "mails", "conversations", "calls", "audit"}
    assert "audit entries" in desk.run("status", "--details").out


def test_a_doctor_says_what_is_wrong_in_a_line_each(desk: Desk) -> None:
    away = f"postgresql://nobody@127.0.0.1:{free_port()}/none"
    told = desk.run("doctor", "--json", database_url=away)
    assert told.code == 1
    [database] = [finding for finding in told.value if not finding["ok"]]
    assert database["id"] == "database"
    assert database["said"].isprintable()


def test_a_policy_that_does_not_hold_is_told(tmp_path: Path) -> None:
    (tmp_path / "policy.yaml").write_text("version: 1\nrulez: []\n")
    told = run("status", "--json", data=tmp_path).value["policy"]
    assert not told["ok"]
    assert "rulez" in told["said"]
    assert "policy.yaml is not valid" in run("status", data=tmp_path).out
    found = run("doctor", "--json", data=tmp_path)
    assert found.code == 1
    assert [one["id"] for one in found.value if not one["ok"]] == ["policy"]


def models(ended: Ended) -> list[tuple[bool, str]]:
    """What a doctor says of the models."""
    return [(each["ok"], each["said"]) for each in ended.value if each["id"] == "model"]


def test_a_doctor_without_a_model_asks_none(desk: Desk) -> None:
    assert models(desk.run("doctor", "--json")) == [(True, "offline")]


def test_a_doctor_asks_each_model_one_tiny_question_and_says_what_it_cost(desk: Desk) -> None:
    with OpenAIServer() as server:
        server.say(Reply(text="ok"), Reply(status=404))
        there: dict[str, Any] = {"model_base_url": server.base_url, "model_api_key": KEY}
        told = desk.run("doctor", "--json", model="openai:one,openai:two", **there)
    [one, two] = models(told)
    assert one[0]
    assert re.fullmatch(r"openai:one answered in \d+\.\d s, for 11 tokens in and 7 out", one[1])
    assert not two[0]
    assert "openai:two answered 404: check the model's name and the base URL" in two[1]
    assert told.code == 1
    assert [asked.body["model"] for asked in server.requests] == ["one", "two"]
    assert all("tools" not in asked.body for asked in server.requests)
    assert desk.run("status", "--json").value["budget"]["spent"] == 0


def test_a_doctor_does_not_wait_for_a_model_for_ever(desk: Desk) -> None:
    with OpenAIServer() as server:
        server.say(Reply(hang=True))
        there: dict[str, Any] = {
            "model_base_url": server.base_url,
            "model_api_key": KEY,
            "model_timeout": "1",
        }
        told = desk.run("doctor", "--json", model="openai:one", **there)
    [(well, said)] = models(told)
    assert not well
    assert "openai:one: no answer in time" in said


def test_a_doctor_says_that_a_key_is_wrong_without_telling_the_key(desk: Desk) -> None:
    with OpenAIServer() as server:
        there: dict[str, Any] = {"model_base_url": server.base_url, "model_api_key": "a-wrong-key"}
        told = desk.run("doctor", "--json", model="openai:one", **there)
    [(well, said)] = models(told)
    assert not well
    assert "check the API key" in said
    assert "a-wrong-key" not in told.out


def test_a_status_counts_the_jobs_and_says_when_each_queue_was_crossed(desk: Desk) -> None:
    told = desk.run("status", "--details")
    assert "interactive never" in told.out
    assert "0 running, 0 failed" in told.out


def test_a_calendar_that_is_away_ends_with_4(desk: Desk) -> None:
    away = f"http://127.0.0.1:{free_port()}/"
    ended = desk.run("agenda", caldav_url=away)
    assert ended.code == 4


@pytest.mark.parametrize(
    "arguments",
    [
        ("approvals", "show", "A999"),
        ("approvals", "approve", "A999"),
        ("calls", "show", "A999"),
        ("mail", "show", "ffffffff"),
        ("mail", "add", "/no/such/file.eml"),
    ],
)
def test_what_is_not_there_ends_with_7(desk: Desk, arguments: tuple[str, ...]) -> None:
    assert desk.run(*arguments).code == 7


@pytest.mark.parametrize(
    "arguments",
    [
        ("status",),
        ("mail", "list"),
        ("mail", "show", "ffffffff"),
        ("approvals", "list"),
        ("approvals", "approve", "A1"),
        ("audit", "list"),
        ("calls", "list"),
        ("agenda",),
        ("files", "ls"),
        ("grants", "list"),
        ("mode", "show"),
        ("people", "list"),
        ("policy", "history"),
        ("tools", "list"),
        ("undo", "A1"),
    ],
    ids=" ".join,
)
def test_what_only_looks_makes_no_house_where_there_is_none(
    arguments: tuple[str, ...], tmp_path: Path
) -> None:
    nowhere = tmp_path / "misspelt" / "x"
    ended = run(*arguments, data=nowhere)
    assert (ended.code, ended.out) == (7, "")
    assert str(nowhere) in ended.err
    assert list(tmp_path.iterdir()) == []


def test_a_house_whose_database_lies_elsewhere_needs_no_folder(tmp_path: Path) -> None:
    env = {"ASSISTANT_DATABASE_URL": f"sqlite:///{tmp_path}/other.sqlite3"}
    assert "assistant migrate" in run("status", data=tmp_path / "x", env=env).err
