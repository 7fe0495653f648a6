"""Order the morning brief of each day, once."""

import logging
from dataclasses import dataclass
from datetime import date, datetime, time

from assistant.domain.jobs.job import Cause
from assistant.domain.messages import MakeBrief
from assistant.domain.reminders.due_notices import LATE, DueKind, DueNotice
from assistant.domain.store import Store
from assistant.domain.time.clock import Clock
from assistant.domain.time.moments import zone_of
from assistant.domain.time.wall_clock import first_moment
from assistant.flows.operations.upkeep import Interval

log = logging.getLogger(__name__)

PREFIX = "brief-"
"""How the ids of these deliveries begin."""


@dataclass(frozen=True, kw_only=True)
class BriefClock:
    """Orders the brief of a day when its time has come: one for each day, by a row.

    Two processes may do it at once. After an outage only the brief of today is made, and says that
    it is late.
    """

    store: Store
    clock: Clock
    zone: str
    """The zone of the settings, for an owner who chose none."""
    at: time
    every: Interval

    def tick(self, cause: Cause) -> bool:
        """Look if it is time to; return whether one was ordered. It never raises."""
        if not self.every.due():
            return False
        try:
            return self.look(cause)
        except Exception:  # the next look orders it
            log.exception("could not order the brief")
            return False

    def look(self, cause: Cause) -> bool:
        """Order the brief of today if it is due and there is none yet."""
        now = self.clock.now()
        with self.store.read(cause) as tx:
            zone = zone_of(tx.zone() or self.zone)
            last = tx.last_notice(DueKind.BRIEF)
        today = now.astimezone(zone).date()
        due = first_moment(datetime.combine(today, self.at), zone)
        id = brief_id(today)
        # One that was made in the future was made by a clock that was wrong, and stands for no day.
        has_later = last is not None and last.made <= now and last.id >= id
        if now < due or has_later:
            return False
        begins_now = last is None and now - due >= LATE
        notice = DueNotice(
            id=id,
            kind=DueKind.BRIEF,
            due=now if begins_now else due,
            made=now,
            says_late=now - due >= LATE,
        )
        with self.store.begin(cause) as tx:
            if not tx.expect_notice(notice):
                return False
            if begins_now:  # it was set after today's time had passed: the first comes tomorrow
                tx.notice_shown(id)
                return False
            tx.emit(MakeBrief(id=today.isoformat()))
        return True


def brief_id(day: date) -> str:
    return f"{PREFIX}{day.isoformat()}"
