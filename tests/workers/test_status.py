"""How long ago something was, in a person's words."""

from datetime import UTC, datetime, timedelta

import pytest

from assistant.commands.everyday.status import (
    said_calendar,
    said_held,
    said_mails,
    said_missing,
    said_outages,
    said_work,
)
from assistant.commands.everyday.status import said_queues as _last_crossed

NOW = datetime(2026, 11, 22, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(-1, "0 s ago"), (3, "3 s ago"), (119, "119 s ago"), (120, "2 min ago"), (7_200, "2 h ago")],
)
def test_a_queue_was_crossed_so_long_ago(seconds: int, said: str) -> None:
    seen = (NOW - timedelta(seconds=seconds)).isoformat()
    assert _last_crossed({"tools": seen, "slow": "never"}, NOW) == f"tools {said}, slow never"


def test_what_jobs_wait_for_is_said_in_a_line() -> None:
    outages = [
        {"part": "Discord", "jobs": 1, "since": "2026-11-21T09:30:00+00:00"},
        {"part": "the blobs", "jobs": 12, "since": "2026-11-22T09:02:00+00:00"},
    ]
    assert said_outages(outages, "Europe/Berlin", NOW) == (
        "1 job waits for Discord since Sat 21 Nov 2026, 10:30 (Europe/Berlin); "
        "12 jobs wait for the blobs since 10:02"
    )
    assert said_outages([], "UTC", NOW) == ""


@pytest.mark.parametrize(
    ("jobs", "live", "said"),
    [
        ((0, 0, 0), True, "nothing is left to do"),
        ((1, 0, 0), True, "1 thing is being done"),
        ((2, 1, 0), True, "3 things are being done"),
        ((2, 0, 1), False, "2 things wait to be done, 1 could not be done"),
        ((0, 0, 2), True, "nothing is left to do, 2 could not be done"),
    ],
)
def test_work_is_told_as_what_it_means(jobs: tuple[int, ...], *, live: bool, said: str) -> None:
    counted = dict(zip(("waiting", "running", "failed"), jobs, strict=True)) | {"later": 9}
    assert said_work(counted, live=live) == said


def test_mails_are_told_in_words_of_people() -> None:
    assert said_mails({}) == "none"
    assert said_mails({"announced": 3, "held": 1}) == "3 shown, 1 could not be read"


def test_what_is_held_is_told_by_reason_with_what_reads_it_again() -> None:
    torn = {"mails": 1_200, "kind": "it is torn", "retry": "assistant mail retry --all --reason x"}
    assert said_held([]) == ""
    assert said_held([torn]) == ("1,200: it is torn (again: assistant mail retry --all --reason x)")
    assert said_held([torn] * 5) == (
        "1,200: it is torn; 1,200: it is torn; 1,200: it is torn; 2 more reasons"
        " (again: assistant mail retry --all)"
    )


def test_what_was_due_and_is_not_told_is_said_with_since_when() -> None:
    brief = {"kind": "brief", "due": "2026-11-22T06:30:00+00:00"}
    reminder = {"kind": "reminder", "due": "2026-11-22T07:00:00+00:00"}
    assert said_missing([], "UTC", NOW) == ""
    assert said_missing([brief], "Europe/Berlin", NOW) == "1 that was due since 07:30: brief"
    assert said_missing([brief, reminder, reminder], "UTC", NOW) == (
        "3 that were due since 06:30: brief, reminder"
    )


def test_the_calendar_says_when_it_was_synced_and_what_troubles_it() -> None:
    assert said_calendar({}, "UTC", NOW) == ""
    well = {"synced": NOW.isoformat(), "by": "ctag", "trouble": "", "unreadable": 0}
    assert said_calendar(well, "UTC", NOW) == f"synced {NOW:%H:%M}"
    ill = {**well, "trouble": "gone", "unreadable": 1}
    said = f"synced {NOW:%H:%M}; 1 event in it cannot be read; it does not answer now: gone"
    assert said_calendar(ill, "UTC", NOW) == said
    assert said_calendar({**well, "synced": ""}, "UTC", NOW) == "not synced yet"
