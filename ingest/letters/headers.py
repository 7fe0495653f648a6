"""Read the header that a mail program copies above a forwarded or quoted message.

Anybody can write such a header in a text: what it says is a claim.
"""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from assistant.domain.mail.letter import LetterKind
from ingest.letters.dates import names_a_moment
from ingest.letters.lines import TextLine
from ingest.letters.tables import (
    CC,
    FROM,
    LABELS,
    LANGUAGES,
    LONGEST_LABEL,
    OTHER,
    SENT,
    SUBJECT,
    TO,
    WIDE_COLON,
)

_MOST_LINES = 40
_LABEL = 60
"""A colon behind these characters ends no label."""
_DECORATION = " *_|\t•"
_VALUE = 2_000
_WRAPPED = 20
_COLONS = 40
_SURE_LABEL = 4
"""A label of so many letters is one without a blank before it, too."""


class LetterHeading(NamedTuple):
    """The lines above a letter, read. Anybody can write them."""

    kind: LetterKind
    end: int
    """The line behind it."""
    depth: int
    """How often the lines of the letter are quoted."""
    fields: dict[str, str]
    defects: tuple[str, ...] = ()
    ends_one: bool = False
    """Whether it ends the forwarded message above it."""


class CopiedHeader(NamedTuple):
    """A header that was copied into a text: anybody can write one."""

    fields: dict[str, str]
    """By the field's name in ``tables``; only those that were there."""
    end: int
    """The line behind it."""


def label(bare: str) -> tuple[str, str] | None:
    """Return the field and the value of a header line, if it is one: ``*Von:* Ann``."""
    head = bare[:_LABEL]
    place = head.find(":")
    wide = head.find(WIDE_COLON)
    if place < 0 or 0 <= wide < place:
        place = wide
    if place < 0:
        return None
    field = LABELS.get(head[:place].strip(_DECORATION).casefold())
    if field is None:
        return None
    return field, bare[place + 1 :].strip(_DECORATION)


def copied_header(lines: Sequence[TextLine], start: int) -> CopiedHeader | None:
    """Read a header that begins at this line, or return None.

    Takes lines of one quoting, with one empty line between them at most, and wrapped values. A
    field that comes a second time ends it, as it is of another message.
    """
    depth = lines[start].depth
    fields: dict[str, str] = {}
    current, wrapped, place, stacked = "", 0, start, False
    last = min(len(lines), start + _MOST_LINES)
    while place < last:
        line = lines[place]
        if line.bare and line.depth != depth:
            break
        found = label(line.bare)
        if found and found[0] in fields and found[0] != OTHER:
            break
        if found:
            current, fields[found[0]] = found[0], found[1][:_VALUE]
            wrapped = 0
        elif not line.bare:
            if not _goes_on(lines, place + 1, depth, fields):
                break
        elif (
            current
            and wrapped < _WRAPPED
            and (
                (not fields[current] and (stacked or current == FROM))
                or _is_wrapped(lines, place, current, fields)
            )
        ):
            # A table whose values stand below their labels shows it at its From.
            stacked = stacked or (current == FROM and not fields[FROM])
            joined = f"{fields[current]} {line.bare.strip(_DECORATION)}".strip()
            fields[current] = joined[:_VALUE]
            wrapped += 1
        else:
            break
        place += 1
    return CopiedHeader(fields, place) if fields else None


def run_together(words: str) -> dict[str, str] | None:
    """Read a header that was run together on one line, as the plain text of Yahoo Mail has it.

    Only labels of one language count, so that a word with a colon in a subject ends nothing.
    """
    said = words[:_VALUE]
    folded = said.casefold()
    if len(folded) != len(said):
        return None
    found = [
        hit
        for place in islice((at for at, char in enumerate(folded) if char == ":"), _COLONS)
        for hit in _labels_before(folded, place)
    ]
    best: dict[str, str] = {}
    for language in dict.fromkeys(hit.language for hit in found):
        hits: dict[str, _Label] = {}
        for hit in found:
            if hit.language == language:
                hits.setdefault(hit.field, hit)
        first, *later = hits.values()
        if first.start != 0 or len(hits) <= len(best):
            continue
        ends = [hit.start for hit in later] + [len(said)]
        best = {
            hit.field: said[hit.value : end].strip(_DECORATION)
            for hit, end in zip(hits.values(), ends, strict=True)
        }
    return best if FROM in best and len(best) > 1 else None


class _Label(NamedTuple):
    language: int
    field: str
    start: int
    value: int


def _labels_before(said: str, colon: int) -> Iterator[_Label]:
    """Yield the longest label of each language that ends at the colon."""
    end = colon - 1 if said[colon - 1 : colon] == " " else colon
    seen: set[int] = set()
    for start in range(max(0, end - LONGEST_LABEL), end):
        name = said[start:end]
        if start and len(name) < _SURE_LABEL and said[start - 1].isalpha():
            continue  # the end of another word; what is run together is an address or a date
        for language, field in LANGUAGES.get(name, ()):
            if field != OTHER and language not in seen:
                seen.add(language)
                yield _Label(language, field, start, colon + 1)


def is_a_message_header(fields: dict[str, str]) -> bool:
    """Return whether these fields, with no marker above them, are of a message.

    A train ticket has From, To and Date as well, but no subject and no address in From. What has
    no address has at least a date with a year or a time.
    """
    if FROM not in fields or SENT not in fields:
        return False
    has_address = "@" in fields[FROM]
    if not has_address and not names_a_moment(fields[SENT]):
        return False
    return SUBJECT in fields or (TO in fields and has_address)


def is_below_a_marker(fields: dict[str, str]) -> bool:
    """Return whether these fields, below a marker, are of a message."""
    return len(fields) > 1 and (FROM in fields or SUBJECT in fields)


def _goes_on(lines: Sequence[TextLine], place: int, depth: int, fields: dict[str, str]) -> bool:
    """Return whether a header with empty lines between its lines goes on here."""
    if place >= len(lines) or lines[place].depth != depth:
        return False
    found = label(lines[place].bare)
    return found is not None and found[0] != OTHER and found[0] not in fields


def _is_wrapped(
    lines: Sequence[TextLine], place: int, current: str, fields: dict[str, str]
) -> bool:
    """Return whether this line belongs to the value of the header line above."""
    value, line = fields[current], lines[place]
    if line.indented or value.endswith((",", ";")):
        return True
    if not value:
        return False  # an empty subject, and the text begins
    if current in {FROM, TO, CC} and line.bare.startswith("<"):
        return True
    return _goes_on(lines, place + 1, line.depth, fields)
