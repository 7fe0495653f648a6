"""Series over the calendar port: over the fake and over real servers."""

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from pydantic import ValidationError

from assistant.domain.calendar.events import Event, When
from assistant.domain.calendar.recurrence import (
    BadRecurrence,
    DayOfWeek,
    Frequency,
    Recurrence,
    Weekday,
)
from assistant.domain.calendar.series import BadSeries, NoSuchOccurrence, SeriesEdit, SeriesScope
from assistant.domain.errors import Busy, Denied, NotFound, Stale, Unsure
from tests.contract.calendar_benches import (
    BERLIN,
    TOKYO,
    ZONE,
    Bench,
    HandInMemory,
    RealBench,
    days,
    timed,
    vevent,
)
from tests.memory_calendar import MemoryCalendar
from tests.servers.meddler import Answer, Forward, Meddler

THIS, FOLLOWING, ALL = SeriesScope
NOW = datetime(2026, 11, 23, 8, 15, tzinfo=UTC)
TUESDAYS = Recurrence(
    frequency=Frequency.WEEKLY, weekdays=(DayOfWeek(day=Weekday.TUESDAY),), count=6
)
STANDUP = Event(
    uid="standup",
    title="Standup",
    when=timed(datetime(2026, 11, 24, 9, tzinfo=BERLIN), hours=0.5),
    recurrence=TUESDAYS,
    alerts=(timedelta(minutes=30), timedelta(minutes=5)),
)
QUARTER = days(date(2026, 11, 1), count=92)
SECOND, THIRD = datetime(2026, 12, 1, 9, tzinfo=BERLIN), datetime(2026, 12, 8, 9, tzinfo=BERLIN)


def edit(bench: Bench, scope: SeriesScope, at: date | None = None, **new: Any) -> SeriesEdit:
    """An edit of the standup as it is now."""
    etag = bench.calendar.get("standup").etag
    rest = "rest" if scope is FOLLOWING and not new.get("delete") else ""
    return SeriesEdit(
        uid="standup", etag=etag, scope=scope, occurrence=at, new_uid=rest, stamp=NOW, **new
    )


def seen(bench: Bench, within: When = QUARTER) -> list[tuple[str, str]]:
    """Titles and begins, as the owner's clock shows them."""
    return [(event.title, _clock(event.when.start)) for event in bench.calendar.between(within)]


def _clock(moment: date) -> str:
    if not isinstance(moment, datetime):
        return f"{moment:%d %b}"
    return f"{moment.astimezone(BERLIN):%d %b %H:%M}"


def by_hand(*lines: str, rule: str = "RRULE:FREQ=WEEKLY;COUNT=6") -> str:
    """The standup as the owner's own program writes it."""
    return vevent(
        *("UID:standup", "SUMMARY:Standup", "DTSTART;TZID=Europe/Berlin:20261124T090000"),
        *("DTEND;TZID=Europe/Berlin:20261124T093000", rule, *lines),
    )


PLAIN = [
    ("Standup", "24 Nov 09:00"),
    ("Standup", "01 Dec 09:00"),
    ("Standup", "08 Dec 09:00"),
    ("Standup", "15 Dec 09:00"),
    ("Standup", "22 Dec 09:00"),
    ("Standup", "29 Dec 09:00"),
]


def test_a_series_that_is_created_can_be_read_again(bench: Bench) -> None:
    etag = bench.calendar.create(STANDUP)
    series = bench.calendar.get("standup")
    assert series == STANDUP.model_copy(update={"etag": etag, "recurring": True})
    assert seen(bench) == PLAIN
    found = bench.calendar.between(QUARTER)
    assert [each.recurrence_id for each in found] == [each.when.start for each in found]
    assert all(each.recurring and each.etag == etag for each in found)
    assert {each.alerts for each in found} == {STANDUP.alerts}
    assert {each.recurrence for each in found} == {None}


def test_one_occurrence_is_found_by_when_it_would_begin(bench: Bench) -> None:
    bench.calendar.create(STANDUP)
    found = bench.calendar.get("standup", occurrence=SECOND)
    assert found in bench.calendar.between(QUARTER)
    assert found.when == timed(SECOND, hours=0.5)
    assert found.recurrence_id == SECOND
    for at in (SECOND + timedelta(hours=1), SECOND.date()):
        with pytest.raises(NoSuchOccurrence):
            bench.calendar.get("standup", occurrence=at)


def test_an_event_that_does_not_repeat_has_no_occurrence(bench: Bench) -> None:
    bench.calendar.create(STANDUP.model_copy(update={"recurrence": None}))
    with pytest.raises(NoSuchOccurrence):
        bench.calendar.get("standup", occurrence=STANDUP.when.start)


def test_a_series_that_does_not_fit_its_first_day_is_refused(bench: Bench) -> None:
    monday = STANDUP.model_copy(
        update={"when": timed(datetime(2026, 11, 23, 9, tzinfo=BERLIN), hours=0.5)}
    )
    with pytest.raises(BadRecurrence):
        bench.calendar.create(monday)
    with pytest.raises(NotFound):
        bench.calendar.get("standup")


def test_one_occurrence_is_moved_and_named(bench: Bench) -> None:
    bench.calendar.create(STANDUP)
    later = timed(datetime(2026, 12, 2, 15, tzinfo=TOKYO))
    asked = edit(bench, THIS, SECOND, title="Retro", when=later)
    affected = bench.calendar.affected(asked)
    assert (affected.count, affected.first, affected.last) == (1, SECOND, SECOND)
    assert not bench.calendar.holds(asked)
    etag = bench.calendar.change_series(asked)
    assert bench.calendar.holds(asked)
    assert bench.calendar.get("standup").etag == etag != asked.etag
    assert seen(bench) == [PLAIN[0], ("Retro", "02 Dec 07:00"), *PLAIN[2:]]
    moved = bench.calendar.get("standup", occurrence=SECOND)
    assert (moved.recurrence_id, moved.when) == (SECOND, later)


def test_one_occurrence_is_cancelled(bench: Bench) -> None:
    bench.calendar.create(STANDUP)
    asked = edit(bench, THIS, SECOND, delete=True)
    assert bench.calendar.affected(asked).count == 1
    bench.calendar.change_series(asked)
    assert bench.calendar.holds(asked)
    assert seen(bench) == [PLAIN[0], *PLAIN[2:]]
    with pytest.raises(NoSuchOccurrence):
        bench.calendar.get("standup", occurrence=SECOND)


def test_an_occurrence_and_all_that_follow_are_moved(bench: Bench) -> None:
    bench.calendar.create(STANDUP)
    asked = edit(bench, FOLLOWING, THIRD, title="Later", when=timed(THIRD.replace(hour=10)))
    affected = bench.calendar.affected(asked)
    assert (affected.count, affected.first) == (4, THIRD)
    etag = bench.calendar.change_series(asked)
    assert bench.calendar.holds(asked)
    assert bench.calendar.get("standup").etag == etag
    assert seen(bench) == [
        *PLAIN[:2],
        ("Later", "08 Dec 10:00"),
        ("Later", "15 Dec 10:00"),
        ("Later", "22 Dec 10:00"),
        ("Later", "29 Dec 10:00"),
    ]
    assert bench.calendar.get("rest").alerts == STANDUP.alerts


def test_an_occurrence_and_all_that_follow_are_deleted(bench: Bench) -> None:
    bench.calendar.create(STANDUP)
    asked = edit(bench, FOLLOWING, THIRD, delete=True)
    assert bench.calendar.affected(asked).count == 4
    assert bench.calendar.change_series(asked)
    assert bench.calendar.holds(asked)
    assert seen(bench) == PLAIN[:2]


def test_all_that_follow_the_first_are_the_whole_series(bench: Bench) -> None:
    bench.calendar.create(STANDUP)
    first = STANDUP.when.start
    asked = edit(bench, FOLLOWING, first, title="Other")
    bench.calendar.change_series(asked)
    assert bench.calendar.holds(asked)
    assert seen(bench) == [("Other", begins) for _, begins in PLAIN]
    with pytest.raises(NotFound):
        bench.calendar.get("rest")
    gone = edit(bench, FOLLOWING, first, delete=True)
    assert bench.calendar.change_series(gone) == ""
    assert bench.calendar.holds(gone)
    assert seen(bench) == []


def test_all_occurrences_are_changed(bench: Bench) -> None:
    bench.calendar.create(STANDUP)
    asked = edit(bench, ALL, SECOND, title="Early", when=timed(SECOND.replace(hour=8)))
    assert bench.calendar.affected(asked).count == 6
    bench.calendar.change_series(asked)
    assert bench.calendar.holds(asked)
    assert seen(bench) == [("Early", begins.replace("09:", "08:")) for _, begins in PLAIN]


def test_a_series_is_deleted(bench: Bench) -> None:
    bench.calendar.create(STANDUP)
    asked = edit(bench, ALL, delete=True)
    assert bench.calendar.affected(asked).count == 6
    assert bench.calendar.change_series(asked) == ""
    assert bench.calendar.holds(asked)
    assert seen(bench) == []


@pytest.mark.parametrize("scope", SeriesScope)
def test_a_series_that_changed_since_is_not_touched(bench: Bench, scope: SeriesScope) -> None:
    bench.calendar.create(STANDUP)
    asked = edit(bench, scope, SECOND, title="Mine")
    bench.calendar.change_series(edit(bench, THIS, THIRD, title="Theirs"))
    was = seen(bench)
    with pytest.raises(Stale):
        bench.calendar.affected(asked)
    with pytest.raises(Stale):
        bench.calendar.change_series(asked)
    assert seen(bench) == was
    assert not bench.calendar.holds(asked)


# Reminders


def test_an_events_reminders_are_read_again(bench: Bench) -> None:
    alerts = (timedelta(days=1), timedelta(minutes=10), timedelta())
    plain = STANDUP.model_copy(update={"recurrence": None, "alerts": alerts})
    etag = bench.calendar.create(plain)
    assert bench.calendar.get("standup").alerts == alerts
    (found,) = bench.calendar.between(QUARTER)
    assert found.alerts == alerts
    bench.calendar.update(plain.model_copy(update={"title": "Other", "alerts": (), "etag": etag}))
    assert bench.calendar.get("standup").alerts == alerts


ALARMS = (
    *("BEGIN:VALARM", "ACTION:DISPLAY", "DESCRIPTION:Go", "TRIGGER:-PT15M", "X-SNOOZE:9"),
    *("END:VALARM", "BEGIN:VALARM", "ACTION:AUDIO", "TRIGGER:-PT1H", "ATTACH:bell", "END:VALARM"),
    *("BEGIN:VALARM", "ACTION:DISPLAY", "DESCRIPTION:After", "TRIGGER:PT5M", "END:VALARM"),
    *(
        "BEGIN:VALARM",
        "ACTION:DISPLAY",
        "DESCRIPTION:At",
        "TRIGGER;VALUE=DATE-TIME:20261124T060000Z",
    ),
    "END:VALARM",
)


@pytest.mark.parametrize("scope", SeriesScope)
def test_what_reminds_the_owner_stays_when_a_series_changes(
    bench: Bench, scope: SeriesScope
) -> None:
    bench.owner.puts_whole("standup", by_hand(*ALARMS))
    assert bench.calendar.get("standup").alerts == (timedelta(minutes=15),)
    bench.calendar.change_series(edit(bench, scope, SECOND, title="Other"))
    changed = "rest" if scope is FOLLOWING else "standup"
    part = bench.calendar.raw(changed).decode().replace("\r\n ", "").split("BEGIN:VEVENT")[-1]
    for line in ALARMS:
        assert f"{line}\r\n" in part
    occurrence = bench.calendar.get(changed, occurrence=SECOND)
    assert (occurrence.title, occurrence.alerts) == ("Other", (timedelta(minutes=15),))


# What every object has


def test_a_series_names_its_zone_and_has_an_end(bench: Bench) -> None:
    bench.calendar.create(STANDUP)
    bench.calendar.change_series(edit(bench, THIS, SECOND, when=timed(SECOND.replace(hour=11))))
    bench.calendar.change_series(edit(bench, FOLLOWING, THIRD, title="Later"))
    for uid in ("standup", "rest"):
        parts = bench.calendar.raw(uid).decode().split("BEGIN:VEVENT")
        assert "BEGIN:VTIMEZONE\r\nTZID:Europe/Berlin" in parts[0]
        assert all("DTSTART;TZID=Europe/Berlin:" in part for part in parts[1:])
        assert all("DTEND;TZID=Europe/Berlin:" in part for part in parts[1:])


def test_what_the_owner_wrote_without_an_end_gets_one(bench: Bench) -> None:
    lines = ("DTSTART;TZID=Europe/Berlin:20261124T090000", "RRULE:FREQ=WEEKLY;COUNT=6")
    bench.owner.puts_whole("standup", vevent("UID:standup", "SUMMARY:Standup", *lines))
    bench.calendar.change_series(edit(bench, ALL, title="Other"))
    assert "DTEND" in bench.calendar.raw("standup").decode()


# What cannot be expanded


@pytest.mark.parametrize(
    ("rule", "why"),
    [
        # Radicale expands them too, so these have an end.
        ("RRULE:FREQ=SECONDLY;COUNT=100", "secondly"),
        ("RRULE:FREQ=HOURLY;INTERVAL=5;COUNT=9", "hourly"),
        ("RRULE:FREQ=DAILY;COUNT=9\r\nEXRULE:FREQ=WEEKLY", "EXRULE"),
    ],
)
def test_a_series_that_cannot_be_expanded_is_not_hidden(
    bench: Bench, caplog: pytest.LogCaptureFixture, rule: str, why: str
) -> None:
    bench.owner.puts_whole("standup", by_hand(rule=rule))
    plain = Event(uid="a1", title="Dentist", when=timed(SECOND))
    bench.calendar.create(plain)
    for within in (days(date(2026, 11, 24)), QUARTER):
        broken = bench.calendar.between(within)[0]
        assert (broken.uid, broken.title, broken.when) == ("standup", "Standup", STANDUP.when)
        assert broken.recurring
        assert broken.etag == bench.calendar.get("standup").etag
        assert why in broken.defect
    assert [event.uid for event in bench.calendar.between(QUARTER)] == ["standup", "a1"]
    assert "could not expand a series" in caplog.text
    assert not any(
        event.defect for event in bench.calendar.between(timed(SECOND)) if event.uid == "a1"
    )


def test_a_series_that_cannot_be_expanded_is_there_after_its_first_time_too(bench: Bench) -> None:
    bench.owner.puts_whole("standup", by_hand(rule="RRULE:FREQ=HOURLY;COUNT=400"))
    (broken,) = bench.calendar.between(timed(SECOND))
    assert broken.when == STANDUP.when
    assert bench.calendar.between(days(date(2026, 11, 20))) == []


@pytest.mark.parametrize("scope", SeriesScope)
def test_a_series_that_cannot_be_expanded_is_not_changed(bench: Bench, scope: SeriesScope) -> None:
    bench.owner.puts_whole("standup", by_hand(rule="RRULE:FREQ=HOURLY;COUNT=400"))
    asked = edit(bench, scope, SECOND, title="Other")
    for use in (bench.calendar.affected, bench.calendar.change_series):
        with pytest.raises(BadSeries, match="hourly"):
            use(asked)
    assert not bench.calendar.holds(asked)
    assert bench.calendar.get("standup").title == "Standup"
    bench.calendar.delete("standup", etag=asked.etag)
    assert bench.calendar.between(QUARTER) == []


# Days, clocks and times without a zone

PAID_LEAVE = Event(
    uid="standup",
    title="Leave",
    when=days(date(2026, 11, 24), count=2),
    recurrence=Recurrence(frequency=Frequency.MONTHLY, count=3),
)


def test_a_series_of_whole_days_is_created_and_changed(bench: Bench) -> None:
    etag = bench.calendar.create(PAID_LEAVE)
    series = bench.calendar.get("standup")
    assert series == PAID_LEAVE.model_copy(update={"etag": etag, "recurring": True})
    found = bench.calendar.between(QUARTER)
    assert [each.recurrence_id for each in found] == [
        date(2026, 11, 24),
        date(2026, 12, 24),
        date(2027, 1, 24),
    ]
    asked = edit(bench, THIS, date(2026, 12, 24), when=days(date(2026, 12, 27)))
    assert bench.calendar.affected(asked).first == date(2026, 12, 24)
    bench.calendar.change_series(asked)
    assert bench.calendar.holds(asked)
    assert seen(bench) == [("Leave", "24 Nov"), ("Leave", "27 Dec"), ("Leave", "24 Jan")]
    asked = edit(bench, FOLLOWING, date(2027, 1, 24), delete=True)
    bench.calendar.change_series(asked)
    assert bench.calendar.holds(asked)
    assert seen(bench) == [("Leave", "24 Nov"), ("Leave", "27 Dec")]


@pytest.mark.parametrize(
    ("first", "change"),
    [(date(2027, 3, 26), date(2027, 3, 28)), (date(2027, 10, 29), date(2027, 10, 31))],
)
def test_a_series_keeps_its_clock_time_when_clocks_change(
    bench: Bench, first: date, change: date
) -> None:
    start = datetime(first.year, first.month, first.day, 2, 30, tzinfo=BERLIN)
    daily = Recurrence(frequency=Frequency.DAILY, count=5)
    bench.calendar.create(
        STANDUP.model_copy(update={"when": timed(start, hours=0.5), "recurrence": daily})
    )
    week = days(first, count=7)
    walls = {f"{day}T02:30:00" for day in (first + timedelta(days=n) for n in range(5))}
    # The hour from two to three does not exist in spring, and comes twice in autumn.
    in_gap = {f"{change}T03:30:00"} if change.month == 3 else {f"{change}T02:30:00"}
    assert shown(bench, week) == (walls - {f"{change}T02:30:00"}) | in_gap
    at = next(
        each.recurrence_id
        for each in bench.calendar.between(week)
        if each.recurrence_id and _day(each.recurrence_id) == change
    )
    asked = edit(bench, THIS, at, title="Night")
    bench.calendar.change_series(asked)
    assert bench.calendar.holds(asked)
    assert bench.calendar.get("standup", occurrence=at).title == "Night"
    asked = edit(bench, ALL, when=timed(start.replace(hour=8), hours=0.5))
    bench.calendar.change_series(asked)
    assert bench.calendar.holds(asked)
    assert shown(bench, week) == {wall.replace("T02", "T08") for wall in walls}


def shown(bench: Bench, within: When) -> set[str]:
    """When events begin on the owner's clock."""
    starts = (event.when.start for event in bench.calendar.between(within))
    return {
        f"{start.astimezone(BERLIN):%Y-%m-%dT%H:%M:%S}"
        for start in starts
        if isinstance(start, datetime)
    }


def _day(moment: date) -> date:
    return moment.astimezone(BERLIN).date() if isinstance(moment, datetime) else moment


FLOATING = vevent(
    *("UID:standup", "SUMMARY:Standup", "DTSTART:20261124T090000", "DTEND:20261124T093000"),
    "RRULE:FREQ=WEEKLY;COUNT=6",
)


def test_times_without_a_zone_are_the_owners_and_that_is_said(bench: Bench) -> None:
    bench.owner.puts_whole("standup", FLOATING)
    assert seen(bench) == PLAIN
    asked = edit(bench, THIS, SECOND, when=timed(SECOND.replace(hour=11), hours=0.5))
    (note,) = bench.calendar.affected(asked).notes
    assert note == "its times have no time zone, and are read as Europe/Berlin"
    bench.calendar.change_series(asked)
    assert bench.calendar.holds(asked)
    assert seen(bench) == [PLAIN[0], ("Standup", "01 Dec 11:00"), *PLAIN[2:]]


def test_a_time_without_a_zone_is_never_written() -> None:
    naive = datetime(2026, 12, 1, 9)  # noqa: DTZ001 (that is the point)
    with pytest.raises(ValidationError):
        When(start=naive, end=naive + timedelta(hours=1))
    with pytest.raises(ValidationError):
        SeriesEdit(uid="a", etag="", scope=THIS, occurrence=naive, title="x", stamp=NOW)


@pytest.mark.parametrize(
    "parts",
    [
        {"scope": THIS, "title": "x"},
        {"scope": FOLLOWING, "title": "x", "new_uid": "rest"},
        {"scope": FOLLOWING, "occurrence": SECOND, "title": "x"},
        {"scope": THIS, "occurrence": SECOND},
        {"scope": THIS, "occurrence": SECOND, "title": "x", "delete": True},
        {"scope": THIS, "occurrence": SECOND, "recurrence": TUESDAYS},
    ],
)
def test_an_edit_says_what_and_which(parts: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        SeriesEdit(uid="a", etag="", stamp=NOW, **parts)


# Moved, cancelled and missing occurrences


def test_what_the_owner_moved_and_cancelled_is_kept_and_can_be_changed(bench: Bench) -> None:
    moved = (
        *("END:VEVENT", "BEGIN:VEVENT", "UID:standup", "DTSTAMP:20260102T000000Z"),
        *("SUMMARY:Moved", "RECURRENCE-ID;TZID=Europe/Berlin:20261201T090000"),
        *("DTSTART;TZID=Europe/Berlin:20261203T100000", "DTEND;TZID=Europe/Berlin:20261203T103000"),
    )
    left_out = ("EXDATE;TZID=Europe/Berlin:20261208T090000",)
    bench.owner.puts_whole("standup", by_hand(*left_out, *moved))
    rest = PLAIN[3:]
    assert seen(bench) == [PLAIN[0], ("Moved", "03 Dec 10:00"), *rest]
    assert bench.calendar.get("standup", occurrence=SECOND).title == "Moved"
    with pytest.raises(NoSuchOccurrence):
        bench.calendar.get("standup", occurrence=THIRD)
    for asked in (
        edit(bench, THIS, THIRD, title="x"),
        edit(bench, FOLLOWING, THIRD, delete=True),
    ):
        with pytest.raises(NoSuchOccurrence):
            bench.calendar.change_series(asked)
    asked = edit(bench, ALL, title="Other")
    assert bench.calendar.affected(asked).count == 5
    bench.calendar.change_series(asked)
    others = [("Other", begins) for _, begins in rest]
    assert seen(bench) == [("Other", "24 Nov 09:00"), ("Moved", "03 Dec 10:00"), *others]
    asked = edit(bench, THIS, SECOND, delete=True)
    bench.calendar.change_series(asked)
    assert bench.calendar.holds(asked)
    assert seen(bench) == [("Other", "24 Nov 09:00"), *others]


@pytest.mark.parametrize("scope", SeriesScope)
def test_an_occurrence_that_does_not_exist_is_not_changed(bench: Bench, scope: SeriesScope) -> None:
    bench.calendar.create(STANDUP)
    asked = edit(bench, scope, SECOND + timedelta(days=1), when=timed(SECOND))
    for use in (bench.calendar.affected, bench.calendar.change_series):
        with pytest.raises(NoSuchOccurrence):
            use(asked)
    assert not bench.calendar.holds(asked)
    assert seen(bench) == PLAIN


def test_a_series_that_is_gone_is_not_found(bench: Bench) -> None:
    etag = bench.calendar.create(STANDUP)
    asked = edit(bench, FOLLOWING, THIRD, title="Other")
    bench.calendar.delete("standup", etag=etag)
    with pytest.raises(NotFound):
        bench.calendar.change_series(asked)
    assert not bench.calendar.holds(asked)
    assert seen(bench) == []


def test_an_event_may_begin_to_repeat(bench: Bench) -> None:
    bench.calendar.create(STANDUP.model_copy(update={"recurrence": None}))
    asked = edit(bench, ALL, recurrence=TUESDAYS)
    assert not bench.calendar.holds(asked)
    bench.calendar.change_series(asked)
    assert bench.calendar.holds(asked)
    assert seen(bench) == PLAIN
    assert bench.calendar.get("standup").recurrence == TUESDAYS


def test_a_series_may_repeat_otherwise_from_an_occurrence_on(bench: Bench) -> None:
    bench.calendar.create(STANDUP)
    monthly = Recurrence(frequency=Frequency.MONTHLY, count=2)
    asked = edit(bench, FOLLOWING, THIRD, recurrence=monthly)
    bench.calendar.change_series(asked)
    assert bench.calendar.holds(asked)
    assert seen(bench) == [*PLAIN[:3], ("Standup", "08 Jan 09:00")]


# People

GUESTS = ("ORGANIZER:mailto:me@example.org", "ATTENDEE:mailto:ann@example.org")


def test_guests_stay_in_a_series_where_nobody_writes_to_them(bench: Bench) -> None:
    bench.owner.puts_whole("standup", by_hand(*GUESTS))
    if bench.mails:
        with pytest.raises(Denied, match="might write to them"):
            bench.calendar.change_series(edit(bench, FOLLOWING, SECOND, title="Other"))
        return
    bench.calendar.change_series(edit(bench, FOLLOWING, SECOND, title="Other"))
    for uid in ("standup", "rest"):
        assert {*GUESTS} <= {*bench.calendar.raw(uid).decode().split("\r\n")}


def test_a_series_with_guests_is_not_changed_where_the_server_would_write_to_them(
    meddled: RealBench, meddler: Meddler
) -> None:
    meddled.owner.puts_whole("standup", by_hand(*GUESTS))
    meddler.meddle["OPTIONS"] = lambda _: Answer(
        200, {"DAV": "1, calendar-access, calendar-auto-schedule"}
    )
    bench = Bench(meddled.calendar, meddled.owner)
    for scope in SeriesScope:
        asked = edit(bench, scope, SECOND, title="Other")
        for use in (meddled.calendar.affected, meddled.calendar.change_series):
            with pytest.raises(Denied):
                use(asked)
    assert seen(bench) == PLAIN


# Twice, half, and without an answer


@pytest.mark.parametrize("scope", SeriesScope)
@pytest.mark.parametrize("new", [{"title": "Other"}, {"delete": True}], ids=["change", "delete"])
def test_an_edit_that_was_made_is_not_made_again(
    bench: Bench, scope: SeriesScope, new: dict[str, Any]
) -> None:
    bench.calendar.create(STANDUP)
    asked = edit(bench, scope, SECOND, **new)
    bench.calendar.change_series(asked)
    was = seen(bench)
    with pytest.raises((Stale, NotFound)):
        bench.calendar.change_series(asked)
    assert seen(bench) == was
    assert bench.calendar.holds(asked)


def test_moving_a_series_by_a_week_is_told_from_not_moving_it(bench: Bench) -> None:
    bench.calendar.create(STANDUP)
    asked = edit(bench, ALL, SECOND, when=timed(THIRD, hours=0.5))
    bench.calendar.change_series(edit(bench, THIS, PLAIN_LAST, title="Theirs"))
    assert not bench.calendar.holds(asked)
    asked = edit(bench, ALL, SECOND, when=timed(THIRD, hours=0.5)).model_copy(
        update={"stamp": NOW + timedelta(minutes=1)}
    )
    assert not bench.calendar.holds(asked)
    bench.calendar.change_series(asked)
    assert bench.calendar.holds(asked)


PLAIN_LAST = datetime(2026, 12, 29, 9, tzinfo=BERLIN)
CUT = [*PLAIN[:2], *(("Later", begins) for _, begins in PLAIN[2:])]


def test_a_fake_that_fails_halfway_has_stored_the_rest() -> None:
    calendar = MemoryCalendar(zone=ZONE)
    bench = Bench(calendar, HandInMemory(calendar))
    half_made(bench, lambda: calendar.fail_halfway(Unsure()))


def test_a_cut_that_is_half_made_is_finished_or_taken_back(
    meddled: RealBench, meddler: Meddler
) -> None:
    half_made(Bench(meddled.calendar, meddled.owner), lambda: fail_second_put(meddler, Answer(500)))


def half_made(bench: Bench, fail: Callable[[], None]) -> None:
    bench.calendar.create(STANDUP)
    asked = edit(bench, FOLLOWING, THIRD, title="Later")
    for changes_meanwhile in (True, False):
        fail()
        with pytest.raises(Unsure):
            bench.calendar.change_series(asked)
        assert bench.calendar.get("rest")
        assert not bench.calendar.holds(asked)
        if changes_meanwhile:
            bench.calendar.change_series(edit(bench, THIS, SECOND, title="Theirs"))
            with pytest.raises(Stale):
                bench.calendar.change_series(asked)
            with pytest.raises(NotFound):
                bench.calendar.get("rest")
            bench.calendar.change_series(edit(bench, THIS, SECOND, title="Standup"))
            assert seen(bench) == PLAIN
            asked = edit(bench, FOLLOWING, THIRD, title="Later")
    bench.calendar.change_series(asked)
    assert bench.calendar.holds(asked)
    assert seen(bench) == CUT


def test_a_cut_that_is_refused_leaves_no_rest(meddled: RealBench, meddler: Meddler) -> None:
    bench = Bench(meddled.calendar, meddled.owner)
    bench.calendar.create(STANDUP)
    asked = edit(bench, FOLLOWING, THIRD, title="Later")
    fail_second_put(meddler, Answer(503))
    with pytest.raises(Busy):
        bench.calendar.change_series(asked)
    assert seen(bench) == PLAIN
    bench.calendar.change_series(asked)
    assert seen(bench) == CUT


def test_a_cut_that_was_made_without_an_answer_is_found(
    meddled: RealBench, meddler: Meddler
) -> None:
    bench = Bench(meddled.calendar, meddled.owner)
    bench.calendar.create(STANDUP)
    asked = edit(bench, FOLLOWING, THIRD, title="Later")
    fail_second_put(meddler, Answer(500), happened=True)
    with pytest.raises(Unsure):
        bench.calendar.change_series(asked)
    assert bench.calendar.holds(asked)
    with pytest.raises(Stale):
        bench.calendar.change_series(asked)
    assert seen(bench) == CUT


def fail_second_put(meddler: Meddler, answer: Answer, *, happened: bool = False) -> None:
    """The next PUT is done; the one after it is answered so, and done only if ``happened``."""
    done: list[Answer] = []

    def meddle(forward: Forward) -> Answer:
        if not done:
            done.append(forward())
            return done[0]
        del meddler.meddle["PUT"]
        if happened:
            forward()
        return answer

    meddler.meddle["PUT"] = meddle


def test_every_step_of_a_cut_names_the_version_it_is_about(
    meddled: RealBench, meddler: Meddler
) -> None:
    bench = Bench(meddled.calendar, meddled.owner)
    first = bench.calendar.create(STANDUP)
    meddler.seen.clear()
    bench.calendar.change_series(edit(bench, FOLLOWING, THIRD, title="Later"))
    second = bench.calendar.get("standup").etag
    bench.calendar.change_series(edit(bench, ALL, delete=True))
    assert [
        (method, headers.get("If-None-Match"), headers.get("If-Match"))
        for method, headers in meddler.seen
        if method in ("PUT", "DELETE")
    ] == [("PUT", "*", None), ("PUT", None, first), ("DELETE", None, second)]


# Taking it back


@pytest.mark.parametrize("scope", SeriesScope)
@pytest.mark.parametrize("new", [{"title": "Other"}, {"delete": True}], ids=["change", "delete"])
def test_an_edit_can_be_taken_back(bench: Bench, scope: SeriesScope, new: dict[str, Any]) -> None:
    """As the port says: what was there is put back, and the rest of a cut series deleted."""
    bench.owner.puts_whole("standup", by_hand(*ALARMS))
    kept = bench.calendar.raw("standup")
    etag = bench.calendar.change_series(edit(bench, scope, SECOND, **new))
    assert seen(bench) != PLAIN
    bench.calendar.restore("standup", kept, etag=etag)
    if scope is FOLLOWING and "title" in new:
        bench.calendar.delete("rest", etag=bench.calendar.get("rest").etag)
    assert seen(bench) == PLAIN
    assert bench.calendar.raw("standup") == kept
