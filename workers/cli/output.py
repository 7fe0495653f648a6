"""What commands print: for people with rich, for programs one JSON value; errors with a code."""

import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from assistant.commands.answer import CommandOutcome
from assistant.domain.errors import (
    AssistantError,
    BadArguments,
    Denied,
    Misconfigured,
    NotFound,
    Stale,
    Transient,
    WaitsOn,
)
from assistant.tools.files.bytes import as_text
from workers.configuration.env_file import WrongLines
from workers.configuration.faults import WrongSettings

EXIT_FAILED = 1
EXIT_USAGE = 2
EXIT_CONFIGURATION = 3
EXIT_UNREACHABLE = 4
EXIT_DENIED = 5
EXIT_WAITING = 6
EXIT_NOT_FOUND = 7
EXIT_STALE = 8

_WIDE = 10_000

_CODES: tuple[tuple[type[AssistantError], int], ...] = (
    (BadArguments, EXIT_USAGE),
    (Misconfigured, EXIT_CONFIGURATION),
    (Transient, EXIT_UNREACHABLE),
    (Denied, EXIT_DENIED),
    (NotFound, EXIT_NOT_FOUND),
    (WaitsOn, EXIT_WAITING),
    (Stale, EXIT_STALE),
)

EXITS: Mapping[CommandOutcome, int] = {
    CommandOutcome.DONE: 0,
    CommandOutcome.FAILED: EXIT_FAILED,
    CommandOutcome.DENIED: EXIT_DENIED,
    CommandOutcome.WAITING: EXIT_WAITING,
    CommandOutcome.STALE: EXIT_STALE,
    CommandOutcome.UNREACHABLE: EXIT_UNREACHABLE,
}
"""What a command ends with, by how it ended."""


def exit_code(error: AssistantError) -> int:
    return next((code for kind, code in _CODES if isinstance(error, kind)), EXIT_FAILED)


def complain(error: AssistantError | str) -> None:
    """One line on stderr; of settings, one for each that is wrong."""
    lines = error.lines if isinstance(error, (WrongSettings, WrongLines)) else (str(error),)
    for line in lines:
        print(f"assistant: {printable(' '.join(line.split()))}", file=sys.stderr)  # noqa: T201 (this is where errors are printed)


def print_json(value: Any) -> None:
    """What a terminal would obey rather than show, such as U+009B and U+202E, comes as escapes."""
    written = json.dumps(value, ensure_ascii=False, default=str)
    sys.stdout.write("".join(c if c.isprintable() else json.dumps(c)[1:-1] for c in written))
    sys.stdout.write("\n")
    sys.stdout.flush()


def printable(value: str) -> str:
    """A text without what a terminal would obey: control characters, reversed writing."""
    return "".join(
        c if c.isprintable() or c in "\n\t" else "\N{REPLACEMENT CHARACTER}" for c in value
    )


def plain(value: str) -> Text:
    """A stranger's text as it is: no markup, no control characters, no links made of it."""
    return Text(printable(value))


def print_table(columns: Sequence[str], rows: Sequence[Sequence[str]], *, empty: str) -> None:
    if not rows:
        _print(plain(empty))
        return
    named = any(columns)
    table = Table(box=None, pad_edge=False, header_style="bold", show_header=named)
    for column in columns:
        table.add_column(column, overflow="fold")
    for row in rows:
        table.add_row(*(plain(cell) for cell in row))
    _print(table)


def print_fields(fields: Mapping[str, str]) -> None:
    grid = Table.grid(padding=(0, 2))
    grid.add_column(style="bold")
    grid.add_column(overflow="fold")
    for label, value in fields.items():
        if value:
            grid.add_row(label, plain(value))
    _print(grid)


def print_content(chunks: Iterable[bytes]) -> None:
    """Bytes as they are; to a terminal without what it would obey."""
    if not sys.stdout.isatty():
        for chunk in chunks:
            sys.stdout.buffer.write(chunk)
        sys.stdout.buffer.flush()
        return
    text = as_text(b"".join(chunks))
    if text is None:
        raise BadArguments("it is no text; --output FILE writes the bytes to a file")
    sys.stdout.write(printable(text[0]))


def _print(what: RenderableType) -> None:
    """To the width of a terminal; to anything else unfolded, and without trailing blanks."""
    console = Console()
    if console.is_terminal:
        console.print(what)
        return
    wide = Console(width=_WIDE)
    with wide.capture() as captured:
        wide.print(what)
    for line in captured.get().splitlines():
        print(line.rstrip())  # noqa: T201 (this is where output is printed)
