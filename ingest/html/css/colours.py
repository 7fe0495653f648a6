"""Read the colours of CSS and of old attributes, and tell whether two can be told apart."""

import re
from typing import NamedTuple

from tinycss2 import color4

_HEX = re.compile(r"#?(?:[0-9a-f]{3}|[0-9a-f]{6})")
_LONGEST = 100
_DIGITS = 2
"""The digits of one part of a colour."""
_DARK = 0.0031308
"""Where the curve of sRGB begins: below, light is in proportion."""
_READABLE = 1.3
"""Text of a smaller contrast (WCAG 2, from 1 to 21) is not read; small print in grey has 2.8."""
_DISTINCT = 40.0
"""Colours as bright as each other are told apart by their hue: yellow on white is 85 away."""


class Colour(NamedTuple):
    """Red, green and blue from 0 to 255, and how opaque it is from 0 to 1."""

    red: float
    green: float
    blue: float
    alpha: float = 1.0


BLACK = Colour(0, 0, 0)
WHITE = Colour(255, 255, 255)
LINK = Colour(0, 0, 238)
NOTHING = Colour(0, 0, 0, 0)


def read_colour(value: str) -> Colour | None:
    """Read a colour of CSS, in lower case; None if it is none."""
    if len(value) > _LONGEST:
        return None
    if value.startswith("#") and _HEX.fullmatch(value):
        return _from_hex(value[1:])
    try:
        found = color4.parse_color(value)
        if found is None or isinstance(found, str):
            return None
        red, green, blue = _in_srgb(found)
        return Colour(_part(red), _part(green), _part(blue), _unit(found.alpha))
    except (ValueError, TypeError, ArithmeticError, NotImplementedError, RecursionError):
        return None


def read_old_colour(value: str) -> Colour | None:
    """Read a colour of an attribute such as ``bgcolor``, which forgives nearly everything."""
    word = value.strip().lower()[:_LONGEST]
    if not word or word == "transparent":
        return None
    if _HEX.fullmatch(word):
        return _from_hex(word.removeprefix("#"))
    if named := read_colour(word):
        return named
    digits = re.sub(r"[^0-9a-f]", "0", word.removeprefix("#"))
    # WHATWG HTML, "rules for parsing a legacy color value".
    digits = digits.ljust(-(-len(digits) // 3) * 3, "0") or "000"
    third = len(digits) // 3
    parts = [digits[start : start + third][-8:] for start in range(0, len(digits), third)]
    while len(parts[0]) > _DIGITS and all(part[0] == "0" for part in parts):
        parts = [part[1:] for part in parts]
    return Colour(*(int(part[:2], 16) for part in parts))


def is_unreadable(ink: Colour, alpha: float, ground: Colour) -> bool:
    """Return whether nobody reads text of this colour, so opaque, on this ground."""
    painted = _over(ink, ink.alpha * alpha, ground)
    light, dark = sorted((_luminance(painted), _luminance(ground)), reverse=True)
    return (light + 0.05) / (dark + 0.05) < _READABLE and _distance(painted, ground) < _DISTINCT


def over(colour: Colour, ground: Colour) -> Colour:
    """Return what one sees where a colour is painted on an opaque ground."""
    return colour if colour.alpha >= 1 else _over(colour, colour.alpha, ground)


def _over(colour: Colour, alpha: float, ground: Colour) -> Colour:
    return Colour(*(g + (c - g) * alpha for c, g in zip(colour[:3], ground[:3], strict=True)))


def _from_hex(digits: str) -> Colour:
    if len(digits) < 3 * _DIGITS:
        digits = "".join(digit * 2 for digit in digits)
    return Colour(int(digits[:2], 16), int(digits[2:4], 16), int(digits[4:], 16))


def _in_srgb(found: color4.Color) -> tuple[float, float, float]:
    if found.space in {"lab", "lch"}:
        x, y, z = found.to("xyz-d50").coordinates
        x, z = x * 0.9505 / 0.9642, z * 1.0891 / 0.8251  # from the white of D50 to that of D65
    elif found.space in {"oklab", "oklch", "xyz-d65"}:
        x, y, z = found.to("xyz-d65").coordinates
    else:
        red, green, blue = found.to("srgb").coordinates
        return red, green, blue
    return (
        _gamma(3.2406 * x - 1.5372 * y - 0.4986 * z),
        _gamma(-0.9689 * x + 1.8758 * y + 0.0415 * z),
        _gamma(0.0557 * x - 0.2040 * y + 1.0570 * z),
    )


def _gamma(part: float) -> float:
    return 12.92 * part if part <= _DARK else float(1.055 * part ** (1 / 2.4) - 0.055)


def _part(value: float | None) -> float:
    return 255 * _unit(value)


def _unit(value: float | None) -> float:
    return min(max(float(value or 0), 0.0), 1.0)


def _luminance(colour: Colour) -> float:
    red, green, blue = (_linear(part / 255) for part in colour[:3])
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(part: float) -> float:
    return part / 12.92 if part <= 12.92 * _DARK else float(((part + 0.055) / 1.055) ** 2.4)


def _distance(one: Colour, other: Colour) -> float:
    red, green, blue = (a - b for a, b in zip(one[:3], other[:3], strict=True))
    return float((0.3 * red**2 + 0.59 * green**2 + 0.11 * blue**2) ** 0.5)
