"""What a tool is: one value that declares everything a decision needs.

What is not declared counts as the worst: a tool that says nothing about itself executes, at high
risk, and is no read.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from assistant.domain.calls.call import Facts, Reach, Risk
from assistant.domain.calls.effects import Effect
from assistant.domain.calls.inverse import Inverse
from assistant.domain.conversation.conversation import ToolSchema
from assistant.domain.conversation.deliveries import Line
from assistant.domain.errors import AssistantError, BadArguments
from assistant.domain.governance.modes import Mode
from assistant.domain.policy.traits import Category, Confirmation, Group, Scopes, ToolTerms
from assistant.tools.errand import Errand
from assistant.tools.results import Result

A = TypeVar("A", bound=BaseModel)

EVERY_MODE = frozenset(Mode)
UNLOCKED = EVERY_MODE - {Mode.LOCKDOWN}
_NOWHERE = Scopes()


def _high(_facts: Facts) -> Risk:
    return Risk.HIGH


@dataclass(frozen=True, kw_only=True)
class Tool(Generic[A]):
    """One thing the model may ask for.

    ``look`` runs before the decision, outside any transaction, and may split a request that is only
    partly allowed: one ``Facts`` for each call that comes of it. It raises ``AssistantError`` when
    the request cannot be carried out; the model is told, and nothing runs. ``can_execute`` then
    looks at each of these calls, and raises with what would make it possible.

    ``act`` makes the effect: ``Transient`` means it surely did not happen, ``Unsure`` that it may
    have. It heeds ``errand.cancel`` where nothing is half done. ``settle`` asks the world after a
    lost worker: a result if it happened, None if it did not, ``Permanent`` if it no longer can.

    What changes something says in ``Result.after["state"]`` how it left each object, as
    ``Facts.state`` has them: an etag or a version; for what is absent now an empty one, or that of
    its deletion. Days later an undo compares it with what is there then.
    """

    name: str
    """Lower case, digits and ``_``, at most 64 characters."""
    title: str = ""
    """What a person is asked: ``Create an event``."""
    description: str = ""
    """What the model is told it does; empty: the docstring of ``args``."""
    version: str = "1"
    """Changes whenever a yes given before would mean something else now."""
    internal: bool = False
    """True for what code alone asks for, such as an undo: no model is offered it."""

    args: type[A]
    """Forbids extra fields. ``examples`` of its JSON Schema show what may be asked."""
    result: type[BaseModel] | None = None
    """The shape of ``Result.data``."""

    group: Group = Group.EXEC
    category: str = Category.EXECUTION
    reach: Reach = Reach.EXECUTES
    """What it can touch at the most."""
    reach_by: Callable[[Facts], Reach] | None = None
    """What one call can touch, where that depends on its arguments."""
    risk: Callable[[Facts], Risk] = _high
    confirmation: Confirmation = Confirmation.NEVER
    enforced: bool = False
    """True when it asks whatever rules, grants and autorun say."""
    scopes: Scopes = _NOWHERE
    allowed_modes: frozenset[Mode] | None = None
    """None: every mode for what only reads, every one but lockdown for the rest."""
    rate_per_hour: int | None = None
    remembers: bool = False
    """True when what it writes outlives the talk and enters later ones."""
    free_args: tuple[str, ...] = ()
    """Arguments in which calls that are alike may differ: a grant leaves them open."""
    made_args: tuple[str, ...] = ()
    """What code makes anew for each call and puts among the facts' arguments: none of ``args``."""

    timeout: float = 20.0
    """Seconds."""
    sandbox: bool = False
    """True when it runs only where it can do no harm to the machine."""
    quick: bool = False
    """A read that is cheap enough to run while thinking, without a hop over the queue."""
    cached_for: float = 0.0
    """Seconds for which the same read may be answered from memory; 0 for never."""

    look: Callable[[A, Errand], Sequence[Facts]]
    can_execute: Callable[[Facts, Errand], None] | None = None
    """Raises ``AssistantError``, with the fix, when this call cannot be carried out now."""
    act: Callable[[Facts, Errand], Result]
    effect: Callable[[Facts, str], Effect] | None = None
    """The intent of a call (facts, call id) and what keys it; None for tools that only read."""
    makes: Callable[[Facts], tuple[str, str]] | None = None
    """The calendar and UID of an event it makes, remembered as the assistant's own."""
    settle: Callable[[Facts, Errand], Result | None] | None = None
    inverse: Callable[[Facts, Errand], Inverse | None] | None = None
    """The call that would take this one back, made before it acts; None where nothing can.

    It may ask the world and keep what is there now, under a name that comes of the call and of what
    is kept, so that a later attempt keeps nothing else in its place. It raises what ``act`` would.
    """
    irreversible: str = ""
    """Why what it does cannot be taken back, in words; where ``inverse`` is None, or gives it."""

    card: Callable[[Facts, str], tuple[Line, ...]] | None = None
    """The lines of an approval card (facts, zone): everything that would happen, before it does.

    Where it cuts something it says so, and points to the details: ``… 37 more lines: see details``.
    """
    details: Callable[[Facts, str], tuple[Line, ...]] | None = None
    """What is there and what would be, whole (facts, zone); None: ``Facts.before`` as it is."""
    moot: Callable[[Facts], datetime | None] = lambda _facts: None
    """When nobody needs this any more."""
    anchor: Callable[[Facts], dict[str, Any]] | None = None
    """Arguments that name the same object by its id, to ask about it again when it has changed."""
    source: Callable[[Facts], str] | None = None
    """Where a result's outside words come from: ``mail 1a2b``, ``page https://...``."""

    @property
    def display_name(self) -> str:
        return self.title if self.title.strip() else self.name

    @property
    def schema(self) -> ToolSchema:
        """As a model is told of it."""
        return ToolSchema(
            name=self.name,
            description=self.description or " ".join((self.args.__doc__ or "").split()),
            parameters=_parameters(self.args),
        )

    @property
    def modes(self) -> frozenset[Mode]:
        if self.allowed_modes is not None:
            return self.allowed_modes
        return EVERY_MODE if self.reach is Reach.READS else UNLOCKED

    @property
    def terms(self) -> ToolTerms:
        """What a policy goes by."""
        return ToolTerms(
            name=self.name,
            category=self.category,
            group=self.group,
            confirmation=self.confirmation,
            enforced=self.enforced,
            allowed_modes=self.modes,
            rate_per_hour=self.rate_per_hour,
            remembers=self.remembers,
            free_args=self.free_args,
            made_args=self.made_args,
            version=self.version,
        )

    def reach_of(self, facts: Facts) -> Reach:
        return self.reach_by(facts) if self.reach_by else self.reach

    def asks(self, facts: Facts) -> bool:
        """Whether the tool itself wants a yes for this call, before any policy has spoken."""
        return (
            self.enforced
            or self.confirmation is Confirmation.ALWAYS
            or (self.confirmation is Confirmation.IF_DESTRUCTIVE and facts.destructive)
            or self.risk(facts) is Risk.HIGH
        )

    def parse(self, args: Mapping[str, Any]) -> A:
        """Validated arguments. Raises ``BadArguments`` with what to mend, field by field."""
        try:
            return self.args.model_validate(dict(args))
        except ValidationError as error:
            raise BadArguments(_advice(error, list(self.args.model_fields))) from error

    def examine(self, args: Mapping[str, Any], errand: Errand) -> Sequence[Facts]:
        """The calls that come of these arguments, each with its trouble if it cannot be done.

        Raises what ``parse`` and ``look`` raise, when nothing can come of them at all.
        """
        return [self._preflight(facts, errand) for facts in self.look(self.parse(args), errand)]

    def _preflight(self, facts: Facts, errand: Errand) -> Facts:
        if self.can_execute is None or facts.trouble:
            return facts
        try:
            self.can_execute(facts, errand)
        except AssistantError as error:
            return facts.model_copy(update={"trouble": str(error)})
        return facts


@lru_cache(maxsize=1_000)
def _parameters(args: type[BaseModel]) -> dict[str, Any]:
    """The JSON Schema of arguments. Made once: it takes pydantic milliseconds, at every thought."""
    parameters = args.model_json_schema()
    parameters.pop("examples", None)
    return parameters


def _advice(error: ValidationError, fields: Sequence[str]) -> str:
    """What to mend, field by field; ``fields`` are those there are."""
    return "; ".join(
        f"{'.'.join(str(place) for place in problem['loc']) or 'arguments'}: "
        f"{_mend(problem, fields)}"
        for problem in error.errors(include_url=False, include_input=False)
    )


def _mend(problem: ErrorDetails, fields: Sequence[str]) -> str:
    if problem["type"] != "extra_forbidden":
        return problem["msg"].removeprefix("Value error, ")
    there = f"; there are {', '.join(fields) or 'none'}" if len(problem["loc"]) == 1 else ""
    return f"there is no such field{there}"
