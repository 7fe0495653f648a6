"""What enters the audit of what happens, and what never does."""

from datetime import timedelta
from hashlib import sha256
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.domain.approvals import ApprovalState
from assistant.domain.audit_entries import (
    REASON,
    approval_settled,
    args_digest,
    call_added,
    call_moved,
    effect_written,
)
from assistant.domain.call_states import CallState
from assistant.domain.calls import Call, Facts
from assistant.domain.canonical import digest
from assistant.domain.effects import EffectState
from assistant.domain.modes import Mode
from assistant.domain.tool_errors import ErrorType, ToolError
from tests.bed import START, a_call, an_approval, an_effect

CANARY = "CANARY-4f1d"


def judged(**changes: Any) -> Call:
    given = {"verdict": "ask", "reasons": ("base: high risk", "mode: alert")}
    return a_call("talk", **{**given, **changes})


def test_a_call_is_there_with_its_decision_and_the_hash_of_its_arguments() -> None:
    entry = call_added(
        judged(state=CallState.PARKED, policy=3, mode=Mode.ALERT, grant="g1", undoes="c0"), at=START
    )
    assert (entry.kind, entry.actor, entry.tool) == ("call.parked", "model", "create_event")
    assert (entry.verdict, entry.args) == ("ask", digest({"title": "Tea"}))
    assert entry.reason == (
        "base: high risk; mode: alert; policy 3, mode alert; grant g1; takes back c0"
    )
    assert (entry.result, entry.began, entry.ended) == ("", None, None)


def test_a_read_that_was_answered_at_once_began_and_ended() -> None:
    entry = call_added(judged(state=CallState.DONE), at=START)
    assert (entry.kind, entry.result) == ("call.done", "ok")
    assert (entry.began, entry.ended) == (START, START)


def test_a_step_says_when_it_ended_and_what_kind_of_error_it_was() -> None:
    later = START + timedelta(seconds=3)
    failure = ToolError(type=ErrorType.FILE_READ, message=CANARY)
    failed = judged(state=CallState.FAILED, failure=failure, started=START, ended=later)
    entry = call_moved(failed, {"failure": failure, "ended": later, "result": CANARY})
    assert (entry.kind, entry.result) == ("call.failed", "FileReadError")
    assert (entry.began, entry.ended, entry.reason) == (START, later, "")


def test_a_step_that_judges_again_says_why() -> None:
    parked = judged(state=CallState.PARKED)
    entry = call_moved(parked, {"reasons": parked.reasons})
    assert entry.reason.startswith("base: high risk; mode: alert")
    assert (entry.verdict, entry.args) == ("ask", digest({"title": "Tea"}))


def test_an_answer_says_who_gave_it_and_what_it_covers_but_not_their_words() -> None:
    approval = an_approval(judged())
    entry = approval_settled(
        approval, ApprovalState.DENIED, by="discord:7", reason=CANARY, at=START
    )
    assert (entry.kind, entry.subject, entry.actor) == (
        "approval.denied",
        approval.call,
        "discord:7",
    )
    assert entry.args == approval.binding
    assert entry.reason == "11 characters of why, kept with the approval"


def test_an_effect_is_known_by_the_hash_of_what_it_is() -> None:
    effect = an_effect(judged(), state=EffectState.DONE, key=CANARY, after={"text": CANARY})
    entry = effect_written(effect)
    assert (entry.kind, entry.tool) == ("effect.done", "calendar.create")
    named = f"calendar.create\na calendar\n{CANARY}"
    assert entry.args == sha256(named.encode()).hexdigest()


@pytest.mark.parametrize(
    ("args", "asked", "begins"),
    [
        ({"title": "x"}, {"title": "y"}, digest({"title": "x"})),
        ({}, {}, digest({})),
        ({}, {"title": "x"}, f"asked:{digest({'title': 'x'})}"),
        ({"n": 2**60}, {}, "json:"),
        ({"n": float("nan")}, {}, "json:"),
        ({"n": "\ud800"}, {}, "json:"),
        ({}, {"n": 2**60}, "asked:json:"),
    ],
)
def test_every_argument_has_a_hash(
    args: dict[str, Any], asked: dict[str, Any], begins: str
) -> None:
    found = args_digest(judged(facts=Facts(args=args), asked=asked))
    assert found.startswith(begins)
    assert len(found.rpartition(":")[2]) == 64


def test_arguments_nested_deeper_than_code_can_follow_stop_nothing() -> None:
    deep: dict[str, Any] = {}
    for _ in range(2_000):
        deep = {"a": deep}
    found = args_digest(judged(facts=Facts.model_construct(args=deep)))
    assert found.startswith("none:")


@pytest.mark.parametrize(
    "quoting",
    [
        {"facts": Facts(args={"title": CANARY})},
        {"facts": Facts(args={"of": [{"deep": (CANARY,)}]})},
        {"facts": Facts(args={}, before={"title": CANARY})},
        {"asked": {"title": CANARY}},
        {"asked": {f"{CANARY} as a name": 1}, "reasons": (f"deny: {CANARY} as a name is unknown",)},
        {"tool": f"{CANARY}!", "reasons": (f"deny: there is no tool named {CANARY}!",)},
        {"asked": {"pin": 73_910_482}, "reasons": ("deny: 73910482 is no pin",)},
    ],
)
def test_a_reason_does_not_quote(quoting: dict[str, Any]) -> None:
    reasons = (f"deny: there is no {CANARY}",)
    call = judged(**{"reasons": reasons, "asked": {}, **quoting})
    entry = call_added(call, at=START)
    assert "[...]" in entry.reason
    told = entry.model_dump_json()
    assert (CANARY in told, "as a name" in told, "73910482" in told) == (False, False, False)


def test_a_name_that_is_none_is_hashed() -> None:
    entry = call_added(judged(tool="Dear Anna,\nthe code is 1234"), at=START)
    assert entry.tool.startswith("sha256:")
    assert call_added(judged(tool="no_such_tool"), at=START).tool == "no_such_tool"


@given(st.lists(st.text(), max_size=5), st.text(), st.text())
def test_every_reason_is_bounded_and_can_be_kept(
    lines: list[str], asked: str, supersedes: str
) -> None:
    call = judged(reasons=tuple(lines), asked={"a": asked}, supersedes=supersedes[:16])
    reason = call_added(call, at=START).reason
    assert len(reason) <= REASON
    assert "\x00" not in reason
    reason.encode()


def test_a_long_reason_still_says_what_it_was_decided_by() -> None:
    reason = call_added(judged(reasons=("deny: " + "x" * 900,), policy=7), at=START).reason
    assert len(reason) == REASON
    assert reason.endswith("; policy 7, mode normal")
