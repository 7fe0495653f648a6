"""What a person is shown of a change to a file: what is there, what would be, and who sees it."""

from collections.abc import Sequence
from difflib import unified_diff
from typing import Any

from assistant.domain.calls import Facts
from assistant.domain.deliveries import Line
from assistant.domain.file_paths import scope_of
from assistant.domain.files import Scope
from assistant.domain.limits import MiB
from assistant.tools.file_bytes import as_text, lines_of, said_size

HEAD_LINES = 5
DIFF_LINES = 60
WIDTH = 160
"""Characters of one line."""
COMPARED_LINES = 1_500
"""What has more lines is not compared: the time that takes grows with their square."""
COMPARED = MiB // 4
"""Bytes, likewise."""

_READERS = {
    Scope.PRIVATE: "you alone",
    Scope.SHARED: "you, and those whom you let in",
    Scope.PUBLIC: "anybody",
}


def head_of(data: bytes) -> str:
    """The first lines, or what it is where it is no text."""
    text = as_text(data[:COMPARED])
    if text is None:
        return f"({said_size(len(data))} that are no text)"
    lines = lines_of(text[0])
    if not lines:
        return "(empty)"
    shown = "\n".join(_narrow(line) for line in lines[:HEAD_LINES])
    whole = len(lines) <= HEAD_LINES and len(data) <= COMPARED
    return shown if whole else f"{shown}\n(and more)"


def difference(old: bytes, new: bytes) -> str:
    """A unified diff, cut to what can be looked at; it says what it leaves out."""
    if old == new:
        return "(nothing: it would be the same)"
    before, after = _compared(old), _compared(new)
    if before is None or after is None:
        return f"(not shown: {_why_not(old, new)})"
    changes = list(unified_diff(before, after, "now", "then", n=2))[2:]
    plus = sum(line.startswith("+") for line in changes)
    minus = sum(line.startswith("-") for line in changes)
    shown = [_narrow(line) for line in changes[:DIFF_LINES]]
    if len(changes) > DIFF_LINES:
        shown.append(f"(and {len(changes) - DIFF_LINES} more lines of the difference)")
    return "\n".join((f"{plus} line{'' if plus == 1 else 's'} added, {minus} removed", *shown))


def card(facts: Facts, zone: str) -> tuple[Line, ...]:
    """The lines of a card, a receipt or a notice; ``before`` of the facts has what it takes."""
    del zone
    before = facts.before
    path = facts.args["path"]
    lines = [Line(label="File", value=path)]
    if before["version"]:
        lines.append(Line(label="Now", value=_said(before["size"], before["head"])))
        lines.append(Line(label="Written by", value=_writer(before)))
    else:
        lines.append(Line(label="Now", value="nothing"))
    lines.append(Line(label="Then", value=_then(facts)))
    if before["diff"]:
        lines.append(Line(label="Change", value=before["diff"]))
    lines.append(Line(label="Can be read by", value=_READERS[scope_of(path)]))
    return (*lines, Line(label="Undo", value=_undo(path, before["version"])))


def _compared(data: bytes) -> Sequence[str] | None:
    text = as_text(data) if len(data) <= COMPARED else None
    lines = lines_of(text[0]) if text else []
    return lines if text and len(lines) <= COMPARED_LINES else None


def _why_not(*both: bytes) -> str:
    if any(len(data) <= COMPARED and as_text(data) is None for data in both):
        return "one of them is no text"
    return "there is too much to compare"


def _narrow(line: str) -> str:
    ended = line.removesuffix("\n")
    over = len(ended) - WIDTH
    return f"{ended[:WIDTH]} (and {over} more characters)" if over > 0 else ended


def _said(size: int, head: str) -> str:
    return f"{said_size(size)}\n{head}"


def _then(facts: Facts) -> str:
    before: dict[str, Any] = facts.before
    if before["gone"]:
        return "nothing; it is deleted"
    return _said(facts.size, before["then"])


def _writer(before: dict[str, Any]) -> str:
    """Whose words are there now, as far as the rows know."""
    return {
        "owner": "you",
        "assistant": "the assistant",
    }.get(before["origin"], "the assistant, with words of others in view")


def _undo(path: str, version: int) -> str:
    kept = f"version {version} is kept" if version else "it can be deleted again"
    if scope_of(path) is Scope.PRIVATE:
        return f"yes: {kept}"
    return f"yes: {kept}; what others have read by then they have read"
