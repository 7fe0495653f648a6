"""A request to the policy, and its decision."""

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from pydantic import BaseModel, ConfigDict

from assistant.domain.calls.call import Facts, Reach, Risk
from assistant.domain.governance.modes import Mode
from assistant.domain.policy.traits import ToolTraits

MODEL = "model"
"""The actor that is no person; everybody who is not known to be the owner counts as the model."""
MAIL = "mail"
"""The actor of what code asks for as a mail says so."""
_OWNER = "owner:"


class Verdict(StrEnum):
    """The verdicts, mildest first. They are texts: compare them with ``stricter`` only."""

    ALLOW = "allow"
    REPORT = "report"
    """The call runs, and the owner gets a report."""
    ASK = "ask"
    DENY = "deny"

    @property
    def severity(self) -> int:
        """Return 0 for allow, up to 3 for deny."""
        return _SEVERITY[self]


_SEVERITY = {verdict: place for place, verdict in enumerate(Verdict)}


def stricter(one: Verdict, other: Verdict) -> Verdict:
    return one if _SEVERITY[one] >= _SEVERITY[other] else other


class Layer(StrEnum):
    """The layers of a decision, in their order."""

    DENY = "deny"
    """Denies what is impossible, or not for a model."""
    CONSTRAINT = "constraint"
    """Denies what the tool's modes or the policy's limits for the tool forbid."""
    BASE = "base"
    """Goes by the tool's declaration: its risk, and when it wants confirmation."""
    RULE = "rule"
    DEFAULT = "default"
    FLOOR = "floor"
    """Asks where a person must always be asked."""
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
    """The risk that the tool gives this call; None for an unknown tool or if it cannot tell."""
    reach: Reach | None
    """What the call can touch; None when unknown."""
    owner: str
    """Id of the owner; a grant covers only calls of its owner."""
    actor: str = MODEL
    """``model``, or ``owner:<channel id>`` for a person who typed the call."""
    tainted: bool = True
    """False only when no outside text was in view."""
    channel: str = ""
    sender_grade: str = ""
    """How well the writer of the mail in view is known; empty without a mail."""

    @property
    def by_owner(self) -> bool:
        return self.actor.startswith(_OWNER) and len(self.actor) > len(_OWNER)


class LayerStep(NamedTuple):
    """One layer's line in a decision."""

    layer: Layer
    words: str
    spoke: bool
    """False when the layer added nothing; only ``explain`` shows such a line."""
    verdict: Verdict
    """The verdict after this layer."""

    def __str__(self) -> str:
        return f"{self.layer}: {self.words}"


class Decision(BaseModel):
    """The verdict on a request, and everything that shows a person why."""

    model_config = ConfigDict(frozen=True)
    verdict: Verdict
    risk: Risk
    reasons: tuple[str, ...]
    """One line for each layer that had a say, in order, each beginning with the layer's name."""
    layer: str = ""
    """The layer that set the verdict."""
    rule: str = ""
    """The rule that matched, by its place in the policy's file: ``rules[3]``; or ``default``."""
    message: str = ""
    """The rule's message to the person who is asked."""
    grant: str = ""
    """Id of the grant that lowered the verdict, or that permits the call in spite of taint."""
    word: str = ""
    """What the owner must type to approve; empty where a press is enough."""
    fix: str = ""
    """What would make a denied call possible."""
    policy: int = 0
    """The version of the policy that was in force."""
    mode: Mode = Mode.NORMAL

    @property
    def why(self) -> str:
        """Return the lines of the layer that set the verdict, without its name, and the fix."""
        name = f"{self.layer}: "
        lines = [line.removeprefix(name) for line in self.reasons if line.startswith(name)]
        return "; ".join([*lines, *([self.fix] if self.fix else [])])


def one_line(text: str, most: int = 400) -> str:
    """Return a stranger's text in one line, cut to ``most`` characters."""
    flat = " ".join("".join(char if char.isprintable() else " " for char in text).split())
    return flat if len(flat) <= most else f"{flat[: most - 3]}..."
