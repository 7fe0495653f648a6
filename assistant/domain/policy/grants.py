"""A grant: a reusable approval with a narrow scope, an end and a count.

Beside outside text a grant counts in three cases alone: it fixes every argument, as grants of
earlier versions do; or it is for events of one title and one length that begin soon; or it is for
reading the titles of the owner's own events around now. ``Grant`` refuses any other.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from enum import StrEnum
from typing import Any, Self

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, model_validator

from assistant.domain.calls.call import Reach
from assistant.domain.canonical import canonical
from assistant.domain.errors import BadArguments, Denied
from assistant.domain.policy.always_ask import why_always_ask
from assistant.domain.policy.decisions import Request, one_line
from assistant.domain.time.moments import say_moment, zone_of

LASTS = timedelta(days=30)
USES = 20

CREATE_EVENT = "create_event"
"""The only tool whose similar calls can be approved beside outside text."""
SOON_DAYS = 14
"""Within how many days such an event begins."""
SOON_LASTS = timedelta(hours=24)
SOON_USES = 3

READ_TITLES = "get_events_details"
TITLES_DAYS = 60
"""How far from now the titles are that such a grant shows."""
TITLES_HOURLY = 30
TITLES_LASTS = timedelta(days=30)
TITLES_USES = TITLES_HOURLY * 24 * TITLES_LASTS.days
"""Reads in all: as many as the limit by the hour lets through."""


class Fit(StrEnum):
    LITERAL = "literal"
    """Exactly this value and type."""
    PREFIX = "prefix"
    """A text with this prefix, or a list of such texts."""
    ANY = "any"
    NEAR = "near"
    """A moment at most this many days before or after now."""
    SOON = "soon"
    """A moment from now on, at most this many days ahead; of a whole day, today counts."""
    LENGTH = "length"
    """A moment this long after ``start``: ``{"seconds": 1800}``, or ``{"days": 1}`` of dates."""
    HOURLY = "hourly"
    """Of no argument: at most this many calls of the tool within an hour."""


_COUNTED = frozenset({Fit.NEAR, Fit.SOON, Fit.HOURLY})
"""Fits whose value is a number of at least 1."""


@dataclass(frozen=True, kw_only=True)
class At:
    """What a call is compared with beside the grant."""

    now: datetime
    zone: str = "UTC"
    """The owner's IANA zone, in which a day begins."""
    used: int = 0
    """Calls of the tool in the last hour, without this one."""
    args: Mapping[str, object] = field(default_factory=dict)
    """All arguments of the call."""


class Bound(BaseModel):
    """The values that a grant permits for one argument."""

    model_config = ConfigDict(frozen=True)
    arg: str
    fit: Fit
    value: Any = None

    @model_validator(mode="after")
    def _has_a_value_that_fits(self) -> Self:
        if self.fit is Fit.PREFIX and not (isinstance(self.value, str) and self.value):
            raise ValueError("a prefix must be a text and not empty")
        if self.fit in _COUNTED and not (type(self.value) is int and self.value > 0):
            raise ValueError(f"{self.fit} takes a number of at least 1")
        if self.fit is Fit.HOURLY and self.arg:
            raise ValueError("a limit by the hour is of no argument")
        if self.fit is Fit.LENGTH and not _is_length(self.value):
            raise ValueError("a length is a number of seconds, or of days")
        return self

    def holds(self, value: object, at: At) -> bool:
        """Return whether a value is permitted. Missing, unknown or malformed means no."""
        return _HOLDS[self.fit](self.value, value, at)


def _begin_so(prefix: Any, value: object, _at: At) -> bool:
    parts = value if isinstance(value, list | tuple) and value else [value]
    return all(isinstance(part, str) and part.startswith(prefix) for part in parts)


def _is_near(days: Any, value: object, at: At) -> bool:
    moment = _moment(value)
    return isinstance(moment, datetime) and abs(moment - at.now) <= timedelta(days=days)


def _moment(value: object) -> date | None:
    """Read an aware time, or a date, as arguments hold them; None for anything else."""
    if not isinstance(value, str):
        return None
    try:
        if len(value) == len("2026-11-30"):
            return date.fromisoformat(value)
        moment = datetime.fromisoformat(value)
    except ValueError:
        return None
    return moment if moment.tzinfo is not None else None


def _is_soon(days: Any, value: object, at: At) -> bool:
    moment, within = _moment(value), timedelta(days=days)
    if moment is None:
        return False
    if isinstance(moment, datetime):
        return at.now <= moment <= at.now + within
    here = at.now.astimezone(zone_of(at.zone))
    return here.date() <= moment <= (here + within).date()


def _is_length(value: object) -> bool:
    return (
        isinstance(value, Mapping)
        and set(value) in ({"seconds"}, {"days"})
        and all(type(count) is int and count >= 0 for count in value.values())
    )


def _length(start: object, end: object) -> dict[str, int] | None:
    """Return how long it is from one moment to the other; None where they are not of one kind."""
    first, last = _moment(start), _moment(end)
    if isinstance(first, datetime) and isinstance(last, datetime):
        return {"seconds": round((last - first).total_seconds())}
    if first is None or last is None or isinstance(first, datetime) or isinstance(last, datetime):
        return None
    return {"days": (last - first).days}


_HOLDS: Mapping[Fit, Callable[[Any, object, At], bool]] = {
    Fit.LITERAL: lambda wanted, value, _at: _same(wanted, value),
    Fit.PREFIX: _begin_so,
    Fit.ANY: lambda _wanted, _value, _at: True,
    Fit.NEAR: _is_near,
    Fit.SOON: _is_soon,
    Fit.LENGTH: lambda wanted, value, at: _same(wanted, _length(at.args.get("start"), value)),
    Fit.HOURLY: lambda most, _value, at: at.used < most,
}
"""Whether a value is permitted: by the bound's own value, the call's value and how things stand."""


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
    """Covers tainted calls too.

    Then every argument is literal, with two exceptions: ``create_event`` with a literal title, one
    length and a start within 14 days (three uses, 24 hours), and ``get_events_details`` within 60
    days of now (30 reads an hour, 30 days).
    """
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
        literal = all(bound.fit is Fit.LITERAL for bound in self.scope)
        if self.tainted and not (literal or _is_for_events(self) or _is_for_titles(self)):
            raise ValueError("in a grant for tainted calls, every argument must be literal")
        return self

    @property
    def hourly(self) -> int | None:
        """The most calls within an hour; None without such a limit."""
        return next((bound.value for bound in self.scope if bound.fit is Fit.HOURLY), None)

    def counted(self) -> Self:
        """Return the grant for a call that it has cleared: the hour was counted then."""
        scope = tuple(bound for bound in self.scope if bound.fit is not Fit.HOURLY)
        return self.model_copy(update={"scope": scope})


def _is_for_events(grant: Grant) -> bool:
    """Whether this is the exception for events of one title and length that begin soon."""
    bounds = {bound.arg: bound for bound in grant.scope}
    fits = {"title": Fit.LITERAL, "start": Fit.SOON, "end": Fit.LENGTH}
    return (
        (grant.tool, grant.reach) == (CREATE_EVENT, Reach.WRITES)
        and {arg: bound.fit for arg, bound in bounds.items()} == fits
        and bounds["start"].value <= SOON_DAYS
        and grant.uses <= SOON_USES
        and grant.expires - grant.created <= SOON_LASTS
    )


def _is_for_titles(grant: Grant) -> bool:
    """Whether this is the exception for reading the titles of the owner's own events."""
    bounds = {bound.arg: bound for bound in grant.scope}
    fits = {"": Fit.HOURLY, "start": Fit.NEAR, "end": Fit.NEAR, "uids": Fit.ANY}
    return (
        (grant.tool, grant.reach) == (READ_TITLES, Reach.READS)
        and {arg: bound.fit for arg, bound in bounds.items()} == fits
        and max(bounds["start"].value, bounds["end"].value) <= TITLES_DAYS
        and bounds[""].value <= TITLES_HOURLY
        and grant.expires - grant.created <= TITLES_LASTS
    )


def covers(
    grant: Grant, request: Request, now: datetime, *, zone: str = "UTC", used: int = 0
) -> bool:
    """Return whether a grant covers a call. Missing, unknown or malformed means no."""
    return not why_not_covered(grant, request, now, zone=zone, used=used)


def why_not_covered(
    grant: Grant, request: Request, now: datetime, *, zone: str = "UTC", used: int = 0
) -> str:
    """Return why a grant does not cover a call; empty if it does.

    Args:
        grant: the grant.
        request: the call.
        now: aware.
        zone: the owner's IANA zone.
        used: calls of the tool in the last hour, without this one.
    """
    at = At(now=now, zone=zone, used=used, args=request.facts.args)
    return _ended(grant, now) or _elsewhere(grant, request) or _beyond(grant, request, at)


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


def _beyond(grant: Grant, request: Request, at: At) -> str:
    made = request.tool.made_args
    args = {name: value for name, value in request.facts.args.items() if name not in made}
    limits = [bound for bound in grant.scope if bound.fit is Fit.HOURLY]
    bounds = {b.arg: b for b in grant.scope if b.arg not in made and b not in limits}
    if args.keys() != bounds.keys():
        return "the call has other arguments"
    for name, value in args.items():
        if not bounds[name].holds(value, at):
            return f"{name} is beyond it"
    for limit in limits:
        if not limit.holds(None, at):
            return f"it was used {limit.value} times within the hour"
    return ""


def _same(one: object, other: object) -> bool:
    try:
        return canonical({"": one}) == canonical({"": other})
    except BadArguments:
        return False


def scope_of(request: Request) -> tuple[Bound, ...]:
    """Return the narrowest useful scope: every argument literal, but those that the tool sets free.

    Beside outside text, of an event that begins soon: its title and its length.
    """
    if request.tainted:
        args = request.facts.args
        length = _length(args.get("start"), args.get("end"))
        return (
            Bound(arg="end", fit=Fit.LENGTH, value=length),
            Bound(arg="start", fit=Fit.SOON, value=SOON_DAYS),
            Bound(arg="title", fit=Fit.LITERAL, value=args.get("title")),
        )
    free = request.tool.free_args
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
    zone: str = "UTC",
    lasts: timedelta = LASTS,
    uses: int = USES,
) -> Grant:
    """Return what "approve similar" would grant, to be shown before it is saved.

    Beside outside text it is for the creation of events alone, and ends sooner.

    Raises:
        Denied: no grant can cover such a call.
    """
    if request.reach is None or not request.tool.known:
        raise Denied("what it can touch is not known")
    if why := why_always_ask(request.reach, request.facts):
        raise Denied(f"each such call must ask: {why}")
    if request.tool.enforced:
        raise Denied(f"{request.tool.name} always asks")
    if request.tainted:
        if request.tool.name != CREATE_EVENT:
            raise Denied("beside others' words only events can be approved for calls alike")
        if not _is_length(_length(request.facts.args.get("start"), request.facts.args.get("end"))):
            raise Denied("how long the event is cannot be told")
        lasts, uses = min(lasts, SOON_LASTS), min(uses, SOON_USES)
    made = Grant(
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
    if request.tainted and (why := why_not_covered(made, request, now, zone=zone)):
        raise Denied(f"beside others' words such a grant would not cover this call: {why}")
    return made


def titles(
    *,
    id: str,
    owner: str,
    version: str,
    destination: str,
    by: str,
    now: datetime,
    trace: str,
    call: str = "",
) -> Grant:
    """Return the grant that shows the titles of the owner's own events around now."""
    return Grant(
        id=id,
        owner=owner,
        tool=READ_TITLES,
        version=version,
        scope=(
            Bound(arg="start", fit=Fit.NEAR, value=TITLES_DAYS),
            Bound(arg="end", fit=Fit.NEAR, value=TITLES_DAYS),
            Bound(arg="uids", fit=Fit.ANY),
            Bound(arg="", fit=Fit.HOURLY, value=TITLES_HOURLY),
        ),
        destination=destination,
        reach=Reach.READS,
        tainted=True,
        created=now,
        by=by,
        expires=now + TITLES_LASTS,
        uses=TITLES_USES,
        from_call=call,
        trace=trace,
    )


def rule(grant: Grant, title: str, zone: str = "") -> str:
    """Say in one sentence what a grant lets run.

    Args:
        grant: saved, or only drafted.
        title: what its tool does: ``Create an event``.
        zone: the IANA zone in which its end is said; empty for how long it would last.
    """
    free = [bound.arg for bound in grant.scope if bound.fit is Fit.ANY and bound.arg != "uids"]
    bound = [_describe(bound) for bound in grant.scope if bound.fit not in (Fit.ANY, Fit.HOURLY)]
    left = [f"{' and '.join(free)} may be anything"] if free else []
    where = ", ".join((*bound, *left))
    beside = "also" if grant.tainted else "not"
    end = f"until {say_moment(grant.expires, zone)}" if zone else f"for {_said_lasts(grant)}"
    return (
        f"{title} without asking{' where ' if where else ''}{where}: {_how_often(grant)}, "
        f"{end}, {beside} beside others' words."
    )


def _said_lasts(grant: Grant) -> str:
    lasts = grant.expires - grant.created
    return f"{lasts.days} days" if lasts.days > 1 else f"{lasts // timedelta(hours=1)} hours"


def say(grant: Grant, zone: str) -> tuple[str, ...]:
    """Describe a grant in lines for a person, times in the IANA zone ``zone``; the end is last."""
    *scope, end = terms(grant, zone)
    return (*scope, _history(grant, zone), end)


def terms(grant: Grant, zone: str) -> tuple[str, ...]:
    """Describe a grant as ``say`` does, without its use so far."""
    return tuple(_lines(grant, zone))


def _lines(grant: Grant, zone: str) -> Iterator[str]:
    reported = "" if grant.hourly else ", and is reported,"
    yield f"{grant.tool} runs without asking{reported} where"
    yield from (f"- {_describe(bound)}" for bound in grant.scope if bound.fit is not Fit.HOURLY)
    if grant.destination:
        yield f"- it goes to {one_line(grant.destination)}"
    if grant.tainted:
        yield "- also when outside text was in view"
    else:
        yield "- no outside text was in view"
    yield f"{_how_often(grant)}, until {say_moment(grant.expires, zone)}"


def _how_often(grant: Grant) -> str:
    often = f"{grant.hourly} times an hour" if grant.hourly else f"{grant.uses} times"
    return f"{often} at the most"


def _describe(bound: Bound) -> str:
    if bound.fit is Fit.ANY:
        return f"{bound.arg} is anything"
    if bound.fit is Fit.NEAR:
        return f"{bound.arg} is within {bound.value} days of now"
    if bound.fit is Fit.SOON:
        return f"{bound.arg} is from now on, within {bound.value} days"
    if bound.fit is Fit.LENGTH:
        return f"{bound.arg} is {_said_length(bound.value)} after start"
    word = "begins with" if bound.fit is Fit.PREFIX else "is"
    return f"{bound.arg} {word} {_value(bound.value)}"


def _said_length(length: Mapping[str, int] | None) -> str:
    """Say a length: ``1 hour 30 minutes``, ``2 days``."""
    if not length:
        return "what no call can be"
    days, seconds = length.get("days", 0), length.get("seconds", 0)
    hours, rest = divmod(seconds, 3600)
    parts = ((days, "day"), (hours, "hour"), (rest // 60, "minute"), (rest % 60, "second"))
    said = [f"{count} {name}{'' if count == 1 else 's'}" for count, name in parts if count]
    return " ".join(said) or "no time"


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


def first_cover(
    grants: Sequence[Grant], request: Request, now: datetime, *, zone: str = "UTC", used: int = 0
) -> Grant | None:
    """Return the first grant that covers a call; None if none does."""
    mine = (one for one in grants if one.tool == request.tool.name)
    return next((one for one in mine if covers(one, request, now, zone=zone, used=used)), None)
