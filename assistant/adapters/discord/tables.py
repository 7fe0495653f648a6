"""Turn the tables of a text in markdown into lists: Discord shows a table as its characters."""

import re
from collections.abc import Iterator, Sequence

_RULE = re.compile(r"^[ \t>|:-]*-[ \t>|:-]*$", re.MULTILINE)
"""Finds what may be the line below a table's head."""
_BEFORE = re.compile(r"[ \t>]*")


def listed(text: str) -> str:
    """Return the text with an item for each row of a table: ``- Day: Monday; What: Rent``."""
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    if not any("|" in found[0] for found in _RULE.finditer(plain)):
        return text
    from markdown_it import MarkdownIt  # noqa: PLC0415  # few texts have a table

    lines = plain.split("\n")
    tokens = MarkdownIt("commonmark").enable("table").parse(plain)
    parts: list[tuple[int, int, list[list[str]]]] = []
    for token in tokens:
        if token.type == "table_open" and token.map:
            parts.append((token.map[0], token.map[1], []))
        elif token.type == "tr_open":
            parts[-1][2].append([])
        elif token.type in ("th_open", "td_open"):
            parts[-1][2][-1].append("")
        elif token.type == "inline" and _in_cell(parts, token.map):
            parts[-1][2][-1][-1] = token.content
    for begin, end, rows in reversed(parts):
        before = _BEFORE.match(lines[begin])
        begun = before[0] if before else ""
        lines[begin:end] = [f"{begun}- {row}" for row in _items(rows)]
    return "\n".join(lines)


def _in_cell(parts: Sequence[tuple[int, int, list[list[str]]]], at: Sequence[int] | None) -> bool:
    return bool(parts and at and parts[-1][0] <= at[0] < parts[-1][1])


def _items(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    heads, *more = rows
    if not more:
        yield "; ".join(filter(None, heads))
    for row in more:
        named = [
            ": ".join(filter(None, (head, value)))
            for head, value in zip(heads, row, strict=False)
            if value
        ]
        yield "; ".join(named) or "…"
