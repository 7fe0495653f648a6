"""What a tool is: one value that declares everything a decision needs.

Declare one with ``read_tool`` or ``change_tool``. What a ``Tool`` leaves undeclared counts as the
worst: it executes, at high risk, may touch nothing, and is no read.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic

from pydantic import BaseModel

from assistant.domain.calls.call import Facts, Reach, Risk
from assistant.domain.calls.effects import Effect
from assistant.domain.calls.inverse import Inverse
from assistant.domain.conversation.conversation import ToolSchema
from assistant.domain.conversation.deliveries import Line, Row
from assistant.domain.conversation.glance import Glance
from assistant.domain.errors import AssistantError, Denied, Permanent
from assistant.domain.limits import TOOL_SECONDS
from assistant.domain.policy.traits import Confirmation, Scopes, ToolTraits
from assistant.domain.time.short import short_moment
from assistant.tools.contract.arguments import A, json_schema, largest, validated
from assistant.tools.contract.context import ToolContext
from assistant.tools.contract.results import Result
from assistant.tools.contract.scopes import out_of_scope

Inspect = Callable[[A, ToolContext], Sequence[Facts]]
Execute = Callable[[Facts, ToolContext], Result]
MakeEffect = Callable[[Facts, str], Effect]
"""The intent of a call (facts, call id), with the key that makes doing it twice show once."""
Reconcile = Callable[[Facts, ToolContext], Result | None]
MakeInverse = Callable[[Facts, ToolContext], Inverse | None]
MakeLines = Callable[[Facts, str], tuple[Line, ...]]
"""Lines for a person (facts, zone)."""
MakeGlance = Callable[[Facts, str, datetime], Glance]
"""What a card says (facts, zone, about now)."""
ExpiresAt = Callable[[Facts], datetime | None]

NOWHERE = Scopes()
NO_SANDBOX = "this tool runs only in a sandbox, and there is none"
CANNOT_TELL = "this tool cannot tell whether it happened"


@dataclass(frozen=True)
class Irreversible:
    """Says that nothing takes a change back, and why, in words for a person."""

    why: str


@dataclass(frozen=True, kw_only=True)
class ToolChange:
    """What a tool that changes something declares about the change."""

    effect: MakeEffect
    reconcile: Reconcile
    """Asks the world after a lost worker: a result if it happened, None if it did not.

    Raises ``Permanent`` if the world cannot tell any more.
    """
    inverse: MakeInverse | Irreversible
    """Makes the call that would take this one back, before this one executes.

    It may keep what is there now, under a name that comes from the call and from what is kept, so
    that a later attempt keeps nothing else in its place. It raises what ``execute`` would.
    """
    final: Callable[[Facts], str] | None = None
    """Why this one call cannot be taken back, though others of the tool can; empty if it can."""
    out_of_reach: Callable[[Facts], str] | None = None
    """Says why nothing can be done now where the call did it; empty if it can. May ask the world.

    Such a place is a calendar that is not connected any more. An undo asks this first.
    """
    pin: Callable[[Facts], dict[str, Any]] | None = None
    """Arguments that name the object by its id, to propose again when the object has changed."""
    creates_event: Callable[[Facts], tuple[str, str] | None] | None = None
    """The calendar and UID of an event it creates, remembered as the assistant's own."""


@dataclass(frozen=True, kw_only=True)
class Preview:
    """What a person is shown before they approve a call."""

    card: MakeLines
    """Everything that would happen, for its details.

    A value that is cut says so: ``… 37 more lines: see details``.
    """
    glance: MakeGlance | None = None
    """What its card says; None: its title and as many of the lines of ``card`` as there is room."""
    details: MakeLines | None = None
    """What is there and what would be, uncut; None: ``Facts.before`` as it is."""
    expires_at: ExpiresAt | None = None
    """When nobody needs the call any more."""


def _high(_facts: Facts) -> Risk:
    return Risk.HIGH


@dataclass(frozen=True, kw_only=True)
class Tool(Generic[A]):
    """One thing the model may ask for.

    ``inspect`` runs before the decision, outside any transaction, and changes nothing. It may split
    a request that is only partly allowed: one ``Facts`` for each call. It raises ``AssistantError``
    when the request cannot be carried out; the model is told, and nothing runs. ``can_execute``
    then checks each call, and raises with what would make it possible.

    ``execute`` makes the effect: ``Transient`` means that it certainly did not happen, ``Unsure``
    that it may have. It checks ``context.cancel`` where nothing is half done. A change says in
    ``Result.after["state"]`` how it left each object, as ``Facts.state`` has them: an ETag or a
    version; an empty one, or that of the deletion, for what is gone. An undo compares it later.
    """

    traits: ToolTraits
    """What a policy goes by: name, version, group, category, modes and the like."""
    title: str = ""
    """What a person is asked: ``Create an event``."""
    description: str = ""
    """What the model is told it does; empty: the docstring of ``args``."""
    internal: bool = False
    """True for what only code asks for, such as an undo: it is never offered to a model."""

    args: type[A]
    """Forbids extra fields. ``examples`` of its JSON Schema show what may be asked."""
    result: type[BaseModel]
    """The shape of ``Result.data``."""

    reach: Reach = Reach.EXECUTES
    """The most it can touch."""
    reach_by: Callable[[Facts], Reach] | None = None
    """What one call can touch, where that depends on its arguments."""
    risk: Callable[[Facts], Risk] = _high
    scopes: Scopes = NOWHERE
    """A call whose facts name a location or a host outside is refused, and never executes."""
    sandbox: bool = False
    """True when it must run in a sandbox. It is refused while there is none."""
    timeout: float = 20.0
    """Seconds, at most ``TOOL_SECONDS``: what takes longer is work for a queue of its own."""
    quick: bool = False
    """True for a read that is cheap enough to run while thinking, without a hop over the queue."""

    inspect: Inspect[A]
    can_execute: Callable[[Facts, ToolContext], None] | None = None
    """Raises ``AssistantError``, with the fix, when this call cannot be carried out now."""
    execute: Execute
    source: Callable[[Facts], str] | None = None
    """Where a result's outside words come from: ``mail 1a2b``, ``page https://...``."""

    preview: Preview | None = None
    """None for a read that never asks a person."""
    change: ToolChange | None = None
    """None for a read."""

    @property
    def name(self) -> str:
        return self.traits.name

    @property
    def version(self) -> str:
        return self.traits.version

    @property
    def display_name(self) -> str:
        return self.title if self.title.strip() else self.name

    @property
    def schema(self) -> ToolSchema:
        """What a model is told about it."""
        return ToolSchema(
            name=self.name,
            description=self.description or " ".join((self.args.__doc__ or "").split()),
            parameters=json_schema(self.args),
            largest=largest(self.args),
        )

    @property
    def undoable(self) -> bool:
        return self.change is not None and not isinstance(self.change.inverse, Irreversible)

    @property
    def irreversible(self) -> str:
        """Why a change cannot be taken back; empty for a read and for what can be."""
        inverse = self.change.inverse if self.change else None
        return inverse.why if isinstance(inverse, Irreversible) else ""

    def irreversible_as(self, facts: Facts) -> str:
        """Why a change with these facts cannot be taken back; empty for a read and if it can be."""
        final = self.change.final if self.change else None
        return self.irreversible or (final(facts) if final else "")

    def can_undo(self, facts: Facts) -> bool:
        """Whether a call with these facts changes something that can be taken back."""
        return self.undoable and not self.irreversible_as(facts)

    def out_of_reach(self, facts: Facts) -> str:
        """Why nothing can be done now where a call with these facts did it; empty if it can."""
        make = self.change.out_of_reach if self.change else None
        return make(facts) if make else ""

    def reach_of(self, facts: Facts) -> Reach:
        return self.reach_by(facts) if self.reach_by else self.reach

    def asks(self, facts: Facts) -> bool:
        """Whether the tool itself wants approval for this call, whatever the policy says."""
        confirmation = self.traits.confirmation
        return (
            self.traits.enforced
            or confirmation is Confirmation.ALWAYS
            or (confirmation is Confirmation.IF_DESTRUCTIVE and facts.destructive)
            or self.risk(facts) is Risk.HIGH
        )

    def refusal(self, facts: Facts) -> str:
        """Why a call with these facts must not run, whoever approved it; empty if it may."""
        return NO_SANDBOX if self.sandbox else out_of_scope(self.scopes, facts)

    def parse(self, args: Mapping[str, Any]) -> A:
        """Validate arguments. Raises ``BadArguments`` that says what to correct."""
        return validated(self.args, args)

    def examine(self, args: Mapping[str, Any], context: ToolContext) -> Sequence[Facts]:
        """Find the calls that come of these arguments, each with what stands against it.

        Raises what ``parse`` and ``inspect`` raise, when no call can come of them, and ``Denied``
        when the tool needs a sandbox.
        """
        parsed = self.parse(args)
        if self.sandbox:
            raise Denied(NO_SANDBOX)
        return [self._checked(facts, context) for facts in self.inspect(parsed, context)]

    def _checked(self, facts: Facts, context: ToolContext) -> Facts:
        if facts.trouble:
            return facts
        trouble = self.refusal(facts) or self._preflight(facts, context)
        return facts.model_copy(update={"trouble": trouble}) if trouble else facts

    def _preflight(self, facts: Facts, context: ToolContext) -> str:
        try:
            if self.can_execute is not None:
                self.can_execute(facts, context)
        except AssistantError as error:
            return str(error)
        return ""

    def card(self, facts: Facts, zone: str) -> tuple[Line, ...]:
        """Everything that would happen; none where nobody is ever asked."""
        return self.preview.card(facts, zone) if self.preview else ()

    def glance(self, facts: Facts, zone: str, now: datetime) -> Glance:
        """What a card says of the call. What it leaves out of the arguments is counted."""
        make = self.preview.glance if self.preview else None
        if make is None:
            given = _said_shortly(facts.args, zone, now)
            return _glance_of_lines(self.display_name, self.card(facts, zone), given)
        glance = make(facts, zone, now)
        asked = {name for name, value in facts.args.items() if value not in (None, "", [], {})}
        left_out = asked - set(glance.shows) - set(self.traits.made_args)
        return glance._replace(more=glance.more + len(left_out))

    def expires_at(self, facts: Facts) -> datetime | None:
        """When nobody needs the call any more; None if it stays useful."""
        make = self.preview.expires_at if self.preview else None
        return make(facts) if make else None

    def pin(self, facts: Facts) -> dict[str, Any]:
        """Arguments that name the object of these facts by its id; none if there are none."""
        make = self.change.pin if self.change else None
        return make(facts) if make else {}

    def creates_event(self, facts: Facts) -> tuple[str, str] | None:
        """The calendar and UID of the event that a call creates, if it creates one."""
        make = self.change.creates_event if self.change else None
        return make(facts) if make else None

    def inverse(self, facts: Facts, context: ToolContext) -> Inverse | None:
        """Make the call that would take this one back; None where nothing can.

        Raises what ``execute`` would, and ``Denied`` for a call that must not run.
        """
        if why := self.refusal(facts):
            raise Denied(why)
        if self.change is None or isinstance(self.change.inverse, Irreversible):
            return None
        return self.change.inverse(facts, context)

    def reconcile(self, facts: Facts, context: ToolContext) -> Result | None:
        """Ask the world whether an interrupted call happened: its result, or None if it did not.

        Raises ``Permanent`` where that cannot be told.
        """
        if self.change is None:
            raise Permanent(CANNOT_TELL)
        return self.change.reconcile(facts, context)


def _said_shortly(args: Mapping[str, Any], zone: str, now: datetime) -> dict[str, str]:
    """Write the arguments that are given, moments as a person reads them."""
    given = {name: str(value) for name, value in args.items() if value not in (None, "")}
    return {name: _moment(value, zone, now) or value for name, value in given.items()}


def _moment(value: str, zone: str, now: datetime) -> str:
    try:
        at = datetime.fromisoformat(value)
    except ValueError:
        return ""
    return short_moment(at, zone, now=now) if at.tzinfo else ""


def _glance_of_lines(title: str, lines: Sequence[Line], given: Mapping[str, str]) -> Glance:
    """Make a glance of a title and labelled lines, or of the arguments where there are none."""
    told = [(line.label, line.value) for line in lines] or list(given.items())
    values: dict[str, str] = {}
    for label, value in told:
        values.setdefault(value, label)  # what is told already is not told again
    rows = (Row(name=f"{label}:", text=value) for value, label in values.items())
    return Glance(verb=title, did="", rows=tuple(rows))


def flaw_of_timeout(tool: Tool[Any]) -> str:
    """Say what is wrong with the time-out of a tool; empty if nothing is."""
    if 0 < tool.timeout <= TOOL_SECONDS:
        return ""
    return f"timeout: between 0 and {TOOL_SECONDS:g} seconds, not {tool.timeout:g}"
