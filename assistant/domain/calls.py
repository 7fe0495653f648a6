"""A call: one request for a tool, from proposal to end."""

from datetime import datetime
from enum import StrEnum
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, Field

from assistant.domain.call_states import NEXT, CallState
from assistant.domain.canonical import digest
from assistant.domain.errors import IllegalStep
from assistant.domain.modes import Mode
from assistant.domain.tool_errors import ToolError


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
    """What a look at the world found before a decision, and what the decision then binds.

    A value, so that ``decide`` stays pure and a card shows what was decided on.
    """

    model_config = ConfigDict(frozen=True)
    args: dict[str, Any]
    """The arguments, validated, defaulted and resolved."""
    destination: str = ""
    """Where the effect would land: a calendar's address, a bucket, an account."""
    state: dict[str, str] = Field(default_factory=dict)
    """Each object referred to and its version (ETag, digest).

    What is absent has an empty one, or that of its deletion where deletions are counted.
    """
    before: dict[str, Any] = Field(default_factory=dict)
    """The object as it is, for the card."""
    own: bool = False
    """True when the assistant made everything this call refers to."""
    trouble: str = ""
    """Why it cannot be carried out, with the fix; such a call is refused."""
    locations: tuple[str, ...] = ()
    """The files or resources it affects, as a policy names them: ``private:/notes/a.txt``."""
    destructive: bool = False
    """True when something would be gone or overwritten."""
    size: int = 0
    """Bytes that would be stored."""
    hosts: tuple[str, ...] = ()
    """Machines it would talk to on the owner's behalf."""
    command: str = ""
    """A command line it would run."""


class Copied(BaseModel):
    """An argument whose words stand in a text that somebody else wrote."""

    model_config = ConfigDict(frozen=True)
    arg: str
    source: str
    """Where they stand: ``mail 1a2b3c4d from Ann <ann@example.org>``."""
    grade: str = "unknown"
    """How well the writer is known."""


class Writer(BaseModel):
    """Somebody else whose words were in view."""

    model_config = ConfigDict(frozen=True)
    source: str
    """Where the words stand, as in ``Copied``."""
    grade: str = "unknown"


class Call(BaseModel):
    """One request for a tool, from proposal to end."""

    model_config = ConfigDict(frozen=True)
    id: str
    owner: str
    number: int = 0
    """Counts an owner's calls; people say ``A17``."""
    conversation: str
    turn: int
    """The seq of the assistant's entry that asked for it."""
    ordinal: int
    tool: str
    version: str = "1"
    facts: Facts
    asked: dict[str, Any] = Field(default_factory=dict)
    """The arguments exactly as the model gave them."""
    risk: Risk = Risk.HIGH
    reasons: tuple[str, ...] = ()
    """The decision's lines, in the order the layers spoke."""
    report: bool = False
    """True when the person is told although nobody was asked."""
    tainted: bool = True
    actor: str = "model"
    """Who asked: the model, or ``owner:<id>`` for a person who did so without one."""
    reach: Reach = Reach.GOVERNS
    """What it can touch; unknown is the worst."""
    verdict: str = ""
    layer: str = ""
    """The layer of the policy that had the last word."""
    rule: str = ""
    """The rule that matched, as the policy names it."""
    policy: int = 0
    """The version of the policy it was judged by."""
    mode: Mode = Mode.NORMAL
    grant: str = ""
    """Id of the grant that let it run."""
    word: str = ""
    """What must be typed with a yes."""
    supersedes: str = ""
    """Id of the call that this one took the place of."""
    undoes: str = ""
    """Id of the call whose effect this one takes back."""
    copied: tuple[Copied, ...] = ()
    led: tuple[Writer, ...] = ()
    """Whose words were in view when it was asked for, the newest first; no more than a few."""
    state: CallState = CallState.PROPOSED
    result: str = ""
    """What the model is told, last."""
    told: str = ""
    """What the person is told, last."""
    output: str = ""
    """Name of the blob that holds the whole result, where ``result`` was cut."""
    failure: ToolError | None = None
    """Why it did not work out."""
    touched: tuple[str, ...] = ()
    """The files or resources it affected."""
    progress: str = ""
    """How far it is, while it runs."""
    beat: datetime | None = None
    """When it last showed that it goes on, once it takes longer than a moment."""
    stop: bool = False
    """True when the owner wants it to stop."""
    fence: int = 0
    trace: str = ""
    created: datetime | None = None
    cleared: datetime | None = None
    """When it was let run, last."""
    started: datetime | None = None
    ended: datetime | None = None

    @property
    def handle(self) -> str:
        return f"A{self.number}"

    @property
    def binding(self) -> str:
        """What a yes covers: this tool, version, arguments, destination and state; no more."""
        return digest(
            {
                "args": self.facts.args,
                "call": self.id,
                "destination": self.facts.destination,
                "state": self.facts.state,
                "tool": self.tool,
                "version": self.version,
            }
        )

    def can_become(self, to: CallState) -> bool:
        """Whether the table of states has a step from here to ``to``."""
        return to in NEXT[self.state]

    def step(self, to: CallState, **changes: Any) -> Self:
        """Return the call one step on. Raises ``IllegalStep`` if the table has no such step."""
        if not self.can_become(to):
            raise IllegalStep(f"call {self.handle} cannot go from {self.state} to {to}")
        return self.model_copy(update={"state": to, **changes})
