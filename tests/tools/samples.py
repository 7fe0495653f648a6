"""Tools to try the contract on."""

from collections.abc import Mapping, Sequence
from dataclasses import fields
from datetime import UTC, datetime
from typing import Any

from pydantic import BaseModel, ConfigDict

from assistant.domain.calls import Facts, Reach, Risk
from assistant.domain.deliveries import Line
from assistant.domain.inverse import Inverse
from assistant.domain.jobs import Cause
from assistant.domain.traits import EVERY_MODE, Category, Group, Scopes, ToolTraits
from assistant.tools.contract.context import ToolContext
from assistant.tools.contract.declare import cannot_tell, keyed_effect
from assistant.tools.contract.results import Result
from assistant.tools.contract.tool import Preview, Tool, ToolChange

NOTES = Scopes(apps=("note",))


class Note(BaseModel):
    """Keep a note."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"words": "milk", "copies": 2}]}
    )
    words: str
    copies: int = 1


class Bare(BaseModel):
    """Do something."""

    model_config = ConfigDict(extra="forbid")


class Noted(BaseModel):
    """Nothing for programs."""


def a_context(*, owner: str = "owner", call: str = "c1") -> ToolContext:
    return ToolContext(
        cause=Cause(owner=owner, trace="f" * 32),
        call=call,
        now=datetime(2026, 11, 30, 9, tzinfo=UTC),
        zone="Europe/Berlin",
    )


def as_asked(args: BaseModel, _context: ToolContext) -> Sequence[Facts]:
    return [Facts(args=args.model_dump(mode="json"), locations=("note:1",))]


def said(facts: Facts, _context: ToolContext) -> Result:
    return Result(text=f"noted {facts.args}", told="Noted.")


def made(declared: Mapping[str, Any]) -> Tool[Any]:
    """A tool of declarations that need not go together, each under the name of its field."""
    traits, change, preview, own = (
        {name: declared[name] for name in declared if name in known}
        for known in (
            {field.name for field in fields(ToolTraits)},
            {field.name for field in fields(ToolChange)},
            {field.name for field in fields(Preview)},
            {field.name for field in fields(Tool)},
        )
    )
    assert len(declared) == len(traits) + len(change) + len(preview) + len(own)
    own.setdefault("change", ToolChange(**change) if change else None)
    own.setdefault("preview", Preview(**preview) if preview else None)
    return Tool(traits=ToolTraits(**traits), **own)


def reading(name: str = "read_note", **own: Any) -> Tool[Any]:
    """A tool that only reads."""
    declared: dict[str, Any] = {
        "name": name,
        "args": Note,
        "result": Noted,
        "group": Group.SEARCH,
        "category": Category.READ_ONLY,
        "reach": Reach.READS,
        "allowed_modes": EVERY_MODE,
        "scopes": NOTES,
        "risk": lambda _facts: Risk.LOW,
        "inspect": as_asked,
        "execute": said,
    }
    return made(declared | own)


def writing(name: str = "write_note", **own: Any) -> Tool[Any]:
    """A tool that changes something."""
    declared: dict[str, Any] = {
        "name": name,
        "title": "Keep a note",
        "args": Note,
        "result": Noted,
        "group": Group.EDIT,
        "category": Category.SYSTEM_WRITE,
        "reach": Reach.WRITES,
        "scopes": NOTES,
        "risk": lambda _facts: Risk.MEDIUM,
        "inspect": as_asked,
        "execute": said,
        "effect": keyed_effect("note.write", lambda _facts, call: call),
        "reconcile": cannot_tell,
        "inverse": lambda facts, _context: Inverse(
            tool="tear_note", args={"words": facts.args["words"]}, words="Tear the note up"
        ),
        "card": lambda facts, _zone: (Line(label="Words", value=facts.args["words"]),),
    }
    return made({name: value for name, value in (declared | own).items() if value is not DROPPED})


DROPPED = object()
"""What is not declared at all."""
