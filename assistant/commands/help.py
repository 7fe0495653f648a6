"""What ``/help`` says, from the index alone."""

from collections.abc import Mapping

from assistant.commands.channel import CommandChannel
from assistant.commands.index import given_in

_BEFORE: Mapping[CommandChannel, str] = {
    CommandChannel.TERMINAL: (
        "Say what you want in your own words. Commands, which no model sees or can give:"
    ),
    CommandChannel.DISCORD: (
        "Write to me here, in your own words; in a server, mention me and I answer in a thread.\n"
        "What rests on your mail, calendar or files is answered in our direct messages."
    ),
}
_AFTER: Mapping[CommandChannel, str] = {
    CommandChannel.TERMINAL: "In the chat, /quit leaves; what waits goes on waiting.",
    CommandChannel.DISCORD: (
        "Buttons under a card decide about exactly what it shows, once.\n"
        "While Discord is down, answer in a terminal: `assistant approvals list`, then "
        "`assistant approvals approve A17`, or `assistant chat`."
    ),
}


def help_for(channel: CommandChannel) -> str:
    """The commands of a chat, with what should be known before and after them."""
    known = given_in(channel).values()
    if channel is CommandChannel.DISCORD:  # which says by itself what each takes
        lines = [f"/{one.called(channel)}: {one.help}" for one in known]
    else:
        listed = [(f"/{one.name} {one.takes}".strip(), one.help) for one in known]
        wide = max(len(typed) for typed, _ in listed)
        lines = [f"  {typed:<{wide}}  {what}" for typed, what in listed]
    return "\n".join(filter(None, (_BEFORE.get(channel, ""), *lines, _AFTER.get(channel, ""))))
