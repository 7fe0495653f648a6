"""The table of call states is whole, fits together, and is the only place that knows them."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest

from assistant.domain.call_states import (
    ASKED_AGAIN,
    BROKEN,
    ENDED,
    HAPPENED,
    NEXT,
    OPEN,
    OWED,
    STATES,
    CallState,
    Party,
    StateRow,
    Tally,
    complete,
)

ROOT = Path(__file__).resolve().parents[2]
TABLE = ROOT / "assistant" / "domain" / "call_states.py"
SOURCES = [
    path
    for package in ("assistant", "ingest", "workers")
    for path in sorted((ROOT / package).rglob("*.py"))
    if path != TABLE
]
PLACES = {
    "in_progress": {"name", "handle", "progress", "state"},
    "card_reason": {"told"},
    "late": {"name", "state", "why", "replaced", "hint"},
}
"""What can be filled into a row's words."""
ONE_STATE = re.compile(r"(CallState|_?S)\.[A-Z]+")
"""A state, by each name that modules give the enum."""
each_state = pytest.mark.parametrize("state", CallState)


def test_a_state_without_a_row_is_named_when_the_table_is_made() -> None:
    rows: dict[CallState, StateRow] = {
        state: row
        for state, row in STATES.items()
        if state not in (CallState.VOID, CallState.UNDONE)
    }
    with pytest.raises(LookupError, match="STATES has no row for VOID, UNDONE"):
        complete(rows)
    assert complete(STATES) is STATES


@pytest.mark.parametrize(
    ("found", "states"),
    [
        (OWED, "proposed cleared running unknown"),
        (OPEN, "proposed cleared running unknown parked"),
        (ENDED, "done failed refused denied expired void superseded cancelled undone"),
        (HAPPENED, "done undone"),
        (BROKEN, "failed unknown refused denied expired void cancelled"),
        (ASKED_AGAIN, "failed expired void"),
    ],
)
def test_each_set_has_the_states_whose_rows_say_so(
    found: frozenset[CallState], states: str
) -> None:
    assert found == {CallState(state) for state in states.split()}


@each_state
def test_what_has_ended_stays_ended_and_what_has_not_can(state: CallState) -> None:
    if state in ENDED:
        assert NEXT[state] <= ENDED
    else:
        assert NEXT[state] & (ENDED | OPEN)


@each_state
def test_only_what_came_to_nothing_is_asked_about_again(state: CallState) -> None:
    row = STATES[state]
    assert not (row.done and row.breaks_turn)
    if state in ASKED_AGAIN:
        assert row.breaks_turn
        assert row.owed_by is Party.NOBODY


@each_state
def test_each_state_has_words_for_a_person(state: CallState) -> None:
    row = STATES[state]
    assert row.in_progress
    assert row.card_text.endswith(".")
    assert row.late
    assert (row.ended_label == "") or state in ENDED
    for words, places in PLACES.items():
        named = {name for _, name, _, _ in Formatter().parse(getattr(row, words)) if name}
        assert named <= places


def test_each_group_of_a_tally_has_a_state() -> None:
    assert {row.tally for row in STATES.values()} == {*Tally, None}


# Nobody else keeps a list of states


def test_no_other_file_lists_states() -> None:
    """What a list of states would say is a field of ``StateRow``."""
    assert [
        f"{path.relative_to(ROOT)}:{line}"
        for path in SOURCES
        if "CallState" in (source := path.read_text(encoding="utf-8"))
        for line in lists_of_states(source)
    ] == []


@pytest.mark.parametrize(
    "line",
    [
        "ENDS = frozenset({CallState.DONE, CallState.FAILED})",
        "WORDS = {CallState.DONE: 'done', CallState.FAILED: 'failed'}",
        "over = call.state in (CallState.DONE, CallState.FAILED)",
        "over = call.state in [S.DONE, S.FAILED]",
        "over = call.state in {WAITS, S.FAILED}",
        "WAITING = OWED | {CallState.PARKED}",
        "TABLE = (('Done', {S.DONE}), ('Failed', {S.FAILED}))",
    ],
)
def test_a_list_of_states_is_found(line: str) -> None:
    assert set(lists_of_states(f"S = CallState\nWAITS = CallState.PARKED\n{line}\n")) == {3}


@pytest.mark.parametrize(
    "line",
    [
        "calls = tx.calls(states={CallState.PARKED})",
        "over = call.state is CallState.DONE",
        "STATE = {Verdict.ALLOW: CallState.CLEARED, Verdict.ASK: CallState.PARKED}",
        "over = mail.state in {MailState.STORED, MailState.READ}",
    ],
)
def test_one_state_or_another_enum_is_no_list_of_states(line: str) -> None:
    assert list(lists_of_states(f"S = CallState\n{line}\n")) == []


def lists_of_states(source: str) -> Iterator[int]:
    """Lines of a set, list, tuple or keys of a dict with several states, or a set put together."""
    tree = ast.parse(source)
    names = {
        ast.unparse(node.targets[0])
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and ONE_STATE.fullmatch(ast.unparse(node.value))
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.expr) and _states(node, names) > 1:
            yield node.lineno


def _states(node: ast.expr | None, names: set[str]) -> int:
    """How many states a literal lists; a set that is put together of others counts as two."""
    match node:
        case ast.Set(elts=inner) | ast.List(elts=inner) | ast.Tuple(elts=inner):
            return sum(_states(one, names) for one in inner)
        case ast.Dict(keys=keys):
            return sum(_states(one, names) for one in keys)
        case ast.BinOp(left=left, right=right):
            return 2 * (_states(left, names) + _states(right, names))
        case ast.Call(func=ast.Name(id="frozenset" | "set"), args=args):
            return sum(_states(one, names) for one in args)
        case ast.expr():
            said = ast.unparse(node)
            return int(said in names or ONE_STATE.fullmatch(said) is not None)
    return 0
