"""A grant: a reusable approval with a narrow scope, an end and a count."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, Self

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, model_validator

from assistant.domain.calls.call import Reach
from assistant.domain.canonical import canonical
from assistant.domain.errors import BadArguments, Denied
from assistant.domain.policy.always_ask import why_always_ask
from assistant.domain.policy.decisions import Request, one_line
from assistant.domain.time.moments import say_moment

LASTS = timedelta(days=30)
USES = 20


class Fit(StrEnum):
    LITERAL = "literal"
    """Exactly this value and type."""
    PREFIX = "prefix"
    """A text with this prefix, or a list of such texts."""
    ANY = "any"


class Bound(BaseModel):
    """The values that a grant permits for one argument."""

    model_config = ConfigDict(frozen=True)
    arg: str
    fit: Fit
    value: Any = None

    @model_validator(mode="after")
    def _begins_with_something(self) -> Self:
        if self.fit is Fit.PREFIX and not (isinstance(self.value, str) and self.value):
            raise ValueError("a prefix must be a text and not empty")
        return self

    def holds(self, value: object) -> bool:
        if self.fit is Fit.ANY:
            return True
        if self.fit is Fit.LITERAL:
            return _same(self.value, value)
        parts = value if isinstance(value, list | tuple) and value else [value]
        return all(isinstance(part, str) and part.startswith(self.value) for part in parts)


class Grant(BaseModel):
    """A grant for an owner's calls of one version of one tool, to one destination."""

    model_config = ConfigDict(frozen=True)
    id: str
    owner: str
    number: int = 0
    """Counts an owner's grants; ``handle`` shows it as ``G3``."""
    tool: str
    version: str
    scope: tuple[Bound, ...]
    """One bound for each argument; a call with another argument is not covered."""
    destination: str
    reach: Reach
    tainted: bool = False
    """Covers tainted calls too; then every argument is literal."""
    created: AwareDatetime
    by: str
    """Who granted it, by the channel's id."""
    expires: AwareDatetime
    uses: int = Field(ge=1)
    """How many calls it covers in all."""
    used: int = 0
    last_used: AwareDatetime | None = None
    revoked: AwareDatetime | None = None
    from_call: str = ""
    """Id of the call whose approval made the grant."""
    trace: str = ""

    @property
    def handle(self) -> str:
        return f"G{self.number}"

    @model_validator(mode="after")
    def _is_narrow(self) -> Self:
        if len({bound.arg for bound in self.scope}) != len(self.scope):
            raise ValueError("an argument may have one bound only")
        if self.tainted and any(bound.fit is not Fit.LITERAL for bound in self.scope):
            raise ValueError("in a grant for tainted calls, every argument must be literal")
        return self


def covers(grant: Grant, request: Request, now: datetime) -> bool:
    """Return whether a grant covers a call. Missing, unknown or malformed means no."""
    return not why_not_covered(grant, request, now)


def why_not_covered(grant: Grant, request: Request, now: datetime) -> str:
    """Return why a grant does not cover a call; empty if it does."""
    return _ended(grant, now) or _elsewhere(grant, request) or _beyond(grant, request)


def _ended(grant: Grant, now: datetime) -> str:
    if grant.revoked is not None:
        return "it was revoked"
    if now >= grant.expires:
        return "it has expired"
    if grant.used >= grant.uses:
        return "it is used up"
    return ""


def _elsewhere(grant: Grant, request: Request) -> str:
    tool, facts = request.tool, request.facts
    asked = (request.owner, tool.name, tool.version, facts.destination, request.reach)
    granted = (grant.owner, grant.tool, grant.version, grant.destination, grant.reach)
    names = ("owner", "tool", "version of the tool", "destination", "reach")
    for name, one, other in zip(names, asked, granted, strict=True):
        if one != other:
            return f"it is for another {name}"
    if why_always_ask(request.reach, facts):
        return "such a call always asks"
    if request.tainted and not grant.tainted:
        return "it is not for calls that outside text may have led to"
    return ""


def _beyond(grant: Grant, request: Request) -> str:
    made = request.tool.made_args
    args = {name: value for name, value in request.facts.args.items() if name not in made}
    bounds = {bound.arg: bound for bound in grant.scope if bound.arg not in made}
    if args.keys() != bounds.keys():
        return "the call has other arguments"
    for name, value in args.items():
        if not bounds[name].holds(value):
            return f"{name} is beyond it"
    return ""


def _same(one: object, other: object) -> bool:
    try:
        return canonical({"": one}) == canonical({"": other})
    except BadArguments:
        return False


def scope_of(request: Request) -> tuple[Bound, ...]:
    """Return the narrowest useful scope: every argument literal, but those that the tool sets free.

    For a tainted call no argument is free.
    """
    free = () if request.tainted else request.tool.free_args
    return tuple(
        Bound(arg=name, fit=Fit.ANY)
        if name in free
        else Bound(arg=name, fit=Fit.LITERAL, value=value)
        for name, value in sorted(request.facts.args.items())
        if name not in request.tool.made_args
    )


def similar(
    request: Request,
    *,
    id: str,
    by: str,
    now: datetime,
    call: str,
    trace: str,
    number: int = 0,
    lasts: timedelta = LASTS,
    uses: int = USES,
) -> Grant:
    """Return what "approve similar" would grant, to be shown before it is saved.

    Raises:
        Denied: no grant can cover such a call.
    """
    if request.reach is None or not request.tool.known:
        raise Denied("what it can touch is not known")
    if why := why_always_ask(request.reach, request.facts):
        raise Denied(f"each such call must ask: {why}")
    if request.tool.enforced:
        raise Denied(f"{request.tool.name} always asks")
    return Grant(
        id=id,
        owner=request.owner,
        number=number,
        tool=request.tool.name,
        version=request.tool.version,
        scope=scope_of(request),
        destination=request.facts.destination,
        reach=request.reach,
        tainted=request.tainted,
        created=now,
        by=by,
        expires=now + lasts,
        uses=uses,
        from_call=call,
        trace=trace,
    )


def say(grant: Grant, zone: str) -> tuple[str, ...]:
    """Describe a grant in lines for a person, times in the IANA zone ``zone``; the end is last."""
    *scope, end = terms(grant, zone)
    return (*scope, _history(grant, zone), end)


def terms(grant: Grant, zone: str) -> tuple[str, ...]:
    """Describe a grant as ``say`` does, without its use so far."""
    return tuple(_lines(grant, zone))


def _lines(grant: Grant, zone: str) -> Iterator[str]:
    yield f"{grant.tool} runs without asking, and is reported, where"
    yield from (f"- {_describe(bound)}" for bound in grant.scope)
    if grant.destination:
        yield f"- it goes to {one_line(grant.destination)}"
    if grant.tainted:
        yield "- also when outside text was in view"
    else:
        yield "- no outside text was in view"
    yield f"{grant.uses} times at the most, until {say_moment(grant.expires, zone)}"


def _describe(bound: Bound) -> str:
    if bound.fit is Fit.ANY:
        return f"{bound.arg} is anything"
    word = "begins with" if bound.fit is Fit.PREFIX else "is"
    return f"{bound.arg} {word} {_value(bound.value)}"


def _value(value: object) -> str:
    try:
        return one_line(canonical({"": value}).decode()[4:-1])
    except BadArguments:
        return "what no call can have"


def _history(grant: Grant, zone: str) -> str:
    if grant.revoked is not None:
        return f"revoked {say_moment(grant.revoked, zone)}"
    if grant.last_used is None:
        return "not used yet"
    times = "once" if grant.used == 1 else f"{grant.used} times"
    return f"used {times}, last {say_moment(grant.last_used, zone)}"


def first_cover(grants: Sequence[Grant], request: Request, now: datetime) -> Grant | None:
    """Return the first grant that covers a call; None if none does."""
    name = request.tool.name
    return next((one for one in grants if one.tool == name and covers(one, request, now)), None)
