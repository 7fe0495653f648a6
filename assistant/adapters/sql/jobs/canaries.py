"""Canaries: bells that show which queues the broker still delivers."""

from datetime import UTC, datetime

from sqlalchemy import text

from assistant.adapters.sql.parts import StorePart
from assistant.domain.jobs import CANARY, Doorbell
from assistant.domain.messages import Queue


class Canaries(StorePart):
    """See ``assistant.ports.Store``."""

    def sent_canary(self, queue: Queue) -> Doorbell:
        sent = self._epoch()
        self._run(_SENT, {"queue": queue.value, "now": sent})
        return Doorbell(job=repr(sent), kind=CANARY, queue=queue)

    def passed_canary(self, bell: str, queue: Queue) -> None:
        values = {"queue": queue.value, "sent": float(bell), "now": self._epoch()}
        self._run(_PASSED, values)

    def canaries(self) -> dict[Queue, datetime]:
        return {
            Queue(row["queue"]): datetime.fromtimestamp(row["seen"], UTC)
            for row in self._read(_CANARIES)
        }

    def _set_canaries_back(self, *, later_than: float) -> None:
        """Forget the canaries that passed later than this, by a clock that was set back."""
        self._run(_SET_BACK, {"soon": later_than})


_SENT = text("""
INSERT INTO canary (queue, sent, passed, seen) VALUES (:queue, :now, 0, 0)
ON CONFLICT (queue) DO UPDATE SET sent = excluded.sent
""")

# A canary that is later than any that was sent was forged by somebody who may write to the broker.
_PASSED = text("""
UPDATE canary SET seen = :now, passed = CASE WHEN passed < :sent THEN :sent ELSE passed END
WHERE queue = :queue AND :sent <= sent
""")

_CANARIES = text("SELECT queue, seen FROM canary WHERE seen > 0")

_SET_BACK = text("UPDATE canary SET passed = 0 WHERE passed > :soon")
