"""Read the declarations of CSS that decide whether text is seen."""

import re
from typing import NamedTuple

import tinycss2

from ingest.html.css.colours import read_colour
from ingest.html.css.lengths import number, pixels

DISPLAYS = frozenset({
    "none", "inline", "block", "inline-block", "flex", "inline-flex", "grid", "inline-grid",
    "table", "inline-table", "table-row", "table-cell", "table-row-group", "table-header-group",
    "table-footer-group", "table-caption", "table-column", "table-column-group", "list-item",
    "contents", "flow-root", "run-in", "-webkit-box", "-webkit-inline-box",
})  # fmt: skip
_ASIS = frozenset({
    "position", "white-space", "mso-hide", "content-visibility", "float", "clip", "clip-path",
    "-webkit-clip-path", "transform", "-webkit-transform", "-ms-transform", "scale", "translate",
    "rotate", "filter", "-webkit-filter", "background-clip", "-webkit-background-clip",
    "text-shadow", "background-image", "zoom",
})  # fmt: skip
_LENGTHS = frozenset({
    "width", "height", "max-width", "max-height", "min-width", "min-height", "left", "top",
    "right", "bottom", "text-indent", "letter-spacing", "line-height", "margin-left", "margin-top",
    "padding-top", "padding-bottom",
})  # fmt: skip
_COLOURS = frozenset({"color", "background-color", "-webkit-text-fill-color"})
_KEYWORDS = frozenset({"inherit", "initial", "unset", "revert", "revert-layer"})
_SAME = {
    "block-size": "height", "inline-size": "width", "max-block-size": "max-height",
    "max-inline-size": "max-width", "-webkit-opacity": "opacity", "-moz-opacity": "opacity",
    "inset-inline-start": "left", "inset-block-start": "top", "margin-inline-start": "margin-left",
    "background-clip": "-webkit-background-clip", "-webkit-transform": "transform",
    "-ms-transform": "transform", "-webkit-clip-path": "clip-path", "-webkit-filter": "filter",
}  # fmt: skip
_SIDES = ("top", "right", "bottom", "left")
_OVERFLOWS = frozenset({"visible", "hidden", "clip", "scroll", "auto", "overlay"})
_SIZES = {
    "xx-small": "9px", "x-small": "10px", "small": "13px", "medium": "16px", "large": "18px",
    "x-large": "24px", "xx-large": "32px", "xxx-large": "48px", "smaller": "0.83em",
    "larger": "1.2em",
}  # fmt: skip
_PICTURE = re.compile(r"url\(|gradient\(|image\(|image-set\(|paint\(|element\(|cross-fade\(")
_PLAIN = re.compile(r"[^\"'()\\{}\[\]@/<]*")
_NAME = re.compile(r"-{0,2}[a-z_][a-z0-9_-]{0,60}")
_IMPORTANT = re.compile(r"!\s*important\s*$")
_TOKENS = re.compile(r"[^\s(),/]+(?:\([^()]*(?:\([^()]*\)[^()]*)*\))?|,|/")
LONGEST = 2_000
"""Longer values are not read: no property that hides needs them."""


class Declarations(NamedTuple):
    normal: dict[str, str]
    important: dict[str, str]


NONE = Declarations({}, {})


def read_declarations(css: str) -> Declarations:
    """Read the content of a ``style`` attribute."""
    if _PLAIN.fullmatch(css):  # nearly all are; the same result in a tenth of the time
        return _collected(_plain(css.lower()))
    return collect(tinycss2.parse_blocks_contents(css, skip_comments=True, skip_whitespace=True))


def collect(nodes: list[tinycss2.ast.Node]) -> Declarations:
    """Collect the declarations among parsed nodes; of two of a name, the later one counts."""
    return _collected([
        (node.lower_name, _text(node.value), node.important)
        for node in nodes
        if node.type == "declaration"
    ])  # fmt: skip


def _text(value: list[tinycss2.ast.Node]) -> str:
    if len(value) > LONGEST:
        return ""
    try:
        return str(tinycss2.serialize(value)).strip().lower()
    except RecursionError:
        return ""


def _plain(css: str) -> list[tuple[str, str, bool]]:
    found = []
    for declaration in css.split(";"):
        name, colon, value = declaration.partition(":")
        name = name.strip()
        if not colon or not _NAME.fullmatch(name):
            continue
        important = "!" in value and bool(_IMPORTANT.search(value[-100:]))
        if important:
            value = value[: value.rindex("!")]
        found.append((name, value.strip(), important))
    return found


def _collected(found: list[tuple[str, str, bool]]) -> Declarations:
    normal: dict[str, str] = {}
    important: dict[str, str] = {}
    for name, value, matters in found:
        if value and len(value) <= LONGEST:
            (important if matters else normal).update(longhands(name, value))
    return Declarations(normal, important)


def longhands(name: str, value: str) -> dict[str, str]:
    """Return the properties that a declaration sets, none if a mail program would ignore it."""
    name = _SAME.get(name, name)
    if name.startswith("--") or ("var(" in value and _is_known(name)):
        return {name: value}
    if name in _ASIS or name == "-webkit-background-clip":
        return {name: value}
    if name in _LENGTHS:
        return {name: value} if _is_length(name, value) else {}
    if name in _COLOURS:
        return {name: value} if _is_colour(value) else {}
    read = _SPECIAL.get(name)
    return read(value) if read else {}


def _is_known(name: str) -> bool:
    return name in _ASIS or name in _LENGTHS or name in _COLOURS or name in _SPECIAL


def _is_length(name: str, value: str) -> bool:
    if value in _KEYWORDS or value in {"auto", "none", "normal"}:
        return True
    found = pixels(value, 16)
    return found is not None and (found >= 0 or name not in _NEVER_NEGATIVE)


_NEVER_NEGATIVE = frozenset({"width", "height", "max-width", "max-height", "line-height"})


def _is_colour(value: str) -> bool:
    return value in _KEYWORDS or value == "currentcolor" or _colour(value) is not None


def _colour(value: str) -> object:
    return read_colour(value) or (read_colour(f"#{value}") if _HASHLESS.fullmatch(value) else None)


_HASHLESS = re.compile(r"[0-9a-f]{3}|[0-9a-f]{6}")


def _display(value: str) -> dict[str, str]:
    if value in DISPLAYS or value in _KEYWORDS:
        return {"display": value}
    return {"display": "block"} if value.startswith(("block ", "inline ")) else {}


def _visibility(value: str) -> dict[str, str]:
    known = value in {"visible", "hidden", "collapse"} or value in _KEYWORDS
    return {"visibility": value} if known else {}


def _opacity(value: str) -> dict[str, str]:
    known = value in _KEYWORDS or number(value) is not None or pixels(value, 16) is not None
    return {"opacity": value} if known else {}


def _font_size(value: str) -> dict[str, str]:
    size = _SIZES.get(value, value)
    found = pixels(size, 16)
    if size in _KEYWORDS or (found is not None and found >= 0):
        return {"font-size": size}
    return {}


def _font(value: str) -> dict[str, str]:
    for word in value.replace("/", " ").split()[:6]:
        if word[0] in "0123456789.+c" or word in _SIZES:
            if word in {"100", "200", "300", "400", "500", "600", "700", "800", "900"}:
                continue  # a weight
            if found := _font_size(word):
                return found
    return {"font-size": "inherit"} if value in _KEYWORDS else {}


def _background(value: str) -> dict[str, str]:
    if value in _KEYWORDS:
        return {"background-color": value, "background-image": value}
    colour = "transparent"
    picture = "none"
    if _PICTURE.search(value):
        picture = value
    for word in _TOKENS.findall(value)[:50]:
        if _is_colour(word):
            colour = word
    return {"background-color": colour, "background-image": picture}


def _overflow(value: str) -> dict[str, str]:
    words = value.split()
    if not words or any(word not in _OVERFLOWS and word not in _KEYWORDS for word in words):
        return {}
    return {"overflow-x": words[0], "overflow-y": words[-1]}


def _one_overflow(name: str, value: str) -> dict[str, str]:
    return {name: value} if value in _OVERFLOWS or value in _KEYWORDS else {}


def four_sides(value: str) -> dict[str, str]:
    """Return the values of four sides, as in ``0 auto``; empty if they are no such values."""
    match value.split():
        case [every]:
            sides = (every, every, every, every)
        case [high, wide]:
            sides = (high, wide, high, wide)
        case [top, wide, bottom]:
            sides = (top, wide, bottom, wide)
        case [top, right, bottom, left]:
            sides = (top, right, bottom, left)
        case _:
            return {}
    return dict(zip(_SIDES, sides, strict=True))


def _margin(value: str) -> dict[str, str]:
    return {
        f"margin-{side}": size
        for side, size in four_sides(value).items()
        if side in {"top", "left"}
    }


def _padding(value: str) -> dict[str, str]:
    return {
        f"padding-{side}": size
        for side, size in four_sides(value).items()
        if side in {"top", "bottom"}
    }


_SPECIAL = {
    "display": _display,
    "visibility": _visibility,
    "opacity": _opacity,
    "font-size": _font_size,
    "font": _font,
    "background": _background,
    "overflow": _overflow,
    "overflow-x": lambda value: _one_overflow("overflow-x", value),
    "overflow-y": lambda value: _one_overflow("overflow-y", value),
    "inset": four_sides,
    "margin": _margin,
    "padding": _padding,
}
