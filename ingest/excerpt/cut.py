"""Cut a mail's text down to what its writer says: no quotes, signatures, legal text, links."""

import re
from collections.abc import Iterator, Sequence

from ingest.excerpt import phrases

READ = 60_000
"""The most characters of a mail that are read."""
LINE = 2_000
"""The most characters of a line that are read."""
_LETTERS = 10
"""The most mails inside one another that are looked into."""
_TOP = 4
"""The least words above an earlier mail that are a mail of their own."""
_HEADER_LINES = 8
_WRAPPED = 50
"""A line that is shorter was not broken by a program."""
_LEGAL_LETTERS = 3_000


def _any(parts: Sequence[str], *, begin: str = "", end: str = "") -> re.Pattern[str]:
    return re.compile(f"{begin}(?:{'|'.join(parts)}){end}", re.IGNORECASE)


_DECOR = r"[\s*_>=~-]{0,80}"
_FORWARDED = _any(phrases.FORWARDED, begin=f"^{_DECOR}", end=r"\b")
_ORIGINAL = _any(phrases.ORIGINAL, begin=f"^{_DECOR}", end=rf"{_DECOR}:?$")
_FROM = _any(phrases.FROM, begin=r"^[\s>*]{0,40}", end=r"\s?\*?:")
_HEADER = _any(phrases.HEADERS, begin=r"^[\s>*]{0,40}", end=r"\s?\*?:")
_WROTE_BEGINS = _any(phrases.WROTE_BEGINS, begin=r"^[\s>]{0,40}", end=r"\s.{0,20}\d")
_WROTE = _any(phrases.WROTE, begin=r"\b", end=r"\b[^.!?]{0,120}:\s*$|\bwrote:")
_QUOTED = re.compile(r"^\s{0,3}>")
_ONE_LEVEL = re.compile(r"^\s{0,3}> ?")
_GREETING = _any(phrases.GREETINGS, begin="^", end=r"\b")
_GREETS = re.compile(r"^(?:[^,!.?:;]{0,60}[,!.:]?|[^!.?:;]{0,80}[,!])$")
_GREETING_BEFORE = _any(phrases.GREETINGS, begin="^", end=r"\b[^,!.?:;\d]{0,40}[,!] (?=\w)")
_CLOSING = _any(phrases.CLOSINGS, begin="^", end=r"\b(?:[,!. ].{0,60}|[^a-z]{0,3})$")
_SHORT_CLOSING = _any(phrases.SHORT_CLOSINGS, begin="^", end=r"[,!. ]{0,3}(?:\w[\w.]{0,20})?[!.]?$")
_NAME = re.compile(r"^[^\W\d_a-z][\w.'-]{0,20}(?: (?:&|and|und|[^\W\d_a-z][\w.'-]{0,20})){0,3}$")
_POSTSCRIPT = _any(phrases.POSTSCRIPTS, begin="^")
_SIGNATURE = re.compile(r"^-- ?$")
_LAST_PART = _any(phrases.LAST_PARTS, begin=r"^[\W_]{0,20}", end=r"[\W_]{0,20}(?:$|:)")
_LEGAL = _any(phrases.LEGAL)
_FOOTER = _any(phrases.FOOTERS)
_DEVICE = _any(phrases.DEVICES, begin=r"^\W{0,5}", end=r".{0,40}$")
_NOTHING = _any(phrases.NOTHING, begin=r"^\W{0,5}", end=r"\W{0,5}$")
_RULE = re.compile(r"^[\W_]*$")
_BULLET = re.compile(
    r"^(?:[-*#\u2022\u2013\u25cf\u25aa\u00b7+>]|\(?\d{1,2}[.)]|\[[ xX]?\])\s{1,8}(?=\S)"
)
_LABEL = re.compile(r"^[^\W\d_][\w äöüß/()&'.-]{0,40}:(?:\s|$)")
_LABEL_ONLY = re.compile(r"^[^\W\d_][\w äöüß/()&'.-]{0,40}:$")
_URL = re.compile(r"(?:https?://|www\.)[^\s<>()\[\]]{1,2000}|<?mailto:[^\s<>()\[\]]{1,300}>?")
_MARKED_LINK = re.compile(r"\[([^\[\]]{0,300})\]\([^()\s]{0,2000}\)")
_LINK_WORDS = 6
_SUBJECT = re.compile(r"^\s*([^\W\d_]{1,15})\s*(?:\[\d{1,3}\])?\s*:", re.IGNORECASE)
_CELLS = re.compile(r"\t| {3,}")


def units(text: str, subject: str = "") -> list[str]:
    """Return what the writer says, as paragraphs and single lines in their order.

    Where somebody hands a mail on, the mail that was handed on counts, not the words above it.
    """
    lines = [line[:LINE].rstrip() for line in text[:READ].splitlines()]
    letter = _body(_letter(lines, subject))
    return [unit for part in _parts(letter) for unit in _joined(part)]


def without_links(text: str) -> str:
    """Return a text with the words of its links, without their addresses."""
    return " ".join(_URL.sub("", _MARKED_LINK.sub(r"\1", text)).replace("()", "").split())


def with_hosts(text: str) -> str:
    """Return a text with the words of its links, and a bare address as the host it leads to."""
    return " ".join(_URL.sub(_host, _MARKED_LINK.sub(r"\1", text)).split())


def is_footer(sentence: str) -> bool:
    return _FOOTER.search(sentence) is not None or _LEGAL.search(sentence) is not None


def without_device(text: str) -> str:
    """Return a text without the lines that a telephone adds: ``Sent from my iPhone``."""
    return "\n".join(one for one in text.splitlines() if not _DEVICE.match(one.strip()[:LINE]))


# Which of the mails inside one another


def _letter(lines: Sequence[str], subject: str) -> Sequence[str]:
    handed_on, answered = _kind_of(subject)
    for _ in range(_LETTERS):
        place, kind = _earlier(lines)
        if kind == "":
            break
        top, below = lines[:place], _below(lines, place)
        if kind == "wrote" and _is_quoted(below) and _has_words(_own(below)):
            return _own([*top, *below])  # answers between the quoted lines
        if kind != "forward" and not handed_on and _says_something(top):
            return _own(top)
        if kind != "forward" and answered and _has_words(top):
            return top
        if not _has_words(below):
            return top
        lines, handed_on, answered = _raised(below), False, False
    return _unquoted(lines)


def _kind_of(subject: str) -> tuple[bool, bool]:
    found = _SUBJECT.match(subject[:100])
    word = found[1].lower() if found else ""
    return word in phrases.FORWARD_SUBJECTS, word in phrases.REPLY_SUBJECTS


def _earlier(lines: Sequence[str]) -> tuple[int, str]:
    """Return where an earlier mail begins, and how it is announced; an empty kind for none."""
    for place, line in enumerate(lines):
        if _FORWARDED.match(line):
            return place, "forward"
        if _ORIGINAL.match(line):
            return place, "original"
        if _FROM.match(line) and _header_lines(lines, place) > 1:
            return place, "header"
        if _wrote_lines(lines, place):
            return place, "wrote"
    return len(lines), ""


def _header_lines(lines: Sequence[str], place: int) -> int:
    return sum(bool(_HEADER.match(line)) for line in lines[place : place + _HEADER_LINES])


def _wrote_lines(lines: Sequence[str], place: int) -> int:
    """Return how many lines ``On Monday, Ann wrote:`` takes there; 0 where it does not stand."""
    if not _WROTE_BEGINS.match(lines[place]):
        return 0
    for count in (1, 2, 3):
        said = " ".join(lines[place : place + count])[:400]
        if _WROTE.search(said) and said.rstrip().endswith(":"):
            return count
    return 0


def _below(lines: Sequence[str], place: int) -> list[str]:
    """Return what follows the headers of an earlier mail."""
    announced = bool(_FORWARDED.match(lines[place]) or _ORIGINAL.match(lines[place]))
    at = place + announced
    at += _wrote_lines(lines, at) if at < len(lines) else 0
    while at < len(lines) and not _has_words([lines[at]]):
        at += 1
    least = 1 if announced else 2
    if at < len(lines) and _HEADER.match(lines[at]) and _header_lines(lines, at) >= least:
        begin = at
        while at < len(lines) and at - begin < 2 * _HEADER_LINES and _has_words([lines[at]]):
            at += 1
    return list(lines[at:])


def _is_quoted(lines: Sequence[str]) -> bool:
    first = next((line for line in lines if line.strip()), "")
    return _QUOTED.match(first) is not None


def _own(lines: Sequence[str]) -> list[str]:
    """Return the lines that are not quoted."""
    return [line for line in lines if not _QUOTED.match(line)]


def _raised(lines: Sequence[str]) -> list[str]:
    """Take one level of quoting away, where the first line has one."""
    if not _is_quoted(lines):
        return list(lines)
    return [_ONE_LEVEL.sub("", line, count=1) for line in lines]


def _unquoted(lines: Sequence[str]) -> list[str]:
    """Leave out quoted lines, unless nothing else is there."""
    own = _own(lines)
    return own if _has_words(own) else _raised(lines)


def _has_words(lines: Sequence[str]) -> bool:
    return any(not _RULE.match(line) for line in lines)


def _says_something(lines: Sequence[str]) -> bool:
    """Return whether lines above an earlier mail are a mail of their own."""
    body = [line for line in _body(_own(lines)) if not _NOTHING.match(line)]
    return sum(len(line.split()) for line in body) >= _TOP


# What of a mail is said to its reader


def _body(lines: Sequence[str]) -> list[str]:
    """Cut greeting, signature, and what follows; keep postscripts."""
    kept: list[str] = []
    signed = said = False
    for place, raw in enumerate(lines):
        line = raw.strip()
        if said and _SIGNATURE.match(raw):
            break
        if _LAST_PART.match(line):
            break
        if signed:
            if _POSTSCRIPT.match(line):
                kept += ["", line]
                signed = False
            continue
        if _closes(lines, place) or (said and _is_signed_by(lines, place)):
            signed = said
            continue
        if not _greets(line):
            kept.append(line)
            said = said or not _RULE.match(line)
    return kept


def _greets(line: str) -> bool:
    return bool(_GREETING.match(line) and _GREETS.match(line) and len(line.split()) <= 8)  # noqa: PLR2004


def _closes(lines: Sequence[str], place: int) -> bool:
    line = lines[place].strip()
    if len(line.split()) > 8:  # noqa: PLR2004
        return False
    if _CLOSING.match(line):
        return True
    return bool(_SHORT_CLOSING.match(line)) and not _goes_on(lines[place + 1 : place + 6])


def _is_signed_by(lines: Sequence[str], place: int) -> bool:
    """Return whether a short line that ends in a comma precedes a name: ``With joy, Ruth``."""
    line = lines[place].strip()
    if not line.endswith(",") or len(line.split()) > 5:  # noqa: PLR2004
        return False
    below = map(str.strip, lines[place + 1 : place + 4])
    following = next(filter(None, below), "")
    return _NAME.match(following) is not None


def _goes_on(lines: Sequence[str]) -> bool:
    """Return whether prose follows, rather than a name."""
    for line in map(str.strip, lines):
        if _SIGNATURE.match(line):
            return False
        if len(line.split()) > 5 or line.endswith("?"):  # noqa: PLR2004
            return not is_footer(line)
    return False


def _parts(lines: Sequence[str]) -> Iterator[list[str]]:
    """Yield the paragraphs that are no legal text, without footers and lines of links."""
    for part in _paragraphs(lines):
        said = " ".join(part)
        if _LEGAL.search(said[:_LEGAL_LETTERS]):
            if len(part) > 1 and any(_LABEL.match(line) for line in part):
                part = [line for line in part if not is_footer(line)]  # noqa: PLW2901
            else:
                part = []  # noqa: PLW2901
        kept = [line for line in part if not (_is_links(line) or _is_short_footer(line))]
        if kept:
            yield kept


def _paragraphs(lines: Sequence[str]) -> Iterator[list[str]]:
    part: list[str] = []
    for line in lines:
        if _RULE.match(line):
            if part:
                yield part
            part = []
        else:
            part.append(line)
    if part:
        yield part


def _is_links(line: str) -> bool:
    """Return whether a line is no more than links and their names."""
    if not (_URL.search(line) or _MARKED_LINK.search(line)):
        return False
    rest = _URL.sub("", _MARKED_LINK.sub("", line)).strip()
    words = without_links(line).split()
    return len(words) <= _LINK_WORDS or not re.search(r"\w{2}", rest)


def _is_short_footer(line: str) -> bool:
    return len(line) <= 120 and _FOOTER.search(line) is not None  # noqa: PLR2004


def _joined(lines: Sequence[str]) -> Iterator[str]:
    """Yield the lines of a paragraph, those together that a program broke."""
    unit, before = "", ""
    for line in lines:
        if unit and _continues(before, line, unit):
            unit = f"{unit} {line}"
        else:
            if unit:
                yield unit
            unit = _BULLET.sub("", line)
        before = line
    if unit:
        yield unit


def _continues(before: str, line: str, unit: str) -> bool:
    if _BULLET.match(line):
        return False
    if _LABEL_ONLY.match(unit):
        return True
    if _LABEL.match(line) or _CELLS.search(line) or _CELLS.search(before):
        return False
    if line[0].islower():
        return True
    return len(before) >= _WRAPPED and before[-1] != ":" and not _LABEL.match(before)


def _host(found: re.Match[str]) -> str:
    rest = found[0].partition("://")[2] or found[0].strip("<>").removeprefix("mailto:")
    end = found[0][-1] if found[0][-1] in ".,;:!?" else ""
    host = re.split(r"[/?#:]", rest, maxsplit=1)[0].rpartition("@")[2].rstrip(".,;:!?")
    return f"{host}{end}"


def without_greeting(sentence: str) -> str:
    """Return ``Could you come?`` of ``Hi Ada, could you come?``."""
    rest = _GREETING_BEFORE.sub("", sentence, count=1)
    return rest[:1].upper() + rest[1:] if rest != sentence else sentence
