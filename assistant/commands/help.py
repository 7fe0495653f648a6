"""What ``/help`` says, from the index alone: first what an owner does most."""

from collections.abc import Mapping

from assistant.commands.channel import PRESSING, CommandChannel
from assistant.commands.index import Command, given_in

_BEFORE: Mapping[CommandChannel, str] = {
    CommandChannel.TERMINAL: (
        "Say what you want in your own words. Commands, which only you can give:"
    ),
    CommandChannel.DISCORD: (
        "Write to me here, in your own words; in a server, mention me and I answer in a thread.\n"
        "What rests on your mail, calendar or files is answered in our direct messages."
    ),
}
_ALL = dict.fromkeys(CommandChannel, "/help all") | {CommandChannel.DISCORD: "/help with all: True"}
_AFTER: Mapping[CommandChannel, str] = {
    CommandChannel.TERMINAL: "In the chat, /quit leaves; what waits goes on waiting.",
    CommandChannel.DISCORD: (
        "Buttons under a card decide about exactly what it shows, once.\n"
        "While Discord is down, answer in a terminal: `assistant approvals list`, then "
        "`assistant approvals approve A17`, or `assistant chat`."
    ),
}


_FIRST: Mapping[str, tuple[str, ...]] = {
    "What waits for you": ("pending", "details", "approve", "deny", "edit"),
    "What was done, and your mail": ("log", "why", "undo", "status", "search"),
    "When something goes wrong": ("stop", "lockdown"),
}
"""What an owner does most, in groups, so that all of it fits a small screen."""
_WIDE = 18
"""Columns of a name among the first commands; what is longer stands out."""


def help_for(channel: CommandChannel, *, all: bool = False) -> str:
    """The first commands of a chat in groups, or all, with what should be known beside them."""
    known = given_in(channel)
    groups = {"": tuple(known)} if all else _FIRST
    longest = max(len(_typed(known[name], channel)) for names in groups.values() for name in names)
    wide = longest if all else min(longest, _WIDE)
    lines = []
    for title, names in groups.items():
        lines += [f"{title}:"] if title else []
        lines += [_line(known[name], channel, wide, whole=all) for name in names]
    more = () if all else (f"All {len(known)} commands: {_ALL[channel]}",)
    before, after = _BEFORE.get(channel, ""), _AFTER.get(channel, "")
    return "\n".join(filter(None, (before, *lines, *more, after)))


def _line(one: Command, channel: CommandChannel, wide: int, *, whole: bool) -> str:
    typed = _typed(one, channel)
    help = one.help if whole else f"{one.help.removesuffix('.').partition('. ')[0]}."
    return f"{typed}: {help}" if channel in PRESSING else f"  {typed:<{wide}}  {help}"


def _typed(one: Command, channel: CommandChannel) -> str:
    """As it is typed; Discord says by itself what each takes."""
    takes = "" if channel in PRESSING else one.takes
    return f"/{one.called(channel)} {takes}".strip()
