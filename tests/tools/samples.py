"""Tools to try the contract on."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from pydantic import BaseModel, ConfigDict

from assistant.domain.calls.call import Facts, Reach, Risk
from assistant.domain.calls.effects import Effect
from assistant.domain.calls.inverse import Inverse
from assistant.domain.conversation.deliveries import Line
from assistant.domain.jobs.job import Cause
from assistant.domain.policy.traits import Category, Group
from assistant.tools.contract import Tool
from assistant.tools.errand import Errand
from assistant.tools.results import Result


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


def errand(*, owner: str = "owner", call: str = "c1") -> Errand:
    return Errand(
        cause=Cause(owner=owner, trace="f" * 32),
        call=call,
        now=datetime(2026, 11, 30, 9, tzinfo=UTC),
        zone="Europe/Berlin",
    )


def as_asked(args: BaseModel, _errand: Errand) -> Sequence[Facts]:
    return [Facts(args=args.model_dump(mode="json"))]


def said(facts: Facts, _errand: Errand) -> Result:
    return Result(text=f"noted {facts.args}", told="Noted.")


def reading(name: str = "read_note", **own: Any) -> Tool[Any]:
    """A tool that only reads."""
    declared: dict[str, Any] = {
        "name": name,
        "args": Note,
        "group": Group.SEARCH,
        "category": Category.READ_ONLY,
        "reach": Reach.READS,
        "risk": lambda _facts: Risk.LOW,
        "look": as_asked,
        "act": said,
    }
    return Tool(**declared | own)


def writing(name: str = "write_note", **own: Any) -> Tool[Any]:
    """A tool that changes something."""
    declared: dict[str, Any] = {
        "name": name,
        "title": "Keep a note",
        "args": Note,
        "group": Group.EDIT,
        "category": Category.SYSTEM_WRITE,
        "reach": Reach.WRITES,
        "risk": lambda _facts: Risk.MEDIUM,
        "look": as_asked,
        "act": said,
        "card": lambda facts, _zone: (Line(label="Words", value=facts.args["words"]),),
        "effect": lambda facts, call: Effect(
            call=call, kind="note.write", key=call, destination=facts.destination
        ),
        "inverse": lambda facts, _errand: Inverse(
            tool="tear_note", args={"words": facts.args["words"]}, words="Tear the note up"
        ),
    }
    return Tool(**declared | own)
