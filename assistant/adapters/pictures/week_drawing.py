"""Draw a week as SVG: a column for each day, readable where the picture is small."""

from collections.abc import Iterable
from datetime import date
from typing import NamedTuple
from xml.etree import ElementTree as ET

from assistant.adapters.pictures.lanes import Placed, placed
from assistant.adapters.pictures.lettering import FAMILY, drawable, fits, fitted
from assistant.domain.calendar.agenda import say_change, say_piece, say_week
from assistant.domain.calendar.week import BlockKind, Day, Week

WIDTH = 800
_LEFT, _COLUMN = 38, 108
_STEP = 12
"""Columns and hours are multiples of it, as the hatch is: such a picture takes half the bytes."""
_HEAD = 58
_DAYS = 56
_WHOLE = 27
_MOST_WHOLE = 3
_FOOT = 46
_TALLEST_HOUR, _TALLEST_GRID = 60, 864
_FIRST, _LAST = 8, 18
"""The hours that are drawn if nothing is earlier or later."""
_TEXT, _LINE = 17, 19
_PAD = 6
_NOTE = 32
"""Characters that there is room for beside the legend."""
_NARROW = 40
"""A shape of this width has no room for words."""

_INK, _SOFT, _RULE, _NOW = "#1b1f24", "#5c6570", "#dfe3e8", "#d1242f"
_WEEKEND = "#f5f6f8"
_TODAY = "#1f5fbf"


class _Look(NamedTuple):
    fill: str
    edge: str
    dashes: str = ""


_LOOKS = {
    BlockKind.BUSY: _Look("#dde2e8", "#79838f"),
    BlockKind.OWN: _Look("#cfe2ff", "#1f5fbf"),
    BlockKind.PROPOSED: _Look("url(#hatch)", "#b35900", "6 4"),
}
_LEGEND = ((BlockKind.BUSY, "Busy"), (BlockKind.OWN, "Made here"), (BlockKind.PROPOSED, "Proposed"))


def drawing(week: Week, *, worded: bool = True) -> str:
    """Return the SVG of a week. Only its text elements hold words of an event.

    Args:
        week: what to draw.
        worded: whether to write titles and times into the events.
    """
    return _Drawing(week, worded=worded).made()


class _Drawing:
    def __init__(self, week: Week, *, worded: bool) -> None:
        self.week = week
        tops = [piece.top for day in week.days for piece in day.pieces]
        bottoms = [piece.bottom for day in week.days for piece in day.pieces]
        self.first = min(_FIRST, min(tops, default=24 * 60) // 60)
        self.last = max(_LAST, -(-max(bottoms, default=0) // 60))
        self.hour = min(_TALLEST_HOUR, _TALLEST_GRID // (self.last - self.first) // _STEP * _STEP)
        rows = min(_MOST_WHOLE, max(len(day.all_day) for day in week.days))
        self.changes = [words for day in week.days if (words := say_change(day))]
        self.days_at = _HEAD + (22 if self.changes else 0)
        self.whole_at = self.days_at + _DAYS
        self.grid_at = self.whole_at + rows * _WHOLE + (6 if rows else 0)
        self.bottom = self.grid_at + (self.last - self.first) * self.hour
        self.height = self.bottom + _FOOT
        self.worded = worded
        self.clips = 0
        self.root = ET.Element(
            "svg",
            xmlns="http://www.w3.org/2000/svg",
            width=str(WIDTH),
            height=str(self.height),
            viewBox=f"0 0 {WIDTH} {self.height}",
        )

    def made(self) -> str:
        self._hatch()
        self._box(0, 0, WIDTH, self.height, fill="#ffffff")
        self._heading()
        for n, day in enumerate(self.week.days):
            self._column(n, day)
        self._hours()
        for n, day in enumerate(self.week.days):
            self._whole_days(n, day)
            for place in placed(day.pieces):
                self._event(n, place)
        self._now()
        self._legend()
        return ET.tostring(self.root, encoding="unicode")

    def _hatch(self) -> None:
        pattern = ET.SubElement(
            ET.SubElement(self.root, "defs"),
            "pattern",
            id="hatch",
            width=str(_STEP),
            height=str(_STEP),
            patternUnits="userSpaceOnUse",
        )
        ET.SubElement(pattern, "rect", width=str(_STEP), height=str(_STEP), fill="#fff4e0")
        stripes = ET.SubElement(pattern, "path", d="M-3 3 3 -3M-3 15 15 -3M9 15 15 9")
        stripes.set("stroke", "#ffd79a")
        stripes.set("stroke-width", "4")

    def _heading(self) -> None:
        self._text(say_week(self.week), 14, 38, size=27, bold=True)
        self._text(self.week.zone, WIDTH - 12, 37, size=18, fill=_SOFT, anchor="end")
        for words in self.changes[:1]:
            self._text(words, 14, 64, size=18, fill=_NOW)

    def _column(self, n: int, day: Day) -> None:
        x, middle = self._x(n), self._x(n) + _COLUMN / 2
        if day.day.weekday() > 4:  # noqa: PLR2004
            self._box(x, self.days_at, _COLUMN, self.bottom - self.days_at, fill=_WEEKEND)
        today = self._is_today(day.day)
        ink = _TODAY if today else _INK
        self._text(f"{day.day:%a}", middle, self.days_at + 20, size=18, fill=ink, anchor="middle")
        if today:
            self._box(middle - 21, self.days_at + 24, 42, 29, fill=_TODAY, rx="14")
        self._text(
            str(day.day.day),
            middle,
            self.days_at + 47,
            size=24,
            fill="#ffffff" if today else _INK,
            anchor="middle",
            bold=True,
        )
        self._rule(x, self.days_at + 6, x, self.bottom)

    def _hours(self) -> None:
        for hour in range(self.first, self.last + 1):
            y = self._y(hour * 60)
            self._rule(_LEFT, y, _LEFT + 7 * _COLUMN, y)
            label = y + (16 if hour == self.first else 6)
            if hour < self.last and (self.hour >= 36 or hour % 2 == 0):  # noqa: PLR2004
                self._text(f"{hour:02}", _LEFT - 8, label, size=18, fill=_SOFT, anchor="end")

    def _whole_days(self, n: int, day: Day) -> None:
        most = _MOST_WHOLE if len(day.all_day) <= _MOST_WHOLE else _MOST_WHOLE - 1
        for row, block in enumerate(day.all_day[:most]):
            self._bar(n, row, block.name, _LOOKS[block.kind])
        if len(day.all_day) > most:
            self._bar(n, most, f"+{len(day.all_day) - most} more", _Look("#ffffff", _SOFT))

    def _bar(self, n: int, row: int, words: str, look: _Look) -> None:
        x, y = self._x(n) + 2, self.whole_at + row * _WHOLE
        self._shape(x, y, _COLUMN - 4, _WHOLE - 3, look)
        self._words([words], x, y, _COLUMN - 4, _WHOLE - 3)

    def _event(self, n: int, place: Placed) -> None:
        width = (_COLUMN - 4) // place.lanes
        x, y = self._x(n) + 2 + place.lane * width, self._y(place.top) + 1
        height = self._y(place.bottom) - y - 1
        if place.piece is None:
            self._shape(x, y, width - 2, height, _Look(_LOOKS[BlockKind.BUSY].fill, _SOFT, "2 3"))
            middle, line = x + width / 2 - 1, min(y + 18, y + height / 2 + 6)
            self._text(f"+{place.more}", middle, line, size=15, anchor="middle")
            return
        block = place.piece.block
        self._shape(x, y, width - 2, height, _LOOKS[block.kind])
        start = say_piece(place.piece).partition("–")[0]
        start = start if fits(start, size=_TEXT, width=width - 2 - _PAD) else ""
        one_line = height < 2 * _LINE + 4
        words = [block.title or start] if one_line else [start, block.title]
        self._words(words, x, y, width - 2, height)

    def _words(self, parts: Iterable[str], x: float, y: float, width: float, height: float) -> None:
        """Write lines into a shape, as many as fit, clipped to it."""
        room = max(1, int((height - 2) // _LINE)) if width > _NARROW and self.worded else 0
        lines: list[str] = []
        for part in parts:
            lines += fitted(part, size=_TEXT, width=width - _PAD - 2, lines=room - len(lines))
        if not lines:
            return
        group = self._clipped(x, y, width, height)
        top = y + (height - _LINE) / 2 + 1 if height < _LINE + 6 else y + 4
        for n, line in enumerate(lines):
            self._text(line, x + _PAD, top + n * _LINE + 14, size=_TEXT, within=group)

    def _now(self) -> None:
        now = self.week.now
        if now is None:
            return
        minutes = now.hour * 60 + now.minute
        if not self.first * 60 <= minutes <= self.last * 60:
            return
        n = next(n for n, day in enumerate(self.week.days) if day.day == now.date())
        x, y = self._x(n), self._y(minutes)
        self._box(x, y - 1.5, _COLUMN, 3, fill=_NOW)
        ET.SubElement(self.root, "circle", cx=_n(x), cy=_n(y), r="6", fill=_NOW)

    def _legend(self) -> None:
        x, y = float(_LEFT), self.bottom + 14
        for kind, words in _LEGEND:
            self._shape(x, y, 42, 20, _LOOKS[kind])
            self._text(words, x + 50, y + 16, size=18, fill=_SOFT)
            x += 162
        notes = [f"{self.week.left_out} more not shown"] if self.week.left_out else []
        notes += [*self.week.limits, *([] if self.worded else ["titles: see text"])]
        note = ", ".join(notes)
        note = note if len(note) <= _NOTE else "not all is shown: see text"
        self._text(note, WIDTH - 12, y + 16, size=18, fill=_SOFT, anchor="end")

    def _is_today(self, day: date) -> bool:
        return self.week.now is not None and self.week.now.date() == day

    def _x(self, n: int) -> float:
        return _LEFT + n * _COLUMN

    def _y(self, minutes: float) -> float:
        return self.grid_at + (minutes / 60 - self.first) * self.hour

    def _shape(self, x: float, y: float, width: float, height: float, look: _Look) -> None:
        box = self._box(x, y, width, height, fill=look.fill, rx="4", stroke=look.edge)
        if look.dashes and width > _NARROW:
            box.set("stroke-dasharray", look.dashes)
            box.set("stroke-width", "2")
        elif not look.dashes:
            self._box(x, y, 4, height, fill=look.edge, rx="2")

    def _box(self, x: float, y: float, width: float, height: float, **looks: str) -> ET.Element:
        place = {"x": _n(x), "y": _n(y), "width": _n(width), "height": _n(height)}
        return ET.SubElement(self.root, "rect", place | looks)

    def _rule(self, x: float, y: float, to_x: float, to_y: float) -> ET.Element:
        ends = {"x1": _n(x), "y1": _n(y), "x2": _n(to_x), "y2": _n(to_y)}
        return ET.SubElement(self.root, "line", ends, stroke=_RULE)

    def _clipped(self, x: float, y: float, width: float, height: float) -> ET.Element:
        self.clips += 1
        clip = ET.SubElement(self.root, "clipPath", id=f"c{self.clips}")
        ET.SubElement(clip, "rect", x=_n(x), y=_n(y), width=_n(width), height=_n(height))
        group = ET.SubElement(self.root, "g")
        group.set("clip-path", f"url(#c{self.clips})")
        return group

    def _text(
        self,
        words: str,
        x: float,
        y: float,
        *,
        size: int,
        fill: str = _INK,
        anchor: str = "start",
        bold: bool = False,
        within: ET.Element | None = None,
    ) -> None:
        text = ET.SubElement(self.root if within is None else within, "text", x=_n(x), y=_n(y))
        text.set("font-family", FAMILY)
        text.set("font-size", str(size))
        text.set("fill", fill)
        text.set("text-anchor", anchor)
        if bold:
            text.set("font-weight", "700")
        text.text = drawable(words)


def _n(number: float) -> str:
    """Write a coordinate, the same on every machine."""
    return f"{number:.1f}"
