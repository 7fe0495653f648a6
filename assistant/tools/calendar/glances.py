"""What is said at a glance of a call about events."""

from collections.abc import Callable
from datetime import datetime

from assistant.domain.calendar.events import When
from assistant.domain.calendar.recurrence_words import THEN
from assistant.domain.calls.call import Facts
from assistant.domain.conversation.deliveries import Row
from assistant.domain.conversation.glance import Glance
from assistant.domain.text.quotes import quoted
from assistant.domain.time.moments import zone_of
from assistant.domain.time.short import short_start, short_when
from assistant.tools.calendar.args import GetEventsDetails, StoredEvent, shown_title
from assistant.tools.calendar.cards.alerts import say_alerts
from assistant.tools.calendar.cards.conflicts import conflict_rows, other_times
from assistant.tools.calendar.cards.series import loss_rows, press, say_repeats, scope_row
from assistant.tools.calendar.cards.wall_times import say_repeated_shortly

_ALL_DAY = ", all day"
"""Ends what is said of whole days, which goes without saying of a range."""
_SAID = (
    *("uid", "title", "start", "end", "on", "repeats", "alerts"),
    *("scope", "occurrence", "stamp", "new_uid", "rest", "series"),
)
"""The arguments that a card says in words."""


def creation(facts: Facts, zone: str, now: datetime) -> Glance:
    event = StoredEvent.model_validate(facts.args)
    return Glance(
        verb="Create",
        did="Created",
        name=shown_title(event.title),
        rows=(Row(text=short_when(event.when, zone, now=now)), *_rest(facts, event, zone)),
        asks=conflict_rows(facts, zone, now),
        others=other_times(facts, zone, now),
        shows=_shown(event),
    )


def change(facts: Facts, zone: str, now: datetime) -> Glance:
    """Say ``Move`` or ``Rename`` where only time or title change; each with what was there."""
    new = StoredEvent.model_validate(facts.args)
    old = StoredEvent.model_validate(facts.before)
    renamed, moved = old.title != new.title, old.when != new.when
    verb, did = ("Rename", "Renamed") if renamed and not moved else ("Change", "Changed")
    if moved and not renamed:
        verb, did = "Move", "Moved"
    return Glance(
        verb=verb,
        did=did,
        name=shown_title(old.title),
        rows=(
            *_of_series(facts, zone, now),
            *(_between(old, new, zone, now) if renamed or moved or new.scope is None else ()),
            *_rest(facts, new, zone),
        ),
        asks=conflict_rows(facts, zone, now),
        others=other_times(facts, zone, now),
        shows=_shown(old),
    )


def deletion(facts: Facts, zone: str, now: datetime) -> Glance:
    event = StoredEvent.model_validate(facts.args)
    return Glance(
        verb="Delete",
        did="Deleted",
        name=shown_title(event.title),
        rows=tuple(_of_series(facts, zone, now))
        or (Row(text=short_when(event.when, zone, now=now)),),
        shows=_shown(event),
        gone=True,
        press=press(facts),
    )


def putting_back(facts: Facts, zone: str, now: datetime) -> Glance:
    """Say which event goes back, to what, and what it is now where that differs."""
    then = StoredEvent.model_validate(facts.args)
    if facts.before:
        rows = tuple(_between(StoredEvent.model_validate(facts.before), then, zone, now))
    else:
        rows = (Row(text=short_when(then.when, zone, now=now)),)
    if facts.args.get("series"):
        rows = (*rows, Row(text="The whole series as it was"))
    return Glance(
        verb="Put back",
        did="Put back",
        name=shown_title(then.title),
        rows=rows,
        shows={**_shown(then), "blob": ""},
    )


def reading(whose: Callable[[Facts, int], str]) -> Callable[[Facts, str, datetime], Glance]:
    """Make the glance of reading titles; ``whose`` names the events, so many of them."""

    def glance(facts: Facts, zone: str, now: datetime) -> Glance:
        args = GetEventsDetails.model_validate(facts.args)
        count = len(args.uids or ())
        many = "1 title" if count == 1 else f"{count} titles"
        titles = whose(facts, count)
        return Glance(
            verb=f"Read {many} in your calendar",
            did=f"Read {many} in your calendar",
            rows=(
                Row(text=short_when(_range(args, zone), zone, now=now).removesuffix(_ALL_DAY)),
                *([Row(text=titles)] if titles else []),
            ),
            shows=dict.fromkeys(("start", "end", "uids"), ""),
        )

    return glance


def _range(args: GetEventsDetails, zone: str) -> When:
    """Return a range of whole days as days, else as it is."""
    span = When(start=args.start, end=args.end)
    local = [at.astimezone(zone_of(zone)) for at in (args.start, args.end)]
    if any((at.hour, at.minute) != (0, 0) for at in local):
        return span
    first, last = (at.date() for at in local)
    return When(start=first, end=last)


def _between(old: StoredEvent, new: StoredEvent, zone: str, now: datetime) -> list[Row]:
    """Say what differs. Of an event that keeps its length, only when it begins."""
    rows = []
    if old.when != new.when:
        same = old.end - old.start == new.end - new.start
        say = short_start if same and old.when.all_day == new.when.all_day else short_when
        was, then = (say(when, zone, now=now) for when in (old.when, new.when))
        rows.append(Row(was=was, text=then))
    if old.title != new.title:
        rows.append(Row(was=_quoted(old), text=_quoted(new)))
    return rows or [Row(text=short_when(new.when, zone, now=now))]


def _of_series(facts: Facts, zone: str, now: datetime) -> list[Row]:
    """Say which occurrences of a series it is about, and what is lost; nothing of other events."""
    if facts.args.get("scope") is None:
        return []
    return [scope_row(facts, zone, now), *loss_rows(facts, zone)]


def _rest(facts: Facts, event: StoredEvent, zone: str) -> list[Row]:
    """Say how it repeats, its alerts, and which is meant of a time that comes twice."""
    repeats = say_repeats(event, zone)
    said = (
        f"{THEN}{repeats}" if facts.before and repeats else repeats,
        say_repeated_shortly(event.when, zone),
        f"Alert {say_alerts(event.alerts)}" if event.alerts else "",
    )
    return [Row(text=text) for text in said if text]


def _quoted(event: StoredEvent) -> str:
    return quoted(shown_title(event.title))


def _shown(event: StoredEvent) -> dict[str, str]:
    """The arguments of a change, of which an event's name is its title."""
    named = dict.fromkeys(_SAID, "")
    return {**named, "event": shown_title(event.title)}
