"""Tell what a person sees of an HTML mail from what is hidden in it."""

import re
import time
from collections.abc import Callable
from typing import NamedTuple

from assistant.domain.text.invisible import without_invisible
from ingest.html.budget import CpuBudget
from ingest.html.building import read_tree
from ingest.html.css.sheet import Sheet
from ingest.html.css.styles import Styles
from ingest.html.reading import read
from ingest.html.stripping import strip_tags

HTML_CHARACTERS = 500_000
"""Longer HTML is cut."""
TEXT_CHARACTERS = 1_000_000
"""Longer text is cut: links and marks of quotes can make it longer than its HTML."""
HIDDEN_TEXTS = 200
HIDDEN_CHARACTERS = 20_000
"""The most that is kept of hidden text, in all. All of it is counted."""
UNKNOWN = "its hidden text could not be told apart"
_WORD = re.compile(r"\w+(?:['\u2019]\w+)*")


class SeenText(NamedTuple):
    """One HTML text, as a mail program shows it."""

    text: str
    """What is seen: paragraphs, lists, rows as ``a | b``, quotes behind ``> ``, links as
    ``[words](address)``."""
    hidden: tuple[str, ...]
    """The pieces that are not seen, in their order."""
    hidden_words: int
    """How many hidden words do not stand in the text that is seen as well."""
    defects: tuple[str, ...]


def seen_text(
    source: str, *, seconds: float = 1.0, clock: Callable[[], float] = time.process_time
) -> SeenText:
    """Return what a person sees of this HTML, and apart from it what is hidden.

    The main view counts: a wide screen, light, without scripts; not a print, a phone or a dark
    view. Nothing is loaded or laid out, so some ways to hide cannot be told: text under another
    element, in a font without shapes, or in the colour of a picture. Text over a picture is seen.
    What a style sheet adds (``content``) is not read.

    After ``seconds`` of ``clock``, or where a signal raises ``TimeoutError``, the tags are stripped
    instead, and a defect says so. Raises nothing but ``MemoryError`` and a second ``TimeoutError``.
    """
    defects = []
    if len(source) > HTML_CHARACTERS:
        defects.append(f"only the first {HTML_CHARACTERS} characters of its HTML were read")
        source = source[:HTML_CHARACTERS]
    source = source.replace("\0", "")
    try:
        return _seen(source, CpuBudget(seconds, clock), defects)
    except TimeoutError:
        why = "its HTML took too long to read as it is shown"
    except RecursionError:
        why = "its HTML could not be read as it is shown"
    text = strip_tags(source)[:TEXT_CHARACTERS]
    return SeenText(text, (), 0, (*defects, f"{why}: {UNKNOWN}"))


def _seen(source: str, budget: CpuBudget, defects: list[str]) -> SeenText:
    document = read_tree(source, budget)
    sheet = Sheet(document.styles, budget)
    if sheet.is_cut:
        defects = [*defects, "only a part of its style was read, so hidden text may be shown"]
    styles = Styles(sheet, quirks=document.quirks)
    writer, pieces = read(document, styles, budget)
    text = writer.text(TEXT_CHARACTERS)
    budget.check()
    hidden = [words for piece in pieces if (words := _tidy(piece))]
    return SeenText(text, _bounded(hidden), _count_unseen(hidden, text), tuple(defects))


def _tidy(piece: str) -> str:
    return " ".join(without_invisible(piece).split())


def _bounded(hidden: list[str]) -> tuple[str, ...]:
    kept: list[str] = []
    left = HIDDEN_CHARACTERS
    for words in hidden[:HIDDEN_TEXTS]:
        if left <= 0:
            break
        kept.append(words[:left])
        left -= len(words)
    return tuple(kept)


def _count_unseen(hidden: list[str], text: str) -> int:
    """Count the hidden words that are nowhere seen.

    Newsletters repeat their first sentence for the list of mails, and hold a copy of parts for
    phones. To count those would give nearly each of them a warning.
    """
    if not hidden:
        return 0
    seen = set(_words(without_invisible(text)))
    return sum(word not in seen for words in hidden for word in _words(words))


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())
