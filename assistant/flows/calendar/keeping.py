"""Keep the copy of a calendar true: ask what changed, fetch that, expand it, and store it.

It may be stopped at any point and goes on at the next sync: what is stored already is known by its
etag, and the token is stored last. Of two syncs at once the later one wins, as a fence refuses what
the earlier one writes.
"""

import logging
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import islice
from math import inf

from assistant.domain.calendar.copies.changes import (
    CopiedObject,
    Expand,
    ObjectVersions,
    ServerCalendar,
    same_etag,
)
from assistant.domain.calendar.copies.copied import CalendarCopy, CopiedTime
from assistant.domain.calendar.events import MORE_FOLLOW
from assistant.domain.calendar.series import Occurrence
from assistant.domain.errors import AssistantError, Conflict, Outage
from assistant.domain.jobs.job import Cause
from assistant.domain.store import Store
from assistant.domain.time.clock import Clock
from assistant.domain.time.moments import begins, ends

log = logging.getLogger(__name__)

BEHIND, AHEAD = timedelta(days=62), timedelta(days=428)
"""How far the window reaches in which series are expanded. It moves on once a day."""
_DAY = timedelta(days=1)
_MARGIN = timedelta(days=3)
_AT_ONCE = 100
"""How many objects are fetched by one request, and stored in one transaction."""


@dataclass(frozen=True, kw_only=True)
class CopyKeeper:
    """Keeps the copy of one calendar.

    Args:
        server: the calendar.
        store: where the copy is.
        clock: tells as of when the copy is true.
        expand: expands an object; it may come from a stranger.
        source: names what leads to the calendar that is used, without a secret.
        zone: where whole days and times without a zone take place.
        monotonic: seconds on a clock that never goes back.
    """

    server: ServerCalendar
    store: Store
    clock: Clock
    expand: Expand
    source: Callable[[], str]
    zone: str
    monotonic: Callable[[], float] = time.monotonic

    def sync(self, cause: Cause, *, patience: float = inf) -> bool:
        """Make the copy as the calendar is now; return False if ``patience`` seconds were too few.

        What was stored by then is not fetched again.

        Raises:
            Conflict: another sync has begun since, which makes the copy true.
            AssistantError: the calendar cannot be asked; the copy says so.
        """
        until = self.monotonic() + patience
        fence = None
        source = self.source()  # before the address: a calendar may be connected meanwhile
        try:
            address = self.server.address()
            with self.store.begin(cause) as tx:
                copy = tx.begin_sync(address, source=source, zone=self.zone)
            fence = copy.fence
            return self._follow(copy, cause, until)
        except (Conflict, Outage):
            raise
        except AssistantError as problem:
            with self.store.begin(cause) as tx:
                tx.fail_sync(source, " ".join(str(problem).split()), fence=fence)
            raise

    def _follow(self, copy: CalendarCopy, cause: Cause, until: float) -> bool:
        began = self.clock.now()
        window = _window(began)
        moves = copy.since is None or (copy.since, copy.until) != window or copy.zone != self.zone
        # A server may forget to tell of a change, so that all is compared once a day.
        changes = self.server.changes("" if moves else copy.token)
        known = self._known(copy, changes, cause)
        differ = [
            name
            for name, etag in changes.etags.items()
            if name not in known or not etag or not same_etag(known[name], etag)
        ]
        gone = set(changes.gone)
        waiting = iter(differ)
        while names := tuple(islice(waiting, _AT_ONCE)):
            if self.monotonic() > until:
                return self._pause(copy, cause)
            objects = self.server.objects(names)
            gone |= set(names) - {one.name for one in objects}
            listed = [
                one if one.etag else one.model_copy(update={"etag": changes.etags[one.name]})
                for one in objects
            ]
            self._keep(copy, listed, window, cause)
        if moves and not self._expand_again(copy, window, cause, until):
            return self._pause(copy, cause)
        if changes.whole:
            gone |= known.keys() - changes.etags.keys()
        with self.store.begin(cause) as tx:
            tx.hold_sync(copy)
            tx.drop_copied(copy, gone)
            if moves:
                tx.move_window(copy, *window, zone=self.zone)
            tx.end_sync(
                copy,
                token=changes.token,
                kind=changes.kind.value,
                synced=began,
                seen=copy.written,
            )
        return True

    def _known(
        self, copy: CalendarCopy, changes: ObjectVersions, cause: Cause
    ) -> Mapping[str, str]:
        with self.store.read(cause) as tx:
            if changes.whole:
                return tx.copied_etags(copy.address)
            return tx.copied_named(copy.address, changes.etags.keys())

    def _pause(self, copy: CalendarCopy, cause: Cause) -> bool:
        with self.store.begin(cause) as tx:
            tx.hold_sync(copy)
            tx.pause_sync(copy)
        return False

    def _keep(
        self,
        copy: CalendarCopy,
        objects: Sequence[CopiedObject],
        window: tuple[datetime, datetime],
        cause: Cause,
    ) -> None:
        expanded = self._expanded(objects, window)
        with self.store.begin(cause) as tx:
            tx.hold_sync(copy)
            for one, times in expanded:
                tx.keep_copied(copy, one, times)

    def _expand_again(
        self, copy: CalendarCopy, window: tuple[datetime, datetime], cause: Cause, until: float
    ) -> bool:
        """Expand series within the window as it is now; all events where the zone is another."""
        everything = copy.zone != self.zone
        last = ""
        while True:
            with self.store.read(cause) as tx:
                page = tx.copied_objects(
                    copy.address, after=last, limit=_AT_ONCE, all_of_them=everything
                )
            if not page:
                return True
            if self.monotonic() > until:
                return False
            self._keep(copy, page, window, cause)
            last = page[-1].name

    def _expanded(
        self, objects: Sequence[CopiedObject], window: tuple[datetime, datetime]
    ) -> list[tuple[CopiedObject, Sequence[CopiedTime]]]:
        series = [one for one in objects if one.ics and one.repeats]
        single = [one for one in objects if one.ics and not one.repeats]
        around = (window[0] - _MARGIN, window[1] + _MARGIN)
        return [
            *((one, ()) for one in objects if not one.ics),
            *self._listed(series, around),
            *self._listed(single, _ALL_TIME),
        ]

    def _listed(
        self, objects: Sequence[CopiedObject], span: tuple[datetime, datetime]
    ) -> Iterator[tuple[CopiedObject, Sequence[CopiedTime]]]:
        found = self.expand([one.ics.encode() for one in objects], *span) if objects else ()
        for one, each in zip(objects, found, strict=True):
            if each.unread:
                log.warning(
                    "an event of the calendar cannot be read: %s: %s", one.name, each.unread
                )
            times = [_time_of(event, self.zone, each.unread) for event in each.events]
            if each.truncated and times:
                times[-1] = times[-1]._replace(defect=MORE_FOLLOW)
            yield one.model_copy(update={"defect": each.unread}), times


_ALL_TIME = (
    datetime.fromisoformat("1900-01-01T00:00:00+00:00"),
    datetime.fromisoformat("2199-01-01T00:00:00+00:00"),
)
"""An event that does not repeat is stored with its one time, whenever that is."""


def _window(now: datetime) -> tuple[datetime, datetime]:
    today = now.replace(hour=0, minute=0, second=0, microsecond=0)
    return today - BEHIND, today + AHEAD


def _time_of(event: Occurrence, zone: str, defect: str) -> CopiedTime:
    start, end = event.when.start, event.when.end
    all_day = event.when.all_day
    return CopiedTime(
        begin=begins(event.when, zone),
        end=ends(event.when, zone),
        title=event.title,
        day=start if all_day else None,
        last=end if all_day else None,
        occurrence=_said(event.recurrence_id),
        defect=defect,
    )


def _said(occurrence: date | None) -> str:
    return occurrence.isoformat() if occurrence else ""
