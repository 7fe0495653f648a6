"""What a channel is told to show, laid out for a terminal. It adds no facts."""

import re
from collections.abc import Sequence

from rich.console import Console, Group
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from assistant.commands.buttons import command_of
from assistant.domain.approvals import Verb
from assistant.domain.deliveries import Line, Shown, ShownKind
from assistant.flows.cards import TOGETHER
from workers.cli.output import plain, printable

LEDGER = "[record]"
"""What begins the line of code below a model's words."""
_CARD_LIKE = re.compile(rf"^\s*(?:\[(?:{'|'.join(ShownKind)}|record)\]|/\w)", re.MULTILINE)
"""A line by which a model's words could pass for something that code shows."""
_FAR = frozenset({Verb.MORE.value, Verb.ASK.value})
"""Buttons that lead to others, for which a terminal has commands, or to a question: one asks it."""
_STYLE = {
    ShownKind.CARD: "yellow",
    ShownKind.RECEIPT: "green",
    ShownKind.MAIL: "cyan",
    ShownKind.NOTICE: "magenta",
}


def draw(console: Console, shown: Shown, *, again: bool = False) -> None:
    """One thing on the screen. Strangers' text is printed as it is, never as markup.

    ``again``: it was drawn before and has changed, so that a line of what is new will do.
    """
    if again and _in_a_line(shown):
        told = "   ".join((f"{shown.title}: {shown.text}", *_commands(shown)))
        console.print(plain(told), style=_STYLE.get(shown.kind, ""))
        return
    if shown.kind is ShownKind.WORDS:
        console.print(Text("assistant ", style="bold") + plain(_set_apart(shown.text)))
        if shown.ledger:
            console.print(plain(f"{LEDGER} {shown.ledger}"), style="dim")
        return
    parts: list[Text | Table] = []
    if shown.text:
        parts.append(plain(shown.text))
    if shown.fields:
        grid = Table.grid(padding=(0, 2))
        grid.add_column(style="bold")
        grid.add_column(overflow="fold")
        for line in shown.fields:
            grid.add_row(plain(line.label), plain(line.value))
        parts.append(grid)
    if shown.actions:
        commands = "   ".join(_commands(shown))
        parts.append(Text(commands, style="bold"))
    style = _STYLE[shown.kind]
    title = plain(shown.title) if shown.title else None
    if title:
        title.overflow = "ellipsis"
    console.print(Panel(Group(*parts), title=title, title_align="left", border_style=style))


def as_lines(shown: Shown) -> str:
    """The same as plain text, for logs and ``--once``.

    Only what code wrote begins a line: a text that goes on is set off with a bar, so that none can
    look like a card.
    """
    commands = [f"  {command}" for command in _commands(shown)]
    if shown.kind is ShownKind.WORDS:
        ledger = [f"{LEDGER} {printable(shown.ledger)}"] if shown.ledger else []
        return "\n".join((_set_apart(printable(shown.text)), *ledger))
    head = f"[{shown.kind}] {': '.join(filter(None, (shown.title, shown.text)))}".strip()
    return "\n".join((set_off(head), *_labelled(shown.fields), *commands))


def detail_lines(title: str, details: Sequence[Line]) -> str:
    """Details as plain text, uncut, below the name of what they are about."""
    return "\n".join((printable(title), *_labelled(details)))


def _labelled(lines: Sequence[Line]) -> list[str]:
    return [f"  {printable(line.label)}: {set_off(line.value)}" for line in lines]


def _in_a_line(shown: Shown) -> bool:
    """Whether what is shown again has nothing new to be looked at: such as a card that ended."""
    verbs = {action.verb for action in shown.actions}
    return not verbs or (shown.kind is ShownKind.CARD and Verb.APPROVE not in verbs)


def _commands(shown: Shown) -> list[str]:
    commands = [
        f"/{command_of(action.verb)} {action.handle}"
        for action in shown.actions
        if action.verb not in _FAR
    ]
    if shown.actions and any(line.label == TOGETHER for line in shown.fields):
        commands.append(f"/plan {shown.actions[0].handle}")
    return commands


def _set_apart(words: str) -> str:
    """A model's words, with a bar before each line that looks like one of code's."""
    return _CARD_LIKE.sub(r"| \g<0>", words)


def set_off(text: str) -> str:
    """A text that goes on is set off with a bar, so that none of it can look like a card."""
    return printable(text).replace("\n", "\n  | ")
