"""Where a command is given."""

from enum import StrEnum


class CommandChannel(StrEnum):
    TERMINAL = "terminal"
    """A chat in a terminal: ``/pending``."""
    COMMAND_LINE = "command line"
    """A shell: ``assistant approvals list``."""
    DISCORD = "discord"
    PAGE = "page"
    AGENT = "agent"
    """MCP, or an HTTP token: a program may speak there. It approves and governs nothing."""


CHATS = frozenset({CommandChannel.TERMINAL, CommandChannel.DISCORD, CommandChannel.PAGE})
PEOPLE = CHATS | {CommandChannel.COMMAND_LINE}
ANYONE = frozenset(CommandChannel)
PRESSING = frozenset({CommandChannel.DISCORD, CommandChannel.PAGE})
"""Where what can be done is pressed or chosen, so that nobody needs an id to type."""
SHELL = frozenset({CommandChannel.COMMAND_LINE})
