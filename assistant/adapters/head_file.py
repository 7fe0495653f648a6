"""The heads of the audit, kept in a file beside the database: a line for each, appended."""

import logging
import os
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path

from assistant.domain.audit.chain import Head

log = logging.getLogger(__name__)

_FIELDS = 4
_TAIL = 4096
"""Bytes at the end of the file that are looked at before a head is appended."""


class HeadFile:
    """See ``assistant.domain.audit.ports.KeptHeads``. Several processes may append at once."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def keep(self, heads: Mapping[str, Head], *, at: datetime) -> None:
        known = self._last()
        lines = "".join(
            f"{at.isoformat(timespec='seconds')} {owner} {head.place} {head.hash}\n"
            for owner, head in heads.items()
            if known.get(owner) != head
        )
        if not lines:
            return
        try:
            self._begin_a_line()
            descriptor = os.open(self._file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
            try:
                os.write(descriptor, lines.encode())
            finally:
                os.close(descriptor)
        except OSError as error:  # a full disk: the next head says as much as this one
            log.warning("could not keep the head of the audit in %s: %s", self._file, error)

    def _begin_a_line(self) -> None:
        """End the last line, if a full disk or a crash has cut it."""
        try:
            with self._file.open("r+b") as opened:
                if opened.seek(0, os.SEEK_END) and opened.seek(-1, os.SEEK_END) >= 0:
                    last = opened.read(1)
                    if last != b"\n":
                        opened.write(b"\n")
        except FileNotFoundError:
            return

    def kept(self, owner: str) -> list[Head]:
        """Return the heads of an owner; lines that cannot be read are left out."""
        try:
            text = self._file.read_text("utf-8", errors="replace")
        except OSError:
            return []
        return [head for whose, head in _heads(text) if whose == owner]

    def _last(self) -> Mapping[str, Head]:
        """Return the newest head of each owner, as far as the end of the file has it."""
        try:
            with self._file.open("rb") as opened:
                opened.seek(max(0, opened.seek(0, os.SEEK_END) - _TAIL))
                return dict(_heads(opened.read().decode(errors="replace")))
        except OSError:
            return {}


def _heads(text: str) -> Iterator[tuple[str, Head]]:
    for line in text.splitlines():
        fields = line.split(" ")
        if len(fields) == _FIELDS and fields[2].isdecimal():
            yield fields[1], Head(place=int(fields[2]), hash=fields[3])
