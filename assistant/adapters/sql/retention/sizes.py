"""Tell how much there is, from what the database knows."""

from sqlalchemy import text

from assistant.adapters.sql.parts import StorePart
from assistant.domain.jobs.job import Sizes


class StoredSizes(StorePart):
    """See ``assistant.domain.store.Store``."""

    def sizes(self, owner: str) -> Sizes:
        of_database = _OF_SQLITE if self._engines.sqlite else _OF_POSTGRES
        [database] = self._read(of_database)
        [rows] = self._read(_ROWS, {"me": owner})
        return Sizes(database=int(database["bytes"]), **{name: int(n) for name, n in rows.items()})


_OF_SQLITE = text(
    "SELECT page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()"
)
_OF_POSTGRES = text("SELECT pg_database_size(current_database()) AS bytes")

# Calls are numbered without gaps, and no call goes.
_ROWS = text("""
SELECT (SELECT coalesce(sum(size), 0) FROM mail WHERE owner = :me AND state <> 'forgotten')
     + (SELECT coalesce(sum(size), 0) FROM attachment WHERE owner = :me)
     + (SELECT coalesce(sum(size), 0) FROM file_version WHERE owner = :me) AS blobs,
       (SELECT count(*) FROM mail WHERE owner = :me) AS mails,
       (SELECT count(*) FROM conversation WHERE owner = :me) AS conversations,
       (SELECT calls FROM owner WHERE id = :me) AS calls,
       (SELECT count(*) FROM audit WHERE owner = :me) AS audit
""")
