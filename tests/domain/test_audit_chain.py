"""Whatever is done to a chain, the first entry that does not fit is named."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.domain.audit.chain import Fault, Head, chain, link, verify
from assistant.domain.audit.entry import AuditEntry
from assistant.domain.audit.lines import Header, verify_lines, written
from assistant.domain.errors import BadArguments

NOW = datetime(2026, 11, 23, 8, 0, tzinfo=UTC)
TEXTS = ("id", "owner", "trace", "kind", "subject", "actor", "tool", "version", "args", "verdict")
CHANGES: dict[str, Any] = {
    **{name: st.text(max_size=5) for name in (*TEXTS, "reason", "result", "previous", "hash")},
    **{name: st.datetimes(timezones=st.just(UTC)) for name in ("at", "began", "ended")},
    "number": st.integers(0, 2**60),
    "place": st.none() | st.integers(-3, 30),
}


def entry(number: int, **facts: Any) -> AuditEntry:
    given = {"id": f"id-{number}", "owner": "owner", "trace": "t", "kind": "call.done"}
    return AuditEntry(**{**given, "at": NOW + timedelta(seconds=number), "number": number, **facts})


def chained(*entries: AuditEntry) -> list[AuditEntry]:
    return list(chain(entries, heads={}, place=0))


ENTRIES = st.lists(
    st.fixed_dictionaries({"reason": st.text(max_size=8), "subject": st.text(max_size=4)}),
    min_size=2,
    max_size=9,
).map(lambda rows: chained(*(entry(n, **row) for n, row in enumerate(rows, start=1))))


def first_misfit(entries: Sequence[AuditEntry]) -> str:
    fault = verify(entries).fault
    assert fault is not None
    assert fault.why
    return fault.id


def relinked(changed: AuditEntry) -> AuditEntry:
    """As somebody would write it who knows how hashes are made."""
    assert changed.place is not None
    return changed.model_copy(update={"hash": link(changed.previous, changed.place, changed)})


@given(ENTRIES)
def test_a_chain_that_nobody_touched_holds(entries: list[AuditEntry]) -> None:
    found = verify(entries)
    assert (found.count, found.fault) == (len(entries), None)
    assert found.head == Head(place=len(entries), hash=entries[-1].hash)
    assert all(verify(entries, held=older.hash).fault is None for older in entries)


@given(ENTRIES, st.data())
def test_a_changed_field_is_found_in_its_entry(entries: list[AuditEntry], data: Any) -> None:
    at = data.draw(st.integers(0, len(entries) - 1))
    name = data.draw(st.sampled_from(sorted(AuditEntry.model_fields)))
    old = getattr(entries[at], name)
    new = data.draw(CHANGES[name].filter(lambda value: value != old))
    changed = entries[at].model_copy(update={name: new})
    assert first_misfit([*entries[:at], changed, *entries[at + 1 :]]) == changed.id


@given(ENTRIES, st.data())
def test_a_change_with_a_new_hash_is_found_in_the_next_entry(
    entries: list[AuditEntry], data: Any
) -> None:
    at = data.draw(st.integers(0, len(entries) - 2))
    changed = relinked(entries[at].model_copy(update={"actor": "somebody else"}))
    forged = [*entries[:at], changed, *entries[at + 1 :]]
    assert first_misfit(forged) == entries[at + 1].id


@given(ENTRIES, st.data())
def test_a_removed_entry_is_missed_by_the_one_after_it(
    entries: list[AuditEntry], data: Any
) -> None:
    at = data.draw(st.integers(0, len(entries) - 2))
    until = data.draw(st.integers(at + 1, len(entries) - 1))
    assert first_misfit(entries[:at] + entries[until:]) == entries[until].id


@given(ENTRIES, st.data())
def test_moved_entries_are_found_where_the_first_of_them_stood(
    entries: list[AuditEntry], data: Any
) -> None:
    one = data.draw(st.integers(0, len(entries) - 2))
    other = data.draw(st.integers(one + 1, len(entries) - 1))
    moved = list(entries)
    moved[one], moved[other] = entries[other], entries[one]
    assert first_misfit(moved) == entries[other].id
    places = {"place": entries[one].place}
    moved[one] = relinked(entries[other].model_copy(update=places))
    assert first_misfit(moved) == entries[other].id


@given(ENTRIES, st.data())
def test_an_inserted_entry_pushes_out_the_one_that_stood_there(
    entries: list[AuditEntry], data: Any
) -> None:
    at = data.draw(st.integers(0, len(entries) - 1))
    place = {"place": entries[at].place, "previous": entries[at].previous}
    forged = relinked(entry(99, **place))
    assert first_misfit([*entries[:at], forged, *entries[at:]]) == entries[at].id


@given(ENTRIES, st.data())
def test_a_cut_end_and_a_chain_made_anew_are_told_by_an_older_head(
    entries: list[AuditEntry], data: Any
) -> None:
    noted = entries[-1].hash
    cut = entries[: data.draw(st.integers(0, len(entries) - 1))]
    anew = chained(*(entry(n, actor="somebody else") for n in range(1, len(entries) + 1)))
    for forged in (cut, anew):
        assert verify(forged).fault is None
        fault = verify(forged, held=noted).fault
        assert fault is not None
        assert noted in fault.why


def test_a_number_is_an_entrys_own() -> None:
    fault = verify(chained(entry(1), entry(5), entry(4), entry(5, id="again"))).fault
    assert fault == Fault(
        why="there was an entry with the number 5 before", place=4, number=5, id="again"
    )


def test_chains_of_several_owners_do_not_hang_on_each_other() -> None:
    both = chained(entry(1), entry(2, owner="other"), entry(3), entry(4, owner="other"))
    for owner in ("owner", "other"):
        mine = [one for one in both if one.owner == owner]
        assert (verify(mine).count, verify(mine).fault) == (2, None)
        assert first_misfit(mine[1:]) == mine[1].id


def test_an_hour_is_the_same_hour_in_every_zone() -> None:
    here = entry(1, began=datetime.fromisoformat("2026-11-23T10:00:00+01:00"))
    there = entry(1, began=datetime.fromisoformat("2026-11-23T09:00:00+00:00"))
    assert link("", 1, here) == link("", 1, there)


def test_the_hash_is_what_the_manual_says() -> None:
    one = entry(1, reason="base: a é", at=NOW)
    by_hand = (
        '{"actor":"","args":"","at":"2026-11-23T08:00:00.000000+00:00","began":null,"ended":null,'
        '"id":"id-1","kind":"call.done","number":1,"owner":"owner","place":1,"previous":"",'
        '"reason":"base: a é","result":"","subject":"","tool":"","trace":"t","verdict":"",'
        '"version":""}'
    )
    assert link("", 1, one) == sha256(by_hand.encode()).hexdigest()


def test_what_has_no_canonical_form_does_not_fit() -> None:
    [one] = chained(entry(1))
    for odd in ({"number": 2**60}, {"at": NOW.replace(tzinfo=None)}, {"actor": "\ud800"}):
        fault = verify([one.model_copy(update=odd)]).fault
        assert fault is not None
        assert fault.why.startswith("it cannot be hashed")


# Exported


def lines_of(entries: Sequence[AuditEntry], **header: Any) -> list[str]:
    head = Head(place=entries[-1].place or 0, hash=entries[-1].hash)
    given = {"owner": "owner", "exported": NOW, "count": len(entries), "head": head}
    return [written(Header(**{**given, **header})), *map(written, entries)]


@given(ENTRIES)
def test_what_is_exported_is_checked_from_its_lines_alone(entries: list[AuditEntry]) -> None:
    lines = lines_of(entries)
    assert verify_lines(lines) == verify(entries)
    assert verify_lines(lines, held=entries[0].hash).fault is None
    assert verify_lines(lines, held="0" * 64).fault is not None


@given(ENTRIES, st.data())
def test_no_character_of_an_entry_can_be_changed_unseen(
    entries: list[AuditEntry], data: Any
) -> None:
    lines = lines_of(entries)
    at = data.draw(st.integers(1, len(entries)))
    where = data.draw(st.integers(0, len(lines[at]) - 2))
    other = data.draw(st.characters(codec="utf-8").filter(lambda c: c != lines[at][where]))
    lines[at] = lines[at][:where] + other + lines[at][where + 1 :]
    try:
        same = AuditEntry.model_validate_json(lines[at], strict=True) == entries[at - 1]
    except ValueError:
        same = False
    fault = verify_lines(lines).fault
    if fault is None:
        assert same
    else:
        assert fault.line == at + 1


@given(ENTRIES, st.data())
def test_a_part_of_an_export_is_told_by_its_header(entries: list[AuditEntry], data: Any) -> None:
    lines = lines_of(entries)
    left = data.draw(st.integers(0, len(entries) - 1))
    fault = verify_lines(lines[: left + 1]).fault
    assert fault is not None
    assert f"{left} are there" in fault.why


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ('"tool":', '"note":"x","tool":', "note"),
        ('"tool":"",', "", "lacks tool"),
        ('"tool":"",', '"tool":"","tool":"",', "twice"),
        ('"number":1', '"number":"1"', "number"),
        ('"number":1', '"number":1e400', "number"),
        ('"owner":"owner"', '"owner":"other"', "another owner"),
        ('"place":1', '"place":null', "no place"),
        ("{", "", "cannot be read"),
        ("}", "", "cannot be read"),
        ('"reason":""', '"reason":' + "[" * 100_000, "cannot be read"),
        ('"reason":""', '"reason":"\\ud800"', "cannot be read"),
    ],
)
def test_a_line_that_is_not_an_entry_is_named(old: str, new: str, why: str) -> None:
    lines = lines_of(chained(entry(1), entry(2)))
    assert old in lines[1]
    lines[1] = lines[1].replace(old, new, 1)
    fault = verify_lines(lines).fault
    assert fault is not None
    assert (fault.line, why in fault.why) == (2, True), fault


def test_an_export_that_begins_in_the_middle_says_after_what() -> None:
    entries = chained(*(entry(n) for n in range(1, 6)))
    after = Head(place=2, hash=entries[1].hash)
    found = verify_lines(lines_of(entries[2:], after=after), held=after.hash)
    assert (found.count, found.fault) == (3, None)
    assert verify_lines(lines_of(entries[3:], after=after)).fault is not None


def test_a_header_that_names_another_head_does_not_fit() -> None:
    entries = chained(entry(1), entry(2))
    fault = verify_lines(lines_of(entries, head=Head(place=2, hash="0" * 64))).fault
    assert fault is not None
    assert "another head" in fault.why


@pytest.mark.parametrize("first", ["", "{}", "no json", '{"format":"other/1"}'])
def test_what_is_no_export_is_refused(first: str) -> None:
    with pytest.raises(BadArguments):
        verify_lines([first])
    other = written(Header(format="other/1", owner="o", exported=NOW, count=0, head=Head()))
    with pytest.raises(BadArguments, match="other/1"):
        verify_lines([other])
