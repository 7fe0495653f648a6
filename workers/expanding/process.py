"""Expand the series of a range in a process that may be killed."""

from collections import OrderedDict
from collections.abc import Sequence
from datetime import datetime
from hashlib import sha256
from itertools import accumulate
from time import monotonic
from zoneinfo import ZoneInfo

from assistant.domain.calendar.series import Expanded
from assistant.domain.limits import MailLimits
from ingest.child import ChildOrder, ChildProcess
from workers.expanding.question import NO_TIME, TOO_LONG, ExpandQuestion

SERVER = "workers.expanding.server"
SECONDS = 1.0
"""CPU seconds for one series; an honest one takes a few milliseconds."""
ALL_SECONDS = 10.0
"""CPU seconds for all series of a range."""
_CLOCK_SECONDS = 30.0
_MEMORY = 256 * 1024 * 1024
_REMEMBERED = 1_000
_PART = "the process that expands series"


class ExpandProcess:
    """Expands series as the calendar wants it. Any thread may use it, also after a fork.

    A series that takes too long, or that the process dies of, is left unread, and the others are
    expanded. It is remembered, so that it costs its time once. The process starts with the first
    series, and ends with ``close()`` or with the process that started it.
    """

    def __init__(self, *, seconds: float = SECONDS, memory: int = _MEMORY) -> None:
        limits = MailLimits(parse_seconds=_CLOCK_SECONDS, parse_memory=memory)
        self._child = ChildProcess(limits, server=SERVER, part=_PART)
        self._seconds = seconds
        self._bad: OrderedDict[bytes, str] = OrderedDict()

    def __call__(
        self, objects: Sequence[bytes], start: datetime, end: datetime, *, zone: ZoneInfo
    ) -> Sequence[Expanded]:
        """Expand all. Raises ``Outage`` if the process could not be started."""
        known = [self._bad.get(_key(ics), "") if self._bad else "" for ics in objects]
        asked = [ics for ics, why in zip(objects, known, strict=True) if not why]
        found = iter(self._all(asked, start, end, zone))
        return [Expanded(unread=why) if why else next(found) for why in known]

    def close(self) -> None:
        self._child.close()

    def _all(
        self, objects: Sequence[bytes], start: datetime, end: datetime, zone: ZoneInfo
    ) -> Sequence[Expanded]:
        if not objects:
            return ()
        found = self._ask(objects, start, end, zone)
        if isinstance(found, str):
            # One of them is more than the process bears: which one is found by asking for each.
            return self._one_by_one(objects, start, end, zone)
        for ics, one in zip(objects, found, strict=True):
            if one.unread == TOO_LONG:
                self._remember(ics, one.unread)
        return found

    def _one_by_one(
        self, objects: Sequence[bytes], start: datetime, end: datetime, zone: ZoneInfo
    ) -> Sequence[Expanded]:
        found: list[Expanded] = []
        over = monotonic() + _CLOCK_SECONDS
        for ics in objects:
            one = NO_TIME if monotonic() > over else self._ask([ics], start, end, zone)
            if isinstance(one, str):
                if one != NO_TIME:
                    self._remember(ics, one)
                found.append(Expanded(unread=one))
            else:
                found.append(one[0])
        return found

    def _ask(
        self, objects: Sequence[bytes], start: datetime, end: datetime, zone: ZoneInfo
    ) -> Sequence[Expanded] | str:
        """Return the occurrences, or why there is no answer."""
        question = ExpandQuestion(
            start=start,
            end=end,
            zone=zone.key,
            seconds=self._seconds,
            all_seconds=ALL_SECONDS,
            ends=tuple(accumulate(len(ics) for ics in objects)),
        )
        # The process keeps the time itself; this is for what does not listen.
        most = min(ALL_SECONDS, len(objects) * self._seconds) + self._seconds
        about = (question.model_dump_json(),)
        order = ChildOrder(kind="expand", seconds=most, share=most, about=about)
        reply = self._child.ask(order, b"".join(objects))
        if isinstance(reply.value, tuple):
            return reply.value
        return TOO_LONG if reply.unfinished else reply.refused

    def _remember(self, ics: bytes, why: str) -> None:
        self._bad[_key(ics)] = why
        if len(self._bad) > _REMEMBERED:
            self._bad.popitem(last=False)


def _key(ics: bytes) -> bytes:
    return sha256(ics).digest()
