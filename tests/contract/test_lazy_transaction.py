"""A transaction's two ways to the database, prepared and composed, are one transaction."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

import pytest
from sqlalchemy import text

from assistant.adapters.sql.driver import Engines, make_engines
from assistant.adapters.sql.driver.autocommit import KEPT_CONNECTIONS
from assistant.adapters.sql.store import SqlStore, SqlTx
from assistant.domain.errors import Denied, NotFound, Unreachable
from assistant.domain.jobs import Cause
from assistant.domain.mail import MailQuery, MailState
from assistant.domain.messages import Think
from assistant.ports import Tx
from tests.bed import Bed
from tests.servers.radicale import free_port
from tests.stores import opened, sql_store

T = TypeVar("T")


@pytest.fixture(params=["sqlite", "postgres"])
def bed(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Bed]:
    with opened(request.param, folder=tmp_path, request=request) as make:
        yield Bed(make)


@pytest.mark.parametrize("prepared_first", [True, False])
def test_what_is_done_either_way_is_undone_together(bed: Bed, prepared_first: bool) -> None:  # noqa: FBT001 (pytest)
    mail = bed.mail()

    def stumble(tx: Tx) -> None:
        if not prepared_first:
            tx.first_sight("terminal", "1")
        tx.move_mail(tx.mail(mail.id, lock=True), MailState.READ, subject="New")
        tx.first_sight("terminal", "1")
        assert tx.count_mails(MailQuery(state=MailState.READ)) == 1
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        bed.write(stumble)
    assert bed.look(lambda tx: tx.mail(mail.id)) == mail
    assert bed.write(lambda tx: tx.first_sight("terminal", "1"))


@pytest.mark.parametrize("prepared_first", [True, False])
def test_both_ways_look_at_one_moment(bed: Bed, prepared_first: bool) -> None:  # noqa: FBT001 (pytest)
    mail = bed.mail()
    stored = MailQuery(state=MailState.STORED)
    with bed.store.read(bed.me) as tx:
        if prepared_first:
            tx.mail(mail.id)
        else:
            tx.count_mails(stored)
        bed.write(lambda other: other.move_mail(mail, MailState.READ))
        assert tx.mail(mail.id).state is MailState.STORED
        assert tx.count_mails(stored) == 1
    assert bed.look(lambda tx: tx.mail(mail.id)).state is MailState.READ


def test_a_connection_that_looked_can_write_afterwards(bed: Bed) -> None:
    mail = bed.mail()
    for number in range(3):
        with pytest.raises(NotFound):
            bed.look(lambda tx: tx.mail("nothing like it"))
        bed.look(lambda tx: tx.mail(mail.id))
        bed.emit(Think(id=str(number)))
    assert len(bed.store.jobs()) == 3


@pytest.mark.parametrize("composed", [True, False])
@pytest.mark.parametrize("step", ["reset_isolation_level", "set_readonly"])
def test_who_is_interrupted_on_leaving_a_look_keeps_nobody_from_writing(
    composed: bool,  # noqa: FBT001 (pytest)
    step: str,
    request: pytest.FixtureRequest,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with opened("postgres", folder=tmp_path, request=request) as make:
        bed = Bed(make)
        mail = bed.mail()

        def interrupt(*_: object) -> None:
            raise KeyboardInterrupt

        def look(tx: Tx) -> None:
            tx.mail(mail.id)
            if composed:
                tx.count_mails(MailQuery())
            monkeypatch.setattr(engines_of(bed).write.dialect, step, interrupt)

        with suppress(KeyboardInterrupt):
            bed.look(look)
        monkeypatch.undo()
        for _ in range(3):
            bed.write(lambda tx: tx.first_sight("terminal", "1"))
        assert engines_of(bed).write.pool.checkedout() == 0  # type: ignore[attr-defined]  # QueuePool


def test_who_only_looks_is_denied_by_the_database_too(bed: Bed) -> None:
    mail = bed.mail()

    def write(tx: Tx) -> None:
        assert isinstance(tx, SqlTx)
        tx.mail(mail.id)
        tx._transaction.run(text("DELETE FROM mail"))

    with pytest.raises(Denied):
        bed.look(write)
    assert bed.look(lambda tx: tx.mail(mail.id)) == mail


@pytest.mark.parametrize("writing", [True, False])
def test_a_connection_that_breaks_is_told_of_and_replaced(
    writing: bool,  # noqa: FBT001 (pytest)
    request: pytest.FixtureRequest,
    tmp_path: Path,
) -> None:
    with opened("postgres", folder=tmp_path, request=request) as make:
        bed = Bed(make)
        mail = bed.mail()

        def lose(tx: Tx) -> None:
            tx.mail(mail.id)
            end_all_but_one(bed)
            tx.mail(mail.id)

        with pytest.raises(Unreachable):
            (bed.write if writing else bed.look)(lose)
        assert bed.look(lambda tx: tx.mail(mail.id)) == mail
        bed.write(lambda tx: tx.move_mail(mail, MailState.READ))


def end_all_but_one(bed: Bed) -> None:
    """End every transaction on the server but the one that this is said in."""
    with engines_of(bed).unflushed.connect() as connection:
        connection.execute(
            text(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE state = 'idle in transaction' AND pid <> pg_backend_pid()"
            )
        )


def engines_of(bed: Bed) -> Engines:
    assert isinstance(bed.store, SqlStore)
    return bed.store._engines


def test_who_writes_a_job_that_is_locked_keeps_nobody_else_waiting(
    request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    with opened("postgres", folder=tmp_path, request=request) as make:
        bed = Bed(make)
        locked, *others = [bed.emit(Think(id=f"t{n}")) for n in range(5)]
        with ThreadPoolExecutor(1) as pool:
            with engines_of(bed).write.begin() as connection:
                lock = text("UPDATE job SET worker = 'somebody' WHERE id = :id")
                connection.execute(lock, {"id": locked})
                waits = pool.submit(bed.store.claim, locked, worker="worker")
                for name in others:
                    bed.end(bed.claimed(name))
                assert not waits.done()
            assert waits.result(30) is not None


def test_a_statement_that_fails_fails_no_other_and_none_later(
    request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    stranger = Cause(owner="nobody", trace="c" * 32)
    with opened("postgres", folder=tmp_path, request=request) as make:
        bed = Bed(make)

        def fail(number: int) -> None:
            with pytest.raises(NotFound):
                bed.write(lambda tx: tx.emit(Think(id=f"x{number}")), cause=stranger)

        def work(number: int) -> None:
            bed.end(bed.claimed(bed.emit(Think(id=f"t{number}"))))

        with ThreadPoolExecutor(4) as pool:
            done = [pool.submit(act, n) for n in range(60) for act in (fail, work)]
        for one in done:
            one.result()


def well_again(act: Callable[[], T]) -> T:
    """What it gives once each connection that broke was met; those are a few."""
    for _ in range(2 * KEPT_CONNECTIONS):
        with suppress(Unreachable):
            return act()
    return act()


@pytest.mark.parametrize("address", ["postgresql://me@127.0.0.1:{port}/db", "sqlite:///{there}"])
def test_a_database_that_is_away_is_told_of_whatever_is_asked_first(
    address: str, tmp_path: Path
) -> None:
    nowhere = tmp_path / "gone"
    nowhere.mkdir()
    engines = make_engines(address.format(port=free_port(), there=nowhere / "file"))
    nowhere.rmdir()
    bed = Bed(lambda bell, clock: sql_store(engines, bell, clock))
    for act in (
        bed.emit,
        lambda: bed.store.claim("think:t", worker="worker"),
        lambda: bed.store.waits("think:t"),
        bed.store.held,
        lambda: bed.look(lambda tx: tx.mail("m")),
        lambda: bed.write(lambda tx: tx.first_sight("terminal", "1")),
    ):
        with pytest.raises(Unreachable):
            act()
    engines.dispose()


def test_connections_that_are_kept_at_hand_are_replaced_when_they_break(
    request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    with opened("postgres", folder=tmp_path, request=request) as make:
        bed = Bed(make)
        bed.claimed(bed.emit(Think(id="before")))
        engines = engines_of(bed)
        kept = [one for there in engines.autocommit._kept.values() for one, _ in there]
        assert kept
        with engines.read.connect() as connection:
            for one in kept:
                pid = one.driver_connection.info.backend_pid
                connection.execute(text("SELECT pg_terminate_backend(:pid)"), {"pid": pid})
        name = well_again(lambda: bed.emit(Think(id="t")))
        assert well_again(lambda: bed.store.waits(name))
        bed.end(well_again(lambda: bed.claimed(name)))
