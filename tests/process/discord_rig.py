"""An assistant that talks on a Discord of the suite's own, and what somebody goes through there."""

import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import text

from assistant.domain.calls.call import Call
from assistant.domain.calls.states import CallState
from assistant.domain.conversation.conversation import Role
from tests.process.rig import COMMANDS, PATIENCE, Rig
from tests.servers.discord import DiscordServer, Interaction, Message, User

T = TypeVar("T")

ROLES = ("processes", "beat", "bot")
CROWD = 24
"""Owners of the assistant, one for each story: nobody sees another's messages."""
LEASE = 6.0
ANSWER = "So be it."
"""What the model says of everything."""

_BOT = (*COMMANDS["beat"][:-1], "bot")


class DiscordRig(Rig):
    """The same house with a bot, and with a supervisor that starts again what ends.

    Args:
        root: of everything it writes.
        discord: running.
        database_url: see ``Rig``.
        failpoints: see ``Rig``.
    """

    def __init__(
        self,
        root: Path,
        discord: DiscordServer,
        *,
        database_url: str = "",
        failpoints: dict[str, str] | None = None,
    ) -> None:
        super().__init__(root, roles=ROLES, database_url=database_url, failpoints=failpoints)
        self.discord = discord
        self._crowd = [discord.user(f"person-{number}") for number in range(CROWD)]
        self._newcomers = iter(self._crowd)
        self.notices = discord.channel(discord.guild("home", *self._crowd), "notices")

    def start(self, *names: str) -> None:
        for name in names:
            self._start(name, COMMANDS.get(name, _BOT))

    def wait_until_live(self) -> None:
        super().wait_until_live()
        self.wait_for_bot()

    def wait_for_bot(self, count: int = 1) -> None:
        self.until(lambda: self.discord.connected >= count, f"{count} bots on Discord")

    def comes_back(self, place: str) -> None:
        """Until the bot has died there, and another one is on Discord."""
        before = len(self.discord.connections)
        self.until(lambda: self.happened(place), f"a death at {place}")
        self.until(
            lambda: any(one.alive and one.session_id for one in self.discord.connections[before:]),
            "another bot on Discord",
        )

    @property
    def data(self) -> Path:
        return self._root / "house"

    def someone(self) -> User:
        """An owner who has said nothing yet."""
        return next(self._newcomers)

    def _make_settings(self) -> dict[str, Any]:
        return {
            **super()._make_settings(),
            "lease_seconds": LEASE,
            "calendar_timeout": 5.0,
            "discord_token": self.discord.token,
            "discord_owner_ids": ",".join(user.id for user in self._crowd),
            "discord_channel_id": self.notices.id,
            "discord_api_base": self.discord.api_base,
            "discord_gateway": self.discord.gateway_url,
        }

    def _looked(self, look: Callable[[], T | None]) -> T | None:
        """Whoever waits lets the supervisor do its work."""
        self.start(*(name for name in self._roles if not self.alive(name)))
        return super()._looked(look)

    # What is on record

    def conversation(self, user: User) -> str:
        """The one that somebody's direct messages are; empty before they said anything."""
        return self._conversation_in(f"dm:{user.id}")

    def _conversation_in(self, place: str) -> str:
        found = self._rows("SELECT id FROM conversation WHERE place = :it", place)
        return str(found[0][0]) if found else ""

    @contextmanager
    def locked_database(self, seconds: float) -> Iterator[None]:
        """Somebody else writes to the SQLite file for so long, or longer if need be."""
        until = time.monotonic() + seconds
        with closing(sqlite3.connect(self.data / "assistant.sqlite3")) as other:
            other.execute("BEGIN IMMEDIATE")
            yield
            time.sleep(max(0.0, until - time.monotonic()))

    @contextmanager
    def without_broker(self) -> Iterator[None]:
        self.stop("valkey")
        try:
            yield
        finally:
            self.start_valkey()

    def heard(self, user: User) -> list[str]:
        """What they are on record as having said, in that order."""
        return self.heard_in(f"dm:{user.id}")

    def heard_in(self, place: str) -> list[str]:
        """What an owner is on record as having said there, in that order."""
        entries = self.entries(self._conversation_in(place))
        return [one.text for one in entries if one.role is Role.OWNER]

    def answered(self, user: User) -> int:
        """How often the model is on record as having answered them."""
        entries = self.entries(self.conversation(user))
        return [one.role for one in entries].count(Role.ASSISTANT)

    def nobody_moves(self) -> bool:
        """Whether it is so long ago that a queue was crossed that people are told."""
        fresh = self.assistant.clock.now() - self.assistant.settings.lately
        return max(self.assistant.store.canaries().values()) < fresh

    def following(self) -> bool:
        """Whether a progress line still stands somewhere."""
        with self.assistant.store.read(self.assistant.cause()) as tx:
            found = tx.deliveries(channel="discord", prefix="progress-")
        return any(one.wanted.text or not one.settled for one in found)

    def rest(self, *, seconds: float = PATIENCE) -> None:
        """Until nothing is left to do, and no line says that something is being done."""
        self.until(
            lambda: not self.jobs() and not self.following(), "everything is done", seconds=seconds
        )

    def _rows(self, statement: str, it: str) -> Sequence[Any]:
        with self.assistant.engines.read.connect() as connection:
            return connection.execute(text(statement), {"it": it}).all()


@dataclass
class Story:
    """Somebody asks for an event and presses yes; what they see of it."""

    rig: DiscordRig
    owner: User

    @property
    def said(self) -> list[Message]:
        """What the bot says in their direct messages, for good."""
        return self.rig.discord.answers(self.rig.discord.dm(self.owner))

    @property
    def call(self) -> Call | None:
        return next(iter(self.rig.calls(self.rig.conversation(self.owner))), None)

    def asks(self) -> str:
        """The words that the model answers with an event."""
        words = f"event-{int(self.owner.id) % 100_003}"
        self.rig.discord.say(self.owner, None, words)
        return words

    def is_heard(self, words: str) -> None:
        """They say it, and it is on record."""
        self.rig.discord.say(self.owner, None, words)
        self.rig.until(lambda: words in self.rig.heard(self.owner), f"{words!r} on record")

    def card(self, where: Callable[[], Sequence[Message]] | None = None) -> Message:
        """The message that waits for a yes, as soon as it is there."""
        seen = where or (lambda: self.said)
        found = self.rig.until(lambda: [one for one in seen() if "Approve" in one.labels], "a card")
        assert len(found) == 1, self.seen()
        return found[0]

    def presses(self, card: Message, times: int) -> list[Interaction]:
        """Presses on what their client shows now, to be told of whenever it suits."""
        press = self.rig.discord.raw_interaction
        return [press("press", self.owner, card.id, "Approve") for _ in range(times)]

    def tells(self, pressed: Interaction) -> Interaction:
        """Press, now."""
        return self.rig.discord.dispatch(pressed)

    def told(self, pressed: Interaction) -> str:
        """The words that a press is answered with, to them alone."""
        self.rig.until(lambda: pressed.words, f"an answer to a press\n{pressed.seen()}")
        assert pressed.ephemeral
        assert pressed.message is not None
        return readable(pressed.message)

    def is_told(self, words: str) -> None:
        """Until this was said in their direct messages."""
        self.rig.until(lambda: words in map(readable, self.said), f"the words {words!r}")

    def is_done(self, where: Callable[[], Sequence[Message]] | None = None) -> None:
        """Until the event is made and told."""
        seen = where or (lambda: self.said)

        def told() -> bool:
            call = self.call
            return call is not None and any(_ended(call) in readable(one) for one in seen())

        self.rig.until(told, "the end of it")
        self.rig.rest()

    def seen(self) -> str:
        lines = [f"{one.id}: {one.words!r} {one.labels}" for one in self.said]
        return "\n".join(lines)


def told_once(
    story: Story,
    card: Message | None = None,
    *,
    also: Sequence[str] = (),
    said: Sequence[Message] | None = None,
) -> None:
    """One event, one receipt in place of its card, each answer of the model once; nothing else.

    Args:
        story: at its end.
        card: what has become the receipt, unless that is another message.
        also: what else was said.
        said: what there is to see; by default all of the direct messages.
    """
    rig = story.rig
    [call] = rig.calls(rig.conversation(story.owner))
    assert call.state is CallState.DONE, rig.logs()
    assert len(rig.events(call)) == 1
    assert [effect.state for effect in rig.effects(call)] == ["done"]
    with rig.assistant.store.read(rig.assistant.cause()) as tx:
        approval = tx.approval(call.id)
    assert (approval.state, approval.by) == ("approved", f"discord:{story.owner.id}")
    seen = story.said if said is None else said
    [receipt] = [one for one in seen if one.labels]
    assert receipt.labels == ["Undo", "More"], story.seen()
    assert card is None or receipt.id == card.id
    words = [readable(one) for one in seen if not one.labels]
    answers = [f"{ANSWER}\n-# record: {told}" for told in (_waits(call), _ended(call))]
    assert sorted(words) == sorted([*answers, *also]), (words, answers)
    assert rig.answered(story.owner) == rig.answers(call.conversation)


def readable(message: Message) -> str:
    """As Discord shows it: without what takes the meaning from a character."""
    return message.words.replace("\\", "")


def _waits(call: Call) -> str:
    return f"Nothing was changed. Waits for you: {call.handle}."


def _ended(call: Call) -> str:
    return f"Done: {call.handle}."
