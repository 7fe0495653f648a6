"""Render a plan: the calls that one turn asks about, in one message with a row for each step."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from assistant.domain.approvals.approval import Verb
from assistant.domain.calls.call import Call, Reach
from assistant.domain.calls.states import CallState
from assistant.domain.conversation.deliveries import Action, Row, Shown, ShownKind, Tone
from assistant.domain.policy.decide import WORD
from assistant.domain.text.rows import cut_to
from assistant.domain.time.short import soon
from assistant.flows.render.cards import card_id, second_step
from assistant.flows.render.fitting import ROWS, WIDTH, rows_in
from assistant.tools.contract.tool import Tool

_STEP = 2
"""The most rows of one step."""
_NAMED = 3
"""Handles that are named where they are not in a row."""
_CHOICES = 75
"""Steps that can be looked at from the message; three lists of Discord's."""


class Step(NamedTuple):
    """A call of a plan, its own card as it reads now, its tool, and when it expires."""

    call: Call
    card: Shown
    tool: Tool[Any] | None
    expires: datetime | None

    @property
    def waits(self) -> bool:
        return self.call.state is CallState.PARKED


def plan_id(first: Call) -> str:
    """Return the id of the plan's delivery; it is named after its first step."""
    return f"plan-{first.id}"


def plan_card(steps: Sequence[Step], *, zone: str) -> Shown:
    """Render a plan from its steps: what waits for a yes, and what became of the others."""
    steps = _in_place(steps)
    waiting = [step for step in steps if step.waits]
    wary = any(step.card.tone is Tone.DANGER for step in waiting)
    rows, left = _fitted([_row(step.card, place + 1) for place, step in enumerate(steps)])
    if left:
        rows = (*rows, Row(text=f"and {left} more: look at one" if waiting else f"and {left} more"))
    return Shown(
        kind=ShownKind.CARD,
        warning=_warning(waiting),
        title=_title(steps, waiting),
        rows=rows,
        small=_small(steps, waiting, zone),
        tone=_tone(steps, waiting, wary=wary),
        actions=tuple(_actions(steps, waiting, wary=wary)),
    )


def said_whole(cards: Sequence[Shown]) -> list[bool]:
    """Say of each card whether the plan of them says in its row all that the card says."""
    rows = [_row(card, place + 1) for place, card in enumerate(cards)]
    kept, _ = _fitted(rows)
    return [
        place < len(kept) and kept[place] == rows[place] and len(card.rows) <= 1
        for place, card in enumerate(cards)
    ]


def _in_place(steps: Sequence[Step]) -> list[Step]:
    """Put steps in order; a step that another has replaced makes room for that one."""
    replaced = {step.call.supersedes for step in steps}
    kept = [step for step in steps if step.call.id not in replaced]
    return sorted(kept, key=lambda step: (step.call.ordinal, step.call.number))


def _row(card: Shown, place: int) -> Row:
    """Say a step's card in a row: its title, and the first of what follows."""
    first = card.rows[0] if card.rows else None
    begin = f"{place} {card.title}"
    if first is None:
        return Row(text=f"{begin}: {card.text}" if card.text else begin)
    if first.was:
        return Row(name=f"{begin}:", was=first.was, text=first.text)
    return Row(text=f"{begin}, {' '.join(filter(None, (first.name, first.text)))}")


def _fitted(rows: Sequence[Row]) -> tuple[tuple[Row, ...], int]:
    """Return the first rows for which there is room, each cut if need be, and count the others."""
    short = [_cut(row) for row in rows]
    heights = [_height(row) for row in short]
    if sum(heights) <= ROWS:
        return tuple(short), 0
    kept = 0
    while kept < len(short) and sum(heights[: kept + 1]) < ROWS:
        kept += 1
    return tuple(short[:kept]), len(short) - kept


def _cut(row: Row) -> Row:
    columns = _STEP * WIDTH
    while _height(row) > _STEP and columns > WIDTH // 2:
        columns -= 2
        row = Row(
            name=cut_to(row.name, columns)[0],
            was=cut_to(row.was, columns // 2)[0],
            text=cut_to(row.text, columns)[0],
        )
    return row


def _height(row: Row) -> int:
    change = " → ".join(filter(None, (row.was, row.text)))
    return max(1, rows_in(" ".join(filter(None, (row.name, change)))))


def _warning(waiting: Sequence[Step]) -> str:
    """Say whose words led to the steps that wait; of several, of the first."""
    said = list(dict.fromkeys(step.card.warning for step in waiting if step.card.warning))
    if len(said) <= 1:
        return "".join(said)
    return f"{said[0]}; others led to more of it"


def _title(steps: Sequence[Step], waiting: Sequence[Step]) -> str:
    kind = "steps" if any(step.call.reach is Reach.READS for step in steps) else "changes"
    if len(waiting) == len(steps):
        return f"{len(steps)} {kind}, in this order"
    if waiting:
        waits = "waits" if len(waiting) == 1 else "wait"
        return f"{len(waiting)} of {len(steps)} {kind} {waits} for you"
    done = sum(step.call.state is CallState.DONE for step in steps)
    return f"{done} of {len(steps)} {kind} done"


def _small(steps: Sequence[Step], waiting: Sequence[Step], zone: str) -> str:
    some = waiting or steps
    parts = [_handles([step.call for step in some])]
    if waiting:
        expires = min((step.expires for step in waiting if step.expires), default=None)
        asked = max(step.call.created for step in waiting if step.call.created)
        parts += [
            _undoable(waiting),
            f"answer by {soon(expires, zone, now=asked)}" if expires else "",
            f"all takes {WORD}" if second_step([step.call for step in waiting]) else "",
        ]
    return " · ".join(filter(None, parts))


def _handles(calls: Sequence[Call]) -> str:
    first, last = calls[0], calls[-1]
    if len(calls) > 1 and last.number - first.number == len(calls) - 1:
        return f"{first.handle}–{last.handle}"
    named = ", ".join(call.handle for call in calls[:_NAMED])
    return f"{named} and {len(calls) - _NAMED} more" if len(calls) > _NAMED else named


def _undoable(waiting: Sequence[Step]) -> str:
    tools = [step.tool for step in waiting if step.tool and step.tool.change is not None]
    if not tools:
        return ""
    if all(tool.undoable for tool in tools):
        return "can be undone"
    return "not all can be undone"


def _tone(steps: Sequence[Step], waiting: Sequence[Step], *, wary: bool) -> Tone:
    if waiting:
        return Tone.DANGER if wary else Tone.WAITS
    tones = [step.card.tone for step in steps]
    for tone in (Tone.FAILED, Tone.DONE):
        if tone in tones:
            return tone
    return tones[0] or Tone.DENIED


def _actions(steps: Sequence[Step], waiting: Sequence[Step], *, wary: bool) -> Iterator[Action]:
    """Give the buttons: a yes and a no to all that waits, a look at each, and undo."""
    if waiting:
        yield from _answers(waiting, wary=wary)
        for place, step in enumerate(steps, start=1):
            if step.waits and place <= _CHOICES:
                yield _look(step, place)
    done = [step.call for step in steps if _can_be_undone(step)]
    if done:
        several = len(done) > 1
        yield Action(
            verb=Verb.UNDO_ALL if several else Verb.UNDO,
            label="Undo all" if several else "Undo",
            subject=done[-1].id,
            handle=done[-1].handle,
        )


def _answers(waiting: Sequence[Step], *, wary: bool) -> list[Action]:
    calls = [step.call for step in waiting]
    first = calls[0]
    terms = {step.call.id: step.card.digest for step in waiting}
    what = "all" if len(calls) > 1 else first.handle
    dots = "…" if second_step(calls) else ""
    yes, no = (
        Action(verb=verb, label=label, subject=first.id, handle=first.handle, terms=terms)
        for verb, label in (
            (Verb.PLAN, f"Approve {what}{dots}"),
            (Verb.DENY_ALL, f"Deny {what}"),
        )
    )
    return [no, yes] if wary else [yes, no]


def _look(step: Step, place: int) -> Action:
    return Action(
        verb=Verb.REVEAL,
        label=f"{place} {step.card.title}",
        subject=card_id(step.call),
        handle=step.call.handle,
        choice="Look at one…",
    )


def _can_be_undone(step: Step) -> bool:
    done = step.call.state is CallState.DONE and not step.call.unclear
    return done and step.tool is not None and step.tool.undoable
