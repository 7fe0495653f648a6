"""Tools of third parties: found by entry point, off until the owner names them, never trusted.

A package offers them in the group ``assistant.tools``: a ``Tool``, several of them, or a function
without arguments that gives one or the other. Only what is enabled is imported.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from assistant.domain.calls.call import Facts, Reach, Risk
from assistant.domain.calls.effects import Effect
from assistant.domain.conversation.deliveries import Line
from assistant.domain.errors import AssistantError, InUse, NotFound
from assistant.domain.text.fence import fence
from assistant.tools.checks import ORDER, at_least, flaws_of, least_risk
from assistant.tools.contract import A, Tool
from assistant.tools.errand import Errand
from assistant.tools.results import Result

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
    """The names of all plugins there are, enabled or not. None of them is imported."""
    return sorted({entry.name for entry in _entries(entries)})


def discover(
    enabled: Collection[str],
    *,
    taken: Collection[str] = (),
    entries: Iterable[EntryPoint] | None = None,
) -> Discovered:
    """The tools of the plugins that are enabled.

    What is wrong with one is told and costs nothing but that one.

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


def guarded(tool: Tool[A], *, origin: str) -> Tool[A]:
    """The same tool without the trust that built-in ones have.

    Its reach is never below what it declares, its risk never below what goes with that; nothing is
    the assistant's own; whatever it says is outside. It always has a card with every argument, and
    an effect keyed by the call.

    Args:
        tool: what was offered.
        origin: the package and its version, so that a yes covers no other one.
    """
    reach_by = _no_milder_reach(tool)
    changes = tool.reach is not Reach.READS
    return replace(
        tool,
        version=f"{origin} {tool.version}".strip(),
        reach_by=reach_by,
        risk=_no_lower_risk(tool, reach_by),
        look=_disowned(tool.look),
        act=_fenced(tool.act, tool.name),
        settle=_fenced_if_any(tool, tool.name),
        card=_with_every_argument(tool),
        effect=tool.effect or (_keyed_by_call(tool.name) if changes else None),
        source=tool.source or (lambda _facts: f"tool {tool.name}"),
        quick=False,
    )


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
    if tool.makes is not None:
        return ["makes: only built-in tools make events"]
    return []


def _named(tool: Any, flaws: Sequence[str]) -> str:
    name = getattr(tool, "name", "")
    return f"{name}: {'; '.join(flaws)}" if name else "; ".join(flaws)


def _origin(entry: EntryPoint) -> str:
    return f"{entry.dist.name} {entry.dist.version}" if entry.dist else entry.name


def _no_milder_reach(tool: Tool[Any]) -> Callable[[Facts], Reach]:
    def reach_by(facts: Facts) -> Reach:
        try:
            return max(tool.reach, Reach(tool.reach_of(facts)), key=ORDER.index)
        except Exception:  # noqa: BLE001 (of a stranger's code, anything)
            return max(tool.reach, Reach.EXECUTES, key=ORDER.index)

    return reach_by


def _no_lower_risk(tool: Tool[Any], reach_by: Callable[[Facts], Reach]) -> Callable[[Facts], Risk]:
    def risk(facts: Facts) -> Risk:
        try:
            return at_least(Risk(tool.risk(facts)), least_risk(reach_by(facts)))
        except Exception:  # noqa: BLE001 (of a stranger's code, anything)
            return Risk.HIGH

    return risk


def _disowned(
    look: Callable[[A, Errand], Sequence[Facts]],
) -> Callable[[A, Errand], Sequence[Facts]]:
    def disowned(args: A, errand: Errand) -> Sequence[Facts]:
        return [facts.model_copy(update={"own": False}) for facts in look(args, errand)]

    return disowned


def _fenced(act: Callable[[Facts, Errand], Result], name: str) -> Callable[[Facts, Errand], Result]:
    def fenced(facts: Facts, errand: Errand) -> Result:
        return _outside(act(facts, errand), name)

    return fenced


def _fenced_if_any(tool: Tool[Any], name: str) -> Callable[[Facts, Errand], Result | None] | None:
    ask = tool.settle
    if ask is None:
        return None

    def fenced(facts: Facts, errand: Errand) -> Result | None:
        result = ask(facts, errand)
        return _outside(result, name) if result else None

    return fenced


def _outside(result: Result, name: str) -> Result:
    text = fence(result.text, source=f"tool {name}")
    return result.model_copy(update={"text": text, "outside": True})


def _with_every_argument(tool: Tool[Any]) -> Callable[[Facts, str], tuple[Line, ...]]:
    def card(facts: Facts, zone: str) -> tuple[Line, ...]:
        own = tool.card(facts, zone) if tool.card else ()
        every = (Line(label=name, value=str(value)) for name, value in facts.args.items())
        return (*own, *every)

    return card


def _keyed_by_call(name: str) -> Callable[[Facts, str], Effect]:
    def effect(facts: Facts, call: str) -> Effect:
        return Effect(call=call, kind=f"tool.{name}", key=call, destination=facts.destination)

    return effect


def _said(error: BaseException) -> str:
    ours = isinstance(error, AssistantError)
    return str(error) if ours else f"{type(error).__name__}: {error}"
