# ruff: noqa: RUF001 (prefixes in other alphabets)
"""Take the prefixes off a subject that programs put before it: ``Fwd:``, ``AW:``, ``Re[2]:``."""

from enum import StrEnum

_COLONS = (":", "：")


def _words(table: str) -> frozenset[str]:
    return frozenset(table.split())


_FORWARDS = _words(
    "fwd fw wg tr rv i doorst enc pd vb vs vl pdl forw forward weitergeleitet fs videresend "
    "továbbítás továbbítva i̇lt redir redir. 転送 转发 轉寄 пересл transf enviado rvd prosl"
)
_REPLIES = _words(
    "re aw sv antw antwort réf ref r rif res resp odp vá vas ynt svar atb "
    "回复 回覆 答复 返信 отв ответ"
)
"""``VS`` is a Danish forward and a Finnish reply; it counts as a forward."""
_LONGEST = 20
_COUNTER = " []()^*0123456789"
_TAGS = 5
_LONGEST_TAG = 40


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
    """Say whether the outermost prefix is one of a forward or one of a reply.

    Lists, ticket systems and mail servers put words in brackets before it: ``[EXT] Re: Rent``.
    """
    start, end = _trimmed(subject, 0, len(subject))
    for _ in range(_TAGS):
        if (after := _after_tag(subject, start, end)) is None:
            break
        start, end = _trimmed(subject, after, end)
    if _is_bracketed(subject, start, end):
        start += 1
    found = _prefix(subject, start, end)
    return found[0] if found else SubjectKind.NEITHER


def _after_tag(subject: str, start: int, end: int) -> int | None:
    """Return where the words in brackets at this place end, if they are no prefix."""
    if subject[start : start + 1] != "[" or _is_bracketed(subject, start, end):
        return None
    close = subject.find("]", start, min(end, start + _LONGEST_TAG))
    return close + 1 if close > start and "[" not in subject[start + 1 : close] else None


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
    ends = [found for found in (head.find(colon) for colon in _COLONS) if found > 0]
    if not ends:
        return None
    name = head[: min(ends)].rstrip(_COUNTER).casefold()
    after = start + min(ends) + 1
    if name in _FORWARDS:
        return SubjectKind.FORWARD, after
    if name in _REPLIES:
        return SubjectKind.REPLY, after
    return None
