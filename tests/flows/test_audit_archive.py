"""Old entries of the audit go to files of the archive, and nothing that is not on the disk goes."""

import errno
import logging
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import text

from assistant.adapters import audit_folder
from assistant.adapters.audit_folder import AuditFolder
from assistant.adapters.head_file import HeadFile
from assistant.adapters.sql.store import SqlStore, SqlTx
from assistant.domain.audit.chain import Head, Verified
from assistant.domain.audit.cuts import NotArchived
from assistant.domain.audit.entry import AuditEntry
from assistant.domain.audit.lines import Header, verify_lines
from assistant.domain.calls.call import Call
from assistant.domain.calls.effects import EffectState
from assistant.domain.calls.states import CallState
from assistant.domain.errors import AssistantError, Conflict, Unreachable
from assistant.domain.governance.modes import Mode
from assistant.domain.limits import Retention
from assistant.flows.operations import audit_archive
from assistant.flows.operations.audit_archive import EVERY, RESTS, AuditArchiver, archive_old
from assistant.flows.operations.audit_chain import chain_all, export, verify_stored
from ingest.forget import forget_mail
from tests.bed import Bed, a_call, an_effect, race
from tests.flows.test_forgetting import LUNCH, WORDS, nothing_is_left
from tests.stores import opened, sqlite_stores, unguarded
from tests.world import World

MONTH = timedelta(days=30)


@pytest.fixture(autouse=True)
def _small_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audit_archive, "FEWEST", 3)
    monkeypatch.setattr(audit_archive, "MOST", 5)
    monkeypatch.setattr(audit_archive, "_PAGE", 2)


@dataclass
class House:
    """A store, and the data folder beside it."""

    bed: Bed
    data: Path

    @property
    def folder(self) -> Path:
        return self.data / "audit-archive"

    @property
    def heads(self) -> HeadFile:
        return HeadFile(self.data / "audit-heads.log")

    @property
    def archive(self) -> AuditFolder:
        return AuditFolder(self.folder)

    def notes(self, count: int, *, days: float = 0) -> None:
        for n in range(count):
            self.bed.write(lambda tx, n=n: tx.note(AuditEntry(kind=f"a.{n}")))  # type: ignore[misc]
        self.chains()
        self.bed.clock.passes(days=days)

    def chains(self) -> None:
        chain_all(self.bed.store, batches=99)
        self.heads.keep(self.bed.store.heads(), at=self.bed.clock.now())

    def archives(self) -> int:
        now = self.bed.clock.now()
        return archive_old(
            store=self.bed.store,
            archive=self.archive,
            heads=self.heads,
            now=now,
            before=now - MONTH,
            cause=self.bed.me,
        )

    def verified(self, held: str = "") -> Verified:
        kept = self.heads.kept("owner")
        return verify_stored(store=self.bed.store, cause=self.bed.me, held=held, kept=kept)

    def whys(self) -> list[str]:
        return [fault.why for fault in self.verified().faults]

    def files(self) -> list[str]:
        return sorted(file.name for file in self.folder.glob("*"))

    def left(self) -> list[str]:
        return [entry.kind for entry in self.bed.look(lambda tx: tx.audit(limit=999))]

    def exports(self) -> list[str]:
        now = self.bed.clock.now()
        return list(export(store=self.bed.store, cause=self.bed.me, now=now))

    def change(self, *statements: str) -> None:
        assert isinstance(self.bed.store, SqlStore)
        with self.bed.store._engines.write.begin() as connection, unguarded(connection):
            for statement in statements:
                assert connection.execute(text(statement)).rowcount


@pytest.fixture(params=["sqlite", "postgres"])
def house(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[House]:
    with opened(request.param, request) as make:
        yield House(Bed(make), tmp_path)


def in_sequence(house: House) -> list[str]:
    """The kinds of all entries in the archive and of those that are left, if they chain."""
    parts = [(house.folder / name).read_text().splitlines() for name in house.files()]
    last, kinds = Head(), []
    for lines in [*parts, house.exports()]:
        assert verify_lines(lines).fault is None
        header = Header.model_validate_json(lines[0])
        assert header.after == last
        last = header.head
        kinds += [AuditEntry.model_validate_json(line).kind for line in lines[1:]]
    return kinds


def test_files_chain_to_one_another_and_to_what_is_left(house: House) -> None:
    house.notes(12, days=31)
    house.notes(2)
    assert house.whys() == []
    assert house.archives() == 5
    assert house.whys() == []
    house.chains()
    assert house.archives() == 5
    assert house.archives() == 0  # two are not enough for a file
    assert house.whys() == []
    house.chains()
    found = house.verified()
    assert (found.faults, found.count, found.archived) == ((), 6, 10)
    assert list(found.archives) == house.files()
    assert house.files() == [
        "owner-0000000001-0000000005.jsonl",
        "owner-0000000006-0000000010.jsonl",
    ]
    assert in_sequence(house) == [
        *(f"a.{n}" for n in range(12)),
        *("a.0", "a.1"),
        *("audit.archived", "audit.archived"),
    ]


def test_the_entries_about_cuts_are_archived_in_their_turn(house: House) -> None:
    for _ in range(4):
        house.notes(6, days=31)
        house.notes(1)
        while house.archives():
            house.chains()
            assert house.whys() == []
    assert house.left().count("audit.archived") < len(house.files())
    assert in_sequence(house).count("audit.archived") == len(house.files())


def test_nothing_goes_by_default_or_before_its_time(house: House) -> None:
    assert Retention().audit == 0
    house.notes(20, days=29)
    assert house.archives() == 0
    house.bed.clock.passes(days=1000)
    keeper = archiver(house, days=0)
    assert [keeper.tick(house.bed.me) for _ in range(3)] == [0, 0, 0]
    assert len(house.left()) == 20
    assert not house.folder.exists()


def test_what_is_not_chained_and_the_newest_entry_stay(house: House) -> None:
    house.notes(4)
    house.bed.write(lambda tx: tx.note(AuditEntry(kind="loose")))
    house.bed.clock.passes(days=31)
    assert house.archives() == 3
    assert house.left() == ["a.3", "loose", "audit.archived"]
    house.chains()
    assert house.whys() == []


def test_a_head_of_an_archived_entry_is_found_in_its_file(house: House) -> None:
    house.notes(8, days=31)
    first, *_, last = house.bed.look(lambda tx: tx.chained(limit=5))
    assert house.archives() == 5
    assert house.verified(last.hash).fault is None  # where it was cut
    [fault] = house.verified(first.hash).faults
    assert "or it is that of an entry before place 5, where this begins" in fault.why
    [name] = house.files()
    lines = (house.folder / name).read_text().splitlines()
    assert verify_lines(lines, held=first.hash).fault is None


def test_an_export_since_a_time_is_what_it_was(house: House) -> None:
    house.notes(8, days=31)
    since = house.bed.clock.now()
    house.notes(2)
    house.archives()

    def exported() -> list[str]:
        now = house.bed.clock.now()
        return list(export(store=house.bed.store, cause=house.bed.me, now=now, since=since))

    found = verify_lines(exported())
    assert (found.fault, found.count) == (None, 2)


# What entries are about


def acted(bed: Bed) -> Call:
    """A call that was done, with its effect."""
    call = bed.write(lambda tx: tx.add_call(a_call(bed.conversation())))
    running = bed.write(lambda tx: tx.move(call, CallState.RUNNING))
    effect = an_effect(call, fence=running.fence)
    bed.write(lambda tx: tx.intend(effect))
    bed.clock.passes(minutes=1)
    bed.write(lambda tx: tx.record(effect.model_copy(update={"state": EffectState.DONE})))
    return bed.write(lambda tx: tx.move(running, CallState.DONE))


@pytest.mark.parametrize("most", [3, 4, 5, 6, 7])
def test_calls_whose_entries_are_archived_are_no_fault(
    house: House, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wherever the cut is: also between the entries of one call."""
    monkeypatch.setattr(audit_archive, "MOST", most)
    talk = house.bed.conversation()
    waits = house.bed.write(lambda tx: tx.add_call(a_call(talk, state=CallState.PARKED)))
    for _ in range(3):
        acted(house.bed)
    house.notes(1, days=31)
    house.bed.write(lambda tx: tx.move(waits, CallState.CLEARED))
    acted(house.bed)
    house.notes(1)
    assert house.whys() == []
    while house.archives():
        assert house.whys() == []
        house.chains()
    assert len(house.files()) >= 2
    assert house.whys() == []


def test_a_read_that_ended_a_moment_after_its_entry_is_no_fault(house: House) -> None:
    talk = house.bed.conversation()
    ended = house.bed.clock.now() + timedelta(milliseconds=5)
    read = a_call(talk, state=CallState.DONE, started=ended, ended=ended)
    for n in range(3):
        house.bed.write(lambda tx, n=n: tx.add_call(read.model_copy(update={"id": f"r{n}"})))  # type: ignore[misc]
    house.notes(1, days=31)
    assert house.archives() == 3
    assert house.whys() == []


def test_clocks_of_machines_that_differ_are_no_fault(house: House) -> None:
    """The call began where it was later than where it ended, which is in the next file."""
    talk = house.bed.conversation()
    house.notes(2)
    call = house.bed.write(lambda tx: tx.add_call(a_call(talk)))
    house.bed.clock.passes(hours=1)
    running = house.bed.write(lambda tx: tx.move(call, CallState.RUNNING))
    house.notes(1)
    house.bed.clock.passes(hours=-1)
    house.bed.write(lambda tx: tx.move(running, CallState.DONE))
    house.notes(5, days=31)
    assert (house.archives(), house.archives()) == (5, 5)
    assert house.whys() == []


def test_calls_whose_entries_are_left_are_compared(house: House) -> None:
    acted(house.bed)
    house.notes(4, days=31)
    acted(house.bed)
    house.notes(1)
    while house.archives():
        house.chains()
    house.change("UPDATE call SET state = 'failed' WHERE number = 2")
    house.change("UPDATE effect SET state = 'failed'")
    whys = house.whys()
    assert "A2 is failed, and the last entry says done" in whys
    assert "an effect of A2 is failed, and the last entry says done" in whys
    assert not [why for why in whys if "A1" in why]


def test_a_new_call_without_an_entry_is_a_fault_after_a_cut(house: House) -> None:
    acted(house.bed)
    house.notes(4, days=31)
    house.notes(1)
    assert house.archives()
    acted(house.bed)
    house.change("DELETE FROM audit WHERE place IS NULL AND kind <> 'audit.archived'")
    assert any("A2 is done, and no entry is about it" in why for why in house.whys())


# Crashes


def _full(*_: Any, **__: Any) -> Any:
    raise OSError(errno.ENOSPC, "no space left on device")


def _away(*_: Any, **__: Any) -> Any:
    raise Unreachable("no database")


def _killed(*_: Any, **__: Any) -> Any:
    raise KeyboardInterrupt


def _spoilt(lines: Any) -> list[str]:
    return list(lines)[:-1]


def _reads_less(monkeypatch: pytest.MonkeyPatch) -> None:
    def fits(file: Path, fits: Callable[[Any], bool]) -> bool:
        return fits(_spoilt(file.read_text().splitlines(keepends=True)))

    monkeypatch.setattr(audit_folder, "_fits", fits)


CRASHES: dict[str, Callable[[pytest.MonkeyPatch], None]] = {
    "no folder": lambda patch: patch.setattr(Path, "mkdir", _full),
    "no file": lambda patch: patch.setattr(audit_folder, "mkstemp", _full),
    "no flush": lambda patch: patch.setattr(os, "fsync", _full),
    "killed while it flushes": lambda patch: patch.setattr(os, "fsync", _killed),
    "killed before it is checked": lambda patch: patch.setattr(audit_folder, "_fits", _killed),
    "read back and something lacks": _reads_less,
    "no new name": lambda patch: patch.setattr(Path, "replace", _full),
    "killed before it has its name": lambda patch: patch.setattr(Path, "replace", _killed),
    "killed when it has its name": lambda patch: patch.setattr(audit_folder, "_flush", _killed),
    "no database": lambda patch: patch.setattr(SqlStore, "begin", _away),
    "killed before the row": lambda patch: patch.setattr(SqlTx, "cut_audit", _killed),
    "killed before the deletion": lambda patch: patch.setattr(SqlTx, "note", _killed),
    "killed before the commit": lambda patch: patch.setattr(SqlTx, "finish", _killed),
}


@pytest.mark.parametrize("crash", CRASHES)
def test_nothing_is_removed_by_an_attempt_that_crashes_and_the_next_does_it(
    house: House, crash: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    house.notes(7, days=31)
    with monkeypatch.context() as patch:
        CRASHES[crash](patch)
        with pytest.raises((AssistantError, KeyboardInterrupt)):
            house.archives()
    assert len(house.left()) == 7
    assert house.whys() == []
    assert house.archives() == 5
    assert house.whys() == []
    assert len(house.files()) == 1
    house.chains()
    assert len(in_sequence(house)) == 8


@pytest.mark.parametrize("spoil", ["", "not an audit\n", "half", "more"])
def test_a_file_that_is_there_and_does_not_fit_is_written_anew(house: House, spoil: str) -> None:
    house.notes(7, days=31)
    assert house.archives() == 5
    [name] = house.files()
    whole = (house.folder / name).read_text()
    house.change("DELETE FROM audit", "DELETE FROM audit_cut")
    house.folder.rename(house.data / "first")
    house.notes(7, days=31)
    house.folder.mkdir()
    other = house.folder / name
    other.write_text({"half": whole[: len(whole) // 2], "more": whole * 2}.get(spoil, spoil))
    house.heads._file.unlink()
    assert house.archives() == 5
    assert verify_lines(other.read_text().splitlines()).count == 5


def test_a_file_that_fits_is_used_again(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    house.notes(7, days=31)
    with monkeypatch.context() as patch:
        patch.setattr(SqlTx, "finish", _killed)
        with pytest.raises(KeyboardInterrupt):
            house.archives()
    monkeypatch.setattr(AuditFolder, "write", _killed)
    assert house.archives() == 5
    assert house.whys() == []


def test_what_a_killed_process_left_unfinished_goes_later(house: House) -> None:
    house.notes(7, days=31)
    house.folder.mkdir()
    old, new = house.folder / "a.jsonl.1.part", house.folder / "b.jsonl.2.part"
    for part in (old, new):
        part.write_text("half")
    os.utime(old, (0, 0))
    assert house.archives() == 5
    assert (old.exists(), new.exists()) == (False, True)


def test_an_unfinished_file_that_another_has_just_finished_is_no_trouble(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    house.notes(7, days=31)
    gone = house.folder / "a.jsonl.1.part"
    monkeypatch.setattr(Path, "glob", lambda *_: [gone])
    assert house.archives() == 5


def test_only_the_owner_of_the_machine_reads_the_files(house: House) -> None:
    house.notes(7, days=31)
    house.archives()
    [name] = house.files()
    assert (house.folder.stat().st_mode & 0o777, (house.folder / name).stat().st_mode & 0o777) == (
        0o700,
        0o600,
    )


# Two at once


def test_two_who_archive_at_once_do_it_once(house: House) -> None:
    house.notes(16, days=31)
    moved = 0
    for _ in range(6):
        done = race(*[house.archives] * 3)
        assert all(isinstance(one, int | Conflict) for one in done), done
        moved += sum(one for one in done if isinstance(one, int))
        house.chains()
        assert house.whys() == []
    assert moved == 15
    assert len(in_sequence(house)) == 16 + len(house.files())


def test_who_comes_late_with_another_cut_removes_nothing(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    house.notes(9, days=31)
    begun = SqlTx.cut_audit

    def after_another(tx: SqlTx, cut: Any, *, after: int) -> bool:
        with pytest.raises(Conflict):
            begun(tx, cut.model_copy(update={"count": cut.count + 1}), after=after)
        raise Conflict("another was first")

    with monkeypatch.context() as patch:
        patch.setattr(SqlTx, "cut_audit", after_another)
        assert house.archives() == 0
    assert len(house.left()) == 9
    assert house.whys() == []


# An audit that does not hold


def test_a_chain_that_does_not_hold_is_not_archived(house: House) -> None:
    house.notes(8, days=31)
    house.change("UPDATE audit SET actor = 'nobody' WHERE place = 2")
    with pytest.raises(NotArchived, match="audit verify"):
        house.archives()
    assert len(house.left()) == 8
    assert house.files() == []


def test_a_chain_that_was_made_anew_is_not_archived(house: House) -> None:
    house.notes(4)
    house.notes(4, days=31)
    house.change(
        "UPDATE audit SET actor = 'nobody' WHERE place = 2",
        "UPDATE audit SET place = NULL, previous = '', hash = ''",
    )
    chain_all(house.bed.store, batches=1)
    with pytest.raises(NotArchived, match="audit verify"):
        house.archives()
    assert len(house.left()) == 8
    assert house.files() == []


def test_heads_after_the_cut_are_still_compared(house: House) -> None:
    house.notes(7, days=31)
    house.notes(2)
    assert house.archives() == 5
    house.chains()
    assert house.whys() == []
    house.change("DELETE FROM audit WHERE place = (SELECT max(place) FROM audit)")
    assert any("the chain was cut" in why for why in house.whys())


# Ticks


def archiver(house: House, *, days: int = 30) -> AuditArchiver:
    return AuditArchiver(
        store=house.bed.store,
        archive=house.archive,
        heads=house.heads,
        clock=house.bed.clock,
        monotonic=house.bed.clock.monotonic,
        days=days,
    )


def test_ticks_go_on_while_there_is_more_and_rest_then(house: House) -> None:
    house.notes(12, days=31)
    keeper, clock = archiver(house), house.bed.clock
    assert [keeper.tick(house.bed.me), keeper.tick(house.bed.me)] == [5, 0]
    clock.passes(seconds=EVERY)
    assert keeper.tick(house.bed.me) == 5
    clock.passes(seconds=EVERY)
    assert keeper.tick(house.bed.me) == 0
    house.notes(9, days=0)
    clock.passes(seconds=RESTS - 1)
    assert keeper.tick(house.bed.me) == 0
    clock.passes(days=31)
    assert keeper.tick(house.bed.me) == 5
    house.chains()
    assert house.whys() == []


def test_a_missing_folder_is_said_once_and_removes_nothing(
    house: House, caplog: pytest.LogCaptureFixture
) -> None:
    house.notes(7, days=31)
    keeper, clock = archiver(house), house.bed.clock
    keeper.archive = AuditFolder(house.data / "not mounted" / "audit-archive")
    with caplog.at_level(logging.WARNING):
        for _ in range(3):
            assert keeper.tick(house.bed.me) == 0
            clock.passes(seconds=RESTS)
    [said] = caplog.messages
    assert said.startswith("The audit was not archived, and nothing of it was deleted: ")
    assert len(house.left()) == 7
    keeper.archive = house.archive
    assert keeper.tick(house.bed.me) == 5


# What was forgotten, and what recovery reads


def archives_all(world: World, data: Path) -> str:
    """The text of the whole archive when all that is old is in it."""
    world.store.chain()
    house = House(Bed(lambda *_: world.store), data)
    while archive_old(
        store=world.store,
        archive=house.archive,
        heads=house.heads,
        now=world.clock.now(),
        before=world.clock.now(),
        cause=world.cause,
    ):
        world.store.chain()
    assert verify_stored(store=world.store, cause=world.cause).faults == ()
    return "".join((house.folder / name).read_text() for name in house.files())


def test_an_archive_holds_no_word_of_a_forgotten_mail(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(audit_archive, "FEWEST", 1)
    id = world.forwards(LUNCH).id
    forget_mail(id, by="terminal:owner", cause=world.cause, store=world.store)
    world.settle()
    with world.store.begin(world.cause) as tx:
        tx.note(AuditEntry(kind="a.1"))
    world.clock.passes(days=40)
    archive = archives_all(world, tmp_path)
    assert "mail.forgotten" in archive
    assert [word for word in WORDS if word in archive] == []


def test_a_mail_is_erased_though_the_audit_knows_no_more_that_it_was_forgotten(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(audit_archive, "FEWEST", 1)
    id = world.forwards(LUNCH).id
    forget_mail(id, by="terminal:owner", cause=world.cause, store=world.store)
    with world.store.begin(world.cause) as tx:
        tx.note(AuditEntry(kind="a.1"))
    world.clock.passes(days=2)
    assert "mail.forgotten" in archives_all(world, tmp_path)
    with world.store.read(world.cause) as tx:
        assert tx.audit(subject=id, kind="mail.forgotten") == []
    world.settle()
    nothing_is_left(world, id)


def test_what_recovery_still_reads_stays(house: House) -> None:
    house.notes(4)
    house.bed.clock.passes(minutes=1)
    now = {"mode": Mode.RECOVERY, "since": house.bed.clock.now()}
    house.bed.write(lambda tx: tx.set_mode(tx.mode().model_copy(update=now)))
    house.notes(6, days=31)
    assert house.archives() == 4
    assert house.archives() == 0


# Any life

ACTS = st.lists(
    st.sampled_from(["note", "call", "chain", "archive", "days", "months"]), max_size=30
)


@given(acts=ACTS)
@settings(max_examples=40, deadline=None)
def test_whatever_happens_every_entry_is_in_one_place_and_all_of_them_chain(
    acts: list[str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    with sqlite_stores() as make:
        house = House(Bed(make), tmp_path_factory.mktemp("data"))
        steps: dict[str, Callable[[], object]] = {
            "note": lambda: house.notes(3),
            "call": lambda: acted(house.bed),
            "chain": house.chains,
            "archive": house.archives,
            "days": lambda: house.bed.clock.passes(days=10),
            "months": lambda: house.bed.clock.passes(days=60),
        }
        for act in acts:
            steps[act]()
            assert house.whys() == []
        house.chains()
        kinds = in_sequence(house)
        assert kinds.count("call.done") == acts.count("call")
        assert len(kinds) - kinds.count("audit.archived") >= 3 * acts.count("note")
        assert kinds.count("audit.archived") == len(house.files())
