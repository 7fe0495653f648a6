"""Find quoted earlier words by the line above them ("On ... wrote:"), and signatures.

mail-parser-reply 1.36 was tried: 10,000 empty lines take it 7 seconds of CPU, so it is not used.
"""

from collections.abc import Sequence
from typing import NamedTuple

from assistant.domain.mail.letter import LetterKind
from ingest.letters.dates import names_a_moment
from ingest.letters.headers import LetterHeading
from ingest.letters.lines import TextLine
from ingest.letters.mailboxes import writer
from ingest.letters.tables import COLONS, FILLERS, FROM, SENT, SENT_FROM, WROTE, WROTE_WORDS, ZONES

_LONGEST = 400
_WRAPPED = 4
"""The most lines that a program wraps such a line to."""
_SIGNATURE_LINES = 20
"""What is longer is no signature: words are not hidden below two dashes."""
_SENT_FROM_LINES = 6
_SENT_FROM_LENGTH = 100
_EARLY = 12
"""A line without a verb has a digit of its date among so many characters."""
_AROUND = f" \t\"'*«»„“”\u201a\u2018\u2019(),;、{''.join(COLONS)}"
_COLON_ENDS = "".join(COLONS) + " "
QUOTING_LOST = "its quote marks are lost, so answers inside it cannot be told from it"


class Attribution(NamedTuple):
    """What a line above quoted words says."""

    sender: str
    sent: str


def reply_heading(lines: Sequence[TextLine], place: int) -> LetterHeading | None:
    """Read a line like "On ... wrote:" that begins here, wrapped or not."""
    found = _attribution_lines(lines, place)
    if found is None:
        return None
    words, end = found
    said = attribution(words)
    if said is None:
        return None
    depth = lines[place].depth
    below = next((line for line in lines[end : end + 5] if line.bare), None)
    quoted = below is None or below.depth > depth
    return LetterHeading(
        LetterKind.QUOTED_REPLY,
        end,
        depth + 1 if quoted else depth,
        {FROM: said.sender, SENT: said.sent},
        defects=() if quoted else (QUOTING_LOST,),
    )


def attribution(words: str) -> Attribution | None:
    """Read the writer and the date of a line above quoted words, or None where it is none.

    It ends with a colon, has a verb such as "wrote" and a date with a year or a time.
    """
    said = words.strip(" *")
    if len(said) > _LONGEST or not said.endswith(COLONS):
        return None
    said = said[:-1].rstrip()
    folded = said.casefold()
    if len(folded) != len(said):
        folded = said.lower() if len(said.lower()) == len(said) else said
    for prefix, verbs in WROTE:
        if not folded.startswith(prefix):
            continue
        for verb in verbs:
            at = _word(folded, verb)
            if at < 0:
                continue
            before, after = said[len(prefix) : at], said[at + len(verb) :]
            if not names_a_moment(f"{before} {after}"):
                continue
            return _read(before, after)
    return _without_verb(said)


def signature_start(lines: Sequence[TextLine], depth: int) -> int:
    """Return where the signature at the end of these lines begins, or their number if none does.

    Two dashes begin one, and so does what a phone adds ("Sent from my iPhone").
    """
    count = len(lines)
    for place in range(count - 1, max(-1, count - 1 - _SIGNATURE_LINES), -1):
        line = lines[place]
        if line.depth == depth and line.bare == "--":
            return place
    seen = 0
    for place in range(count - 1, -1, -1):
        bare = lines[place].bare
        if not bare:
            continue
        seen += 1
        if seen > _SENT_FROM_LINES:
            break
        if len(bare) < _SENT_FROM_LENGTH and _starts_with_sent_from(bare):
            return place
    return count


def _starts_with_sent_from(bare: str) -> bool:
    return bare.replace("[", "").lstrip("-–— ").casefold().startswith(SENT_FROM)


def _attribution_lines(lines: Sequence[TextLine], place: int) -> tuple[str, int] | None:
    """Return the words of the line that begins here and ends with a colon, and the line behind."""
    taken: list[str] = []
    for at in range(place, min(len(lines), place + _WRAPPED)):
        line = lines[at]
        later = at > place
        if not line.bare or (later and _begins_one(line.bare)):
            return None
        if line.depth != lines[place].depth and not _is_cut_off(lines[place], taken, line):
            return None
        taken.append(line.bare)
        if line.bare.rstrip("* ").endswith(COLONS):
            is_one = not later or _begins_one(taken[0]) or names_a_moment(taken[0])
            return (" ".join(taken), at + 1) if is_one else None
    return None


def _is_cut_off(first: TextLine, taken: Sequence[str], line: TextLine) -> bool:
    """Return whether a line was wrapped before the ">" of an address, which looks like quoting."""
    if line.depth != first.depth + 1 or not taken or "<" not in taken[-1]:
        return False
    return line.bare.endswith(COLONS) and line.bare.rstrip(_COLON_ENDS).casefold() in WROTE_WORDS


def _begins_one(bare: str) -> bool:
    folded = bare[:40].lstrip(" *").casefold()
    has_digit = any(char.isdecimal() for char in folded)
    return has_digit and folded.startswith(_PREFIXES)


_PREFIXES = tuple(prefix for prefix, _ in WROTE if prefix)


def _word(folded: str, verb: str) -> int:
    """Return where the verb last stands as a word, or -1."""
    at = folded.rfind(verb)
    if at < 0:
        return -1
    before, after = folded[at - 1 : at], folded[at + len(verb) : at + len(verb) + 1]
    if verb.isascii() and (before.isalnum() or after.isalnum()):
        return -1
    return at


def _read(before: str, after: str) -> Attribution:
    """Tell date and writer apart, on both sides of the verb."""
    behind = after.strip(_AROUND)
    if behind and not names_a_moment(behind):
        sent, name = _date_first(before)
        # "Op ... heeft Ann <...> het volgende geschreven" has the writer before the verb.
        return Attribution(name or behind, sent) if name else Attribution(behind, sent)
    if behind:
        sent, name = _date_first(behind)
        return Attribution(before.strip(_AROUND) or name, sent)
    sent, name = _date_first(before)
    if not sent and (end := name.find(">")) > 0:
        return Attribution(name[: end + 1], _date_first(name[end + 1 :])[0])
    return Attribution(name, sent)


def _date_first(words: str) -> tuple[str, str]:
    """Split words into a date and what stands behind it.

    The date ends with the last word that has a digit and is no address, "AM" or a zone included.
    """
    parts = words.replace("、", " ").replace("<", " <").split()
    end = 0
    for place, part in enumerate(parts):
        bare = part.strip(_AROUND)
        if "@" in part or part.startswith(("<", '"', "«", "„", "“")):
            break
        folded = bare.casefold()
        if any(char.isdecimal() for char in bare) or (end == place and folded in _AFTER_TIME):
            end = place + 1
    name = parts[end:]
    while name and name[0].strip(_AROUND).casefold() in FILLERS | {"heeft", "hat", "has"}:
        name = name[1:]
    while name and name[-1].strip(_AROUND).casefold() in FILLERS | {"heeft", "hat", "has"}:
        name = name[:-1]
    return " ".join(parts[:end]).strip(_AROUND), " ".join(name).strip(_AROUND.replace("(", ""))


_AFTER_TIME = frozenset(("am", "pm", "a.m", "p.m", "uhr", "h", *ZONES))


def _without_verb(said: str) -> Attribution | None:
    """Read ``2025年11月4日(火) 9:31 Ann <ann@x>``: Gmail writes no verb in some languages."""
    if not said.endswith((">", ")")) or not any(char.isdecimal() for char in said[:_EARLY]):
        return None
    sent, name = _date_first(said)
    if ":" not in sent or not names_a_moment(sent) or not writer(name).address:
        return None
    return Attribution(name, sent)
