"""Notice its own silence: tell the owner of what came late, and call a dead man's switch."""

import logging
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from assistant.domain.conversation.deliveries import Home, Shown
from assistant.domain.jobs.job import Cause
from assistant.domain.messages import Deliver
from assistant.domain.reminders.due_notices import LATE, DueKind, DueNotice
from assistant.domain.store import Store
from assistant.domain.time.clock import Clock
from assistant.domain.time.short import soon
from assistant.flows.operations.upkeep import Interval
from assistant.flows.render import cards

log = logging.getLogger(__name__)

_NAMES = {DueKind.REMINDER: ("a reminder", "reminders"), DueKind.BRIEF: ("the brief", "briefs")}


@dataclass(frozen=True, kw_only=True)
class LateNotice:
    """Tells, in one notice, what the owner was told later than it was due.

    It waits until all that is due is shown. Two processes may do it at once.
    """

    store: Store
    clock: Clock
    home: Home
    zone: str
    """The zone of the settings, for an owner who chose none."""
    every: Interval

    def tick(self, cause: Cause) -> None:
        """Look if it is time to. It never raises: a tick has other work."""
        if not self.every.due():
            return
        try:
            self.look(cause)
        except Exception:  # the next look tells it
            log.exception("could not tell what came late")

    def look(self, cause: Cause) -> bool:
        """Tell what came late; return whether anything did."""
        now = self.clock.now()
        with self.store.read(cause) as tx:
            late = tx.notices_late()
            missing = tx.notices_missing(due_before=now - LATE) if late else ()
            zone = tx.zone() or self.zone
        if not late or missing:
            return False
        with self.store.begin(cause) as tx:
            if not tx.note_lateness([one.id for one in late]):
                return False
            if _says_enough(late):
                return False
            id = f"late-{int(late[0].due.timestamp())}-{late[-1].id}"
            tx.want(cards.at(self.home, cause.owner, id, _told(late, zone, now)))
        return True


def on_time(store: Store, clock: Clock, cause: Cause) -> bool:
    """Whether all that was due was told: reminders, briefs, and whatever a channel is to show."""
    before = clock.now() - LATE
    with store.read(cause) as tx:
        if tx.notices_missing(due_before=before) or tx.due_reminders(before, limit=1):
            return False
    shows = f"{Deliver(id='').kind}:"
    return not any(
        job.id.startswith(shows) and (job.waits_since or job.due) < before
        for job in store.jobs(failed=False)
        if job.owner == cause.owner
    )


@dataclass(frozen=True, kw_only=True)
class Heartbeat:
    """Calls an address while all is on time, so that somebody outside notices when it is not.

    ``call`` returns at once, and raises nothing.
    """

    store: Store
    clock: Clock
    call: Callable[[], None]
    every: Interval
    """How often to look."""
    at_most: timedelta = timedelta(minutes=5)
    lives: Callable[[], bool] = lambda: True
    """Whether the parts that no row tells of live, such as the bot."""

    def tick(self, cause: Cause) -> bool:
        """Call if it is time to; return whether it did. It never raises: a tick has other work."""
        if not self.every.due():
            return False
        try:
            return self.beat(cause)
        except Exception:  # whoever waits for the call notices that none comes
            log.exception("could not tell whether all is on time")
            return False

    def beat(self, cause: Cause) -> bool:
        if not on_time(self.store, self.clock, cause) or not self.lives():
            return False
        with self.store.begin(cause) as tx:
            if not tx.take_turn("heartbeat", every=self.at_most):
                return False
        self.call()
        return True


def _says_enough(late: Sequence[DueNotice]) -> bool:
    """Whether it is a single one whose own words say that it came late."""
    return len(late) == 1 and late[0].says_late


def _told(late: Sequence[DueNotice], zone: str, now: datetime) -> Shown:
    since = min(one.due for one in late)
    until = max(one.shown for one in late if one.shown)
    said = (
        f"I could not reach you from {soon(since, zone, now=now)} to {soon(until, zone, now=now)}"
    )
    counted = Counter(one.kind for one in late)
    parts = [_counted(counted[kind], *_NAMES[kind]) for kind in DueKind if counted[kind]]
    return cards.notice(f"{said}; {' and '.join(parts)} came late.", title="I was silent")


def _counted(count: int, one: str, many: str) -> str:
    return one if count == 1 else f"{count} {many}"
