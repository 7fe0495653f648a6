"""Find the event, or the occurrence of a series, that a change is meant for."""

from collections.abc import Sequence
from datetime import date, timedelta

from assistant.domain.calendar.events import Event, When
from assistant.domain.calendar.ports import Calendar
from assistant.domain.calendar.series import SeriesScope
from assistant.domain.calendar.times import known_within
from assistant.domain.errors import BadArguments, NotFound
from assistant.domain.text.invisible import without_invisible
from assistant.domain.time.moments import begins, zone_of
from assistant.domain.time.wall_clock import day_begins
from assistant.tools.contract.context import ToolContext

AHEAD = timedelta(days=330)
BEHIND = timedelta(days=31)
"""How far an event is searched for by its title when no day is given."""

_NOT_SHOWN = (
    "others' words are in view, and neither the owner nor the calendar has named this event here; "
    "look at the events of that day with get_events_details, or ask the owner for the exact title"
)
_NOT_SHOWN_TOLD = "Say the exact title of the event: words of others are in view"
_WHICH = (
    "it repeats: say with `scope` whether it is for the one on that day only ('this'), for that "
    "one and all after it ('this and following'), or for 'all'; ask the owner which, unless their "
    "words say so"
)
_WHICH_TOLD = "Say how much of the series: only this one, this and following, or all"
_DAY_TOLD = "It repeats: say the day of the one that you mean"


def find(
    calendar: Calendar,
    name: str,
    on: date | None,
    scope: SeriesScope | None,
    context: ToolContext,
) -> Event:
    """Find the one event meant; of a series the occurrence on a day, or the first for all of it.

    It is as the calendar has it now: what a title or a day led to may have been read from the copy.

    Of a name that is not known the calendar is not asked: the answer is the same whether there is
    such an event or not.

    Raises:
        BadArguments: none or several could be meant; the words say what would make it clear.
    """
    if not context.knows(name):
        raise BadArguments(_NOT_SHOWN, told=_NOT_SHOWN_TOLD)
    try:
        event = calendar.get(name)
    except NotFound:
        event = _titled(calendar, name, on, context)
    return _of_series(calendar, event.uid, on, scope, context) if event.recurring else event


def _of_series(
    calendar: Calendar,
    uid: str,
    on: date | None,
    scope: SeriesScope | None,
    context: ToolContext,
) -> Event:
    if scope is None:
        raise BadArguments(_WHICH, told=_WHICH_TOLD)
    if on is None:
        if scope is SeriesScope.ALL:
            return calendar.get(uid)
        words = "it repeats: say with `on` the day of the one that is meant"
        raise BadArguments(words, told=_DAY_TOLD)
    day = _day(on, context)
    of_it = [event for event in calendar.between(day) if event.uid == uid]
    if unread := next((event for event in of_it if event.unread), None):
        raise BadArguments(f"its times cannot be read, {unread.defect}; change it yourself")
    there = known_within(of_it, day, context.zone)
    zone = zone_of(context.zone)
    begun = [
        event for event in there if begins(event.when, context.zone).astimezone(zone).date() == on
    ]
    found = begun or there
    if not found:
        raise BadArguments(f"it does not take place on {on}")
    if len(found) > 1:
        raise BadArguments(f"it takes place {len(found)} times on {on}; change it yourself")
    try:
        return calendar.get(uid, occurrence=found[0].recurrence_id)
    except NotFound as error:
        raise BadArguments(f"it does not take place on {on}") from error


def _titled(calendar: Calendar, title: str, on: date | None, context: ToolContext) -> Event:
    if on is not None:
        window = _day(on, context)
    else:
        window = When(start=context.now - BEHIND, end=context.now + AHEAD)
    wanted = _plain(title)
    found = [event for event in calendar.between(window) if _plain(event.title) == wanted]
    none = f"no event called {title!r} {f'on {on}' if on else 'in the next eleven months'}"
    if not found:
        raise BadArguments(none)
    if _count(found) > 1:
        many = f"{_count(found)} events are called so"
        told = f"{many}: say on which day"
        raise BadArguments(f"{many}; say on which day, with `on`", told=told)
    if found[0].recurring:
        return found[0]
    try:
        newest = calendar.get(found[0].uid)
    except NotFound as error:
        raise BadArguments(none) from error
    if _plain(newest.title) != wanted:
        raise BadArguments(none)
    return newest


def _count(found: Sequence[Event]) -> int:
    return len({event.uid for event in found})


def _day(on: date, context: ToolContext) -> When:
    try:
        zone = zone_of(context.zone)
        start, end = day_begins(on, zone), day_begins(on + timedelta(days=1), zone)
        return When(start=start, end=end)
    except OverflowError as error:
        raise BadArguments(f"{on} is beyond the calendar") from error


def _plain(title: str) -> str:
    """Return a title as it is compared: as a model is shown it, without case or further blanks."""
    return " ".join(without_invisible(title).split()).casefold()
