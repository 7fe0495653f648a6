"""Delete what is over: deliveries, lines of the screen, failed jobs, sightings, costs of models.

Keys are looked up first, which locks nothing, and then deleted if it is still so. Two processes
that do so at once, or one that dies between, do no harm.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import TextClause, bindparam, text

from assistant.adapters.sql.parts import StorePart
from assistant.adapters.sql.retention.waiting import no_live_job, no_open_call, not_there
from assistant.adapters.sql.tables.columns import UtcDateTime
from assistant.adapters.sql.tables.deliveries import NO_MAIL

SCREEN_LINES = 500
"""The newest lines of a screen that are kept; a terminal shows a hundred."""

_BEFORE = bindparam("before", type_=UtcDateTime())
_NOW = bindparam("now", type_=UtcDateTime())


@dataclass(frozen=True)
class _Over:
    """Rows of a table that are over, the oldest first.

    Conditions may use ``:me`` (the owner), ``:before``, ``:since`` (the same in epoch seconds) and
    ``:now``.
    """

    table: str
    key: str
    oldest: str
    old: str
    """When a row is old. It stays old, and so is not asked again when the row is deleted."""
    conditions: tuple[str, ...]

    def look(self) -> TextClause:
        where = " AND ".join((self.old, *self.conditions))
        return _bound(
            f"SELECT {self.key} AS key FROM {self.table} WHERE {where}"  # noqa: S608 (constants)
            f" ORDER BY {self.oldest} LIMIT :most"
        )

    def delete(self) -> TextClause:
        where = " AND ".join((f"{self.key} IN :keys", *self.conditions))
        deleting = _bound(f"DELETE FROM {self.table} WHERE {where}")  # noqa: S608 (constants)
        return deleting.bindparams(bindparam("keys", expanding=True))


def _bound(statement: str) -> TextClause:
    times = [time for time in (_BEFORE, _NOW) if f":{time.key}" in statement]
    return text(statement).bindparams(*times)


_DELIVERIES = _Over(
    table="delivery",
    key="id",
    oldest="created",
    old="delivery.created < :before",
    conditions=(
        "delivery.owner = :me",
        NO_MAIL,
        "delivery.shown = delivery.digest",
        "delivery.tried IS NULL",
        no_open_call("call.id = substr(delivery.id, length('card-') + 1)"),
        no_open_call("call.id = substr(delivery.id, length('receipt-') + 1)"),
        not_there(
            "token",
            "token.owner = :me",
            "token.delivery = delivery.id",
            "token.used IS NULL",
            "token.expires > :now",
        ),
        no_live_job("'deliver:' || delivery.id"),
    ),
)
_NEWEST_LINES = (
    "SELECT number FROM screen WHERE place = :me"  # noqa: S608 (constants)
    f" ORDER BY number DESC LIMIT 1 OFFSET {SCREEN_LINES - 1}"
)
_SCREEN = _Over(
    table="screen",
    key="number",
    oldest="number",
    old=f"(screen.at < :before OR screen.number < coalesce(({_NEWEST_LINES}), 0))",
    conditions=(
        "screen.place = :me",
        # Its key is the owner, a colon, and the delivery.
        no_open_call("call.id = substr(screen.key, length(screen.owner) + length('.card-') + 1)"),
        not_there(
            "delivery",
            "delivery.owner = :me",
            "delivery.id = substr(screen.key, length(screen.owner) + 2)",
            "delivery.shown <> delivery.digest",
        ),
    ),
)
_SUBJECT = "substr(job.id, length(job.kind) + 2)"
_JOBS = _Over(
    table="job",
    key="id",
    oldest="due",
    old="job.due < :since",
    conditions=(
        "job.owner = :me",
        "job.failed",
        "job.kind <> 'erase_mail'",
        no_open_call(f"call.id = {_SUBJECT}"),
        not_there(
            "delivery",
            "delivery.owner = :me",
            f"delivery.id = {_SUBJECT}",
            "delivery.shown <> delivery.digest",
        ),
        not_there(
            "mail",
            "mail.owner = :me",
            f"mail.id = {_SUBJECT}",
            "mail.state NOT IN ('announced', 'forgotten')",
        ),
        not_there("conversation", f"conversation.id = {_SUBJECT}", "NOT conversation.closed"),
    ),
)
_SIGHTINGS = _Over(
    table="sighting",
    key="at",
    oldest="at",
    old="sighting.at < :before",
    # SQLite would look at all sightings of the owner, as these come by themselves.
    conditions=("sighting.owner || '' = :me",),
)
_MODEL_USE = _Over(
    table="model_use",
    key="at",
    oldest="at",
    old="model_use.at < :before",
    conditions=("model_use.owner = :me",),
)

_NOTICES = _Over(
    table="due_notice",
    key="id",
    oldest="due",
    old="due_notice.due < :before",
    conditions=("due_notice.owner = :me", "due_notice.told", "due_notice.shown IS NOT NULL"),
)
_REMINDERS = _Over(
    table="reminder",
    key="number",
    oldest="at",
    old="reminder.at < :before",
    conditions=("reminder.owner = :me", "reminder.state <> 'waiting'"),
)

_SHOWN = [(over.look(), over.delete()) for over in (_DELIVERIES, _SCREEN)]
_ENDED = [
    (over.look(), over.delete()) for over in (_JOBS, _SIGHTINGS, _MODEL_USE, _NOTICES, _REMINDERS)
]


class SettledRows(StorePart):
    """See ``assistant.domain.store.Store``."""

    def drop_shown(self, owner: str, *, before: datetime, limit: int) -> int:
        return self._drop(_SHOWN, owner, before, limit)

    def drop_ended(self, owner: str, *, before: datetime, limit: int) -> int:
        return self._drop(_ENDED, owner, before, limit)

    def _drop(
        self,
        kinds: Sequence[tuple[TextClause, TextClause]],
        owner: str,
        before: datetime,
        limit: int,
    ) -> int:
        now = self._clock.now()
        given = {"me": owner, "before": before, "since": before.timestamp(), "now": now}
        dropped = 0
        for look, delete in kinds:
            found = self._read(look, {**given, "most": limit})
            if keys := [row["key"] for row in found]:
                dropped += self._count_flushed(delete, {**given, "keys": keys})
        return dropped
