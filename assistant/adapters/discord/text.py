"""Others' words and a model's words, made so that Discord shows no more than them.

What Discord makes of text: https://docs.discord.com/developers/reference#message-formatting. A
backslash before what is neither a letter, a digit nor a blank shows just that character.
"""

import re
import unicodedata

from assistant.domain.text.sound import sound

MARK = "\N{REPLACEMENT CHARACTER}"
"""Where something was that nobody would have seen."""
BAR = "| "
"""Before a line of a model's words that looks like one of code's."""
RECORD = "record:"
"""What begins the line of code below a model's words."""

_MOST_MARKS = 4
"""Combining marks on one letter: Vietnamese takes 2, pointed Hebrew 4."""

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
"""What is taken from a model's markdown: mentions, masked links, subtext.

Neither ``<`` nor ``]`` counts as escaped: an address ends before the one and takes the backslash
with it, and a masked link's words end at the other whatever stands before it.
"""
_MASKED = re.compile(r"\]\(\s*\S{0,40}:")
_CODE_LIKE = re.compile(
    r"^(?!\\?\| )(?=(?:(?!\n)[\W\d_])*(?:-\\?#|record[^\w\n]*:))", re.MULTILINE | re.IGNORECASE
)


def legible(text: str) -> str:
    """The text with nothing hidden in it; lines end with newlines.

    Each run of characters that show nothing and may turn or hide the rest (controls, reversed
    writing, zero-width, tags) becomes one U+FFFD, except where they belong to how a word or a
    picture is written: joiners between letters of a script that joins, between pictures and after
    them, variants of ideographs. At most two blank lines and four combining marks follow each
    other; a mark stands for the marks beyond.
    """
    text = _LINE_ENDS.sub("\n", sound(text))
    text = _INVISIBLE.sub(lambda found: MARK if found["hidden"] else found[0], text)
    return _BLANK_LINES.sub("\n\n\n", _unstacked(text))


def harmless(text: str) -> str:
    """Others' words as literal characters: legible, and every one that could be markup escaped.

    It can be cut between any two of its characters or escapes and put behind any text of ours.
    """
    return escaped(legible(text))


def escaped(text: str) -> str:
    """A legible text as literal characters."""
    return _MARKUP.sub(r"\\\g<0>", text)


def words(text: str) -> str:
    """A model's words that rest on nothing from outside: legible markdown.

    Mentions, custom emoji and timestamps show as they are written, and so do masked links; where
    there is one, no address of the text is live. Whether that is within code is not asked, so that
    no mistake about code's limits counts; there a backslash may be seen.
    """
    masked = _MASKED.search(text) is not None
    return set_apart(_LIVE.sub(lambda found: _inert(found, masked=masked), legible(text)))


def set_apart(text: str) -> str:
    """With a bar before each line that could pass for one that code writes."""
    return _CODE_LIKE.sub(BAR, text)


def one_line(text: str) -> str:
    return " ".join(text.split())


def shortened(text: str, most: int) -> str:
    """One legible line of a name of ours, with an ellipsis where it was cut."""
    line = one_line(legible(text))
    if units(line) <= most:
        return line
    line = line[:most]
    while units(line) >= most:
        line = line[:-1]
    return f"{line}…"


def units(text: str) -> int:
    """UTF-16 code units, which Discord's clients count: never fewer than code points."""
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
