"""Show a change to a file: what is there, what would be, and who can read it.

The card is cut to what can be looked at, and says where; the details are whole.
"""

from collections.abc import Sequence
from difflib import unified_diff
from typing import Any

from assistant.domain.calls.call import Facts
from assistant.domain.conversation.deliveries import Line
from assistant.domain.files.paths import scope_of
from assistant.domain.files.version import Scope
from assistant.domain.limits import MiB
from assistant.tools.files.bytes import as_text, lines_of, said_size

HEAD_LINES = 5
DIFF_LINES = 60
WIDTH = 160
"""Characters of one line."""
COMPARED_LINES = 1_500
"""More lines are not compared: the time it takes grows with their square."""
COMPARED = MiB // 4
"""Bytes; more are not compared either."""

_NOT_SHOWN = "(not shown"
TOO_LARGE = f"{_NOT_SHOWN}: there is too much to compare)"
_NO_NEWLINE = "\\ No newline at end of file"

_READERS = {
    Scope.PRIVATE: "you alone",
    Scope.SHARED: "you, and those whom you let in",
    Scope.PUBLIC: "anybody",
}


def head_of(data: bytes) -> str:
    """Show the first lines, or say what it is where it is not text."""
    text = as_text(data)
    if text is None:
        return f"({said_size(len(data))} that are no text: see details)"
    lines = lines_of(text[0])
    return _first(lines, HEAD_LINES) if lines else "(empty)"


def difference(old: bytes, new: bytes) -> str:
    """Make a whole unified diff below a line that counts, or say why there is none."""
    if old == new:
        return "(nothing: it would be the same)"
    before, after = _compared(old), _compared(new)
    if before is None or after is None:
        return f"{_NOT_SHOWN}: {_why_not(old, new)})"
    changes = list(unified_diff(before, after, "now", "then", n=2))[2:]
    plus = sum(line.startswith("+") for line in changes)
    minus = sum(line.startswith("-") for line in changes)
    counted = f"{plus} line{'' if plus == 1 else 's'} added, {minus} removed"
    return "\n".join((counted, *map(_written, changes)))


def card(facts: Facts, zone: str) -> tuple[Line, ...]:
    """Make the lines of a card, a receipt or a notice, from ``Facts.before`` alone."""
    del zone
    before = facts.before
    path = facts.args["path"]
    lines = [Line(label="File", value=path)]
    if before["version"]:
        lines.append(Line(label="Now", value=_said(before["size"], before["head"])))
        lines.append(Line(label="Written by", value=writer_of(before)))
    else:
        lines.append(Line(label="Now", value="nothing"))
    lines.append(Line(label="Then", value=_then(facts)))
    if before["diff"] and before["version"] and not before["gone"]:
        lines.append(Line(label="Change", value=_shortened(before["diff"])))
    lines.append(Line(label="Can be read by", value=_READERS[scope_of(path)]))
    return (*lines, Line(label="Undo", value=_undo(path, before["version"])))


def details(facts: Facts, zone: str) -> tuple[Line, ...]:
    """Show all that an approval covers; the content to be written is among the arguments."""
    del zone
    before, path = facts.before, facts.args["path"]
    now, then = "nothing", "nothing; it is deleted"
    if before["version"]:
        told = _identified(before["size"], before["sha256"])
        read = f"assistant files get {path} --version {before['version']}"
        now = f"version {before['version']}, {told}, written by {writer_of(before)} ({read})"
    if not before["gone"]:
        then = _identified(facts.size, before.get("becomes", ""))
    lines = [Line(label="There now", value=now), Line(label="There then", value=then)]
    if before["diff"]:
        lines.append(Line(label="Difference", value=before["diff"]))
    return (
        *lines,
        Line(label="Becomes version", value=str(before["follows"] + 1)),
        Line(label="Can be read by", value=_READERS[scope_of(path)]),
        Line(label="Undo", value=_undo(path, before["version"])),
    )


def _identified(size: int, sha256: str) -> str:
    return f"{said_size(size)}, SHA-256 {sha256 or 'unknown'}"


def _compared(data: bytes) -> Sequence[str] | None:
    """Split into lines, bytes that are not UTF-8 as digits; None for what cannot be compared."""
    if len(data) > COMPARED or as_text(data) is None:
        return None
    lines = lines_of(data.decode(errors="backslashreplace"))
    return lines if len(lines) <= COMPARED_LINES else None


def _written(line: str) -> str:
    """Write a line of a diff; as in GNU diff, an unchanged empty one is empty."""
    ended = line.removesuffix("\n")
    whole = ended if line.endswith("\n") else f"{line}\n{_NO_NEWLINE}"
    return "" if whole == " " else whole


def _why_not(*both: bytes) -> str:
    if any(len(data) <= COMPARED and as_text(data) is None for data in both):
        return "one of them is no text"
    return "there is too much to compare"


def _shortened(diff: str) -> str:
    """Keep the line that counts and the first lines of the diff, or why there is none."""
    if diff.startswith(_NOT_SHOWN):
        return f"{diff.removesuffix(')')}; see details)"
    counted, *changes = diff.split("\n")
    return "\n".join((counted, *([_first(changes, DIFF_LINES)] if changes else [])))


def _first(lines: Sequence[str], most: int) -> str:
    shown = [_narrow(line) for line in lines[:most]]
    over = len(lines) - most
    if over > 0:
        shown.append(f"… {over} more line{'' if over == 1 else 's'}: see details")
    return "\n".join(shown)


def _narrow(line: str) -> str:
    ended = line.removesuffix("\n")
    over = len(ended) - WIDTH
    return f"{ended[:WIDTH]}… {over} more characters: see details" if over > 0 else ended


def _said(size: int, head: str) -> str:
    return f"{said_size(size)}\n{head}"


def _then(facts: Facts) -> str:
    before: dict[str, Any] = facts.before
    if before["gone"]:
        return "nothing; it is deleted"
    return _said(facts.size, before["then"])


def writer_of(before: dict[str, Any]) -> str:
    """Say who wrote what is there now, as far as the rows know."""
    return {
        "owner": "you",
        "assistant": "the assistant",
    }.get(before["origin"], "the assistant, with words of others in view")


def _undo(path: str, version: int) -> str:
    kept = f"version {version} is kept" if version else "it can be deleted again"
    if scope_of(path) is Scope.PRIVATE:
        return f"yes: {kept}"
    return f"yes: {kept}; what others have read by then they have read"
