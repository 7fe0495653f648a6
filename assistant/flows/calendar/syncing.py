"""The job that syncs the copy of the calendar, and orders itself again."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from secrets import SystemRandom

from assistant.domain.errors import AssistantError, Conflict, Outage
from assistant.domain.jobs.job import Cause, Job
from assistant.domain.messages import SyncCalendar
from assistant.domain.store import Store
from assistant.domain.time.clock import Clock
from assistant.flows.calendar.elsewhere import follow_changes
from assistant.flows.calendar.keeping import CopyKeeper
from assistant.flows.context import Context
from assistant.flows.operations.upkeep import Interval

log = logging.getLogger(__name__)

EVERY = (60.0, 75.0)
"""Seconds between two syncs. iCloud allows no more than one a minute."""
_LONGEST = 300.0
"""Seconds between two syncs at the most, while the calendar does not answer."""
_SHARE = 60.0
"""Seconds that one sync may take; what is left is done by the next."""
_random = SystemRandom()


def sync_calendar(
    message: SyncCalendar, job: Job, *, keeper: CopyKeeper | None, ctx: Context
) -> None:
    """Sync the copy, follow what changed elsewhere, and order the next sync."""
    if keeper is None:
        with ctx.store.begin(job) as tx:
            tx.done(job)
        return
    wait = _random.uniform(*EVERY)
    try:
        if not keeper.sync(job, patience=_SHARE):
            wait = 0.0
        follow_changes(keeper, cause=job, ctx=ctx)
    except Outage:
        raise
    except Conflict:  # a read syncs it at this moment
        log.info("another sync of the calendar has begun")
    except AssistantError as problem:
        log.warning("the calendar cannot be synced: %s", problem)
        wait = _backoff(keeper, job)
    _order(message, job, ctx.clock.now() + timedelta(seconds=wait), ctx.store)


def gave_up_syncing(
    message: SyncCalendar, job: Job, reason: str, *, keeper: CopyKeeper | None, ctx: Context
) -> None:
    """Say why, and go on later: a calendar is synced as long as there is one."""
    if keeper is not None:
        source = keeper.source()
        with ctx.store.begin(job) as tx:
            tx.fail_sync(source, reason)
    _order(message, job, ctx.clock.now() + timedelta(seconds=_LONGEST), ctx.store)


def _order(message: SyncCalendar, job: Job, due: datetime, store: Store) -> None:
    with store.begin(job) as tx:
        tx.done(job)
        tx.emit(message, due=due)


def _backoff(keeper: CopyKeeper, cause: Cause) -> float:
    source = keeper.source()
    with keeper.store.read(cause) as tx:
        copy = tx.calendar_copy(source=source)
    failures = min(copy.failures if copy else 1, 10)
    return float(min(EVERY[0] * 2 ** (failures - 1), _LONGEST) * _random.uniform(1.0, 1.25))


@dataclass
class SyncStarter:
    """Sees to it that the calendar is synced, also after its job was lost."""

    store: Store
    clock: Clock
    source: Callable[[], str]
    every: Interval

    def tick(self, cause: Cause) -> None:
        if not self.every.due():
            return
        source = self.source()
        with self.store.read(cause) as tx:
            known = tx.calendar_copy(source=source) is not None
        due = self.clock.now() + timedelta(seconds=_LONGEST if known else 0)
        with self.store.begin(cause) as tx:
            tx.emit(SyncCalendar(id=cause.owner), due=due)
