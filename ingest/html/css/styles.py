"""Work out how an element is shown: what its parent, its attributes and its rules say."""

from __future__ import annotations

import re
from typing import NamedTuple

from ingest.html.css.boxes import FAINT, hides_box
from ingest.html.css.colours import (
    BLACK,
    LINK,
    NOTHING,
    WHITE,
    Colour,
    is_unreadable,
    over,
    read_colour,
    read_old_colour,
)  # fmt: skip
from ingest.html.css.declarations import LONGEST, NONE, Declarations, longhands, read_declarations
from ingest.html.css.lengths import number, pixels
from ingest.html.css.sheet import Sheet
from ingest.html.tree import Element

TINY = 2.5
"""Text of so few pixels is not read."""
_INDENTED_AWAY = -300.0
_SQUEEZED = -0.8
MARKUP = frozenset({
    "script", "style", "title", "link", "meta", "base", "param", "source", "track", "area",
    "frameset",
})  # fmt: skip
"""What is markup, and never text."""
NEVER_SEEN = frozenset({
    "template", "noframes", "noembed", "iframe", "datalist", "canvas", "rp", "annotation", "defs",
    "desc", "metadata", "symbol", "annotation-xml",
})  # fmt: skip
"""What may hold words that no mail program shows."""
_BLOCKS = frozenset({
    "address", "article", "aside", "blockquote", "body", "center", "dd", "details", "dialog", "dir",
    "div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4",
    "h5", "h6", "header", "hgroup", "hr", "html", "legend", "li", "listing", "main", "marquee",
    "menu", "nav", "ol", "p", "plaintext", "pre", "search", "section", "summary", "ul", "xmp",
    "optgroup", "option", "noscript", "head", "frameset",
})  # fmt: skip
_TABLES = {
    "table": "table", "tr": "table-row", "td": "table-cell", "th": "table-cell",
    "tbody": "table-row-group", "thead": "table-header-group", "tfoot": "table-footer-group",
    "caption": "table-caption", "col": "table-column", "colgroup": "table-column-group",
}  # fmt: skip
_PAINTED = frozenset({"table", "tbody", "thead", "tfoot", "tr", "td", "th", "body", "marquee"})
"""Where ``bgcolor`` means something."""
_PRE = frozenset({"pre", "xmp", "listing", "plaintext", "textarea"})
_KEEPS = frozenset({"pre", "pre-wrap", "pre-line", "break-spaces"})
_INHERITED = frozenset({"inherit", "unset", "revert", "revert-layer"})
_VARIABLE = re.compile(
    r"var\(\s*(--[a-z0-9_-]{1,60})\s*(?:,\s*([^()]{0,100}(?:\([^()]{0,100}\))?))?\)"
)
_COLOUR = re.compile(r"#[0-9a-f]{3,8}\b|(?:rgb|hsl)a?\([^()]{1,60}\)|\b[a-z]{3,20}\b")
_NOT_ALONE = ("url(", "image(", "image-set(", "element(", "paint(", "cross-fade(")
_VARIABLES = 200
_INDIRECT = 3
"""So often one variable may refer to another."""


class Style(NamedTuple):
    """How the text in an element is shown. What only concerns the element itself is not kept."""

    ink: Colour = BLACK
    grounds: tuple[Colour, ...] = (WHITE,)
    """What may be behind the text: several colours for a gradient."""
    on_picture: bool = False
    """Whether a picture is behind it, which is not loaded."""
    alpha: float = 1.0
    size: float = 16.0
    is_visible: bool = True
    is_kept_as_typed: bool = False
    is_away: bool = False
    """Whether its lines begin far outside the view, or its letters cover each other."""
    fill: Colour | None = None
    shadow: bool = False
    variables: tuple[tuple[str, str], ...] = ()


class ShownElement(NamedTuple):
    """What was worked out for one element."""

    style: Style
    display: str
    is_hidden: bool = False
    """Whether it is hidden with all that is in it."""
    only_outlook: bool = False
    """Whether Outlook alone hides it."""
    is_tight: bool = False
    """Whether no margin is above it."""


ROOT = Style()


def hides_text(style: Style) -> bool:
    """Return whether text directly in an element of this style is not seen."""
    if not style.is_visible or style.size <= TINY or style.is_away:
        return True
    ink = style.fill or style.ink
    if ink.alpha * style.alpha < FAINT and not style.shadow:
        return True
    if style.shadow or style.on_picture:
        return False
    return all(is_unreadable(ink, style.alpha, ground) for ground in style.grounds)


class Styles:
    """Works styles out, and remembers what the same words in ``style`` mean."""

    def __init__(self, sheet: Sheet, *, quirks: bool) -> None:
        self._sheet = sheet
        self._quirks = quirks
        self._read: dict[str, Declarations] = {}
        self._colours: dict[str, Colour | None] = {}
        self._unreadable: dict[Style, bool] = {}

    def hides_text(self, style: Style) -> bool:
        """Do the same as the function, once for each style."""
        found = self._unreadable.get(style)
        if found is None:
            found = self._unreadable[style] = hides_text(style)
        return found

    def of(self, element: Element, parent: Style) -> ShownElement:
        """Work out how an element in a parent of this style is shown."""
        d = self._declared(element)
        if any("var(" in value for value in d.values()) or any(n.startswith("--") for n in d):
            parent, d = _with_variables(parent, d)
        display = _display(element, d)
        if not d and element.tag not in _PRE:
            return ShownElement(parent, display, element.tag in NEVER_SEEN)
        style = self._inherited(element, parent, d, display)
        hidden = (
            element.tag in NEVER_SEEN
            or hides_box(d, display, style.size)
            or (style.alpha < FAINT and parent.alpha >= FAINT)
        )
        return ShownElement(style, display, hidden, d.get("mso-hide") == "all", _is_tight(d))

    def _declared(self, element: Element) -> dict[str, str]:
        d = _hints(element) if element.attributes or element.tag in _UNTOLD else {}
        rules = self._sheet.of(element)
        written = element.attributes.get("style")
        own = self._declarations(written) if written else NONE
        if not rules and not own.normal and not own.important:
            return d
        for rule in rules:
            d.update(rule.normal)
        d.update(own.normal)
        for rule in rules:
            d.update(rule.important)
        d.update(own.important)
        return d

    def _declarations(self, written: str) -> Declarations:
        found = self._read.get(written)
        if found is None:
            found = self._read[written] = read_declarations(written)
        return found

    def _inherited(self, element: Element, parent: Style, d: dict[str, str], display: str) -> Style:
        size = _size(d.get("font-size", "inherit"), parent.size)
        zoom = number(d["zoom"]) if "zoom" in d else None
        if zoom and zoom < 1:
            size *= zoom
        ink = self._ink(d.get("color", "inherit"), parent.ink)
        grounds, on_picture = self._ground(d, parent, ink)
        fill = parent.fill
        if "-webkit-text-fill-color" in d:
            word = d["-webkit-text-fill-color"]
            fill = None if word in {"initial", "currentcolor"} else self._ink(word, fill or ink)
        shadow = parent.shadow
        if "text-shadow" in d and d["text-shadow"] not in _INHERITED:
            shadow = self._is_seen_shadow(d["text-shadow"], grounds)
        if "text" in d.get("-webkit-background-clip", "") and (on_picture or len(grounds) > 1):
            shadow = True  # the letters are cut out of the picture or the gradient behind
        return parent._replace(
            ink=ink,
            grounds=grounds,
            on_picture=on_picture,
            fill=fill,
            shadow=shadow,
            size=size,
            alpha=_alpha(d.get("opacity", "1"), parent.alpha),
            is_visible=_visible(d.get("visibility", "inherit"), was=parent.is_visible),
            is_kept_as_typed=_kept(element, d, was=parent.is_kept_as_typed),
            is_away=_away(d, size, display, was=parent.is_away),
        )

    def _colour(self, word: str) -> Colour | None:
        if word not in self._colours:
            found = read_colour(word)
            if found is None and self._quirks and word[:1] != "#":
                found = read_colour(f"#{word}")
            self._colours[word] = found
        return self._colours[word]

    def _ink(self, word: str, was: Colour) -> Colour:
        if word == "initial":
            return BLACK
        return self._colour(word) or was

    def _ground(
        self, d: dict[str, str], parent: Style, ink: Colour
    ) -> tuple[tuple[Colour, ...], bool]:
        grounds, on_picture = parent.grounds, parent.on_picture
        word = d.get("background-color", "transparent")
        colour = ink if word == "currentcolor" else self._colour(word) or NOTHING
        if colour.alpha > 0:
            grounds = tuple(dict.fromkeys(over(colour, ground) for ground in grounds))
            on_picture = on_picture and colour.alpha < 1
        picture = d.get("background-image", "none")
        if "gradient(" in picture:
            found = [c for c in map(self._colour, _COLOUR.findall(picture)[:20]) if c]
            behind = [over(c, ground) for c in found for ground in grounds[:4]]
            grounds = tuple(dict.fromkeys(behind))[:20] or grounds
        if any(call in picture for call in _NOT_ALONE):
            on_picture = True
        return grounds, on_picture

    def _is_seen_shadow(self, value: str, grounds: tuple[Colour, ...]) -> bool:
        colours = [c for c in map(self._colour, _COLOUR.findall(value)[:20]) if c]
        return any(not is_unreadable(c, 1, ground) for c in colours for ground in grounds)


_INK = {"font": "color", "body": "text"}
_OWN = {
    "mark": {"background-color": "#ffff00", "color": "#000000"},
    "button": {"background-color": "#efefef", "color": "#000000", "font-size": "13px"},
}
_UNTOLD = frozenset({*_OWN, "dialog"})


def _hints(element: Element) -> dict[str, str]:
    """Return what tag and attributes say of themselves, which any rule outdoes."""
    attributes, tag = element.attributes, element.tag
    d: dict[str, str] = {}
    if tag == "a" and "href" in attributes:
        d["color"] = _hex(LINK)
    elif tag in _INK:
        _set_colour(d, "color", attributes.get(_INK[tag]))
    elif tag in _OWN:
        d.update(_OWN[tag])
    if tag in _PAINTED:
        _set_colour(d, "background-color", attributes.get("bgcolor"))
        if attributes.get("background", "").strip():
            d["background-image"] = "url()"
    if _is_said_to_be_hidden(element):
        d["display"] = "none"
    if tag == "img":
        for side in ("width", "height"):
            if side in attributes and pixels(attributes[side].lower(), 16) is not None:
                d[side] = attributes[side].lower()
    return d


def _is_said_to_be_hidden(element: Element) -> bool:
    attributes, tag = element.attributes, element.tag
    return (
        "hidden" in attributes
        or "popover" in attributes
        or (tag == "dialog" and "open" not in attributes)
        or (tag == "input" and attributes.get("type", "").lower() == "hidden")
    )


def _set_colour(d: dict[str, str], name: str, written: str | None) -> None:
    colour = read_old_colour(written) if written else None
    if colour:
        d[name] = _hex(colour)


def _hex(colour: Colour) -> str:
    return f"#{int(colour.red):02x}{int(colour.green):02x}{int(colour.blue):02x}"


def _is_tight(d: dict[str, str]) -> bool:
    above = pixels(d["margin-top"], 16) if "margin-top" in d else None
    return above is not None and above <= TINY


def _display(element: Element, d: dict[str, str]) -> str:
    tag = element.tag
    own = _TABLES.get(tag) or ("block" if tag in _BLOCKS else "inline")
    said = d.get("display", own)
    if tag == "img" and said == "inline":
        return "inline-block"
    if said in _INHERITED:
        return own
    return "inline" if said == "initial" else said


def _size(word: str, was: float) -> float:
    if word in _INHERITED:
        return was
    found = pixels(word, was, was)
    return 16.0 if found is None else min(found, 1e6)


def _alpha(word: str, was: float) -> float:
    found = number(word)
    if found is None and word not in _INHERITED:
        found = pixels(word, 1)
    return was if found is None else was * min(max(found, 0.0), 1.0)


def _visible(word: str, *, was: bool) -> bool:
    return was if word in _INHERITED else word in {"visible", "initial"}


def _kept(element: Element, d: dict[str, str], *, was: bool) -> bool:
    if "white-space" in d and d["white-space"] not in _INHERITED:
        return d["white-space"] in _KEEPS
    return was or element.tag in _PRE


def _away(d: dict[str, str], size: float, display: str, *, was: bool) -> bool:
    if "text-indent" in d and display != "inline" and d["text-indent"] not in _INHERITED:
        indent = pixels(d["text-indent"], size) or 0.0
        clipped = d.get("overflow-x", "visible") != "visible"
        was = indent <= _INDENTED_AWAY or (clipped and indent >= -2 * _INDENTED_AWAY)
    if "letter-spacing" in d and d["letter-spacing"] not in _INHERITED:
        spacing = pixels(d["letter-spacing"], size) or 0.0
        was = was if spacing > _SQUEEZED * size else size > 0
    return was


def _with_variables(parent: Style, d: dict[str, str]) -> tuple[Style, dict[str, str]]:
    """Put the values of variables in their places."""
    known = dict(parent.variables)
    known.update({name: value for name, value in d.items() if name.startswith("--")})
    known = dict(list(known.items())[:_VARIABLES])
    read: dict[str, str] = {}
    for name, value in d.items():
        if name.startswith("--"):
            continue
        if "var(" not in value:
            read[name] = value
            continue
        filled = value
        for _ in range(_INDIRECT):
            filled = _VARIABLE.sub(lambda found: known.get(found[1], found[2] or ""), filled)
            filled = filled[:LONGEST]
        read.update(longhands(name, filled.strip()))
    return parent._replace(variables=tuple(known.items())), read
