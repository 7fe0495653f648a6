"""What every store promises of the audit: written with what it records, and never without it."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import timedelta
from functools import partial
from pathlib import Path
from threading import Event

import pytest

from assistant.domain.audit import AuditEntry
from assistant.domain.audit_chain import Extent, Verified, link, verify
from assistant.domain.errors import Conflict, Denied, NotFound
from assistant.domain.failpoints import arm
from assistant.domain.jobs import Cause
from assistant.domain.messages import Think
from assistant.ports import Tx
from tests.bed import START, Bed, race
from tests.stores import opened


@pytest.fixture
def postgres_bed(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Bed]:
    """Where writers do not wait for one another."""
    with opened("postgres", folder=tmp_path, request=request) as make:
        yield Bed(make)
    arm({})


def noted(bed: Bed, *kinds: str, cause: Cause | None = None, **facts: str) -> None:
    def note_all(tx: Tx) -> None:
        for kind in kinds:
            tx.note(AuditEntry(kind=kind, **facts))

    bed.write(note_all, cause=cause)


def checked(bed: Bed, *, cause: Cause | None = None) -> Verified:
    return verify(bed.look(lambda tx: tx.chained(limit=1000), cause=cause))


def kinds(bed: Bed) -> list[str]:
    return [entry.kind for entry in bed.look(lambda tx: tx.audit())]


def test_a_note_is_signed_by_its_transaction(bed: Bed) -> None:
    noted(bed, "mode.lockdown", subject="house", actor="owner:1", reason="mode: it was pressed")
    [entry] = bed.look(lambda tx: tx.audit())
    assert (entry.owner, entry.trace, entry.at) == ("owner", "a" * 32, START)
    assert (entry.kind, entry.subject, entry.actor) == ("mode.lockdown", "house", "owner:1")
    assert (entry.id != "", entry.number > 0, entry.place, entry.hash) == (True, True, None, "")


def test_a_note_cannot_sign_for_another(bed: Bed) -> None:
    forged = AuditEntry(
        kind="mode.normal", id="x", owner="other", trace="b" * 32, number=7, place=1, hash="h"
    )
    bed.write(lambda tx: tx.note(forged))
    [entry] = bed.look(lambda tx: tx.audit())
    assert (entry.owner, entry.trace, entry.place, entry.hash) == ("owner", "a" * 32, None, "")
    assert entry.id != "x"
    assert bed.look(lambda tx: tx.audit(), cause=bed.they) == []


def test_notes_of_one_transaction_keep_their_order(bed: Bed) -> None:
    noted(bed, "a.1", "a.2", "a.3")
    noted(bed, "a.4")
    assert kinds(bed) == ["a.1", "a.2", "a.3", "a.4"]


def test_what_is_rolled_back_was_never_noted(bed: Bed) -> None:
    def stumble(tx: Tx) -> None:
        tx.note(AuditEntry(kind="a.1"))
        tx.emit(Think(id="t"))
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        bed.write(stumble)
    assert kinds(bed) == []


def test_looking_notes_nothing(bed: Bed) -> None:
    with pytest.raises(Denied):
        bed.look(lambda tx: tx.note(AuditEntry(kind="a.1")))
    assert kinds(bed) == []


def test_entries_are_found_by_what_they_are_of(bed: Bed) -> None:
    noted(bed, "call.parked", "call.cleared", subject="c")
    bed.clock.passes(hours=1)
    noted(bed, "caller.made", "mode.alert", subject="d")
    noted(bed, "call.parked", subject="e")

    def found(**which: object) -> list[str]:
        entries = bed.look(lambda tx: tx.audit(**which))  # type: ignore[arg-type]  # by name
        return [f"{entry.kind} {entry.subject}" for entry in entries]

    assert found(subject="c") == ["call.parked c", "call.cleared c"]
    assert found(kind="call") == ["call.parked c", "call.cleared c", "call.parked e"]
    assert found(kind="mode.alert") == ["mode.alert d"]
    assert found(kind="%") == []
    assert found(trace="b" * 32) == []
    assert len(found(trace="a" * 32)) == 5
    assert found(since=START + timedelta(minutes=1), limit=1) == ["caller.made d"]
    assert found(newest=True, limit=2) == ["mode.alert d", "call.parked e"]
    first = bed.look(lambda tx: tx.audit(limit=1))[0].number
    assert len(found(after=first)) == 4


# The chain


def test_a_chain_takes_what_is_loose_in_the_order_of_its_numbers(bed: Bed) -> None:
    noted(bed, "a.1", "a.2")
    assert bed.look(lambda tx: tx.chain_extent()) == Extent(loose=2)
    assert bed.store.chain() == 2
    noted(bed, "a.3")
    assert bed.store.chain() == 1
    assert bed.store.chain() == 0
    entries = bed.look(lambda tx: tx.chained())
    assert [(entry.kind, entry.place) for entry in entries] == [("a.1", 1), ("a.2", 2), ("a.3", 3)]
    assert [entry.previous for entry in entries] == ["", entries[0].hash, entries[1].hash]
    assert [link(entry.previous, entry.place or 0, entry) for entry in entries] == [
        entry.hash for entry in entries
    ]


def test_a_chain_goes_on_in_steps(bed: Bed) -> None:
    noted(bed, *(f"a.{n}" for n in range(7)))
    assert [bed.store.chain(limit=3) for _ in range(4)] == [3, 3, 1, 0]
    assert checked(bed).count == 7
    assert [entry.place for entry in bed.look(lambda tx: tx.chained(after=2, limit=2))] == [3, 4]
    assert bed.look(lambda tx: tx.chain_extent(after=5)).count == 2


def test_each_owner_has_a_chain_of_their_own(bed: Bed) -> None:
    noted(bed, "a.1")
    noted(bed, "b.1", cause=bed.they)
    noted(bed, "a.2")
    assert bed.store.chain() == 3
    mine, theirs = checked(bed), checked(bed, cause=bed.they)
    assert (mine.count, mine.head.place, mine.fault) == (2, 3, None)
    assert (theirs.count, theirs.head.place, theirs.fault) == (1, 2, None)
    assert bed.store.heads() == {"owner": mine.head, "other": theirs.head}
    [entry] = bed.look(lambda tx: tx.chained(), cause=bed.they)
    assert entry.previous == ""
    with pytest.raises(NotFound):
        bed.look(lambda tx: tx.audit_entry(entry.id))
    assert bed.look(lambda tx: tx.audit_entry(entry.id), cause=bed.they) == entry


def test_what_was_chained_at_a_time_is_found_by_it(bed: Bed) -> None:
    noted(bed, "a.1")
    bed.clock.passes(hours=1)
    noted(bed, "a.2")
    bed.store.chain()
    since = START + timedelta(minutes=1)
    assert [entry.kind for entry in bed.look(lambda tx: tx.chained(since=since))] == ["a.2"]


def test_nothing_is_chained_twice_and_nothing_forgotten_however_many_chain(bed: Bed) -> None:
    over = Event()

    def write(n: int) -> None:
        for m in range(12):
            noted(bed, f"a.{n}-{m}", f"b.{n}-{m}", cause=(bed.me, bed.they)[m % 2])

    def chain() -> int:
        chained = 0
        while not over.wait(0.001):
            with suppress(Conflict):
                chained += bed.store.chain(limit=7)
        return chained

    with ThreadPoolExecutor(2) as pool:
        chainers = [pool.submit(chain) for _ in range(2)]
        assert race(*[partial(write, n) for n in range(4)]) == [None] * 4
        over.set()
        chained = sum(chainer.result() for chainer in chainers)
    while more := bed.store.chain(limit=7):
        chained += more
    assert chained == 96
    mine, theirs = checked(bed), checked(bed, cause=bed.they)
    assert (mine.count, mine.fault, theirs.count, theirs.fault) == (48, None, 48, None)
    assert max(mine.head.place, theirs.head.place) == 96


def test_what_commits_late_gets_a_late_place_and_keeps_nobody_waiting(postgres_bed: Bed) -> None:
    bed, inserted, released = postgres_bed, Event(), Event()

    def pause() -> None:
        if not inserted.is_set():
            inserted.set()
            assert released.wait(10)

    arm({"commit.before": pause})
    with ThreadPoolExecutor(1) as pool:
        late = pool.submit(noted, bed, "a.late")
        assert inserted.wait(10)
        noted(bed, "a.early")
        assert bed.store.chain() == 1
        released.set()
        late.result()
    arm({})
    assert bed.store.chain() == 1
    early, late_entry = bed.look(lambda tx: tx.chained())
    assert [early.kind, late_entry.kind] == ["a.early", "a.late"]
    assert late_entry.number < early.number
    assert checked(bed).fault is None
