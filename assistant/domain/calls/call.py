"""A call: one request for a tool, from proposal to end."""

from datetime import datetime
from enum import StrEnum
from typing import Any, Self

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, field_serializer

from assistant.domain.calls.states import NEXT, CallState
from assistant.domain.calls.tool_errors import ErrorType, ToolError
from assistant.domain.canonical import digest
from assistant.domain.errors import IllegalStep
from assistant.domain.governance.modes import Mode


class Risk(StrEnum):
    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


class Reach(StrEnum):
    """What a call can touch."""

    READS = "reads"
    WRITES = "writes"
    SENDS = "sends"
    DESTROYS = "destroys"
    EXECUTES = "executes"
    GOVERNS = "governs"


class Facts(BaseModel):
    """What inspecting a call found before the decision, and what an approval is bound to.

    A value, so that ``decide`` stays pure and a card shows exactly what was decided on.
    """

    model_config = ConfigDict(frozen=True)
    args: dict[str, Any]
    """The arguments, validated, defaulted and resolved."""
    destination: str = ""
    """Where the effect would happen: a calendar's address, a bucket, an account."""
    state: dict[str, str] = Field(default_factory=dict)
    """Each object referred to and its version (ETag, digest).

    An absent object has an empty version, or the version of its deletion where those are counted.
    """
    before: dict[str, Any] = Field(default_factory=dict)
    """The object as it is now, for the card."""
    own: bool = False
    """True when the assistant made everything this call refers to."""
    trouble: str = ""
    """Why the call cannot be carried out, with the fix; such a call is refused."""
    locations: tuple[str, ...] = ()
    """The files or resources the call affects, as a policy names them: ``private:/notes/a.txt``."""
    destructive: bool = False
    """True when the call would delete or overwrite something."""
    made_here: bool = False
    """True when the model wrote what the call would overwrite, in the call's own conversation."""
    size: int = 0
    """Bytes that the call would store."""
    hosts: tuple[str, ...] = ()
    """Hosts that the call would connect to."""
    command: str = ""
    """The command line that the call would run."""
    lapses: AwareDatetime | None = None
    """From when on nobody needs the call, as was known when it was asked for.

    None where that is never, or where it was asked for before this was recorded.
    """
    beside: dict[str, Any] = Field(default_factory=dict)
    """What else was found, for the card alone: no approval is bound to it, and no model sees it."""

    @field_serializer("lapses")
    def _as_text(self, lapses: datetime | None) -> str | None:
        return lapses.isoformat() if lapses else None


class QuotedArgument(BaseModel):
    """An argument whose words occur in a text that somebody else wrote."""

    model_config = ConfigDict(frozen=True)
    arg: str
    source: str
    """The text they occur in: ``mail 1a2b3c4d from Ann <ann@example.org>``."""
    grade: str = "unknown"
    """How well the writer is known."""


class Influence(BaseModel):
    """A text of somebody else that the model saw when it asked for a call."""

    model_config = ConfigDict(frozen=True)
    source: str
    """Where the text comes from, as in ``QuotedArgument``."""
    grade: str = "unknown"


class Call(BaseModel):
    """One request for a tool, from proposal to end."""

    model_config = ConfigDict(frozen=True)
    id: str
    owner: str
    number: int = 0
    """Counts an owner's calls; ``handle`` shows it as ``A17``."""
    conversation: str
    turn: int
    """The seq of the assistant's entry that asked for the call."""
    ordinal: int
    tool: str
    version: str = "1"
    facts: Facts
    asked: dict[str, Any] = Field(default_factory=dict)
    """The arguments exactly as the model gave them."""
    risk: Risk = Risk.HIGH
    reasons: tuple[str, ...] = ()
    """The decision's lines, in the order of the layers."""
    report: bool = False
    """True when the call runs without approval and the owner gets a report."""
    tainted: bool = True
    actor: str = "model"
    """Who asked: the model, or ``owner:<id>`` for a person who typed the call."""
    reach: Reach = Reach.GOVERNS
    """What the call can touch; the worst while unknown."""
    verdict: str = ""
    layer: str = ""
    """The layer of the policy that set the verdict."""
    rule: str = ""
    """The rule that matched: ``rules[3]``, or ``default``."""
    policy: int = 0
    """The version of the policy that judged the call."""
    mode: Mode = Mode.NORMAL
    grant: str = ""
    """Id of the grant that let the call run."""
    word: str = ""
    """What the owner must type to approve the call; empty where a press is enough."""
    supersedes: str = ""
    """Id of the call that this one replaced."""
    undoes: str = ""
    """Id of the call that this one undoes."""
    copied: tuple[QuotedArgument, ...] = ()
    """The quoted arguments. Stored under this name."""
    led: tuple[Influence, ...] = ()
    """What influenced the call, newest first; no more than a few. Stored under this name."""
    typed: tuple[str, ...] = ()
    """The arguments that the owner typed after the newest words of others had come into view.

    Only a card goes by it: see ``typed_arguments``.
    """
    state: CallState = CallState.PROPOSED
    result: str = ""
    """The newest result for the model."""
    told: str = ""
    """The newest result for the owner."""
    output: str = ""
    """Name of the blob that holds the whole result, where ``result`` was cut."""
    failure: ToolError | None = None
    """Why the call failed."""
    touched: tuple[str, ...] = ()
    """The files or resources that the call affected."""
    progress: str = ""
    """How far a running call is."""
    beat: datetime | None = None
    """The last heartbeat of a call that takes longer than a moment."""
    stop: bool = False
    """True when the owner wants the call to stop."""
    fence: int = 0
    trace: str = ""
    created: datetime | None = None
    cleared: datetime | None = None
    """When the call was last cleared."""
    started: datetime | None = None
    ended: datetime | None = None

    @property
    def handle(self) -> str:
        return f"A{self.number}"

    @property
    def unclear(self) -> bool:
        """Whether it ended without anybody knowing if its effect happened."""
        return (
            self.failure is not None
            and self.failure.type is ErrorType.UNKNOWN_OUTCOME
            and self.reach is not Reach.READS
        )

    @property
    def binding(self) -> str:
        """Return the version of the binding and the digest of what an approval covers.

        Those are the call, its trace, tool and version, its arguments, destination and state.
        """
        return f"2:{digest({**self._bound, 'trace': self.trace})}"

    def is_bound_by(self, binding: str) -> bool:
        """Return whether a stored binding is this call's, by the version that it names.

        One without a version is of version 1, which left out the trace. No other version is.
        """
        return binding in (self.binding, digest(self._bound))

    @property
    def _bound(self) -> dict[str, Any]:
        return {
            "args": self.facts.args,
            "call": self.id,
            "destination": self.facts.destination,
            "state": self.facts.state,
            "tool": self.tool,
            "version": self.version,
        }

    def can_become(self, to: CallState) -> bool:
        """Return whether the table of states has a step from here to ``to``."""
        return to in NEXT[self.state]

    def step(self, to: CallState, **changes: Any) -> Self:
        """Return the call one step on. Raises ``IllegalStep`` if the table has no such step."""
        if not self.can_become(to):
            raise IllegalStep(f"call {self.handle} cannot go from {self.state} to {to}")
        return self.model_copy(update={"state": to, **changes})
