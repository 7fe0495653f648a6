"""What a channel is told to show, laid out as Discord's messages. It adds no facts."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from assistant.adapters.discord.embeds import author, embed
from assistant.adapters.discord.message import Message
from assistant.adapters.discord.modals import modal, read_modal, text_modal
from assistant.adapters.discord.split import LIMIT, split
from assistant.adapters.discord.text import (
    BAR,
    RECORD,
    harmless,
    legible,
    one_line,
    set_apart,
    shortened,
    units,
    words,
)
from assistant.domain.approvals.approval import Verb
from assistant.domain.conversation.deliveries import Action, Line, Shown, ShownKind

__all__ = [
    "MOST_BUTTONS",
    "PRESSED",
    "Message",
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
"""What a button's ``custom_id`` begins with; an opaque token follows and nothing else."""
DETAILS = "details.txt"

MOST_BUTTONS = 25
_ROW = 5
_LABEL = 80
_SUBTEXT = "-# "
_PROGRESS = 300
_PIECE = 3_000
"""Characters of a long notice in one message; 1,200 of a quoted one, where lines get longer."""
_QUOTED_PIECE = 1_200
_GREY, _GREEN, _RED = 2, 3, 4
_STYLE = {Verb.APPROVE: _GREEN, Verb.DENY: _RED, Verb.FORGET: _RED}


def render(shown: Shown, *, tokens: Sequence[str] = ()) -> tuple[Message, ...]:
    """The messages that show it, none where there is nothing to show; the buttons are on the last.

    Args:
        shown: what to show.
        tokens: what each of its actions is pressed by, in their order.

    Raises:
        ValueError: an action has no token, or there are more than 25 actions.
    """
    made = buttons(shown.actions, tokens)
    match shown.kind:
        case ShownKind.WORDS:
            return _with_buttons([Message(content=part) for part in _said(shown)], made)
        case ShownKind.PROGRESS:
            return _with_buttons([Message(content=part) for part in _progress(shown)], made)
        case ShownKind.NOTICE:
            return _with_buttons(list(_notice(shown)), made)
        case _:
            return _with_buttons([_told(shown)], made)


def pointer(text: str, *, token: str) -> Message:
    """A line that tells of something without a word of it, and a button to see it by.

    Args:
        text: our own.
        token: what the button carries; empty for none.
    """
    show = Action(verb=Verb.REVEAL, label="Show", subject="")
    return Message(content=text, components=buttons((show,), (token,)) if token else ())


def details(lines: Sequence[Line], *, title: str = "Details") -> Message:
    """The same lines whole: to be read at once, or as a file where that is too much."""
    made = embed(Shown(kind=ShownKind.NOTICE, title=title, fields=tuple(lines)), rest="")
    if not made.cut:
        return Message(embeds=(made.json,))
    file = details_file(lines)
    length = len(file[1].decode())
    said = f"Too long to show here: {len(lines)} lines, {length} characters, in the file."
    return Message(content=said, files=(file,))


def details_file(lines: Sequence[Line]) -> tuple[str, bytes]:
    """Name and content of a text file. Where a value goes on, a bar sets it off."""
    written = [_set_off(f"{one_line(line.label)}: {line.value}") for line in lines]
    return DETAILS, "".join(f"{line}\n" for line in written).encode()


def _said(shown: Shown) -> Iterator[str]:
    """A model's words, and below them what code says was done."""
    text = harmless(set_apart(shown.text)) if shown.outside else words(shown.text)
    parts = [_begun(part) for part in split(text, LIMIT - len(BAR))]
    ledger = split(harmless(one_line(shown.ledger)), LIMIT // 2)
    lines = [f"{_SUBTEXT}{RECORD} {part}" for part in ledger]
    if parts and lines and ">>>" not in parts[-1]:  # which would quote all that follows
        last = f"{parts[-1]}\n{lines[0]}"
        if units(last) <= LIMIT:
            parts[-1:], lines = [last], lines[1:]
    yield from (*parts, *lines)


def _begun(part: str) -> str:
    """A part of words whose first line was not the first of one before it was cut there."""
    first, newline, rest = part.partition("\n")
    return f"{set_apart(first)}{newline}{rest}"


def _progress(shown: Shown) -> Iterator[str]:
    said = one_line(f"{shown.title} {shown.text}")
    if said:
        yield f"{_SUBTEXT}{harmless(shortened(said, _PROGRESS))}"


def _told(shown: Shown) -> Message:
    pressed = any(action.verb == Verb.DETAILS for action in shown.actions)
    made = embed(shown, rest="press Details" if pressed else f"see {DETAILS}")
    if not made.cut or pressed:
        return Message(embeds=(made.json,))
    whole = [
        Line(label=label, value=value)
        for label, value in (("Title", shown.title), ("Text", shown.text))
        if value
    ]
    return Message(embeds=(made.json,), files=(details_file([*whole, *shown.fields]),))


def _notice(shown: Shown) -> Iterator[Message]:
    """Its text is never cut short: what is long takes several messages, the fields one more."""
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
    yield Message(embeds=({**first, "description": pieces[0]},), files=head.files)
    later = {name: part for name, part in first.items() if name in ("color", "author")}
    yield from (Message(embeds=({**later, "description": piece},)) for piece in pieces[1:])
    if shown.fields:
        yield _told(shown.model_copy(update={"title": "", "text": ""}))


def _with_buttons(
    messages: list[Message], buttons: tuple[dict[str, Any], ...]
) -> tuple[Message, ...]:
    if not messages or not buttons:
        return tuple(messages)
    return (*messages[:-1], replace(messages[-1], components=buttons))


def buttons(actions: Sequence[Action], tokens: Sequence[str]) -> tuple[dict[str, Any], ...]:
    """Action rows of five, each button with what it is pressed by. ``ValueError`` as ``render``."""
    if len(actions) > MOST_BUTTONS:
        raise ValueError(f"{len(actions)} actions; Discord takes {MOST_BUTTONS} buttons")
    if len(tokens) != len(actions) or not all(tokens):
        raise ValueError(f"{len(actions)} actions and {len(tokens)} tokens; each button needs one")
    made = [_button(action, token) for action, token in zip(actions, tokens, strict=True)]
    return tuple(
        {"type": 1, "components": made[at : at + _ROW]} for at in range(0, len(made), _ROW)
    )


def _button(action: Action, token: str) -> dict[str, Any]:
    style = next((style for verb, style in _STYLE.items() if verb == action.verb), _GREY)
    label = shortened(action.label, _LABEL) or action.verb
    return {"type": 2, "style": style, "label": label, "custom_id": f"{PRESSED}{token}"}


def _set_off(text: str) -> str:
    return legible(text).replace("\n", "\n  | ")
