"""Find the other parts of a series that the assistant cut, so that a card can tell of them."""

from collections.abc import Iterator
from datetime import UTC, datetime

from assistant.domain.calendar.ports import Calendar
from assistant.domain.calendar.series import Affected, SeriesEdit, SeriesScope
from assistant.domain.errors import BadArguments, Denied, NotFound, Stale
from assistant.domain.store import Store, Tx
from assistant.tools.contract.context import ToolContext

_EVER = datetime(1970, 1, 1, tzinfo=UTC)
_MADE = "assistant-"
"""Begins the UID of what a call made; the call's id follows."""


def other_parts(
    uid: str, calendar: Calendar, store: Store, context: ToolContext
) -> tuple[Affected, ...]:
    """Return what there is of each other part of the series, by when it begins.

    Only rows tell which parts there are: the calendar knows each as a series of its own. A part
    that is gone, or cannot be read, is left out.
    """
    with store.read(context.cause) as tx:
        others = _cut_from(tx, uid) - {uid}
    found = [part for other in others if (part := _part(other, calendar, context)) is not None]
    return tuple(sorted(found, key=lambda part: str(part.first)))


def _cut_from(tx: Tx, uid: str) -> frozenset[str]:
    """Return the UIDs of all that was one series, however often it was cut."""
    todo, found = [uid], {uid}
    while todo:
        for other in _beside(tx, todo.pop()):
            if other not in found:
                found.add(other)
                todo.append(other)
    return frozenset(found)


def _beside(tx: Tx, uid: str) -> Iterator[str]:
    """Yield what a call changed together with this one: only a cut changes two objects."""
    made_by = tx.effects(uid.removeprefix(_MADE)) if uid.startswith(_MADE) else ()
    for effect in (*tx.effects_on([uid], since=_EVER), *made_by):
        if not effect.undone:
            yield from effect.after.get("state", {})


def _part(uid: str, calendar: Calendar, context: ToolContext) -> Affected | None:
    try:
        etag = calendar.get(uid).etag
        whole = SeriesEdit(
            uid=uid, etag=etag, scope=SeriesScope.ALL, delete=True, stamp=context.now
        )
        return calendar.affected(whole)
    except (BadArguments, Denied, NotFound, Stale):
        return None
