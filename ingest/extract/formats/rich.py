"""The text of a rich text document (RTF), as a reader of it sees it."""

import codecs
import re
from dataclasses import dataclass, field
from typing import NamedTuple

from ingest.extract.extracted import ExtractLimits, Writing, many

# A control word, a byte in hex, a control symbol, a brace, or text. Each byte is looked at once.
_TOKEN = re.compile(
    rb"\\([a-zA-Z]{1,32})(-?\d{1,9})? ?|\\'([0-9a-fA-F]{2})|\\(.)|([{}])|([^\\{}\r\n]+)", re.DOTALL
)
_SILENT = frozenset(
    b"fonttbl colortbl stylesheet info pict object themedata datastore fldinst xmlnstbl listtable "
    b"listoverridetable rsidtbl generator latentstyles bkmkstart bkmkend filetbl revtbl header "
    b"headerl headerr headerf footer footerl footerr footerf annotation nonshppict mmathPr objdata "
    b"colorschememapping pgptbl panose falt atnid atnauthor".split()
)
_SYMBOLS = {
    b"par": "\n", b"line": "\n", b"sect": "\n\n", b"page": "\n\n", b"row": "\n", b"tab": "\t",
    b"cell": " | ", b"emdash": "—", b"endash": "\u2013", b"bullet": "•", b"lquote": "\u2018",
    b"rquote": "\u2019", b"ldblquote": "“", b"rdblquote": "”",
}  # fmt: skip
_CHARS = {b"~": "\u00a0", b"_": "-", b"\\": "\\", b"{": "{", b"}": "}", b"\n": "\n", b"\r": "\n"}
_DEEPEST = 1_000
_HIGH = range(0xD800, 0xDC00)
_LOW = range(0xDC00, 0xE000)


class _State(NamedTuple):
    silent: bool = False
    hidden: bool = False
    deleted: bool = False
    unicode_skip: int = 1


@dataclass
class _Rich:
    out: Writing
    state: _State = field(default_factory=_State)
    charset: str = "cp1252"
    opened: list[_State] = field(default_factory=list)
    too_deep: int = 0
    skip: int = 0
    pending: bytearray = field(default_factory=bytearray)
    counted: dict[str, int] = field(default_factory=dict)
    high: int = 0

    def word(self, name: bytes, number: bytes | None) -> None:
        value = int(number) if number else None
        on = value != 0
        if name == b"u" and value is not None:
            self._unicode(value % 0x10000)
            return
        self.flush()
        if name in _SILENT:
            self.state = self.state._replace(silent=True)
        elif name == b"v":
            self.state = self.state._replace(hidden=on)
        elif name == b"deleted":
            self.state = self.state._replace(deleted=on)
        elif name == b"plain":
            self.state = self.state._replace(hidden=False, deleted=False)
        elif name == b"uc" and value is not None:
            self.state = self.state._replace(unicode_skip=min(max(value, 0), 8))
        elif name == b"ansicpg" and value is not None:
            self._use(f"cp{value}")
        elif name in _SYMBOLS:
            self._write(_SYMBOLS[name])

    def brace(self, brace: bytes) -> None:
        self.flush()
        self.skip = 0
        if brace == b"{":
            if len(self.opened) < _DEEPEST:
                self.opened.append(self.state)
            else:
                self.too_deep += 1
        elif self.too_deep:
            self.too_deep -= 1
        elif self.opened:
            self.state = self.opened.pop()

    def symbol(self, char: bytes) -> None:
        if char == b"*":  # what is known to be text has no star
            self.state = self.state._replace(silent=True)
        elif char in _CHARS:
            self.flush()
            self._write(_CHARS[char])

    def data(self, data: bytes) -> None:
        skipped = min(self.skip, len(data))
        self.skip -= skipped
        self.pending += data[skipped:]

    def flush(self) -> None:
        if self.pending:
            self._write(bytes(self.pending).decode(self.charset, "replace"))
            self.pending.clear()

    def _unicode(self, code: int) -> None:
        self.flush()
        self.skip = self.state.unicode_skip
        if code in _HIGH:
            self.high = code
        elif code in _LOW:
            if self.high:
                pair = ((self.high - _HIGH.start) << 10) + code - _LOW.start
                self._write(chr(0x10000 + pair))
            self.high = 0
        else:
            self._write(chr(code))

    def _use(self, charset: str) -> None:
        try:
            codecs.lookup(charset)
            b"a".decode(charset)
        except (LookupError, ValueError):
            return
        self.charset = charset

    def _write(self, text: str) -> None:
        if self.state.silent:
            return
        hides = "hidden" if self.state.hidden else "deleted" if self.state.deleted else ""
        if hides:
            self.counted[hides] = self.counted.get(hides, 0) + len(text.split())
        else:
            self.out.add(text)


def read_rich(data: bytes, out: Writing, limits: ExtractLimits) -> None:
    """Write the text of an RTF file. Raises ``FullError`` where it is longer than the limit.

    Hidden and deleted text is counted and left out.
    """
    del limits  # the text is bounded by ``out``
    rich = _Rich(out)
    try:
        for found in _TOKEN.finditer(data):
            name, number, code, char, brace, text = found.groups()
            if name:
                rich.word(name, number)
            elif code:
                rich.data(bytes.fromhex(code.decode("ascii")))
            elif brace:
                rich.brace(brace)
            elif char:
                rich.symbol(char)
            else:
                rich.data(text)
        rich.flush()
    finally:
        for what, words in rich.counted.items():
            if words:
                said = "deleted, with the change kept in the file" if what == "deleted" else what
                out.defects.append(f"{many(words, 'word')} {'is' if words == 1 else 'are'} {said}")
