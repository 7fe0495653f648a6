"""The tools there are, by name, and the schemas of those that a model is offered."""

from collections.abc import Sequence
from typing import Any

from assistant.domain.conversation.conversation import ToolSchema
from assistant.domain.errors import Misconfigured, NotFound
from assistant.domain.governance.modes import Mode
from assistant.domain.policy.traits import Group, ToolTraits
from assistant.tools.contract.tool import Tool, flaw_of_timeout


class Toolbox:
    """Tools by name; the last one registered under a name is the one.

    Internal tools are for code that asks by name: they are in no list and no schema unless that is
    asked for, and to a model their names are those of no tool (``offered``, ``traits``).
    """

    def __init__(self, *tools: Tool[Any]) -> None:
        self._tools: dict[str, Tool[Any]] = {}
        for tool in tools:
            self.register(tool)

    def register(self, tool: Tool[Any]) -> None:
        """Add a tool, in place of any other of its name.

        Raises ``Misconfigured`` for a time-out that no worker would wait for.
        """
        if why := flaw_of_timeout(tool):
            raise Misconfigured(f"the tool {tool.name} cannot be used: {why}")
        self._tools[tool.name] = tool

    def unregister(self, name: str) -> None:
        """Remove a tool, if it is there."""
        self._tools.pop(name, None)

    def get(self, name: str) -> Tool[Any] | None:
        """Find any tool, internal ones too. Never for a name that a model gave."""
        return self._tools.get(name)

    def offered(self, name: str) -> Tool[Any] | None:
        """Find the tool that a model may ask for by this name."""
        tool = self.get(name)
        return None if tool is None or tool.internal else tool

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
        internal: bool = False,
    ) -> Sequence[Tool[Any]]:
        """List by name the tools on offer, or those of a group, a category, allowed in a mode.

        ``internal`` adds those that no model is offered.
        """
        return [
            tool
            for _, tool in sorted(self._tools.copy().items())
            if (internal or not tool.internal)
            and (group is None or tool.traits.group == group)
            and (category is None or tool.traits.category == category)
            and (mode is None or mode in tool.traits.allowed_modes)
        ]

    def traits(self, name: str, *, internal: bool = False) -> ToolTraits:
        """What a policy goes by, also for a name that no tool has."""
        tool = self.get(name) if internal else self.offered(name)
        return tool.traits if tool else ToolTraits.unknown(name)

    def schemas(
        self, *, group: Group | None = None, mode: Mode | None = None, internal: bool = False
    ) -> Sequence[ToolSchema]:
        return [tool.schema for tool in self.list(group=group, mode=mode, internal=internal)]

    def functions(
        self, *, group: Group | None = None, mode: Mode | None = None, internal: bool = False
    ) -> Sequence[dict[str, Any]]:
        """The schemas in the format of OpenAI's chat API: ``{"type": "function", ...}``."""
        schemas = self.schemas(group=group, mode=mode, internal=internal)
        return [function(schema) for schema in schemas]


def function(schema: ToolSchema) -> dict[str, Any]:
    """A schema in the format of OpenAI's chat API."""
    return {"type": "function", "function": schema.model_dump(mode="json")}
