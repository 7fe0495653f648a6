"""Which claims a start releases: those of its own dead processes, and of nobody else."""

import multiprocessing
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from assistant.adapters.sql.store import SqlStore
from assistant.domain.jobs.job import Cause
from assistant.domain.messages import Think
from tests.servers.postgres import PostgresServer
from workers.data_folder import DataFolder
from workers.parts import Assistant, silent_assistant
from workers.processes.supervisor import Supervisor, prepare_database
from workers.processes.worker_id import WorkerId, claims_of_the_dead
from workers.settings import OWNER, Settings, only

HERE = WorkerId.of_this_process("a" * 16)


def _ended() -> int:
    """Return the pid of a process that has ended."""
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


def released(*workers: WorkerId | str) -> list[str]:
    holders = {str(number): str(worker) for number, worker in enumerate(workers)}
    return claims_of_the_dead(holders, here=HERE)


def test_an_id_is_read_as_it_was_written() -> None:
    for id in (HERE, replace(HERE, pid_namespace="", start="")):
        assert WorkerId.parse(str(id)) == id


@pytest.mark.parametrize(
    "text", ["", "w1", "host/17", "w1 a b c d e", "w1 a b c 17", "w1 a b c 17 5 6", "w2 a b c 17 5"]
)
def test_what_is_no_id_is_none(text: str) -> None:
    assert WorkerId.parse(text) is None
    assert released(text) == []


def test_a_dead_process_of_ones_own_holds_nothing() -> None:
    assert released(replace(HERE, pid=_ended())) == ["0"]


def test_a_living_process_keeps_what_it_holds() -> None:
    assert released(HERE) == []
    assert released(replace(HERE, start="")) == []


def test_a_pid_that_another_process_has_now_holds_nothing() -> None:
    assert released(replace(HERE, start="1")) == ["0"]


@pytest.mark.parametrize(
    "other",
    [
        replace(HERE, installation="b" * 16),
        replace(HERE, boot="b" * 16),
        replace(HERE, pid_namespace="7"),
    ],
    ids=["installation", "boot", "name-space"],
)
def test_what_another_holds_is_left_alone(other: WorkerId) -> None:
    assert released(replace(other, pid=_ended())) == []


def test_what_an_older_version_holds_is_left_to_its_lease() -> None:
    assert released(f"{os.uname().nodename}/{_ended()}") == []


def test_without_an_installation_or_a_boot_nothing_is_ones_own() -> None:
    for here in (replace(HERE, installation=""), replace(HERE, boot="")):
        assert claims_of_the_dead({"0": str(replace(here, pid=_ended()))}, here=here) == []


def test_after_a_fork_it_is_another(tmp_path: Path) -> None:
    assistant = silent_assistant(only(data_dir=tmp_path))
    with multiprocessing.get_context("fork").Pool(1) as pool:
        [text] = pool.map(_own_id, [assistant.data_folder.installation()])
        forked = WorkerId.parse(text)
        assert forked is not None
        assert forked.is_beside(WorkerId.of_this_process(assistant.data_folder.installation()))
        assert forked.pid != os.getpid()


def _own_id(installation: str) -> str:
    return str(WorkerId.of_this_process(installation))


@pytest.mark.slow
@pytest.mark.parametrize("proc", ["--mount-proc", ""], ids=["own-proc", "foreign-proc"])
def test_another_name_space_of_pids_is_another_place(proc: str) -> None:
    ask = "from workers.processes.worker_id import *; print(WorkerId.of_this_process('a' * 16))"
    shell = ["unshare", "--user", "--map-root-user", "--pid", "--fork", *filter(None, [proc])]
    told = subprocess.run([*shell, sys.executable, "-c", ask], capture_output=True, check=True)
    there = WorkerId.parse(told.stdout.decode())
    assert there is not None
    assert there.boot == HERE.boot
    assert not there.is_beside(HERE)


def test_an_installation_has_one_id_however_often_it_is_asked(tmp_path: Path) -> None:
    settings = only(data_dir=tmp_path / "one")
    DataFolder(settings).open()
    assert DataFolder(settings).installation() == DataFolder(settings).installation()
    other = DataFolder(only(data_dir=tmp_path / "two"))
    other.open()
    assert other.installation() != DataFolder(settings).installation()


def test_an_installation_that_cannot_keep_its_id_is_like_no_other(tmp_path: Path) -> None:
    nowhere = DataFolder(only(data_dir=tmp_path / "nowhere"))
    assert nowhere.installation() != nowhere.installation()
    assert not nowhere.root.exists()


# Two hosts of one name


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.weather)])
def hosts(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[list[Assistant]]:
    """Two installations on one database, on machines that have one name."""
    if request.param == "sqlite":
        url = f"sqlite:///{tmp_path}/shared.sqlite3"
    else:
        server: PostgresServer = request.getfixturevalue("postgres")
        url = server.url(server.make_database())
    made = [
        silent_assistant(only(data_dir=tmp_path / name, database_url=url)) for name in ("a", "b")
    ]
    for assistant in made:
        prepare_database(assistant)
    yield made
    for assistant in made:
        assistant.close()


def test_a_host_does_not_take_what_another_of_its_name_is_doing(hosts: list[Assistant]) -> None:
    first, second = hosts
    _claim(first.store, "t1", replace(_id_of(first), pid=_ended()))
    _claim(second.store, "t2", replace(_id_of(second), pid=_ended()))
    assert _release_dead(second.settings) == 1
    assert list(first.store.held()) == ["think:t1"]
    assert _release_dead(first.settings) == 1
    assert first.store.held() == {}


def _id_of(assistant: Assistant) -> WorkerId:
    return WorkerId.of_this_process(assistant.data_folder.installation())


def _claim(store: SqlStore, id: str, worker: WorkerId) -> None:
    with store.begin(Cause(owner=OWNER, trace="a" * 32)) as tx:
        tx.emit(Think(id=id))
    assert store.claim(f"think:{id}", worker=str(worker))


def _release_dead(settings: Settings) -> int:
    supervisor = Supervisor(settings, say=lambda *_: None)
    supervisor.assistant = silent_assistant(settings)
    try:
        return supervisor._release_dead_workers()
    finally:
        supervisor.assistant.close()


def test_a_bus_claims_as_the_process_that_it_runs_in(tmp_path: Path) -> None:
    assistant = silent_assistant(only(data_dir=tmp_path))
    prepare_database(assistant)
    with assistant.store.begin(assistant.cause()) as tx:
        tx.emit(Think(id="t"))
    claimed: list[str] = []
    claim = assistant.store.claim

    def spy(job: str, *, worker: str) -> None:
        claimed.append(worker)
        claim(job, worker=worker)

    assistant.store.claim = spy  # type: ignore[method-assign]
    assistant.bus.answer("think:t")
    assistant.close()
    assert claimed == [str(WorkerId.of_this_process(assistant.data_folder.installation()))]
