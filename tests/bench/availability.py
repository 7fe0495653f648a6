"""When the owner is busy: from the copy of the calendar, beside the CalDAV query."""

import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

from assistant.domain.calendar.events import When
from assistant.domain.calendar.ports import Calendar
from tests.bench.comparison import Aim, Comparison, compare
from workers.parts import Assistant, silent_assistant
from workers.processes.supervisor import prepare_database
from workers.settings import Settings

WARM = Aim(least=50)
EVENTS = 20
"""Events for each call of ``--size``: 10,000 by default, of which one in 20 is a series."""
_SERIES = 20
_READS = 50
_PATIENCE = 300.0
"""Seconds for an answer: a server reads 10,000 files before its first one."""
_SPREAD = timedelta(days=480)
_SPANS = {"a day": timedelta(days=1), "a week": timedelta(days=7), "100 days": timedelta(days=100)}


def bench_availability(folder: Path, *, size: int, rounds: int) -> list[Comparison]:
    """Answers a second, over ``size * 20`` events on a real server of this machine."""
    now = datetime.now(UTC).replace(minute=0, second=0, microsecond=0)
    with _house(folder, now, size * EVENTS) as house:

        def warm() -> None:
            house.copy_keeper.sync(house.cause())

        return [
            compare(
                f"availability of {name}, {size * EVENTS:,} events",
                "answers/s",
                ours=partial(_rate, house.calendar, When(start=now, end=now + span), _READS, warm),
                beside=partial(_rate, house.server_calendar, When(start=now, end=now + span), 1),
                rounds=rounds,
                aim=WARM,
            )
            for name, span in _SPANS.items()
        ]


def _rate(
    calendar: Calendar, when: When, reads: int, warm: Callable[[], None] = lambda: None
) -> float:
    warm()
    began = time.perf_counter()
    for _ in range(reads):
        calendar.times(when)
    return reads / (time.perf_counter() - began)


@contextmanager
def _house(folder: Path, now: datetime, events: int) -> Generator[Assistant]:
    """An assistant with a private calendar of its own, filled behind the server's back."""
    settings = Settings(data_dir=folder, log_level="warning", calendar_timeout=_PATIENCE)
    house = silent_assistant(settings)
    try:
        prepare_database(house)
        house.server_calendar.check()
        [props] = house.data_folder.radicale.rglob(".Radicale.props")
        for number in range(events):
            text = _event(number, now + _SPREAD * number / events - timedelta(days=50))
            (props.parent / f"event-{number}.ics").write_text(text, newline="")
        house.copy_keeper.sync(house.cause())
        yield house
    finally:
        house.close()


def _event(number: int, at: datetime) -> str:
    rule = ("RRULE:FREQ=WEEKLY",) if number % _SERIES == 0 else ()
    lines = (
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//bench//EN",
        "BEGIN:VEVENT",
        f"UID:event-{number}",
        "DTSTAMP:20260101T000000Z",
        f"DTSTART:{at:%Y%m%dT%H%M%SZ}",
        "DURATION:PT30M",
        f"SUMMARY:Event {number}",
        *rule,
        "END:VEVENT",
        "END:VCALENDAR",
        "",
    )
    return "\r\n".join(lines)
