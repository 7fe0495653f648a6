"""Look at the calendar: when the owner is busy, and what is on.

What the assistant made itself it may read at once; the titles of the owner's own events wait for a
yes.
"""

from collections.abc import Sequence
from typing import Any

from assistant.domain.calendar.events import Event, When
from assistant.domain.calendar.ports import Calendar
from assistant.domain.calls.call import Facts, Reach, Risk
from assistant.domain.conversation.deliveries import Line
from assistant.domain.policy.decisions import one_line
from assistant.domain.policy.traits import Category, Group, Scopes
from assistant.domain.store import Store
from assistant.domain.text.fence import fence
from assistant.domain.time.moments import say_when
from assistant.tools.calendar_args import GetEventsAvailability, GetEventsDetails, when_line
from assistant.tools.calendar_range import same_place, time_range
from assistant.tools.contract import EVERY_MODE, Tool
from assistant.tools.errand import Errand
from assistant.tools.results import Result

_TITLES = "titles in the calendar"
_FIRST = 5
"""Titles that a card names of those that would be read."""
_WIDTH = 80
"""Characters of one."""


def availability(calendar: Calendar) -> Tool[GetEventsAvailability]:
    def look(args: GetEventsAvailability, _errand: Errand) -> Sequence[Facts]:
        time_range(args.start, args.end)
        return [Facts(args=args.model_dump(mode="json"), own=True)]

    def act(facts: Facts, errand: Errand) -> Result:
        args = GetEventsAvailability.model_validate(facts.args)
        asked = time_range(args.start, args.end)
        slots = sorted({say_when(event.when, errand.zone) for event in calendar.between(asked)})
        span = say_when(asked, errand.zone)
        if not slots:
            return Result(text=f"Free: nothing is on {span}.", told=f"Nothing is on {span}.")
        lines = "\n".join(f"- {slot}" for slot in slots)
        taken = "1 slot is taken." if len(slots) == 1 else f"{len(slots)} slots are taken."
        return Result(text=f"Busy within {span}:\n{lines}", told=taken)

    return _read(
        "get_events_availability",
        title="See when you are busy",
        args=GetEventsAvailability,
        free_args=("start", "end"),
        risk=lambda _facts: Risk.LOW,
        look=look,
        act=act,
    )


def details(calendar: Calendar, store: Store) -> Tool[GetEventsDetails]:
    def look(args: GetEventsDetails, errand: Errand) -> Sequence[Facts]:
        found = calendar.between(time_range(args.start, args.end))
        if args.uids is not None:
            found = [event for event in found if event.uid in args.uids]
        uids = sorted({event.uid for event in found})
        with store.read(errand.cause) as tx:
            own = tx.own_uids(calendar.address(), uids)
        theirs = [uid for uid in uids if uid not in own]
        parts = [(sorted(own), True)] if own or not theirs else []
        parts += [(theirs, False)] if theirs else []
        return [
            Facts(
                args={**args.model_dump(mode="json"), "uids": part},
                destination=calendar.address(),
                before={"titles": _first_titles(found, part)},
                own=mine,
            )
            for part, mine in parts
        ]

    def act(facts: Facts, errand: Errand) -> Result:
        same_place(calendar, facts)
        args = GetEventsDetails.model_validate(facts.args)
        asked = time_range(args.start, args.end)
        chosen = [event for event in calendar.between(asked) if event.uid in (args.uids or ())]
        span = say_when(asked, errand.zone)
        if not chosen:
            return Result(text=f"Nothing is on {span}.", told=f"Nothing is on {span}.")
        lines = "\n".join(
            f"- {say_when(event.when, errand.zone)}: {event.title} (uid {event.uid})"
            for event in chosen
        )
        fenced = fence(lines, source=_TITLES)
        return Result(
            text=f"On {span}:\n{fenced}", told=f"{len(chosen)} events shown.", outside=True
        )

    def card(facts: Facts, zone: str) -> tuple[Line, ...]:
        args = GetEventsDetails.model_validate(facts.args)
        return (
            when_line("Between", When(start=args.start, end=args.end), zone),
            Line(label="Events", value=_counted(facts, len(args.uids or ()))),
            Line(label="Calendar", value=facts.destination),
        )

    return _read(
        "get_events_details",
        title="Read the titles of your own events",
        args=GetEventsDetails,
        free_args=("start", "end", "uids"),
        risk=lambda facts: Risk.LOW if facts.own else Risk.HIGH,
        look=look,
        act=act,
        card=card,
        source=lambda _facts: _TITLES,
    )


def _first_titles(events: Sequence[Event], uids: Sequence[str]) -> list[str]:
    """For the card, which its owner alone is shown; a series once."""
    titles = {event.uid: event.title for event in events if event.uid in uids}
    return list(titles.values())[:_FIRST]


def _counted(facts: Facts, count: int) -> str:
    """How many events it reads, and the first titles."""
    whose = "that the assistant made" if facts.own else "that you made yourself"
    titles = [one_line(title, _WIDTH) for title in facts.before.get("titles", ())]
    rest = [f"and {count - len(titles)} more"] if count > len(titles) > 0 else []
    return "\n".join((f"{count} {whose}", *titles, *rest))


def _read(name: str, **own: Any) -> Tool[Any]:
    """What both have in common: they look at one calendar, in any mode."""
    return Tool(
        name=name,
        group=Group.SEARCH,
        category=Category.READ_ONLY,
        reach=Reach.READS,
        scopes=Scopes(apps=("calendar",)),
        allowed_modes=EVERY_MODE,
        quick=True,
        **own,
    )
