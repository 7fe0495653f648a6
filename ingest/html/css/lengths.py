"""Read the lengths of CSS, in pixels."""

import re

VIEW = (1000.0, 800.0)
"""How wide and high the view of a mail is taken to be, in pixels."""
_PERCENT_OF = 600.0
"""What a percentage is of, where nothing lays out the page: about the width of a newsletter."""
_ROOT = 16.0
_LONGEST = 100
_LENGTH = re.compile(r"([+-]?(?:\d{1,15}(?:\.\d{0,15})?|\.\d{1,15})(?:e[+-]?\d{1,2})?)([a-z]*|%)")
_TERM = re.compile(r"\s([+-])\s")
_FUNCTION = re.compile(r"(calc|min|max|clamp)\(([^()]*)\)")
_PIXELS = {
    "": 1.0, "px": 1.0, "pt": 4 / 3, "pc": 16.0, "in": 96.0, "cm": 96 / 2.54, "mm": 9.6 / 2.54,
    "q": 2.4 / 2.54, "rem": _ROOT, "vw": VIEW[0] / 100, "vh": VIEW[1] / 100,
    "vmin": min(VIEW) / 100, "vmax": max(VIEW) / 100,
}  # fmt: skip


def pixels(value: str, em: float, percent_of: float = _PERCENT_OF) -> float | None:
    """Return a length in pixels, or None for what is no length, such as ``auto``.

    A number without a unit counts as pixels, as browsers read old pages.
    """
    value = value.strip()
    if len(value) > _LONGEST:
        return None
    if found := _LENGTH.fullmatch(value):
        number, unit = float(found[1]), found[2]
        if unit == "%":
            return number * percent_of / 100
        if unit in {"em", "ex", "ch"}:
            return number * em * (1 if unit == "em" else 0.5)
        return number * _PIXELS[unit] if unit in _PIXELS else None
    if found := _FUNCTION.fullmatch(value):
        return _calculated(found[1], found[2], em, percent_of)
    return None


def number(value: str) -> float | None:
    """Return a plain number or a percentage as a number."""
    found = _LENGTH.fullmatch(value.strip()) if len(value) <= _LONGEST else None
    if not found or found[2] not in {"", "%"}:
        return None
    return float(found[1]) / (100 if found[2] else 1)


def _calculated(function: str, inside: str, em: float, percent_of: float) -> float | None:
    found = [_sum(part, em, percent_of) for part in inside.split(",")]
    values = [value for value in found if value is not None]
    if not values or len(values) < len(found):
        return None
    match values:
        case [least, wished, most] if function == "clamp":
            return max(least, min(wished, most))
    return max(values) if function == "max" else min(values)


def _sum(words: str, em: float, percent_of: float) -> float | None:
    first, *rest = _TERM.split(words.strip())
    total = _product(first, em, percent_of)
    for sign, term in zip(rest[::2], rest[1::2], strict=True):
        value = _product(term, em, percent_of)
        if total is None or value is None:
            return None
        total += value if sign == "+" else -value
    return total


def _product(words: str, em: float, percent_of: float) -> float | None:
    total: float | None = None
    for factor in words.split("*"):
        value = pixels(factor, em, percent_of) if "(" not in factor else None
        if value is None:
            return None
        total = value if total is None else total * value
    return total
