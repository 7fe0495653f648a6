"""One press, command, completion or modal, and what the bot answered."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Self

from tests.servers.discord.state import Json, Message, User, World

PING, COMMAND, COMPONENT, AUTOCOMPLETE, MODAL = 1, 2, 3, 4, 5


@dataclass(frozen=True)
class Answer:
    """A callback that counted: its type (4 to 9), its data, and when it came."""

    type: int
    data: Json
    acknowledged_ms: float


@dataclass
class Interaction:
    """Written by the server, read by tests from any thread.

    ``json`` is what the bot is told. ``refused`` are the error codes of callbacks that did not
    count. ``original_id`` is the message that Discord calls ``@original``.
    """

    world: World = field(repr=False)
    json: Json
    user: User
    created: float
    began: float = field(default_factory=time.monotonic)
    source_id: str = ""
    answer: Answer | None = None
    refused: list[int] = field(default_factory=list)
    original_id: str = ""
    followup_ids: list[str] = field(default_factory=list)
    edits_seen: int = 0

    @property
    def id(self) -> str:
        return str(self.json["id"])

    @property
    def type(self) -> int:
        return int(self.json["type"])

    @property
    def token(self) -> str:
        return str(self.json["token"])

    @property
    def channel_id(self) -> str:
        return str(self.json["channel_id"])

    @property
    def acknowledged(self) -> bool:
        return self.answer is not None

    @property
    def acknowledged_ms(self) -> float:
        """From telling the bot to its first answer."""
        return self._answer().acknowledged_ms

    @property
    def message(self) -> Message | None:
        """The ``@original`` as it stands now."""
        return self.world.messages.get(self.original_id)

    @property
    def text(self) -> str:
        return self.message.content if self.message else ""

    @property
    def words(self) -> str:
        """All that can be read in the answer: content, embeds and components."""
        return self.message.words if self.message else ""

    @property
    def embeds(self) -> tuple[Json, ...]:
        return self.message.embeds if self.message else ()

    @property
    def components(self) -> tuple[Json, ...]:
        return self.message.components if self.message else ()

    @property
    def ephemeral(self) -> bool:
        return self.message is not None and self.message.ephemeral

    @property
    def deferred(self) -> bool:
        """Acknowledged, with the words still to come."""
        return self.message is not None and self.message.loading

    @property
    def followups(self) -> list[Message]:
        messages = self.world.messages
        return [messages[id] for id in self.followup_ids if id in messages]

    @property
    def modal(self) -> Json | None:
        return self.answer.data if self.answer and self.answer.type == 9 else None

    @property
    def choices(self) -> list[Json]:
        answer = self._answer()
        choices: list[Json] = answer.data.get("choices", []) if answer.type == 8 else []
        return choices

    def age(self, seconds: float) -> None:
        """Let it be older: 3 s for a late callback, 15 min for a dead token."""
        with self.world.changed:
            self.created -= seconds

    def wait_for_answer(self, seconds: float = 5.0) -> Self:
        """Until a callback counted, a defer included."""
        self._wait(lambda: self.answer is not None, seconds, "an answer")
        return self

    def wait_for_edit(self, seconds: float = 5.0) -> Message:
        """Until ``@original`` was edited once more than the last time; as that edit left it."""
        self._wait(lambda: self._edits() > self.edits_seen, seconds, "an edit")
        self.edits_seen += 1
        assert self.message is not None
        return [*self.message.earlier, self.message][self.edits_seen]

    def wait_for_words(self, words: str, seconds: float = 5.0) -> Message:
        """Until ``@original`` holds them."""
        self._wait(lambda: words in self.words, seconds, f"the words {words!r}")
        assert self.message is not None
        return self.message

    def wait_for_followup(self, seconds: float = 5.0, count: int = 1) -> Message:
        """Until there are ``count`` of them; returns that one."""
        self._wait(lambda: len(self.followups) >= count, seconds, f"follow-up {count}")
        return self.followups[count - 1]

    def _edits(self) -> int:
        return len(self.message.earlier) if self.message and self.answer else 0

    def _answer(self) -> Answer:
        assert self.answer is not None, f"not answered yet: {self.seen()}"
        return self.answer

    def _wait(self, happened: Callable[[], bool], seconds: float, what: str) -> None:
        wait(self.world, happened, seconds, what, self.seen)

    def seen(self) -> str:
        return (
            f"answer {self.answer}, message {self.message}, "
            f"follow-ups {self.followups}, refused {self.refused}"
        )


def wait(
    world: World,
    happened: Callable[[], object],
    seconds: float,
    what: str,
    seen: Callable[[], object],
) -> None:
    """Until ``happened()``.

    Raises:
        AssertionError: after ``seconds``, with what there was instead.
    """
    deadline = time.monotonic() + seconds
    with world.changed:
        while not happened():
            left = deadline - time.monotonic()
            if left <= 0:
                raise AssertionError(f"no {what} within {seconds} s; instead: {seen()}")
            world.changed.wait(min(left, 0.05))  # what it asks may change elsewhere too
