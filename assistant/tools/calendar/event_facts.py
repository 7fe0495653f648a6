"""What the changes of events share: their facts, card, result and undo."""

from datetime import datetime
from typing import Any, Literal

from assistant.domain.calendar.events import Event, When
from assistant.domain.calendar.ports import Calendar
from assistant.domain.calendar.series import SeriesScope
from assistant.domain.calls.call import Facts
from assistant.domain.calls.inverse import Inverse
from assistant.domain.conversation.deliveries import Line
from assistant.domain.errors import Stale
from assistant.domain.store import Store
from assistant.domain.text.quotes import quoted
from assistant.domain.time.moments import ends
from assistant.tools.calendar.args import (
    EventChange,
    StoredEvent,
    alerts_of,
    shown_title,
    stored,
    when_line,
)
from assistant.tools.calendar.cards.alerts import say_alerts
from assistant.tools.calendar.cards.conflicts import conflict_lines
from assistant.tools.calendar.cards.lapse import lapse
from assistant.tools.calendar.cards.series import series_lines
from assistant.tools.calendar.cards.wall_times import say_repeated
from assistant.tools.contract.context import ToolContext
from assistant.tools.contract.results import Result


def facts_of(
    calendar: Calendar, store: Store, old: Event | None, args: dict[str, Any], context: ToolContext
) -> Facts:
    """Make the facts of a change from ``old``, None for nothing, to what ``args`` say."""
    address, uid = calendar.address(), args["uid"]
    with store.read(context.cause) as tx:
        own = bool(tx.own_uids(address, [uid]))
    return Facts(
        args=args,
        destination=address,
        state={uid: old.etag if old else ""},
        before=stored(old).facts() if old else {},
        own=own,
        locations=(location(uid),),
        lapses=lapse(_times(args, old), now=context.now, zone=context.zone),
    )


def _times(args: dict[str, Any], old: Event | None) -> list[When]:
    """Return when the event is to be, and when it is."""
    return [StoredEvent.model_validate(args).when, *([old.when] if old else [])]


def event_of(facts: Facts) -> Event:
    stored = StoredEvent.model_validate(facts.args)
    return Event(
        uid=stored.uid,
        title=stored.title,
        when=stored.when,
        etag=facts.state[stored.uid],
        recurrence=stored.repeats,
        alerts=alerts_of(stored),
    )


def out_of_reach(facts: Facts, calendar: Calendar) -> str:
    """Say where the event is, if another calendar is connected by now."""
    if calendar.address() == facts.destination:
        return ""
    return f"it is in another calendar, which is not connected now: {facts.destination}"


def location(uid: str) -> str:
    return f"calendar:{uid}"


def by_uid(facts: Facts) -> dict[str, Any]:
    return {"event": facts.args["uid"]}


def uid_key(facts: Facts, _call: str) -> str:
    """Key an effect on an event by its UID, which CalDAV stores once."""
    uid: str = facts.args["uid"]
    return uid


def changed(
    verb: Literal["Created", "Changed", "Deleted", "Put back"],
    event: Event,
    etag: str,
    *,
    zone: str = "UTC",
) -> Result:
    """Make the result of a change; ``etag`` is the event's now, empty where it is gone.

    ``zone``: the owner's, for saying which of two is meant of a time that comes twice there.
    """
    state = {"etag": etag, "state": {event.uid: etag}}
    held = stored(event)
    change = EventChange(
        uid=held.uid, title=held.title, start=held.start, end=held.end, deleted=verb == "Deleted"
    )
    which = say_repeated(event.when, zone)
    return Result(
        text=f"{verb} the event (uid {event.uid})" + (f"; {which}" if which else ""),
        told=f"{verb} {quoted(shown_title(event.title))}",
        after=held.facts() | state,
        data=change.model_dump(mode="json"),
    )


def untouched(found: Event, event: Event) -> None:
    """Check that the event is as it was, so that the change did not happen. Raises ``Stale``."""
    if found.etag != event.etag:
        raise Stale("the event was changed by someone else")


def deletion(facts: Facts, _context: ToolContext, *, of_creation: bool = False) -> Inverse:
    """Make the call that deletes an event: one that was created; again, one that was put back."""
    title = quoted(shown_title(facts.args["title"]))
    series = facts.args.get("repeats") or facts.args.get("series")
    return Inverse(
        tool="delete_event",
        args={"event": facts.args["uid"], **({"scope": SeriesScope.ALL} if series else {})},
        words=f"Delete the event {title} {'that it created' if of_creation else 'again'}",
        of_creation=of_creation,
    )


def change_card(facts: Facts, zone: str) -> tuple[Line, ...]:
    """Show what is there now above what it would become."""
    new = StoredEvent.model_validate(facts.args)
    old = StoredEvent.model_validate(facts.before) if facts.before else new
    lines = [Line(label="Title", value=shown_title(new.title))]
    if old.title != new.title:
        lines.insert(0, Line(label="Title now", value=shown_title(old.title)))
    if old.when != new.when:
        lines.append(when_line("When now", old.when, zone))
    lines.append(when_line("When", new.when, zone))
    if twice := say_repeated(new.when, zone):
        lines.append(Line(label="Clocks", value=twice))
    lines += series_lines(facts, zone)
    if new.alerts:
        lines.append(Line(label="Alerts", value=say_alerts(new.alerts)))
    lines += conflict_lines(facts, zone)
    if facts.before:
        lines.append(Line(label="Made by", value="the assistant" if facts.own else "you"))
    return (*lines, Line(label="Calendar", value=facts.destination))


def lapses_at(facts: Facts) -> datetime | None:
    """When nobody needs the change any more.

    What was asked for before a change lapsed at the begin lapses when the event is over.
    """
    if facts.lapses is not None:
        return facts.lapses
    times = [StoredEvent.model_validate(facts.args).when]
    if facts.before:
        times.append(StoredEvent.model_validate(facts.before).when)
    return max(ends(when, "UTC") for when in times)
