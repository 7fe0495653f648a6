"""What every store promises of cuts: entries go that a row tells of, and no other."""

from collections.abc import Iterator

import pytest
from sqlalchemy import Engine, text
from sqlalchemy.exc import DBAPIError

from assistant.adapters.sql.store import SqlStore
from assistant.domain.audit.cuts import AuditCut, archived
from assistant.domain.audit.entry import AuditEntry
from assistant.domain.errors import Conflict
from assistant.domain.jobs.job import Cause
from assistant.flows.operations.audit_chain import verify_stored
from tests.bed import START, Bed
from tests.stores import opened


@pytest.fixture(params=["sqlite", "postgres"])
def bed(request: pytest.FixtureRequest) -> Iterator[Bed]:
    """Seven chained entries, and one of another owner."""
    with opened(request.param, request) as make:
        bed = Bed(make)
        for n in range(7):
            bed.write(lambda tx, n=n: tx.note(AuditEntry(kind=f"a.{n}")))  # type: ignore[misc]
        bed.write(lambda tx: tx.note(AuditEntry(kind="b.1")), cause=bed.they)
        assert bed.store.chain() == 8
        yield bed


def engine(bed: Bed) -> Engine:
    assert isinstance(bed.store, SqlStore)
    return bed.store._engines.write


def cut_at(bed: Bed, place: int, *, count: int) -> AuditCut:
    [last] = bed.look(lambda tx: tx.chained(after=place - 1, limit=1))
    return AuditCut(place=place, hash=last.hash, count=count, newest=START, file=f"to-{place}")


def cuts(bed: Bed, place: int, *, after: int = 0, count: int | None = None) -> bool:
    cut = cut_at(bed, place, count=place - after if count is None else count)
    return bed.write(lambda tx: tx.cut_audit(cut, after=after))


def kinds(bed: Bed, cause: Cause | None = None) -> list[str]:
    return [entry.kind for entry in bed.look(lambda tx: tx.audit(), cause=cause)]


def whys(bed: Bed) -> list[str]:
    return [fault.why for fault in verify_stored(store=bed.store, cause=bed.me).faults]


def test_a_cut_deletes_what_it_says_and_notes_that(bed: Bed) -> None:
    cut = cut_at(bed, 4, count=4)
    assert bed.write(lambda tx: tx.cut_audit(cut, after=0))
    assert kinds(bed) == ["a.4", "a.5", "a.6", "audit.archived"]
    assert bed.look(lambda tx: tx.audit_cuts()) == [cut.model_copy(update={"at": START})]
    [told] = bed.look(lambda tx: tx.entries_of_cuts())
    assert (told.subject, told.args, told.reason) == ("to-4", cut.hash, "4 entries up to place 4")
    assert kinds(bed, bed.they) == ["b.1"]
    assert bed.look(lambda tx: tx.audit_cuts(), cause=bed.they) == []
    assert bed.look(lambda tx: tx.entries_of_cuts(), cause=bed.they) == []
    found = verify_stored(store=bed.store, cause=bed.me)
    assert (found.faults, found.count, found.loose, found.archived) == ((), 3, 1, 4)
    assert found.archives == ("to-4",)
    assert bed.store.chain() == 1
    assert whys(bed) == []


def test_of_two_who_make_one_cut_one_does(bed: Bed) -> None:
    cut = cut_at(bed, 3, count=3)
    assert bed.write(lambda tx: tx.cut_audit(cut, after=0))
    assert not bed.write(lambda tx: tx.cut_audit(cut, after=0))
    assert kinds(bed).count("audit.archived") == 1


@pytest.mark.parametrize(("place", "after", "count"), [(4, 0, 3), (4, 0, 5), (4, 2, 4)])
def test_a_cut_that_says_something_else_than_is_there_is_not_made(
    bed: Bed, place: int, after: int, count: int
) -> None:
    with pytest.raises(Conflict):
        cuts(bed, place, after=after, count=count)
    assert len(kinds(bed)) == 7
    assert bed.look(lambda tx: tx.audit_cuts()) == []


def test_another_cut_of_the_same_entries_is_not_made(bed: Bed) -> None:
    longer, shorter = cut_at(bed, 5, count=5), cut_at(bed, 3, count=3)
    assert cuts(bed, 4)
    for cut in (longer, shorter):
        with pytest.raises(Conflict):
            bed.write(lambda tx, cut=cut: tx.cut_audit(cut, after=0))  # type: ignore[misc]
    assert cuts(bed, 6, after=4)
    assert whys(bed) == []


def test_the_newest_entry_stays_as_the_next_is_linked_to_it(bed: Bed) -> None:
    with pytest.raises(Conflict):
        cuts(bed, 7)
    assert cuts(bed, 6)
    assert bed.store.chain() == 1
    found = verify_stored(store=bed.store, cause=bed.me)
    assert (found.faults, found.head.place) == ((), 9)


REFUSED = (
    "DELETE FROM audit WHERE place = 5",
    "DELETE FROM audit WHERE place = 8",
    "DELETE FROM audit",
    "DELETE FROM audit WHERE place IS NULL",
    "UPDATE audit SET actor = 'nobody' WHERE place = 5",
    "UPDATE audit_cut SET place = 7",
    "UPDATE audit_cut SET owner = 'other'",
    "UPDATE audit_cut SET file = 'another'",
    "DELETE FROM audit_cut",
)


@pytest.mark.parametrize("statement", REFUSED)
def test_the_database_refuses_every_other_change(bed: Bed, statement: str) -> None:
    assert cuts(bed, 4)
    with pytest.raises(DBAPIError, match="cannot be"), engine(bed).begin() as connection:
        connection.execute(text(statement))
    assert whys(bed) == []


@pytest.mark.parametrize("bed", ["postgres"], indirect=True)
def test_the_database_refuses_to_empty_the_tables_at_once(bed: Bed) -> None:
    assert cuts(bed, 4)
    for name in ("audit", "audit_cut"):
        with pytest.raises(DBAPIError, match="cannot be"), engine(bed).begin() as connection:
            connection.execute(text(f"TRUNCATE {name}"))


_FORGED = """
INSERT INTO audit_cut (owner, place, hash, count, newest, file, at)
SELECT owner, place, hash, 3, at, 'forged', at FROM audit WHERE place = 3
"""


def test_a_cut_that_no_entry_tells_of_is_a_fault(bed: Bed) -> None:
    with engine(bed).begin() as connection:
        connection.execute(text(_FORGED))
        connection.execute(text("DELETE FROM audit WHERE owner = 'owner' AND place <= 3"))
    assert whys(bed) == ["entries were cut off, and no entry says so"]


def test_a_cut_whose_entries_are_still_there_is_a_fault(bed: Bed) -> None:
    with engine(bed).begin() as connection:
        connection.execute(text(_FORGED))
    found = whys(bed)
    assert "entries were cut off, and no entry says so" in found
    assert any("which is not after 3" in why for why in found)


def test_an_entry_of_a_cut_that_is_not_there_is_a_fault(bed: Bed) -> None:
    bed.write(lambda tx: tx.note(archived(cut_at(bed, 3, count=3))))
    assert whys(bed) == ["it says that entries were archived, and no cut does"]


def test_a_cut_that_says_something_else_than_its_entry_is_a_fault(bed: Bed) -> None:
    with engine(bed).begin() as connection:
        connection.execute(text(_FORGED))
    cut = cut_at(bed, 3, count=3).model_copy(update={"file": "forged"})
    bed.write(lambda tx: tx.note(archived(cut.model_copy(update={"count": 2}))))
    found = whys(bed)
    assert "entries were cut off, and no entry says so" in found
    assert "it says that entries were archived, and no cut does" in found


@pytest.mark.parametrize("bed", ["sqlite"], indirect=True)
def test_a_cut_that_cannot_be_read_is_a_fault(bed: Bed) -> None:
    with engine(bed).begin() as connection:
        connection.execute(text(_FORGED.replace("hash, 3, at,", "hash, 3, 'never',")))
    assert "a cut of the audit cannot be read" in whys(bed)
