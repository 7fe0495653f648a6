"""What a command says, as one message. All of it may be others' words, and is made harmless."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from assistant.adapters.discord.embeds import MOST, MOST_FIELDS, embed, length, stamp
from assistant.adapters.discord.message import DiscordMessage
from assistant.adapters.discord.render import MOST_BUTTONS, buttons, details, render
from assistant.adapters.discord.text import harmless, legible, set_apart, units
from assistant.commands.answer import (
    Answer,
    Block,
    Button,
    Card,
    CommandOutcome,
    Content,
    Fields,
    Picture,
    Table,
    Words,
)
from assistant.domain.conversation.deliveries import Action, Line, Shown, ShownKind, in_lines
from workers.discord.interaction import Reply, Way

LATE = "No worker has moved lately: what you said is kept, and goes on as soon as one runs."
ONCE_ONE_RUNS = "runs as soon as a worker does"
"""When what would run at once runs, where no worker moves."""
_LONGEST = 1_900
_EMBEDS = 10
_COLOURS = {
    CommandOutcome.FAILED: 0xE74C3C,
    CommandOutcome.DENIED: 0xE74C3C,
    CommandOutcome.STALE: 0x95A5A6,
    CommandOutcome.UNREACHABLE: 0xE67E22,
}
"""Where an answer with fields is not simply an answer; what waits has the colour of a card."""


@dataclass(frozen=True, kw_only=True)
class Pressable:
    """A button below an answer, and what it carries."""

    action: Action
    token: str


def say(*lines: str) -> Reply:
    """Lines of plain words; as a file where they are too long for one message."""
    return told(Answer(blocks=(Words(text="\n".join(lines)),)))


def told(answer: Answer, *, pressable: Sequence[Pressable] = (), late: bool = False) -> Reply:
    """What a command says.

    Args:
        answer: what it says.
        pressable: the buttons below it, see ``buttons_of``.
        late: whether it sets something going while no worker moves.
    """
    match answer.blocks:
        case [Card() as card] if not buttons_of(answer):
            message = _shown(card.shown, [one.token for one in pressable])
        case _:
            below = buttons([one.action for one in pressable], [one.token for one in pressable])
            message = replace(
                _with_pictures(_laid_out(answer, late=late), answer), components=below
            )
    return Reply(way=Way.SAY, message=message, follow=answer.follow)


def cards_of(answer: Answer) -> list[Card]:
    """The cards that are shown with it; of a table its lines are."""
    return [block for block in answer.blocks if isinstance(block, Card)]


def buttons_of(answer: Answer) -> Sequence[Button]:
    """What can be pressed below it, where that is not a card's."""
    return answer.buttons[:MOST_BUTTONS] or ((answer.next,) if answer.next else ())


def _laid_out(answer: Answer, *, late: bool) -> DiscordMessage:
    said = list(_words(answer, late=late))
    words = "\n".join(map(_with_moment, said))
    shown = [one for block in answer.blocks for one in _as_shown(block, answer.outcome)]
    if units(words) > _LONGEST:
        whole = "\n".join(one.value for one in said)
        shown.insert(0, Shown(kind=ShownKind.NOTICE, text=whole))
        words = ""
    if not shown:
        return DiscordMessage(content=words)
    message = _embedded(shown, answer.outcome)
    return replace(message, content="\n".join(filter(None, (words, message.content))))


def _with_pictures(message: DiscordMessage, answer: Answer) -> DiscordMessage:
    pictures = [block for block in answer.blocks if isinstance(block, Picture)]
    files = ((one.name, one.content) for one in pictures)
    alt = {one.name: one.alt for one in pictures}
    return replace(message, files=(*message.files, *files), alt=alt)


def _with_moment(line: Line) -> str:
    """Plain words, and below them the moment that they name in the reader's own zone."""
    return "\n".join(filter(None, (harmless(line.value), stamp(line))))


def _words(answer: Answer, *, late: bool) -> Iterator[Line]:
    """Its words and what is said aside, each with the moment that it names."""
    said = answer.said.told(at_once=ONCE_ONE_RUNS) if late and answer.said else ""
    for block in answer.blocks:
        if isinstance(block, Words):
            yield Line(label="", value=said or block.text, at=block.at, until=block.until)
            said = ""
        elif isinstance(block, Table) and not block.rows:
            yield Line(label="", value=block.empty)
        elif isinstance(block, Content):
            held = b"".join(block.chunks).decode(errors="replace")
            yield Line(label="", value=set_apart(legible(held)))
    for note in (*answer.notes, *([LATE] if late else [])):
        yield Line(label="", value=note)


def _as_shown(block: Block, outcome: CommandOutcome) -> Iterator[Shown]:
    kind = ShownKind.CARD if outcome is CommandOutcome.WAITING else ShownKind.NOTICE
    match block:
        case Fields():
            yield from _in_embeds(Shown(kind=kind, title=block.title, fields=block.lines))
        case Table() if block.rows:
            lines = block.lines or tuple(map(_line, block.rows))
            yield Shown(kind=kind, title=block.title, fields=lines)
        case Card():
            yield block.shown


def _in_embeds(shown: Shown) -> Iterator[Shown]:
    """Spread lines that are too many for one embed over several."""
    yield shown.model_copy(update={"fields": shown.fields[:MOST_FIELDS]})
    for begin in range(MOST_FIELDS, len(shown.fields), MOST_FIELDS):
        yield Shown(kind=shown.kind, fields=shown.fields[begin : begin + MOST_FIELDS])


def _line(row: Sequence[str]) -> Line:
    first, *rest = row
    return Line(label=first, value=", ".join(filter(None, rest)))


def _embedded(shown: Sequence[Shown], outcome: CommandOutcome) -> DiscordMessage:
    """All of it as embeds; as labelled lines, in a file if need be, where that is too much."""
    made = [embed(one, rest="") for one in shown]
    room = len(made) <= _EMBEDS and sum(length(one.json) for one in made) <= MOST
    if not room or any(one.cut for one in made):
        return details([line for one in shown for line in in_lines(one)])
    colour = {"color": _COLOURS[outcome]} if outcome in _COLOURS else {}
    return DiscordMessage(
        embeds=tuple(
            one.json if what.kind is not ShownKind.NOTICE else {**one.json, **colour}
            for one, what in zip(made, shown, strict=True)
        )
    )


def _shown(shown: Shown, tokens: Sequence[str]) -> DiscordMessage:
    """What a channel shows, as one message; whole in a file where that would take several."""
    parts = render(shown, tokens=tokens)
    if not parts:
        return DiscordMessage(content="There is nothing to be seen any more.")
    if len(parts) == 1:
        return parts[0]
    return replace(details(in_lines(shown)), components=parts[-1].components)
