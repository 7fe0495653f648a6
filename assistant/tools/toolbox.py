"""What a tool is, and the tools on offer by name."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from assistant.domain.calls import Facts, Reach, Risk
from assistant.domain.deliveries import Line
from assistant.domain.effects import Effect
from assistant.domain.errors import BadArguments, NotFound
from assistant.domain.jobs import Cause
from assistant.domain.talk import ToolSchema

A = TypeVar("A", bound=BaseModel)


class Errand(BaseModel):
    """For which call a tool works, and when and where its owner is."""

    model_config = ConfigDict(frozen=True)
    cause: Cause
    call: str
    """The call's id: what keys its effects, whichever attempt it is."""
    now: datetime
    zone: str


class Result(BaseModel):
    """What a tool says when it is done."""

    model_config = ConfigDict(frozen=True)
    text: str
    """For the model; what came from outside is fenced already."""
    told: str = ""
    """For the person, by code."""
    outside: bool = False
    """True when ``text`` holds words of others."""
    after: dict[str, Any] = Field(default_factory=dict)
    """What the effect left: the object as it is now, its version."""


@dataclass(frozen=True, kw_only=True)
class Tool(Generic[A]):
    """One thing the model may ask for. Everything that a decision needs is declared here.

    ``look`` runs before the decision, outside any transaction, and may split a request that is only
    partly allowed: one ``Facts`` for each call that comes of it. It raises ``AssistantError`` when
    the request cannot be carried out; the model is told, and nothing runs.

    ``act`` makes the effect: ``Transient`` means it surely did not happen, ``Unsure`` that it may
    have. ``settle`` asks the world after a lost worker: a result if it happened, None if it did
    not, ``Permanent`` if it no longer can.
    """

    name: str
    args: type[A]
    reach: Reach
    """What it can touch at the most."""
    risk: Callable[[Facts], Risk]
    look: Callable[[A, Errand], Sequence[Facts]]
    act: Callable[[Facts, Errand], Result]
    effect: Callable[[Facts, str], Effect] | None = None
    """The intent of a call (facts, call id); None for tools that only read."""
    makes: Callable[[Facts], tuple[str, str]] | None = None
    """The calendar and UID of an event it makes, remembered as the assistant's own."""
    settle: Callable[[Facts, Errand], Result | None] | None = None
    card: Callable[[Facts, str], tuple[Line, ...]] | None = None
    """The lines of an approval card (facts, zone)."""
    moot: Callable[[Facts], datetime | None] = lambda _facts: None
    """When nobody needs this any more."""
    title: str = ""
    """What a person is asked: ``Create an event``."""
    version: str = "1"
    timeout: float = 20.0
    quick: bool = False
    """A read that is cheap enough to run while thinking, without a hop over the queue."""

    reach_by: Callable[[Facts], Reach] | None = None
    """What one call can touch, where that depends on its arguments."""

    def reach_of(self, facts: Facts) -> Reach:
        return self.reach_by(facts) if self.reach_by else self.reach

    @property
    def schema(self) -> ToolSchema:
        return ToolSchema(
            name=self.name,
            description=" ".join((self.args.__doc__ or "").split()),
            parameters=self.args.model_json_schema(),
        )

    def parse(self, args: Mapping[str, Any]) -> A:
        """Validated arguments. Raises ``BadArguments`` with what to mend, field by field."""
        try:
            return self.args.model_validate(dict(args))
        except ValidationError as error:
            raise BadArguments(_advice(error)) from error


class Toolbox:
    def __init__(self, *tools: Tool[Any]) -> None:
        self._tools = {tool.name: tool for tool in tools}

    def schemas(self) -> Sequence[ToolSchema]:
        return [self._tools[name].schema for name in sorted(self._tools)]

    def get(self, name: str) -> Tool[Any] | None:
        return self._tools.get(name)

    def __getitem__(self, name: str) -> Tool[Any]:
        if name not in self._tools:
            raise NotFound(f"tool {name}")
        return self._tools[name]


def _advice(error: ValidationError) -> str:
    return "; ".join(
        f"{'.'.join(str(place) for place in problem['loc']) or 'arguments'}: {problem['msg']}"
        for problem in error.errors(include_url=False, include_input=False)
    )
