"""The store: transactions that ring once they are committed, and the queue seen from outside."""

import logging
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from secrets import token_hex
from typing import Any

from pydantic import ValidationError
from sqlalchemy import BindParameter, bindparam, text
from sqlalchemy.exc import DBAPIError, OperationalError, StatementError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from assistant.adapters.sql import audits
from assistant.adapters.sql.audits import AuditRows
from assistant.adapters.sql.begun import Begun
from assistant.adapters.sql.calls import ApprovalRows, CallRows
from assistant.adapters.sql.conversations import ConversationRows
from assistant.adapters.sql.deliveries import DeliveryRows
from assistant.adapters.sql.engine import Engines
from assistant.adapters.sql.files import FileRows
from assistant.adapters.sql.governance import ModeRows
from assistant.adapters.sql.grants import GrantRows
from assistant.adapters.sql.jobs import RING_AFTER, epoch
from assistant.adapters.sql.lone import Lone
from assistant.adapters.sql.mails import MailRows
from assistant.adapters.sql.tables import UtcDateTime
from assistant.adapters.sql.tokens import PersonRows, TokenRows
from assistant.domain.audit.chain import Head
from assistant.domain.errors import (
    AlreadyThere,
    AssistantError,
    BadArguments,
    Conflict,
    Denied,
    Misconfigured,
    NotFound,
    Transient,
    Unreachable,
)
from assistant.domain.failpoints import hit
from assistant.domain.jobs.job import CANARY, EXPECTED, Cause, Doorbell, Job, JobFacts
from assistant.domain.jobs.ports import Bell
from assistant.domain.messages import Message, Queue, parse
from assistant.domain.time.clock import Clock

log = logging.getLogger(__name__)

SKEW = 5.0
"""Seconds that the clocks of two machines may differ without one of them having been set back."""
LONGEST_WAIT = 3600.0
"""Seconds; more than a job ever waits for its next try."""


class SqlTx(
    ConversationRows,
    CallRows,
    ApprovalRows,
    ModeRows,
    GrantRows,
    FileRows,
    MailRows,
    DeliveryRows,
    TokenRows,
    PersonRows,
    AuditRows,
):
    """One transaction; see ``assistant.ports.Tx``."""

    def finish(self, lone: Lone) -> None:
        """The last statements: what was done, then what is to be done."""
        self.write_notes()
        super().finish(lone)


class SqlStore:
    """See ``assistant.ports.Store``. Safe to share between threads, not across a fork."""

    def __init__(self, *, engines: Engines, bell: Bell, clock: Clock) -> None:
        self._engines = engines
        self._bell = bell
        self._clock = clock
        self._strange: set[str] = set()
        """Queues that are not known here, and that were told of."""

    @contextmanager
    def begin(self, cause: Cause) -> Generator[SqlTx]:
        with translated(), Begun(self._engines, writing=True) as begun:
            tx = SqlTx(begun, cause=cause, now=self._clock.now(), writing=True)
            yield tx
            tx.finish(self._engines.lone)
        hit("commit.after")
        self._ring(tx.bells)

    @contextmanager
    def read(self, cause: Cause) -> Generator[SqlTx]:
        with translated(), Begun(self._engines, writing=False) as begun:
            begun.begin()
            yield SqlTx(begun, cause=cause, now=self._clock.now(), writing=False)

    def whose(self, channel: str, person: str) -> str:
        rows = self._single(_WHOSE, {"channel": channel, "id": person})
        return str(rows[0]["owner"]) if rows else ""

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

    def expect(self, message: Message) -> None:
        bell = Doorbell(job=message.name, kind=EXPECTED, queue=message.queue)
        try:
            self._bell.ring([bell])
        except Transient as error:
            log.info("nobody expects %s: %s", message.name, error)

    def waits(self, job: str) -> bool:
        with translated():
            return bool(self._engines.lone.seen(_WAITS, {"id": job, "now": self._epoch()}))

    def claim(self, job: str, *, worker: str) -> Job | None:
        message = _parsed(job)
        token = token_hex(8)
        values = {"id": job, "claim": token, "worker": worker, "now": self._epoch()}
        with translated():
            rows = self._engines.lone.rows(_CLAIM, values, durable=False)
        if not rows:
            return None
        [(owner, trace, attempts)] = rows
        return Job(owner=owner, trace=trace, attempts=attempts, message=message, claim=token)

    def retry(self, job: Job, *, due: datetime, error: str) -> None:
        values = {
            "id": job.message.name,
            "claim": job.claim,
            "due": epoch(due),
            "ring_after": epoch(due) + RING_AFTER,
            "error": error,
        }
        self._single(_RETRY, values)

    def beat(self, claims: Sequence[str]) -> None:
        if claims:
            statement = _BEAT_SQLITE if self._engines.sqlite else _BEAT_POSTGRES
            self._single(statement, {"claims": list(claims)})

    def held(self) -> dict[str, tuple[str, int]]:
        rows = self._single(_HELD, {})
        return {row["id"]: (row["claim"], row["beat"]) for row in rows}

    def holders(self) -> dict[str, str]:
        """Every claim and the worker that made it."""
        return {row["claim"]: row["worker"] for row in self._single(_HELD, {})}

    def release(self, claims: Sequence[str]) -> int:
        if not claims:
            return 0
        statement = _RELEASE_SQLITE if self._engines.sqlite else _RELEASE_POSTGRES
        return len(self._single(statement, {"claims": list(claims), "now": self._epoch()}))

    def due(self, *, limit: int = 200) -> Sequence[Doorbell]:
        now = self._epoch()
        ticked = self.ticked()
        if ticked is not None and epoch(ticked) > now + SKEW:
            self._go_by(now)
        self._tell_of_strangers()
        statement = _DUE_SQLITE if self._engines.sqlite else _DUE_POSTGRES
        values = {"now": now, "limit": limit, "ring_after": RING_AFTER, "queues": _KNOWN}
        rows = self._single(statement, values)
        return [Doorbell(job=row["id"], kind=row["kind"], queue=row["queue"]) for row in rows]

    def _go_by(self, now: float) -> None:
        """The clock was set back: what was written by it need not wait until it catches up."""
        statement = _SET_BACK_SQLITE if self._engines.sqlite else _SET_BACK_POSTGRES
        self._single(statement, {"now": now, "soon": now + SKEW, "later": now + LONGEST_WAIT})
        self._single(_CANARIES_SET_BACK, {"soon": now + SKEW})

    def _tell_of_strangers(self) -> None:
        """Jobs of another version of the program are its workers' to ring."""
        found = {row["queue"] for row in self._single(_STRANGE, {"queues": _KNOWN})}
        if new := found - self._strange:
            self._strange |= new
            words = "jobs wait in a queue that is not known here, and are left alone: %s"
            log.warning(words, ", ".join(sorted(new)))

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

    def drop_tokens(self, *, before: datetime) -> int:
        with translated(), self._engines.write.begin() as connection:
            return connection.execute(_DROP_TOKENS, {"before": before}).rowcount

    def raise_high_water(self) -> None:
        """Note the time, so that no clock set back makes an expired approval fresh again."""
        with translated(), self._engines.write.begin() as connection:
            connection.execute(_HIGH_WATER, {"now": self._clock.now()})

    def chain(self, *, limit: int = 500) -> int:
        with translated():
            return audits.chain(self._engines, limit=limit)

    def heads(self) -> Mapping[str, Head]:
        with translated(), self._engines.read.connect() as connection, connection.begin():
            return audits.heads(connection)

    def ticked(self) -> datetime | None:
        """When the time was noted last, None if never."""
        rows = self._single(_TICKED, {})
        return rows[0]["at"] if rows else None

    def _epoch(self) -> float:
        return epoch(self._clock.now())

    def _single(self, statement: Any, values: Mapping[str, Any]) -> list[Any]:
        with translated(), self._engines.single.connect() as connection:
            result = connection.execute(statement, values)
            rows = list(result.mappings()) if result.returns_rows else []
            connection.commit()
        return rows


def _parsed(job: str) -> Message:
    try:
        return parse(job)
    except ValidationError as error:
        raise BadArguments(f"no message is named {job!r}") from error


@contextmanager
def translated() -> Generator[None]:
    """Database trouble in the assistant's words."""
    try:
        yield
    except DBAPIError as error:
        meaning = _meaning(error)
        if meaning is None:
            raise
        raise meaning(f"the database: {error.orig}") from error
    except StatementError as error:  # a value that its column does not take
        raise BadArguments(str(error.orig)) from error
    except PoolTimeout as error:
        raise Unreachable(f"the database: {error}") from error


# By the beginning of Postgres's SQLSTATE (appendix A of its manual) or of SQLite's name for it.
_MEANINGS: Mapping[str, type[AssistantError]] = {
    "40": Conflict,  # a deadlock or a serialisation failure
    "23505": AlreadyThere,
    "23503": NotFound,  # what a row would belong to
    "25006": Denied,  # a write while looking
    "22": BadArguments,
    "23": BadArguments,
    "42P01": Misconfigured,  # no such table: migrations are missing
    "SQLITE_BUSY": Conflict,
    "SQLITE_CONSTRAINT_UNIQUE": AlreadyThere,
    "SQLITE_CONSTRAINT_PRIMARYKEY": AlreadyThere,
    "SQLITE_CONSTRAINT_FOREIGNKEY": NotFound,
    "SQLITE_CONSTRAINT": BadArguments,
    "SQLITE_READONLY": Denied,
    "SQLITE_ERROR": Misconfigured,
}


def _meaning(error: DBAPIError) -> type[AssistantError] | None:
    state = getattr(error.orig, "sqlstate", "") or getattr(error.orig, "sqlite_errorname", "") or ""
    for beginning, meaning in _MEANINGS.items():
        if state.startswith(beginning):
            return meaning
    gone = error.connection_invalidated or isinstance(error, OperationalError)
    return Unreachable if gone else None


_WAITS = text("""
SELECT 1 FROM job WHERE id = :id AND claim IS NULL AND NOT failed AND due + 0 <= :now
""")

# A claim need not reach the disk on its own: the commit that the job's work leads to takes it
# there, and until then nothing has happened that may not happen again. ``due + 0`` keeps Postgres,
# which knows little of a mostly empty table, from walking through all that is due.
_CLAIM = text("""
UPDATE job SET claim = :claim, worker = :worker, attempts = attempts + 1, beat = 0
WHERE id = :id AND claim IS NULL AND NOT failed AND due + 0 <= :now
RETURNING owner, trace, attempts
""")

_RETRY = text("""
UPDATE job SET claim = NULL, again = FALSE, due = :due, rung = 0, rings = 0,
               ring_after = :ring_after, error = :error
WHERE id = :id AND claim = :claim
""")

# A row that someone is writing is passed over: a statement that waits for one row while it holds
# another could wait in a circle with a transaction that ends one job and emits the next.
_LOCK = "FOR UPDATE SKIP LOCKED"
_CLAIMS: BindParameter[str] = bindparam("claims", expanding=True)

_BEAT = """
UPDATE job SET beat = beat + 1 WHERE id IN (SELECT id FROM job WHERE claim IN :claims {lock})
"""
_BEAT_SQLITE = text(_BEAT.format(lock="")).bindparams(_CLAIMS)
_BEAT_POSTGRES = text(_BEAT.format(lock=_LOCK)).bindparams(_CLAIMS)

_WHOSE = text("SELECT owner FROM person WHERE channel = :channel AND id = :id")

_HELD = text("SELECT id, claim, worker, beat FROM job WHERE claim IS NOT NULL")

_RELEASE = """
UPDATE job SET claim = NULL, again = FALSE, due = :now, rung = 0, rings = 0
WHERE id IN (SELECT id FROM job WHERE claim IN :claims {lock})
RETURNING id
"""
_RELEASE_SQLITE = text(_RELEASE.format(lock="")).bindparams(_CLAIMS)
_RELEASE_POSTGRES = text(_RELEASE.format(lock=_LOCK)).bindparams(_CLAIMS)

# A job is rung again when it became due since it was last rung; when a canary sent after its bell
# has come out of its queue, so that the bell must be lost; or, at the latest, after `ring_after`.
# They are chosen once, before: Postgres may look anew for each row, and then finds more of them.
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
_DUE_POSTGRES = text(_DUE.format(lock=_LOCK)).bindparams(_QUEUES)

_STRANGE = text("""
SELECT DISTINCT queue FROM job WHERE claim IS NULL AND NOT failed AND queue NOT IN :queues
""").bindparams(_QUEUES)

# What was rung at a time that is still to come was due then, by the clock that was set back, as no
# timer is rung before it is due. So was what waits for its next try longer than anything does.
_SET_BACK = """
UPDATE job SET due = CASE WHEN due > :now THEN :now ELSE due END, rung = 0, rings = 0
WHERE id IN (
  SELECT id FROM job
  WHERE claim IS NULL AND NOT failed
    AND (rung > :soon OR (rung = 0 AND attempts > 0 AND due > :later))
  {lock}
)
"""
_SET_BACK_SQLITE = text(_SET_BACK.format(lock=""))
_SET_BACK_POSTGRES = text(_SET_BACK.format(lock=_LOCK))

_CANARIES_SET_BACK = text("UPDATE canary SET passed = 0 WHERE passed > :soon")

_JOBS = text("SELECT * FROM job ORDER BY due, id DESC")
_JOBS_OF_TRACE = text("SELECT * FROM job WHERE trace = :trace ORDER BY due, id DESC")

_SENT = text("""
INSERT INTO canary (queue, sent, passed, seen) VALUES (:queue, :now, 0, 0)
ON CONFLICT (queue) DO UPDATE SET sent = excluded.sent
""")

# One later than any that was sent is none of ours: whoever may write to the broker made it up.
_PASSED = text("""
UPDATE canary SET seen = :now, passed = CASE WHEN passed < :sent THEN :sent ELSE passed END
WHERE queue = :queue AND :sent <= sent
""")

_CANARIES = text("SELECT queue, seen FROM canary WHERE seen > 0")

_TICKED = text("SELECT at FROM high_water").columns(at=UtcDateTime())

_DROP_TOKENS = text("DELETE FROM token WHERE expires < :before").bindparams(
    bindparam("before", type_=UtcDateTime())
)

_HIGH_WATER = text("""
INSERT INTO high_water (id, at) VALUES (1, :now)
ON CONFLICT (id) DO UPDATE SET at = excluded.at WHERE high_water.at < excluded.at
""").bindparams(bindparam("now", type_=UtcDateTime()))
