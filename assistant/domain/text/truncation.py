"""Long output, cut to a limit; it says what was left out, to the character."""

from dataclasses import dataclass

from assistant.domain.text.fence import unclosed


@dataclass(frozen=True, kw_only=True)
class Truncated:
    """A text, or its beginning and a line that tells of the rest."""

    text: str
    """What is to be shown: ``kept``, the end of a fence that was cut open, the indicator."""
    kept: str
    """The beginning of the whole, as it was."""
    cut: bool = False
    omitted: str = ""
    """In words: ``120 characters, 3 whole lines among them``."""
    characters: int = 0
    """How many were left out; with those of ``kept``, all there were."""
    lines: int = 0
    """How many lines were left out whole; with those of ``kept``, all there were."""


def truncated(
    text: str, *, max_chars: int | None = None, max_lines: int | None = None, whole: str = ""
) -> Truncated:
    """The most of its beginning that keeps both limits.

    Args:
        text: the output; its lines are what newlines divide.
        max_chars: of ``kept``.
        max_lines: of ``kept``; a line that is cut within counts as one.
        whole: where all of it can be read, if anywhere, such as ``private:/.results/A17.txt``.
    """
    kept = _first_lines(text, max_lines)
    if max_chars is not None:
        kept = kept[: max(0, max_chars)]
    if len(kept) == len(text):
        return Truncated(text=text, kept=text)
    kept = kept.removesuffix("\n")  # it would begin a line of which nothing is kept
    characters, lines = len(text) - len(kept), _lines(text) - _lines(kept)
    omitted = _said(characters, lines)
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


def _said(characters: int, lines: int) -> str:
    said = f"{characters} character{'s' if characters > 1 else ''}"
    return f"{said}, {lines} whole line{'s' if lines > 1 else ''} among them" if lines else said
