"""What somebody wrote on Discord, and what came of it."""

from collections.abc import Sequence
from dataclasses import dataclass

from assistant.domain.conversation.conversation import Quoted
from workers.discord import place


@dataclass(frozen=True, kw_only=True)
class Said:
    """A message of somebody's, read by the gateway."""

    id: str
    user: str
    channel: str
    parent: str = ""
    """Of a thread: the channel it hangs on."""
    guild: str = ""
    private: bool = False
    """True in the direct messages of this person with the bot."""
    text: str = ""
    """Their own words, without the mention of the bot."""
    mentioned: bool = False
    threadable: bool = False
    """True where a thread can be started from it."""
    reply_to_us: bool = False
    quoted: Sequence[Quoted] = ()

    @property
    def place(self) -> str:
        if self.private:
            return place.alone(self.user)
        if self.parent:
            return place.thread(self.parent, self.channel)
        if self.threadable:
            return place.thread(self.channel, self.id)
        return place.channel(self.channel)

    @property
    def aside(self) -> str:
        """Where its writer reads alone, if others can read it."""
        return "" if self.private else place.alone(self.user)


@dataclass(frozen=True, kw_only=True)
class Heard:
    """What came of it."""

    conversation: str = ""
    """Where it was heard; empty where it was not."""
    reply: str = ""
    """What its writer is to be told at once; empty where nothing is."""
    refused: bool = False
    """True for a stranger who has not been told lately: ``reply`` is for them alone."""


@dataclass(frozen=True, kw_only=True)
class AnswerProgress:
    """How far the answer to something is."""

    owed: bool
    line: str = ""
    """What is being done; empty where there is nothing to tell."""
    place: str = ""
    """The conversation's."""
