"""Cut long output to a limit, and say exactly how much was left out."""

from dataclasses import dataclass

from assistant.domain.text.fence import unclosed


@dataclass(frozen=True, kw_only=True)
class Truncated:
    """A whole text, or its beginning and a line that says how much is missing."""

    text: str
    """What to show: ``kept``, the end of a fence that was cut open, the indicator."""
    kept: str
    """The beginning of the text, unchanged."""
    cut: bool = False
    omitted: str = ""
    """How much was left out, in words: ``120 characters, 3 whole lines among them``."""
    characters: int = 0
    """How many characters were left out; add those of ``kept`` for the total."""
    lines: int = 0
    """How many whole lines were left out; add those of ``kept`` for the total."""


def truncated(
    text: str, *, max_chars: int | None = None, max_lines: int | None = None, whole: str = ""
) -> Truncated:
    """Return the longest beginning of a text that keeps both limits.

    Args:
        text: the output; newlines divide its lines.
        max_chars: the most characters of ``kept``.
        max_lines: the most lines of ``kept``; a line that is cut counts as one.
        whole: where the whole text can be read, such as ``private:/.results/A17.txt``, or empty.
    """
    kept = _first_lines(text, max_lines)
    if max_chars is not None:
        kept = kept[: max(0, max_chars)]
    if len(kept) == len(text):
        return Truncated(text=text, kept=text)
    kept = kept.removesuffix("\n")  # it would begin an empty line that the text does not have
    characters, lines = len(text) - len(kept), _lines(text) - _lines(kept)
    omitted = _describe(characters, lines)
    where = f"; the whole is at {whole}" if whole else ""
    end = f"\n{fence_end}" if (fence_end := unclosed(kept)) else ""
    return Truncated(
        text=f"{kept}{end}\n\n[Output truncated: {omitted} omitted{where}]",
        kept=kept,
        cut=True,
        omitted=omitted,
        characters=characters,
        lines=lines,
    )


def _first_lines(text: str, most: int | None) -> str:
    if most is None:
        return text
    return "\n".join(text.split("\n", most)[:most]) if most > 0 else ""


def _lines(text: str) -> int:
    return text.count("\n") + 1 if text else 0


def _describe(characters: int, lines: int) -> str:
    said = f"{characters} character{'s' if characters > 1 else ''}"
    return f"{said}, {lines} whole line{'s' if lines > 1 else ''} among them" if lines else said
