"""An exported audit: JSON Lines, a header and then an entry a line, to be checked anywhere."""

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
    """The first line: whose entries follow, how many, and between which hashes."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)
    format: str = FORMAT
    owner: str
    exported: datetime
    after: Head = Head()
    """What the first entry is linked to; nothing where the chain is whole."""
    count: int
    head: Head
    """The last entry's."""
    loose: int = 0
    """Entries that were not chained yet and are not in the file."""


class _Line(AuditEntry):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


def written(what: Header | AuditEntry) -> str:
    """A line of the file, with its end."""
    return what.model_dump_json() + "\n"


def verify_lines(lines: Iterable[str], *, held: str = "") -> Verified:
    """Check an exported file; nothing else is needed, no database and no network.

    Raises:
        BadArguments: it does not begin with the header of an exported audit.
    """
    reading = iter(enumerate(lines, start=1))
    header = _header(next(reading, (1, ""))[1])
    entries = _Entries(reading, owner=header.owner)
    found = verify(entries, after=header.after, held=held)
    fault = found.fault or _short(header, found)
    if fault is not None and fault.line == 0:
        fault = fault.model_copy(update={"line": entries.line})
    return found.model_copy(update={"loose": header.loose, "fault": fault})


def _header(line: str) -> Header:
    try:
        header = Header.model_validate_json(line)
    except ValidationError as error:
        raise BadArguments("this is not an exported audit: its first line is no header") from error
    if header.format != FORMAT:
        raise BadArguments(f"this audit has the format {header.format}, and not {FORMAT}")
    return header


class _Entries:
    """The entries of the lines, or in the place of one that cannot be read what is wrong."""

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
    """Two members of one name are read differently by different readers."""
    fields = dict(pairs)
    if len(fields) != len(pairs):
        message = "a name stands in it twice"
        raise ValueError(message)
    return fields


def _short(header: Header, found: Verified) -> Fault | None:
    """What the header promises and the lines do not have."""
    if found.count != header.count:
        return Fault(why=f"the header counts {header.count} entries, and {found.count} are there")
    if found.head != header.head:
        return Fault(why="the header names another head than the last entry's")
    return None
