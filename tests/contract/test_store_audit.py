"""What every store promises of the audit: written with what it records, and never without it."""

from datetime import timedelta

import pytest

from assistant.domain.audit import AuditEntry
from assistant.domain.errors import Denied
from assistant.domain.messages import Think
from assistant.ports import Tx
from tests.bed import START, Bed


def noted(bed: Bed, *kinds: str, **facts: str) -> None:
    def note_all(tx: Tx) -> None:
        for kind in kinds:
            tx.note(AuditEntry(kind=kind, **facts))

    bed.write(note_all)


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
