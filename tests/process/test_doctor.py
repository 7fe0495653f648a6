"""What a doctor says of the machine and of the work: is it well, and what is to be done."""

import fcntl
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import psutil
import pytest

from assistant.domain.calls.states import CallState
from assistant.domain.calls.tool_errors import ErrorType, ToolError
from assistant.domain.mail.mail import MailState
from assistant.domain.messages import Queue, Think
from tests.bed import a_call, a_mail
from tests.process.command import Ended, run
from workers.data_folder import DataFolder, Endpoints, Started
from workers.parts import Assistant, silent_assistant
from workers.processes.supervisor import prepare_database
from workers.settings import only

ENV = {"ASSISTANT_DISK_FREE_MIB": "0", "ASSISTANT_CALDAV_URL": "http://127.0.0.1:1/"}
"""No calendar is started for a doctor here, so that the line of the calendar is always wrong."""
MACHINE = (
    "space",
    "up",
    "workers",
    "tick",
    "queues",
    "notices",
    "mail",
    "copy of the calendar",
    "calls",
)


@pytest.fixture
def assistant(tmp_path: Path) -> Iterator[Assistant]:
    made = silent_assistant(only(data_dir=tmp_path / "data"))
    prepare_database(made)
    yield made
    made.close()


def examined(assistant: Assistant, **more: str) -> dict[str, tuple[bool, str]]:
    """What it says of each part of the machine and of the work."""
    ended = run("doctor", "--json", data=assistant.settings.data_dir, env=ENV | more)
    assert ended.code == 1, ended
    return {one["id"]: (one["ok"], one["said"]) for one in ended.value if one["id"] in MACHINE}


def wrong(assistant: Assistant, **more: str) -> dict[str, str]:
    return {id: said for id, (ok, said) in examined(assistant, **more).items() if not ok}


@contextmanager
def up_runs(folder: DataFolder) -> Iterator[None]:
    """Hold the lock as `up` does."""
    descriptor = os.open(folder.up_lock, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def living() -> Started:
    return Started(pid=os.getpid(), began=psutil.Process().create_time())


def dead() -> Started:
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return Started(pid=process.pid, began=1.0)


def cross_every_queue(assistant: Assistant) -> None:
    for queue in Queue:
        bell = assistant.store.sent_canary(queue)
        assistant.store.passed_canary(bell.job, queue)
    assistant.store.raise_high_water()


@pytest.mark.parametrize("form", [(), ("--json",)], ids=["words", "json"])
def test_before_the_first_start_it_says_so_and_makes_nothing(
    form: tuple[str, ...], tmp_path: Path
) -> None:
    nowhere = tmp_path / "misspelt" / "x"
    ended: Ended = run("doctor", *form, data=nowhere)
    assert ended.code == 7
    assert "was never started" in ended.out
    assert "run `assistant up`" in ended.out
    assert str(nowhere) in ended.err
    assert list(tmp_path.iterdir()) == []
    if form:
        assert [(one["id"], one["ok"]) for one in ended.value] == [
            ("settings", True),
            ("up", False),
        ]


def test_where_only_commands_were_given_nothing_is_wrong(assistant: Assistant) -> None:
    found = examined(assistant)
    assert "tick" not in found
    assert all(ok for ok, _ in found.values()), found
    assert "never started" in found["up"][1]


def test_an_assistant_that_was_killed_is_said_to_be_dead(assistant: Assistant) -> None:
    folder = assistant.data_folder
    folder.up_lock.touch()
    folder.write_children({"worker": dead(), "doors": living()})
    said = wrong(assistant)["up"]
    assert "ended without stopping its parts; 1 of its parts are left: run it again" in said
    folder.forget_children()
    folder.write_endpoints(Endpoints(http_port=1))
    assert "ended without stopping its parts: run it again" in wrong(assistant)["up"]


def test_an_assistant_that_was_stopped_in_order_is_well(assistant: Assistant) -> None:
    assistant.data_folder.up_lock.touch()
    assistant.data_folder.forget_children()
    assert examined(assistant)["up"] == (True, "is stopped; `assistant up` starts it")


def test_a_child_that_does_not_live_is_named(assistant: Assistant) -> None:
    folder = assistant.data_folder
    with up_runs(folder):
        folder.write_children({"worker": living(), "doors": dead()})
        assert wrong(assistant)["up"].startswith("doors: `assistant up` starts what ended again")
        folder.write_children({"worker": living()})
        assert examined(assistant)["up"] == (True, "runs; live: worker")


def test_a_pid_that_is_anothers_now_is_no_child(assistant: Assistant) -> None:
    folder = assistant.data_folder
    with up_runs(folder):
        folder.write_children({"worker": replace(living(), start="of another boot 1")})
        assert "worker" in wrong(assistant)["up"]


def test_a_start_is_not_kept_from_its_lock_by_a_look_at_it(assistant: Assistant) -> None:
    examined(assistant)
    with up_runs(assistant.data_folder):
        pass


def test_under_up_queues_that_do_not_move_and_a_tick_that_does_not_come_are_wrong(
    assistant: Assistant,
) -> None:
    with up_runs(assistant.data_folder):
        found = wrong(assistant)
        assert (
            "interactive (never), ingest (never), tools (never), slow (never)" in found["workers"]
        )
        assert "no tick lately (never)" in found["tick"]
        cross_every_queue(assistant)
        assistant.data_folder.write_endpoints(Endpoints(broker_url="redis://127.0.0.1:1/0"))
        assert wrong(assistant) == {}


def test_where_the_parts_run_on_other_machines_the_queues_and_the_tick_tell(
    assistant: Assistant,
) -> None:
    elsewhere = {
        "ASSISTANT_DATABASE_URL": assistant.data_folder.database_url,
        "ASSISTANT_BROKER_URL": "redis://127.0.0.1:1/0",
    }
    found = examined(assistant, **elsewhere)
    assert found["up"] == (True, "none runs here; the parts are started one by one")
    assert {"workers", "tick"} <= wrong(assistant, **elsewhere).keys()
    cross_every_queue(assistant)
    assert wrong(assistant, **elsewhere) == {}


def test_a_copy_of_the_calendar_that_cannot_be_synced_is_named(assistant: Assistant) -> None:
    source, store, cause = "here", assistant.store, assistant.cause()
    assert examined(assistant)["copy of the calendar"] == (
        True,
        "none yet; `assistant up` keeps one",
    )
    with store.begin(cause) as tx:
        copy = tx.begin_sync("home", source=source, zone="UTC")
        tx.end_sync(copy, token="1", kind="ctag", synced=assistant.clock.now(), seen=0)
    ok, said = examined(assistant)["copy of the calendar"]
    assert ok
    assert said.startswith("true as of ")
    assert said.endswith(", by ctag")
    with store.begin(cause) as tx:
        tx.fail_sync(source, "it is gone")
    assert wrong(assistant)["copy of the calendar"].endswith("cannot be synced: it is gone")


def test_due_work_that_nobody_claims_is_counted_by_its_queue(assistant: Assistant) -> None:
    now = assistant.clock.now()
    with assistant.store.begin(assistant.cause()) as tx:
        tx.emit(Think(id="new"), due=now)
        tx.emit(Think(id="later"), due=now + timedelta(hours=1))
    assert wrong(assistant) == {}
    with assistant.store.begin(assistant.cause()) as tx:
        tx.emit(Think(id="old"), due=now - timedelta(minutes=3))
        tx.emit(Think(id="older"), due=now - timedelta(days=2))
    said = wrong(assistant)["queues"]
    assert said.startswith("2 in interactive, due since ")
    assert said.endswith(": run `assistant up`")
    with up_runs(assistant.data_folder):
        assert wrong(assistant)["queues"].endswith(": see the logs of the workers")


def test_held_mails_are_grouped_by_reason(assistant: Assistant) -> None:
    with assistant.store.begin(assistant.cause()) as tx:
        for parts in (3, 4):
            mail = a_mail(id=f"{parts:016x}", sha256=str(parts))
            tx.add_mail(mail)
            tx.move_mail(mail, MailState.HELD, reason=f"it has {parts} parts")
    said = wrong(assistant)["mail"]
    assert "2 mails could not be read" in said
    assert "(2 as it has N parts), `assistant mail retry --all` tries again" in said


def test_a_held_mail_is_counted_with_what_to_do(assistant: Assistant) -> None:
    with assistant.store.begin(assistant.cause()) as tx:
        mail = a_mail()
        tx.add_mail(mail)
        tx.move_mail(mail, MailState.HELD, reason="it is torn")
    said = wrong(assistant)["mail"]
    assert said.startswith(
        "1 mail could not be read: `assistant mail list --state could-not-be-read`"
    )


def test_a_call_of_which_nobody_knows_whether_it_happened_is_named(assistant: Assistant) -> None:
    with assistant.store.begin(assistant.cause()) as tx:
        conversation = tx.conversation_in("terminal", "owner", idle=60.0).id
        for ordinal, type in enumerate((ErrorType.UNKNOWN_OUTCOME, ErrorType.NETWORK)):
            call = tx.add_call(a_call(conversation, ordinal=ordinal))
            running = tx.move(call, CallState.RUNNING)
            tx.move(running, CallState.FAILED, failure=ToolError(type=type, message="?"))
    said = wrong(assistant)["calls"]
    assert said.startswith("of 1 call nobody knows whether it happened (A1)")
    assert "assistant calls show A1" in said


def test_too_little_space_is_wrong(assistant: Assistant) -> None:
    said = wrong(assistant, ASSISTANT_DISK_FREE_MIB="999999999")["space"]
    assert "999999999 MiB are wanted (ASSISTANT_DISK_FREE_MIB): free some" in said


def test_what_needs_no_database_is_said_without_one(assistant: Assistant) -> None:
    away = {"ASSISTANT_DATABASE_URL": "postgresql://nobody@127.0.0.1:1/none"}
    ended = run("doctor", "--json", data=assistant.settings.data_dir, env=away)
    found: dict[str, Any] = {one["id"]: one["ok"] for one in json.loads(ended.out)}
    assert found == {"settings": True, "space": True, "up": True, "database": False}
