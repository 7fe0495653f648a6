"""The file format of an exported audit: JSON Lines, with a header and then one entry per line."""

import json
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from assistant.domain.audit.chain import Fault, Head, Verified, verify
from assistant.domain.audit.entry import AuditEntry
from assistant.domain.errors import BadArguments

FORMAT = "assistant-audit/1"


class Header(BaseModel):
    """The first line: the owner of the entries, their count, and the hashes at both ends."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)
    format: str = FORMAT
    owner: str
    exported: datetime
    after: Head = Head()
    """The entry before the first one; empty where the file holds the chain from its beginning."""
    count: int
    head: Head
    """The last entry."""
    loose: int = 0
    """The number of entries that were not chained yet; they are not in the file."""


class _Line(AuditEntry):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


def written(what: Header | AuditEntry) -> str:
    """Return a line of the file, with its newline."""
    return what.model_dump_json() + "\n"


def verify_lines(lines: Iterable[str], *, held: str = "", kept: Iterable[Head] = ()) -> Verified:
    """Check an exported file, without a database and without a network.

    ``held`` and ``kept`` are heads that it must have; see ``verify``.

    Raises:
        BadArguments: it does not begin with the header of an exported audit.
    """
    reading = iter(enumerate(lines, start=1))
    header = _header(next(reading, (1, ""))[1])
    entries = _Entries(reading, owner=header.owner)
    found = verify(entries, after=header.after, held=held, kept=kept, line=lambda: entries.line)
    short = None if found.fault else _short(header, found, entries.line)
    found = found.model_copy(update={"loose": header.loose})
    return found.having([short] if short else [])


def _header(line: str) -> Header:
    try:
        header = Header.model_validate_json(line)
    except ValidationError as error:
        raise BadArguments("this is not an exported audit: its first line is no header") from error
    if header.format != FORMAT:
        raise BadArguments(f"this audit has the format {header.format}, and not {FORMAT}")
    return header


class _Entries:
    """The entries of the lines, with a ``Fault`` in place of a line that cannot be read."""

    def __init__(self, lines: Iterator[tuple[int, str]], *, owner: str) -> None:
        self._lines = lines
        self._owner = owner
        self.line = 1

    def __iter__(self) -> Iterator[AuditEntry | Fault]:
        for line, text in self._lines:
            self.line = line
            yield self._entry(text)

    def _entry(self, text: str) -> AuditEntry | Fault:
        try:
            fields = json.loads(text, object_pairs_hook=_once_each)
            entry = _Line.model_validate_json(text)
        except ValidationError as error:
            places = {".".join(map(str, problem["loc"])) for problem in error.errors()}
            return Fault(why=f"it cannot be read: {', '.join(sorted(places))}", line=self.line)
        except (ValueError, RecursionError) as error:
            return Fault(why=f"it cannot be read: {error}", line=self.line)
        missing = _Line.model_fields.keys() - fields.keys()
        if missing:
            why = f"it lacks {', '.join(sorted(missing))}"
            return Fault(why=why, place=entry.place, line=self.line)
        if entry.owner != self._owner:
            return Fault(why="it is another owner's", place=entry.place, line=self.line)
        return entry


def _once_each(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Refuse two members of one name, as JSON readers differ in which of them counts."""
    fields = dict(pairs)
    if len(fields) != len(pairs):
        message = "a name stands in it twice"
        raise ValueError(message)
    return fields


def _short(header: Header, found: Verified, line: int) -> Fault | None:
    """Return what the header promises and the lines lack."""
    if found.count != header.count:
        why = f"the header counts {header.count} entries, and {found.count} are there"
        return Fault(why=why, line=line)
    if found.head != header.head:
        return Fault(why="the header names another head than the last entry's", line=line)
    return None
