"""What every store promises of the audit: written with what it records, and never without it."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import timedelta
from functools import partial
from threading import Event
from typing import Any

import pytest
from sqlalchemy import Engine, text
from sqlalchemy.exc import DBAPIError

from assistant.adapters.sql.driver import Autocommit
from assistant.adapters.sql.store import SqlStore, SqlTx
from assistant.domain.approvals.approval import ApprovalState
from assistant.domain.audit.chain import Extent, Verified, link, verify
from assistant.domain.audit.entries import effect_kept
from assistant.domain.audit.entry import AuditEntry
from assistant.domain.audit.lines import verify_lines
from assistant.domain.calls.call import Call, Facts
from assistant.domain.calls.effects import EffectState
from assistant.domain.calls.states import CallState
from assistant.domain.calls.tool_errors import ErrorType, ToolError
from assistant.domain.canonical import digest
from assistant.domain.errors import Conflict, Denied, NotFound
from assistant.domain.jobs.job import Cause
from assistant.domain.messages import Think
from assistant.domain.store import Tx
from assistant.flows.operations.audit_chain import export, verify_stored
from tests.bed import START, Bed, a_call, an_effect, race, said
from tests.stores import opened, sqlite_engines, unguarded


@pytest.fixture
def postgres_bed(request: pytest.FixtureRequest) -> Iterator[Bed]:
    """Where writers do not wait for one another."""
    with opened("postgres", request) as make:
        yield Bed(make)


def noted(bed: Bed, *kinds: str, cause: Cause | None = None, **facts: str) -> None:
    def note_all(tx: Tx) -> None:
        for kind in kinds:
            tx.note(AuditEntry(kind=kind, **facts))

    bed.write(note_all, cause=cause)


def checked(bed: Bed, *, cause: Cause | None = None) -> Verified:
    return verify(bed.look(lambda tx: tx.chained(limit=1000), cause=cause))


def kinds(bed: Bed) -> list[str]:
    return [entry.kind for entry in bed.look(lambda tx: tx.audit())]


def test_the_kinds_of_ones_own_entries_are_told_once_each(bed: Bed) -> None:
    assert bed.look(lambda tx: tx.audit_kinds()) == []
    noted(bed, "mail.held", "call.done", "mail.held")
    noted(bed, "mail.read", cause=bed.they)
    assert bed.look(lambda tx: tx.audit_kinds()) == ["call.done", "mail.held"]


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


def test_what_commits_late_gets_a_late_place_and_keeps_nobody_waiting(
    postgres_bed: Bed, monkeypatch: pytest.MonkeyPatch
) -> None:
    bed, inserted, released = postgres_bed, Event(), Event()

    finish = SqlTx.finish

    def finish_and_pause(tx: SqlTx, autocommit: Autocommit) -> None:
        finish(tx, autocommit)
        if not inserted.is_set():
            inserted.set()
            assert released.wait(10)

    monkeypatch.setattr(SqlTx, "finish", finish_and_pause)
    with ThreadPoolExecutor(1) as pool:
        late = pool.submit(noted, bed, "a.late")
        assert inserted.wait(10)
        noted(bed, "a.early")
        assert bed.store.chain() == 1
        released.set()
        late.result()
    assert bed.store.chain() == 1
    early, late_entry = bed.look(lambda tx: tx.chained())
    assert [early.kind, late_entry.kind] == ["a.early", "a.late"]
    assert late_entry.number < early.number
    assert checked(bed).fault is None


# What the store writes by itself


def story(bed: Bed, subject: str) -> list[str]:
    return [entry.kind for entry in bed.look(lambda tx: tx.audit(subject=subject))]


def test_every_step_of_a_call_is_there_with_what_it_changed(bed: Bed) -> None:
    call = bed.call(state=CallState.PARKED, reasons=("base: high risk",))
    approval = bed.approval(call)

    def approve(tx: Tx) -> Call:
        tx.settle(approval, ApprovalState.APPROVED, by="terminal:ada", reason="", at=START)
        return tx.move(call, CallState.CLEARED)

    cleared = bed.write(approve)
    bed.clock.passes(minutes=1)

    def start(tx: Tx) -> Call:
        running = tx.move(cleared, CallState.RUNNING)
        tx.intend(an_effect(call, fence=running.fence))
        return running

    running = bed.write(start)
    bed.clock.passes(minutes=1)

    def end(tx: Tx) -> None:
        tx.move(running, CallState.DONE, result="done", told="done")
        tx.record(an_effect(call, fence=running.fence, state=EffectState.DONE))

    bed.write(end)
    entries = bed.look(lambda tx: tx.audit(subject=call.id))
    assert [entry.kind for entry in entries] == [
        "call.parked",
        "approval.approved",
        "call.cleared",
        "call.running",
        "effect.intended",
        "call.done",
        "effect.done",
    ]
    asked, yes, *_, done, _ = entries
    assert (asked.tool, asked.args) == ("create_event", digest({"title": "Tea"}))
    assert asked.reason == "base: high risk; policy 0, mode normal"
    assert (yes.actor, yes.args) == ("terminal:ada", call.binding)
    assert (done.result, done.began, done.ended) == (
        "ok",
        START + timedelta(minutes=1),
        START + timedelta(minutes=2),
    )


def test_a_step_that_another_took_first_is_not_there_twice(bed: Bed) -> None:
    call = bed.call()
    race(*[lambda: bed.write(lambda tx: tx.move(call, CallState.RUNNING))] * 4)
    assert story(bed, call.id) == ["call.cleared", "call.running"]


def test_a_step_and_its_entry_are_lost_together(bed: Bed) -> None:
    call = bed.call()

    def stumble(tx: Tx) -> None:
        tx.move(call, CallState.RUNNING)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        bed.write(stumble)
    assert story(bed, call.id) == ["call.cleared"]


CANARY = "CANARY-4f1d-the-code-is-1234"


def test_nothing_that_was_said_enters_the_audit_or_its_export(bed: Bed) -> None:
    told: dict[str, Any] = {"reasons": (f"deny: {CANARY} is no time",), "asked": {"title": CANARY}}
    facts = Facts(args={"title": CANARY}, before={"title": CANARY}, trouble=CANARY, command=CANARY)
    bed.call(state=CallState.REFUSED, result=CANARY, facts=Facts(args={}, trouble=CANARY), **told)
    call = bed.call(state=CallState.PARKED, facts=facts, **told)
    approval = bed.approval(call)
    failed = bed.call(facts=facts, tool=f"{CANARY} !")
    read = bed.call(state=CallState.DONE, facts=facts, result=CANARY, told=CANARY)
    bed.mail(CANARY, summary=CANARY)

    def happen(tx: Tx) -> None:
        tx.append(call.conversation, said(CANARY), answer=True)
        tx.settle(approval, ApprovalState.DENIED, by="me", reason=CANARY, at=START)
        tx.move(call, CallState.DENIED, result=CANARY, told=CANARY)
        running = tx.move(failed, CallState.RUNNING)
        words = {"title": CANARY}
        effect = an_effect(failed, key=CANARY, destination=CANARY, before=words, fence=1)
        tx.intend(effect)
        tx.record(effect.model_copy(update={"state": EffectState.FAILED, "after": words}))
        failure = ToolError(type=ErrorType.FILE_READ, message=CANARY)
        tx.move(running, CallState.FAILED, result=CANARY, told=CANARY, failure=failure)

    bed.write(happen)
    bed.store.chain()
    entries = bed.look(lambda tx: tx.audit())
    assert {entry.subject for entry in entries} >= {call.id, failed.id, read.id}
    assert len(entries) == 10
    assert "CANARY" not in "".join(entry.model_dump_json() for entry in entries)
    lines = list(export(store=bed.store, cause=bed.me, now=START))
    assert len(lines) == 11
    assert "CANARY" not in "".join(lines)


# Handed out and checked


def test_an_export_is_checked_without_the_store(bed: Bed) -> None:
    noted(bed, "a.1", "a.2")
    noted(bed, "b.1", cause=bed.they)
    bed.clock.passes(hours=1)
    noted(bed, "a.3", "a.4")
    bed.store.chain()
    noted(bed, "a.5")
    whole = verify_stored(store=bed.store, cause=bed.me)
    assert (whole.count, whole.loose, whole.fault) == (4, 1, None)
    lines = list(export(store=bed.store, cause=bed.me, now=START))
    assert verify_lines(lines) == whole
    since = START + timedelta(minutes=1)
    part = list(export(store=bed.store, cause=bed.me, now=START, since=since))
    assert len(part) == 3
    found = verify_lines(part)
    assert (found.count, found.head, found.fault) == (2, whole.head, None)
    nothing = list(export(store=bed.store, cause=bed.me, now=START, since=since.replace(year=2027)))
    assert verify_lines(nothing, held=whole.head.hash).count == 0
    assert verify_lines(nothing).fault is None


@pytest.fixture(params=["sqlite", "postgres"])
def kept_bed(request: pytest.FixtureRequest) -> Iterator[tuple[Bed, Engine]]:
    """A store whose rows somebody else can reach."""
    with opened(request.param, request) as make:
        bed = Bed(make)
        assert isinstance(bed.store, SqlStore)
        yield bed, bed.store._engines.write


TAMPERING = {
    "UPDATE audit SET actor = 'nobody' WHERE place = 3": (3, "does not say"),
    "UPDATE audit SET at = '2026-11-23 07:00:00+00:00' WHERE place = 4": (4, "does not say"),
    "UPDATE audit SET ended = at WHERE place = 2": (2, "does not say"),
    "UPDATE audit SET number = 1000 WHERE place = 2": (2, "does not say"),
    "UPDATE audit SET hash = 'x' WHERE place = 1": (1, "does not say"),
    "UPDATE audit SET owner = 'other' WHERE place = 5": (6, "is missing"),
    "DELETE FROM audit WHERE place = 1": (2, "is missing"),
    "DELETE FROM audit WHERE place BETWEEN 3 AND 5": (6, "is missing"),
    "UPDATE audit SET place = NULL, previous = '', hash = '' WHERE place = 2": (3, "is missing"),
    "UPDATE audit SET place = 700 WHERE place = 2": (3, "is missing"),
}


@pytest.mark.parametrize("tampering", TAMPERING)
def test_a_row_that_was_tampered_with_is_named(
    kept_bed: tuple[Bed, Engine], tampering: str
) -> None:
    bed, engine = kept_bed
    noted(bed, *(f"a.{n}" for n in range(7)))
    bed.store.chain()
    with engine.begin() as connection, unguarded(connection):
        assert connection.execute(text(tampering)).rowcount
    place, why = TAMPERING[tampering]
    fault = verify_stored(store=bed.store, cause=bed.me).fault
    assert fault is not None
    assert (fault.place, why in fault.why) == (place, True), fault


def test_a_row_that_cannot_be_read_is_named_by_the_one_before() -> None:
    with sqlite_engines() as engines:
        bed = Bed(lambda bell, clock: SqlStore(engines=engines, bell=bell, clock=clock))
        noted(bed, *(f"a.{n}" for n in range(7)))
        bed.store.chain()
        with engines.write.begin() as connection, unguarded(connection):
            connection.execute(text("UPDATE audit SET at = 'never' WHERE place = 4"))
            connection.execute(text("UPDATE audit SET actor = 'nobody' WHERE place = 6"))
        found = verify_stored(store=bed.store, cause=bed.me)
    assert found.count == 3
    assert found.fault is not None
    assert (found.fault.place, found.fault.why) == (4, "it cannot be read: at")
    assert [fault.place for fault in found.faults] == [4, 6]


@pytest.mark.parametrize("tampering", TAMPERING)
def test_the_database_refuses_to_change_or_delete_an_entry(
    kept_bed: tuple[Bed, Engine], tampering: str
) -> None:
    bed, engine = kept_bed
    noted(bed, *(f"a.{n}" for n in range(7)))
    bed.store.chain()
    with pytest.raises(DBAPIError, match="an audit entry cannot be"), engine.begin() as connection:
        connection.execute(text(tampering))
    assert verify_stored(store=bed.store, cause=bed.me).fault is None


@pytest.mark.parametrize("what", ["DELETE FROM audit", "UPDATE audit SET actor = 'nobody'"])
def test_the_database_refuses_it_for_what_is_not_chained_yet(
    kept_bed: tuple[Bed, Engine], what: str
) -> None:
    bed, engine = kept_bed
    noted(bed, "a.1")
    with pytest.raises(DBAPIError, match="an audit entry cannot be"), engine.begin() as connection:
        connection.execute(text(what))
    assert bed.store.chain() == 1


def acted(bed: Bed) -> Call:
    """A call that was done, with its effect, which was reviewed; and another that waits."""
    conversation = bed.conversation()
    bed.write(lambda tx: tx.add_call(a_call(conversation, state=CallState.PARKED)))
    call = bed.write(lambda tx: tx.add_call(a_call(conversation)))
    running = bed.write(lambda tx: tx.move(call, CallState.RUNNING))
    effect = an_effect(call, fence=running.fence)
    bed.write(lambda tx: tx.intend(effect))
    bed.write(lambda tx: tx.record(effect.model_copy(update={"state": EffectState.DONE})))
    done = bed.write(lambda tx: tx.move(running, CallState.DONE))
    bed.write(lambda tx: tx.note(effect_kept(done, by="terminal:owner")))
    return done


MISFITS = {
    "DELETE FROM audit": "A1 is parked, and no entry is about it",
    "DELETE FROM audit WHERE kind = 'call.done'": "A2 is done, and the last entry says running",
    "DELETE FROM audit WHERE kind = 'effect.done'": "and the last entry says intended",
    "DELETE FROM audit WHERE kind LIKE 'effect.%'": "an effect of A2 is done, and no entry",
    "UPDATE call SET state = 'done' WHERE number = 1": "A1 is done, and the last entry says parked",
    "UPDATE call SET tool = 'other' WHERE number = 1": "A1 asks for something else",
    """UPDATE call SET facts = '{"args": {"a": 1}}' WHERE number = 1""": "A1 asks for something",
    "UPDATE call SET facts = 'broken' WHERE number = 1": "A1 asks for something else",
    "UPDATE effect SET state = 'failed'": "an effect of A2 is failed, and the last entry says done",
    "UPDATE effect SET key = 'other'": "and no entry is about it",
    "DELETE FROM effect": "an effect of A2 has no row, and the last entry says done",
    "DELETE FROM call WHERE number = 1": "2 calls were made, and 1 have a row",
    "UPDATE owner SET calls = 5 WHERE id = 'owner'": "5 calls were made, and 2 have a row",
}


@pytest.mark.parametrize("chained", [True, False], ids=["chained", "loose"])
@pytest.mark.parametrize("tampering", MISFITS)
def test_rows_that_do_not_fit_the_audit_are_named(
    kept_bed: tuple[Bed, Engine], tampering: str, *, chained: bool
) -> None:
    bed, engine = kept_bed
    acted(bed)
    if chained:
        bed.store.chain()
    assert verify_stored(store=bed.store, cause=bed.me).fault is None
    with engine.begin() as connection, unguarded(connection):
        assert connection.execute(text(tampering)).rowcount
    whys = [fault.why for fault in verify_stored(store=bed.store, cause=bed.me).faults]
    assert any(MISFITS[tampering] in why for why in whys), whys


def test_entries_about_a_call_without_a_row_are_named(kept_bed: tuple[Bed, Engine]) -> None:
    bed, engine = kept_bed
    acted(bed)
    with engine.begin() as connection:
        connection.execute(text("DELETE FROM call WHERE number = 1"))
        connection.execute(text("UPDATE owner SET calls = 1 WHERE id = 'owner'"))
    whys = [fault.why for fault in verify_stored(store=bed.store, cause=bed.me).faults]
    assert "entries are about a call that has no row" in whys


def test_a_state_that_no_effect_has_is_named(bed: Bed) -> None:
    call = acted(bed)
    bed.write(lambda tx: tx.note(AuditEntry(kind="effect.forged", subject=call.id)))
    fault = verify_stored(store=bed.store, cause=bed.me).fault
    assert fault is not None
    assert "an effect of A2 has no row, and the last entry says forged" in fault.why


MISTYPED = [
    "UPDATE audit SET at = 5 WHERE place = 2",
    "UPDATE audit SET began = x'00ff' WHERE place = 2",
    "UPDATE audit SET kind = x'ff' WHERE place = 2",
    "UPDATE audit SET place = 'second' WHERE place = 2",
    "UPDATE audit SET place = 2.5 WHERE place = 2",
    "UPDATE audit SET hash = x'fe' WHERE place = 2",
    "UPDATE audit SET hash = x'fe' WHERE place = (SELECT max(place) FROM audit)",
    "UPDATE audit SET at = 'never', place = NULL, hash = '', previous = '' WHERE place = 4",
    "UPDATE call SET state = x'ff' WHERE number = 2",
    "UPDATE call SET number = 'two' WHERE number = 2",
    "UPDATE effect SET state = x'ff'",
    "UPDATE owner SET calls = 'many' WHERE id = 'owner'",
]


@pytest.mark.parametrize("tampering", MISTYPED)
def test_a_mistyped_row_is_a_fault_and_the_rest_is_checked(tampering: str) -> None:
    with sqlite_engines() as engines:
        bed = Bed(lambda bell, clock: SqlStore(engines=engines, bell=bell, clock=clock))
        acted(bed)
        noted(bed, "z.1", "z.2")
        bed.store.chain()
        with engines.write.begin() as connection, unguarded(connection):
            assert connection.execute(text(tampering)).rowcount
            connection.execute(text("UPDATE audit SET actor = 'nobody' WHERE kind = 'z.1'"))
        found = verify_stored(store=bed.store, cause=bed.me)
        noted(bed, "z.3")
        assert bed.store.chain() == 1
        assert bed.store.heads()
    assert len(found.faults) > 1
    assert any("does not say" in fault.why for fault in found.faults)


@pytest.mark.parametrize("tampering", [one for one in MISTYPED if "UPDATE audit" in one])
def test_a_mistyped_row_is_listed_as_such_and_the_rest_is_exported(tampering: str) -> None:
    with sqlite_engines() as engines:
        bed = Bed(lambda bell, clock: SqlStore(engines=engines, bell=bell, clock=clock))
        acted(bed)
        bed.store.chain()
        before = bed.look(lambda tx: tx.audit())
        with engines.write.begin() as connection, unguarded(connection):
            assert connection.execute(text(tampering)).rowcount
        after = bed.look(lambda tx: tx.audit())
        [broken] = [one for one in after if one.kind == "unreadable"]
        assert broken.reason.startswith("it cannot be read: ")
        assert [one.id for one in after] == [one.id for one in before]
        assert bed.look(lambda tx: tx.audit_entry(broken.id)) == broken
        lines = list(export(store=bed.store, cause=bed.me, now=START))
    assert verify_lines(lines).fault is not None
    assert not any(broken.id in line for line in lines)


def test_checking_reads_pages_and_not_each_call(bed: Bed) -> None:
    conversation = bed.conversation()
    for _ in range(30):
        bed.write(lambda tx: tx.add_call(a_call(conversation, state=CallState.PARKED)))
    with bed.store.read(bed.me) as tx:
        pages = [tx.recorded_calls(after=after, limit=20) for after in (0, 20, 30)]
    assert [len(page) for page in pages] == [20, 10, 0]
    assert {call.told for page in pages for call in page} == {"parked"}


def test_calls_from_before_there_was_an_audit_are_no_fault(kept_bed: tuple[Bed, Engine]) -> None:
    bed, engine = kept_bed
    acted(bed)
    with engine.begin() as connection, unguarded(connection):
        connection.execute(text("DELETE FROM audit"))
    acted(bed)
    bed.store.chain()
    assert verify_stored(store=bed.store, cause=bed.me).faults == ()
