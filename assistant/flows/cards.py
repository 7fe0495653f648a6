"""What a person sees of calls: cards and receipts, rendered from rows and never by a model."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

from assistant.domain.approvals import Approval, ApprovalState, Verb
from assistant.domain.calls import Call, CallState, Reach
from assistant.domain.decisions import one_line
from assistant.domain.deliveries import Action, Delivery, Home, Line, Shown, ShownKind
from assistant.domain.moments import say_moment
from assistant.domain.talk import Conversation
from assistant.tools.toolbox import Tool

_ENDINGS = {
    CallState.CLEARED: "Approved; it runs when its turn comes.",
    CallState.RUNNING: "Approved; it is running.",
    CallState.UNKNOWN: "Approved; finding out whether it happened.",
    CallState.DONE: "Approved and done.",
    CallState.FAILED: "Approved, but it failed.",
    CallState.DENIED: "Denied; nothing was done.",
    CallState.EXPIRED: "Expired; nothing was done.",
    CallState.VOID: "Void; nothing was done.",
    CallState.CANCELLED: "Cancelled; nothing was done.",
    CallState.SUPERSEDED: "Replaced by a newer request; nothing was done.",
    CallState.UNDONE: "Approved, done, and undone again.",
}


TOGETHER = "Asked together with"
"""Label of the line that names the rest of a plan."""
_ASKING = (
    (Verb.APPROVE, "Approve"),
    (Verb.EDIT, "Edit"),
    (Verb.DENY, "Deny"),
    (Verb.DETAILS, "Details"),
    (Verb.MORE, "More"),
)
"""The buttons of a card."""


def card(
    call: Call,
    tool: Tool[Any],
    *,
    expires: datetime,
    zone: str,
    was: Call | None = None,
    together: Sequence[Call] = (),
) -> Shown:
    """The card of a parked call: everything a yes would cover, and how long it can be given.

    Args:
        call: with its decision.
        tool: its tool.
        expires: when a yes comes too late.
        zone: the owner's.
        was: the call whose place it takes; where it was to be otherwise, that is shown too.
        together: the other calls of its turn that wait while it is asked about, in order.
    """
    return Shown(
        kind=ShownKind.CARD,
        title=f"{call.handle}: {_title(call, tool)}?",
        fields=(
            *_lines(call, tool, zone),
            *_changes(call, was, tool, zone),
            Line(label="Until", value=say_moment(expires, zone), at=expires),
            *_grounds(call, tool),
            *_plan(together),
        ),
        actions=tuple(
            Action(verb=verb, label=label, subject=call.id, handle=call.handle)
            for verb, label in _ASKING
        ),
    )


def _changes(call: Call, was: Call | None, tool: Tool[Any], zone: str) -> Iterator[Line]:
    """What an earlier card said otherwise."""
    if was is None:
        return
    yield Line(label="In place of", value=was.handle)
    now = {line.label: line.value for line in _lines(call, tool, zone)}
    for line in _lines(was, tool, zone):
        if now.get(line.label) != line.value:
            yield Line(label=f"{line.label}, as {was.handle} had it", value=line.value)


def _grounds(call: Call, tool: Tool[Any]) -> Iterator[Line]:
    """Why it asks, whose words led to it, and whether it can be taken back."""
    why = [reason for reason in call.reasons if reason.startswith(f"{call.layer}: ")]
    yield Line(label="Asks because", value="; ".join(why) or f"it is {call.risk} risk")
    if call.tainted:
        words = "\n".join(f"{one.source} ({one.grade})" for one in call.led)
        others = "others' words were in view (mail, calendar, files or web)"
        yield Line(label="Led here by", value=words or others)
    for one in call.copied:
        yield Line(label=f"Copied: {one.arg}", value=f"from {one.source} ({one.grade})")
    yield Line(label="Can be undone", value="yes" if tool.inverse else "no")
    if call.word:
        yield Line(label="Takes a second step", value=f"type {call.word} with your yes")


def _plan(together: Sequence[Call]) -> Iterator[Line]:
    """What it was asked together with: that stays so, and its plan tells what still waits."""
    if together:
        others = ", ".join(other.handle for other in together)
        plan = f"{others} (one yes can cover all of it that waits: its plan)"
        yield Line(label=TOGETHER, value=plan)


def ended_card(
    call: Call, tool: Tool[Any] | None, *, zone: str, approval: Approval | None = None
) -> Shown:
    """The same card once nobody can press anything on it."""
    lines = _lines(call, tool, zone) if tool else ()
    return Shown(
        kind=ShownKind.CARD,
        title=f"{call.handle}: {_title(call, tool)}",
        text=" ".join(filter(None, (_ENDINGS[call.state], _why(call)))),
        fields=(*lines, *_answer(approval, zone)),
    )


def receipt(call: Call, tool: Tool[Any], *, zone: str, approval: Approval | None = None) -> Shown:
    """What was done, from the call's record; ``approval`` is what let it run, if a person did."""
    undo = Action(verb=Verb.UNDO, label="Undo", subject=call.id, handle=call.handle)
    can = call.state is CallState.DONE and tool.inverse is not None
    undone = " (undone)" if call.state is CallState.UNDONE else ""
    return Shown(
        kind=ShownKind.RECEIPT,
        title=f"{call.handle}: {call.told or _title(call, tool)}{undone}",
        fields=(
            *_lines(call, tool, zone),
            *_answer(approval, zone),
            Line(label="Audit", value=f"assistant audit show {call.handle}"),
            Line(label="Trace", value=call.trace),
        ),
        actions=(undo,) if can else (),
    )


def _answer(approval: Approval | None, zone: str) -> Iterator[Line]:
    """Who answered, and when; nothing where it was time, a change or the house."""
    if approval is not None and approval.decided and approval.state in _ANSWERED:
        when = say_moment(approval.decided, zone)
        said = f"by you ({approval.by}), {when}"
        yield Line(label=approval.state.capitalize(), value=said, at=approval.decided)


_ANSWERED = frozenset({ApprovalState.APPROVED, ApprovalState.DENIED})


def expired(call: Call) -> Shown:
    """Nobody answered; a way to be asked once more."""
    text = f"{call.handle} expired; nothing was done. Ask for it again if you still want it."
    again = Action(verb=Verb.ASK_AGAIN, label="Ask again", subject=call.id, handle=call.handle)
    return Shown(kind=ShownKind.NOTICE, text=text, actions=(again,))


def ledger(calls: Sequence[Call]) -> str:
    """What the calls of a talk have come to since its owner spoke; empty if all of them read.

    Told by code from rows, whatever the model says of them.
    """
    changes = [call for call in calls if call.reach is not Reach.READS]
    if not changes:
        return ""
    said = [
        f"{words}: {', '.join(call.handle for call in found)}."
        for words, states in _LEDGER
        if (found := [call for call in changes if call.state in states])
    ]
    if not any(call.state is CallState.DONE for call in changes):
        said.insert(0, "Nothing was changed.")
    return " ".join(said)


_LEDGER = (
    ("Done", {CallState.DONE}),
    ("Undone", {CallState.UNDONE}),
    ("Waits for you", {CallState.PARKED}),
    ("Not done yet", {CallState.CLEARED, CallState.RUNNING, CallState.PROPOSED}),
    ("Not known whether done", {CallState.UNKNOWN}),
    ("Failed", {CallState.FAILED}),
    ("Refused", {CallState.REFUSED}),
    (
        "Not done",
        {CallState.DENIED, CallState.EXPIRED, CallState.VOID, CallState.CANCELLED},
    ),
)


def why(call: Call) -> list[str]:
    """Why it was decided as it was, a line for each layer that spoke."""
    copies = (
        f"copied: {one_line(one.arg, 80)} from {one.source} ({one.grade})" for one in call.copied
    )
    by = f"policy {call.policy}, mode {call.mode}, asked for by {call.actor}"
    what = f"{call.handle} {one_line(call.tool, 80)}: {call.state}"
    return [what, *(one_line(reason, len(reason)) for reason in call.reasons), *copies, by]


_NAMING = frozenset({"Title", "When", "Between", "File"})
"""Labels of the lines of a card that tell one such call from another."""


def in_short(card: Shown) -> str:
    """A card in one line: ``Create an event: Dentist, Mon 30 Nov 2026, ...``."""
    title = one_line(card.title.partition(": ")[2].rstrip("?"))
    named = [one_line(line.value) for line in card.fields if line.label in _NAMING]
    return f"{title}: {', '.join(named)}" if named else title


def notice(text: str, *, title: str = "") -> Shown:
    return Shown(kind=ShownKind.NOTICE, title=title, text=text)


def to(talk: Conversation, id: str, shown: Shown, *, public: bool = False) -> Delivery:
    """A delivery to where a conversation is; unless ``public``, where its owner reads alone."""
    place = talk.place if public else talk.aside or talk.place
    return Delivery(id=id, owner=talk.owner, channel=talk.channel, place=place, wanted=shown)


def pointer(talk: Conversation) -> Delivery:
    """Where others can read: that there is an answer elsewhere. Once for each thing said."""
    text = "My answer rests on what only you should read; it is in our direct messages."
    id = f"pointer-{talk.id}-{int(talk.spoke.timestamp())}"
    return to(talk, id, notice(text), public=True)


def at(home: Home, owner: str, id: str, shown: Shown) -> Delivery:
    """A delivery to where the owner is told what they did not ask for just now."""
    return Delivery(id=id, owner=owner, channel=home.channel, place=home.place, wanted=shown)


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
