"""Turn the leaves of a mail into text, as a person reads it."""

from collections.abc import Callable
from time import process_time

from ingest.html.seen import HIDDEN_TEXTS, SeenText, seen_text
from ingest.html.stripping import strip_tags
from ingest.mime.charsets import decode
from ingest.mime.flowed import unflow
from ingest.mime.parts import MimePart
from ingest.parsing.invitations import words_of_calendar
from ingest.text import visible

BLANK = 100
"""Bytes or characters of a plain text that may be blanks and letters that nobody sees."""
DETECTED = 10
"""The texts of one mail whose character set is detected where none is named; it takes time."""
_LINE_ENDS = (("\r\n", "\n"), ("\r", "\n"), ("\0", ""))
_PGP = "-----BEGIN PGP MESSAGE-----"
ENCRYPTED_PGP = "it is encrypted (PGP)"

FromHtml = Callable[[str, float], SeenText]
"""Reads HTML in at most so many seconds of computing."""


def from_html(source: str, seconds: float) -> SeenText:
    return seen_text(source, seconds=seconds)


class TextReader:
    """Reads the texts of one mail within its computing time for HTML."""

    def __init__(self, html_seconds: float, read_html: FromHtml = from_html) -> None:
        self.hidden: list[str] = []
        self.hidden_words = 0
        self.defects: list[str] = []
        self._left = html_seconds
        self._read_html = read_html
        self._detected = 0
        self._seen: dict[int, tuple[MimePart, SeenText]] = {}
        """By the identity of the leaf, which is held here so that no other one gets it."""

    def read(self, part: MimePart) -> str:
        """Return the words of a leaf: HTML as it is seen, anything else as plain text."""
        return self.html(part) if part.kind == "text/html" else self.plain(part)

    def plain(self, part: MimePart) -> str:
        text = self._decoded(part)
        named = part.parameters.named
        if part.kind in {"text/enriched", "text/richtext"}:
            text = strip_tags(text)
        elif named.get("format", "").strip().lower() == "flowed":
            text = unflow(text, delsp=named.get("delsp", "").strip().lower() == "yes")
        text = text.strip()
        if text.startswith(_PGP):
            self.defects.append(ENCRYPTED_PGP)
        if len(text) <= BLANK and not visible(text).strip():
            return ""
        return text

    def html(self, part: MimePart) -> str:
        seen = self.seen(part)
        self._take(seen)
        return seen.text

    def seen(self, part: MimePart) -> SeenText:
        """Return what is seen of an HTML leaf, without noting what is hidden in it."""
        known = self._seen.get(id(part))
        if known is None:
            seen = self._read(self._decoded(part, html=True))
            known = self._seen[id(part)] = (part, seen)
        return known[1]

    def calendar(self, part: MimePart) -> str:
        return words_of_calendar(self._decoded(part))

    def source(self, part: MimePart) -> str:
        """Return a leaf decoded, without noting what is wrong with it; of HTML, with its tags."""
        return decode(part.data, part.charset, html=part.kind == "text/html", detect=False).text

    def html_apart(self, source: bytes) -> str:
        """Return what is seen of HTML that is no leaf of its own."""
        found = decode(source, None, html=True)
        seen = self._read(_tidy(found.text))
        self._take(seen)
        return seen.text

    def _read(self, source: str) -> SeenText:
        began = process_time()
        seen = self._read_html(source, max(self._left, 0.0))
        self._left -= process_time() - began
        return seen._replace(text=_tidy(seen.text).strip())

    def _take(self, seen: SeenText) -> None:
        self.hidden += seen.hidden[: HIDDEN_TEXTS - len(self.hidden)]
        self.hidden_words += seen.hidden_words
        self._note("text/html", seen.defects)

    def _decoded(self, part: MimePart, *, html: bool = False) -> str:
        self._detected += 1
        detect = self._detected <= DETECTED
        found = decode(part.data, part.charset, html=html, detect=detect)
        self._note(part.kind, found.defects)
        return _tidy(found.text)

    def _note(self, where: str, defects: tuple[str, ...]) -> None:
        self.defects += (f"{where}: {defect}" for defect in defects)


def _tidy(text: str) -> str:
    """Return text with one kind of line ends, without zeros, which Postgres does not store."""
    for written, meant in _LINE_ENDS:
        text = text.replace(written, meant)
    return text
