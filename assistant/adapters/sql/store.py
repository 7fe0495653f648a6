"""The store: transactions that ring once they are committed, and the queue seen from outside."""

import logging
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from secrets import token_hex
from typing import Any

from sqlalchemy import bindparam, text
from sqlalchemy.exc import DBAPIError, OperationalError

from assistant.adapters.sql.calls import ApprovalRows, CallRows
from assistant.adapters.sql.deliveries import DeliveryRows
from assistant.adapters.sql.engine import Engines
from assistant.adapters.sql.jobs import RING_AFTER
from assistant.adapters.sql.mails import MailRows
from assistant.adapters.sql.tables import UtcDateTime
from assistant.adapters.sql.talks import TalkRows
from assistant.domain.errors import Conflict, Transient, Unreachable
from assistant.domain.failpoints import hit
from assistant.domain.jobs import CANARY, Cause, Doorbell, Job, JobFacts
from assistant.domain.messages import Queue, parse
from assistant.ports import Bell, Clock

log = logging.getLogger(__name__)


class SqlTx(TalkRows, CallRows, ApprovalRows, MailRows, DeliveryRows):
    """One transaction; see ``assistant.ports.Tx``."""


class SqlStore:
    """See ``assistant.ports.Store``. Safe to share between threads, not across a fork."""

    def __init__(self, *, engines: Engines, bell: Bell, clock: Clock) -> None:
        self._engines = engines
        self._bell = bell
        self._clock = clock

    @contextmanager
    def begin(self, cause: Cause) -> Generator[SqlTx]:
        with _translated(), self._engines.write.connect() as connection, connection.begin():
            tx = SqlTx(connection, cause=cause, now=self._clock.now())
            yield tx
            tx.finish()
            hit("commit.before")
        hit("commit.after")
        self._ring(tx.bells)

    @contextmanager
    def read(self, cause: Cause) -> Generator[SqlTx]:
        with _translated(), self._engines.read.connect() as connection, connection.begin():
            yield SqlTx(connection, cause=cause, now=self._clock.now())

    def _ring(self, bells: Sequence[Doorbell]) -> None:
        if not bells:
            return
        hit("publish.before")
        try:
            self._bell.ring(bells)
        except Transient as error:
            log.warning(
                "the bell is out of order (%s); the relay rings %d later", error, len(bells)
            )
        hit("publish.after")

    def claim(self, job: str, *, worker: str) -> Job | None:
        token = token_hex(8)
        values = {"id": job, "claim": token, "worker": worker, "now": self._epoch()}
        rows = self._single(_CLAIM, values)
        if not rows:
            return None
        [row] = rows
        return Job(
            owner=row["owner"],
            trace=row["trace"],
            attempts=row["attempts"],
            message=parse(job),
            claim=token,
        )

    def retry(self, job: Job, *, due: datetime, error: str) -> None:
        values = {
            "id": job.message.name,
            "claim": job.claim,
            "due": due.timestamp(),
            "ring_after": due.timestamp() + RING_AFTER,
            "error": error,
        }
        self._single(_RETRY, values)

    def beat(self, claims: Sequence[str]) -> None:
        if claims:
            self._single(_BEAT, {"claims": list(claims)})

    def held(self) -> dict[str, tuple[str, int]]:
        rows = self._single(_HELD, {})
        return {row["id"]: (row["claim"], row["beat"]) for row in rows}

    def release(self, claims: Sequence[str]) -> int:
        if not claims:
            return 0
        return len(self._single(_RELEASE, {"claims": list(claims), "now": self._epoch()}))

    def due(self, *, limit: int = 200) -> Sequence[Doorbell]:
        statement = _DUE_SQLITE if self._engines.sqlite else _DUE_POSTGRES
        rows = self._single(
            statement, {"now": self._epoch(), "limit": limit, "ring_after": RING_AFTER}
        )
        return [Doorbell(job=row["id"], kind=row["kind"], queue=row["queue"]) for row in rows]

    def jobs(self, *, trace: str = "", failed: bool | None = None) -> Sequence[JobFacts]:
        statement = _JOBS_OF_TRACE if trace else _JOBS
        rows = self._single(statement, {"trace": trace} if trace else {})
        return [
            JobFacts.model_validate(
                {
                    **row,
                    "due": datetime.fromtimestamp(row["due"], UTC),
                    "claimed": row["claim"] is not None,
                    "failed": bool(row["failed"]),
                }
            )
            for row in rows
            if failed is None or bool(row["failed"]) is failed
        ]

    def sent_canary(self, queue: Queue) -> Doorbell:
        sent = self._epoch()
        self._single(_SENT, {"queue": queue.value, "now": sent})
        return Doorbell(job=repr(sent), kind=CANARY, queue=queue)

    def passed_canary(self, bell: str, queue: Queue) -> None:
        values = {"queue": queue.value, "sent": float(bell), "now": self._epoch()}
        self._single(_PASSED, values)

    def canaries(self) -> dict[Queue, datetime]:
        return {
            Queue(row["queue"]): datetime.fromtimestamp(row["seen"], UTC)
            for row in self._single(_CANARIES, {})
        }

    def raise_high_water(self) -> None:
        """Note the time, so that no clock set back makes an expired approval fresh again."""
        self._single(_HIGH_WATER, {"now": self._clock.now()})

    def _epoch(self) -> float:
        return self._clock.now().timestamp()

    def _single(self, statement: Any, values: Mapping[str, Any]) -> list[Any]:
        with _translated(), self._engines.single.connect() as connection:
            result = connection.execute(statement, values)
            rows = list(result.mappings()) if result.returns_rows else []
            connection.commit()
        return rows


@contextmanager
def _translated() -> Generator[None]:
    """Database trouble in the assistant's words."""
    try:
        yield
    except OperationalError as error:
        raise (
            Conflict(str(error.orig))
            if _raced(error)
            else Unreachable(f"the database: {error.orig}")
        ) from error
    except DBAPIError as error:
        if error.connection_invalidated:
            raise Unreachable(f"the database: {error.orig}") from error
        raise


def _raced(error: OperationalError) -> bool:
    """A deadlock or a serialisation failure (SQLSTATE class 40), or SQLite's busy."""
    state = getattr(error.orig, "sqlstate", None)
    return (state or "").startswith("40") or "database is locked" in str(error.orig)


_CLAIM = text("""
UPDATE job SET claim = :claim, worker = :worker, attempts = attempts + 1, beat = 0
WHERE id = :id AND claim IS NULL AND NOT failed AND due <= :now
RETURNING owner, trace, attempts
""")

_RETRY = text("""
UPDATE job SET claim = NULL, again = FALSE, due = :due, rung = 0, rings = 0,
               ring_after = :ring_after, error = :error
WHERE id = :id AND claim = :claim
""")

_BEAT = text("UPDATE job SET beat = beat + 1 WHERE claim IN :claims").bindparams(
    bindparam("claims", expanding=True)
)

_HELD = text("SELECT id, claim, beat FROM job WHERE claim IS NOT NULL")

_RELEASE = text("""
UPDATE job SET claim = NULL, again = FALSE, due = :now, rung = 0, rings = 0
WHERE claim IN :claims RETURNING id
""").bindparams(bindparam("claims", expanding=True))

# A job is rung again when it became due since it was last rung; when a canary sent after its bell
# has come out of its queue, so that the bell must be lost; or, at the latest, after `ring_after`.
_DUE = """
UPDATE job SET rung = :now, rings = CASE WHEN rings < 6 THEN rings + 1 ELSE 6 END,
               ring_after = :now + :ring_after * (1 << rings)
WHERE id IN (
  SELECT id FROM job
  WHERE claim IS NULL AND NOT failed AND due <= :now
    AND (rung < due OR ring_after <= :now
         OR rung < (SELECT passed FROM canary WHERE canary.queue = job.queue))
  ORDER BY due LIMIT :limit {lock}
)
RETURNING id, kind, queue
"""
_DUE_SQLITE = text(_DUE.format(lock=""))
_DUE_POSTGRES = text(_DUE.format(lock="FOR UPDATE SKIP LOCKED"))

_JOBS = text("SELECT * FROM job ORDER BY due")
_JOBS_OF_TRACE = text("SELECT * FROM job WHERE trace = :trace ORDER BY due")

_SENT = text("""
INSERT INTO canary (queue, sent, passed, seen) VALUES (:queue, :now, 0, 0)
ON CONFLICT (queue) DO UPDATE SET sent = excluded.sent
""")

_PASSED = text("""
UPDATE canary SET seen = :now, passed = CASE WHEN passed < :sent THEN :sent ELSE passed END
WHERE queue = :queue
""")

_CANARIES = text("SELECT queue, seen FROM canary WHERE seen > 0")

_HIGH_WATER = text("""
INSERT INTO high_water (id, at) VALUES (1, :now)
ON CONFLICT (id) DO UPDATE SET at = excluded.at WHERE high_water.at < excluded.at
""").bindparams(bindparam("now", type_=UtcDateTime()))
