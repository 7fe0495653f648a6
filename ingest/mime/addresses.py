"""Parse lists of addresses (RFC 5322 section 3.4), and let no name pose as an address."""

import re
from typing import NamedTuple

from ingest import text
from ingest.mime.encoded_words import decode_raw, decode_words

MOST = 1_000
"""The most addresses of one field."""

_AT = re.compile("[@\uff20\ufe6b]")
_BRACKETS = str.maketrans("", "", "<>\u2039\u203a\uff1c\uff1e\ufe64\ufe65")
_VALID = re.compile(r'(?:"[^"\x00-\x1f]{0,64}"|[^\s@<>()\[\],;:"\\]{1,64})@[^\s@<>(),;:"\\]{1,255}')
_ROUTE = re.compile(r"@[^:<>]*:")
_BLANKS = re.compile(r"\s+")


class Mailbox(NamedTuple):
    name: str
    """What the sender calls it, decoded; may be empty, and may say anything."""
    address: str
    """The address alone; empty where none could be read."""
    group: str = ""
    """The group that it is listed in (``Team: a@example.org, b@example.org;``)."""

    @property
    def shown(self) -> str:
        """The mailbox for people. A name that looks like an address is left out."""
        name = text.line(self.name.translate(_BRACKETS), text.NAME).strip('" ')
        name = name[1:-1] if name[:1] == name[-1:] == "'" else name
        if not name or (self.address and _AT.search(name)):
            return self.address or name
        return f"{name} <{self.address}>" if self.address else _AT.sub(" at ", name)


class Mailboxes(NamedTuple):
    found: tuple[Mailbox, ...]
    groups: tuple[str, ...]
    """The names of the groups, empty groups such as ``undisclosed-recipients`` included."""
    defects: tuple[str, ...] = ()


class _Entry(NamedTuple):
    phrase: str
    angle: str | None
    comment: str
    group: str


def parse_addresses(value: bytes, charset: str | None = None) -> Mailboxes:
    """Parse the value of a field such as To. Raises nothing.

    ``charset`` is for raw bytes, as in ``decode_words``. Semicolons count as commas, and a name
    with a comma and no quotes (``Doe, John <j@example.org>``) stays one name.
    """
    defects: list[str] = []
    readable = decode_raw(value, charset)
    defects += readable.defects
    groups: list[str] = []
    found: list[Mailbox] = []
    dangling = ""
    for entry in _entries(readable.text, groups, defects):
        if len(found) == MOST:
            defects.append(f"only the first {MOST} addresses were read")
            break
        if entry.angle is None and "@" not in entry.phrase and not entry.comment:
            if entry.phrase:
                dangling = f"{dangling}, {entry.phrase}" if dangling else entry.phrase
            continue
        phrase = entry.phrase
        if dangling and entry.angle is not None:
            defects.append("a name with a comma stands there without quotation marks")
            phrase = f"{dangling}, {phrase}".rstrip(", ")
        elif dangling:
            _no_address(dangling, found, entry.group, defects)
        dangling = ""
        if phrase or entry.angle is not None or entry.comment:
            found.append(_mailbox(entry._replace(phrase=phrase), defects))
    if dangling:
        _no_address(dangling, found, "", defects)
    names = tuple(_text(name, defects) for name in groups)
    return Mailboxes(tuple(found), names, tuple(dict.fromkeys(defects)))


def _entries(value: str, groups: list[str], defects: list[str]) -> list[_Entry]:
    """Split a list at its commas, outside quotes, comments and angle brackets."""
    reading = _Reading(value)
    if mark := reading.unclosed:
        defects.append(f"a {mark} in it is not closed")
        reading = _Reading(value.replace(mark, " "))
    groups += reading.groups
    return reading.entries


class _Reading:
    """Entries as they are read, a character at a time."""

    def __init__(self, value: str) -> None:
        self.entries: list[_Entry] = []
        self.groups: list[str] = []
        self.group = self.unclosed = ""
        self._clear()
        for char in value:
            self._take(char)
            if len(self.entries) > MOST:
                return
        self.unclosed = '"' if self.quoted else "(" if self.depth else "<" if self.in_angle else ""
        self._finish()

    def _clear(self) -> None:
        self.phrase: list[str] = []
        self.angle: list[str] | None = None
        self.comment: list[str] = []
        self.quoted = self.escaped = self.in_angle = self.has_at = False
        self.depth = self.opened_at = self.closed_at = 0

    def _finish(self) -> None:
        angle = None if self.angle is None else "".join(self.angle)
        phrase = _BLANKS.sub(" ", "".join(self.phrase)).strip()
        self.entries.append(_Entry(phrase, angle, "".join(self.comment).strip(), self.group))
        self._clear()

    def _take(self, char: str) -> None:
        if self.escaped:
            self.escaped = False
            self._here().append(char)
        elif char == "\\" and (self.quoted or self.depth):
            self.escaped = True
        elif self.depth:
            self._in_comment(char)
        elif char == '"':
            self.quoted = not self.quoted
            if self.in_angle:
                self._here().append(char)
            elif self.quoted:
                self.opened_at = len(self.phrase)
            else:
                self.closed_at = len(self.phrase)
        elif self.quoted:
            self._here().append(char)
        elif self.in_angle:
            self._in_angle(char)
        else:
            self._outside(char)

    def _here(self) -> list[str]:
        if self.depth:
            return self.comment
        return self.angle if self.in_angle and self.angle is not None else self.phrase

    def _keep_quotes(self) -> None:
        """Put the quotes back around what stands before an ``@``: there they are of the address."""
        if not self.has_at and self.closed_at == len(self.phrase) > 0:
            self.phrase = [*self.phrase[: self.opened_at], '"', *self.phrase[self.opened_at :], '"']
        self.has_at = True

    def _in_comment(self, char: str) -> None:
        self.depth += (char == "(") - (char == ")")
        if self.depth:
            self.comment.append(char)

    def _in_angle(self, char: str) -> None:
        if char == ">":
            self.in_angle = False
        elif char != "<" and self.angle is not None:
            self.angle.append(char)

    def _outside(self, char: str) -> None:
        if char == "(":
            self.depth = 1
            if self.comment:
                self.comment.append(" ")
        elif char == "<":
            self.in_angle = True
            if self.angle is None:
                self.angle = []
        elif char == ":" and self.angle is None and not self.has_at:
            self.group = "".join(self.phrase).strip()
            if len(self.groups) < MOST:
                self.groups.append(self.group)
            self._clear()
        elif char in ",;":
            self._finish()
            if char == ";":
                self.group = ""
        else:
            if char == "@":
                self._keep_quotes()
            self.phrase.append(char)


def _mailbox(entry: _Entry, defects: list[str]) -> Mailbox:
    written = entry.phrase if entry.angle is None else entry.angle
    address = _ROUTE.sub("", written.strip(), count=1) if written.startswith("@") else written
    address = address.strip()
    if not _VALID.fullmatch(address) and entry.angle is None:
        # A word that is an address, among words that are not.
        words = [word for word in address.split() if _VALID.fullmatch(word)]
        if len(words) == 1:
            entry = entry._replace(phrase=address.replace(words[0], ""), angle=words[0])
            address = words[0]
    if not _VALID.fullmatch(address):
        joined = "".join(address.split())
        address = joined if _VALID.fullmatch(joined) and entry.angle is not None else ""
        if not address:
            defects.append(f"an address could not be read: {text.line(written, 60)}")
    name = entry.comment if entry.angle is None else entry.phrase or entry.comment
    name = _text(name if address else entry.phrase or written, defects)
    if address and _AT.search(name) and name.strip("\"'<> ").lower() != address.lower():
        defects.append(f"the name of {text.line(address, 60)} looks like an address")
    return Mailbox(name, text.line(address, text.ADDRESS), _text(entry.group, []))


def _no_address(words: str, found: list[Mailbox], group: str, defects: list[str]) -> None:
    defects.append(f"an address could not be read: {text.line(words, 60)}")
    found.append(Mailbox(_text(words, defects), "", group))


def _text(written: str, defects: list[str]) -> str:
    words = decode_words(written.encode("utf-8", "replace"))
    defects += words.defects
    return text.line(words.text, text.NAME)
