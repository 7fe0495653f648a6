"""Render cards, receipts and notices of calls from rows, never by a model."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

from assistant.domain.approvals.approval import ApprovalState, Verb, is_person
from assistant.domain.calendar.recurrence_words import is_rule
from assistant.domain.calls.call import Call
from assistant.domain.calls.states import (
    HAPPENED,
    NOT_BEGUN,
    STATES,
    AskAgain,
    CallState,
    state_name,
)
from assistant.domain.conversation.conversation import Conversation
from assistant.domain.conversation.deliveries import (
    Action,
    Delivery,
    Home,
    Line,
    Row,
    Shown,
    ShownKind,
    Tone,
)
from assistant.domain.conversation.glance import Glance
from assistant.domain.policy.always_ask import destroy_many
from assistant.domain.policy.decide import WORD
from assistant.domain.policy.decisions import MODEL, one_line
from assistant.domain.policy.grants import READ_TITLES, TITLES_LASTS
from assistant.domain.text.quotes import quoted
from assistant.domain.text.rows import cut_to, one_row
from assistant.domain.time.short import soon
from assistant.flows.render.call_status import CallStatus
from assistant.flows.render.fitting import fitted, rows_in, titled
from assistant.flows.render.influence import influence, said_of
from assistant.flows.render.ledger import why_refused
from assistant.flows.render.reasons import asked_by, reasons
from assistant.tools.contract.tool import Tool

TOGETHER = "Asked together with"
"""Label of the line that names the rest of a plan, on cards from before they were short."""
ASKED_WITH = "asked with "
"""Begins the part of a small line that names the rest of a plan."""
_SMALL, _SMALL_WARNED = 3, 2
"""The most rows of the small line, and below a warning."""
_CARD = "card-"
_KEPT = 5
"""Its first parts, which are never left out."""
_INSTEAD = "Take another time"
"""The question of the list of what a call could be instead."""
_REASON = 120
"""Columns of a reason on a card that ended."""


def card(
    call: Call,
    tool: Tool[Any],
    *,
    expires: datetime,
    zone: str,
    was: Call | None = None,
    together: Sequence[Call] = (),
) -> tuple[Shown, int]:
    """Render the card of a parked call: what a yes would do, whose words led to it, until when.

    Args:
        call: with its decision.
        tool: its tool.
        expires: from when on a yes is too late.
        zone: the owner's IANA zone.
        was: the call that this one replaces; what it would have done is shown where it differs.
        together: the other waiting calls of its turn, in order.

    Returns:
        The card, and how much of its arguments only the details show whole.
    """
    glance = _glance(call, tool, zone)
    if was is not None:
        glance = _with_what_was(glance, was, _glance(was, tool, zone))
    glance = glance._replace(rows=(*glance.rows, *glance.asks))
    led = influence(call)

    def small(hidden: int) -> str:
        said = [
            call.handle,
            f"{hidden} more under Details" if hidden else "",
            _undoable(tool, call, gone=glance.gone and not led.warning),
            f"answer by {soon(expires, zone, now=_asked(call))}",
            led.small,
            f"in place of {was.handle}" if was else "",
            _with_others(call, together),
        ]
        most = _SMALL_WARNED if led.warning else _SMALL
        while len(said) > _KEPT and rows_in(_joined(*said)) > most:
            said.pop()  # the details say it too
        return _joined(*said)

    fits = fitted(glance, warning=led.warning, small=small)
    wary = bool(led.warning) or glance.gone
    return Shown(
        kind=ShownKind.CARD,
        warning=led.warning,
        title=fits.title,
        rows=fits.rows,
        small=small(fits.hidden),
        tone=Tone.DANGER if wary else Tone.WAITS,
        actions=tuple(_answers(call, glance, wary=wary, look=call.tainted and fits.hidden > 0)),
    ), fits.hidden


def _with_what_was(glance: Glance, was: Call, before: Glance) -> Glance:
    """Say what the replaced call would have done, where that differs."""
    said, then = ([titled(one), *map(_told, one.rows)] for one in (glance, before))
    differs = [one for one in then if one not in said]
    if not differs:
        return glance
    return glance._replace(
        rows=(*glance.rows, Row(name=f"{was.handle} was:", text=", ".join(differs)))
    )


def _undoable(tool: Tool[Any], call: Call, *, gone: bool) -> str:
    if tool.change is None:
        return ""
    if not tool.can_undo(call.facts):
        return "cannot be undone"
    return "comes back with Undo" if gone else "can be undone"


def _with_others(call: Call, together: Sequence[Call]) -> str:
    if not together:
        return ""
    first, *rest = together
    word = f", together they take {WORD}" if second_step([call, *together]) else ""
    return f"{ASKED_WITH}{first.handle}" + (f" and {len(rest)} more" if rest else "") + word


def _answers(call: Call, glance: Glance, *, wary: bool, look: bool) -> Iterator[Action]:
    """Give the buttons of a card: the yes is first only where it is what one would expect.

    An undo has no edit button, as code made its arguments. What must be looked at first has a
    button of its own.
    """
    yes = (Verb.APPROVE, glance.press + ("…" if call.word else ""))
    edit = list(_in_the_middle(call))
    no = (Verb.DENY, "Deny")
    rest = [*([(Verb.DETAILS, "Details")] if look else []), (Verb.MORE, "More")]
    for verb, label in [no, *edit, yes, *rest] if wary else [yes, *edit, no, *rest]:
        yield Action(verb=verb, label=label, subject=call.id, handle=call.handle)
    for other in () if call.undoes else glance.others:
        yield Action(
            verb=Verb.TAKE,
            label=other.label,
            subject=call.id,
            handle=call.handle,
            choice=_INSTEAD,
            terms={"changes": other.changes},
        )


def _in_the_middle(call: Call) -> Iterator[tuple[Verb, str]]:
    """A read of titles has the grant for those to come in the place of Edit."""
    if call.tool == READ_TITLES:
        yield Verb.TITLES, f"Show me my own titles for {TITLES_LASTS.days} days"
    elif not call.undoes:
        yield Verb.EDIT, "Edit"


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


def ended_card(
    status: CallStatus, tool: Tool[Any] | None, *, zone: str, again: bool = True
) -> Shown:
    """Render a call's card after it was answered, with a button to ask again where that is offered.

    The button of an expired call is in a notice of its own. ``again``: whether it can be asked
    about again now.
    """
    call = status.call
    row = STATES[call.state]
    glance = _glance(call, tool, zone)
    offers = row.ask_again is AskAgain.ON_CARD and again
    can = offers and tool and not call.undoes and not status.again
    small = _joined(call.handle, _by(status, zone), _after(status))
    if call.state in HAPPENED and not call.unclear:
        return _happened(status, tool, zone=zone, kind=ShownKind.CARD)
    headline = "Nobody knows" if call.unclear else row.headline
    if status.edited:
        headline = "Edited"
    elif row.to_run and status.approval is None:
        headline = "Runs"
    fits = fitted(glance._replace(rows=()), begin=f"{headline}:", small=lambda _: small)
    told = _why(status) if row.tells_why and not status.edited else ""
    return Shown(
        kind=ShownKind.CARD,
        title=fits.title,
        text=_short(told),
        small=small,
        tone=row.tone,
        actions=(_ask_again(call),) if can else (),
    )


def _why(status: CallStatus) -> str:
    """Say why it came to nothing, and of a replacement that was refused, why that was."""
    refused = status.successor if status.call.state is CallState.SUPERSEDED else None
    return status.call.told if refused is None or status.again else why_refused(refused)


def _by(status: CallStatus, zone: str) -> str:
    """Say who answered and when: ``you, 14:02``; or why nobody was asked."""
    call, approval = status.call, status.approval
    now = _asked(call)
    if approval is None:
        when = call.ended or call.started
        ran = "without asking" if call.started and call.layer else ""
        ran = "you" if ran and call.actor != MODEL else ran
        return ", ".join(filter(None, (ran, soon(when, zone, now=now) if when else "")))
    answered = {ApprovalState.APPROVED, ApprovalState.DENIED}
    if approval.decided and (approval.state in answered or status.edited):
        by = "you" if is_person(approval.by) else approval.by
        return f"{by}, {soon(approval.decided, zone, now=now)}"
    return soon(call.ended, zone, now=now) if call.ended else ""


def _after(status: CallStatus) -> str:
    """Say what follows: its successor, the owner's reason, or that nothing was done."""
    call = status.call
    if call.state is CallState.DENIED:
        return quoted(_short(call.told)) if call.told else ""
    if status.again:
        return f"{status.again} is in its place"
    if call.unclear:
        return "look yourself"
    if STATES[call.state].to_run:
        return "runs now or when its turn comes"
    if call.state is CallState.SUPERSEDED and status.successor:
        return f"{status.successor.handle} in its place was refused"
    return "nothing was done" if call.state in NOT_BEGUN else ""


def receipt(status: CallStatus, tool: Tool[Any], *, zone: str, several: bool = False) -> Shown:
    """Render what a call did, who approved it or why it ran without asking, and when.

    ``several``: its turn changed more, so that all of it can be undone at once.
    """
    shown = _happened(status, tool, zone=zone, kind=ShownKind.RECEIPT)
    call = status.call
    verbs = ((Verb.UNDO, "Undo"), *([(Verb.UNDO_ALL, "Undo all")] if several else []))
    can = call.state is CallState.DONE and tool.can_undo(call.facts)
    actions = (*(verbs if can else ()), (Verb.MORE, "More"))
    return shown.model_copy(
        update={
            "actions": tuple(
                Action(verb=verb, label=label, subject=call.id, handle=call.handle)
                for verb, label in actions
            )
        }
    )


def _happened(status: CallStatus, tool: Tool[Any] | None, *, zone: str, kind: ShownKind) -> Shown:
    """Say what was done: ``Moved “Dentist”``, what was and what is now, who, and when."""
    call = status.call
    undone = call.state is CallState.UNDONE
    by = f"by {status.undo.handle}" if undone and status.undo else ""
    small = _joined(call.handle, _by(status, zone), f"undone {by}".strip() if undone else "")
    glance = _glance(call, tool, zone)
    did = glance.did or call.told or f"Done: {glance.verb}"
    done = glance._replace(verb=did, rows=tuple(map(_as_done, glance.rows)))
    fits = fitted(done, begin="Undone:" if undone else "", small=lambda _: small)
    return Shown(
        kind=kind,
        title=fits.title,
        rows=fits.rows,
        small=small,
        tone=STATES[call.state].tone,
    )


def _as_done(row: Row) -> Row:
    """Say a change as one that has happened: ``was 09:00, now 10:00``."""
    return Row(name=row.name, text=f"was {row.was}, now {row.text}") if row.was else row


def _ask_again(call: Call) -> Action:
    return Action(verb=Verb.ASK_AGAIN, label="Ask again", subject=call.id, handle=call.handle)


def expired(call: Call, tool: Tool[Any] | None, *, zone: str) -> Shown:
    """Render the notice that a call expired, with a button to ask again."""
    fits = fitted(_glance(call, tool, zone)._replace(rows=()), begin="Expired:")
    return Shown(
        kind=ShownKind.NOTICE,
        title=fits.title,
        small=_joined(call.handle, "nothing was done"),
        tone=Tone.DENIED,
        actions=(_ask_again(call),),
    )


def unclear(call: Call, tool: Tool[Any] | None, *, zone: str) -> Shown:
    """Render the notice that nobody knows whether a call happened, and where to look."""
    there = ", ".join(call.facts.locations) or call.facts.destination
    glance = _glance(call, tool, zone)
    look = Row(name="Look at:", text=there)
    fits = fitted(glance._replace(rows=(*glance.rows, look)), begin="Nobody knows if it happened:")
    return Shown(
        kind=ShownKind.NOTICE,
        title=fits.title,
        rows=fits.rows,
        text="It was begun, and its end was lost. Look yourself before you ask for it again.",
        small=_joined(call.handle, _short(call.told)),
        tone=Tone.FAILED,
    )


def failed_late(call: Call, tool: Tool[Any] | None, *, zone: str) -> Shown:
    """Render the notice that what was approved some time ago was not done after all."""
    fits = fitted(_glance(call, tool, zone), begin="Not done:")
    return Shown(
        kind=ShownKind.NOTICE,
        title=fits.title,
        rows=fits.rows,
        text=_short(call.told),
        small=call.handle,
        tone=Tone.FAILED,
    )


def why(call: Call) -> list[str]:
    """Say why a call was decided as it was, with a sentence for each layer that had a say."""
    copies = (f"copied: {one_line(one.arg, 80)} from {said_of([one])}" for one in call.copied)
    policy = f"policy version {call.policy}" if call.policy else "no policy of yours"
    by = f"Asked for by {one_line(asked_by(call))}. Decided under {policy}, in mode {call.mode}."
    what = f"{call.handle} {one_line(call.tool, 80)}: {state_name(call.state)}"
    return [what, *(one_line(reason, len(reason)) for reason in reasons(call)), *copies, by]


_NAMING = frozenset({"Title", "When", "Between", "File"})
"""Labels of the lines that tell one such call from another, on cards of before they were short."""


def in_short(card: Shown) -> str:
    """Render a card in one line: ``Create “Dentist”, Mon 30 Nov, all day``.

    It says what was and is as well, and how it repeats, in whichever row that stands.
    """
    if card.tone:
        rows = (*card.rows[:1], *(row for row in card.rows[1:] if row.was or is_rule(row.text)))
        said = (card.title, card.text, *map(_told, rows))
        return one_line(", ".join(filter(None, said)))
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
    return f"{_CARD}{call.id}"


def call_of_card(id: str) -> str:
    """Return the call of a card's id; empty for any other delivery."""
    return id.removeprefix(_CARD) if id.startswith(_CARD) else ""


def receipt_id(call: Call) -> str:
    return f"receipt-{call.id}"


def name_of(call: Call, tool: Tool[Any] | None, zone: str) -> str:
    """Return the whole name of what a call is done to, of which a card may show a part."""
    return one_row(_glance(call, tool, zone).name)


def _glance(call: Call, tool: Tool[Any] | None, zone: str) -> Glance:
    """Make what the tool says of a call; of one that could not be looked at, why."""
    if tool is None:
        return Glance(verb=call.tool, did="")
    if call.facts.trouble and not call.facts.args:
        why = Row(name="Cannot be shown:", text=call.facts.trouble)
        return Glance(verb=tool.display_name, did="", rows=(why,))
    return tool.glance(call.facts, zone, _asked(call))


def _asked(call: Call) -> datetime:
    """When it was asked for: a card says times as seen from then, whenever it is rendered."""
    return call.created or datetime.min.replace(tzinfo=UTC)


def _told(row: Row) -> str:
    change = " → ".join(filter(None, (row.was, row.text)))
    return " ".join(filter(None, (row.name, change)))


def _short(text: str) -> str:
    return cut_to(one_row(text), _REASON)[0]


def _joined(*parts: str) -> str:
    return " · ".join(filter(None, parts))
