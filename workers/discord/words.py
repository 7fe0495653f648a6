"""What is answered, as messages. Everything in it may hold others' words, and is made harmless."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from assistant.adapters.discord.embeds import stamp
from assistant.adapters.discord.message import Message
from assistant.adapters.discord.render import buttons, details, render
from assistant.adapters.discord.text import harmless, units
from assistant.domain.conversation.deliveries import Action, Line, Shown, ShownKind
from workers.discord.interaction import Reply, Way

_LONGEST = 1_900


def say(*lines: str) -> Reply:
    """Lines of plain words; as a file where they are too long for one message."""
    text = harmless("\n".join(lines))
    if units(text) <= _LONGEST:
        return Reply(way=Way.SAY, message=Message(content=text))
    return read([Line(label="Answer", value="\n".join(lines))])


def dated(reply: Reply, at: datetime | None, *, until: datetime | None = None) -> Reply:
    """The same words, and below them a moment or a span of theirs in the reader's own zone."""
    if at is None or reply.message is None or not reply.message.content:
        return reply
    below = stamp(Line(label="", value="", at=at, until=until))
    content = f"{reply.message.content}\n{below}"
    return replace(reply, message=replace(reply.message, content=content))


def read(lines: Sequence[Line], *, title: str = "Details") -> Reply:
    """Labelled lines, whole."""
    return Reply(way=Way.SAY, message=details(lines, title=title))


def beside(reply: Reply, actions: Sequence[tuple[Action, str]]) -> Reply:
    """The same words with buttons below, each with what it carries."""
    assert reply.message is not None  # noqa: S101 (words were made of something)
    below = buttons([action for action, _ in actions], [token for _, token in actions])
    return replace(reply, message=replace(reply.message, components=below))


def offer(title: str, lines: Sequence[Line], actions: Sequence[tuple[Action, str]]) -> Reply:
    """Something with buttons, each with what it carries."""
    shown = Shown(
        kind=ShownKind.CARD,
        title=title,
        fields=tuple(lines),
        actions=tuple(action for action, _ in actions),
    )
    [message] = render(shown, tokens=[token for _, token in actions])
    return Reply(way=Way.SAY, message=message)


def show(shown: Shown, tokens: Sequence[str]) -> Reply:
    """What a channel shows, as one message; whole in a file where that would take several."""
    parts = render(shown, tokens=tokens)
    if not parts:
        return say("There is nothing to be seen any more.")
    if len(parts) == 1:
        return Reply(way=Way.SAY, message=parts[0])
    told = (("Title", shown.title), ("Text", shown.text), ("Record", shown.ledger))
    lines = [Line(label=label, value=value) for label, value in told if value]
    whole = replace(details([*lines, *shown.fields]), components=parts[-1].components)
    return Reply(way=Way.SAY, message=whole)
