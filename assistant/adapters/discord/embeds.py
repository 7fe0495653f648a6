"""Render what code says as an embed; cut what does not fit, and say how much was cut.

Limits: https://docs.discord.com/developers/resources/message#embed-object-embed-limits
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from wcwidth import iter_graphemes

from assistant.adapters.discord.text import escaped, legible, one_line, units
from assistant.domain.conversation.deliveries import Line, Row, Shown, ShownKind, Tone

MOST = 6_000
"""The most characters of a whole embed, markup and escapes included."""
MOST_FIELDS = 25
_TITLE = 256
_NAME = 256
"""The most characters of a warning and of a small line."""

_COLOUR = {
    ShownKind.CARD: 0xF1C40F,
    ShownKind.RECEIPT: 0x2ECC71,
    ShownKind.MAIL: 0x1ABC9C,
    ShownKind.NOTICE: 0xE91E63,
}
_ACCENT = {
    Tone.WAITS: 0xF0B232,
    Tone.DONE: 0x23A559,
    Tone.DENIED: 0x80848E,
    Tone.REPLACED: 0x80848E,
    Tone.FAILED: 0xF23F43,
    Tone.DANGER: 0xF23F43,
}
_ALERT = "\N{HEAVY EXCLAMATION MARK SYMBOL} "
"""Begins a warning: red wherever it is shown, as an embed has no red letters."""
_EMPTY = "*empty*"
"""The value of an empty field, which Discord requires. Outside text is never in italics."""


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
"""From the most that Discord accepts for each part down to what certainly fits."""


class Embed:
    """An embed that is being built, which remembers whether it was cut."""

    def __init__(self, colour: int, *, rest: str) -> None:
        """``rest``: where what is cut can be read, such as ``press Details``."""
        self.json: dict[str, Any] = {"color": colour}
        self.cut = False
        self._rest = rest

    def text(
        self,
        text: str,
        most: int,
        *,
        write: Callable[[str], str] = escaped,
        apart: str = " ",
        mark: str = "*",
    ) -> str:
        """Return outside text as literal characters, or its beginning and the count of the rest.

        Args:
            text: the text, unchanged.
            most: the most UTF-16 code units of the result.
            write: turns a legible character into markup.
            apart: the text before the count.
            mark: the markup around the count.
        """
        clean = legible(text)
        if units(whole := write(clean)) <= most:
            return whole
        self.cut = True
        room = most - units(f"{apart}{self._more(len(clean), mark)}")
        kept = 0
        for character in iter_graphemes(clean):
            room -= units(write(character))
            if room < 0:
                break
            kept += len(character)
        return f"{write(clean[:kept])}{apart}{self._more(len(clean) - kept, mark)}"

    def plain(self, text: str, most: int) -> str:
        """Return outside text for a part in which Discord reads no markup."""
        return self.text(text, most, write=str, mark="")

    def quote(self, text: str, most: int) -> str:
        """Return outside text as a quotation, with the count of the rest outside it."""
        return "> " + self.text(text, most - len("> "), write=quoted, apart="\n")

    def field(self, line: Line, sizes: _Sizes) -> None:
        """Add a label and its value, with the moment in the reader's own zone below."""
        moment = f"\n{stamp(line)}" if line.at else ""
        value = self.text(line.value, sizes.value - len(moment)) if line.value.strip() else _EMPTY
        label = self.text(one_line(line.label), sizes.label) or _EMPTY
        self._add(label, f"{value}{moment}")

    def more_fields(self, count: int) -> None:
        self.cut = True
        self._add(f"*… {count} more lines*", self._rest)

    def _add(self, name: str, value: str) -> None:
        self.json.setdefault("fields", []).append({"name": name, "value": value, "inline": False})

    def _more(self, count: int, mark: str) -> str:
        return f"{mark}… {count} more character{'s' if count > 1 else ''}: {self._rest}{mark}"


def stamp(line: Line) -> str:
    """Return a line's moment or time span, in the reader's own zone; empty without one.

    https://docs.discord.com/developers/reference#message-formatting-timestamp-styles
    """
    if line.at is None:
        return ""
    at = int(line.at.timestamp())
    return f"<t:{at}:F>{_end(line.at, line.until)} (<t:{at}:R>)"


def _end(at: datetime, until: datetime | None) -> str:
    """Return the end of a span: within a day, only the time."""
    if until is None:
        return ""
    style = "t" if until - at < timedelta(days=1) else "F"
    return f" to <t:{int(until.timestamp())}:{style}>"


def quoted(text: str) -> str:
    """Return a legible text for use in a quotation."""
    return escaped(text).replace("\n", "\n> ")


def embed(shown: Shown, *, rest: str) -> Embed:
    """Return the embed that shows the most of it."""
    for sizes in _SIZES:
        made = _made(shown, sizes, rest)
        if length(made.json) <= MOST:
            break
    return made


def length(json: Mapping[str, Any]) -> int:
    """Count the characters that Discord's limit for an embed counts."""
    texts = [json.get("title", ""), json.get("description", "")]
    texts += [json.get("author", {}).get("name", ""), json.get("footer", {}).get("text", "")]
    texts += [text for field in json.get("fields", ()) for text in (field["name"], field["value"])]
    return sum(units(text) for text in texts)


def author(shown: Shown) -> str:
    """Return who wrote it, if not the assistant."""
    if shown.kind is ShownKind.MAIL:
        return "Mail from outside"
    return "Words from outside" if shown.outside else ""


def _made(shown: Shown, sizes: _Sizes, rest: str) -> Embed:
    if shown.tone:
        return _at_a_glance(shown, shown.tone, sizes, rest)
    made = Embed(_COLOUR.get(shown.kind, 0), rest=rest)
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


def _at_a_glance(shown: Shown, tone: Tone, sizes: _Sizes, rest: str) -> Embed:
    """Lay out a warning, what, when or where, and a small line, from the top to the bottom."""
    made = Embed(_ACCENT[tone], rest=rest)
    if shown.warning:
        said = made.plain(one_line(shown.warning), _NAME - len(_ALERT))
        made.json["author"] = {"name": f"{_ALERT}{said}"}
    made.json["title"] = made.text(one_line(shown.title), _TITLE) or _EMPTY
    text = legible(shown.text).strip()
    room = sizes.description // (len(shown.rows) + 1)
    lines = [made.text(text, room)] if text else []
    lines += [_row(made, row, room - 1) for row in shown.rows]
    if described := "\n".join(lines).strip():
        made.json["description"] = described
    _add_fields(made, shown.fields, sizes)
    if shown.small:
        made.json["footer"] = {"text": made.plain(one_line(shown.small), _NAME)}
    if len(made.json) == 1:
        made.json["description"] = _EMPTY
    return made


def _row(made: Embed, row: Row, most: int) -> str:
    """Return a row in one line, with what no longer is so struck through."""
    room = most // 3 - len(" ~~~~ ")
    parts = [
        made.text(one_line(row.name), room),
        f"~~{made.text(one_line(row.was), room)}~~" if row.was.strip() else "",
        made.text(one_line(row.text), room),
    ]
    return " ".join(filter(None, parts))


def _add_fields(made: Embed, lines: Sequence[Line], sizes: _Sizes) -> None:
    shown = lines if len(lines) <= MOST_FIELDS else lines[: MOST_FIELDS - 1]
    for line in shown:
        made.field(line, sizes)
    if beyond := len(lines) - len(shown):
        made.more_fields(beyond)
