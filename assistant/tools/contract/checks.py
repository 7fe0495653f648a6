"""Check that a tool keeps the contract, and say what is wrong with it. Third parties use it too.

``flaws_of`` reads what a tool declares. ``problems_of`` also has it inspect the examples of its
schema, as a decision would; nothing is executed.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from pydantic import BaseModel

from assistant.domain.calls.call import Facts, Reach, Risk
from assistant.domain.canonical import canonical
from assistant.domain.errors import AssistantError
from assistant.domain.governance.modes import Mode
from assistant.domain.jobs.job import Cause
from assistant.domain.policy.traits import Category, Group, Scopes
from assistant.domain.text.patterns import BadPattern, Glob
from assistant.tools.contract.context import ToolContext
from assistant.tools.contract.scopes import ANY_PUBLIC, NO_APPS
from assistant.tools.contract.tool import Tool, flaw_of_timeout

NAME = re.compile(r"[a-z][a-z0-9_]{0,63}")
_HOST = re.compile(r"(\*\.)?[^\s*/@]+")
WORDS = 1024
"""Characters of a description; OpenAI takes no more."""
ORDER = tuple(Reach)
"""From the mildest to the strictest."""
_LEAST: Mapping[Reach, Risk] = {
    Reach.DESTROYS: Risk.MEDIUM,
    Reach.EXECUTES: Risk.HIGH,
    Reach.GOVERNS: Risk.HIGH,
}
_RISKS = tuple(Risk)


def stock_context() -> ToolContext:
    """Make a context for inspecting examples: nobody's, at a fixed time."""
    return ToolContext(
        cause=Cause(owner="owner", trace="0" * 32),
        call="0" * 16,
        now=datetime(2026, 11, 30, 9, tzinfo=UTC),
        zone="UTC",
    )


def problems_of(tool: Tool[Any], context: ToolContext | None = None) -> list[str]:
    """List everything that is wrong with a tool; nothing when it keeps the contract.

    Args:
        tool: with at least one example in the JSON Schema of its arguments.
        context: for inspecting these examples; a stock one by default.
    """
    flaws = flaws_of(tool)
    if flaws:
        return flaws
    return [*_breaches(tool), *_slips(tool, context or stock_context())]


def flaws_of(tool: Any) -> list[str]:
    """List what makes a tool unfit to be offered at all."""
    if type(tool) is not Tool:
        return [f"it is a {type(tool).__name__}, and not a Tool"]
    try:
        return list(_flaws(tool))
    except Exception as error:  # noqa: BLE001 (of a stranger's code, anything)
        return [f"it cannot be read: {_said(error)}"]


def least_risk(reach: Reach) -> Risk:
    """The lowest risk that a call of this reach may have."""
    return _LEAST.get(reach, Risk.LOW)


def at_least(one: Risk, other: Risk) -> Risk:
    return max(one, other, key=_RISKS.index)


def _flaws(tool: Tool[Any]) -> Iterator[str]:
    traits = tool.traits
    if not NAME.fullmatch(tool.name):
        yield f"name: {tool.name!r} is not lower case, digits and _, at most 64 characters"
    if not tool.version.strip():
        yield "version: it is empty"
    if why := flaw_of_timeout(tool):
        yield why
    if traits.rate_per_hour is not None and traits.rate_per_hour < 1:
        yield "rate_per_hour: at least 1, or None"
    if not traits.allowed_modes:
        yield "allowed_modes: there is no mode in which it may be used"
    if not traits.category.strip():
        yield "category: it is empty"
    if not _is_model(tool.result):
        yield "result: it is no pydantic model, and every tool declares the shape of its result"
    yield from _flaws_of_scopes(tool.scopes)
    yield from _flaws_of_args(tool)


def _flaws_of_scopes(scopes: Scopes) -> Iterator[str]:
    for path in scopes.paths:
        try:
            Glob(path)
        except BadPattern as error:
            yield f"scopes: the path {path!r} {error}"
    for app in scopes.apps:
        if app in NO_APPS or ":" in app or not app.strip():
            yield f"scopes: {app!r} is no name of an app"
    for host in scopes.network:
        if host != ANY_PUBLIC and not _HOST.fullmatch(host):
            yield f"scopes: {host!r} is no host; write example.org, *.example.org or *"


def _flaws_of_args(tool: Tool[Any]) -> Iterator[str]:
    if not _is_model(tool.args):
        yield "args: they are no pydantic model"
        return
    if tool.args.model_config.get("extra") != "forbid":
        yield "args: they take extra fields; ConfigDict(extra='forbid')"
    schema = tool.schema
    json.dumps(schema.parameters, allow_nan=False)
    if not schema.description.strip():
        yield "description: it is empty, and so is the docstring of the arguments"
    elif len(schema.description) > WORDS:
        yield f"description: longer than {WORDS} characters"
    if asked := set(tool.traits.made_args) & set(tool.args.model_fields):
        yield f"made_args: {', '.join(sorted(asked))} can be asked for"


def _breaches(tool: Tool[Any]) -> Iterator[str]:
    """Where declarations do not go together."""
    group, category = tool.traits.group, tool.traits.category
    reads = tool.reach is Reach.READS
    if reads:
        if tool.change is not None:
            yield "change: a tool that only reads has no effect, and nothing to take back"
        if tool.traits.remembers:
            yield "remembers: a tool that only reads writes nothing"
    else:
        yield from _breaches_of_changes(tool)
    if group is Group.SEARCH and tool.reach not in (Reach.READS, Reach.SENDS):
        yield f"group: what {tool.reach} is no search"
    if category == Category.READ_ONLY and not reads:
        yield f"category: what {tool.reach} is not {category}"
    if reads and category in (Category.SYSTEM_WRITE, Category.EXECUTION):
        yield f"category: what only reads is not {category}"
    if reads and group in (Group.EDIT, Group.EXEC):
        yield f"group: what only reads is not {group}"


def _breaches_of_changes(tool: Tool[Any]) -> Iterator[str]:
    if tool.traits.group is not Group.SEARCH and tool.change is None:
        yield "change: it says what keys the effect, how to reconcile it, and what takes it back"
    if tool.change is not None and not tool.undoable and not tool.irreversible.strip():
        yield "inverse: what changes something can be taken back, or says why not (Irreversible)"
    if tool.preview is None:
        yield "card: what may ask a person shows what it would do"
    if not tool.title.strip():
        yield "title: what may ask a person has one"
    if Mode.LOCKDOWN in tool.traits.allowed_modes:
        yield "allowed_modes: in lockdown there are reads only"
    if tool.quick:
        yield "quick: only reads are"


def _slips(tool: Tool[Any], context: ToolContext) -> Iterator[str]:
    """What goes wrong when it is asked what its examples ask."""
    examples = tool.args.model_json_schema().get("examples", [])
    if not examples:
        yield "args: no examples; ConfigDict(json_schema_extra={'examples': [{...}]})"
    for example in examples:
        try:
            slips = list(_slips_of(tool, example, context))
        except Exception as error:  # noqa: BLE001 (of a stranger's code, anything)
            slips = [f"it raised {_said(error)}"]
        yield from (f"{slip} (example {json.dumps(example, default=str)})" for slip in slips)


def _slips_of(tool: Tool[Any], example: Mapping[str, Any], context: ToolContext) -> Iterator[str]:
    canonical(example)
    tool.parse(example)
    try:
        parts: Sequence[Facts] = tool.examine(example, context)
    except AssistantError as error:
        if not str(error).strip():
            yield "inspect: it says no without a reason"
        return
    if not parts:
        yield "inspect: nothing comes of it"
    for facts in parts:
        if why := tool.refusal(facts):
            yield f"scopes: {why}"
        elif not facts.trouble:
            yield from _slips_of_call(tool, facts, context)


def _slips_of_call(tool: Tool[Any], facts: Facts, context: ToolContext) -> Iterator[str]:
    canonical(facts.args)
    risk, reach = tool.risk(facts), tool.reach_of(facts)
    if not isinstance(risk, Risk) or not isinstance(reach, Reach):
        yield "risk, reach_by: they give a Risk and a Reach"
        return
    if ORDER.index(reach) > ORDER.index(tool.reach):
        yield f"reach_by: {reach} is more than the {tool.reach} it declares"
    if at_least(risk, least_risk(reach)) is not risk:
        yield f"risk: what {reach} is at least {least_risk(reach)}, not {risk}"
    if reach is not Reach.READS and not facts.locations and not facts.hosts:
        yield "inspect: what changes something names where (locations or hosts)"
    if unknown := set(tool.traits.free_args) - set(facts.args):
        yield f"free_args: there is no argument {', '.join(sorted(unknown))}"
    if tool.change is not None:
        once, again = (tool.change.effect(facts, context.call) for _ in range(2))
        if not once.key or once.key != again.key or once.call != context.call:
            yield "effect: its key comes from the call, the same at every attempt"
    yield from _slips_of_showing(tool, facts, context)


def _slips_of_showing(tool: Tool[Any], facts: Facts, context: ToolContext) -> Iterator[str]:
    if tool.asks(facts) and not tool.card(facts, context.zone):
        yield "card: it asks a person and shows nothing"
    if tool.source is not None and not tool.source(facts).strip():
        yield "source: it is empty"
    expires = tool.expires_at(facts)
    if expires is not None and expires.tzinfo is None:
        yield "expires_at: a time needs a zone"


def _is_model(value: Any) -> bool:
    return isinstance(value, type) and issubclass(value, BaseModel)


def _said(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"
