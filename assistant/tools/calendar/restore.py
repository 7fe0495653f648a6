"""Keep an event as it is before it is changed, and put it back as it was.

What is kept is the calendar's whole object, with alarms, notes and guests: a change is taken back
by putting those very bytes. They are a blob of the call that was about to change them.
"""

import re
from collections.abc import Sequence
from functools import partial
from hashlib import sha256
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from assistant.domain.calendar.events import TITLE_LIMIT
from assistant.domain.calendar.ports import Calendar
from assistant.domain.calls.call import Facts, Reach, Risk
from assistant.domain.calls.inverse import Inverse
from assistant.domain.calls.tool_errors import ErrorType, ToolFailure
from assistant.domain.conversation.deliveries import Line
from assistant.domain.errors import BadArguments, NotFound, Stale
from assistant.domain.files.ports import Blobs
from assistant.domain.policy.traits import Confirmation
from assistant.domain.store import Store
from assistant.domain.text.quotes import quoted
from assistant.tools.calendar.args import (
    CALENDAR,
    EventChange,
    Moment,
    StoredEvent,
    shown_title,
    stored,
    when_line,
)
from assistant.tools.calendar.event_facts import (
    changed,
    deletion,
    event_of,
    facts_of,
    out_of_reach,
    uid_key,
    untouched,
)
from assistant.tools.calendar.glances import putting_back as putting_back_glance
from assistant.tools.calendar.range import span
from assistant.tools.calendar.series import is_series
from assistant.tools.contract.context import ToolContext
from assistant.tools.contract.declare import change_tool, keyed_effect
from assistant.tools.contract.results import Result
from assistant.tools.contract.tool import MakeInverse, Tool


class RestoreEvent(BaseModel):
    """Put one event back as it was when it was kept, before it was changed or deleted."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [
                {
                    "uid": "rent",
                    "blob": f"undo/owner/57822d6a923edf2c/{'0' * 64}.ics",
                    "title": "Pay the rent",
                    "start": "2026-11-30T10:00:00+01:00",
                    "end": "2026-11-30T11:00:00+01:00",
                }
            ]
        },
    )
    uid: str = Field(min_length=1, max_length=1000)
    blob: str = Field(max_length=512, description="where it is kept")
    title: str = Field(max_length=TITLE_LIMIT, description="its title then, for the card")
    start: Moment
    end: Moment
    series: bool = Field(False, description="true if it is all of a series, as its first part was")
    rest: str = Field("", max_length=1000, description="uid of the rest, where a series was cut")


def putting_back(calendar: Calendar, blobs: Blobs) -> MakeInverse:
    """Make the inverse of a change to an existing event: keep it as it is, to put it back."""

    def put_back(facts: Facts, context: ToolContext) -> Inverse | None:
        if _final(facts):
            return None  # what was kept here would be half of the series
        was = StoredEvent.model_validate(facts.before)
        try:
            # Whatever version this is: the change happens to the one that was looked at, or not.
            data = calendar.raw(was.uid)
            more = _more_of_series(calendar, facts)
        except NotFound:
            return None  # then there is nothing to change, as the execution will find
        kept = _keep(data, context, blobs)
        return Inverse(
            tool="restore_event",
            args={**was.facts(), **more, "blob": kept},
            words=f"Put the event {quoted(shown_title(was.title))} back as it was",
        )

    return put_back


def _final(facts: Facts) -> str:
    return "a series that was joined again is not cut again" if facts.args.get("rest") else ""


def _more_of_series(calendar: Calendar, facts: Facts) -> dict[str, Any]:
    """Return what else is put back of a series: all of it, and the rest that was cut off goes."""
    if not is_series(facts) and not facts.args.get("series"):
        return {}
    first = stored(calendar.get(facts.args["uid"])).facts()
    return {**first, "series": True, "rest": facts.args.get("new_uid", "")}


def restore(
    calendar: Calendar, store: Store, blobs: Blobs, timeout: float, put_back: MakeInverse
) -> Tool[RestoreEvent]:
    """Declare what takes changes and deletions back. It is never offered to a model."""

    def inspect(args: RestoreEvent, context: ToolContext) -> Sequence[Facts]:
        span(args.start, args.end)
        _kept(args.blob, context, blobs)
        try:
            old = calendar.get(args.uid)
            calendar.refuse_to_mail(args.uid)
        except NotFound:
            old = None
        facts = facts_of(
            calendar, store, old, args.model_dump(mode="json", exclude_defaults=True), context
        )
        state = {**facts.state, **({args.rest: _version(calendar, args.rest)} if args.rest else {})}
        changes = {"destructive": old is not None, "lapses": None, "state": state}
        return [facts.model_copy(update=changes)]

    def execute(facts: Facts, context: ToolContext) -> Result:
        there = calendar.at(facts.destination)
        event = event_of(facts)
        data = _kept(facts.args["blob"], context, blobs)
        rest = facts.args.get("rest", "")
        if not rest:
            return changed("Put back", event, there.restore(event.uid, data, etag=event.etag))
        return _join(facts, data, there)

    def inverse(facts: Facts, context: ToolContext) -> Inverse | None:
        return put_back(facts, context) if facts.before else deletion(facts, context)

    return change_tool(
        "restore_event",
        title="Put an event back",
        internal=True,
        args=RestoreEvent,
        result=EventChange,
        scopes=CALENDAR,
        reach=Reach.WRITES,
        risk=Risk.HIGH,
        confirmation=Confirmation.ALWAYS,
        inspect=inspect,
        execute=execute,
        effect=keyed_effect("calendar.restore", uid_key),
        reconcile=partial(_reconcile, calendar=calendar, blobs=blobs),
        out_of_reach=partial(out_of_reach, calendar=calendar),
        inverse=inverse,
        final=_final,
        card=_card,
        glance=putting_back_glance,
        expires_at=None,
        timeout=timeout,
    )


def _version(calendar: Calendar, uid: str) -> str:
    try:
        return calendar.get(uid).etag
    except NotFound:
        return ""


def _join(facts: Facts, data: bytes, calendar: Calendar) -> Result:
    """Put a series back that was cut, and then delete the rest. Done again, it goes on."""
    event, rest = event_of(facts), facts.args["rest"]
    left = _version(calendar, rest)
    if left not in ("", facts.state[rest]):
        raise Stale("the rest of the series was changed by someone else")
    etag = _version(calendar, event.uid)
    if etag == event.etag or calendar.raw(event.uid) != data:
        etag = calendar.restore(event.uid, data, etag=event.etag)
    if left:
        calendar.delete(rest, etag=left)
    return _joined(facts, etag)


def _joined(facts: Facts, etag: str) -> Result:
    result = changed("Put back", event_of(facts), etag)
    state = {**result.after["state"], facts.args["rest"]: ""}
    return result.model_copy(update={"after": {**result.after, "state": state}})


def _reconcile(
    facts: Facts, context: ToolContext, *, calendar: Calendar, blobs: Blobs
) -> Result | None:
    there = calendar.at(facts.destination)
    event = event_of(facts)
    try:
        found = there.get(event.uid)
    except NotFound:
        if event.etag:
            raise
        return None
    if rest := facts.args.get("rest", ""):
        gone = found.etag != event.etag and not _version(there, rest)
        return _joined(facts, found.etag) if gone else None
    if found.etag != event.etag and (found.title, found.when) == (event.title, event.when):
        # A server may write an object in its own way: bytes are asked where nothing else tells.
        name = facts.args["blob"]
        if _tells(facts) or there.raw(event.uid) == _kept(name, context, blobs):
            return changed("Put back", event, found.etag)
    untouched(found, event)
    return None


def _tells(facts: Facts) -> bool:
    """Whether title or time differ before and after, so that they tell the two apart."""
    if not facts.before:
        return True
    before, after = (StoredEvent.model_validate(event) for event in (facts.before, facts.args))
    return (before.title, before.when) != (after.title, after.when)


def _keep(data: bytes, context: ToolContext, blobs: Blobs) -> str:
    """Keep bytes durably, in a blob whose name holds their digest; returns the name."""
    name = f"undo/{context.cause.owner}/{context.call}/{sha256(data).hexdigest()}.ics"
    blobs.put(name, data)
    return name


def _kept(name: str, context: ToolContext, blobs: Blobs) -> bytes:
    """Read what was kept of an event. Raises ``ToolFailure`` if it is gone or was altered."""
    shape = rf"undo/{re.escape(context.cause.owner)}/[^/]+/([0-9a-f]{{64}})\.ics"
    named = re.fullmatch(shape, name)
    if named is None:
        raise BadArguments("blob: nothing was ever kept under such a name")
    try:
        data = blobs.get(name)
    except NotFound as error:
        words = "what the event was is no longer kept"
        raise ToolFailure(ErrorType.NOT_FOUND, words) from error
    if sha256(data).hexdigest() != named[1]:
        words = "what was kept of the event is not what it was"
        raise ToolFailure(ErrorType.UNREADABLE, words)
    return data


def _card(facts: Facts, zone: str) -> tuple[Line, ...]:
    gone = Line(label="Now", value="nothing; it is deleted")
    return (
        _said("Now", facts.before, zone) if facts.before else gone,
        _said("Then", facts.args, zone),
        *_series_line(facts),
        Line(label="With", value="all it held when it was kept: notes, alarms, guests"),
        Line(label="Made by", value="the assistant" if facts.own else "you"),
        Line(label="Calendar", value=facts.destination),
    )


def _series_line(facts: Facts) -> tuple[Line, ...]:
    if not facts.args.get("series"):
        return ()
    joined = "; the part that was cut off is joined to it again" if facts.args.get("rest") else ""
    return (Line(label="Which", value=f"the whole series as it was{joined}"),)


def _said(label: str, event: dict[str, object], zone: str) -> Line:
    known = StoredEvent.model_validate(event)
    return when_line(label, known.when, zone, what=f"{quoted(shown_title(known.title))}, ")
