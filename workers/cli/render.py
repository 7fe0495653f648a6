"""What a channel is told to show, laid out for a terminal. It adds no facts."""

from rich.console import Console, Group
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from assistant.domain.deliveries import Shown, ShownKind
from workers.cli.output import plain

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
    if again and not shown.actions:
        console.print(plain(f"{shown.title}: {shown.text}"), style=_STYLE.get(shown.kind, ""))
        return
    if shown.kind is ShownKind.WORDS:
        console.print(Text("assistant ", style="bold") + plain(shown.text))
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
        commands = "   ".join(f"/{action.verb} {action.handle}" for action in shown.actions)
        parts.append(Text(commands, style="bold"))
    style = _STYLE[shown.kind]
    title = plain(shown.title) if shown.title else None
    console.print(Panel(Group(*parts), title=title, title_align="left", border_style=style))


def as_lines(shown: Shown) -> str:
    """The same as plain text, for logs and ``--once``."""
    fields = [f"  {line.label}: {line.value}" for line in shown.fields]
    commands = [f"  /{action.verb} {action.handle}" for action in shown.actions]
    head = " ".join(filter(None, (f"[{shown.kind}] {shown.title}".strip(), shown.text)))
    if shown.kind is ShownKind.WORDS:
        head = shown.text
    return "\n".join((head, *fields, *commands))
