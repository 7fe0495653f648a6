"""A backup while `up` runs and others write, tried by restoring; and backups that are killed."""

import signal
import smtplib
import sqlite3
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Self

import pytest

from tests.process.command import run
from tests.process.test_up import ASSISTANT, House, until
from workers.backup.manifest import MANIFEST
from workers.data_folder import SQLITE

pytestmark = pytest.mark.slow

_SENDERS = 3
_FILLED = 40 * 1024 * 1024
"""Bytes in the database, so that copying it takes a while."""


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """An assistant that runs, with so many rows that a copy of them takes a while."""
    made = House(tmp_path_factory.mktemp("backup"))
    made.up()
    with closing(sqlite3.connect(made.data / SQLITE, timeout=30)) as opened, opened:
        opened.execute("CREATE TABLE filling (data BLOB)")
        opened.executemany(
            "INSERT INTO filling VALUES (randomblob(?))", [(1024 * 1024,)] * (_FILLED // 1024**2)
        )
    yield made
    for process in made.processes().values():
        process.kill()


class Senders:
    """People who send mail and write files all the time."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._stop = threading.Event()
        self.accepted: list[int] = []
        self._threads = [
            threading.Thread(target=self._send, args=(number,)) for number in range(_SENDERS)
        ]

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join()

    def _send(self, first: int) -> None:
        number = first
        with smtplib.SMTP("127.0.0.1", self._house.ready["smtp_port"], timeout=60) as client:
            while not self._stop.is_set():
                raw = f"From: a@example.org\r\nSubject: No {number}\r\n\r\nBody {number}.\r\n"
                client.sendmail("a@example.org", ["inbox@localhost"], raw.encode())
                self.accepted.append(number)
                number += _SENDERS


def backup(house: House, to: Path) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        [*ASSISTANT, "backup", str(to), "--data", str(house.data), "--json"],
        env=house.environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def test_what_was_accepted_before_is_in_it_whole_and_writers_go_on(
    house: House, tmp_path: Path
) -> None:
    with Senders(house) as senders:
        until(lambda: len(senders.accepted) > 20, "mails come in")
        before, began = len(senders.accepted), time.monotonic()
        sent = set(senders.accepted)
        process = backup(house, tmp_path / "backup")
        _, err = process.communicate(timeout=120)
        took = time.monotonic() - began
        during = len(senders.accepted) - before
    assert process.returncode == 0, err
    assert during > took, f"{during} mails in {took:.1f} s"

    new = tmp_path / "new"
    assert run("restore", str(tmp_path / "backup"), data=new).code == 0
    with closing(sqlite3.connect(new / SQLITE)) as opened:
        rows = opened.execute("SELECT subject, raw, body FROM mail").fetchall()
        jobs = opened.execute("SELECT count(*) FROM job").fetchone()[0]
    assert len(rows) >= len(sent)
    blobs = {path.name for path in (new / "blobs").rglob("*")}
    assert all(raw.rpartition("/")[2] in blobs for _, raw, _ in rows)
    assert all(body.rpartition("/")[2] in blobs for _, _, body in rows if body)
    assert jobs > 0
    assert run("audit", "verify", data=new).code == 0

    again = House(tmp_path / "again")
    again.data = new
    (tmp_path / "again").mkdir()
    again.up()
    try:
        until(lambda: _announced(again) >= len(rows), "what waited in it is done")
        subjects = {mail["subject"] for mail in again.run("mail", "list", "--limit", "1000")}
        assert {f"No {number}" for number in sent} <= subjects
        assert (new / "installation").read_text() != (house.data / "installation").read_text()
    finally:
        again.end(signal.SIGTERM)
    assert house.run("status")["live"] is True


def _announced(house: House) -> int:
    facts: dict[str, Any] = house.run("status")
    return int(facts["mails"].get("announced", 0))


def test_a_backup_that_is_killed_is_none_and_the_next_one_is_whole(
    house: House, tmp_path: Path
) -> None:
    to = tmp_path / "backup"
    for pause in (0.0, 0.02, 0.1, 0.3):
        process = backup(house, to)
        _kill(process, pause, once=lambda: bool(_parts(to)))
        if to.exists():  # it was done before
            assert (to / MANIFEST).exists()
            break
        for part in _parts(to):
            if not (part / MANIFEST).exists():
                assert run("restore", str(part), data=tmp_path / "new").code == 1
                assert not (tmp_path / "new").exists()
    assert run("backup", str(tmp_path / "whole"), data=house.data).code == 0
    assert run("restore", str(tmp_path / "whole"), data=tmp_path / "new").code == 0


def _kill(process: "subprocess.Popen[bytes]", pause: float, *, once: Callable[[], bool]) -> None:
    """Kill a process so many seconds after it has begun."""
    until(lambda: once() or process.poll() is not None, "it has begun")
    time.sleep(pause)
    process.kill()
    process.communicate()


def _parts(to: Path) -> list[Path]:
    return list(to.parent.glob(f".{to.name}.*.part"))


def test_a_restore_that_is_killed_is_done_again(house: House, tmp_path: Path) -> None:
    taken, new = tmp_path / "backup", tmp_path / "new"
    assert run("backup", str(taken), data=house.data).code == 0
    for pause in (0.0, 0.05, 0.2, 0.5):
        process = subprocess.Popen(
            [*ASSISTANT, "restore", str(taken), "--data", str(new)],
            env=house.environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        _kill(process, pause, once=new.exists)
        if (new / ".restoring").exists():
            assert "was cut off" in run("status", data=new).err
        else:
            break
    if (new / ".restoring").exists() or not new.exists():
        assert run("restore", str(taken), data=new).code == 0
    assert run("audit", "verify", data=new).code == 0
    assert not (new / ".restoring").exists()


def test_a_folder_on_which_it_runs_is_not_restored_to(house: House, tmp_path: Path) -> None:
    taken = tmp_path / "backup"
    assert run("backup", str(taken), data=house.data).code == 0
    ended = run("restore", str(taken), data=house.data)
    assert (ended.code, "an assistant runs on" in ended.err) == (1, True)
    assert house.run("status")["live"] is True
