"""Find messages that were forwarded in the text, by what mail programs write above them.

email-forward-parser 0.1.3 knows as many programs, but takes 15 seconds of CPU for 5,000 empty
lines and gives one message alone; so the lines are read here, each once, over tables.
"""

from collections.abc import Sequence
from enum import Enum

from assistant.domain.mail.letter import LetterKind
from assistant.domain.text.subjects import SubjectKind, subject_kind
from ingest.letters.headers import (
    LetterHeading,
    copied_header,
    is_a_message_header,
    is_below_a_marker,
    label,
    run_together,
)
from ingest.letters.lines import TextLine
from ingest.letters.tables import (
    BEGIN_MARKERS,
    COLONS,
    END_MARKERS,
    FORWARD_MARKERS,
    FROM,
    ORIGINAL_MARKERS,
)

_RULES = frozenset("-–—=_+")
_DASHES = "".join(sorted(_RULES)) + "* "
_COLON_ENDS = "".join(COLONS) + " "
_LONGEST_MARKER = 120
_SHORTEST_RULE = 10
"""Outlook draws 32 underscores; some programs cut them."""
_EMPTY_LINES = 4
"""The most empty lines between a marker and its header."""
NO_HEADER = "nothing below the line that announces this message says who wrote it"
AFTER_END = "it stands below a line that ends a forwarded message: who wrote it is not known"


class Marker(Enum):
    FORWARD = "forward"
    BEGIN = "begin"
    ORIGINAL = "original"
    END = "end"
    RULE = "rule"
    """What is a marker only if a header of a message stands below it."""


def marker(bare: str) -> tuple[Marker, str] | None:
    """Return the marker that this line is, with what a program ran together behind it."""
    if len(bare) > _LONGEST_MARKER and not bare.startswith("--"):
        return None
    core = bare.strip(_DASHES)
    if not core:
        is_rule = len(bare) >= _SHORTEST_RULE and bare.count("_") == len(bare)
        return (Marker.RULE, "") if is_rule else None
    in_dashes = bare.lstrip("* ")[:1] in _RULES
    if core.endswith(COLONS):
        words = core[:-1].strip(_DASHES).casefold()
        if words in BEGIN_MARKERS:
            return Marker.BEGIN, ""
        if words in FORWARD_MARKERS and not in_dashes:
            return Marker.RULE, ""  # MailMate; only the header below makes it one
    return _between_dashes(core) if in_dashes else None


def _between_dashes(core: str) -> tuple[Marker, str] | None:
    if found := _KINDS.get(core.rstrip(_COLON_ENDS).casefold()):
        return found, ""
    words, dashes, rest = core.partition("--")
    if dashes and (found := _KINDS.get(words.strip(_DASHES).casefold())):
        return found, rest.strip(_DASHES)
    return None


_KINDS = {
    **dict.fromkeys(FORWARD_MARKERS, Marker.FORWARD),
    **dict.fromkeys(BEGIN_MARKERS, Marker.BEGIN),
    **dict.fromkeys(ORIGINAL_MARKERS, Marker.ORIGINAL),
    **dict.fromkeys(END_MARKERS, Marker.END),
}


def forward_heading(
    lines: Sequence[TextLine], place: int, subject: str, *, otherwise: LetterKind
) -> LetterHeading | None:
    """Read the heading of a forwarded message, or of one quoted with its header, at this line.

    Args:
        lines: the lines of the text.
        place: where the heading would begin.
        subject: the subject of the letter that it stands in.
        otherwise: the kind of a message with a bare header, where the subject does not say it.
    """
    line = lines[place]
    found = marker(line.bare)
    by_subject = _by_subject(subject, otherwise)
    if found is None:
        heading = label(line.bare)
        if heading is None or heading[0] != FROM:
            return None
        return _headed(lines, place, line.depth, by_subject, strict=True)
    kind, rest = found
    if kind is Marker.END:
        return LetterHeading(
            LetterKind.INLINE_FORWARD, place + 1, line.depth, {}, (AFTER_END,), ends_one=True
        )
    meant = by_subject if kind in {Marker.ORIGINAL, Marker.RULE} else LetterKind.INLINE_FORWARD
    fields = run_together(rest) or {} if rest else {}
    if not rest:
        headed = _headed_below(lines, place, meant, strict=kind is Marker.RULE)
        if headed or kind is Marker.RULE:
            return headed
    return LetterHeading(meant, place + 1, line.depth, fields, () if fields else (NO_HEADER,))


def _headed_below(
    lines: Sequence[TextLine], place: int, kind: LetterKind, *, strict: bool
) -> LetterHeading | None:
    """Read the header below a marker. It may be quoted where the marker is not."""
    for below in range(place + 1, min(len(lines), place + _EMPTY_LINES + 2)):
        if lines[below].bare:
            depth = lines[below].depth
            if depth - lines[place].depth not in {0, 1}:
                return None
            return _headed(lines, below, depth, kind, strict=strict)
    return None


def _headed(
    lines: Sequence[TextLine], place: int, depth: int, kind: LetterKind, *, strict: bool
) -> LetterHeading | None:
    header = copied_header(lines, place)
    if header is None:
        return None
    if strict:
        is_one = is_a_message_header(header.fields)
        return LetterHeading(kind, header.end, depth, header.fields) if is_one else None
    if set(header.fields) == {FROM} and (fields := run_together(lines[place].bare)):
        return LetterHeading(kind, place + 1, depth, fields)
    if is_below_a_marker(header.fields):
        return LetterHeading(kind, header.end, depth, header.fields)
    return None


def _by_subject(subject: str, otherwise: LetterKind) -> LetterKind:
    kind = subject_kind(subject)
    if kind is SubjectKind.FORWARD:
        return LetterKind.INLINE_FORWARD
    if kind is SubjectKind.REPLY:
        return LetterKind.QUOTED_REPLY
    return otherwise
