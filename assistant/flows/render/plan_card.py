"""Render a plan: the calls that one turn asks about, in one message with a row for each step."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from assistant.domain.approvals.approval import Verb
from assistant.domain.calls.call import Call, Reach
from assistant.domain.calls.states import CallState
from assistant.domain.conversation.deliveries import Action, Row, Shown, ShownKind, Tone
from assistant.domain.policy.decide import WORD
from assistant.domain.text.quotes import quoted
from assistant.domain.text.rows import cells, is_cut, shortened
from assistant.domain.time.short import soon
from assistant.flows.render.cards import card_id, name_of, second_step
from assistant.flows.render.fitting import WIDTH, rows_in
from assistant.flows.render.influence import NOT_VERIFIED, influence
from assistant.tools.contract.tool import Tool

MOST = 10
"""The most rows of a message: three steps stand whole in it, below a stranger's name. One card of
its own has seven."""
_STEP = 2
"""The most rows of one step."""
_WARNING = 2
"""The most rows of the warning."""
_NAMED = 3
"""Steps that are named where they are not in a row."""
_LIST, _LISTS = 25, 3
"""Steps that one list of Discord's takes, and the lists of a message."""
_NAME = 12
"""The fewest columns of the name of what a step is done to."""


class Step(NamedTuple):
    """A call of a plan, its own card as it reads now, its tool, and when it expires."""

    call: Call
    card: Shown
    tool: Tool[Any] | None
    expires: datetime | None

    @property
    def waits(self) -> bool:
        return self.call.state is CallState.PARKED


class _Placed(NamedTuple):
    """A step, its number in the plan, its row, and whether that says enough for a yes."""

    place: int
    step: Step
    row: Row
    enough: bool


def plan_id(first: Call) -> str:
    """Return the id of the plan's delivery; it is named after its first step."""
    return f"plan-{first.id}"


def plan_card(steps: Sequence[Step], *, zone: str) -> Shown:
    """Render a plan from its steps: what waits for a yes, and what became of the others.

    Its yes covers the steps that wait and whose row says enough. The others are looked at, or come
    into a row once there is room.
    """
    steps = _in_place(steps)
    verb = _common_verb(steps)
    waiting = [step for step in steps if step.waits]
    wary = any(step.card.tone is Tone.DANGER for step in waiting)
    warning, title = _warning(steps), _title(steps, len(waiting), verb)
    small, shorter = _small_lines(steps, zone)
    room = MOST - rows_in(warning) - rows_in(title)
    placed = _placed(steps, verb, zone, short=bool(waiting))
    if _sum(placed) > room - rows_in(small):
        placed, small = _placed(steps, verb, zone, short=True), shorter
    kept = _kept(placed, room - rows_in(small))
    rows = [one.row for one in kept]
    if left := _without(steps, kept):
        look = ": look at one" if any(step.waits for step in left) else ""
        rows.append(Row(text=f"and {len(left)} more{look}"))
    answered = [one.step for one in kept if one.step.waits and one.enough]
    return Shown(
        kind=ShownKind.CARD,
        warning=warning,
        title=title,
        rows=tuple(rows),
        small=small,
        tone=_tone(steps, wary=wary),
        actions=tuple(_actions(steps, answered, wary=wary)),
    )


def covered(plan: Shown) -> Mapping[str, str]:
    """Return by call the digest of its card, of the steps that the yes of a message covers."""
    return next((action.terms for action in plan.actions if action.verb == Verb.PLAN), {})


def _in_place(steps: Sequence[Step]) -> list[Step]:
    """Put steps in order; a step that another has replaced makes room for that one."""
    replaced = {step.call.supersedes for step in steps}
    kept = [step for step in steps if step.call.id not in replaced]
    return sorted(kept, key=lambda step: (step.call.ordinal, step.call.number))


def _common_verb(steps: Sequence[Step]) -> str:
    """Return what the title says once: how all begin that wait, ``Create``, or ``Created``."""
    some = [step for step in steps if step.waits] or steps
    verbs = {step.card.title.partition(_QUOTE)[0] for step in some}
    alike = len(verbs) == 1 and all(_QUOTE in step.card.title for step in some)
    stand = all(step.waits or step.call.state is CallState.DONE for step in some)
    return verbs.pop() if alike and stand else ""


_QUOTE = " “"


def _placed(steps: Sequence[Step], verb: str, zone: str, *, short: bool) -> list[_Placed]:
    """Say each step in a row; ``short``: one that has ended, only by what became of it."""
    return [
        _Placed(place, step, *_fitted(step, place, verb, zone, short=short and not step.waits))
        for place, step in enumerate(steps, start=1)
    ]


def _fitted(step: Step, place: int, verb: str, zone: str, *, short: bool) -> tuple[Row, bool]:
    """Return the row of a step, and whether it says enough for a yes.

    That is all that its card says below the title, none of it cut; where others' words led to it,
    the whole name as well. The name is left out first if what was says it, else shortened.
    """
    card = step.card.model_copy(update={"rows": ()}) if short else step.card
    most = 1 if short else _STEP
    name = name_of(step.call, step.tool, zone)
    widths = range(min(cells(name) - 1, most * WIDTH), _NAME - 1, -1)
    shorter = [shortened(name, columns, tail=columns // 3) for columns in widths]
    if any(row.was == quoted(name) for row in card.rows):
        shorter = [""]
    for said in (name, *shorter):
        row = _row(card, place, verb, _titled(card, name, said))
        if _height(row) <= most:
            cut = any(is_cut(f"{part.was}\n{part.text}") for part in card.rows)
            return row, not cut and (said in {name, ""} or not step.call.tainted)
    text, left = _said(row), most * WIDTH
    while _height(row) > most:
        row, left = Row(text=shortened(text, left)), left - 1
    return row, False


def _titled(card: Shown, name: str, said: str) -> str:
    """Return the title of a card with its name as it is said; without one, if it is not said."""
    verb, quote, rest = card.title.partition(_QUOTE)
    if not (name and quote):
        return card.title
    return f"{verb}{f' {quoted(said)}' if said else ''}{rest.rpartition('”')[2]}"


def _row(card: Shown, place: int, verb: str, title: str) -> Row:
    """Say a step's card in a row: its title as it is given, and what follows."""
    begin = f"{place} {f'{title} '.removeprefix(f'{verb} ') if verb else title}".rstrip()
    if len(card.rows) == 1 and card.rows[0].was and not card.text:
        return card.rows[0].model_copy(update={"name": f"{begin}: {card.rows[0].name}".rstrip()})
    said = "; ".join(filter(None, (card.text, *map(_said, card.rows))))
    mark = ":" if card.text or len(card.rows) > 1 else ","
    return Row(text=f"{begin}{mark} {said}" if said else begin)


def _said(row: Row) -> str:
    change = " → ".join(filter(None, (row.was, row.text)))
    return " ".join(filter(None, (row.name, change)))


def _kept(placed: Sequence[_Placed], room: int) -> Sequence[_Placed]:
    """Return the steps for which there is room, in order: first of those that wait."""
    if _sum(placed) <= room:
        return placed
    kept: list[_Placed] = []
    left = room - 1  # one row counts the others
    for one in sorted(placed, key=lambda one: not one.step.waits):
        left -= _height(one.row)
        if kept and left < 0:
            break
        kept.append(one)
    return sorted(kept, key=lambda one: one.place)


def _sum(placed: Sequence[_Placed]) -> int:
    return sum(_height(one.row) for one in placed)


def _height(row: Row) -> int:
    return max(1, rows_in(_said(row)))


def _without(steps: Sequence[Step], kept: Sequence[_Placed]) -> Sequence[Step]:
    """Return the steps that have no row."""
    placed = {one.place for one in kept}
    return [step for place, step in enumerate(steps, start=1) if place not in placed]


def _warning(steps: Sequence[Step]) -> str:
    """Say whose words led to the steps that wait, and to which, where they led not to all alike."""
    waiting = {place: influence(step.call) for place, step in enumerate(steps, 1) if step.waits}
    led = {place: one for place, one in waiting.items() if one.warning}
    said = {one.warning for one in led.values()}
    if not led or (len(said) == 1 and len(led) == len(waiting)):
        return "".join(said)
    writer, *others = dict.fromkeys(one.writer for one in led.values())
    more = f" and {len(others)} more" if others else ""
    for columns in range(_WARNING * WIDTH, WIDTH // 2, -2):
        by = shortened(writer, columns, tail=columns // 2)
        warning = f"From {by}{more}{NOT_VERIFIED}: {_places(list(led))}"
        if rows_in(warning) <= _WARNING:
            break
    return warning


def _places(places: Sequence[int]) -> str:
    """Write ``step 2``; ``steps 1, 2, 3 and 4 more``."""
    named = ", ".join(map(str, places[:_NAMED]))
    more = f" and {len(places) - _NAMED} more" if len(places) > _NAMED else ""
    return f"step{'s' if len(places) > 1 else ''} {named}{more}"


def _title(steps: Sequence[Step], waiting: int, verb: str) -> str:
    kind = "steps" if any(step.call.reach is Reach.READS for step in steps) else "changes"
    if verb:
        some = f"{waiting} of " if 0 < waiting < len(steps) else ""
        return f"{verb} {some}{len(steps)}" + (", in this order" if waiting > 1 else "")
    if waiting == len(steps):
        return f"{len(steps)} {kind}, in this order"
    if waiting:
        return f"{waiting} of {len(steps)} {kind} wait{'s' if waiting == 1 else ''} for you"
    done = sum(step.call.state is CallState.DONE for step in steps)
    return f"{done} of {len(steps)} {kind} done"


def _small_lines(steps: Sequence[Step], zone: str) -> tuple[str, str]:
    """Return the small line, and a shorter one for where the steps need its room."""
    waiting = [step for step in steps if step.waits]
    handles = _handles([step.call for step in waiting or steps])
    if not waiting:
        return handles, handles
    expires = min((step.expires for step in waiting if step.expires), default=None)
    asked = max(step.call.created for step in waiting if step.call.created)
    undoable = _undoable(waiting)
    answer = f"answer by {soon(expires, zone, now=asked)}" if expires else ""
    word = f"all takes {WORD}" if second_step([step.call for step in waiting]) else ""
    return (
        _DOT.join(filter(None, (handles, undoable, answer, word, _in_view(waiting)))),
        _DOT.join(filter(None, (handles, undoable.removeprefix(_UNDOABLE), answer, word))),
    )


def _handles(calls: Sequence[Call]) -> str:
    """Write ``A4–A6``; where not all of these are meant, ``A4, A6`` or ``4 of A4–A8``."""
    first, last = calls[0], calls[-1]
    if len(calls) == 1:
        return first.handle
    if last.number - first.number == len(calls) - 1:
        return f"{first.handle}–{last.handle}"
    if len(calls) <= _NAMED:
        return ", ".join(call.handle for call in calls)
    numbers = [call.number for call in calls]
    return f"{len(calls)} of A{min(numbers)}–A{max(numbers)}"


def _in_view(waiting: Sequence[Step]) -> str:
    """Name whose words were in view where the owner typed it all, as the steps' own cards do."""
    led = [influence(step.call) for step in waiting]
    return (
        "" if any(one.warning for one in led) else next((one.small for one in led if one.small), "")
    )


_UNDOABLE = "can be undone"
_DOT = " · "
"""Stands between the parts of a small line."""


def _undoable(waiting: Sequence[Step]) -> str:
    changes = [step for step in waiting if step.tool and step.tool.change is not None]
    if not changes:
        return ""
    if all(step.tool and step.tool.can_undo(step.call.facts) for step in changes):
        return _UNDOABLE
    return "not all can be undone"


def _tone(steps: Sequence[Step], *, wary: bool) -> Tone:
    if any(step.waits for step in steps):
        return Tone.DANGER if wary else Tone.WAITS
    tones = [step.card.tone for step in steps]
    for tone in (Tone.FAILED, Tone.DONE):
        if tone in tones:
            return tone
    return tones[0] or Tone.DENIED


def _actions(steps: Sequence[Step], answered: Sequence[Step], *, wary: bool) -> Iterator[Action]:
    """Give the buttons: a yes and a no to what waits, a look at each, ask again, and undo."""
    waiting = [step for step in steps if step.waits]
    if waiting:
        yes = [_yes(answered, len(waiting))] if answered else []
        no = [_answer(Verb.DENY_ALL, "Deny", waiting, "all")]
        yield from [*no, *yes] if wary else [*yes, *no]
        looks = [_look(step, place) for place, step in enumerate(steps, 1) if step.waits]
        yield from looks[: _LIST * _LISTS]
    yield from _again(steps, most=_LIST * (_LISTS - -(-len(waiting) // _LIST)))
    if done := [step for step in steps if _can_be_undone(step)]:
        yield _undo(done)


def _again(steps: Sequence[Step], *, most: int) -> Sequence[Action]:
    """Give what asks again about each step that was cancelled or failed, as its own card does."""
    can = [
        _ask_again(step, place)
        for place, step in enumerate(steps, start=1)
        if any(action.verb == Verb.ASK_AGAIN for action in step.card.actions)
    ]
    if len(can) == 1:
        [one] = can
        return [one.model_copy(update={"label": f"Ask again {one.handle}", "choice": ""})]
    return can[: max(0, most)]


def _ask_again(step: Step, place: int) -> Action:
    return Action(
        verb=Verb.ASK_AGAIN,
        label=f"{place} {step.card.title}",
        subject=step.call.id,
        handle=step.call.handle,
        choice="Ask again…",
    )


def _undo(done: Sequence[Step]) -> Action:
    """Give the undo of these steps and of nothing else, newest first."""
    last = done[-1].call
    if len(done) == 1:
        return Action(verb=Verb.UNDO, label="Undo", subject=last.id, handle=last.handle)
    return Action(
        verb=Verb.UNDO_ALL,
        label="Undo all",
        subject=last.id,
        handle=" ".join(step.call.handle for step in reversed(done)),
        terms={step.call.id: step.card.digest for step in done},
    )


def _yes(steps: Sequence[Step], waiting: int) -> Action:
    """Give the yes to these, which says how many they are where that is not all that waits."""
    some = "all" if len(steps) == waiting else f"{len(steps)} of {waiting}"
    dots = "…" if second_step([step.call for step in steps]) else ""
    return _answer(Verb.PLAN, "Approve", steps, some, dots)


def _answer(verb: Verb, label: str, steps: Sequence[Step], some: str, dots: str = "") -> Action:
    first = steps[0].call
    return Action(
        verb=verb,
        label=f"{label} {some if len(steps) > 1 else first.handle}{dots}",
        subject=first.id,
        handle=first.handle,
        terms={step.call.id: step.card.digest for step in steps},
    )


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
    return done and step.tool is not None and step.tool.can_undo(step.call.facts)
