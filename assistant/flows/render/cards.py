"""Render cards, receipts and notices of calls from rows, never by a model."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

from assistant.domain.approvals.approval import Verb
from assistant.domain.calendar.events import TITLES
from assistant.domain.calls.call import Call
from assistant.domain.calls.states import STATES, AskAgain, CallState
from assistant.domain.conversation.conversation import Conversation
from assistant.domain.conversation.deliveries import (
    Action,
    Delivery,
    Home,
    Line,
    Shown,
    ShownKind,
    moment,
)
from assistant.domain.policy.always_ask import destroy_many
from assistant.domain.policy.decide import WORD
from assistant.domain.policy.decisions import one_line
from assistant.domain.policy.grants import READ_TITLES, TITLES_LASTS
from assistant.flows.render.call_status import CallStatus, ending, history, said_by_layer
from assistant.tools.contract.tool import Tool

TOGETHER = "Asked together with"
"""Label of the line that names the rest of a plan."""
_FIRST = 5
"""Calls of a plan that a card summarises; it names the others by handle."""
_SHORT = 120
"""Characters of such a summary."""
_ASKING = (
    (Verb.APPROVE, "Approve"),
    (Verb.EDIT, "Edit"),
    (Verb.DENY, "Deny"),
    (Verb.DETAILS, "Details"),
    (Verb.MORE, "More"),
)
"""The buttons of a card. An undo has no edit button, as code made its arguments."""


def card(
    call: Call,
    tool: Tool[Any],
    *,
    expires: datetime,
    zone: str,
    was: Call | None = None,
    together: Sequence[tuple[Call, Tool[Any] | None]] = (),
) -> Shown:
    """Render the card of a parked call: everything a yes would cover, and until when.

    Args:
        call: with its decision.
        tool: its tool.
        expires: from when on a yes is too late.
        zone: the owner's IANA zone.
        was: the call that this one replaces; lines that differ from its card are shown too.
        together: the other waiting calls of its turn, in order, each with its tool.
    """
    return Shown(
        kind=ShownKind.CARD,
        title=f"{call.handle}: {_title(call, tool)}?",
        fields=(
            *_lines(call, tool, zone),
            *_changes(call, was, tool, zone),
            moment("Until", expires, zone),
            *_grounds(call, tool),
            *_plan(call, together, zone),
        ),
        actions=tuple(
            Action(verb=verb, label=label, subject=call.id, handle=call.handle)
            for verb, label in _buttons(call)
        ),
    )


def _buttons(call: Call) -> Iterator[tuple[Verb, str]]:
    """A read of titles has the grant for those to come in the place of Edit."""
    for verb, label in _ASKING:
        if verb is Verb.EDIT and call.tool == READ_TITLES:
            yield Verb.TITLES, f"Show me my own titles for {TITLES_LASTS.days} days"
        elif verb is not Verb.EDIT or not call.undoes:
            yield verb, label


def _changes(call: Call, was: Call | None, tool: Tool[Any], zone: str) -> Iterator[Line]:
    """Name the replaced call, and the lines of its card that differ."""
    if was is None:
        return
    yield Line(label="In place of", value=was.handle)
    now = {line.label: line.value for line in _lines(call, tool, zone)}
    for line in _lines(was, tool, zone):
        if now.get(line.label) != line.value:
            yield line.model_copy(update={"label": f"{line.label}, as {was.handle} had it"})


def _grounds(call: Call, tool: Tool[Any]) -> Iterator[Line]:
    """Say how risky it is, why it asks, whose words led to it, and whether it can be undone."""
    yield Line(label="Risk", value=call.risk.value)
    yield Line(label="Asks because", value=said_by_layer(call))
    yield Line(label="Led here by", value=_led_by(call))
    for one in call.copied:
        yield Line(
            label=f"Copied: {one_line(one.arg, 80)}", value=f"from {writer(one.source, one.grade)}"
        )
    yield Line(label="Can be undone", value="yes" if tool.undoable else "no")
    if call.word:
        yield Line(label="Takes a second step", value=f"type {call.word} with your yes")


def _led_by(call: Call) -> str:
    if not call.tainted:
        return "you; no words of others were in view"
    words = "\n".join(writer(one.source, one.grade) for one in call.led)
    return words or "others' words were in view (mail, calendar, files or web)"


def writer(source: str, grade: str) -> str:
    """Say whose words they are. Nobody knows who wrote a title, but the calendar is the owner's."""
    return "titles in your calendar" if source == TITLES else f"{source} ({grade})"


def second_step(plan: Sequence[Call]) -> str:
    """Say what one yes to these calls needs besides a press; empty if a press is enough."""
    why = _why_a_word(plan)
    return f"type {WORD} with your yes, as {why}" if why else ""


def _why_a_word(plan: Sequence[Call]) -> str:
    if many := destroy_many(plan):
        return f"this destroys {many} things at once"
    by_itself = [call for call in plan if call.word]
    if not by_itself:
        return ""
    return f"{min(by_itself, key=lambda call: call.number).handle} takes it by itself"


def _plan(
    call: Call, together: Sequence[tuple[Call, Tool[Any] | None]], zone: str
) -> Iterator[Line]:
    """Name the calls it was asked together with. The line stays as it is when they are answered."""
    if together:
        first = [_summary(call, tool, zone) for call, tool in together[:_FIRST]]
        rest = ", ".join(call.handle for call, _ in together[_FIRST:])
        step = second_step([call, *(other for other, _ in together)])
        word = f", which takes a second step: {step}" if step else ""
        plan = f"{len(together)} more (one yes can cover all of it that waits: its plan{word})"
        told = (plan, *first, *([f"and {rest}"] if rest else []))
        yield Line(label=TOGETHER, value="\n".join(told))


def _summary(call: Call, tool: Tool[Any] | None, zone: str) -> str:
    named = Shown(
        kind=ShownKind.CARD,
        title=f"{call.handle}: {_title(call, tool)}",
        fields=_lines(call, tool, zone),
    )
    return f"{call.handle}: {one_line(in_short(named), _SHORT)}"


def ended_card(status: CallStatus, tool: Tool[Any] | None, *, zone: str) -> Shown:
    """Render a call's card after it was answered, with a button to ask again where that is offered.

    The button of an expired call is in a notice of its own.
    """
    call = status.call
    offered = STATES[call.state].ask_again is AskAgain.ON_CARD
    can = offered and tool is not None and not call.undoes and not status.again
    return Shown(
        kind=ShownKind.CARD,
        title=f"{call.handle}: {_title(call, tool)}",
        text=ending(status),
        fields=(*_lines(call, tool, zone), *history(status, zone), _audit(call)),
        actions=(_ask_again(call),) if can else (),
    )


def receipt(status: CallStatus, tool: Tool[Any], *, zone: str, several: bool = False) -> Shown:
    """Render what a call did, who approved it or why it ran without asking, and when.

    ``several``: its turn changed more, so that all of it can be undone at once.
    """
    call = status.call
    verbs = ((Verb.UNDO, "Undo"), *([(Verb.UNDO_ALL, "Undo all")] if several else []))
    undo = tuple(
        Action(verb=verb, label=label, subject=call.id, handle=call.handle) for verb, label in verbs
    )
    can = call.state is CallState.DONE and tool.undoable
    undone = " (undone)" if call.state is CallState.UNDONE else ""
    return Shown(
        kind=ShownKind.RECEIPT,
        title=f"{call.handle}: {call.told or _title(call, tool)}{undone}",
        fields=(
            *_lines(call, tool, zone),
            *history(status, zone),
            _audit(call),
            Line(label="Trace", value=call.trace),
        ),
        actions=undo if can else (),
    )


def _audit(call: Call) -> Line:
    return Line(label="Audit", value=f"assistant audit show {call.handle}")


def _ask_again(call: Call) -> Action:
    return Action(verb=Verb.ASK_AGAIN, label="Ask again", subject=call.id, handle=call.handle)


def expired(call: Call) -> Shown:
    """Render the notice that a call expired, with a button to ask again."""
    text = f"{call.handle} expired; nothing was done. Ask for it again if you still want it."
    return Shown(kind=ShownKind.NOTICE, text=text, actions=(_ask_again(call),))


def unclear(call: Call, tool: Tool[Any] | None, *, zone: str) -> Shown:
    """Render the notice that nobody knows whether a call happened, and where to look."""
    there = ", ".join(call.facts.locations) or call.facts.destination
    return Shown(
        kind=ShownKind.NOTICE,
        title=f"{call.handle}: {_title(call, tool)}: did it happen?",
        text=(
            "Nobody knows whether this happened. It was begun, and its end was lost. "
            "Look yourself before you ask for it again."
        ),
        fields=(
            *_lines(call, tool, zone),
            *([Line(label="Look at", value=there)] if there else []),
            Line(label="Why", value=call.told),
            _audit(call),
        ),
    )


def why(call: Call) -> list[str]:
    """Say why a call was decided as it was, with a line for each layer that had a say."""
    copies = (
        f"copied: {one_line(one.arg, 80)} from {writer(one.source, one.grade)}"
        for one in call.copied
    )
    by = f"policy {call.policy}, mode {call.mode}, asked for by {call.actor}"
    what = f"{call.handle} {one_line(call.tool, 80)}: {call.state}"
    return [what, *(one_line(reason, len(reason)) for reason in call.reasons), *copies, by]


_NAMING = frozenset({"Title", "When", "Between", "File"})
"""Labels of the lines of a card that tell one such call from another."""


def in_short(card: Shown) -> str:
    """Render a card in one line: ``Create an event: Dentist, Mon 30 Nov 2026, ...``."""
    title = one_line(card.title.partition(": ")[2].rstrip("?"))
    named = [one_line(line.value) for line in card.fields if line.label in _NAMING]
    return f"{title}: {', '.join(named)}" if named else title


def notice(text: str, *, title: str = "", fields: Sequence[Line] = ()) -> Shown:
    """Make a notice, which is no entry of the conversation."""
    return Shown(kind=ShownKind.NOTICE, title=title, text=text, fields=tuple(fields))


def to(conversation: Conversation, id: str, shown: Shown, *, public: bool = False) -> Delivery:
    """Address a delivery to a conversation; to where its owner reads alone, unless ``public``."""
    place = conversation.place if public else conversation.aside or conversation.place
    return Delivery(
        id=id, owner=conversation.owner, channel=conversation.channel, place=place, wanted=shown
    )


def pointer(conversation: Conversation, words: str) -> Delivery:
    """Say, where others can read, that the answer is elsewhere; once for each message.

    ``words``: id of the delivery with the answer, which a button shows to the owner alone; empty
    where there is none yet.
    """
    text = "My answer rests on what only you should read; it is in our direct messages."
    id = f"pointer-{conversation.id}-{int(conversation.spoke.timestamp())}"
    show = Action(verb=Verb.REVEAL, label="Show", subject=words)
    shown = notice(text).model_copy(update={"actions": (show,) if words else ()})
    return to(conversation, id, shown, public=True)


def at(home: Home, owner: str, id: str, shown: Shown) -> Delivery:
    """Address a delivery to the owner's home, where notices go."""
    return Delivery(id=id, owner=owner, channel=home.channel, place=home.place, wanted=shown)


def card_id(call: Call) -> str:
    return f"card-{call.id}"


def receipt_id(call: Call) -> str:
    return f"receipt-{call.id}"


def _title(call: Call, tool: Tool[Any] | None) -> str:
    return (tool.title if tool else "") or call.tool


def _lines(call: Call, tool: Tool[Any] | None, zone: str) -> tuple[Line, ...]:
    if call.facts.trouble and not call.facts.args:  # a card is made of what was looked at
        return (Line(label="Cannot be shown", value=call.facts.trouble),)
    return tool.card(call.facts, zone) if tool else ()
