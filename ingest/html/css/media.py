"""Tell whether rules for some media apply in the main view: a screen, wide and light."""

import re

from ingest.html.css.lengths import VIEW, pixels

_LONGEST = 1_000
_FEATURE = re.compile(r"\(\s*([a-z-]+)\s*(?::\s*([^()]{1,40}?)\s*)?\)")
_RANGE = re.compile(r"\(\s*(width|height)\s*([<>])=?\s*([0-9.]{1,10}[a-z]{1,4})\s*\)")
_SIDES = {"width": VIEW[0], "height": VIEW[1], "device-width": VIEW[0], "device-height": VIEW[1]}
_VALUES = {
    "orientation": "landscape",
    "prefers-color-scheme": "light",
    "prefers-reduced-motion": "no-preference",
    "prefers-contrast": "no-preference",
    "hover": "hover",
    "any-hover": "hover",
    "pointer": "fine",
    "any-pointer": "fine",
    "scripting": "none",
    "forced-colors": "none",
    "inverted-colors": "none",
    "display-mode": "browser",
}
_DENSITIES = frozenset({"resolution", "device-pixel-ratio", "-webkit-device-pixel-ratio"})


def applies(media: str) -> bool:
    """Return whether a list of media queries is true for the main view.

    What only a print, a narrow screen or a dark view hides is seen here.
    """
    words = media.strip().lower()
    if not words:
        return True
    return any(_is_true(query.strip()) for query in words[:_LONGEST].split(","))


def _is_true(query: str) -> bool:
    negated = query.startswith("not ")
    words = query.removeprefix("not ").removeprefix("only ").strip()
    kind = words.split("(", 1)[0].split(" and", 1)[0].strip()
    true = kind in {"", "all", "screen"} and _features(words)
    return true is not negated


def _features(words: str) -> bool:
    sides = [
        _SIDES[side] > (pixels(length, 16) or 0)
        if sign == ">"
        else _SIDES[side] < (pixels(length, 16) or 0)
        for side, sign, length in _RANGE.findall(words)
    ]
    found = [_feature(name, value) for name, value in _FEATURE.findall(words)]
    both = [*sides, *found]
    if not both:
        return "(" not in words
    return any(both) if " or " in words else all(both)


def _feature(name: str, value: str) -> bool:
    bound = next((start for start in ("min-", "max-") if name.startswith(start)), "")
    if name.startswith(("-webkit-min-", "-webkit-max-")):
        bound = name[8:12]
        name = f"{bound}{name[12:]}"
    bare = name.removeprefix(bound)
    if bare in _SIDES:
        length = pixels(value, 16)
        if length is None:
            return not value
        if bound == "min-":
            return _SIDES[bare] >= length
        return _SIDES[bare] <= length if bound == "max-" else _SIDES[bare] == length
    if bare in _DENSITIES:
        length = pixels(re.sub(r"(dppx|x|dpi)$", "", value), 16) or 0
        length = length / 96 if value.endswith("dpi") else length
        return length <= 1 if bound == "min-" else length >= 1
    if name in _VALUES:
        return value in {"", _VALUES[name]}
    return name in {"color", "min-color"}
