#!/usr/bin/env python3
"""The commands of a chat, as the manual lists them: ``python -m docs.list_commands``."""

import sys
from pathlib import Path

from assistant.commands.channel import CommandChannel
from assistant.commands.index import Command, given_in

HEAD = "| Command | |\n|---|---|"
LISTED_IN = {CommandChannel.TERMINAL: "cli.md", CommandChannel.DISCORD: "discord.md"}


def listed(channel: CommandChannel) -> str:
    """A row for each command, in the order of the table."""
    rows = [f"| `{_typed(one, channel)}` | {one.help} |" for one in given_in(channel).values()]
    return "\n".join((HEAD, *rows))


def _typed(one: Command, channel: CommandChannel) -> str:
    """Discord says by itself what a command takes."""
    takes = "" if channel is CommandChannel.DISCORD else one.takes
    return f"/{one.called(channel)} {takes}".strip()


if __name__ == "__main__":
    for channel, name in LISTED_IN.items():
        page = Path(__file__).parent / name
        before, _, rest = page.read_text(encoding="utf-8").partition(HEAD)
        _, _, after = rest.partition("\n\n")
        page.write_text(f"{before}{listed(channel)}\n\n{after}", encoding="utf-8")
        sys.stdout.write(f"{page} lists them.\n")
