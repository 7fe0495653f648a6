"""Render all that a yes to a call covers, uncut, from its row."""

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

from assistant.domain.calls.call import Call, Facts
from assistant.domain.calls.states import CallState
from assistant.domain.conversation.deliveries import Line
from assistant.domain.errors import Denied
from assistant.domain.policy.decisions import Request, one_line
from assistant.domain.policy.grants import rule, similar
from assistant.domain.time.moments import say_moment
from assistant.flows.render.call_status import CallStatus, describe
from assistant.flows.render.influence import said_of
from assistant.flows.render.reasons import asked_by, reasons
from assistant.tools.contract.tool import Tool

_ASKED_FOR = "Asked for"
_GOES_ON = "\n  | "
AS_JSON = "(as JSON) "
"""Begins a line that is written as a JSON string, as it holds invisible characters."""

_STANDS = "How it stands"
_ON_RECORD = frozenset(
    {
        "Risk",
        "Policy",
        "Mode",
        "Tool",
        "Decision",
        "Judged on",
        "Also found",
        "In place of",
        "Takes back",
        "Call",
        "A yes is bound to",
        "Trace",
    }
)
"""Labels of what a program or the audit is asked by: ids, versions, digests and levels."""

_SHAPELESS = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0"
    "\U000e0000-\U000e0fff]"
)
"""Invisible characters that ``str.isprintable`` takes for visible: those with the property
Default_Ignorable_Code_Point (Unicode, DerivedCoreProperties), and the empty Braille pattern."""


def details(status: CallStatus, tool: Tool[Any] | None, *, zone: str) -> tuple[Line, ...]:
    """Render all that a yes to a call covers; leave out and cut nothing that changes its effect.

    Args:
        status: the call as it was recorded, with its status.
        tool: its tool; None if there is no tool of that name any more.
        zone: the owner's IANA zone.

    Returns:
        Lines with a value. Arguments are JSON, but for texts of several lines: these come as they
        are, below a line that counts them. A value holds only visible characters and line breaks;
        a line with any other character is a JSON string after ``AS_JSON``.
    """
    call = status.call
    return tuple(
        Line(label=_line(label), value=value, at=call.created if label == _ASKED_FOR else None)
        for label, value in (
            (_STANDS, seen(describe(status, zone))),
            *_what(call, tool, zone),
            *_where_from(call),
            *_what_may_change(call, tool, zone),
            *_why(call),
            *_for_the_record(status, tool, zone),
        )
        if value
    )


def for_people(lines: Sequence[Line]) -> tuple[Line, ...]:
    """Leave out what only the record needs; what would happen comes first, how it stands last.

    Nothing that changes the call's effect is left out.
    """
    told = [line for line in lines if line.label not in _ON_RECORD]
    return tuple(sorted(told, key=lambda line: line.label == _STANDS))


def seen(text: str) -> str:
    """Write each line that holds invisible characters as JSON.

    Different texts stay different: a line that begins with ``AS_JSON`` is written as JSON too.
    """
    return "\n".join(_line(line) for line in text.split("\n"))


_Told = Iterator[tuple[str, str]]


def _what(call: Call, tool: Tool[Any] | None, zone: str) -> _Told:
    """Say what would happen, and list the arguments that it would run with."""
    facts = call.facts
    details = tool.preview.details if tool and tool.preview else None
    if details is not None and facts.args:
        for line in details(facts, zone):
            yield line.label, seen(line.value)
    else:
        yield "What it would do", _told_by_tool(facts, tool, zone)
        for name, value in facts.before.items():
            yield f"Found {name}", _literal(value)
    yield "Cannot be done", seen(facts.trouble)
    for name, value in facts.args.items():
        yield f"Argument {name}", _literal(value)
    for name, value in call.asked.items():
        if name not in facts.args or _json(facts.args[name]) != _json(value):
            yield f"Asked for with {name}", _literal(value)


def _where_from(call: Call) -> _Told:
    """Say who asked for it, and whose words were in view."""
    yield "Asked for by", seen(asked_by(call))
    typed = f"; you typed since: {', '.join(map(_json, call.typed))}" if call.typed else ""
    yield "Words of others", f"were in view{typed}" if call.tainted else "were not in view"
    yield "Led here by", seen(said_of(call.led))
    for one in call.copied:
        yield f"Copied: {one_line(one.arg, 80)}", seen(f"from {said_of([one])}")


def _what_may_change(call: Call, tool: Tool[Any] | None, zone: str) -> _Told:
    """Say where it would happen, what would be gone, and whether it can be taken back."""
    facts = call.facts
    yield "Overwrites or destroys", _overwrites(facts)
    yield "Can be undone", "yes" if tool and tool.can_undo(facts) else "no"
    yield "Why not", seen(tool.irreversible_as(facts)) if tool else ""
    yield "Takes a second step", seen(f"type {call.word} with your yes") if call.word else ""
    yield "Approving such calls would mean", seen(_similar(call, tool)) if tool else ""
    yield "Would store", f"{facts.size:,} bytes" if facts.size else ""
    yield "Refers to", "what the assistant made" if facts.own else "what others made as well"
    yield "Talks to", _listed(facts.hosts)
    yield "Runs", _literal(facts.command) if facts.command else ""
    yield "Destination", seen(facts.destination)
    yield "Affects", _listed(facts.locations)
    yield "Nobody needs it from", say_moment(facts.lapses, zone) if facts.lapses else ""


def _why(call: Call) -> _Told:
    """Say why it was decided as it was."""
    yield "Reasons", "\n".join(_line(reason) for reason in reasons(call))
    yield "Risk", f"{call.risk} ({call.reach})"
    yield "Rule", seen(call.rule)
    yield "Policy", f"version {call.policy}" if call.policy else "none of your own"
    yield "Mode", call.mode.value


def _for_the_record(status: CallStatus, tool: Tool[Any] | None, zone: str) -> _Told:
    """Give the ids, versions and digests, by which a program or the audit is asked."""
    call = status.call
    yield _ASKED_FOR, say_moment(call.created, zone) if call.created else ""
    title = f": {tool.title}" if tool and tool.title else ""
    yield "Tool", seen(f"{call.tool}, version {call.version}{title}")
    if tool is None:
        yield "Tool now", "there is no tool of that name"
    elif tool.version != call.version:
        yield "Tool now", seen(f"version {tool.version}")
    by = f", by the layer {call.layer}" if call.layer else ""
    yield "Decision", seen(f"{call.verdict or 'none'}{by}")
    yield "Grant", seen(call.grant)
    state = (
        f"{_json(name)}: {_json(version) if version else 'nothing is there'}"
        for name, version in call.facts.state.items()
    )
    yield "Judged on", "\n".join(state)
    yield "Also found", _json(call.facts.beside) if call.facts.beside else ""
    yield "In place of", seen(f"the call with id {call.supersedes}") if call.supersedes else ""
    yield "Takes back", seen(f"the call with id {call.undoes}") if call.undoes else ""
    yield "Call", seen(f"{call.handle} (id {call.id})")
    yield "A yes is bound to", f"SHA-256 {_binding(status)}"
    yield "Trace", seen(f"{call.trace} (assistant audit show {call.handle})")


def _told_by_tool(facts: Facts, tool: Tool[Any] | None, zone: str) -> str:
    """Say everything that would happen in the words of the tool, in a line each.

    What goes on is set in, so that no value looks like a line of its own.
    """
    if tool is None or not facts.args:
        return ""
    lines = tool.card(facts, zone)
    return "\n".join(
        f"{_line(line.label)}: {seen(line.value)}".replace("\n", _GOES_ON) for line in lines
    )


def _binding(status: CallStatus) -> str:
    """Return the digest of what a yes covers, as it was stored where the call was asked about."""
    stored = status.approval.binding if status.approval else status.call.binding
    return stored.rpartition(":")[2]


def _overwrites(facts: Facts) -> str:
    if facts.made_here:
        return "what the assistant wrote in this conversation"
    return "yes" if facts.destructive else "no"


def _similar(call: Call, tool: Tool[Any]) -> str:
    """Say in a sentence what "approve similar" would let run; empty where it cannot be given."""
    if call.state is not CallState.PARKED or call.created is None or not call.facts.args:
        return ""
    request = Request(
        tool=tool.traits,
        facts=call.facts,
        risk=call.risk,
        reach=tool.reach_of(call.facts),
        owner=call.owner,
        actor=call.actor,
        tainted=call.tainted,
    )
    try:
        made = similar(request, id="", by="", now=call.created, call=call.id, trace="")
    except Denied:
        return ""
    return rule(made, tool.display_name)


def _literal(value: Any) -> str:
    if not isinstance(value, str) or "\n" not in value:
        return _json(value)
    lines = value.count("\n") + (not value.endswith("\n"))
    ends = ", with a line break at the end" if value.endswith("\n") else ""
    many = f"{lines} line{'' if lines == 1 else 's'}, {len(value):,} characters{ends}"
    return f"({many})\n{seen(value)}"


def _listed(names: Sequence[str]) -> str:
    return "\n".join(_json(name) for name in names)


def _line(line: str) -> str:
    hides = line.endswith(" ") or not line.isprintable() or _SHAPELESS.search(line)
    return f"{AS_JSON}{_json(line)}" if hides or line.startswith(AS_JSON) else line


def _json(value: Any) -> str:
    """Write JSON in one line, with an escape for each invisible character."""
    written = json.dumps(value, ensure_ascii=False)
    return "".join(
        char if char.isprintable() and not _SHAPELESS.match(char) else json.dumps(char)[1:-1]
        for char in written
    )
