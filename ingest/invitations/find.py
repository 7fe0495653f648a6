"""Find the invitations in a mail: in its calendar parts, its files, and the mails in it."""

from collections.abc import Iterator
from typing import NamedTuple
from zoneinfo import ZoneInfo

from assistant.domain.calendar.invitations.invitation import Invitation
from assistant.domain.limits import MailLimits, MiB
from ingest.extract.extracted import NotReadableError
from ingest.extract.smime import open_signed
from ingest.extract.tnef import open_tnef
from ingest.mime.charsets import decode
from ingest.mime.parts import MESSAGES, MimePart
from ingest.mime.tree import parse_tree
from ingest.parsing.header import header_facts

INVITATIONS = 20
"""The most invitations that are taken from one mail."""
SIZE = MiB
"""The most bytes of calendar objects that are read in one mail."""
_OPENED = 5
"""The most mails in files, signed messages and files of Outlook that are opened."""
_CALENDARS = frozenset(
    {"text/calendar", "application/ics", "text/x-vcalendar", "application/calendar", "text/ics"}
)
_NAMES = (".ics", ".vcs", ".ical", ".icalendar")
_PKCS7 = frozenset({"application/pkcs7-mime", "application/x-pkcs7-mime"})
_TNEF = b"\x78\x9f\x3e\x22"
_BEGIN = b"BEGIN:VCALENDAR"
_NO_FORWARDS = frozenset({"multipart/report", "multipart/digest"})


class CalendarFile(NamedTuple):
    """The bytes of a calendar object, and what its mail says of it."""

    data: bytes
    charset: str | None = None
    method: str = ""
    """The method that its Content-Type names."""
    sender: str = ""
    forwarded: bool = False


def invitations_in(
    mail: bytes | MimePart,
    zone: ZoneInfo,
    addresses: frozenset[str] = frozenset(),
    limits: MailLimits | None = None,
) -> tuple[Invitation, ...]:
    """Return the invitations in a mail, in its order, each once. Raises nothing.

    Args:
        mail: the mail as it came, or taken apart.
        zone: the owner's zone, for times that name none.
        addresses: the owner's addresses; empty where they are not known.
        limits: how much of a mail is read.
    """
    limits = limits or MailLimits()
    try:
        tree = mail if isinstance(mail, MimePart) else parse_tree(mail, limits)
        return read_files(_Finding(limits).files(tree), zone, addresses)
    except RecursionError:
        return ()


def read_files(
    files: Iterator[CalendarFile], zone: ZoneInfo, addresses: frozenset[str] = frozenset()
) -> tuple[Invitation, ...]:
    """Return the invitations in calendar objects, each once."""
    found: list[Invitation] = []
    seen: set[Invitation] = set()
    room = SIZE
    own = frozenset(each.strip().lower() for each in addresses)
    for file in files:
        from ingest.invitations.events import ReadFor, invitations_of  # noqa: PLC0415 (slow to load)
        from ingest.invitations.lines import components  # noqa: PLC0415

        if room <= 0:
            break
        data = file.data[:room]
        room -= len(data)
        text = decode(data, file.charset or "utf-8", detect=False).text
        calendars, defects = components(text.replace("\0", ""))
        if len(data) < len(file.data):
            defects = (*defects, "it is too large, and was not read to its end")
        reader = ReadFor(zone, own, file.sender, file.forwarded)
        for calendar in calendars:
            for each in invitations_of(calendar, file.method, reader):
                invitation = each.model_copy(update={"defects": (*each.defects, *defects)})
                bare = each.model_copy(update={"defects": ()})
                if bare not in seen:
                    seen.add(bare)
                    found.append(invitation)
                if len(found) == INVITATIONS:
                    return tuple(found)
    return tuple(found)


class _Place(NamedTuple):
    """The message that a part stands in."""

    sender: str = ""
    forwarded: bool = False


class _Finding:
    """The search through one mail, and how much was opened in it."""

    def __init__(self, limits: MailLimits) -> None:
        self._limits = limits
        self._opened = 0

    def files(self, tree: MimePart) -> Iterator[CalendarFile]:
        yield from self._part(tree, _Place(header_facts(tree).sender_address), "")

    def _part(self, part: MimePart, place: _Place, container: str) -> Iterator[CalendarFile]:
        if part.kind in MESSAGES:
            if container not in _NO_FORWARDS:
                for child in part.children:
                    yield from self._inner(child)
        elif part.kind.startswith("multipart/"):
            for child in part.children:
                yield from self._part(child, place, part.kind)
        elif part.data:
            yield from self._leaf(part, place)

    def _inner(self, tree: MimePart) -> Iterator[CalendarFile]:
        place = _Place(header_facts(tree).sender_address, forwarded=True)
        yield from self._part(tree, place, "")

    def _leaf(self, part: MimePart, place: _Place) -> Iterator[CalendarFile]:
        name = part.name.lower()
        if part.data.startswith(_TNEF):
            yield from self._tnef(part, place)
        elif part.kind in _PKCS7:
            yield from self._signed(part, place)
        elif _is_calendar(part.kind, name, part.data):
            method = part.parameters.named.get("method", "")
            yield CalendarFile(part.data, part.charset, method, place.sender, place.forwarded)
        elif name.endswith(".eml") and self._may_open():
            yield from self._inner(parse_tree(part.data, self._limits))

    def _tnef(self, part: MimePart, place: _Place) -> Iterator[CalendarFile]:
        if not self._may_open():
            return
        try:
            enclosed = open_tnef(part.data).parts
        except NotReadableError:
            return
        for each in enclosed:
            kind = each.type.partition(";")[0].strip().lower()
            if _is_calendar(kind, each.name.lower(), each.data):
                yield CalendarFile(each.data, None, "", place.sender, place.forwarded)

    def _signed(self, part: MimePart, place: _Place) -> Iterator[CalendarFile]:
        if not self._may_open():
            return
        try:
            inner = open_signed(part.data)
        except NotReadableError:
            return
        yield from self._part(parse_tree(inner, self._limits), place, "")

    def _may_open(self) -> bool:
        self._opened += 1
        return self._opened <= _OPENED


def _is_calendar(kind: str, name: str, data: bytes) -> bool:
    if kind in _CALENDARS or name.endswith(_NAMES):
        return True
    return data[:64].lstrip(b"\xef\xbb\xbf \t\r\n").upper().startswith(_BEGIN)
