"""``assistant calendar connect``, ``show`` and ``disconnect``, with real CalDAV servers."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from caldav.davclient import DAVClient

from assistant.commands.connecting.proof import TITLE
from assistant.domain.errors import Denied
from tests.flows.test_invitations import ics, mail
from tests.process.command import Ended, run
from tests.servers.icloud import Fault, LikeICloud
from tests.servers.meddler import Answer, Meddler
from tests.servers.radicale import RadicaleServer, free_port
from tests.servers.xandikos import XandikosServer
from workers.parts import silent_assistant
from workers.settings import only

USER = "owner"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RadicaleServer]:
    with RadicaleServer(tmp_path_factory.mktemp("radicale") / "data") as server:
        yield server


@dataclass
class House:
    """An installation, and the account that its owner has elsewhere."""

    data: Path
    server: RadicaleServer
    env: dict[str, str] = field(default_factory=dict)

    def __call__(self, *words: str, password: str = "", **settings: str) -> Ended:
        named = {f"ASSISTANT_{name.upper()}": value for name, value in settings.items()}
        env = {"ASSISTANT_TIMEZONE": "UTC", **self.env, **named}
        return run(*words, data=self.data, env=env, input=password.encode())

    def connects(self, *more: str, url: str = "", password: str = "", **settings: str) -> Ended:
        there = ("--url", url or self.server.files.url, "--username", USER)
        secret = password or self.server.files.password
        words = ("calendar", "connect", *there, "--password-file", "-", *more)
        return self(*words, password=f"{secret}\n", **settings)

    def events(self, name: str) -> list[str]:
        """The titles of all events in a calendar of the account."""
        files = self.server.files
        with DAVClient(
            url=files.url, username=USER, password=files.password, features="radicale"
        ) as client:
            [one] = [c for c in client.get_calendars() if c.get_display_name() == name]
            found: Any = one.get_events()
            return [str(event.icalendar_component["SUMMARY"]) for event in found]

    def address(self) -> str:
        assistant = silent_assistant(only(data_dir=self.data, timezone="UTC"))
        try:
            return assistant.calendar.address()
        finally:
            assistant.close()


@pytest.fixture
def house(tmp_path: Path, server: RadicaleServer) -> House:
    return House(tmp_path / "data", server)


def test_a_calendar_is_made_proved_and_used_from_then_on(house: House) -> None:
    done = house.connects("--provider", "radicale", "--create", "Mine", "--json")
    assert done.code == 0, done
    assert {key: done.value[key] for key in ("calendar", "provider", "tried", "used")} == {
        "calendar": "Mine",
        "provider": "radicale",
        "tried": True,
        "used": True,
    }
    assert house.events("Mine") == []
    assert house.address() == f"http://127.0.0.1/owner/{done.value['id']}/ as owner"
    start, end = ("2031-03-04T10:00:00+00:00", "2031-03-04T10:30:00+00:00")
    called = house("call", "create_event", "title=Tea", f"start={start}", f"end={end}")
    assert called.code == 0, called
    assert house.events("Mine") == ["Tea"]


def test_the_password_is_in_no_file_no_answer_and_no_audit(house: House) -> None:
    done = house.connects("--create", "Secretive")
    shown = house("calendar", "show")
    audit = house("audit", "list", "--json")
    assert "credential.kept" in audit.out
    assert (done.code, shown.code) == (0, 0)
    secret = house.server.files.password
    for text in (done.out, done.err, shown.out, audit.out):
        assert secret not in text
    for file in house.data.rglob("*"):
        if file.is_file():
            assert secret.encode() not in file.read_bytes(), file


def test_it_is_shown_and_disconnected(house: House) -> None:
    house.connects("--provider", "radicale", "--create", "Shown")
    shown = house("calendar", "show")
    for words in ("the one that you connected", "Shown", "owner at http", "stored encrypted"):
        assert words in shown.out
    assert house("calendar", "show", "--json").value["source"] == "connected"
    gone = house("calendar", "disconnect")
    assert "no longer connected, and its password is deleted" in gone.out
    assert house("calendar", "show", "--json").value == {"source": "private", "connected": None}
    assert house("calendar", "disconnect").out.strip() == "No calendar is connected."
    assert house.address() == "the assistant's private calendar"


def test_a_running_process_uses_the_new_connection_at_once(house: House) -> None:
    house.connects("--create", "First")
    running = silent_assistant(only(data_dir=house.data, timezone="UTC"))
    try:
        first = running.calendar.address()
        house.connects("--create", "Second")
        second = running.calendar.address()
        assert first != second
        house("calendar", "disconnect")
        assert running.calendar.address() == "the assistant's private calendar"
    finally:
        running.close()


def test_what_the_settings_name_counts_before(house: House) -> None:
    named = {"caldav_url": "https://calendar.invalid/", "caldav_provider": "nextcloud"}
    done = house.connects("--create", "Beside", "--json", **named)
    assert (done.code, done.value["used"]) == (0, False)
    shown = house("calendar", "show", **named)
    assert "the one that the settings name (ASSISTANT_CALDAV_URL)" in shown.out
    assert "not tried against the real service" in shown.out
    assert "Connected, not used: Calendar" in shown.out


def test_a_wrong_password_is_told_with_what_the_provider_wants(house: House) -> None:
    told = house.connects("--provider", "icloud", "--create", "X", password="wrong")
    assert told.code == 3
    assert "does not accept this username and password" in told.err
    assert "app-specific password: account.apple.com" in told.err


@pytest.mark.parametrize(
    ("url", "code", "said"),
    [
        ("https://calendar.invalid/", 4, "no host of this name is known (calendar.invalid)"),
        ("http://calendar.example/", 3, "is not https"),
        ("https://127.0.0.1:{port}/", 4, "the calendar server at 127.0.0.1"),
        ("http://127.0.0.1:{port}/", 4, "the calendar server at 127.0.0.1"),
    ],
)
def test_a_server_that_is_not_reached_is_told(house: House, url: str, code: int, said: str) -> None:
    told = house.connects("--create", "X", url=url.format(port=free_port()))
    assert (told.code, said in told.err) == (code, True), told


@pytest.mark.parametrize("status", [200, 404, 405, 501])
def test_what_is_no_caldav_server_is_told(house: House, status: int) -> None:
    with Meddler(house.server.files.url) as meddler:
        page = Answer(status, {"Content-Type": "text/html"}, b"<html><p>Welcome<br></html>")
        meddler.meddle = {method: lambda _: page for method in ("PROPFIND", "OPTIONS", "GET")}
        told = house.connects("--create", "X", url=meddler.url)
    assert told.code == 3, told
    assert "does not speak CalDAV" in told.err or "no calendar at this address" in told.err


def test_a_read_only_calendar_is_refused_before_anything_is_written(house: House) -> None:
    rights = b"<D:privilege><D:read/></D:privilege>"
    house.connects("--create", "Readable")

    with Meddler(house.server.files.url) as meddler:

        def reads_only(forward: Any) -> Answer:
            answer: Answer = forward()
            start, end = (
                answer.body.find(f"{mark}current-user-privilege-set>".encode())
                for mark in ("<", "</")
            )
            if start >= 0:
                opened = answer.body.index(b">", start) + 1
                answer.body = answer.body[:opened] + rights.replace(b"D:", b"") + answer.body[end:]
            return answer

        meddler.meddle = {"PROPFIND": reads_only}
        told = house.connects("--calendar", "Readable", url=meddler.url)
        assert "PUT" not in {method for method, _ in meddler.seen}
    assert (told.code, "Readable is read-only for this account" in told.err) == (2, True), told


@pytest.mark.parametrize(
    ("method", "step"),
    [("PUT", "could not make a test event"), ("DELETE", "could not delete the test event")],
)
def test_a_step_that_fails_is_named_and_nothing_is_left(
    house: House, method: str, step: str
) -> None:
    house.connects("--create", "Failing")
    with Meddler(house.server.files.url) as meddler:
        answers = iter([Answer(403)])

        def refuses(forward: Any) -> Answer:
            refused = next(answers, None)
            return refused if refused is not None else forward()

        meddler.meddle = {method: refuses}
        told = house.connects("--calendar", "Failing", url=meddler.url)
    assert (told.code, step in told.err) == (3, True), told
    assert house.events("Failing") == []


def test_a_test_event_that_cannot_be_removed_is_told(house: House) -> None:
    house.connects("--create", "Stuck")
    with Meddler(house.server.files.url) as meddler:
        meddler.meddle = {"DELETE": lambda _: Answer(403)}
        told = house.connects("--calendar", "Stuck", url=meddler.url)
    assert f'An event "{TITLE}" may be left in it' in told.err


def test_a_key_that_is_gone_is_told_and_connecting_again_mends_it(house: House) -> None:
    house.connects("--create", "Keyed")
    (house.data / "credentials.key").unlink()
    told = house("calendar", "show")
    assert told.code == 0
    said = " ".join(told.out.split())
    assert "is kept, and cannot be read: the key is missing" in said
    start, end = ("2031-03-04T10:00:00+00:00", "2031-03-04T10:30:00+00:00")
    doctor = {one["id"]: one for one in house("doctor", "--json").value}
    assert (doctor["calendar"]["ok"], "credentials.key" in doctor["calendar"]["said"]) == (
        False,
        True,
    )
    failed = house("call", "create_event", "title=Tea", f"start={start}", f"end={end}")
    assert failed.code != 0
    assert "run `assistant calendar connect` again" in failed.out + failed.err
    assert house.connects("--calendar", "Keyed").code == 0
    assert "stored encrypted" in house("calendar", "show").out


def test_a_row_that_was_pointed_at_another_server_gives_no_password_away(house: House) -> None:
    house.connects("--create", "Bound")
    with closing(sqlite3.connect(house.data / "assistant.sqlite3")) as db, db:
        db.execute("UPDATE credential SET about = replace(about, '127.0.0.1', '127.0.0.2')")
    told = house("calendar", "show")
    assert "or the row was changed" in " ".join(told.out.split())


@pytest.mark.parametrize("column", ["about", "created"])
def test_a_damaged_row_is_told_and_can_be_replaced_or_deleted(house: House, column: str) -> None:
    house.connects("--create", "Damaged")
    damage = f"UPDATE credential SET {column} = 'x'"  # noqa: S608 (a constant)
    ways: tuple[Callable[[], Ended], ...] = (
        lambda: house.connects("--calendar", "Damaged"),
        lambda: house("calendar", "disconnect"),
    )
    for mended_by in ways:
        with closing(sqlite3.connect(house.data / "assistant.sqlite3")) as db, db:
            db.execute(damage)
        told = house("calendar", "show")
        assert (told.code, "cannot be read" in told.err) == (3, True), told
        assert mended_by().code == 0
        assert house("calendar", "show").code == 0


def test_a_backup_holds_the_password_and_not_its_key(house: House, tmp_path: Path) -> None:
    house.connects("--create", "Backed up")
    backup, restored = tmp_path / "backup", tmp_path / "restored"
    assert house("backup", str(backup)).code == 0
    assert not [file for file in backup.rglob("*") if "credentials" in file.name]
    there = House(restored, house.server)
    assert there("restore", str(backup)).code == 0
    assert "the key is missing" in " ".join(there("calendar", "show").out.split())
    (restored / "credentials.key").write_bytes((house.data / "credentials.key").read_bytes())
    assert "stored encrypted" in there("calendar", "show").out
    assert there.address() == house.address()


def test_a_password_in_the_address_is_refused(house: House) -> None:
    told = house.connects("--create", "X", url="https://me:secret@calendar.example.org/")
    assert (told.code, "leave the password out of it" in told.err) == (2, True)


def test_a_server_without_a_password_of_its_own_is_connected(house: House, tmp_path: Path) -> None:
    with XandikosServer(tmp_path / "xandikos") as xandikos:
        there = ("--provider", "xandikos", "--create", "Mine")
        done = house.connects(*there, "--json", url=xandikos.url)
        assert (done.code, done.value["tried"]) == (0, True), done
        doctor = {one["id"]: one for one in house("doctor", "--json").value}
        assert doctor["calendar"]["said"].endswith("(Xandikos: our tests run against it)")


def test_without_a_terminal_what_is_missing_is_named(house: House) -> None:
    assert "--provider" in house("calendar", "connect").err
    told = house.connects()
    assert told.code == 2
    assert "name the calendar: --calendar with one of" in told.err
    assert "We recommend a calendar of its own" in told.err


def test_a_calendar_that_is_not_there_can_be_made(house: House) -> None:
    told = house.connects("--calendar", "No pe")
    assert told.code == 7
    assert "--create 'No pe'" in told.err


def test_what_waits_for_the_calendar_before_is_asked_anew(house: House, tmp_path: Path) -> None:
    file = tmp_path / "invite.eml"
    file.write_bytes(mail(ics(start="20310304T100000Z", end="20310304T110000Z")))
    added = house("mail", "add", str(file))
    assert ["Invitation", "a", "card", "waits,", "A1"] in [
        line.split() for line in added.out.splitlines()
    ], added
    first = house.connects("--create", "Mine")
    assert "A1" in first.out, first
    assert "asked anew" in first.out


# In a terminal


@dataclass
class Typist:
    """Somebody at a terminal, with the answers that they will type."""

    answers: list[str]
    said: list[str] = field(default_factory=list)
    hidden: list[str] = field(default_factory=list)

    def say(self, line: str) -> None:
        self.said.append(line)

    def ask(self, question: str, *, default: str = "") -> str:
        self.said.append(f"{question} [{default}]")
        if not self.answers:
            raise Denied("nothing was changed")
        return self.answers.pop(0) or default

    def ask_hidden(self, question: str) -> str:
        self.hidden.append(question)
        return self.answers.pop(0)


def types(house: House, monkeypatch: pytest.MonkeyPatch, *answers: str) -> tuple[Typist, Ended]:
    typist = Typist([*answers])
    monkeypatch.setattr("workers.cli.session.terminal_prompts", lambda: typist)
    return typist, house("calendar", "connect")


def test_whoever_sits_at_a_terminal_is_asked(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    files = house.server.files
    typist, done = types(
        house, monkeypatch, "radicalee", "radicale", files.url, USER, "wrong", files.password, ""
    )
    assert done.code == 0, done
    said = "\n".join(typist.said)
    assert "did you mean radicale?" in said
    assert "iCloud: not tried against the real service" in said
    assert "does not accept this username and password" in said
    assert "We recommend a calendar of its own" in said
    assert typist.hidden == ["Password, not shown"] * 2
    assert files.password not in said
    assert "Connected: Assistant of owner at Radicale (our tests run against it)." in done.out


def test_who_stops_answering_changes_nothing(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    files = house.server.files
    _, done = types(house, monkeypatch, "radicale", files.url, USER, files.password)
    assert done.code == 5
    assert house("calendar", "show", "--json").value["source"] == "private"


def test_what_behaves_like_icloud_is_connected(house: House) -> None:
    with LikeICloud(house.server.files.url) as icloud:
        done = house.connects(
            "--provider", "icloud", "--create", "On pNN", "--json", url=icloud.url
        )
        assert done.code == 0, done
        assert house.events("On pNN") == []
        icloud.fails("PUT", Fault.DROPPED_AFTER)
        told = house.connects("--provider", "icloud", "--calendar", "On pNN", url=icloud.url)
        assert (told.code, "could not make a test event" in told.err) == (3, True)
        assert house.events("On pNN") == []
