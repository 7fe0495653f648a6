"""The hash chain of the audit: each entry holds the hash of its owner's entry before it.

Changing, removing, moving or inserting an entry breaks the chain there, unless every later entry is
rewritten; then the head, the newest hash, differs. Only a copy of an older head, kept elsewhere,
shows that: a chain without its end looks complete.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from itertools import chain as chain_of
from itertools import islice
from typing import Any

from pydantic import BaseModel, ConfigDict

from assistant.domain.audit.entry import AuditEntry
from assistant.domain.canonical import digest
from assistant.domain.errors import BadArguments

_GIVEN_LATER = frozenset({"place", "previous", "hash"})
_BITS = 1024
MOST = 20
"""Faults that are named at the most."""


class Head(BaseModel):
    """The newest entry of a chain; ``place`` 0 and no hash for an empty chain."""

    model_config = ConfigDict(frozen=True)
    place: int = 0
    hash: str = ""


class Extent(BaseModel):
    """The length of an owner's chain."""

    model_config = ConfigDict(frozen=True)
    count: int = 0
    head: Head = Head()
    loose: int = 0
    """Entries that are not chained yet."""


class Fault(BaseModel):
    """The first entry that breaks the chain, and why. Has no id if the entry is missing."""

    model_config = ConfigDict(frozen=True)
    why: str
    place: int | None = None
    number: int = 0
    id: str = ""
    line: int = 0
    """Its line in an exported file, counted from 1."""


class Verified(BaseModel):
    """The result of a check: ``count`` entries are linked, up to this head."""

    model_config = ConfigDict(frozen=True)
    count: int = 0
    head: Head = Head()
    loose: int = 0
    archived: int = 0
    """Entries before these that are in files of the archive, and no longer in the database."""
    archives: tuple[str, ...] = ()
    """The names of these files, oldest first."""
    fault: Fault | None = None
    """The first fault."""
    faults: tuple[Fault, ...] = ()
    """All faults, but for those beyond ``MOST``."""

    def having(self, more: Iterable[Fault]) -> "Verified":
        """Return the result with more faults."""
        faults = tuple(islice(chain_of((*self.faults,), more), MOST))
        return self.model_copy(update={"fault": next(iter(faults), None), "faults": faults})


def link(previous: str, place: int, entry: AuditEntry) -> str:
    """Return the hash of an entry in its place: SHA-256 of all its fields as canonical JSON.

    The JSON follows RFC 8785. Times are in UTC with six digits after the second, such as
    ``2026-11-23T08:00:00.000000+00:00``.

    Raises:
        BadArguments: the entry holds a value that canonical JSON cannot express.
    """
    facts = {name: _canonical(fact) for name, fact in entry if name not in _GIVEN_LATER}
    return digest({**facts, "place": place, "previous": previous})


def chain(
    entries: Iterable[AuditEntry], *, heads: Mapping[str, Head], place: int
) -> Sequence[AuditEntry]:
    """Return the entries, placed after ``place``, each linked to its owner's entry before it."""
    last = {owner: head.hash for owner, head in heads.items()}
    chained: list[AuditEntry] = []
    for entry in entries:
        place += 1
        previous = last.get(entry.owner, "")
        last[entry.owner] = link(previous, place, entry)
        given = {"place": place, "previous": previous, "hash": last[entry.owner]}
        chained.append(entry.model_copy(update=given))
    return chained


def verify(
    entries: Iterable[AuditEntry | Fault],
    *,
    after: Head = Head(),  # noqa: B008 (frozen)
    held: str = "",
    kept: Iterable[Head] = (),
    line: Callable[[], int] = int,
) -> Verified:
    """Check one owner's chain, in the order of places, and go on after a fault.

    Args:
        entries: the entries; a fault replaces one that could not be read.
        after: the head of the chain before the first entry.
        held: a head that was kept elsewhere; the chain must contain it.
        kept: heads that were kept elsewhere with their places; the chain must have them there.
        line: the line that the entry now at hand stands in, where it comes from a file.
    """
    links = _Links(after, kept)
    found = Verified(head=after)
    faults: list[Fault] = []
    met = held in ("", after.hash)
    for entry in entries:
        fault = links.fault_of(entry)
        if fault is not None:
            faults.append(fault.model_copy(update={"line": line()}))
        elif not faults:
            found = Verified(count=found.count + 1, head=links.last)
        met = met or (isinstance(entry, AuditEntry) and entry.hash == held)
        if len(faults) >= MOST:
            break
    else:
        faults += links.unmet()
        if not met:
            why = f"no entry has the hash {held}: the chain was cut or rewritten"
            if after.place:
                why += f", or it is that of an entry before place {after.place}, where this begins"
            faults.append(Fault(why=why, line=line()))
    return found.having(faults)


class _Links:
    """Checks entries one by one, each against the last one that could be read."""

    def __init__(self, after: Head, kept: Iterable[Head]) -> None:
        self.last = after
        self._linked = True
        """False after an entry whose hash could not be read."""
        self._numbers = _Numbers()
        self._kept: defaultdict[int, set[str]] = defaultdict(set)
        for head in kept:
            if head.place > after.place:
                self._kept[head.place].add(head.hash)

    def fault_of(self, entry: AuditEntry | Fault) -> Fault | None:
        if isinstance(entry, Fault):
            self._linked = False
            self.last = Head(place=max(self.last.place, entry.place or 0))
            self._kept.pop(entry.place or 0, None)  # its hash is as unreadable as it is
            return entry
        fault = _fault(entry, self.last, self._numbers, linked=self._linked)
        if entry.place is not None:
            self.last = Head(place=max(self.last.place, entry.place), hash=entry.hash)
            self._linked = True
            if self._kept.get(entry.place) == {entry.hash}:
                del self._kept[entry.place]
        return fault

    def unmet(self) -> list[Fault]:
        """Say which kept heads the chain does not have."""
        within = [place for place in self._kept if place <= self.last.place]
        beyond = [place for place in self._kept if place > self.last.place]
        faults = []
        if within:
            why = "the chain was rewritten: another head was kept for this place"
            faults.append(Fault(why=why, place=min(within)))
        if beyond:
            why = (
                f"the chain was cut: it ends at place {self.last.place}, and a later head was kept"
            )
            faults.append(Fault(why=why, place=max(beyond)))
        return faults


def _fault(entry: AuditEntry, head: Head, seen: "_Numbers", *, linked: bool) -> Fault | None:
    if entry.place is None:
        why = "it has no place"
    else:
        previous = entry.previous if linked else head.hash
        why = _misplaced(entry.place, previous, head) or _altered(entry.place, entry)
    if not why and not seen.add(entry.number):
        why = f"there was an entry with the number {entry.number} before"
    return Fault(why=why, place=entry.place, number=entry.number, id=entry.id) if why else None


def _misplaced(place: int, previous: str, head: Head) -> str:
    if place <= head.place:
        return f"it stands in place {place}, which is not after {head.place}"
    if previous == head.hash:
        return ""
    if place > head.place + 1:
        return f"what stood between place {head.place} and it is missing"
    return "what stands before it is not what it was linked to"


def _altered(place: int, entry: AuditEntry) -> str:
    try:
        fits = link(entry.previous, place, entry) == entry.hash
    except BadArguments as error:
        return f"it cannot be hashed: {error}"
    return "" if fits else "it does not say what it said when it was chained"


def _canonical(fact: Any) -> Any:
    if not isinstance(fact, datetime):
        return fact
    if fact.tzinfo is None:
        raise BadArguments(f"a naive time: {fact}")
    return fact.astimezone(UTC).isoformat(timespec="microseconds")


class _Numbers:
    """A set of numbers that costs about a bit for each, as most are consecutive."""

    def __init__(self) -> None:
        self._bits: defaultdict[int, int] = defaultdict(int)

    def add(self, number: int) -> bool:
        """Add a number; return whether it is new."""
        block, bit = divmod(number, _BITS)
        new = not self._bits[block] >> bit & 1
        self._bits[block] |= 1 << bit
        return new
