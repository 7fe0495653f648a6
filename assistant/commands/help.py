"""What ``/help`` says, from the index alone."""

from collections.abc import Mapping

from assistant.commands.channel import Channel
from assistant.commands.index import given_in

_BEFORE: Mapping[Channel, str] = {
    Channel.TERMINAL: (
        "Say what you want in your own words. Commands, which no model sees or can give:"
    ),
    Channel.DISCORD: (
        "Write to me here, in your own words; in a server, mention me and I answer in a thread.\n"
        "What rests on your mail, calendar or files is answered in our direct messages."
    ),
}
_AFTER: Mapping[Channel, str] = {
    Channel.DISCORD: "Buttons under a card decide about exactly what it shows, once.",
}
_WIDTH = 22
"""Columns that a command takes before what it does."""


def help_for(channel: Channel) -> str:
    """The commands of a chat, with what it should be known before and after them."""
    lines = [
        f"  {f'/{one.name} {one.takes}'.rstrip():<{_WIDTH}} {one.help}"
        for one in given_in(channel).values()
    ]
    around = (_BEFORE.get(channel, ""), *lines, _AFTER.get(channel, ""))
    return "\n".join(filter(None, around))
