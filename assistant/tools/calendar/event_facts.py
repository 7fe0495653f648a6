"""What the changes of events share: their facts, card, result and undo."""

from datetime import datetime
from typing import Any, Literal

from assistant.domain.calendar.events import Event
from assistant.domain.calendar.ports import Calendar
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
    shown_title,
    stored,
    when_line,
)
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
        before=stored(old).model_dump(mode="json") if old else {},
        own=own,
        locations=(location(uid),),
    )


def event_of(facts: Facts) -> Event:
    stored = StoredEvent.model_validate(facts.args)
    return Event(uid=stored.uid, title=stored.title, when=stored.when, etag=facts.state[stored.uid])


def location(uid: str) -> str:
    return f"calendar:{uid}"


def by_uid(facts: Facts) -> dict[str, Any]:
    return {"event": facts.args["uid"]}


def uid_key(facts: Facts, _call: str) -> str:
    """Key an effect on an event by its UID, which CalDAV stores once."""
    uid: str = facts.args["uid"]
    return uid


def changed(
    verb: Literal["Created", "Changed", "Deleted", "Put back"], event: Event, etag: str
) -> Result:
    """Make the result of a change; ``etag`` is the event's now, empty where it is gone."""
    state = {"etag": etag, "state": {event.uid: etag}}
    held = stored(event)
    change = EventChange(
        uid=held.uid, title=held.title, start=held.start, end=held.end, deleted=verb == "Deleted"
    )
    return Result(
        text=f"{verb} the event (uid {event.uid})",
        told=f"{verb} {quoted(shown_title(event.title))}",
        after=held.model_dump(mode="json") | state,
        data=change.model_dump(mode="json"),
    )


def untouched(found: Event, event: Event) -> None:
    """Check that the event is as it was, so that the change did not happen. Raises ``Stale``."""
    if found.etag != event.etag:
        raise Stale("the event was changed by someone else")


def deletion(facts: Facts, _context: ToolContext, *, of_creation: bool = False) -> Inverse:
    """Make the call that deletes an event: one that was created; again, one that was put back."""
    title = quoted(shown_title(facts.args["title"]))
    return Inverse(
        tool="delete_event",
        args={"event": facts.args["uid"]},
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
    if facts.before:
        lines.append(Line(label="Made by", value="the assistant" if facts.own else "you"))
    return (*lines, Line(label="Calendar", value=facts.destination))


def over_at(facts: Facts) -> datetime | None:
    """When the event is over, as it is and as it would be: nobody needs the change after that."""
    times = [StoredEvent.model_validate(facts.args).when]
    if facts.before:
        times.append(StoredEvent.model_validate(facts.before).when)
    return max(ends(when, "UTC") for when in times)
