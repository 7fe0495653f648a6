"""What a person sees of calls: cards and receipts, rendered from rows and never by a model."""

from datetime import datetime
from typing import Any

from assistant.domain.approvals import Verb
from assistant.domain.calls import Call, CallState
from assistant.domain.deliveries import Action, Delivery, Line, Shown, ShownKind
from assistant.domain.moments import say_moment
from assistant.domain.talk import Conversation
from assistant.tools.toolbox import Tool

_ENDINGS = {
    CallState.CLEARED: "Approved; it runs now.",
    CallState.RUNNING: "Approved; it is running.",
    CallState.UNKNOWN: "Approved; finding out whether it happened.",
    CallState.DONE: "Approved and done.",
    CallState.FAILED: "Approved, but it failed.",
    CallState.DENIED: "Denied; nothing was done.",
    CallState.EXPIRED: "Expired; nothing was done.",
    CallState.VOID: "Void; nothing was done.",
    CallState.CANCELLED: "Cancelled; nothing was done.",
    CallState.SUPERSEDED: "Replaced by a newer request; nothing was done.",
}


def card(call: Call, tool: Tool[Any], *, expires: datetime, zone: str) -> Shown:
    """The card of a parked call: everything a yes would cover, and how long it can be given."""
    return Shown(
        kind=ShownKind.CARD,
        title=f"{call.handle}: {_title(call, tool)}?",
        fields=(
            *_lines(call, tool, zone),
            Line(label="Until", value=say_moment(expires, zone)),
        ),
        actions=(
            Action(verb=Verb.APPROVE, label="Approve", subject=call.id, handle=call.handle),
            Action(verb=Verb.DENY, label="Deny", subject=call.id, handle=call.handle),
        ),
    )


def ended_card(call: Call, tool: Tool[Any] | None, *, zone: str) -> Shown:
    """The same card once nobody can press anything on it."""
    return Shown(
        kind=ShownKind.CARD,
        title=f"{call.handle}: {_title(call, tool)}",
        text=" ".join(filter(None, (_ENDINGS[call.state], _why(call)))),
        fields=_lines(call, tool, zone) if tool else (),
    )


def receipt(call: Call, tool: Tool[Any], *, zone: str) -> Shown:
    """What was done, from the call's record."""
    return Shown(
        kind=ShownKind.RECEIPT,
        title=f"{call.handle}: {call.told or _title(call, tool)}",
        fields=(*_lines(call, tool, zone), Line(label="Trace", value=call.trace)),
    )


def notice(text: str, *, title: str = "") -> Shown:
    return Shown(kind=ShownKind.NOTICE, title=title, text=text)


def to(talk: Conversation, id: str, shown: Shown) -> Delivery:
    """A delivery to where a conversation takes place."""
    return Delivery(id=id, owner=talk.owner, channel=talk.channel, place=talk.place, wanted=shown)


def card_id(call: Call) -> str:
    return f"card-{call.id}"


def _why(call: Call) -> str:
    if call.state is CallState.FAILED:
        return call.told
    return f"Reason: {call.told}" if call.state is CallState.DENIED and call.told else ""


def _title(call: Call, tool: Tool[Any] | None) -> str:
    return (tool.title if tool else "") or call.tool


def _lines(call: Call, tool: Tool[Any], zone: str) -> tuple[Line, ...]:
    return tool.card(call.facts, zone) if tool.card else ()
