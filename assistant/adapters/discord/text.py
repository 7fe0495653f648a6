"""Escape outside text and a model's text, so that Discord shows only what they say.

Discord's markup: https://docs.discord.com/developers/reference#message-formatting. A backslash
before a character that is no letter, digit or blank shows only that character.
"""

import re
import unicodedata

from assistant.domain.text.sound import sound

MARK = "\N{REPLACEMENT CHARACTER}"
"""Replaces invisible characters."""
BAR = "| "
"""Marks a line of a model's words that looks like one that code writes."""
RECORD = "record:"
"""Begins the line that code writes below a model's words."""

_MOST_MARKS = 4
"""The most combining marks on one letter: Vietnamese needs 2, pointed Hebrew 4."""

_LINE_ENDS = re.compile("\r\n?|[\v\f\x85\u2028\u2029]")
_BLANK_LINES = re.compile(r"\n(?:[^\S\n]*\n){3,}")

_IGNORED = (
    "\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffc\ufffe\uffff\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e0fff"
)
"""Unicode's Default_Ignorable_Code_Point, bidi controls among them, and the specials."""
_CONTROLS = "\x00-\x08\x0e-\x1f\x7f-\x9f"
_PICTURE = "\xa9\xae\u203c\u2049\u2100-\u2bff\u3030\u303d\u3297\u3299\U0001f000-\U0001faff"
_JOINING = (
    "\u0620-\u109f\u1780-\u17b3\u17b6-\u180a\u1810-\u18af\ua800-\uabff\ufb50-\ufdff\ufe70-\ufefc"
)
"""Scripts whose letters join, from Arabic to Mongolian: joiners belong to their spelling."""
_IDEOGRAPH = "\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_INVISIBLE = re.compile(
    "(?P<spelling>"
    f"(?<=[{_JOINING}])[\u200c\u200d](?=[{_JOINING}])"
    f"|(?<=[{_PICTURE}\ufe0f])\u200d(?=[{_PICTURE}])"
    f"|(?<=[{_PICTURE}])[\ufe0e\ufe0f]|(?<=[#*0-9])\ufe0f(?=\u20e3)"
    f"|(?<=[{_IDEOGRAPH}])[\ufe00-\ufe02\U000e0100-\U000e01ef]"
    f")|(?P<hidden>[{_IGNORED}{_CONTROLS}]+)"
)

_MARKUP = re.compile(r"[\\`*_~|<>#@:/.\[\]()+\-]")
"""Begins or ends emphasis, code, spoilers, headings, lists, quotes, subtext, mentions, links,
emoji, timestamps; a dot and a slash make a link or an invitation live."""

_LIVE = re.compile(
    r"(?P<escaped>\\[^0-9A-Za-z\s<\]])"
    r"|(?P<tag><(?:(?=@[!&]?\d|\#[!&]?\d|/[^<>\n]*:\d|:\w+:\d)"
    r"|a(?=:\w+:\d)|t(?=:-?\d)|id(?=:\w)|sound(?=:)))"
    r"|(?P<address>:(?=//))"
    r"|@(?=everyone|here)"
    r"|(?<=\])\((?=\s*\S{0,40}:)"
    r"|-(?=\#)",
    re.IGNORECASE,
)
"""The markup that is removed from a model's markdown: mentions, masked links, subtext.

A backslash before ``<`` or ``]`` does not count as an escape: an address ends before ``<`` and
includes the backslash, and the words of a masked link end at ``]`` in any case.
"""
_MASKED = re.compile(r"\]\(\s*\S{0,40}:")
_CODE_LIKE = re.compile(
    r"^(?!\\?\| )(?=(?:(?!\n)[\W\d_])*(?:-\\?#|record[^\w\n]*:))", re.MULTILINE | re.IGNORECASE
)


def legible(text: str) -> str:
    """Return the text without hidden characters; lines end with newlines.

    Each run of invisible characters that may reverse or hide text (controls, bidi, zero-width,
    tags) becomes one U+FFFD. Those that a word or an emoji needs stay: joiners in scripts that
    join, joiners and selectors of emoji, variants of ideographs. At most two blank lines and four
    combining marks follow each other; one U+FFFD replaces further marks.
    """
    text = _LINE_ENDS.sub("\n", sound(text))
    text = _INVISIBLE.sub(lambda found: MARK if found["hidden"] else found[0], text)
    return _BLANK_LINES.sub("\n\n\n", _unstacked(text))


def harmless(text: str) -> str:
    """Return outside text as literal characters: legible, with all possible markup escaped.

    It may be cut between any two characters or escapes, and put after any text of the assistant.
    """
    return escaped(legible(text))


def escaped(text: str) -> str:
    """Return a legible text as literal characters."""
    return _MARKUP.sub(r"\\\g<0>", text)


def words(text: str) -> str:
    """Return a model's words from an untainted conversation: as legible markdown.

    Shows mentions, custom emoji, timestamps and masked links as they are written; if there is a
    masked link, no address of the text is live. Treats code like other text, so that no mistake
    about where code ends matters; a backslash may show there.
    """
    masked = _MASKED.search(text) is not None
    return set_apart(_LIVE.sub(lambda found: _inert(found, masked=masked), legible(text)))


def set_apart(text: str) -> str:
    """Put a bar before each line that looks like one that code writes."""
    return _CODE_LIKE.sub(BAR, text)


def one_line(text: str) -> str:
    return " ".join(text.split())


def shortened(text: str, most: int) -> str:
    """Return one legible line, with an ellipsis where it was cut."""
    line = one_line(legible(text))
    if units(line) <= most:
        return line
    line = line[:most]
    while units(line) >= most:
        line = line[:-1]
    return f"{line}…"


def units(text: str) -> int:
    """Count UTF-16 code units, as Discord's clients do: never fewer than code points."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def _inert(found: re.Match[str], *, masked: bool) -> str:
    if found["escaped"] or (found["address"] and not masked):
        return found[0]
    if found["tag"] or found["address"]:
        return f"{found[0]}\\"
    return f"\\{found[0]}"


def _unstacked(text: str) -> str:
    if text.isascii():
        return text
    kept: list[str] = []
    stacked = 0
    for character in text:
        stacked = stacked + 1 if unicodedata.category(character) in ("Mn", "Me") else 0
        if stacked <= _MOST_MARKS:
            kept.append(character)
        elif stacked == _MOST_MARKS + 1:
            kept.append(MARK)
    return "".join(kept)
