"""What a read and a change must say, and what nobody can leave out."""

from collections.abc import Callable
from inspect import Parameter, signature
from typing import Any

import pytest

from assistant.domain.calls import Facts, Reach, Risk
from assistant.domain.deliveries import Line
from assistant.domain.modes import Mode
from assistant.domain.traits import Category, Group, Scopes
from assistant.tools.contract.checks import problems_of
from assistant.tools.contract.declare import (
    AskFirst,
    cannot_tell,
    change_tool,
    keyed_effect,
    read_tool,
)
from assistant.tools.contract.tool import Irreversible, Tool
from tests.tools.samples import NOTES, Note, Noted, as_asked, said

FOR_GOOD = Irreversible("it is said")
WORDS = Facts(args={"words": "milk", "copies": 1}, locations=("note:1",))


def card(facts: Facts, _zone: str) -> tuple[Line, ...]:
    return (Line(label="Words", value=facts.args["words"]),)


def a_read(ask_first: AskFirst | None = None) -> Tool[Note]:
    return read_tool(
        "read_note",
        title="Read a note",
        args=Note,
        result=Noted,
        scopes=NOTES,
        inspect=as_asked,
        execute=said,
        ask_first=ask_first,
    )


def a_change(
    risk: Risk | Callable[[Facts], Risk] = Risk.MEDIUM, inverse: Any = FOR_GOOD
) -> Tool[Note]:
    return change_tool(
        "say_note",
        title="Say a note",
        args=Note,
        result=Noted,
        scopes=NOTES,
        reach=Reach.SENDS,
        risk=risk,
        inspect=as_asked,
        execute=said,
        effect=keyed_effect("note.say", lambda _facts, call: call),
        reconcile=cannot_tell,
        inverse=inverse,
        card=card,
        expires_at=None,
    )


def required(declare: Callable[..., Any]) -> set[str]:
    parameters = signature(declare).parameters.values()
    return {one.name for one in parameters if one.default is Parameter.empty}


BOTH = {"name", "title", "args", "result", "scopes", "inspect", "execute"}


def test_what_each_kind_must_say() -> None:
    assert required(read_tool) == BOTH
    assert required(change_tool) == BOTH | {
        "reach", "risk", "effect", "reconcile", "inverse", "card", "expires_at",
    }  # fmt: skip


def test_the_type_checker_refuses_what_is_left_out() -> None:
    """Mypy fails on an ignore that ignores nothing, so each line proves that it refuses it."""
    with pytest.raises(TypeError):
        read_tool("read_note")  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        change_tool("say_note")  # type: ignore[call-arg]
    a_change(risk=None)  # type: ignore[arg-type]
    change_tool(
        "say_note",
        title="Say a note",
        args=Note,
        result=None,  # type: ignore[arg-type]
        scopes=None,  # type: ignore[arg-type]
        reach=Reach.READS,  # type: ignore[arg-type]
        risk=Risk.LOW,
        inspect=as_asked,
        execute=said,
        effect=None,  # type: ignore[arg-type]
        reconcile=None,  # type: ignore[arg-type]
        inverse=None,  # type: ignore[arg-type]
        card=None,  # type: ignore[arg-type]
        expires_at=None,
    )


def test_a_read_runs_unasked_in_every_mode_and_changes_nothing() -> None:
    tool = a_read()
    assert problems_of(tool) == []
    assert (tool.reach, tool.risk(WORDS), tool.asks(WORDS)) == (Reach.READS, Risk.LOW, False)
    assert (tool.change, tool.preview, tool.card(WORDS, "UTC")) == (None, None, ())
    assert (tool.traits.group, tool.traits.category) == (Group.SEARCH, Category.READ_ONLY)
    assert tool.traits.allowed_modes == frozenset(Mode)


def test_a_read_that_asks_first_has_a_card_and_asks_for_those_calls_alone() -> None:
    tool = a_read(AskFirst(when=lambda facts: not facts.own, card=card))
    mine = WORDS.model_copy(update={"own": True})
    assert problems_of(tool) == []
    assert [tool.asks(facts) for facts in (WORDS, mine)] == [True, False]
    assert tool.card(WORDS, "UTC") == (Line(label="Words", value="milk"),)


def test_a_change_is_for_no_lockdown_and_says_what_takes_it_back_or_why_nothing_does() -> None:
    tool = a_change()
    assert problems_of(tool) == []
    assert Mode.LOCKDOWN not in tool.traits.allowed_modes
    assert (tool.undoable, tool.irreversible) == (False, "it is said")
    other = a_change(inverse=lambda _facts, _context: None)
    assert (other.undoable, other.irreversible) == (True, "")


def test_a_risk_is_one_for_all_calls_or_told_for_each() -> None:
    each = a_change(risk=lambda facts: Risk.HIGH if facts.destructive else Risk.MEDIUM)
    gone = WORDS.model_copy(update={"destructive": True})
    assert [each.risk(facts) for facts in (WORDS, gone)] == [Risk.MEDIUM, Risk.HIGH]
    assert a_change(risk=Risk.LOW).risk(gone) is Risk.LOW


def test_an_effect_has_the_key_it_was_given_and_leaves_out_what_is_too_large() -> None:
    make = keyed_effect(
        "note.say", lambda facts, call: f"{facts.args['words']}-{call}", without={"head"}
    )
    facts = WORDS.model_copy(
        update={"before": {"head": "x" * 99, "size": 99}, "destination": "ear"}
    )
    effect = make(facts, "c1")
    assert (effect.call, effect.kind, effect.key) == ("c1", "note.say", "milk-c1")
    assert (effect.before, effect.destination) == ({"size": 99}, "ear")


def test_scopes_are_said_even_where_there_are_none() -> None:
    with pytest.raises(TypeError, match="scopes"):
        read_tool("r", title="R", args=Note, result=Noted, inspect=as_asked, execute=said)  # type: ignore[call-arg]
    assert Tool.__dataclass_fields__["scopes"].default == Scopes()
