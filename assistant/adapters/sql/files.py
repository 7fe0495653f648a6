"""What paths hold, and held."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, collate, func, select, update

from assistant.adapters.sql.audit import AuditRows
from assistant.adapters.sql.calls import call_of
from assistant.adapters.sql.tables.calls import CallRow
from assistant.adapters.sql.tables.columns import table
from assistant.adapters.sql.tables.files import FileRow, FileVersionRow
from assistant.adapters.sql.tables.owners import OwnerRow
from assistant.domain.audit.entry import AuditEntry
from assistant.domain.calls.call import Call
from assistant.domain.errors import AlreadyThere, BadArguments, NotFound, Stale
from assistant.domain.files.origins import origin_of
from assistant.domain.files.paths import folded, parse_path
from assistant.domain.files.version import FileVersion

_CALL = table(CallRow)
_FILE = table(FileRow)
_OWNER = table(OwnerRow)
_VERSION = table(FileVersionRow)
_NEWEST = and_(
    _VERSION.c.owner == _FILE.c.owner,
    _VERSION.c.path == _FILE.c.path,
    _VERSION.c.version == _FILE.c.version,
)


class FileRows(AuditRows):
    """See ``assistant.domain.files.ports``."""

    def file(self, path: str) -> FileVersion:
        found = self._newest(path)
        if found is None or found.deleted:
            raise NotFound(path)
        return found

    def file_versions(self, path: str) -> Sequence[FileVersion]:
        return self._versions(
            select(_VERSION).where(self._at(path)).order_by(_VERSION.c.version.desc())
        )

    def files(
        self, prefix: str, *, after: str = "", limit: int = 200, deleted: bool = False
    ) -> Sequence[FileVersion]:
        by_path = self._bytewise(_FILE.c.path)
        statement = self._held().order_by(by_path).limit(limit)
        # One lower bound: of two, SQLite may begin at the lesser.
        statement = statement.where(by_path > after if after >= prefix else by_path >= prefix)
        if prefix:  # not LIKE, for which SQLite has no case and `_` is any letter
            statement = statement.where(by_path < f"{prefix[:-1]}{chr(ord(prefix[-1]) + 1)}")
        if not deleted:
            statement = statement.where(_VERSION.c.deleted.is_(False))
        return self._versions(statement)

    def twin(self, path: str) -> str:
        statement = self._held().where(
            func.lower(_FILE.c.path) == folded(path),
            _FILE.c.path != path,
            _VERSION.c.deleted.is_(False),
        )
        return next((twin.path for twin in self._versions(statement.limit(1))), "")

    def write_file(self, file: FileVersion) -> FileVersion:
        self._must_write()
        if parse_path(file.path) != file.path:
            raise BadArguments(f"path: {file.path!r} is not how it is written")
        self._make_room(file)
        written = self._signed_version(file)
        if not self._point_to(written):
            raise Stale(f"{file.path} is no longer at version {file.version or 'none'}")
        self._insert(_VERSION, {**written.model_dump(), "origin": written.origin.value})
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

    def _make_room(self, file: FileVersion) -> None:
        """See that what follows nothing may be there, and that what is to go is there."""
        now = self._newest(file.path)
        if now is not None and not now.deleted:
            return
        if file.deleted:
            raise NotFound(file.path)
        # Two that make two spellings of one name at once have no row in common but their owner's.
        # Not FOR UPDATE, which would wait for everybody whose rows refer to the owner.
        mine = select(_OWNER.c.id).where(_OWNER.c.id == self.cause.owner)
        self._one(mine.with_for_update(key_share=True), f"owner {self.cause.owner}")
        if twin := self.twin(file.path):
            raise AlreadyThere(f"{twin}, which differs from {file.path} in case alone; use {twin}")

    def _signed_version(self, file: FileVersion) -> FileVersion:
        """The next version, with what is said of it by the rows and not by whoever writes it."""
        given: dict[str, Any] = {"version": file.version + 1, "at": self._now}
        if file.call:
            call = self._writer(file.call)
            given["origin"], given["source"] = origin_of(call, self._same(file))
            given["by"] = call.actor if call else file.by
        return file.model_copy(update=given)

    def _writer(self, id: str) -> Call | None:
        statement = select(_CALL).where(_CALL.c.id == id, _CALL.c.owner == self.cause.owner)
        rows = self._all(statement)
        return call_of(rows[0]) if rows else None

    def _same(self, file: FileVersion) -> Sequence[FileVersion]:
        """The versions of this path that hold the same bytes, the oldest first."""
        if file.deleted:
            return []
        same = select(_VERSION).where(
            self._at(file.path),
            _VERSION.c.sha256 == file.sha256,
            _VERSION.c.deleted.is_(False),
        )
        return self._versions(same.order_by(_VERSION.c.version))

    def _point_to(self, file: FileVersion) -> bool:
        """Whether the path was still where this version follows on, and is moved to it now."""
        if file.version == 1:
            first = self._upsert(_FILE).values(owner=self.cause.owner, path=file.path, version=1)
            return self._count(first.on_conflict_do_nothing()) == 1
        moved = (
            update(_FILE)
            .where(
                _FILE.c.owner == self.cause.owner,
                _FILE.c.path == file.path,
                _FILE.c.version == file.version - 1,
            )
            .values(version=file.version)
        )
        return self._count(moved) == 1

    def _newest(self, path: str) -> FileVersion | None:
        found = self._versions(self._held().where(_FILE.c.path == path))
        return found[0] if found else None

    def _held(self) -> Select[Any]:
        """The newest version of each of the owner's paths."""
        return select(_VERSION).join(_FILE, _NEWEST).where(_FILE.c.owner == self.cause.owner)

    def _at(self, path: str) -> ColumnElement[bool]:
        return and_(_VERSION.c.owner == self.cause.owner, _VERSION.c.path == path)

    def _versions(self, statement: Select[Any]) -> list[FileVersion]:
        return [FileVersion.model_validate(row) for row in self._all(statement)]

    def _bytewise(self, column: ColumnElement[str]) -> ColumnElement[str]:
        """In the order of its bytes, as SQLite has it, whatever the language of the database."""
        if self._sqlite:
            return column
        return collate(column, "C")
