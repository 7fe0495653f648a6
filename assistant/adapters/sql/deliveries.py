"""What channels should show and what they show."""

import logging
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from pydantic import ValidationError
from sqlalchemy import bindparam, func, select, text, update

from assistant.adapters.sql.driver import Prepared
from assistant.adapters.sql.jobs.rows import JobRows
from assistant.adapters.sql.rows import Row, prepared_upserts
from assistant.adapters.sql.tables.columns import UtcDateTime, table
from assistant.adapters.sql.tables.deliveries import NO_MAIL, UNSETTLED, DeliveryRow
from assistant.domain.conversation.deliveries import Delivery
from assistant.domain.messages import Deliver

log = logging.getLogger(__name__)

_DELIVERY = table(DeliveryRow)

# Built once, because building a statement takes several times as long as running it.
_ID = select(_DELIVERY).where(
    _DELIVERY.c.owner == bindparam("me"), _DELIVERY.c.id == bindparam("id")
)
_BY_ID = Prepared(_ID)
_BY_ID_LOCKED = Prepared(_ID.with_for_update())
_UNSHOWN = Prepared(
    select(_DELIVERY.c.id, _DELIVERY.c.created)
    .where(
        _DELIVERY.c.owner == bindparam("me"),
        _DELIVERY.c.created >= bindparam("since", type_=UtcDateTime()),
        text(UNSETTLED),
        text(NO_MAIL),
        _DELIVERY.c.channel == bindparam("channel"),
        _DELIVERY.c.place == bindparam("place"),
        _DELIVERY.c.shown == "",
        _DELIVERY.c.note == "",
    )
    .order_by(_DELIVERY.c.created, _DELIVERY.c.id)
    .limit(bindparam("most"))
)


def _wanted(insert: Any) -> Any:
    wanted = insert(_DELIVERY)
    new = wanted.excluded
    return wanted.on_conflict_do_update(
        index_elements=["owner", "id"],
        set_={
            "wanted": new.wanted,
            "digest": new.digest,
            "revision": _DELIVERY.c.revision + 1,
        },
        where=_DELIVERY.c.digest != new.digest,
    )


_WANT = prepared_upserts(_wanted)


class DeliveryRows(JobRows):
    _place = 0
    """Counts what this transaction wants shown: all of it has one time, and keeps its order."""

    def want(self, delivery: Delivery, *, due: datetime | None = None) -> None:
        created = self._now + timedelta(microseconds=self._place)
        self._place += 1
        values = self._signed(
            {
                "id": delivery.id,
                "channel": delivery.channel,
                "place": delivery.place,
                "wanted": delivery.wanted.model_dump(mode="json"),
                "digest": delivery.wanted.digest,
                "shown": "",
                "handle": "",
                "revision": 1,
                "tried": None,
                "note": "",
                "created": created,
            }
        )
        changed = self._count(_WANT[self._sqlite], values)
        if delivery.wanted.within:
            self.shown(delivery, handle="")  # another delivery shows it
        elif changed or not self.delivery(delivery.id).settled:
            self.emit(Deliver(id=delivery.id), due=due)

    def delivery(self, id: str, *, lock: bool = False) -> Delivery:
        if lock:
            self._must_write()
        statement, which = _BY_ID_LOCKED if lock else _BY_ID, {"id": id, "me": self.cause.owner}
        return Delivery.model_validate(self._one(statement, f"delivery {id}", which))

    def deliveries(
        self,
        *,
        channel: str = "",
        prefix: str = "",
        settled: bool | None = None,
        since: datetime | None = None,
        limit: int = 200,
    ) -> Sequence[Delivery]:
        statement = (
            select(_DELIVERY)
            .where(_DELIVERY.c.owner == self.cause.owner)
            .order_by(_DELIVERY.c.created.desc(), _DELIVERY.c.id)
            .limit(limit)
        )
        if channel:
            statement = statement.where(_DELIVERY.c.channel == channel)
        if prefix:
            statement = statement.where(_DELIVERY.c.id.startswith(prefix, autoescape=True))
        if since is not None:
            statement = statement.where(_DELIVERY.c.created >= since)
        if settled is not None:
            same = _DELIVERY.c.shown == _DELIVERY.c.digest
            statement = statement.where(same if settled else text(UNSETTLED))
        return list(filter(None, map(_readable, self._all(statement))))

    def unshown(self, delivery: Delivery, *, since: datetime, limit: int = 50) -> Sequence[str]:
        values = {
            "me": self.cause.owner,
            "since": since,
            "channel": delivery.channel,
            "place": delivery.place,
            "most": limit,
        }
        return [row["id"] for row in self._all(_UNSHOWN, values)]

    def trying(self, delivery: Delivery) -> Delivery:
        statement = (
            update(_DELIVERY)
            .where(_DELIVERY.c.owner == self.cause.owner, _DELIVERY.c.id == delivery.id)
            .values(
                tried=func.coalesce(_DELIVERY.c.tried, bindparam("now", self._now, UtcDateTime))
            )
            .returning(_DELIVERY)
        )
        self._must_write()
        return Delivery.model_validate(self._one(statement, f"delivery {delivery.id}"))

    def shown(self, delivery: Delivery, *, handle: str, note: str = "") -> None:
        self._count(
            update(_DELIVERY)
            .where(_DELIVERY.c.owner == self.cause.owner, _DELIVERY.c.id == delivery.id)
            .values(shown=delivery.wanted.digest, handle=handle, note=note, tried=None)
        )

    def refused(self, delivery: Delivery, *, note: str) -> None:
        self._count(
            update(_DELIVERY)
            .where(_DELIVERY.c.owner == self.cause.owner, _DELIVERY.c.id == delivery.id)
            .values(note=note)
        )


def _readable(row: Row) -> Delivery | None:
    """Return the delivery of a row; None, with a line in the log, if it cannot be read."""
    try:
        return Delivery.model_validate(row)
    except ValidationError as error:
        broken = sorted({str(one["loc"][0]) for one in error.errors()})
        log.error("delivery %s cannot be read: %s", row["id"], ", ".join(broken))  # noqa: TRY400
        return None
