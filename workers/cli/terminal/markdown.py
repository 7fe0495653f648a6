"""A model's words laid out: headings, lists, emphasis and code, each row with its bar before it."""

import re
from collections.abc import Iterator

from rich.console import Console
from rich.markdown import Markdown
from rich.text import Text

from assistant.domain.text.rows import cells
from workers.cli.output import printable
from workers.cli.terminal.render import BAR, barred, fitted

_NARROW = 24
"""Columns below which nothing is laid out."""
_LEFT_OUT = re.compile(r"<[A-Za-z!/?]|!\[|^ {0,3}\[[^\]]+\]:", re.MULTILINE)
"""What a layout would leave out: HTML, pictures, targets of links. Then nothing is laid out."""


def laid_out(words: str, width: int) -> Text:
    """Return the words in rows that begin with a bar and are no wider than ``width``."""
    safe = printable(words)
    rows = [] if width < _NARROW or _LEFT_OUT.search(safe) else list(_rows(safe, width))
    return Text("\n").join(rows) if rows else Text(fitted(barred(words), width))


def _rows(words: str, width: int) -> Iterator[Text]:
    room = width - len(BAR)
    console = Console(width=room, color_system="standard", force_terminal=True, highlight=False)
    markdown = Markdown(words, hyperlinks=False, code_theme="ansi_dark")
    for token in markdown.parsed:
        for part in token.children or ():
            if part.type == "softbreak":  # a line of the words is one, as on Discord
                part.type = "hardbreak"
    for segments in console.render_lines(markdown, console.options, pad=False):
        row = Text()
        for text, style, _ in segments:
            row.append(text, style)
        row.rstrip()
        if cells(row.plain) > room:  # a terminal may draw it wider than it was laid out
            yield Text(fitted(f"{BAR}{row.plain}", width))
        else:
            yield Text(BAR).append_text(row) if row.plain else Text(BAR.rstrip())
