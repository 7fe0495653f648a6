"""Changes of a series: what they touch, and that everything else stays as it is."""

from datetime import UTC, date, datetime, timedelta
from itertools import islice
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.adapters.calendar.series.expanding import expand
from assistant.adapters.calendar.series.single import cancel_occurrence, change_occurrence
from assistant.adapters.calendar.series.splitting import change_following, delete_following
from assistant.adapters.calendar.series.whole import change_all, delete_all
from assistant.domain.calendar.events import When
from assistant.domain.calendar.recurrence import BadRecurrence, Recurrence, made
from assistant.domain.calendar.series import BadSeries, NoSuchOccurrence, Occurrence
from tests.adapters.series.test_expanding import (
    RULES,
    STARTS,
    ZONES,
    fitted,
    lines,
    moment,
    series_of,
)

BERLIN = ZONES[0]
NOW = datetime(2026, 11, 23, 8, tzinfo=UTC)
KEPT = (
    "ORGANIZER;CN=Ann:mailto:ann@a.test",
    "ATTENDEE;CN=Bob;PARTSTAT=ACCEPTED:mailto:bob@b.test",
    'X-ODD;X-P="a,b":x\\,y',
    "DESCRIPTION:one\\ntwo",
)
PLAN = lines(
    "DTSTART;TZID=Europe/Berlin:20260901T090000",
    "DTEND;TZID=Europe/Berlin:20260901T100000",
    "RRULE:FREQ=WEEKLY;UNTIL=20270331T070000Z;BYDAY=TU",
    "EXDATE;TZID=Europe/Berlin:20260908T090000",
    *KEPT,
    *("BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER:-PT10M", "DESCRIPTION:x", "END:VALARM"),
)


def berlin(month: int, day: int, hour: int, year: int = 2026) -> datetime:
    return datetime(year, month, day, hour, tzinfo=BERLIN)


def hours(month: int, day: int, hour: int, lasts: int = 1) -> When:
    return When(start=berlin(month, day, hour), end=berlin(month, day, hour + lasts))


def year(ics: bytes | None, zone: ZoneInfo = BERLIN) -> list[Occurrence]:
    assert ics
    begin, end = datetime(2026, 1, 1, tzinfo=UTC), datetime(2027, 12, 31, tzinfo=UTC)
    return list(expand(ics, begin, end, zone=zone).events)


def starts(ics: bytes | None) -> list[datetime]:
    return [moment(each.when.start).astimezone(UTC) for each in year(ics)]


def test_one_occurrence_moves_and_no_other() -> None:
    before = starts(PLAN)
    done = change_occurrence(
        PLAN, berlin(9, 15, 9), stamp=NOW, zone=BERLIN, when=hours(9, 16, 15), title="Other"
    )
    assert sorted([*starts(done.ics), berlin(9, 15, 9)]) == sorted([*before, berlin(9, 16, 15)])
    assert [each.title for each in year(done.ics) if each.changed] == ["Other"]
    assert done.affected.words == "every Tuesday until 31 March 2027"
    assert (done.affected.count, done.affected.first) == (1, berlin(9, 15, 9))
    # Everything else stands as it stood: the first lines are the very same bytes.
    kept = PLAN.removesuffix(b"END:VCALENDAR\r\n")
    assert done.ics
    assert kept[kept.index(b"BEGIN:VEVENT") :] in done.ics
    assert b"BEGIN:VTIMEZONE\r\nTZID:Europe/Berlin" in done.ics
    again = change_occurrence(done.ics, berlin(9, 15, 9), stamp=NOW, zone=BERLIN, title="Third")
    assert again.ics
    assert again.ics.count(b"BEGIN:VEVENT") == 2
    assert b"SEQUENCE:2" in again.ics


def test_one_occurrence_is_cancelled_and_with_the_last_goes_the_object() -> None:
    done = cancel_occurrence(PLAN, berlin(9, 15, 9), stamp=NOW, zone=BERLIN)
    assert starts(done.ics) == [each for each in starts(PLAN) if each != berlin(9, 15, 9)]
    once = lines("DTSTART:20260901T090000Z", "RRULE:FREQ=DAILY;COUNT=1")
    last = cancel_occurrence(once, datetime(2026, 9, 1, 9, tzinfo=UTC), stamp=NOW, zone=BERLIN)
    assert last.ics is None


def test_an_occurrence_that_is_not_there_cannot_be_changed() -> None:
    for name in (berlin(9, 16, 9), berlin(9, 8, 9), berlin(9, 15, 10), date(2026, 9, 15)):
        with pytest.raises(NoSuchOccurrence):
            change_occurrence(PLAN, name, stamp=NOW, zone=BERLIN, title="x")


def test_all_move_with_what_was_changed_and_removed_in_them() -> None:
    titled = change_occurrence(PLAN, berlin(9, 15, 9), stamp=NOW, zone=BERLIN, title="Own").ics
    assert titled
    moved = change_occurrence(
        titled, berlin(9, 22, 9), stamp=NOW, zone=BERLIN, when=hours(9, 24, 15)
    ).ics
    assert moved
    done = change_all(
        moved, stamp=NOW, zone=BERLIN, when=hours(9, 30, 11, 2), recurrence_id=berlin(9, 29, 9)
    )
    day = timedelta(days=1, hours=2)
    wanted = [berlin(9, 24, 15), *(each.astimezone(BERLIN) + day for each in starts(PLAN))]
    assert starts(done.ics) == sorted(
        each.astimezone(UTC) for each in wanted if each != berlin(9, 23, 11)
    )
    assert [each.title for each in year(done.ics) if each.changed] == ["Own", "Plan"]
    assert done.affected.words == "every Tuesday until 31 March 2027, 30 times"
    assert (done.affected.count, done.affected.lost) == (30, 0)
    assert done.affected.notes == ("1 occurrence that was moved by itself stays where it is",)
    assert done.ics
    for line in KEPT:
        assert line.encode() in done.ics


def test_a_new_rule_keeps_what_still_fits_and_says_what_is_lost() -> None:
    moved = change_occurrence(
        PLAN, berlin(9, 15, 9), stamp=NOW, zone=BERLIN, when=hours(9, 16, 15)
    ).ics
    assert moved
    longer = made(frequency="weekly", weekdays=[{"day": "TU"}], until=date(2027, 6, 30))
    kept = change_all(moved, stamp=NOW, zone=BERLIN, recurrence=longer)
    assert kept.affected.lost == 0
    assert starts(kept.ics)[:30] == starts(moved)[:30]
    other = made(frequency="weekly", interval=4, count=5)
    lost = change_all(moved, stamp=NOW, zone=BERLIN, recurrence=other)
    assert lost.affected.lost == 1
    assert len(starts(lost.ics)) == 5
    with pytest.raises(BadRecurrence):
        change_all(
            *(moved,),
            stamp=NOW,
            zone=BERLIN,
            recurrence=made(frequency="weekly", weekdays=[{"day": "FR"}]),
        )


def test_a_rule_that_cannot_be_moved_to_other_days_is_refused() -> None:
    first_monday = lines("DTSTART:20260907T090000Z", "RRULE:FREQ=MONTHLY;BYDAY=1MO")
    when = When(start=datetime(2026, 9, 8, 9, tzinfo=UTC), end=datetime(2026, 9, 8, 10, tzinfo=UTC))
    with pytest.raises(BadSeries, match="new days"):
        change_all(first_monday, stamp=NOW, zone=BERLIN, when=when)


def test_a_series_is_cut_and_the_new_one_names_the_old() -> None:
    done = change_following(
        PLAN, berlin(10, 27, 9), new_uid="v", stamp=NOW, zone=BERLIN, when=hours(10, 27, 11)
    )
    before = starts(PLAN)
    assert starts(done.old) == [each for each in before if each < berlin(10, 27, 0)]
    later = [each for each in before if each > berlin(10, 27, 0)]
    assert starts(done.new) == [each + timedelta(hours=2) for each in later]
    assert done.new
    assert b"RELATED-TO;RELTYPE=SIBLING:u" in done.new
    assert done.affected.words == "every Tuesday until 31 March 2027, 23 times"
    assert (done.affected.first, done.affected.last) == (
        berlin(10, 27, 9),
        berlin(3, 30, 9, year=2027),
    )


def test_from_the_first_occurrence_on_it_is_the_whole_series() -> None:
    first = berlin(9, 1, 9)
    done = change_following(PLAN, first, new_uid="v", stamp=NOW, zone=BERLIN, title="New")
    assert (done.new, {each.title for each in year(done.old)}) == (None, {"New"})
    gone = delete_following(PLAN, first, stamp=NOW, zone=BERLIN)
    assert (gone.old, gone.new, gone.affected.count) == (None, None, 30)
    assert delete_all(PLAN, zone=BERLIN).affected.count == 30


def test_an_event_that_does_not_repeat_may_begin_to() -> None:
    once = lines("DTSTART;TZID=Europe/Berlin:20260901T090000", "DURATION:PT1H")
    done = change_all(once, stamp=NOW, zone=BERLIN, recurrence=made(frequency="daily", count=3))
    assert len(starts(done.ics)) == 3


def picked(events: list[Occurrence], place: int) -> Occurrence:
    return events[place % len(events)]


@pytest.mark.slow
@given(RULES, STARTS, st.sampled_from(ZONES), st.integers(0, 60), st.integers(-9, 9))
def test_a_cut_leaves_every_occurrence_in_one_of_the_two(
    rule: Recurrence, start: datetime, zone: ZoneInfo, place: int, shift: int
) -> None:
    first = fitted(rule, start.replace(hour=12))
    if first is None:
        return
    ics = series_of(rule, first, zone)
    before = year(ics, zone)
    if not before:
        return
    at = picked(before, place)
    assert at.recurrence_id
    assert isinstance(at.when.start, datetime)
    assert isinstance(at.when.end, datetime)
    hours_ = timedelta(hours=shift)
    when = When(start=at.when.start + hours_, end=at.when.end + hours_)
    done = change_following(ics, at.recurrence_id, new_uid="v", stamp=NOW, zone=zone, when=when)
    ours = [moment(each.when.start).replace(tzinfo=None) for each in before]
    cut = moment(at.when.start).replace(tzinfo=None)
    head = [each for each in ours if each < cut]
    tail = [each + hours_ for each in ours if each >= cut]
    old = [moment(each.when.start).replace(tzinfo=None) for each in year(done.old, zone)]
    if done.new is None:
        assert old == [each + hours_ for each in ours]
        return
    new = [moment(each.when.start).replace(tzinfo=None) for each in year(done.new, zone)]
    assert (old, new) == (head, tail)
    deleted = delete_following(ics, at.recurrence_id, stamp=NOW, zone=zone)
    assert deleted.old == done.old


@pytest.mark.slow
@given(RULES, STARTS, st.sampled_from(ZONES), st.lists(st.integers(0, 60), max_size=4))
def test_what_was_cancelled_is_gone_and_nothing_else(
    rule: Recurrence, start: datetime, zone: ZoneInfo, places: list[int]
) -> None:
    first = fitted(rule, start)
    if first is None:
        return
    ics = series_of(rule, first, zone)
    left = year(ics, zone)
    for place in islice(places, max(len(left) - 1, 0)):
        gone = picked(left, place)
        assert gone.recurrence_id
        done = cancel_occurrence(ics, gone.recurrence_id, stamp=NOW, zone=zone)
        left.remove(gone)
        if done.ics is None:
            assert not left
            return
        ics = done.ics
        assert year(ics, zone) == left
