"""Where a command is given."""

from enum import StrEnum


class Channel(StrEnum):
    TERMINAL = "terminal"
    """A chat in a terminal: ``/pending``."""
    COMMAND_LINE = "command line"
    """A shell: ``assistant approvals list``."""
    DISCORD = "discord"
    PAGE = "page"
    AGENT = "agent"
    """MCP, or an HTTP token: a program may speak there. It approves and governs nothing."""


CHATS = frozenset({Channel.TERMINAL, Channel.DISCORD, Channel.PAGE})
PEOPLE = CHATS | {Channel.COMMAND_LINE}
ANYONE = frozenset(Channel)
SHELL = frozenset({Channel.COMMAND_LINE})
