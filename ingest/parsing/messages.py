"""Walk the parts of a mail: which words and files belong to it, and which to messages in it."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import NamedTuple

from assistant.domain.limits import MailLimits
from ingest.extract.extracted import ExtractLimits, FullError, NotReadableError, Writing
from ingest.extract.formats.rich import read_rich
from ingest.extract.kinds import kind_of
from ingest.extract.signatures import SEALED
from ingest.extract.smime import open_signed
from ingest.extract.tnef import Opened, open_tnef
from ingest.mime.charsets import decode
from ingest.mime.parts import MESSAGES, UNREAD, MimePart
from ingest.mime.tree import parse_tree, seems_to_be
from ingest.parsing.compared import COMPARED, other_words
from ingest.parsing.files import Files, extension
from ingest.parsing.header import HeaderFacts, header_facts
from ingest.parsing.texts import BLANK, ENCRYPTED_PGP, TextReader
from ingest.text import visible

STUB = 300
"""Bytes of a plain text that may say no more than that the HTML is to be read."""
_MORE = 4
"""How many times as much the HTML has that such a stub stands for, and ``STUB`` beyond that."""
_OPENED = 5
"""How many signed messages in a mail, and mails in its files, are opened."""
_NOT_OPENED = f"only its first {_OPENED} signed messages were opened"
_NOT_READ = f"only the first {_OPENED} mails in its files were read"
_ENCRYPTED = "it is encrypted (S/MIME)"
_SIGNED = "it is signed (S/MIME), and the signature was not checked"
_TNEF = b"\x78\x9f\x3e\x22"
_PKCS7 = frozenset({"application/pkcs7-mime", "application/x-pkcs7-mime"})
_PLAIN, _HTML = "text/plain", "text/html"
_CALENDAR = "text/calendar"
_NOT_FOR_PEOPLE = frozenset({_CALENDAR, "text/x-amp-html"})
_NO_FORWARDS = frozenset({"multipart/report", "multipart/digest"})
"""Containers whose messages nobody forwarded: bounces, and the mails of a list."""


@dataclass
class FoundMessage:
    """The mail itself, or a message attached to it."""

    facts: HeaderFacts
    inside: int = -1
    """The place of the message that it is attached to; -1 for the mail."""
    is_forward: bool = False
    texts: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "\n\n".join(self.texts)


class _Where(NamedTuple):
    """Where a part stands."""

    message: int
    """The place of the message that its words are of."""
    container: str = ""
    """The kind of the multipart that it is in; empty if it is all of a message."""
    skip: str = ""
    """A kind of text that is not read, as another says the same."""
    beside: bool = False
    """Whether it stands in an alternative beside a text that is read."""


class Messages:
    """The messages of one mail, the mail itself first, each before those attached to it."""

    def __init__(self, tree: MimePart, limits: MailLimits, texts: TextReader) -> None:
        self.found: list[FoundMessage] = []
        self.files = Files(len(tree.raw), limits)
        self.defects: list[str] = []
        self.unread: list[str] = []
        self.differs = False
        """Whether a plain text that was read says other words than the HTML beside it."""
        self._to_compare = COMPARED
        self._texts = texts
        self._limits = limits
        self._number = 0
        self._opened = 0
        self._spare: list[Callable[[], None]] = []
        """What is read as the words of a message that has no others."""
        self._message(tree, inside=-1, is_forward=False)
        if left := self.files.left_out:
            self.unread.append(f"{left} more {'file' if left == 1 else 'files'}, not kept")

    def _message(self, root: MimePart, *, inside: int, is_forward: bool) -> None:
        place = len(self.found)
        message = FoundMessage(header_facts(root), inside, is_forward)
        self.found.append(message)
        self.defects += message.facts.defects
        outer, self._spare = self._spare, []
        self._part(root, _Where(place))
        if not message.texts and len(self.found) == place + 1:
            while self._spare:
                self._spare.pop(0)()
        self._spare = outer

    def _part(self, part: MimePart, where: _Where) -> None:
        self._number += 1
        if part.kind == UNREAD:
            self.unread.append(part.name)
            return
        self.defects += (f"{part.kind}: {defect}" for defect in part.defects)
        if part.kind in MESSAGES:
            self._attached(part, where)
        elif part.kind.startswith("multipart/"):
            self._multipart(part, where)
        else:
            self._leaf(part, where)

    def _words(self, where: _Where, text: str) -> None:
        if text:
            self.found[where.message].texts.append(text)

    def _file(self, part: MimePart, data: bytes, where: _Where, default: str) -> None:
        self.files.add(
            data, declared=part.kind, name=part.name, default=default, message=where.message
        )

    # Containers

    def _multipart(self, part: MimePart, where: _Where) -> None:
        if part.disposition == "attachment" and where.container:
            self._file(part, bytes(part.raw), where, f"attached-{self._number}.eml")
            self._spare.append(lambda: self._children(part, where))
            return
        if part.kind == "multipart/encrypted":
            self.defects.append(ENCRYPTED_PGP)
        self._children(part, where)

    def _children(self, part: MimePart, where: _Where) -> None:
        is_alternative = part.kind == "multipart/alternative"
        skip = self._less_good(part) if is_alternative else ""
        beside = is_alternative and any(
            True for kind in (_PLAIN, _HTML) for _ in _bodies(part, kind)
        )
        for child in part.children:
            if skip == _PLAIN and _is_body(child, _PLAIN):
                self._number += 1
                continue
            # Plain text is left out beside HTML alone, and HTML wherever it stands.
            inherited = _HTML if _HTML in (skip, where.skip) else ""
            self._part(child, where._replace(container=part.kind, skip=inherited, beside=beside))

    def _attached(self, part: MimePart, where: _Where) -> None:
        inner = next(iter(part.children), None)
        self._file(part, bytes((inner or part).raw), where, f"forwarded-{len(self.found)}.eml")
        if inner:
            is_forward = where.container not in _NO_FORWARDS
            self._message(inner, inside=where.message, is_forward=is_forward)

    def _less_good(self, part: MimePart) -> str:
        """Return the kind of text that an alternative is read without (RFC 2046 section 5.1.4).

        Plain text is preferred, unless it is a stub beside an HTML that says much more.
        """
        plain: tuple[MimePart, ...] = ()
        html: tuple[MimePart, ...] = ()
        for child in part.children:
            of_plain = tuple(_bodies(child, _PLAIN))
            of_html = tuple(_bodies(child, _HTML))
            html += of_html
            plain += () if of_html else of_plain
        size = sum(len(leaf.data) for leaf in plain)
        if not plain or not html:
            return ""
        skip = self._stub_or_html(html, size)
        if skip == _HTML and not self.differs:
            self.differs = self._differ(plain, html)
        return skip

    def _differ(self, plain: Sequence[MimePart], html: Sequence[MimePart]) -> bool:
        """Return whether texts differ; also where there is too much of them to be compared."""
        self._to_compare -= sum(len(leaf.data) for leaf in (*plain, *html))
        if self._to_compare < 0:
            return True
        return other_words(map(self._texts.source, plain), map(self._texts.source, html))

    def _stub_or_html(self, html: Sequence[MimePart], size: int) -> str:
        """Return the kind that is not read, where the plain text has so many bytes."""
        if size > STUB or sum(len(leaf.data) for leaf in html) < _MORE * size + STUB:
            return _HTML
        seen = sum(len(self._texts.seen(leaf).text) for leaf in html)
        return _HTML if seen < _MORE * size + STUB else _PLAIN

    # Leaves

    def _leaf(self, part: MimePart, where: _Where) -> None:
        if part.data.startswith(_TNEF):
            self._tnef(part, where)
        elif part.kind in _PKCS7:
            self._smime(part, where)
        elif _is_text(part, is_root=not where.container):
            if part.kind != where.skip:
                self._words(where, self._texts.read(part))
        elif where.beside and _is_another_form(part):
            pass  # AMP and enriched text say what the text beside them says
        else:
            self._file(part, part.data, where, f"part-{self._number}{extension(part.kind)}")
            if self._is_mail(part):
                self._mail_in_a_file(part, where)
            elif _may_be_words(part, is_root=not where.container):
                self._spare.append(lambda: self._words_of_file(part, where))
            elif part.kind == _CALENDAR:
                self._spare.append(lambda: self._words(where, self._texts.calendar(part)))

    def _is_mail(self, part: MimePart) -> bool:
        """Return whether a file is a mail that was attached under another type."""
        if not part.name.lower().endswith(".eml"):
            return False
        return kind_of(part.data, part.kind, part.name).type in MESSAGES

    def _mail_in_a_file(self, part: MimePart, where: _Where) -> None:
        self._opened += 1
        if self._opened > _OPENED:
            self.defects.append(_NOT_READ)
            return
        inner = parse_tree(part.data, self._limits)
        is_forward = where.container not in _NO_FORWARDS
        self._message(inner, inside=where.message, is_forward=is_forward)

    def _words_of_file(self, part: MimePart, where: _Where) -> None:
        if part.name:
            self.defects.append(f"it has no text but that of a file: {part.name}")
        self._words(where, self._texts.read(part))

    def _tnef(self, part: MimePart, where: _Where) -> None:
        """Open a winmail.dat. Its text is that of the mail where that has no other."""
        try:
            opened = open_tnef(part.data)
        except NotReadableError as error:
            opened = Opened(defects=(str(error),))
        self.defects += opened.defects
        if opened.defects or not opened.parts:
            self._file(part, part.data, where, "winmail.dat")
        for number, enclosed in enumerate(opened.parts, 1):
            self.files.add(
                enclosed.data,
                declared=enclosed.type,
                name=enclosed.name,
                default=f"winmail-{number}{extension(enclosed.type)}",
                message=where.message,
            )
        self._spare.append(lambda: self._words(where, self._text_of_tnef(opened)))

    def _text_of_tnef(self, opened: Opened) -> str:
        if opened.text.strip():
            return opened.text.strip()
        if opened.html:
            return self._texts.html_apart(opened.html)
        if opened.rtf:
            return _text_of_rtf(opened.rtf)
        return ""

    def _smime(self, part: MimePart, where: _Where) -> None:
        """Open a signed message, and name an encrypted one."""
        self._file(part, part.data, where, "smime.p7m")
        self._opened += 1
        if self._opened > _OPENED:
            self.defects.append(_NOT_OPENED)
            return
        try:
            inner = open_signed(part.data)
        except NotReadableError as error:
            is_sealed = kind_of(part.data, part.kind, part.name).said == SEALED.said
            self.defects.append(_ENCRYPTED if is_sealed else f"{part.kind}: {error}")
            return
        self.defects.append(_SIGNED)
        self._part(parse_tree(inner, self._limits), where)


def _text_of_rtf(data: bytes) -> str:
    limits = ExtractLimits()
    out = Writing(most=limits.characters)
    with suppress(FullError, NotReadableError):
        read_rich(data, out, limits)
    return out.done().text


def _bodies(part: MimePart, kind: str) -> Iterator[MimePart]:
    """Yield the texts of a kind that a part shows, outside attached messages."""
    if part.kind.startswith("multipart/") and part.disposition != "attachment":
        for child in part.children:
            yield from _bodies(child, kind)
    elif _is_body(part, kind) and _has_letters(part):
        yield part


def _has_letters(part: MimePart) -> bool:
    """Return whether a text holds more than blanks and letters that nobody sees."""
    data = part.data.strip()
    if len(data) > BLANK or part.kind != _PLAIN:
        return bool(data)
    return bool(visible(decode(data, part.charset, detect=False).text).strip())


def _is_body(part: MimePart, kind: str) -> bool:
    return part.kind == kind and _is_text(part, is_root=False)


def _is_text(part: MimePart, *, is_root: bool) -> bool:
    """Return whether a leaf is text that is to be shown, and no file."""
    if part.kind not in {_PLAIN, _HTML} or part.name:
        return False
    is_shown = is_root or part.disposition in {None, "inline"}
    return is_shown and not seems_to_be(part.data, part.charset)


def _is_another_form(part: MimePart) -> bool:
    return part.kind.startswith("text/") and part.kind != _CALENDAR and not part.name


def _may_be_words(part: MimePart, *, is_root: bool) -> bool:
    """Return whether a leaf can stand in for the words of a message that has none."""
    if part.name and part.disposition == "attachment" and not is_root:
        return False
    is_text = part.kind.startswith(("text/", "message/")) and part.kind not in _NOT_FOR_PEOPLE
    return is_text and not seems_to_be(part.data, part.charset)
