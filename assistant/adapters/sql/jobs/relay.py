"""Find the jobs that the relay rings again, and list all jobs."""

import logging
from collections.abc import Sequence
from datetime import UTC, datetime

from sqlalchemy import BindParameter, bindparam, text

from assistant.adapters.sql.jobs.canaries import Canaries
from assistant.adapters.sql.jobs.claims import SKIP_LOCKED
from assistant.adapters.sql.jobs.noted_time import NotedTime
from assistant.adapters.sql.jobs.rows import RING_AFTER
from assistant.adapters.sql.parts import epoch
from assistant.domain.jobs.job import Doorbell, JobFacts
from assistant.domain.limits import TOOL_SECONDS
from assistant.domain.messages import Queue

log = logging.getLogger(__name__)

SKEW = 5.0
"""Seconds that the clocks of two machines may differ without one of them having been set back."""
LONGEST_WAIT = 2 * TOOL_SECONDS
"""Seconds; more than a job ever waits for its next try."""


class Relay(Canaries, NotedTime):
    """See ``assistant.domain.store.Store``."""

    _unknown: frozenset[str] = frozenset()
    """Queues that this version does not know, and that were logged."""

    def due(self, *, limit: int = 200) -> Sequence[Doorbell]:
        now = self._epoch()
        ticked = self.ticked()
        if ticked is not None and epoch(ticked) > now + SKEW:
            self._set_back(now)
        self._log_unknown_queues()
        statement = _DUE_SQLITE if self._engines.sqlite else _DUE_POSTGRES
        values = {"now": now, "limit": limit, "ring_after": RING_AFTER, "queues": _KNOWN}
        rows = self._run(statement, values)
        return [Doorbell(job=row["id"], kind=row["kind"], queue=row["queue"]) for row in rows]

    def _set_back(self, now: float) -> None:
        """Make jobs due that a clock which was set back since would keep waiting."""
        statement = _SET_BACK_SQLITE if self._engines.sqlite else _SET_BACK_POSTGRES
        self._run(statement, {"now": now, "soon": now + SKEW, "later": now + LONGEST_WAIT})
        self._set_canaries_back(later_than=now + SKEW)

    def _log_unknown_queues(self) -> None:
        """Log them once. Another version of the program rings for their jobs."""
        found = {row["queue"] for row in self._read(_UNKNOWN_QUEUES, {"queues": _KNOWN})}
        if new := found - self._unknown:
            self._unknown |= new
            words = "jobs wait in a queue that is not known here, and are left alone: %s"
            log.warning(words, ", ".join(sorted(new)))

    def jobs(self, *, trace: str = "", failed: bool | None = None) -> Sequence[JobFacts]:
        statement = _JOBS_OF_TRACE if trace else _JOBS
        rows = self._read(statement, {"trace": trace} if trace else {})
        return [
            JobFacts.model_validate(
                {
                    **row,
                    "due": datetime.fromtimestamp(row["due"], UTC),
                    "claimed": row["claim"] is not None,
                    "failed": bool(row["failed"]),
                    "waits_since": datetime.fromtimestamp(row["waits_since"], UTC)
                    if row["waits_for"]
                    else None,
                }
            )
            for row in rows
            if failed is None or bool(row["failed"]) is failed
        ]


# A job is rung again when it became due since it was last rung; when a canary that was sent after
# its bell has crossed its queue, so that the bell must be lost; at the latest after `ring_after`.
# The jobs are chosen once, first: Postgres may repeat a subquery for each row, and find more.
_DUE = """
WITH chosen AS MATERIALIZED (
  SELECT id FROM job
  WHERE claim IS NULL AND NOT failed AND due <= :now AND queue IN :queues
    AND (rung < due OR ring_after <= :now
         OR rung < (SELECT passed FROM canary WHERE canary.queue = job.queue))
  ORDER BY due LIMIT :limit {lock}
)
UPDATE job SET rung = :now, rings = CASE WHEN rings < 6 THEN rings + 1 ELSE 6 END,
               ring_after = :now + :ring_after * (1 << rings)
WHERE id IN (SELECT id FROM chosen)
RETURNING id, kind, queue
"""
_QUEUES: BindParameter[str] = bindparam("queues", expanding=True)
_KNOWN = [queue.value for queue in Queue]
_DUE_SQLITE = text(_DUE.format(lock="")).bindparams(_QUEUES)
_DUE_POSTGRES = text(_DUE.format(lock=SKIP_LOCKED)).bindparams(_QUEUES)

_UNKNOWN_QUEUES = text("""
SELECT DISTINCT queue FROM job WHERE claim IS NULL AND NOT failed AND queue NOT IN :queues
""").bindparams(_QUEUES)

# A job that was rung in the future was due then, by the clock that was set back, because no job is
# rung before it is due. So was one that waits for its next try longer than any job may.
_SET_BACK = """
UPDATE job SET due = CASE WHEN due > :now THEN :now ELSE due END, rung = 0, rings = 0
WHERE id IN (
  SELECT id FROM job
  WHERE claim IS NULL AND NOT failed
    AND (rung > :soon OR (rung = 0 AND (attempts > 0 OR waits_for <> '') AND due > :later))
  {lock}
)
"""
_SET_BACK_SQLITE = text(_SET_BACK.format(lock=""))
_SET_BACK_POSTGRES = text(_SET_BACK.format(lock=SKIP_LOCKED))

_JOBS = text("SELECT * FROM job ORDER BY due, id DESC")
_JOBS_OF_TRACE = text("SELECT * FROM job WHERE trace = :trace ORDER BY due, id DESC")
