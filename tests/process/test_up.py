"""``assistant up``: all of it comes up, survives the loss of a part, and leaves nothing behind."""

import json
import os
import re
import signal
import smtplib
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from shutil import rmtree
from typing import Any, TypeVar

import psutil
import pytest

from tests.process.command import run
from tests.process.rig import PATIENCE

pytestmark = pytest.mark.slow

T = TypeVar("T")
_REPOSITORY = Path(__file__).parents[2]
ASSISTANT = (sys.executable, "-m", "workers.cli")
MAIL = b"From: Ada <ada@example.org>\r\nSubject: Rent\r\n\r\nThe rent is due on 30 November.\r\n"
MARK = "TESTED_HOUSE"
"""In the environment of everything that ``up`` starts."""
SETTINGS = {"ASSISTANT_TICK_SECONDS": "0.3", "ASSISTANT_CANARY_SECONDS": "0.5"}


class House:
    """A data directory, what runs on it, and the command line.

    Args:
        root: of everything it writes.
        more: settings.
    """

    def __init__(self, root: Path, **more: str) -> None:
        self.data = root / "data"
        self._settings = SETTINGS | {f"ASSISTANT_{k.upper()}": v for k, v in more.items()}
        self.ready: dict[str, Any] = {}
        self._log = root / "up.log"
        self._work = root
        self._up: subprocess.Popen[str] | None = None

    def up(self) -> None:
        """Start everything; returns with its line of JSON."""
        with self._log.open("a") as log:
            self._up = subprocess.Popen(
                self.command,
                cwd=self._work,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )
        assert self._up.stdout is not None
        line = self._up.stdout.readline()
        assert line, self.said
        self.ready = json.loads(line)

    def keeper(self) -> psutil.Process:
        """What keeps everything running."""
        assert self._up is not None
        return psutil.Process(self._up.pid)

    @property
    def command(self) -> list[str]:
        """What starts everything."""
        ports = ["--smtp-port", "0", "--http-port", "0"]
        return [*ASSISTANT, "up", "--json", "--no-chat", "--data", str(self.data), *ports]

    @property
    def environment(self) -> dict[str, str]:
        inherited = {k: v for k, v in os.environ.items() if not k.startswith("ASSISTANT_")}
        mine = {"PYTHONPATH": str(_REPOSITORY), MARK: str(self.data)}
        return {**inherited, **self._settings, **mine}

    @property
    def said(self) -> str:
        """What ``up`` told people."""
        return self._log.read_text()

    def forget_what_was_said(self) -> None:
        self._log.write_text("")

    def end(self, *numbers: signal.Signals) -> int:
        """Send these one after the other, wait for its end; its exit code."""
        assert self._up is not None
        for number in numbers:
            self._up.send_signal(number)
            time.sleep(0.1)
        code = self._up.wait(PATIENCE)
        assert self._up.stdout is not None
        self._up.stdout.close()
        return code

    def run(self, *arguments: str, input: bytes = b"", code: int = 0) -> Any:
        """What a command prints as JSON. Fails unless it ends with ``code``."""
        ended = run(*arguments, "--json", data=self.data, input=input, env=self._settings)
        assert ended.code == code, ended
        return ended.value

    def processes(self) -> dict[int, psutil.Process]:
        """Descendants of any ``up`` of this data folder, dead or alive, by their pid."""
        mine: dict[int, psutil.Process] = {}
        for process in psutil.process_iter():
            try:
                told = process.environ().get(MARK, "")
                if told == str(self.data) and process.status() != psutil.STATUS_ZOMBIE:
                    mine[process.pid] = process
            except (psutil.Error, OSError):
                continue
        return mine

    def children(self) -> dict[str, int]:
        noted = json.loads((self.data / "run" / "children.json").read_text())
        return {name: int(child["pid"]) for name, child in noted.items()}


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """Up for the first time."""
    house = House(tmp_path_factory.mktemp("up"))
    house.up()
    yield house
    for process in house.processes().values():
        process.kill()


def test_it_says_when_it_is_ready_and_where_its_doors_are(first: House) -> None:
    assert first.ready["ready"] is True
    with smtplib.SMTP("127.0.0.1", first.ready["smtp_port"], timeout=10) as client:
        assert client.noop()[0] == 250
    assert first.run("status")["live"] is True


def test_a_second_one_on_the_same_directory_is_refused(first: House) -> None:
    ended = run("up", "--no-chat", data=first.data)
    assert ended.code == 1
    assert f"an assistant runs on {first.data} already" in ended.err
    assert first.run("status")["live"] is True


def test_a_folder_of_notes_that_is_removed_is_made_anew_and_still_locked(first: House) -> None:
    run_folder = first.data / "run"
    names = {"up.lock", "children.json", "endpoints.json", "settings.yaml"}
    rmtree(run_folder)
    until(
        lambda: run_folder.exists() and names <= {file.name for file in run_folder.iterdir()},
        "the notes are written anew",
    )
    ended = run("up", "--no-chat", data=first.data)
    assert f"an assistant runs on {first.data} already" in ended.err
    assert first.run("status")["live"] is True


def test_addresses_that_cannot_be_read_are_written_anew(first: House) -> None:
    file = first.data / "run" / "endpoints.json"
    addresses = file.read_text()
    file.write_text("{broken")
    until(lambda: file.read_text() == addresses, "the addresses are written anew")


def test_a_port_in_use_is_named(first: House, tmp_path: Path) -> None:
    port = str(first.ready["smtp_port"])
    ended = run("up", "--no-chat", "--smtp-port", port, data=tmp_path)
    assert ended.code == 1
    assert f"something listens on 127.0.0.1:{port}" in ended.err
    assert "--smtp-port" in ended.err


def _away() -> dict[str, dict[str, str]]:
    """Addresses where nobody listens, by the part of a doctor's that tries them."""
    bucket = {
        "ASSISTANT_BLOBS": "s3://mails",
        "ASSISTANT_S3_ENDPOINT": "http://127.0.0.1:1",
        "ASSISTANT_S3_REGION": "here",
        "ASSISTANT_S3_ACCESS_KEY": "key",
        "ASSISTANT_S3_SECRET_KEY": "secret",
    }
    return {
        "broker": {"ASSISTANT_BROKER_URL": "redis://127.0.0.1:1/0"},
        "database": {"ASSISTANT_DATABASE_URL": "postgresql://nobody@127.0.0.1:1/none"},
        "blobs": bucket,
    }


@pytest.mark.parametrize(("part", "env"), list(_away().items()), ids=list(_away()))
def test_what_the_settings_name_and_does_not_answer_ends_it_before_anything_is_started(
    part: str, env: dict[str, str], tmp_path: Path
) -> None:
    ended = run("up", "--no-chat", "--smtp-port=0", "--http-port=0", data=tmp_path, env=env)
    assert (ended.code, ended.out) == (4, "")
    found = run("doctor", "--json", data=tmp_path, env=env).value
    [said] = [one["said"] for one in found if one["id"] == part and not one["ok"]]
    assert _unnumbered(ended.err) == f"assistant: {_unnumbered(said)}\n"
    assert json.loads((tmp_path / "run" / "children.json").read_text()) == {}


def _unnumbered(said: str) -> str:
    """Without the name of the blob that was tried, which is another each time."""
    return re.sub(r"check/[0-9a-f]+", "check", said)


def test_a_broker_that_is_none_ends_with_3(tmp_path: Path) -> None:
    ended = run("up", "--no-chat", data=tmp_path, env={"ASSISTANT_BROKER_URL": "here"})
    assert ended.code == 3
    assert "ASSISTANT_BROKER_URL" in ended.err


def test_a_worker_that_is_killed_is_started_again_and_its_work_goes_on(first: House) -> None:
    killed = [first.children()[name] for name in ("worker", "tools")]
    families = [child.pid for pid in killed for child in psutil.Process(pid).children()]
    assert families
    for pid in killed:
        os.kill(pid, signal.SIGKILL)
    mail = first.run("mail", "add", "-", input=MAIL)
    assert mail["state"] == "announced"
    assert not set(killed) & set(first.children().values())
    until(lambda: not any(map(psutil.pid_exists, families)), "orphans to end")


def test_a_parked_call_outlives_a_sigkill_and_its_orphans_are_reaped(first: House) -> None:
    said = first.run("chat", "--once", 'create "Pay the rent" 2031-03-04 10:00-10:30', code=6)
    [handle] = said["waiting"]
    orphans = set(first.processes())
    assert len(orphans) > 5
    assert first.end(signal.SIGKILL) == -signal.SIGKILL
    first.up()
    assert "reaped" in first.said
    assert not orphans & set(first.processes())
    [mail] = first.run("mail", "list")
    assert mail["subject"] == "Rent"
    [waiting] = first.run("approvals", "list")
    assert waiting["id"] == handle
    approved = first.run("approvals", "approve", handle)
    assert (approved["accepted"], approved["state"]) == (True, "done")
    [event] = first.run("agenda", "2031-03-01 to 2031-03-07")["events"]
    assert event["title"] == "Pay the rent"
    again = first.run("chat", "--once", "what is on 2031-03-04")
    assert again["conversation"] == said["conversation"]


def test_signals_end_every_process_and_keep_what_there_is(first: House) -> None:
    assert first.processes()
    assert first.end(signal.SIGTERM, signal.SIGINT, signal.SIGTERM) == 0
    assert first.processes() == {}
    assert "everything is kept" in first.said
    assert not (first.data / "run" / "endpoints.json").exists()


def until(look: Callable[[], T], what: str) -> T:
    give_up = time.monotonic() + PATIENCE
    while not (found := look()):
        assert time.monotonic() < give_up, what
        time.sleep(0.05)
    return found


def test_a_second_one_with_a_private_calendar_on_the_same_database_is_refused(
    tmp_path: Path,
) -> None:
    url = f"sqlite:///{tmp_path / 'shared.sqlite3'}"
    (tmp_path / "a").mkdir()
    house = House(tmp_path / "a", database_url=url)
    house.up()
    env = {"ASSISTANT_DATABASE_URL": url}
    try:
        ended = run(
            "up", "--no-chat", "--smtp-port=0", "--http-port=0", data=tmp_path / "b", env=env
        )
        assert (ended.code, ended.out) == (1, "")
        assert "an assistant with a private calendar works on this database" in ended.err
        assert "ASSISTANT_CALDAV_URL" in ended.err
        assert house.run("status")["live"] is True
    finally:
        assert house.end(signal.SIGTERM) == 0
    other = House(tmp_path / "b", database_url=url)
    other.up()
    assert other.end(signal.SIGTERM) == 0


def test_to_be_stopped_just_when_it_is_ready_stops_every_part(tmp_path: Path) -> None:
    house = House(tmp_path)
    house.up()  # from now on a smaller program keeps the parts, in the same process
    assert house.end(signal.SIGTERM) == 0
    assert house.processes() == {}
    assert "everything is kept in" in house.said


def test_what_keeps_the_parts_running_is_small_and_still_the_one_that_was_started(
    tmp_path: Path,
) -> None:
    house = House(tmp_path)
    house.up()
    try:
        keeper = house.keeper()
        until(lambda: "workers.processes.keeper" in keeper.cmdline(), "the smaller program")
        assert keeper.memory_full_info().uss < 24 * 1024 * 1024
        killed = house.children()["doors"]
        os.kill(killed, signal.SIGKILL)
        until(lambda: house.children()["doors"] != killed, "the part is started again")
        assert {child.pid for child in keeper.children()} == set(house.children().values())
    finally:
        assert house.end(signal.SIGINT) == 0
