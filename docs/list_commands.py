#!/usr/bin/env python3
"""The commands of a chat, as ``docs/cli.md`` lists them: ``python -m docs.list_commands``."""

import sys
from pathlib import Path

from assistant.commands.channel import Channel
from assistant.commands.index import given_in

PAGE = Path(__file__).parent / "cli.md"


def listed() -> str:
    """A row for each command of the terminal, in the order of the table."""
    rows = [
        f"| `{f'/{one.name} {one.takes}'.strip()}` | {one.help} |"
        for one in given_in(Channel.TERMINAL).values()
    ]
    return "\n".join(("| | |", "|---|---|", *rows))


if __name__ == "__main__":
    text = PAGE.read_text(encoding="utf-8")
    before, _, rest = text.partition("| | |\n")
    _, _, after = rest.partition("\n\n")
    PAGE.write_text(f"{before}{listed()}\n\n{after}", encoding="utf-8")
    sys.stdout.write(f"{PAGE} lists them.\n")
