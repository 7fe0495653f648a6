"""Take the prefixes off a subject that programs put before it: ``Fwd:``, ``AW:``, ``Re[2]:``."""

from enum import StrEnum

from ingest.letters.tables import COLONS, FORWARD_PREFIXES, REPLY_PREFIXES

_LONGEST = 20
_COUNTER = " []()^*0123456789"


class SubjectKind(StrEnum):
    """What the first prefix of a subject says of the mail."""

    FORWARD = "forward"
    REPLY = "reply"
    NEITHER = "neither"


def bare_subject(subject: str) -> str:
    """Return the subject without prefixes of forwards and replies, however many there are."""
    start, end = _trimmed(subject, 0, len(subject))
    while True:
        if found := _prefix(subject, start, end):
            start, end = _trimmed(subject, found[1], end)
        elif _is_bracketed(subject, start, end):
            start, end = _trimmed(subject, start + 1, end - 1)
        else:
            return subject[start:end]


def subject_kind(subject: str) -> SubjectKind:
    """Say whether the outermost prefix is one of a forward or one of a reply."""
    start, end = _trimmed(subject, 0, len(subject))
    if _is_bracketed(subject, start, end):
        start += 1
    found = _prefix(subject, start, end)
    return found[0] if found else SubjectKind.NEITHER


def _trimmed(subject: str, start: int, end: int) -> tuple[int, int]:
    while start < end and subject[start].isspace():
        start += 1
    while end > start and subject[end - 1].isspace():
        end -= 1
    return start, end


def _is_bracketed(subject: str, start: int, end: int) -> bool:
    """Return whether it is written ``[Fwd: Rent]``, as old programs do."""
    if subject[start : start + 1] != "[" or subject[end - 1 : end] != "]":
        return False
    return _prefix(subject, start + 1, end - 1) is not None


def _prefix(subject: str, start: int, end: int) -> tuple[SubjectKind, int] | None:
    """Return what the prefix at this place says and where it ends, or None."""
    head = subject[start : min(end, start + _LONGEST)]
    ends = [found for found in (head.find(colon) for colon in COLONS) if found > 0]
    if not ends:
        return None
    name = head[: min(ends)].rstrip(_COUNTER).casefold()
    after = start + min(ends) + 1
    if name in FORWARD_PREFIXES:
        return SubjectKind.FORWARD, after
    if name in REPLY_PREFIXES:
        return SubjectKind.REPLY, after
    return None
