"""What code tells, as an embed: what does not fit is cut, and what was cut is counted.

Limits: https://docs.discord.com/developers/resources/message#embed-object-embed-limits
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from wcwidth import iter_graphemes

from assistant.adapters.discord.text import escaped, legible, one_line, units
from assistant.domain.conversation.deliveries import Line, Shown, ShownKind

MOST = 6_000
"""Characters of an embed in all; markup and escapes count."""
MOST_FIELDS = 25
_TITLE = 256

_COLOUR = {
    ShownKind.CARD: 0xF1C40F,
    ShownKind.RECEIPT: 0x2ECC71,
    ShownKind.MAIL: 0x1ABC9C,
    ShownKind.NOTICE: 0xE91E63,
}
_EMPTY = "*empty*"
"""Discord takes no field without a value. Others' words cannot be in italics."""


@dataclass(frozen=True)
class _Sizes:
    """The most characters of each part."""

    description: int
    label: int
    value: int


_SIZES = (
    _Sizes(4_096, 256, 1_024),
    _Sizes(4_096, 256, 512),
    _Sizes(3_000, 128, 256),
    _Sizes(2_000, 100, 128),
    _Sizes(1_000, 64, 100),
)
"""From what Discord takes of each part to what surely fits in all."""


class Embed:
    """An embed in the making, which remembers whether it tells all."""

    def __init__(self, kind: ShownKind, *, rest: str) -> None:
        """``rest``: where what is cut can be read, such as ``press Details``."""
        self.json: dict[str, Any] = {"color": _COLOUR.get(kind, 0)}
        self.cut = False
        self._rest = rest

    def text(
        self, text: str, most: int, *, write: Callable[[str], str] = escaped, apart: str = " "
    ) -> str:
        """Others' text as literal characters, or its beginning and how much more there is.

        Args:
            text: as it came.
            most: in UTF-16 code units of what comes of it.
            write: makes markup of a legible character as a reader sees it.
            apart: what stands before the count.
        """
        clean = legible(text)
        if units(whole := write(clean)) <= most:
            return whole
        self.cut = True
        room = most - units(f"{apart}{self._more(len(clean))}")
        kept = 0
        for character in iter_graphemes(clean):
            room -= units(write(character))
            if room < 0:
                break
            kept += len(character)
        return f"{write(clean[:kept])}{apart}{self._more(len(clean) - kept)}"

    def quote(self, text: str, most: int) -> str:
        """Others' text as a quotation; what we say of it stands outside."""
        return "> " + self.text(text, most - len("> "), write=quoted, apart="\n")

    def field(self, line: Line, sizes: _Sizes) -> None:
        """A label and its value, with the moment in the reader's own zone below."""
        moment = f"\n{stamp(line)}" if line.at else ""
        value = self.text(line.value, sizes.value - len(moment)) if line.value.strip() else _EMPTY
        label = self.text(one_line(line.label), sizes.label) or _EMPTY
        self._add(label, f"{value}{moment}")

    def more_fields(self, count: int) -> None:
        self.cut = True
        self._add(f"*… {count} more lines*", self._rest)

    def _add(self, name: str, value: str) -> None:
        self.json.setdefault("fields", []).append({"name": name, "value": value, "inline": False})

    def _more(self, count: int) -> str:
        return f"*… {count} more character{'s' if count > 1 else ''}: {self._rest}*"


def stamp(line: Line) -> str:
    """The moment or the span that a line names, in the reader's own zone; empty without one.

    https://docs.discord.com/developers/reference#message-formatting-timestamp-styles
    """
    if line.at is None:
        return ""
    at = int(line.at.timestamp())
    return f"<t:{at}:F>{_end(line.at, line.until)} (<t:{at}:R>)"


def _end(at: datetime, until: datetime | None) -> str:
    """Within a day, the time alone says which moment it is."""
    if until is None:
        return ""
    style = "t" if until - at < timedelta(days=1) else "F"
    return f" to <t:{int(until.timestamp())}:{style}>"


def quoted(text: str) -> str:
    """A legible text within a quotation."""
    return escaped(text).replace("\n", "\n> ")


def embed(shown: Shown, *, rest: str) -> Embed:
    """The embed that tells most of it."""
    for sizes in _SIZES:
        made = _made(shown, sizes, rest)
        if length(made.json) <= MOST:
            break
    return made


def length(json: Mapping[str, Any]) -> int:
    """Characters that count for the limit of all."""
    texts = [json.get("title", ""), json.get("description", "")]
    texts += [json.get("author", {}).get("name", "")]
    texts += [text for field in json.get("fields", ()) for text in (field["name"], field["value"])]
    return sum(units(text) for text in texts)


def author(shown: Shown) -> str:
    """Who speaks, where that is not us."""
    if shown.kind is ShownKind.MAIL:
        return "Mail from outside"
    return "Words from outside" if shown.outside else ""


def _made(shown: Shown, sizes: _Sizes, rest: str) -> Embed:
    made = Embed(shown.kind, rest=rest)
    title, text = one_line(shown.title), legible(shown.text).strip()  # a control is no blank
    if said := author(shown):
        made.json["author"] = {"name": said}
        parts = [f"> **{made.text(title, _TITLE, write=escaped)}**"] if title else []
        room = sizes.description - sum(map(units, parts)) - 1
        parts += [made.quote(text, room)] if text else []
        description = "\n".join(parts)
    else:
        if title:
            made.json["title"] = made.text(title, _TITLE)
        description = made.text(text, sizes.description)
    _add_fields(made, shown.fields, sizes)
    if description or len(made.json) == 1:
        made.json["description"] = description or _EMPTY
    return made


def _add_fields(made: Embed, lines: Sequence[Line], sizes: _Sizes) -> None:
    shown = lines if len(lines) <= MOST_FIELDS else lines[: MOST_FIELDS - 1]
    for line in shown:
        made.field(line, sizes)
    if beyond := len(lines) - len(shown):
        made.more_fields(beyond)
