"""Prove that a calendar works: make an event, read it, change it, delete it."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta

from assistant.domain.calendar.events import Event, When
from assistant.domain.calendar.ports import Calendar
from assistant.domain.errors import AssistantError, Misconfigured, NotFound, Stale
from assistant.domain.ids import new_id

TITLE = "Test of the assistant, which removes it again"
_BEFORE = timedelta(days=7)
"""How long ago the event was: nobody is reminded of it, and nothing is booked over."""


def prove(calendar: Calendar, *, now: datetime) -> None:
    """Make an event, read it by its UID, change it, delete it. It is removed whatever happens.

    Raises ``Misconfigured``, which says at which step it failed, and what to do.
    """
    start = (now - _BEFORE).replace(minute=0, second=0, microsecond=0)
    event = Event(
        uid=f"assistant-test-{new_id()}",
        title=TITLE,
        when=When(start=start, end=start + timedelta(minutes=15)),
    )
    try:
        _try(calendar, event)
    except AssistantError as problem:
        raise Misconfigured(f"{problem}{_removed(calendar, event.uid)}") from problem
    except BaseException:  # such as Ctrl-C
        _removed(calendar, event.uid)
        raise


def _try(calendar: Calendar, event: Event) -> None:
    with _step("make a test event", "choose a calendar that you may change"):
        calendar.create(event)
    with _step("read the test event again", "this server does not keep events as it should"):
        found = calendar.get(event.uid)
        if (found.title, found.when.start) != (event.title, event.when.start):
            raise Misconfigured("it came back with another title or time")
    with _step("change the test event", "choose a calendar that you may change"):
        changed = found.model_copy(update={"title": f"{TITLE} (changed)"})
        etag = calendar.update(changed)
        if calendar.get(event.uid).title != changed.title:
            raise Misconfigured("the change was accepted, and is not there")
    with _step("delete the test event", "delete it in your calendar program"):
        calendar.delete(event.uid, etag=etag)
        with suppress(NotFound):
            calendar.get(event.uid)
            raise Misconfigured("the deletion was accepted, and the event is still there")


@contextmanager
def _step(what: str, then: str) -> Iterator[None]:
    try:
        yield
    except AssistantError as problem:
        why = "it changed meanwhile" if isinstance(problem, Stale) else str(problem)
        raise Misconfigured(f"could not {what}: {why}. {then[0].upper()}{then[1:]}") from problem


def _removed(calendar: Calendar, uid: str) -> str:
    """Remove what is left of the test; say so if that fails. A server may lag: it looks twice."""
    for _ in range(2):
        try:
            calendar.delete(uid, etag=calendar.get(uid).etag)
        except NotFound:
            return ""
        except AssistantError:
            continue
    return f'. An event "{TITLE}" may be left in it: delete it there'
