"""What the policy is asked about a call, and what it answers."""

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from pydantic import BaseModel, ConfigDict

from assistant.domain.calls import Facts, Reach, Risk
from assistant.domain.modes import Mode
from assistant.domain.traits import ToolTraits

MODEL = "model"
"""The actor who is no person; whoever is not known to be the owner counts as this one."""
_OWNER = "owner:"


class Verdict(StrEnum):
    """From the mildest to the strictest. They are texts: compare them with ``stricter`` only."""

    ALLOW = "allow"
    REPORT = "report"
    """It runs, and the person is told."""
    ASK = "ask"
    DENY = "deny"

    @property
    def severity(self) -> int:
        """0 for allow, 3 for deny."""
        return _SEVERITY[self]


_SEVERITY = {verdict: place for place, verdict in enumerate(Verdict)}


def stricter(one: Verdict, other: Verdict) -> Verdict:
    return one if _SEVERITY[one] >= _SEVERITY[other] else other


class Layer(StrEnum):
    """Who speaks in a decision, in the order they do."""

    DENY = "deny"
    """What cannot be done at all, or not by a model."""
    CONSTRAINT = "constraint"
    """The tool's modes, and the limits that the policy sets to it."""
    BASE = "base"
    """The tool's own word: its risk and when it wants to be asked about."""
    RULE = "rule"
    DEFAULT = "default"
    FLOOR = "floor"
    """What always asks a person."""
    GRANT = "grant"
    MODE = "mode"
    AUTORUN = "autorun"
    RATE = "rate"
    TAINT = "taint"


@dataclass(frozen=True, kw_only=True)
class Request:
    """One call as the policy sees it."""

    tool: ToolTraits
    facts: Facts
    risk: Risk | None
    """The tool's own word on this call; None when there is no such tool or it could not say."""
    reach: Reach | None
    """What the call can touch; None when unknown."""
    owner: str
    """Id of the person served; a grant covers calls of its own owner only."""
    actor: str = MODEL
    """``model``, or ``owner:<channel id>`` for a person who asked without one."""
    tainted: bool = True
    """False only when nothing that others wrote was in view."""
    channel: str = ""
    sender_grade: str = ""
    """How well the writer of the mail in view is known; empty when there is none."""

    @property
    def by_owner(self) -> bool:
        return self.actor.startswith(_OWNER) and len(self.actor) > len(_OWNER)


class Step(NamedTuple):
    """One layer's line in a decision."""

    layer: Layer
    words: str
    spoke: bool
    """False when the layer added nothing; it is then told by ``explain`` only."""
    verdict: Verdict
    """Where the decision stood after this layer."""

    def __str__(self) -> str:
        return f"{self.layer}: {self.words}"


class Decision(BaseModel):
    """What became of a request, and all that a person needs to see why."""

    model_config = ConfigDict(frozen=True)
    verdict: Verdict
    risk: Risk
    reasons: tuple[str, ...]
    """One line a layer that spoke, in the order they spoke, each beginning with its name."""
    layer: str = ""
    """The layer that had the last word."""
    rule: str = ""
    """The rule that matched, as the policy's file counts them: ``rules[3]``; or ``default``."""
    message: str = ""
    """What that rule tells the person who is asked."""
    grant: str = ""
    """Id of the grant that lowered it, or that let it through in spite of taint."""
    word: str = ""
    """What must be typed with the yes; empty where a press is enough."""
    fix: str = ""
    """What would make a denied call possible."""
    policy: int = 0
    """The version of the policy that was in force."""
    mode: Mode = Mode.NORMAL

    @property
    def why(self) -> str:
        """The lines of the layer that had the last word, without its name, and the fix."""
        name = f"{self.layer}: "
        lines = [line.removeprefix(name) for line in self.reasons if line.startswith(name)]
        return "; ".join([*lines, *([self.fix] if self.fix else [])])


def one_line(text: str, most: int = 400) -> str:
    """Words that may have been chosen by a stranger, such that they cannot begin a line."""
    flat = " ".join("".join(char if char.isprintable() else " " for char in text).split())
    return flat if len(flat) <= most else f"{flat[: most - 3]}..."
