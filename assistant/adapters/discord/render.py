"""Lay out what a channel must show as Discord messages. Adds no facts."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any

from assistant.adapters.discord.embeds import author, embed
from assistant.adapters.discord.message import DiscordMessage
from assistant.adapters.discord.modals import modal, read_modal, text_modal
from assistant.adapters.discord.split import LIMIT, split
from assistant.adapters.discord.tables import listed
from assistant.adapters.discord.text import (
    BAR,
    RECORD,
    escaped,
    harmless,
    legible,
    one_line,
    set_apart,
    shortened,
    units,
    words,
)
from assistant.domain.approvals.approval import Verb
from assistant.domain.conversation.deliveries import Action, Line, Shown, ShownKind, Tone, in_lines

__all__ = [
    "MOST_BUTTONS",
    "PRESSED",
    "DiscordMessage",
    "buttons",
    "details",
    "details_file",
    "modal",
    "pointer",
    "read_modal",
    "render",
    "text_modal",
]

PRESSED = "a:"
"""Begins a button's ``custom_id``, or a choice's value; only an opaque token follows."""
_LIST = "list"
"""Begins the ``custom_id`` of a list. What is chosen says what is done."""
DETAILS = "details.txt"

MOST_BUTTONS = 25
"""Buttons of a message, and choices of a list."""
_ROWS = _ROW = 5
_LABEL = 80
_CHOICE = 100
"""Characters of a choice's label, and of what is below it."""
_QUESTION = 150
_SUBTEXT = "-# "
_PROGRESS = 300
_PIECE = 3_000
"""Characters of a long notice per message; 1,200 of a quoted one, as quoting makes lines longer."""
_QUOTED_PIECE = 1_200
_GREY, _GREEN, _RED = 2, 3, 4
_STYLE = {
    Verb.APPROVE: _GREEN,
    Verb.PLAN: _GREEN,
    Verb.DENY: _RED,
    Verb.DENY_ALL: _RED,
    Verb.FORGET: _RED,
}


def render(shown: Shown, *, tokens: Sequence[str] = ()) -> tuple[DiscordMessage, ...]:
    """Return the messages that show it, none for nothing; the last one has the buttons.

    Args:
        shown: what to show.
        tokens: the tokens of its actions, in their order.

    Raises:
        ValueError: an action has no token, or there are more actions than Discord takes.
    """
    wary = bool(shown.warning) or shown.tone is Tone.DANGER
    made = buttons(shown.actions, tokens, wary=wary)
    match shown.kind:
        case ShownKind.WORDS:
            return _with_buttons([DiscordMessage(content=part) for part in _said(shown)], made)
        case ShownKind.PROGRESS:
            return _with_buttons(
                [DiscordMessage(content=part, quiet=True) for part in _progress(shown)], made
            )
        case ShownKind.NOTICE:
            told = [replace(one, quiet=shown.quiet) for one in _notice(shown)]
            return _with_buttons(told, made)
        case _:
            return _with_buttons([_told(shown)], made)


def pointer(text: str, *, token: str) -> DiscordMessage:
    """Return a line that says that something waits, with a button to see it.

    Args:
        text: the line.
        token: the button's token; empty for no button.
    """
    show = Action(verb=Verb.REVEAL, label="Show", subject="")
    return DiscordMessage(content=text, components=buttons((show,), (token,)) if token else ())


def details(lines: Sequence[Line], *, title: str = "Details") -> DiscordMessage:
    """Return the lines uncut, as one message, or as a file where they are too long."""
    made = embed(Shown(kind=ShownKind.NOTICE, title=title, fields=tuple(lines)), rest="")
    if not made.cut:
        return DiscordMessage(embeds=(made.json,))
    file = details_file(lines)
    length = len(file[1].decode())
    said = f"Too long to show here: {len(lines)} lines, {length} characters, in the file."
    return DiscordMessage(content=said, files=(file,))


def details_file(lines: Sequence[Line]) -> tuple[str, bytes]:
    """Return name and content of a text file; a bar marks the further lines of a value."""
    written = [_set_off(f"{one_line(line.label)}: {line.value}") for line in lines]
    return DETAILS, "".join(f"{line}\n" for line in written).encode()


def _said(shown: Shown) -> Iterator[str]:
    """Yield a model's words, and below them code's record of what was done."""
    said = listed(shown.text)
    text = escaped(set_apart(legible(said))) if shown.outside else words(said)
    parts = [_begun(part) for part in split(text, LIMIT - 2 * len(BAR))]
    ledger = split(harmless(one_line(shown.ledger)), LIMIT // 2)
    lines = [f"{_SUBTEXT}{RECORD} {part}" for part in ledger]
    if parts and lines and ">>>" not in parts[-1]:  # it would quote all that follows
        last = f"{parts[-1]}\n{lines[0]}"
        if units(last) <= LIMIT:
            parts[-1:], lines = [last], lines[1:]
    yield from (*parts, *lines)


def _begun(part: str) -> str:
    """Mark the first line of a part that was cut within a line, below a code fence opened again."""
    opened, newline, rest = part.partition("\n")
    first, *more = rest.split("\n", 1)
    return "\n".join([set_apart(opened), *([set_apart(first), *more] if newline else [])])


def _progress(shown: Shown) -> Iterator[str]:
    said = one_line(f"{shown.title} {shown.text}")
    if said:
        yield f"{_SUBTEXT}{harmless(shortened(said, _PROGRESS))}"


def _told(shown: Shown) -> DiscordMessage:
    verbs = {action.verb for action in shown.actions}
    pressed = next((verb for verb in (Verb.DETAILS, Verb.MORE) if verb in verbs), None)
    made = embed(shown, rest=f"press {pressed.title()}" if pressed else f"see {DETAILS}")
    if not made.cut or pressed:
        return DiscordMessage(embeds=(made.json,))
    return DiscordMessage(embeds=(made.json,), files=(details_file(in_lines(shown)),))


def _notice(shown: Shown) -> Iterator[DiscordMessage]:
    """Yield a notice uncut: a long text takes several messages, its fields one more."""
    outside = bool(author(shown))
    pieces = split(harmless(shown.text), _QUOTED_PIECE if outside else _PIECE)
    if len(pieces) <= 1:
        yield _told(shown)
        return
    head = _told(shown.model_copy(update={"text": "", "fields": (), "actions": ()}))
    first = head.embeds[0]
    if outside:
        pieces = tuple("> " + piece.replace("\n", "\n> ") for piece in pieces)
        pieces = ("\n".join(filter(None, (first.get("description"), pieces[0]))), *pieces[1:])
    yield DiscordMessage(embeds=({**first, "description": pieces[0]},), files=head.files)
    later = {name: part for name, part in first.items() if name in ("color", "author")}
    yield from (DiscordMessage(embeds=({**later, "description": piece},)) for piece in pieces[1:])
    if shown.fields:
        yield _told(shown.model_copy(update={"title": "", "text": ""}))


def _with_buttons(
    messages: list[DiscordMessage], buttons: tuple[dict[str, Any], ...]
) -> tuple[DiscordMessage, ...]:
    if not messages or not buttons:
        return tuple(messages)
    return (*messages[:-1], replace(messages[-1], components=buttons))


def buttons(
    actions: Sequence[Action], tokens: Sequence[str], *, wary: bool = False
) -> tuple[dict[str, Any], ...]:
    """Return rows of five buttons, and a row for each list of choices, each with its token.

    ``wary``: a yes is not recommended, so that no button is green.

    Raises ``ValueError`` as ``render``.
    """
    if len(tokens) != len(actions) or not all(tokens):
        raise ValueError(f"{len(actions)} actions and {len(tokens)} tokens; each button needs one")
    rows: list[list[dict[str, Any]]] = []
    for question, some in groupby(zip(actions, tokens, strict=True), key=lambda it: it[0].choice):
        listed = list(some)
        size = MOST_BUTTONS if question else _ROW
        for at in range(0, len(listed), size):
            part = listed[at : at + size]
            number = len(rows)
            made = [_button(*one, wary=wary) for one in part]
            rows.append([_list(part, number)] if question else made)
    if len(rows) > _ROWS:
        raise ValueError(f"{len(actions)} actions make {len(rows)} rows; Discord takes {_ROWS}")
    return tuple({"type": 1, "components": row} for row in rows)


def _button(action: Action, token: str, *, wary: bool) -> dict[str, Any]:
    style = next((style for verb, style in _STYLE.items() if verb == action.verb), _GREY)
    style = _GREY if wary and style == _GREEN else style
    label = shortened(action.label, _LABEL) or action.verb
    return {"type": 2, "style": style, "label": label, "custom_id": f"{PRESSED}{token}"}


def _list(choices: Sequence[tuple[Action, str]], number: int) -> dict[str, Any]:
    """https://docs.discord.com/developers/components/reference#string-select."""
    [(first, _), *_] = choices
    return {
        "type": 3,
        "custom_id": f"{_LIST}{number}",
        "placeholder": shortened(first.choice, _QUESTION),
        "options": [_choice(action, token) for action, token in choices],
    }


def _choice(action: Action, token: str) -> dict[str, Any]:
    detail = shortened(action.detail, _CHOICE)
    return {
        "label": shortened(action.label, _CHOICE) or action.verb,
        "value": f"{PRESSED}{token}",
        **({"description": detail} if detail else {}),
    }


def _set_off(text: str) -> str:
    return legible(text).replace("\n", "\n  | ")
