"""A calendar whose times are read from the copy, and whose changes are made on the server."""

import logging
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import NamedTuple

from assistant.domain.calendar.copies.copied import CalendarCopy, KeptEvents
from assistant.domain.calendar.events import Event, When
from assistant.domain.calendar.series import Affected, SeriesEdit
from assistant.domain.calendar.times import EventTimes
from assistant.domain.errors import AssistantError, Conflict, Transient
from assistant.domain.jobs.job import Cause
from assistant.domain.messages import SyncCalendar
from assistant.domain.time.moments import begins, ends
from assistant.flows.calendar.keeping import CopyKeeper

log = logging.getLogger(__name__)

_LATELY = timedelta(seconds=60)
"""How long a calendar that did not answer is not waited for again."""
_POLL = 0.05
SILENT = "the calendar does not answer"


class _Answering(NamedTuple):
    """A copy that answers for the calendar."""

    kept: CalendarCopy
    as_of: datetime | None = None
    """When the calendar answered last, if it does not answer now."""


@dataclass(frozen=True, kw_only=True)
class CopiedCalendar:
    """See ``assistant.domain.calendar.ports.Calendar``.

    ``between`` and ``times`` answer from the copy, which is synced first where it is more than 90
    seconds old, or the assistant changed something since. Where the calendar does not answer, the
    copy does, and says as of when. All else asks the server, as approvals rest on its etags.

    Args:
        keeper: keeps the copy.
        cause: begins a trace for the owner.
        timeout: seconds that a read waits for the copy to be synced.
        sleep: waits the given number of seconds.
    """

    keeper: CopyKeeper
    cause: Callable[[], Cause]
    timeout: float
    sleep: Callable[[float], None] = time.sleep

    def address(self) -> str:
        """Return the address of the copy while that is fresh, or the calendar does not answer."""
        copy = self._copy()
        if copy is not None and (copy.fresh(self._now()) or self._silent(copy)):
            return copy.address
        try:
            return self.keeper.server.address()
        except Transient:
            if copy is None:
                raise
            return copy.address

    def at(self, address: str) -> "CopiedCalendar":
        """See the port. Asks the server: a change is never made where only the copy answers."""
        return replace(self, keeper=replace(self.keeper, server=self.keeper.server.at(address)))

    def check(self) -> None:
        self.keeper.server.check()

    def between(self, when: When) -> Sequence[Event]:
        begin, end = self._span(when)
        copy = self._answering(begin, end)
        if copy is None:
            return self.keeper.server.between(when)
        with self.keeper.store.read(self.cause()) as tx:
            found = tx.copied_events(copy.kept, begin, end)
        return found if copy.as_of is None else KeptEvents(found, as_of=copy.as_of, why=SILENT)

    def times(self, when: When) -> EventTimes:
        begin, end = self._span(when)
        copy = self._answering(begin, end)
        if copy is None:
            return self.keeper.server.times(when)
        with self.keeper.store.read(self.cause()) as tx:
            found = tx.copied_times(copy.kept, begin, end)
        return found if copy.as_of is None else replace(found, as_of=copy.as_of, why=SILENT)

    def get(self, uid: str, *, occurrence: date | None = None) -> Event:
        return self.keeper.server.get(uid, occurrence=occurrence)

    def raw(self, uid: str) -> bytes:
        return self.keeper.server.raw(uid)

    def create(self, event: Event) -> str:
        with self._writing():
            return self.keeper.server.create(event)

    def update(self, event: Event) -> str:
        with self._writing():
            return self.keeper.server.update(event)

    def delete(self, uid: str, *, etag: str) -> None:
        with self._writing():
            self.keeper.server.delete(uid, etag=etag)

    def refuse_to_mail(self, uid: str) -> None:
        self.keeper.server.refuse_to_mail(uid)

    def affected(self, edit: SeriesEdit) -> Affected:
        return self.keeper.server.affected(edit)

    def change_series(self, edit: SeriesEdit) -> str:
        with self._writing():
            return self.keeper.server.change_series(edit)

    def holds(self, edit: SeriesEdit) -> bool:
        return self.keeper.server.holds(edit)

    def restore(self, uid: str, ics: bytes, *, etag: str) -> str:
        with self._writing():
            return self.keeper.server.restore(uid, ics, etag=etag)

    @contextmanager
    def _writing(self) -> Generator[None]:
        """Say that the copy is behind, whatever came of the change, and have it synced at once.

        That this could not be said is no reason to report a change as not made.
        """
        try:
            yield
        finally:
            cause = self.cause()
            try:
                source = self.keeper.source()
                with self.keeper.store.begin(cause) as tx:
                    tx.calendar_written(source)
                    tx.emit(SyncCalendar(id=cause.owner))
            except AssistantError as problem:
                log.warning("the copy of the calendar is behind until it is synced: %s", problem)

    def _span(self, when: When) -> tuple[datetime, datetime]:
        return begins(when, self.keeper.zone), ends(when, self.keeper.zone)

    def _answering(self, begin: datetime, end: datetime) -> _Answering | None:
        """Return the copy to answer from; None where the calendar itself is to be asked."""
        copy = self._copy()
        if copy is None or not copy.covers(begin, end):
            return None
        if copy.fresh(self._now()):
            return _Answering(copy)
        if not self._silent(copy):
            try:
                synced = self._synced(copy)
            except Transient:
                copy = self._copy() or copy
            else:
                return _Answering(synced) if synced and synced.covers(begin, end) else None
        return _Answering(copy, as_of=copy.synced or self._now())

    def _synced(self, seen: CalendarCopy) -> CalendarCopy | None:
        """Sync the copy, or wait for whoever does; None where that takes too long.

        Raises:
            AssistantError: the calendar cannot be asked.
        """
        until = self.keeper.monotonic() + self.timeout
        copy: CalendarCopy | None = seen
        while copy is not None and self._runs(copy) and self.keeper.monotonic() < until:
            self.sleep(_POLL)
            copy = self._copy()
        if copy is not None and copy.fresh(self._now()):
            return copy
        try:
            self.keeper.sync(self.cause(), patience=max(0.0, until - self.keeper.monotonic()))
        except Conflict:
            return None
        found = self._copy()
        return found if found is not None and found.fresh(self._now()) else None

    def _runs(self, copy: CalendarCopy) -> bool:
        """Whether a sync of the copy runs now; one that began long ago was stopped."""
        if copy.began is None:
            return False
        return timedelta(0) <= self._now() - copy.began < timedelta(seconds=self.timeout)

    def _silent(self, copy: CalendarCopy) -> bool:
        """Whether the calendar did not answer a moment ago."""
        if copy.synced is None or copy.failed is None:
            return False
        return timedelta(0) <= self._now() - copy.failed < _LATELY

    def _copy(self) -> CalendarCopy | None:
        source = self.keeper.source()
        with self.keeper.store.read(self.cause()) as tx:
            return tx.calendar_copy(source=source)

    def _now(self) -> datetime:
        return self.keeper.clock.now()
