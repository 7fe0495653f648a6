"""The owner's phone: what they write and press on Discord, counted, and what they then see."""

from dataclasses import dataclass, field
from typing import Any

from assistant.domain.calls.call import Call
from assistant.domain.calls.states import CallState
from assistant.domain.conversation.conversation import Turn
from tests.discord_sim import Answered, Seen, Stage
from tests.memory_calendar import MemoryCalendar


@dataclass
class Phone:
    """``pressed`` are the labels of the buttons so far."""

    stage: Stage
    calendar: MemoryCalendar
    pressed: list[str] = field(default_factory=list)
    answer: str = ""
    """What the last slash command was answered."""

    def says(self, words: str, *turns: Turn) -> None:
        """The owner writes, and the model answers with these turns."""
        self.stage.world.model.will(*turns)
        self.stage.writes(words)

    def mail(self, raw: bytes) -> str:
        """A mail comes; its id."""
        return self.stage.world.forwards(raw).id

    def presses(self, label: str, on: Seen | Answered | None = None) -> Answered:
        """The newest button of that label, unless one on another message is meant."""
        found = on or next(one for one in reversed(self.stage.reads()) if label in one.buttons)
        self.pressed.append(label)
        return self.stage.presses(label, found)

    def types(self, command: str, /, **options: Any) -> Answered:
        """A slash command: no button."""
        answered = self.stage.slash(command, **options)
        self.answer = answered.text
        return answered

    # What came of it.

    def titles(self) -> list[str]:
        return sorted(event.title for event in self.calendar._stored.values())

    def calls(self) -> list[Call]:
        world = self.stage.world
        with world.store.read(world.cause) as tx:
            return list(reversed(tx.calls()))

    def last(self, tool: str) -> Call:
        return [call for call in self.calls() if call.tool == tool][-1]

    def did(self, tool: str) -> bool:
        return self.last(tool).state is CallState.DONE
