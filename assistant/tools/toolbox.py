"""The tools on offer, by name, and as a model is told of them."""

from collections.abc import Sequence
from typing import Any

from assistant.domain.errors import NotFound
from assistant.domain.modes import Mode
from assistant.domain.talk import ToolSchema
from assistant.domain.terms import Group, ToolTerms
from assistant.tools.contract import Tool
from assistant.tools.errand import Errand
from assistant.tools.results import Result

__all__ = ["Errand", "Result", "Tool", "Toolbox"]


class Toolbox:
    """Tools by name: a name is one tool's, the one's that was registered last."""

    def __init__(self, *tools: Tool[Any]) -> None:
        self._tools: dict[str, Tool[Any]] = {}
        for tool in tools:
            self.register(tool)

    def register(self, tool: Tool[Any]) -> None:
        """Put it on offer, in the place of any other of its name."""
        self._tools[tool.name] = tool

    def unregister(self, name: str) -> None:
        """Take it off offer, if it is on it."""
        self._tools.pop(name, None)

    def get(self, name: str) -> Tool[Any] | None:
        return self._tools.get(name)

    def __getitem__(self, name: str) -> Tool[Any]:
        tool = self.get(name)
        if tool is None:
            raise NotFound(f"tool {name}")
        return tool

    def list(
        self,
        *,
        group: Group | None = None,
        category: str | None = None,
        mode: Mode | None = None,
    ) -> Sequence[Tool[Any]]:
        """By name: all of them, or those of a group, of a category, allowed in a mode."""
        return [
            tool
            for _, tool in sorted(self._tools.copy().items())
            if (group is None or tool.group == group)
            and (category is None or tool.category == category)
            and (mode is None or mode in tool.modes)
        ]

    def terms(self, name: str) -> ToolTerms:
        """What a policy goes by, also for a name that no tool has."""
        tool = self.get(name)
        return tool.terms if tool else ToolTerms.unknown(name)

    def schemas(
        self, *, group: Group | None = None, mode: Mode | None = None
    ) -> Sequence[ToolSchema]:
        return [tool.schema for tool in self.list(group=group, mode=mode)]

    def functions(
        self, *, group: Group | None = None, mode: Mode | None = None
    ) -> Sequence[dict[str, Any]]:
        """The same in the format of OpenAI's chat API: ``{"type": "function", ...}``."""
        return [function(schema) for schema in self.schemas(group=group, mode=mode)]


def function(schema: ToolSchema) -> dict[str, Any]:
    """A schema in the format of OpenAI's chat API."""
    return {"type": "function", "function": schema.model_dump(mode="json")}
