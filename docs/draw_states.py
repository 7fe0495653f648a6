#!/usr/bin/env python3
"""Draw the state machines from the tables that the code obeys: ``python -m docs.draw_states``.

Each drawing is made of a table of steps, each explanation is the docstring below the state's name.
"""

import ast
from collections.abc import Iterator, Mapping
from enum import StrEnum
from inspect import getsource
from itertools import pairwise
from pathlib import Path
from typing import TypeVar

from assistant.domain.approvals import approval as approvals
from assistant.domain.calls import states as call_states
from assistant.domain.calls.states import STATES, CallState, StateRow
from assistant.domain.governance import modes
from assistant.domain.mail import mail

S = TypeVar("S", bound=StrEnum)
PAGE = Path(__file__).with_name("states.md")
HEAD = """\
# The states, as the code has them

Made by `python -m docs.draw_states` from the tables of the code; a test compares. A step that is
not drawn raises an error. [approvals.md](approvals.md) tells the life of a call.
"""


def draw() -> str:
    """Return the whole page, Markdown with Mermaid diagrams."""
    return "\n".join(
        (
            HEAD,
            *_section("A call", "STATES", call_states.__name__, CallState, call_states.NEXT),
            *_rows(),
            *_section(
                "An approval", "NEXT", approvals.__name__, approvals.ApprovalState, approvals.NEXT
            ),
            *_section("A mail", "NEXT", mail.__name__, mail.MailState, mail.NEXT),
            *_section("The assistant's mode", "NEXT", modes.__name__, modes.Mode, modes.NEXT),
        )
    )


def _section(
    title: str, name: str, module: str, states: type[S], table: Mapping[S, frozenset[S]]
) -> Iterator[str]:
    yield f"## {title}\n"
    yield f"`{name}` in `{module.replace('.', '/')}.py`.\n"
    yield "```mermaid\nstateDiagram-v2"
    yield f"    [*] --> {next(iter(states))}"
    for state in states:
        yield from (f"    {state} --> {after}" for after in states if after in table[state])
        if not table[state]:
            yield f"    {state} --> [*]"
    yield "```\n"
    if meanings := _meanings(states):
        yield from (f"- **{states[name]}**: {meaning}" for name, meaning in meanings.items())
        yield ""


def _rows() -> Iterator[str]:
    """Write the rest of the table: what each state means for you and for later changes."""
    yield (
        "| State | People read | Who owes the next step | Listed under | Button to ask again "
        "| Later changes |"
    )
    yield "|---|---|---|---|---|---|"
    for state in CallState:
        yield f"| {' | '.join((state, *_cells(STATES[state])))} |"
    yield ""


def _cells(row: StateRow) -> tuple[str, ...]:
    listed = row.tally.value if row.tally else "(its successor is)"
    later = "are asked about again" if row.breaks_turn else ""
    return row.name, row.owed_by.value, listed, row.ask_again.value, later


def _meanings(states: type[StrEnum]) -> dict[str, str]:
    """What stands below each name in the source, for those names that need words."""
    [described] = ast.parse(getsource(states)).body
    assert isinstance(described, ast.ClassDef)  # noqa: S101 (the source of a class is a class)
    found: dict[str, str] = {}
    for name, words in pairwise(described.body):
        if isinstance(name, ast.Assign) and isinstance(words, ast.Expr):
            found[ast.unparse(name.targets[0])] = " ".join(ast.literal_eval(words.value).split())
    return found


if __name__ == "__main__":
    PAGE.write_text(draw(), encoding="utf-8")
