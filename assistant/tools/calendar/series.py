"""Change or delete one occurrence of a series, it and all after it, or all."""

from collections.abc import Iterator
from typing import Any

from pydantic import ValidationError

from assistant.domain.calendar.events import Event
from assistant.domain.calendar.ports import Calendar
from assistant.domain.calendar.series import Affected, SeriesEdit, SeriesScope
from assistant.domain.calls.call import Facts
from assistant.domain.errors import AssistantError, BadArguments, NotFound
from assistant.domain.store import Store
from assistant.domain.text.quotes import quoted
from assistant.tools.calendar.args import EventChange, StoredEvent, shown_title
from assistant.tools.calendar.cards.parts import other_parts
from assistant.tools.calendar.cards.series import AFFECTED, PARTS, say_scope
from assistant.tools.calendar.event_facts import location
from assistant.tools.contract.context import ToolContext
from assistant.tools.contract.results import Result

_MOST_LOCATIONS = 100
"""How many occurrences count one by one; a card says how many there are."""


def is_series(facts: Facts) -> bool:
    """Whether the call changes a series, or makes one of a single event."""
    return facts.args.get("scope") is not None


def of_series(
    old: Event, scope: SeriesScope | None, context: ToolContext, *, delete: bool
) -> dict[str, Any]:
    """Return what a stored event says of the series it is of; nothing if it does not repeat."""
    if not old.recurring:
        return {}
    cut = scope is SeriesScope.FOLLOWING and not delete
    return {
        "scope": scope,
        "occurrence": old.recurrence_id,
        "stamp": context.now,
        "new_uid": f"assistant-{context.call}" if cut else "",
    }


def edit_of(facts: Facts, *, delete: bool) -> SeriesEdit:
    """Return the edit that the facts describe. Raises ``BadArguments`` if nothing would change."""
    new = StoredEvent.model_validate(facts.args)
    old = StoredEvent.model_validate(facts.before)
    try:
        return SeriesEdit.model_validate(
            {
                "uid": new.uid,
                "etag": facts.state[new.uid],
                "scope": new.scope,
                "occurrence": new.occurrence,
                "title": new.title if new.title != old.title else None,
                "when": new.when if new.when != old.when else None,
                "recurrence": new.repeats,
                "delete": delete,
                "new_uid": new.new_uid,
                "stamp": new.stamp,
            }
        )
    except ValidationError as error:
        why = error.errors(include_url=False)[0]["msg"].removeprefix("Value error, ")
        raise BadArguments(why) from error


def with_affected(facts: Facts, calendar: Calendar, *, delete: bool) -> Facts:
    """Look which occurrences the call touches, for its card and for what it destroys.

    What the assistant made counts as one thing, and so does what is not deleted; of the owner's own
    series each occurrence that would be gone counts.
    """
    affected = calendar.affected(edit_of(facts, delete=delete))
    beside = {**facts.beside, AFFECTED: affected.model_dump(mode="json")}
    count = affected.count if delete and not facts.own else 1
    where = tuple(_locations(facts.args["uid"], min(count, _MOST_LOCATIONS)))
    return facts.model_copy(update={"beside": beside, "locations": where})


def with_other_parts(facts: Facts, calendar: Calendar, store: Store, context: ToolContext) -> Facts:
    """Look for what the change leaves out, as the series was cut; for its card."""
    if facts.args["scope"] == SeriesScope.THIS:
        return facts
    parts = other_parts(facts.args["uid"], calendar, store, context)
    if not parts:
        return facts
    beside = {**facts.beside, PARTS: [part.model_dump(mode="json") for part in parts]}
    return facts.model_copy(update={"beside": beside})


def _locations(uid: str, count: int) -> Iterator[str]:
    yield location(uid)
    for number in range(2, count + 1):
        yield f"{location(uid)}#{number}"


def change_series(calendar: Calendar, facts: Facts, *, delete: bool) -> Result:
    there = calendar.at(facts.destination)
    edit = edit_of(facts, delete=delete)
    etag = there.change_series(edit)
    return _changed(there, facts, edit, etag)


def find_change(calendar: Calendar, facts: Facts, *, delete: bool) -> Result | None:
    """Return the result of a change whose end was lost; None if it is not carried out."""
    there = calendar.at(facts.destination)
    edit = edit_of(facts, delete=delete)
    if not there.holds(edit):
        return None
    try:
        etag = there.get(edit.uid).etag
    except NotFound:
        etag = ""
    return _changed(there, facts, edit, etag)


def rest_of(facts: Facts) -> tuple[str, str] | None:
    """Return the rest of a series that the assistant made, where it is cut: that is its own too."""
    uid: str = facts.args.get("new_uid", "")
    return (facts.destination, uid) if uid and facts.own else None


def _changed(calendar: Calendar, facts: Facts, edit: SeriesEdit, etag: str) -> Result:
    """Make the result; it says how each object was left, the rest of a series that was cut too."""
    event = StoredEvent.model_validate(facts.args)
    state = {edit.uid: etag, **_rest(calendar, edit)}
    verb = "Deleted" if edit.delete else "Changed"
    affected = Affected.model_validate(facts.beside.get(AFFECTED, {"words": "", "count": 1}))
    which = say_scope(edit.scope, affected)
    change = EventChange(
        uid=event.uid,
        title=event.title,
        start=event.start,
        end=event.end,
        deleted=edit.delete,
        scope=edit.scope,
    )
    named = quoted(shown_title(event.title))
    return Result(
        text=f"{verb} the event (uid {event.uid}): {which}",
        told=f"{verb} {named}: {which}",
        after=event.facts() | {"etag": etag, "state": state},
        data=change.model_dump(mode="json"),
    )


def _rest(calendar: Calendar, edit: SeriesEdit) -> dict[str, str]:
    """Return the version of the rest of a series that was cut; empty where none was written.

    The edit has happened: where nobody can look, it is left out, and an undo will find so.
    """
    if not edit.new_uid:
        return {}
    try:
        return {edit.new_uid: calendar.get(edit.new_uid).etag}
    except NotFound:
        return {edit.new_uid: ""}
    except AssistantError:
        return {}
