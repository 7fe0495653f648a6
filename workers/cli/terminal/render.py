"""What a channel is told to show, laid out for a terminal. It adds no facts.

Only code begins a line. Every line of a model's words begins with a bar, and every further line of
a text that may be somebody else's with a bar that is set in, also where a line was too long.
"""

import shutil
import sys
import textwrap
from collections.abc import Iterator, Sequence

import typer
from rich.console import Console, Group
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from assistant.commands.buttons import typed_of
from assistant.domain.approvals.approval import Verb
from assistant.domain.conversation.deliveries import Action, Line, Row, Shown, ShownKind, Tone
from assistant.domain.text.rows import cells
from assistant.flows.render.cards import ASKED_WITH, TOGETHER
from workers.cli.output import plain, printable

LEDGER = "[record]"
"""What begins the line of code below a model's words."""
BAR = "| "
"""Begins each line of a model's words."""
FURTHER = "  | "
"""Begins each further line of any other text."""
EDGE = "▌ "
"""Begins each line of a card, in its accent colour."""
FURTHER_ROW = "▌   "
"""Begins each further row of such a line."""
_FAR = frozenset({Verb.MORE.value, Verb.ASK.value, Verb.TAKE.value})
"""Buttons that a terminal does without: it has commands for what they lead to, a question is asked
there, and another time is typed."""
_LOOK_AT = frozenset({Verb.APPROVE.value, Verb.PLAN.value, Verb.UNDO.value, Verb.UNDO_ALL.value})
"""Buttons of a card whose rows are to be read again when it has changed."""
_OF_A_PLAN = {Verb.PLAN.value: "approve", Verb.DENY_ALL.value: "deny"}
"""What is typed for an answer to a plan that is one to one step of it."""
_LOOKS = 4
"""Steps of a plan that are named below it; their rows have numbers."""
_STYLE = {
    ShownKind.CARD: "yellow",
    ShownKind.RECEIPT: "green",
    ShownKind.MAIL: "cyan",
    ShownKind.NOTICE: "magenta",
}
_ACCENT = {
    Tone.WAITS: "yellow",
    Tone.DONE: "green",
    Tone.DENIED: "bright_black",
    Tone.REPLACED: "bright_black",
    Tone.FAILED: "red",
    Tone.DANGER: "red",
}


def draw(console: Console, shown: Shown, *, again: bool = False) -> None:
    """One thing on the screen. Strangers' text is printed as it is, never as markup.

    ``again``: it was drawn before and has changed, so that a line of what is new will do.
    """
    if shown.tone:
        _draw_glance(console, _one_line(shown) if again else shown, shown.tone)
        return
    if again and (_in_a_line(shown) or shown.kind is ShownKind.RECEIPT):
        alone = shown.kind is ShownKind.RECEIPT and not shown.text
        said = shown.title if alone else f"{shown.title}: {shown.text}"
        told = "   ".join((set_off(said), *_commands(shown)))
        put(console, told, style=_STYLE.get(shown.kind, ""))
        return
    if shown.kind is ShownKind.WORDS:
        from workers.cli.terminal.markdown import laid_out  # noqa: PLC0415 (only where it is drawn)

        put(console, "assistant", style="bold")
        console.print(laid_out(shown.text, console.width), soft_wrap=True)
        if shown.ledger:
            put(console, _record(shown), style="dim")
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
        apart = "\n" if any(action.choice for action in shown.actions) else "   "
        parts.append(Text(apart.join(_commands(shown)), style="bold"))
    style = _STYLE[shown.kind]
    title = plain(shown.title) if shown.title else None
    if title:
        title.overflow = "ellipsis"
    console.print(Panel(Group(*parts), title=title, title_align="left", border_style=style))


def _draw_glance(console: Console, shown: Shown, tone: Tone) -> None:
    """What is read at a glance: a few lines behind an edge in the accent colour."""
    for said, style in _glance(shown):
        rows = fitted(f"{EDGE}{said}", console.width).split("\n")
        for row in rows:
            text = Text(row, style=style)
            text.stylize(f"not dim not bold {_ACCENT[tone]}", 0, 1)
            console.print(text, soft_wrap=True)
    for line in _command_lines(shown):
        put(console, line)


def _one_line(shown: Shown) -> Shown:
    """What is new of something that was drawn before, where nothing more need be looked at."""
    if not (_in_a_line(shown) or shown.kind is ShownKind.RECEIPT):
        return shown
    said = " · ".join(filter(None, (shown.title, " ".join(shown.text.split()), shown.small)))
    return Shown(kind=shown.kind, title=said, tone=shown.tone, actions=shown.actions)


def _glance(shown: Shown) -> Iterator[tuple[str, str]]:
    """The lines, from the top to the bottom, each with its style."""
    if shown.warning:
        yield _in_card(" ".join(shown.warning.split())), "bold red"
    yield _in_card(" ".join(shown.title.split())), "bold"
    if shown.text:
        yield _in_card(shown.text), ""
    for row in shown.rows:
        yield _in_card(_of_row(row)), ""
    for line in shown.fields:
        yield _in_card(f"{' '.join(line.label.split())}: {line.value}"), ""
    if shown.small:
        yield _in_card(" ".join(shown.small.split())), "dim"


def _of_row(row: Row) -> str:
    change = " → ".join(filter(None, (row.was, row.text)))
    return " ".join(" ".join(filter(None, (row.name, change))).split())


def _in_card(text: str) -> str:
    return printable(text).replace("\n", f"\n{FURTHER_ROW}")


def as_lines(shown: Shown) -> str:
    """The same as plain text, for logs and ``--once``."""
    commands = [f"  {command}" for command in _commands(shown)]
    if shown.tone:
        lines = (f"{EDGE}{said}" for said, _ in _glance(shown))
        return "\n".join((*lines, *_command_lines(shown)))
    if shown.kind is ShownKind.WORDS:
        return "\n".join((barred(shown.text), *([_record(shown)] if shown.ledger else [])))
    head = f"[{shown.kind}] {': '.join(filter(None, (shown.title, shown.text)))}".strip()
    return "\n".join((set_off(head), *_labelled(shown.fields), *commands))


def detail_lines(title: str, details: Sequence[Line]) -> str:
    """Details as plain text, uncut, below the name of what they are about."""
    return "\n".join((set_off(title), *_labelled(details)))


def _labelled(lines: Sequence[Line]) -> list[str]:
    return [labelled(line, begin="  ") for line in lines]


def labelled(line: Line, *, begin: str = "") -> str:
    """A label, always in one line, and its value."""
    return f"{begin}{printable(' '.join(line.label.split()))}: {set_off(line.value)}"


def _record(shown: Shown) -> str:
    return set_off(f"{LEDGER} {shown.ledger}")


def _in_a_line(shown: Shown) -> bool:
    """Whether what is shown again has nothing new to be looked at: such as a card that ended."""
    verbs = {action.verb for action in shown.actions}
    return not verbs or (shown.kind is ShownKind.CARD and not verbs & _LOOK_AT)


def _command_lines(shown: Shown) -> list[str]:
    """What is typed, in a line; and each choice of a list in a line of its own."""
    commands = _commands(shown)
    choices = {_command(action) for action in shown.actions if action.choice}
    alone = "   ".join(one for one in commands if one not in choices)
    return [f"  {line}" for line in (alone, *(one for one in commands if one in choices)) if line]


def _commands(shown: Shown) -> list[str]:
    commands = [
        _command(action)
        for action in shown.actions
        if (action.verb not in _FAR or (shown.tone and action.verb == Verb.MORE))
        and not _is_a_look(action)
    ]
    commands = list(dict.fromkeys(commands))  # a card may have both Details and More
    if steps := [action.handle for action in shown.actions if _is_a_look(action)]:
        others = ", ".join(steps[1:_LOOKS]) + (", …" if len(steps) > _LOOKS else "")
        commands.append(f"/look {steps[0]}" + (f" (or {others})" if others else ""))
    together = any(line.label == TOGETHER for line in shown.fields) or ASKED_WITH in shown.small
    if shown.actions and together:
        commands.append(f"/plan {shown.actions[0].handle}")
    return commands


def _is_a_look(action: Action) -> bool:
    """Whether it shows a step of a plan: a terminal shows no delivery by its id, but the card."""
    return action.verb == Verb.REVEAL and bool(action.handle and action.choice)


def _command(action: Action) -> str:
    """What is typed; a choice of many says what it is about."""
    # In a terminal what is behind More is typed; the details are what most look for there.
    verb = Verb.DETAILS if action.verb == Verb.MORE else action.verb
    typed = f"/{_typed(action, verb)} {action.handle}"
    if not action.choice:
        return typed
    about = ": ".join(filter(None, (action.label, action.detail)))
    return f"{typed}  {printable(' '.join(about.split()))}"


def _typed(action: Action, verb: str) -> str:
    """Return the command that does what the button does, and to the same calls alone."""
    if verb in _OF_A_PLAN and len(action.terms) == 1:
        return _OF_A_PLAN[verb]
    return "undo" if verb == Verb.UNDO_ALL and action.terms else typed_of(verb)


def barred(words: str) -> str:
    """A model's words, or a text of others that stands alone: each line with a bar before it."""
    return "\n".join(f"{BAR}{line}".rstrip() for line in printable(words).split("\n"))


def set_off(text: str) -> str:
    """A text that goes on is set off with a bar, so that none of it can look like a card."""
    return printable(text).replace("\n", f"\n{FURTHER}")


def put(console: Console, lines: str, *, style: str = "") -> None:
    """Print lines to a console, those that are too long in several rows."""
    console.print(Text(fitted(lines, console.width)), style=style, soft_wrap=True)


def echo(lines: str) -> None:
    """Print lines, on a terminal those that are too long in several rows."""
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else 0
    typer.echo(fitted(lines, width) if width else lines)


def indented(lines: str, width: int) -> str:
    """Break code's own text that is wider than a terminal; further rows stand below its text.

    Not for what others wrote a part of: then a row could look like a line of code's.
    """
    return "\n".join(_below(line, width) for line in lines.split("\n"))


def _below(line: str, width: int) -> str:
    column = line.rfind("  ") + 2 if line.startswith("  ") else 0
    inset = " " * (column if column < width // 2 else 4)
    return textwrap.fill(line, width, subsequent_indent=inset, drop_whitespace=True) or line


def fitted(lines: str, width: int) -> str:
    """Break what is wider than a terminal; each further row has a bar before it, like its line.

    A terminal that breaks a line itself begins the next row with whatever the text says there.
    """
    return "\n".join(row for line in lines.split("\n") for row in _rows(line, width))


def _rows(line: str, width: int) -> Iterator[str]:
    line = line.replace("\t", "    ")
    bar = next((bar for begin, bar in _BARS.items() if line.startswith(begin)), FURTHER)
    first, rest = _cut(line, width, least=len(bar) + 1)
    yield first
    while rest:
        first, rest = _cut(f"{bar}{rest}", width, least=len(bar) + 1)
        yield first


_BARS = {BAR: BAR, EDGE: FURTHER_ROW}
"""What begins a line, and then its further rows."""


def _cut(line: str, width: int, *, least: int) -> tuple[str, str]:
    """Cut a line at the last blank that fits, or else where it is full, after ``least`` at best."""
    place = room = 0
    while place < len(line) and (room := room + cells(line[place])) <= width:
        place += 1
    if place == len(line):
        return line, ""
    place = max(place, least)
    blank = line.rfind(" ", least, place + 1)
    place = blank if blank > 0 else place
    return line[:place].rstrip(), line[place:].lstrip(" ")
