"""What must hold whatever was killed, read from the sink, the notices and the rows."""

import json
import os
import re
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from assistant.domain.calls.states import CallState
from assistant.domain.calls.tool_errors import ErrorType
from tests.prove.rows import rows
from tests.prove.sink import ONCE, Kind, SinkLine
from workers.parts import Assistant

QUIET = 15.0
"""Seconds after the last fault within which all must be at rest."""
_BUSY = 3.0
"""The load of each core beyond which others take the machine; that time is three times as long."""


class Invariant(StrEnum):
    """The promises, in words for the table."""

    ONCE = "at most one line a call"
    DONE = "done means one line"
    NOT_DONE = "not done means no line"
    NOT_LOST = "every call asked for is recorded once"
    ANNOUNCED = "every accepted mail is announced once"
    TOLD = "every unclear end is told"
    RECONCILED = "what became of a change is found out"
    QUIET = "nothing is live 15 s after the last fault"
    GIVEN_UP = "no job is given up"
    ALIVE = "every child is alive"


@dataclass(frozen=True)
class Violation:
    invariant: Invariant
    subject: str
    said: str


@dataclass
class Evidence:
    """All that there is to go by."""

    calls: Sequence[Mapping[str, Any]]
    lines: Sequence[SinkLine]
    deliveries: Sequence[Mapping[str, Any]]
    jobs: Sequence[Mapping[str, Any]]
    mails: Sequence[Mapping[str, Any]] = ()
    asked: Sequence[int] = ()
    """The numbers of calls that were taken in."""
    accepted: Sequence[str] = ()
    """The subjects of mails that a door accepted."""
    live: Sequence[str] = ()
    """What was still live when time was over."""
    dead: Sequence[str] = field(default_factory=list)
    """Children that were dead when time was over."""


_NOT_BEGUN = frozenset({"refused", "denied", "expired", "void", "superseded", "cancelled"})
_UNCLEAR_WORDS = re.compile(r"could not be found out|interrupted|unclear|not known")


def gather(assistant: Assistant, lines: Sequence[SinkLine], **more: Any) -> Evidence:
    """Read the rows."""
    return Evidence(
        calls=[
            {**row, **_parsed(row, "facts", "failure")}
            for row in rows(
                assistant,
                "SELECT id, number, tool, actor, state, told, result, failure, facts, fence, "
                "supersedes, turn, ordinal, conversation FROM call ORDER BY number",
            )
        ],
        lines=lines,
        deliveries=[
            {**row, **_parsed(row, "wanted")}
            for row in rows(
                assistant, "SELECT id, channel, place, wanted, digest, shown FROM delivery"
            )
        ],
        jobs=[dict(row) for row in rows(assistant, "SELECT * FROM job")],
        mails=[dict(row) for row in rows(assistant, "SELECT id, subject, state FROM mail")],
        **more,
    )


def _parsed(row: Mapping[str, Any], *columns: str) -> dict[str, Any]:
    return {
        name: json.loads(row[name]) if isinstance(row[name], str) else row[name] for name in columns
    }


def violations(found: Evidence) -> list[Violation]:
    return [
        *_lines(found),
        *_numbers(found),
        *_mails(found),
        *_told(found),
        *(Violation(Invariant.QUIET, one, "still live") for one in found.live),
        *(
            Violation(Invariant.GIVEN_UP, str(job["id"]), str(job["error"]))
            for job in found.jobs
            if job["failed"]
        ),
        *(Violation(Invariant.ALIVE, name, "dead") for name in found.dead),
    ]


def _lines(found: Evidence) -> Iterator[Violation]:
    written = Counter(line.call for line in found.lines)
    for call in found.calls:
        kind, count, name = kind_of(call), written[call["id"]], _name(call)
        if kind in ONCE and count > 1:
            attempts = [line.attempt for line in found.lines if line.call == call["id"]]
            yield Violation(Invariant.ONCE, name, f"{count} lines, of attempts {attempts}")
        if call["state"] == CallState.DONE and count == 0:
            yield Violation(Invariant.DONE, name, "it has none")
        ended = call["state"] in _NOT_BEGUN or (
            call["state"] == CallState.FAILED and not is_unclear(call) and kind in ONCE
        )
        if ended and count:
            said = f"it is {call['state']} ({call['told']}), and has {count}"
            yield Violation(Invariant.NOT_DONE, name, said)


def _numbers(found: Evidence) -> Iterator[Violation]:
    """A call that is asked about again has another id; what it writes has the same number."""
    numbers: dict[int, list[Mapping[str, Any]]] = defaultdict(list)
    for call in found.calls:
        number = int((call["facts"].get("args") or {}).get("number", 0))
        if call["tool"].startswith("sink_") and number:
            numbers[number].append(call)
    written = Counter(line.call for line in found.lines)
    sure = frozenset(found.asked)
    for number in sorted({*numbers, *sure}):
        mine = numbers.get(number, [])
        first = [call for call in mine if not call["supersedes"]]
        if len(first) > 1 or (number in sure and not first):
            said = f"{len(first)} calls were recorded for it"
            yield Violation(Invariant.NOT_LOST, f"number {number}", said)
        ran = [call for call in mine if written[call["id"]] and kind_of(call) in ONCE]
        if len(ran) > 1:
            yield Violation(Invariant.ONCE, f"number {number}", "two of its calls have lines")


def _mails(found: Evidence) -> Iterator[Violation]:
    kept = Counter(str(mail["subject"]) for mail in found.mails)
    shown: Counter[str] = Counter()
    for delivery in found.deliveries:
        if str(delivery["id"]).startswith("mail-") and _is_shown(delivery):
            shown.update(
                subject
                for subject in set(found.accepted)
                if subject in json.dumps(delivery["wanted"])
            )
    for subject in found.accepted:
        if kept[subject] != 1 or shown[subject] != 1:
            said = f"kept {kept[subject]} times, announced {shown[subject]} times"
            yield Violation(Invariant.ANNOUNCED, subject, said)


def _told(found: Evidence) -> Iterator[Violation]:
    shown = {str(delivery["id"]) for delivery in found.deliveries if _is_shown(delivery)}
    for call in found.calls:
        if is_unclear(call) and f"unclear-{call['id']}" not in shown:
            whose = "the owner's own call" if call["actor"] != "model" else "a model's call"
            yield Violation(Invariant.TOLD, _name(call), f"{whose}: no message tells of it")


def is_unclear(call: Mapping[str, Any]) -> bool:
    """Whether a call ended without anybody knowing whether it happened."""
    if call["state"] != CallState.FAILED or kind_of(call) not in ONCE:
        return False
    type = (call["failure"] or {}).get("type")
    return type == ErrorType.UNKNOWN_OUTCOME or bool(_UNCLEAR_WORDS.search(str(call["told"])))


def kind_of(call: Mapping[str, Any]) -> Kind | None:
    name = str(call["tool"]).removeprefix("sink_")
    return Kind(name) if name in set(Kind) else None


def _is_shown(delivery: Mapping[str, Any]) -> bool:
    return bool(delivery["shown"] == delivery["digest"])


def _name(call: Mapping[str, Any]) -> str:
    return f"A{call['number']} ({call['tool']})"


_SOON = 5.0
"""Seconds within which a job that is due counts as under way."""


def quiet_within() -> float:
    """Return the seconds within which all must be at rest on this machine, as busy as it is."""
    load = os.getloadavg()[0] / (os.cpu_count() or 1)
    return QUIET * (3 if load > _BUSY else 1)


def live(assistant: Assistant) -> list[str]:
    """What is under way: jobs that are claimed or due soon, and calls that have not ended.

    What failed for an outage is due again within some seconds, and is not at rest until then.
    """
    jobs = rows(
        assistant,
        "SELECT id, claim, attempts, error FROM job "
        "WHERE NOT failed AND (claim IS NOT NULL OR waits_for <> '' OR due <= :soon)",
        soon=time.time() + _SOON,
    )
    calls = rows(
        assistant,
        "SELECT number, tool, state FROM call WHERE state IN "
        "('proposed', 'parked', 'cleared', 'running', 'unknown')",
    )
    return [
        *(f"job {job['id']} (attempts {job['attempts']}) {job['error']}".strip() for job in jobs),
        *(f"A{call['number']} ({call['tool']}) is {call['state']}" for call in calls),
    ]
