"""What paths hold, in memory."""

from collections.abc import Sequence
from typing import Any

from assistant.domain.audit.entry import AuditEntry
from assistant.domain.errors import AlreadyThere, BadArguments, NotFound, Stale
from assistant.domain.files.origins import origin_of
from assistant.domain.files.paths import folded, parse_path
from assistant.domain.files.version import FileVersion
from tests.memory_audits import MemoryAudits
from tests.memory_state import kept


class MemoryFiles(MemoryAudits):
    """See ``assistant.ports``."""

    def file(self, path: str) -> FileVersion:
        for newest in self.file_versions(path)[:1]:
            if not newest.deleted:
                return newest
        raise NotFound(path)

    def file_versions(self, path: str) -> Sequence[FileVersion]:
        return self._state.files.get((self.cause.owner, path), ())[::-1]

    def files(
        self, prefix: str, *, after: str = "", limit: int = 200, deleted: bool = False
    ) -> Sequence[FileVersion]:
        found = [
            file
            for file in self._newest()
            if file.path.startswith(prefix) and file.path > after and (deleted or not file.deleted)
        ]
        return sorted(found, key=lambda file: file.path)[:limit]

    def twin(self, path: str) -> str:
        there = [file.path for file in self._newest() if not file.deleted]
        return next((it for it in there if folded(it) == folded(path) and it != path), "")

    def write_file(self, file: FileVersion) -> FileVersion:
        self._must_write()
        if parse_path(file.path) != file.path:
            raise BadArguments(f"path: {file.path!r} is not how it is written")
        before = self.file_versions(file.path)
        absent = not before or before[0].deleted
        if absent and file.deleted:
            raise NotFound(file.path)
        if self.cause.owner not in self._rows.owners:
            raise NotFound(f"owner {self.cause.owner}")
        if absent and (twin := self.twin(file.path)):
            raise AlreadyThere(f"{twin}, which differs from {file.path} in case alone; use {twin}")
        if len(before) != file.version:
            raise Stale(f"{file.path} is no longer at version {file.version or 'none'}")
        written = kept(file, self._signature(file))
        self._state.files[self.cause.owner, file.path] = (*before[::-1], written)
        self.note(
            AuditEntry(
                kind="file.delete" if written.deleted else "file.write",
                subject=written.path,
                actor=written.by,
                args=written.sha256,
                result=f"version {written.version}",
            )
        )
        return written

    def _signature(self, file: FileVersion) -> dict[str, Any]:
        given: dict[str, Any] = {"version": file.version + 1, "at": self._now}
        if file.call:
            call = self._state.calls.get(file.call)
            call = call if call and call.owner == self.cause.owner else None
            same = [
                version
                for version in reversed(self.file_versions(file.path))
                if version.sha256 == file.sha256 and not (version.deleted or file.deleted)
            ]
            given["origin"], given["source"] = origin_of(call, same)
            given["by"] = call.actor if call else file.by
        return given

    def _newest(self) -> list[FileVersion]:
        mine = [key for key in self._state.files if key[0] == self.cause.owner]
        return [self._state.files[key][-1] for key in mine]
