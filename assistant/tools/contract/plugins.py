"""Find the tools of third parties: by entry point, off until the owner names them.

A package offers them in the group ``assistant.tools``: a ``Tool``, several of them, or a function
without arguments that returns one or the other. Only what is enabled is imported.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from assistant.domain.calls import Reach
from assistant.domain.errors import AssistantError, InUse, NotFound
from assistant.tools.contract.checks import flaws_of
from assistant.tools.contract.guarded import guarded
from assistant.tools.contract.tool import Tool

GROUP = "assistant.tools"


@dataclass(frozen=True, kw_only=True)
class Trouble:
    """Why a plugin, or one of its tools, is not on offer."""

    plugin: str
    said: str


@dataclass(frozen=True, kw_only=True)
class Discovered:
    tools: tuple[Tool[Any], ...] = ()
    troubles: tuple[Trouble, ...] = ()


def installed(entries: Iterable[EntryPoint] | None = None) -> Sequence[str]:
    """List the names of all plugins, enabled or not. None of them is imported."""
    return sorted({entry.name for entry in _entries(entries)})


def discover(
    enabled: Collection[str],
    *,
    taken: Collection[str] = (),
    entries: Iterable[EntryPoint] | None = None,
) -> Discovered:
    """Load the tools of the plugins that are enabled.

    What is wrong with one is reported, and keeps no other out.

    Args:
        enabled: names of entry points.
        taken: names of tools that no plugin may take, the built-in ones.
        entries: where to look; by default everything that is installed.
    """
    tools: dict[str, Tool[Any]] = {}
    troubles: list[Trouble] = []
    for name in sorted(enabled):
        try:
            entry = _the_one(name, _entries(entries))
            offered = _offered(entry.load())
        except (Exception, SystemExit) as error:  # noqa: BLE001 (of a stranger's code, anything)
            troubles.append(Trouble(plugin=name, said=f"it cannot be loaded: {_said(error)}"))
            continue
        for tool in offered:
            flaws = _refused(tool, {*taken, *tools})
            if flaws:
                troubles.append(Trouble(plugin=name, said=_named(tool, flaws)))
            else:
                tools[tool.name] = guarded(tool, origin=_origin(entry))
    return Discovered(tools=tuple(tools.values()), troubles=tuple(troubles))


def _entries(entries: Iterable[EntryPoint] | None) -> list[EntryPoint]:
    found = entry_points(group=GROUP) if entries is None else entries
    return sorted(found, key=lambda entry: (entry.name, entry.value))


def _the_one(name: str, entries: Iterable[EntryPoint]) -> EntryPoint:
    found = [entry for entry in entries if entry.name == name]
    if not found:
        raise NotFound("no installed package offers it")
    if len(found) > 1:
        offering = ", ".join(entry.value for entry in found)
        raise InUse(f"several packages offer a plugin of this name: {offering}")
    return found[0]


def _offered(loaded: Any) -> Sequence[Any]:
    given = loaded() if callable(loaded) else loaded
    return list(given) if isinstance(given, Iterable) else [given]


def _refused(tool: Any, taken: Collection[str]) -> list[str]:
    flaws = flaws_of(tool)
    if flaws:
        return flaws
    if tool.name in taken:
        return [f"there is a tool named {tool.name} already"]
    if tool.reach is Reach.GOVERNS:
        return ["governing is not for plugins"]
    if tool.change is not None and tool.change.creates_event is not None:
        return ["creates_event: only built-in tools create events"]
    return []


def _named(tool: Any, flaws: Sequence[str]) -> str:
    name = getattr(tool, "name", "")
    return f"{name}: {'; '.join(flaws)}" if name else "; ".join(flaws)


def _origin(entry: EntryPoint) -> str:
    return f"{entry.dist.name} {entry.dist.version}" if entry.dist else entry.name


def _said(error: BaseException) -> str:
    ours = isinstance(error, AssistantError)
    return str(error) if ours else f"{type(error).__name__}: {error}"
