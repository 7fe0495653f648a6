"""The zone that the owner is in: looked at, chosen while travelling, and ended."""

from collections.abc import Sequence
from difflib import get_close_matches
from typing import Annotated
from zoneinfo import available_timezones

from pydantic import Field

from assistant.commands.answer import Answer, say
from assistant.commands.body import Args, Body, Option
from assistant.commands.calls.lookups import fitting
from assistant.commands.context import CommandContext
from assistant.domain.errors import BadArguments
from assistant.domain.time.moments import say_moment

HOME = "home"


class _Wanted(Args):
    zone: Annotated[
        str,
        Field(description=f"Such as Europe/Lisbon, or Lisbon; {HOME} ends it."),
        Option(positional=True),
    ] = ""


def _zone(ctx: CommandContext, args: _Wanted) -> Answer:
    home = ctx.parts.home_zone
    wanted = args.zone.strip()
    if not wanted:
        return _told(ctx, ctx.zone, f"Times are told and read in {ctx.zone}.")
    found = home if wanted.lower() == HOME else _named(wanted)
    with ctx.store.begin(ctx.cause) as tx:
        tx.choose_zone("" if found == home else found, by=ctx.by)
    now = say_moment(ctx.now(), found)
    return _told(ctx, found, f"It is {now}. Times are told and read so from now on.")


def _told(ctx: CommandContext, zone: str, text: str) -> Answer:
    home = ctx.parts.home_zone
    more = () if zone == home else (f"`{ctx.typed('zone', HOME)}` goes back to {home}.",)
    cards = () if zone == ctx.zone else ("Cards that wait keep the words they were shown with.",)
    return say(" ".join((text, *cards, *more)), data=lambda: {"zone": zone, "home": home})


def _named(typed: str) -> str:
    """The zone of this name, or of this place. Raises ``BadArguments``."""
    known = {name.lower(): name for name in available_timezones()}
    name = typed.lower().replace(" ", "_")
    if name in known:
        return known[name]
    places = [zone for low, zone in known.items() if low.rpartition("/")[2] == name]
    if len(places) == 1:
        return places[0]
    near = [known[low] for low in get_close_matches(name, known, n=1)]
    meant = ", ".join(sorted(places) or near)
    hint = f"did you mean {meant}?" if meant else "use an IANA name such as Europe/Berlin."
    raise BadArguments(f"There is no time zone {typed}; {hint}")


def _fitting(_ctx: CommandContext, typed: str) -> Sequence[tuple[str, str]]:
    return fitting([(zone, zone) for zone in sorted(available_timezones())], typed)


ZONE = Body(args=_Wanted, run=_zone, choices={"zone": _fitting})
