"""Quiet hours on the owner's clocks, also on days when these change."""

from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as some

from assistant.domain.time.quiet_hours import QuietHours, clock_time

BERLIN = "Europe/Berlin"
NIGHT = QuietHours(time(22), time(7))


def at(day: int, hour: int, minute: int = 0) -> datetime:
    return datetime(2026, 11, day, hour, minute, tzinfo=ZoneInfo(BERLIN))


@pytest.mark.parametrize(
    ("now", "ends"),
    [
        (at(23, 21, 59), None),
        (at(23, 22), at(24, 7)),
        (at(24, 0), at(24, 7)),
        (at(24, 6, 59), at(24, 7)),
        (at(24, 7), None),
    ],
)
def test_a_night(now: datetime, ends: datetime | None) -> None:
    assert NIGHT.end(now, BERLIN) == ends


def test_a_nap() -> None:
    nap = QuietHours.read("13:00-14:30")
    assert nap.end(at(23, 13), BERLIN) == at(23, 14, 30)
    assert nap.end(at(23, 14, 30), BERLIN) is None
    assert nap.end(at(23, 12, 59), BERLIN) is None


@pytest.mark.parametrize("text", ["", "22-7", "22:00", "25:00-07:00", "22:00-22:00", "a-b"])
def test_what_is_no_span_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"such as|empty for none"):
        QuietHours.read(text)


@pytest.mark.parametrize("text", ["", "7", "7:3", "24:00", "x:00", "07:60"])
def test_what_is_no_time_of_day_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="such as 07:30"):
        clock_time(text)


# Berlin's clocks are put forward on 28 March 2027 at 1:00 UTC, and back on 31 October.
@pytest.mark.parametrize("change", [(2027, 3, 28), (2027, 10, 31)])
@given(
    begins=some.integers(0, 24 * 4 - 1), ends=some.integers(0, 24 * 4 - 1), now=some.integers(0, 95)
)
def test_over_a_change_they_end_once(
    change: tuple[int, int, int], begins: int, ends: int, now: int
) -> None:
    """Compared with a walk: quiet is from a first showing of the begin to one of the end."""
    if begins == ends:
        return
    quiet = QuietHours(time(*divmod(begins * 15, 60)), time(*divmod(ends * 15, 60)))
    there, quarter = ZoneInfo(BERLIN), timedelta(minutes=15)
    start = datetime(*change, tzinfo=UTC) - timedelta(days=2)
    shown = [start + n * quarter for n in range(96 * 4)]
    marks: dict[tuple[object, str], datetime] = {}
    for moment in shown:
        local = moment.astimezone(there)
        for name, mark in (("begin", quiet.begins), ("end", quiet.ends)):
            if local.time() >= mark:
                marks.setdefault((local.date(), name), moment)
    moment = datetime(*change, tzinfo=UTC) - timedelta(hours=4) + now * quarter
    spans = []
    for (day, name), begin in marks.items():
        if name == "begin":
            last = day if quiet.begins < quiet.ends else day + timedelta(days=1)  # type: ignore[operator]
            spans.append((begin, marks.get((last, "end"))))
    expected = [end for begin, end in spans if end and begin <= moment < end]
    assert quiet.end(moment, BERLIN) == next(iter(expected), None)
