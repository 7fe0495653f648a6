"""What is wrong with a tool is found and said."""

from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel, ConfigDict

from assistant.domain.calls import Facts, Reach, Risk
from assistant.domain.effects import Effect
from assistant.domain.errors import BadArguments
from assistant.domain.modes import Mode
from assistant.domain.traits import EVERY_MODE, Category, Group, Scopes, ToolTraits
from assistant.tools.contract.checks import problems_of
from assistant.tools.contract.context import ToolContext
from assistant.tools.contract.tool import Irreversible, Tool
from tests.tools.samples import (
    DROPPED,
    Bare,
    Note,
    Noted,
    a_context,
    as_asked,
    reading,
    said,
    writing,
)


class Loose(BaseModel):
    """Takes what is not asked for."""


class Silent(BaseModel):
    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{}]})


class Misled(BaseModel):
    """Its example does not fit it."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"word": 1}]})


def says_no(_args: Note, _context: ToolContext) -> list[Facts]:
    raise BadArguments("the shop is closed; ask tomorrow")


def breaks(_args: Note, _context: ToolContext) -> list[Facts]:
    raise KeyError("words")


def nowhere(args: Note, _context: ToolContext) -> list[Facts]:
    return [Facts(args=args.model_dump())]


UNCHANGED: dict[str, Any] = dict.fromkeys(("effect", "reconcile", "inverse"), DROPPED)


def counting() -> Any:
    seen: list[str] = []

    def effect(_facts: Facts, call: str) -> Effect:
        seen.append(call)
        return Effect(call=call, kind="x", key=f"{call}-{len(seen)}", destination="")

    return effect


def test_sound_tools_have_no_problems() -> None:
    assert problems_of(reading()) == []
    assert problems_of(writing(), a_context()) == []
    assert problems_of(writing(free_args=("copies",), allowed_modes={Mode.NORMAL})) == []
    assert problems_of(reading(inspect=says_no)) == []
    assert problems_of(writing(inverse=Irreversible("what was said was heard"))) == []
    assert problems_of(writing(internal=True)) == []
    assert problems_of(reading(sandbox=True)) == []


@pytest.mark.parametrize(
    ("tool", "said_of_it"),
    [
        (reading("Read-Note"), "name: 'Read-Note' is not lower case"),
        (reading("x" * 65), "at most 64 characters"),
        (reading(version=" "), "version: it is empty"),
        (reading(timeout=0), "timeout: between 0 and 3600 seconds"),
        (reading(rate_per_hour=0), "rate_per_hour: at least 1"),
        (reading(allowed_modes=frozenset()), "allowed_modes: there is no mode"),
        (reading(category=""), "category: it is empty"),
        (reading(result=dict), "result: it is no pydantic model"),
        (reading(args=dict), "args: they are no pydantic model"),
        (reading(args=Loose), "args: they take extra fields"),
        (reading(args=Silent), "description: it is empty"),
        (reading(args=Misled), "it raised BadArguments"),
        (reading(args=Bare), "args: no examples"),
        (reading(description="x" * 1025), "description: longer than 1024"),
        (reading(result=None), "result: it is no pydantic model, and every tool declares"),
        (reading(change=writing().change), "change: a tool that only reads has no effect"),
        (writing(inverse=Irreversible(" ")), "inverse: what changes something can be taken"),
        (reading(scopes=Scopes(paths=("",))), "scopes: the path '' is empty"),
        (reading(scopes=Scopes(apps=("private",))), "scopes: 'private' is no name of an app"),
        (reading(scopes=Scopes(apps=("a:b",))), "scopes: 'a:b' is no name of an app"),
        (reading(scopes=Scopes(network=("a.*",))), "scopes: 'a.*' is no host"),
        (reading(scopes=Scopes()), "scopes: note:1 is outside the paths and apps"),
        (writing(inspect=nowhere), "inspect: what changes something names where"),
        (reading(remembers=True), "remembers: a tool that only reads"),
        (reading(category=Category.EXECUTION), "category: what only reads is not execution"),
        (reading(group=Group.EXEC), "group: what only reads is not exec"),
        (writing(group=Group.SEARCH), "group: what writes is no search"),
        (writing(category=Category.READ_ONLY), "category: what writes is not read_only"),
        (writing(change=None, **UNCHANGED), "change: it says what keys the effect"),
        (writing(effect=counting()), "effect: its key comes from the call"),
        (writing(card=DROPPED), "card: what may ask a person shows what it would do"),
        (writing(title=""), "title: what may ask a person has one"),
        (writing(allowed_modes=EVERY_MODE), "allowed_modes: in lockdown there are reads only"),
        (writing(quick=True), "quick: only reads are"),
        (writing(made_args=("copies",)), "made_args: copies can be asked for"),
        (writing(free_args=("color",)), "free_args: there is no argument color"),
        (reading(inspect=breaks), "it raised KeyError: 'words'"),
        (reading(inspect=lambda _a, _e: []), "inspect: nothing comes of it"),
        (reading(inspect=lambda _a, _e: [Facts(args={"n": 2**60})]), "it raised BadArguments"),
        (reading(risk=lambda _f: "low"), "risk, reach_by: they give a Risk and a Reach"),
        (reading(reach_by=lambda _f: Reach.SENDS), "reach_by: sends is more than the reads"),
        (
            writing(reach=Reach.DESTROYS, risk=lambda _f: Risk.LOW),
            "risk: what destroys is at least medium, not low",
        ),
        (writing(reach=Reach.EXECUTES), "risk: what executes is at least high, not medium"),
        (
            reading(risk=lambda _f: Risk.HIGH),
            "card: it asks a person and shows nothing",
        ),
        (writing(enforced=True, card=lambda _f, _z: ()), "card: it asks a person and shows"),
        (reading(source=lambda _f: " "), "source: it is empty"),
        (writing(expires_at=lambda _f: datetime(2026, 1, 1)), "expires_at: a time needs a zone"),  # noqa: DTZ001 (that is what is wrong)
    ],
)
def test_what_is_wrong_is_said(tool: Tool[Any], said_of_it: str) -> None:
    assert [problem for problem in problems_of(tool) if said_of_it in problem]


def bare(kind: type[Tool[Any]]) -> Tool[Any]:
    traits = ToolTraits(name="bare")
    return kind(traits=traits, args=Bare, result=Noted, inspect=as_asked, execute=said)


def test_a_tool_that_declares_nothing_lacks_what_its_reach_demands() -> None:
    problems = problems_of(bare(Tool))
    assert [problem.partition(":")[0] for problem in problems] == [
        "change",
        "card",
        "title",
        "args",
    ]


def test_the_tool_of_the_manual_keeps_the_contract() -> None:
    manual = (Path(__file__).resolve().parents[2] / "docs" / "tools.md").read_text("utf-8")
    example = manual.partition("```python\n")[2].partition("```")[0]
    names: dict[str, Any] = {}
    exec(example, names)  # noqa: S102 (our own manual)
    assert problems_of(names["TIDES"]) == []


def test_what_is_no_tool_is_said_to_be_none() -> None:
    class Sly(Tool[Note]):
        """One whose methods need not keep what it declares."""

    assert problems_of(bare(Sly)) == ["it is a Sly, and not a Tool"]
