"""Claim jobs, keep the claims alive, and release them."""

from collections.abc import Sequence
from datetime import UTC, datetime
from secrets import token_hex

from pydantic import ValidationError
from sqlalchemy import BindParameter, bindparam, column, text

from assistant.adapters.sql.driver import Prepared
from assistant.adapters.sql.jobs.rows import RING_AFTER
from assistant.adapters.sql.parts import StorePart, epoch
from assistant.domain.errors import BadArguments
from assistant.domain.jobs.job import Job
from assistant.domain.messages import Message, parse

# Rows that others are writing are skipped. A statement that holds one row and waits for another
# could deadlock with a transaction that ends one job and emits the next.
SKIP_LOCKED = "FOR UPDATE SKIP LOCKED"


class Claims(StorePart):
    """See ``assistant.domain.store.Store``."""

    def waits(self, job: str) -> bool:
        return bool(self._read(_WAITS, {"id": job, "now": self._epoch()}))

    def claim(self, job: str, *, worker: str) -> Job | None:
        message = _parsed(job)
        token = token_hex(8)
        values = {"id": job, "claim": token, "worker": worker, "now": self._epoch()}
        for row in self._run(_CLAIM, values):
            since = row["waits_since"]
            row["waits_since"] = datetime.fromtimestamp(since, UTC) if since else None
            return Job(**row, message=message, claim=token)
        return None

    def retry(self, job: Job, *, due: datetime, error: str) -> None:
        values = {
            "id": job.message.name,
            "claim": job.claim,
            "due": epoch(due),
            "ring_after": epoch(due) + RING_AFTER,
            "error": error,
        }
        self._run(_RETRY, values)

    def postpone(self, job: Job, *, due: datetime, part: str, error: str) -> None:
        values = {
            "id": job.message.name,
            "claim": job.claim,
            "due": epoch(due),
            "ring_after": epoch(due) + RING_AFTER,
            "part": part,
            "error": error,
            "now": self._epoch(),
        }
        self._run(_POSTPONE, values)

    def beat(self, claims: Sequence[str]) -> None:
        if claims:
            statement = _BEAT_SQLITE if self._engines.sqlite else _BEAT_POSTGRES
            self._run(statement, {"claims": list(claims)})

    def held(self) -> dict[str, tuple[str, int]]:
        return {row["id"]: (row["claim"], row["beat"]) for row in self._read(_HELD)}

    def holders(self) -> dict[str, str]:
        """Every claim and the worker that made it."""
        return {row["claim"]: row["worker"] for row in self._read(_HELD)}

    def release(self, claims: Sequence[str]) -> int:
        if not claims:
            return 0
        statement = _RELEASE_SQLITE if self._engines.sqlite else _RELEASE_POSTGRES
        return len(self._run(statement, {"claims": list(claims), "now": self._epoch()}))


def _parsed(job: str) -> Message:
    try:
        return parse(job)
    except ValidationError as error:
        raise BadArguments(f"no message is named {job!r}") from error


_WAITS = Prepared(
    text("""
SELECT id FROM job WHERE id = :id AND claim IS NULL AND NOT failed AND due + 0 <= :now
""").columns(column("id"))
)

# A claim need not be flushed by itself. The commit of the job's work flushes it too, and nothing
# happens before that which may not happen again. ``due + 0`` keeps Postgres, which has no useful
# statistics of a mostly empty table, from walking through all jobs that are due.
_CLAIM = Prepared(
    text("""
UPDATE job SET claim = :claim, worker = :worker, attempts = attempts + 1, beat = 0
WHERE id = :id AND claim IS NULL AND NOT failed AND due + 0 <= :now
RETURNING owner, trace, attempts, waits_for, waits_since
""").columns(*map(column, ("owner", "trace", "attempts", "waits_for", "waits_since")))
)

_RETRY = text("""
UPDATE job SET claim = NULL, again = FALSE, due = :due, rung = 0, rings = 0,
               ring_after = :ring_after, error = :error, waits_for = '', waits_since = 0
WHERE id = :id AND claim = :claim
""")

# The claim counted a try, which is taken back. A claim that ends its worker never comes here.
_POSTPONE = text("""
UPDATE job SET claim = NULL, again = FALSE, attempts = attempts - 1, due = :due, rung = 0,
               rings = 0, ring_after = :ring_after, error = :error,
               waits_since = CASE WHEN waits_for = :part THEN waits_since ELSE :now END,
               waits_for = :part
WHERE id = :id AND claim = :claim
""")

_CLAIMS: BindParameter[str] = bindparam("claims", expanding=True)

_BEAT = """
UPDATE job SET beat = beat + 1 WHERE id IN (SELECT id FROM job WHERE claim IN :claims {lock})
"""
_BEAT_SQLITE = text(_BEAT.format(lock="")).bindparams(_CLAIMS)
_BEAT_POSTGRES = text(_BEAT.format(lock=SKIP_LOCKED)).bindparams(_CLAIMS)

_HELD = text("SELECT id, claim, worker, beat FROM job WHERE claim IS NOT NULL")

_RELEASE = """
UPDATE job SET claim = NULL, again = FALSE, due = :now, rung = 0, rings = 0
WHERE id IN (SELECT id FROM job WHERE claim IN :claims {lock})
RETURNING id
"""
_RELEASE_SQLITE = text(_RELEASE.format(lock="")).bindparams(_CLAIMS)
_RELEASE_POSTGRES = text(_RELEASE.format(lock=SKIP_LOCKED)).bindparams(_CLAIMS)
