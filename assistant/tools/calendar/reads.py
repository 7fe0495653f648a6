"""Read which events there are.

What the assistant made itself it may read at once; the titles of the owner's own events wait for
approval.
"""

from collections.abc import Mapping, Sequence

from assistant.domain.calendar.copies.copied import as_of
from assistant.domain.calendar.events import TITLES, Event, When
from assistant.domain.calendar.ports import Calendar
from assistant.domain.calendar.times import defective, known_within, say_incomplete
from assistant.domain.calls.call import Facts
from assistant.domain.conversation.deliveries import Line
from assistant.domain.policy.decisions import one_line
from assistant.domain.store import Store
from assistant.domain.text.fence import fence
from assistant.domain.text.quotes import quoted
from assistant.domain.text.rows import cut_to
from assistant.domain.time.moments import say_when
from assistant.tools.calendar.args import (
    CALENDAR,
    FoundEvent,
    FoundEvents,
    GetEventsDetails,
    when_line,
)
from assistant.tools.calendar.glances import reading
from assistant.tools.calendar.range import same_place, say_range, say_start, time_range
from assistant.tools.contract.context import ToolContext
from assistant.tools.contract.declare import AskFirst, read_tool
from assistant.tools.contract.results import Result
from assistant.tools.contract.tool import Tool

MOST_ROWS = 200
"""The most events that one call reads. A series has a row for each time it takes place."""
_FIRST = 5
"""How many of the titles that would be read a card names."""
_SHORT = 24
"""Characters of a title where several stand in a row."""
_WIDTH = 80
"""Characters of a title on a card."""


def details(calendar: Calendar, store: Store) -> Tool[GetEventsDetails]:
    def inspect(args: GetEventsDetails, context: ToolContext) -> Sequence[Facts]:
        asked = time_range(args.start, args.end)
        found = _listed(calendar.between(asked), asked, context.zone)
        if args.uids is not None:
            found = [event for event in found if event.uid in args.uids]
        found, left = found[:MOST_ROWS], found[MOST_ROWS:]
        uids = sorted({event.uid for event in found})
        with store.read(context.cause) as tx:
            own = tx.own_uids(calendar.address(), uids)
        theirs = [uid for uid in uids if uid not in own]
        parts = [(sorted(own), True)] if own or not theirs else []
        parts += [(theirs, False)] if theirs else []
        return [
            Facts(
                args={**args.model_dump(mode="json"), "uids": part},
                destination=calendar.address(),
                before={"titles": _first_titles(found, part)} | _beyond(left, context.zone),
                own=mine,
            )
            for part, mine in parts
        ]

    def execute(facts: Facts, context: ToolContext) -> Result:
        same_place(calendar, facts)
        args = GetEventsDetails.model_validate(facts.args)
        asked = time_range(args.start, args.end)
        found = calendar.between(asked)
        mine = [event for event in found if event.uid in (args.uids or ())]
        note = say_incomplete(len(defective(mine))) + as_of(found, context.zone, now=context.now)
        chosen = _listed(mine, asked, context.zone)
        chosen, left = chosen[:MOST_ROWS], chosen[MOST_ROWS:]
        beyond = _say_beyond(_beyond(left, context.zone) or facts.before)
        data = FoundEvents(events=[_row(event) for event in chosen]).model_dump(mode="json")
        span = say_range(asked, context.zone)
        if not chosen:
            nothing = " ".join(filter(None, (f"Nothing is on {span}.", beyond))) + note
            return Result(text=nothing, told=nothing, data=data)
        lines = "\n".join(_line(event, context.zone) for event in chosen)
        fenced = fence(lines, source=TITLES)
        return Result(
            text="\n".join(filter(None, (f"On {span}:", fenced, beyond, note.strip()))),
            told=" ".join(filter(None, (f"{len(chosen)} events shown.", beyond))) + note,
            outside=True,
            data=data,
        )

    def card(facts: Facts, zone: str) -> tuple[Line, ...]:
        args = GetEventsDetails.model_validate(facts.args)
        return (
            when_line("Between", When(start=args.start, end=args.end), zone),
            Line(label="Events", value=_counted(facts, len(args.uids or ()))),
            Line(label="Calendar", value=facts.destination),
        )

    return read_tool(
        "get_events_details",
        title="Read the titles of your own events",
        args=GetEventsDetails,
        result=FoundEvents,
        scopes=CALENDAR,
        inspect=inspect,
        execute=execute,
        ask_first=AskFirst(when=lambda facts: not facts.own, card=card, glance=reading(_named)),
        source=lambda _facts: TITLES,
        free_args=("start", "end", "uids"),
        quick=True,
    )


def _listed(events: Sequence[Event], asked: When, zone: str) -> list[Event]:
    """Return the events of a range, with the series that may be on within it."""
    known = {id(event) for event in known_within(events, asked, zone)}
    return [event for event in events if event.unread or id(event) in known]


def _line(event: Event, zone: str) -> str:
    when = say_when(event.when, zone)
    if event.unread:
        return f"- {event.title} (uid {event.uid}): not known when, first on {when}: {event.defect}"
    return f"- {when}: {event.title} (uid {event.uid})"


def _row(event: Event) -> FoundEvent:
    return FoundEvent(
        uid=event.uid,
        title=event.title,
        start=event.when.start,
        end=event.when.end,
        defect=event.defect,
    )


def _beyond(left: Sequence[Event], zone: str) -> dict[str, object]:
    """Say, for the facts, how many events are too many, and when the first of them begins."""
    return {"left": len(left), "left_from": say_start(left[0].when, zone)} if left else {}


def _say_beyond(facts: Mapping[str, object]) -> str:
    """Say that more is on than is read; empty where all is."""
    if not facts.get("left"):
        return ""
    many = "1 more event is" if facts["left"] == 1 else f"{facts['left']} more events are"
    return f"{many} not listed: ask for what is on from {facts['left_from']}."


def _first_titles(events: Sequence[Event], uids: Sequence[str]) -> list[str]:
    """The titles for the card, which only its owner is shown; a series has one."""
    titles = {event.uid: event.title for event in events if event.uid in uids}
    return list(titles.values())[:_FIRST]


def _named(facts: Facts, count: int) -> str:
    """Say the first titles in a line: ``“Dentist”, “Standup” and 3 more``."""
    titles = [
        quoted(cut_to(one_line(title), _SHORT)[0]) for title in facts.before.get("titles", ())[:2]
    ]
    rest = f" and {count - len(titles)} more" if count > len(titles) > 0 else ""
    return f"{', '.join(titles)}{rest}"


def _counted(facts: Facts, count: int) -> str:
    """Say how many events it reads, and the first titles."""
    whose = "that the assistant made" if facts.own else "that you made yourself"
    titles = [one_line(title, _WIDTH) for title in facts.before.get("titles", ())]
    rest = [f"and {count - len(titles)} more"] if count > len(titles) > 0 else []
    return "\n".join(
        (f"{count} {whose}", *titles, *rest, *filter(None, [_say_beyond(facts.before)]))
    )
