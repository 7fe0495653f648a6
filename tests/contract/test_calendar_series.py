"""Series over the calendar port: over the fake and over real servers."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from assistant.domain.calendar.events import Event, When
from assistant.domain.calendar.recurrence import (
    BadRecurrence,
    DayOfWeek,
    Frequency,
    Recurrence,
    Weekday,
)
from assistant.domain.calendar.series import BadSeries, NoSuchOccurrence, SeriesEdit, SeriesScope
from assistant.domain.errors import NotFound, Stale
from tests.contract.calendar_benches import BERLIN, TOKYO, Bench, days, timed, vevent

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
