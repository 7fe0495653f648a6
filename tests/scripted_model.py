"""A model that says what the test told it."""

from collections import deque
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from assistant.domain.conversation.conversation import Summary, ToolSchema, Turn, View
from assistant.domain.mail.understanding.understood import understood_from
from assistant.domain.text.fence import unfence


class ScriptedModel:
    """Says its turns in order, then nothing. A turn that is an exception is raised."""

    name = "scripted"
    summary = ""
    """Of every mail; without one it is the mail's first line."""
    reported: Mapping[str, Any] = MappingProxyType({})
    """What it reports of every mail, as the arguments of ``report_mail``."""

    def __init__(self, *turns: Turn | Exception) -> None:
        self._turns = deque(turns)
        self.views: list[View] = []

    def think(self, view: View, tools: Sequence[ToolSchema]) -> Turn:  # noqa: ARG002  # the port's
        self.views.append(view)
        turn = self._turns.popleft() if self._turns else Turn()
        if isinstance(turn, Exception):
            raise turn
        return turn

    def check(self) -> None:
        """It needs nothing."""

    def summarise(self, view: View) -> Summary:
        self.views.append(view)
        begins = unfence(view.entries[0].text).partition("\n")[0][:80]
        said = self.reported or {"gist": self.summary or f"in short: {begins}"}
        return Summary(**understood_from(said)._asdict(), extractive=False)
