"""Tell whether the box of an element, with all that is in it, is hidden from view."""

import re
from collections.abc import Callable

from ingest.html.css.declarations import four_sides
from ingest.html.css.lengths import number, pixels

FAINT = 0.1
"""Less opaque than this is not seen at all."""
_THIN = 3.0
"""A box of so few pixels shows no text."""
_AWAY = 500.0
"""So many pixels left of the view or above it, a box is outside."""
_FAR = 3_000.0
"""So many pixels to the right, as well."""
_CLIPPED = frozenset({"hidden", "clip", "scroll", "auto", "overlay"})
_OUT_OF_FLOW = frozenset({"absolute", "fixed"})
_CELLS = frozenset({
    "table", "table-row", "table-cell", "table-row-group", "table-header-group",
    "table-footer-group", "inline-table",
})  # fmt: skip
_CALL = re.compile(r"([a-z0-9]{1,20})\(([^()]{0,300})\)")
_SHRUNK = 0.1
_NEARLY_ALL = 99
"""So many percent of a box cut away leave nothing to read."""

Get = Callable[[str], str]


def hides_box(d: dict[str, str], display: str, em: float) -> bool:
    """Return whether declarations hide an element that is displayed like this.

    A box cannot be told to be covered by another one, as nothing is laid out here.
    """
    if not d:
        return False
    if display == "none":
        return True
    out_of_flow = d.get("position") in _OUT_OF_FLOW
    inline = display == "inline" and not out_of_flow and d.get("float", "none") == "none"
    if not inline and (
        _is_transformed_away(d, em)
        or _is_clipped_to_nothing(d, display, em)
        or d.get("content-visibility") == "hidden"
    ):
        return True
    return (
        _is_off_screen(d, em, out_of_flow=out_of_flow)
        or _is_cut_away(d, em, out_of_flow=out_of_flow)
        or _is_filtered(d)
    )


def _is_clipped_to_nothing(d: dict[str, str], display: str, em: float) -> bool:
    wide, high = d.get("overflow-x") in _CLIPPED, d.get("overflow-y") in _CLIPPED
    if not (wide or high) or display in _CELLS:  # a table grows with what is in it
        return False
    if _is_thin(d, ("width", "max-width"), "min-width", em):
        return True
    if _size(d, "padding-top", em) + _size(d, "padding-bottom", em) > _THIN:
        return False  # what overflows is seen in the padding
    if _is_thin(d, ("height", "max-height"), "min-height", em):
        return True
    flat = pixels(d["line-height"], em, em) if "line-height" in d else None
    if flat is not None and not d["line-height"][-1:].isalpha() and "%" not in d["line-height"]:
        flat *= em
    return flat is not None and flat <= 1 and d.get("height", "auto") == "auto"


def _is_thin(d: dict[str, str], names: tuple[str, ...], least: str, em: float) -> bool:
    sizes = [pixels(d[name], em) for name in names if name in d]
    smallest = min((size for size in sizes if size is not None), default=None)
    return smallest is not None and max(smallest, _size(d, least, em)) <= _THIN


def _size(d: dict[str, str], name: str, em: float) -> float:
    return pixels(d[name], em) or 0.0 if name in d else 0.0


def _is_off_screen(d: dict[str, str], em: float, *, out_of_flow: bool) -> bool:
    if _size(d, "margin-left", em) <= -_AWAY or _size(d, "margin-top", em) <= -_AWAY:
        return True
    left, top, right, bottom = (_size(d, side, em) for side in ("left", "top", "right", "bottom"))
    if out_of_flow:
        return (
            min(left, top, right, bottom) <= -_AWAY
            or max(left, right) >= _FAR
            or max(top, bottom) >= 5 * _FAR
        )
    if d.get("position") not in {"relative", "sticky"}:
        return False
    return min(left, top) <= -_AWAY or max(left, right, bottom) >= _FAR


def _is_cut_away(d: dict[str, str], em: float, *, out_of_flow: bool) -> bool:
    if out_of_flow and d.get("clip", "").startswith("rect("):
        inside = d["clip"].removeprefix("rect(").rstrip(") ").replace(",", " ")
        if _is_empty_clip([pixels(word, em) for word in inside.split()]):
            return True
    path = _CALL.match(d.get("clip-path", ""))
    return path is not None and _is_empty_shape(path[1], path[2], em)


def _is_empty_clip(sides: list[float | None]) -> bool:
    match sides:
        case [top, right, bottom, left]:
            high = top is not None and bottom is not None and bottom - top <= _THIN
            return high or (right is not None and right - (left or 0.0) <= _THIN)
    return False


def _is_empty_shape(shape: str, inside: str, em: float) -> bool:
    words = inside.partition("round")[0].partition(" at ")[0]
    if shape == "inset":
        cut = {side: pixels(word, em, 100) or 0.0 for side, word in four_sides(words).items()}
        high, wide = (
            cut.get("top", 0) + cut.get("bottom", 0),
            cut.get("left", 0) + cut.get("right", 0),
        )
        return "%" in words and max(high, wide) >= _NEARLY_ALL
    if shape in {"circle", "ellipse"}:
        sizes = [pixels(word, em) for word in words.split()]
        return any(size is not None and size <= 1 for size in sizes)
    if shape == "polygon":
        return len({" ".join(point.split()) for point in inside.split(",")}) == 1
    return False


def _is_transformed_away(d: dict[str, str], em: float) -> bool:
    return (
        any(
            _is_away(name, inside.split(","), em)
            for name, inside in _CALL.findall(d.get("transform", "")[:1_000])
        )
        or _is_away("scale", d.get("scale", "").split(), em)
        or _is_away("translate", d.get("translate", "").split(), em)
    )


def _is_away(name: str, words: list[str], em: float) -> bool:
    if name.startswith("scale"):
        factors = [number(word) for word in words[:2]]
        return name != "scalez" and any(
            factor is not None and abs(factor) < _SHRUNK for factor in factors
        )
    if name.startswith("translate"):
        moves = [pixels(word, em, _AWAY / 2) or 0.0 for word in words[:2]]
        return name != "translatez" and any(move <= -_AWAY or move >= _FAR for move in moves)
    if name in {"rotatex", "rotatey"}:
        angle = words[0].strip().removesuffix("deg")
        turned = number(angle)
        return turned is not None and abs(turned % 180 - 90) < 1
    return name == "matrix" and _is_matrix_away([number(word) or 0.0 for word in words])


def _is_matrix_away(values: list[float]) -> bool:
    match values:
        case [a, b, c, d, x, y]:
            flat = abs(a * d - b * c) < _SHRUNK**2
            return flat or min(x, y) <= -_AWAY or max(x, y) >= _FAR
    return False


def _is_filtered(d: dict[str, str]) -> bool:
    for name, inside in _CALL.findall(d.get("filter", "")[:1_000]):
        if name == "opacity" and (number(inside) or 0.0) < FAINT:
            return True
    return False
