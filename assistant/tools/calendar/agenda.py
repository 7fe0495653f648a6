"""What is on and what is proposed, for the owner's own eyes."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from pydantic import ValidationError

from assistant.domain.calendar.copies.copied import as_of, last_answer
from assistant.domain.calendar.events import Event, When
from assistant.domain.calendar.ports import Calendar
from assistant.domain.calendar.series import SeriesScope
from assistant.domain.calendar.times import defective, known_within
from assistant.domain.calendar.week import Block, BlockKind
from assistant.domain.calls.call import Call
from assistant.domain.text.quotes import quoted
from assistant.domain.text.rows import cut_to
from assistant.domain.time.moments import begins, ends, say_lately, say_when
from assistant.tools.calendar.args import StoredEvent, shown_title

_SCOPES: Mapping[str, str] = {
    SeriesScope.FOLLOWING: ", and those after it",
    SeriesScope.ALL: ", all of them",
}
_NAMED = 5
"""How many series of which not all times are known are named."""
_WIDTH = 40
"""Columns of their titles."""
_CHANGES = frozenset({"create_event", "update_event", "delete_event"})


class ProposedEvent(NamedTuple):
    """A change that waits for the owner's answer: what would be, or what would be deleted."""

    call: Call
    when: When
    name: str
    """Such as ``Move: Dentist``; of an event that would be created, only its title."""

    @property
    def block(self) -> Block:
        return Block(when=self.when, kind=BlockKind.PROPOSED, title=self.name)


class EventsOn(NamedTuple):
    """What is on within a range, and what is not known of it."""

    events: list[Event]
    """Those that touch the range, by start."""
    defective: list[Event]
    """One of each series of which not all times are known; see ``Event.defect``."""
    as_of: datetime | None
    """When the calendar answered last, if it does not answer now."""
    said: str
    """That it does not answer, and since when."""

    def notes(self, zone: str) -> Iterator[str]:
        """Say what is not known, a line each."""
        for event in self.defective[:_NAMED]:
            title = quoted(cut_to(shown_title(event.title), _WIDTH)[0])
            if event.unread:
                first = say_when(event.when, zone)
                yield f"Not shown: {title}, first on {first}: {shown_title(event.defect)}"
            else:
                yield f"Not all shown: {title}: {event.defect}"
        if len(self.defective) > _NAMED:
            yield f"Not shown: {len(self.defective) - _NAMED} more series that cannot be read"
        if self.said:
            yield self.said

    def limits(self, zone: str, now: datetime) -> tuple[str, ...]:
        """Say the same in a few words each, for a picture."""
        series = [f"{len(self.defective)} series not shown"] if self.defective else []
        since = [f"as of {say_lately(self.as_of, zone, now=now)}"] if self.as_of else []
        return (*series, *since)


def events_on(calendar: Calendar, when: When, zone: str, *, now: datetime) -> EventsOn:
    """Return the events of a range."""
    found = calendar.between(when)
    return EventsOn(
        sorted(known_within(found, when, zone), key=lambda event: begins(event.when, zone)),
        defective(found),
        last_answer(found),
        as_of(found, zone, now=now).strip(),
    )


def proposals(calls: Sequence[Call], when: When, zone: str) -> list[ProposedEvent]:
    """Return those of the waiting calls that would change what is on within a range, by start."""
    first, last = begins(when, zone), ends(when, zone)
    made = (_proposal(call) for call in calls if call.tool in _CHANGES)
    found = [
        one
        for one in made
        if one and begins(one.when, zone) < last and ends(one.when, zone) > first
    ]
    return sorted(found, key=lambda one: (begins(one.when, zone), one.call.number))


def block_of(event: Event, own: Collection[str]) -> Block:
    """Return an event as a week shows it; ``own`` are the UIDs of those that we made."""
    kind = BlockKind.OWN if event.uid in own else BlockKind.BUSY
    return Block(when=event.when, kind=kind, title=event.title)


def event_data(event: Event, zone: str) -> dict[str, Any]:
    """Return an event as programs read it."""
    return {
        "id": event.uid,
        "title": event.title,
        "start": event.when.start.isoformat(),
        "end": event.when.end.isoformat(),
        "all_day": event.when.all_day,
        "when": say_when(event.when, zone),
    }


def proposal_data(proposal: ProposedEvent, zone: str) -> dict[str, Any]:
    """Return a proposal as programs read it."""
    return {
        "call": proposal.call.handle,
        "tool": proposal.call.tool,
        "name": proposal.name,
        "start": proposal.when.start.isoformat(),
        "end": proposal.when.end.isoformat(),
        "all_day": proposal.when.all_day,
        "when": say_when(proposal.when, zone),
    }


def _proposal(call: Call) -> ProposedEvent | None:
    """Read a call's facts; None where they hold no event."""
    try:
        new = StoredEvent.model_validate(call.facts.args)
        old = StoredEvent.model_validate(call.facts.before) if call.facts.before else new
        title = f"{shown_title(old.title)}{_of_a_series(call.facts.args)}"
        return ProposedEvent(call, new.when, f"{_verb(call.tool, old, new)}{title}")
    except ValidationError:
        return None


def _verb(tool: str, old: StoredEvent, new: StoredEvent) -> str:
    if tool == "create_event":
        return ""
    if tool == "delete_event":
        return "Delete: "
    if old.title == new.title:
        return "Move: "
    return "Rename: " if old.when == new.when else "Change: "


def _of_a_series(args: Mapping[str, Any]) -> str:
    """Say how much of a series it is about, as only its first occurrence is shown."""
    if scope := _SCOPES.get(str(args.get("scope", ""))):
        return scope
    return ", repeats" if args.get("repeats") and not args.get("scope") else ""
