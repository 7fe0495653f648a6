"""Expand series in the process that ``process`` starts: each within its own computing time."""

import signal
from functools import partial
from itertools import pairwise
from time import process_time
from types import FrameType
from zoneinfo import ZoneInfo

from assistant.adapters.calendar.expansion import expand_here
from assistant.domain.calendar.series import Expanded
from assistant.domain.limits import MailLimits
from ingest import parse_server
from ingest.child import ChildOrder
from ingest.parse_server import Work
from workers.expanding.question import NO_TIME, TOO_LONG, ExpandQuestion

_AGAIN = 0.05
"""CPU seconds between two signals: a library may catch what the first one raised."""


def serve(fd: int, limits: dict[str, float], *, nice: int = 0) -> None:
    parse_server.serve(fd, limits, nice=nice, work={"expand": _expanding})


def _expanding(order: ChildOrder, _limits: MailLimits) -> Work:
    return partial(_expand_all, asked=ExpandQuestion.model_validate_json(order.about[0]))


def _expand_all(data: bytes, *, asked: ExpandQuestion) -> tuple[Expanded, ...]:
    over = process_time() + asked.all_seconds
    objects = (data[begin:stop] for begin, stop in pairwise([0, *asked.ends]))
    return tuple(_expand(ics, asked, over - process_time()) for ics in objects)


class _OutOfSeconds(BaseException):
    """Whoever reads a series takes many errors for its fault, ``TimeoutError`` among them."""


def _stop(_signal: int, _frame: FrameType | None) -> None:
    raise _OutOfSeconds


def _expand(ics: bytes, asked: ExpandQuestion, left: float) -> Expanded:
    seconds = min(asked.seconds, left)
    if seconds <= 0:
        return Expanded(unread=NO_TIME)
    before = signal.signal(signal.SIGVTALRM, _stop)
    try:
        signal.setitimer(signal.ITIMER_VIRTUAL, seconds, _AGAIN)
        try:
            return expand_here([ics], asked.start, asked.end, zone=ZoneInfo(asked.zone))[0]
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    except _OutOfSeconds:
        return Expanded(unread=TOO_LONG if seconds == asked.seconds else NO_TIME)
    finally:
        signal.signal(signal.SIGVTALRM, before)
