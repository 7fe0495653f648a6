"""The calendar port: one suite over the fake and Radicale, and what only a real server can do."""

import os
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta, timezone
from pathlib import Path

import pytest

from assistant.adapters.calendar.caldav_calendar import CalDavCalendar
from assistant.domain.calendar.events import TITLE_LIMIT, Event, When
from assistant.domain.errors import (
    AlreadyThere,
    AssistantError,
    BadArguments,
    Busy,
    Denied,
    Misconfigured,
    NotFound,
    Stale,
    Unreachable,
    Unsure,
)
from tests.contract.calendar_benches import (
    BERLIN,
    TOKYO,
    ZONE,
    Bench,
    HandInMemory,
    RealBench,
    days,
    timed,
    vcalendar,
    vevent,
)
from tests.memory_calendar import MemoryCalendar
from tests.servers.meddler import Answer, Forward, Meddler
from tests.servers.radicale import RadicaleServer, free_port

_ALL_IT_HOLDS = (
    "UID:full",
    "SUMMARY:Zahnärztin",
    "DTSTART:20261124T090000Z",
    "DTEND:20261124T100000Z",
    "DESCRIPTION:Bring the x-rays",
    "LOCATION:Main St. 1\\, left",
    "SEQUENCE:4",
    "CATEGORIES:HEALTH,TEETH",
    "X-OWN;X-WHY=because:keep\\, me",
    f"X-LONG:{'long ' * 40}end",
    "BEGIN:VALARM",
    "ACTION:DISPLAY",
    "DESCRIPTION:Go now",
    "TRIGGER:-PT30M",
    "END:VALARM",
)
FULL = vevent(*_ALL_IT_HOLDS)
WITH_PEOPLE = vevent(
    *_ALL_IT_HOLDS,
    "ORGANIZER;CN=Me:mailto:me@example.org",
    "ATTENDEE;PARTSTAT=ACCEPTED;RSVP=TRUE:mailto:ann@example.org",
    "ATTENDEE:mailto:bob@example.org",
)
DENTIST = Event(uid="a1", title="Dentist", when=timed(datetime(2026, 11, 24, 9, tzinfo=BERLIN)))
THAT_DAY = days(date(2026, 11, 24))


def test_what_is_created_can_be_read_again(bench: Bench) -> None:
    etag = bench.calendar.create(DENTIST)
    assert bench.calendar.get("a1") == DENTIST.model_copy(update={"etag": etag})
    assert list(bench.calendar.between(THAT_DAY)) == [bench.calendar.get("a1")]


@pytest.mark.parametrize(
    "title",
    [
        "Zahnärztin für Zoë, 日本語, 🦷👩🏽‍⚕️",
        "one, two; three: four \\ five \"six\" 'seven' %20",
        "first line\nsecond line\n\nfourth",
        "literal \\n and \\, stay",
        "<b>&amp;</b> ]]>",
        "  spaces\tand a tab  ",
        "",
        "x" * TITLE_LIMIT,
    ],
)
def test_a_title_comes_back_as_it_was_given(bench: Bench, title: str) -> None:
    bench.calendar.create(DENTIST.model_copy(update={"title": title}))
    assert bench.calendar.get("a1").title == title
    assert [event.title for event in bench.calendar.between(THAT_DAY)] == [title]


def test_a_title_that_no_answer_could_carry_is_refused(bench: Bench) -> None:
    with pytest.raises(BadArguments):
        bench.calendar.create(DENTIST.model_copy(update={"title": "bell \x07"}))
    assert bench.calendar.between(THAT_DAY) == []


@pytest.mark.parametrize(
    "when",
    [
        timed(datetime(2026, 7, 24, 9, tzinfo=BERLIN)),
        timed(datetime(2026, 7, 24, 9, tzinfo=TOKYO)),
        timed(datetime(2026, 7, 24, 9, tzinfo=UTC)),
        timed(datetime(2026, 7, 24, 9, tzinfo=timezone(timedelta(hours=5, minutes=30)))),
        When(
            start=datetime(2026, 7, 24, 13, tzinfo=BERLIN),
            end=datetime(2026, 7, 25, 9, tzinfo=TOKYO),
        ),
        days(date(2026, 7, 24)),
        days(date(2026, 7, 24), count=14),
    ],
    ids=["owner's zone", "other zone", "utc", "offset", "flight", "day", "fortnight"],
)
def test_a_time_keeps_its_instants_and_its_kind(bench: Bench, when: When) -> None:
    bench.calendar.create(DENTIST.model_copy(update={"when": when}))
    found = bench.calendar.get("a1").when
    assert (found.all_day, found.start, found.end) == (when.all_day, when.start, when.end)


@pytest.mark.parametrize(
    ("start", "end"),
    [
        # Clocks go from 02:00 to 03:00 on 29 March, and from 03:00 back to 02:00 on 25 October.
        (datetime(2026, 3, 29, 1, 30, tzinfo=BERLIN), datetime(2026, 3, 29, 3, 30, tzinfo=BERLIN)),
        (datetime(2026, 10, 25, 1, tzinfo=BERLIN), datetime(2026, 10, 25, 4, tzinfo=BERLIN)),
        (
            datetime(2026, 10, 25, 1, 30, tzinfo=BERLIN),
            datetime(2026, 10, 25, 2, 30, tzinfo=BERLIN, fold=1),
        ),
        (
            datetime(2026, 10, 25, 2, 10, tzinfo=BERLIN, fold=1),
            datetime(2026, 10, 25, 2, 50, tzinfo=BERLIN, fold=1),
        ),
    ],
    ids=["spring", "autumn", "into the second hour", "within the second hour"],
)
def test_an_event_lasts_as_long_when_clocks_change(
    bench: Bench, start: datetime, end: datetime
) -> None:
    bench.calendar.create(DENTIST.model_copy(update={"when": When(start=start, end=end)}))
    found = bench.calendar.get("a1").when
    assert isinstance(found.start, datetime)
    assert isinstance(found.end, datetime)
    assert found.start.astimezone(UTC) == start.astimezone(UTC)
    assert found.end.astimezone(UTC) == end.astimezone(UTC)


@pytest.mark.parametrize(
    ("begins", "ends", "touches"),
    [
        (8, 9, False),
        (8, 9.1, True),
        (9.2, 9.4, True),
        (8, 11, True),
        (9.9, 11, True),
        (10, 11, False),
    ],
)
def test_a_range_holds_what_touches_it(
    bench: Bench, begins: float, ends: float, *, touches: bool
) -> None:
    bench.calendar.create(DENTIST)
    midnight = datetime(2026, 11, 24, tzinfo=BERLIN)
    range_ = When(start=midnight + timedelta(hours=begins), end=midnight + timedelta(hours=ends))
    assert bool(bench.calendar.between(range_)) is touches


def test_a_whole_day_is_the_owners_day(bench: Bench) -> None:
    bench.calendar.create(DENTIST.model_copy(update={"when": THAT_DAY}))
    late = timed(datetime(2026, 11, 24, 23, tzinfo=BERLIN))
    night_after = timed(datetime(2026, 11, 25, 0, tzinfo=BERLIN))
    assert bench.calendar.between(late)
    assert not bench.calendar.between(night_after)


def test_a_range_is_answered_by_start(bench: Bench) -> None:
    for hour in (15, 8, 11):
        start = datetime(2026, 11, 24, hour, tzinfo=BERLIN)
        bench.calendar.create(Event(uid=f"u{hour}", title="x", when=timed(start)))
    bench.calendar.create(Event(uid="day", title="x", when=THAT_DAY))
    found = bench.calendar.between(THAT_DAY)
    assert [event.uid for event in found] == ["day", "u8", "u11", "u15"]


def test_a_series_is_expanded_and_its_clock_time_stays(bench: Bench) -> None:
    standup = Event(
        uid="series", title="Standup", when=timed(datetime(2027, 3, 22, 9, tzinfo=BERLIN))
    )
    bench.owner.repeats_weekly(standup, 4)
    found = bench.calendar.between(days(date(2027, 3, 23), count=14))
    assert [event.when.start for event in found] == [
        datetime(2027, 3, 29, 9, tzinfo=BERLIN),
        datetime(2027, 4, 5, 9, tzinfo=BERLIN),
    ]
    series = bench.calendar.get("series")
    assert series.recurring
    assert all(event.recurring and event.etag == series.etag for event in found)
    assert {event.uid for event in found} == {"series"}


def test_a_series_is_not_changed(bench: Bench) -> None:
    bench.owner.repeats_weekly(DENTIST, 4)
    series = bench.calendar.get("a1")
    with pytest.raises(BadArguments):
        bench.calendar.update(series.model_copy(update={"title": "other"}))
    assert bench.calendar.get("a1") == series


def test_creating_twice_finds_the_first(bench: Bench) -> None:
    bench.calendar.create(DENTIST)
    with pytest.raises(AlreadyThere):
        bench.calendar.create(DENTIST.model_copy(update={"title": "Second"}))
    assert bench.calendar.get("a1").title == "Dentist"


def test_an_update_changes_title_and_time_and_the_etag(bench: Bench) -> None:
    old = bench.calendar.create(DENTIST)
    later = timed(datetime(2027, 6, 1, 10, tzinfo=TOKYO))
    changed = Event(uid="a1", title="Dentist, later", when=later, etag=old)
    new = bench.calendar.update(changed)
    assert new != old
    assert bench.calendar.get("a1") == changed.model_copy(update={"etag": new})
    assert not bench.calendar.between(THAT_DAY)


def test_a_time_can_become_a_day_and_a_day_a_time(bench: Bench) -> None:
    etag = bench.calendar.create(DENTIST)
    etag = bench.calendar.update(DENTIST.model_copy(update={"when": THAT_DAY, "etag": etag}))
    assert bench.calendar.get("a1").when == THAT_DAY
    bench.calendar.update(DENTIST.model_copy(update={"etag": etag}))
    assert bench.calendar.get("a1").when == DENTIST.when


def test_an_update_of_what_the_owner_changed_is_stale(bench: Bench) -> None:
    etag = bench.calendar.create(DENTIST)
    bench.owner.retitles(DENTIST, "The owner's")
    with pytest.raises(Stale):
        bench.calendar.update(DENTIST.model_copy(update={"title": "Mine", "etag": etag}))
    assert bench.calendar.get("a1").title == "The owner's"


def test_a_deletion_of_what_the_owner_changed_is_stale(bench: Bench) -> None:
    etag = bench.calendar.create(DENTIST)
    bench.owner.retitles(DENTIST, "The owner's")
    with pytest.raises(Stale):
        bench.calendar.delete("a1", etag=etag)
    assert bench.calendar.get("a1").title == "The owner's"


@pytest.mark.parametrize("etag", ["", '""', '"made up"'])
def test_a_change_without_the_right_etag_is_stale(bench: Bench, etag: str) -> None:
    bench.calendar.create(DENTIST)
    with pytest.raises(Stale):
        bench.calendar.update(DENTIST.model_copy(update={"etag": etag}))
    with pytest.raises(Stale):
        bench.calendar.delete("a1", etag=etag)


def test_what_is_deleted_is_gone_and_its_uid_is_free(bench: Bench) -> None:
    bench.calendar.delete("a1", etag=bench.calendar.create(DENTIST))
    with pytest.raises(NotFound):
        bench.calendar.get("a1")
    assert bench.calendar.create(DENTIST)


def test_what_is_not_there_is_not_found(bench: Bench) -> None:
    with pytest.raises(NotFound):
        bench.calendar.get("a1")
    with pytest.raises(NotFound):
        bench.calendar.update(DENTIST.model_copy(update={"etag": '"1"'}))
    with pytest.raises(NotFound):
        bench.calendar.delete("a1", etag='"1"')


def test_only_a_whole_uid_is_found(bench: Bench) -> None:
    bench.calendar.create(DENTIST.model_copy(update={"uid": "a1-and-more"}))
    with pytest.raises(NotFound):
        bench.calendar.get("a1")


@pytest.mark.parametrize("uid", ["a/b", "{A B}", "a@b.example", "ä%41"])
def test_a_foreign_uid_can_be_restored(bench: Bench, uid: str) -> None:
    event = DENTIST.model_copy(update={"uid": uid})
    etag = bench.calendar.create(event)
    assert bench.calendar.get(uid).etag == etag
    with pytest.raises(AlreadyThere):
        bench.calendar.create(event)


# Putting back


def lines_of(ics: bytes) -> list[str]:
    """The lines of an object, unfolded (RFC 5545, 3.1); sorted, as servers order them anew."""
    return sorted(ics.decode().replace("\r\n ", "").splitlines())


def seen_of(event: Event) -> Event:
    """All but the etag, which a server may choose anew."""
    return event.model_copy(update={"etag": ""})


def test_what_is_there_can_be_had_whole(bench: Bench) -> None:
    bench.owner.puts_whole("full", FULL)
    raw = bench.calendar.raw("full")
    assert lines_of(raw) == lines_of(FULL.encode())
    assert raw.count(b"\n") == raw.count(b"\r\n") > 0
    assert bench.calendar.raw("full") == raw
    with pytest.raises(NotFound):
        bench.calendar.raw("a1")


def test_what_was_deleted_is_put_back_with_all_it_held(bench: Bench) -> None:
    bench.owner.puts_whole("full", FULL)
    was, raw = bench.calendar.get("full"), bench.calendar.raw("full")
    bench.calendar.delete("full", etag=was.etag)
    etag = bench.calendar.restore("full", raw, etag="")
    assert bench.calendar.raw("full") == raw
    assert bench.calendar.get("full") == was.model_copy(update={"etag": etag})
    assert [seen_of(event) for event in bench.calendar.between(was.when)] == [seen_of(was)]


def test_what_was_changed_is_put_back_with_all_it_held(bench: Bench) -> None:
    bench.owner.puts_whole("full", FULL)
    was, raw = bench.calendar.get("full"), bench.calendar.raw("full")
    later = timed(datetime(2027, 6, 1, 10, tzinfo=TOKYO))
    changed = was.model_copy(update={"title": "Other", "when": later})
    now = bench.calendar.update(changed)
    assert {"SUMMARY:Other", "DESCRIPTION:Bring the x-rays", "SEQUENCE:5"} <= {
        *lines_of(bench.calendar.raw("full"))
    }
    etag = bench.calendar.restore("full", raw, etag=now)
    assert etag != now
    assert bench.calendar.raw("full") == raw
    assert bench.calendar.get("full") == was.model_copy(update={"etag": etag})
    assert not bench.calendar.between(later)


def test_what_was_created_here_is_put_back_too(bench: Bench) -> None:
    first = bench.calendar.create(DENTIST)
    raw = bench.calendar.raw("a1")
    now = bench.calendar.update(DENTIST.model_copy(update={"title": "y", "etag": first}))
    etag = bench.calendar.restore("a1", raw, etag=now)
    assert bench.calendar.get("a1") == DENTIST.model_copy(update={"etag": etag})
    assert bench.calendar.raw("a1") == raw


def test_a_series_is_put_back_whole(bench: Bench) -> None:
    bench.owner.repeats_weekly(DENTIST, 4)
    raw, month = bench.calendar.raw("a1"), days(date(2026, 11, 20), count=40)
    was = bench.calendar.between(month)
    assert len(was) == 4
    bench.calendar.delete("a1", etag=was[0].etag)
    etag = bench.calendar.restore("a1", raw, etag="")
    found = bench.calendar.between(month)
    assert [event.when for event in found] == [event.when for event in was]
    assert all(event.recurring and event.etag == etag for event in found)


def test_nothing_is_put_back_over_what_is_there(bench: Bench) -> None:
    bench.calendar.create(DENTIST)
    raw = bench.calendar.raw("a1")
    bench.owner.retitles(DENTIST, "The owner's")
    with pytest.raises(AlreadyThere):
        bench.calendar.restore("a1", raw, etag="")
    assert bench.calendar.get("a1").title == "The owner's"


@pytest.mark.parametrize("etag", [None, '""', '"made up"'])
def test_nothing_is_put_back_over_what_has_changed(bench: Bench, etag: str | None) -> None:
    first = bench.calendar.create(DENTIST)
    raw = bench.calendar.raw("a1")
    bench.owner.retitles(DENTIST, "The owner's")
    with pytest.raises(Stale):
        bench.calendar.restore("a1", raw, etag=first if etag is None else etag)
    assert bench.calendar.get("a1").title == "The owner's"


def test_nothing_takes_the_place_of_what_is_gone(bench: Bench) -> None:
    etag = bench.calendar.create(DENTIST)
    raw = bench.calendar.raw("a1")
    bench.calendar.delete("a1", etag=etag)
    with pytest.raises(NotFound):
        bench.calendar.restore("a1", raw, etag=etag)
    assert not bench.calendar.between(THAT_DAY)


@pytest.mark.parametrize(
    "spoil",
    [
        lambda ics: ics.replace(b"UID:full", b"UID:other"),
        lambda ics: ics.replace(b"UID:full\r\n", b""),
        lambda ics: ics.replace(b"UID:full", b"UID:full\r\nUID:other"),
        lambda ics: ics.replace(b"VERSION:2.0", b"VERSION:2.0\r\nMETHOD:REQUEST"),
        lambda ics: ics.replace(b"VERSION:2.0", b"VERSION:2.0\r\nmethod:CANCEL"),
        lambda ics: ics.replace(b"SEQUENCE:4", b"SEQUENCE:4\r\nMETHOD:REQUEST"),
        lambda ics: ics.replace(b"VEVENT", b"VTODO"),
        lambda ics: ics[ics.index(b"BEGIN:VEVENT") : ics.index(b"END:VCALENDAR")],
        lambda ics: ics + ics,
        lambda ics: ics + b"and so on",
        lambda ics: ics[:200],
        lambda ics: ics.replace("Zahnärztin".encode(), "Zahnärztin".encode("latin-1")),
        lambda ics: ics.replace(b"x-rays", b"x\x07rays"),
        lambda _: b"",
    ],
    ids=[
        "another uid",
        "no uid",
        "two uids",
        "a request",
        "a cancellation",
        "a method inside",
        "a task",
        "no calendar around it",
        "two calendars",
        "more than a calendar",
        "a part",
        "another charset",
        "control characters",
        "nothing",
    ],
)
def test_only_the_event_itself_is_put(bench: Bench, spoil: Callable[[bytes], bytes]) -> None:
    ics = FULL.encode()
    assert spoil(ics) != ics
    with pytest.raises(BadArguments):
        bench.calendar.restore("full", spoil(ics), etag="")
    with pytest.raises(NotFound):
        bench.calendar.get("full")
    assert bench.calendar.restore("full", ics, etag="")


def test_people_stay_in_what_is_put_back_where_nobody_writes_to_them(bench: Bench) -> None:
    if bench.mails:
        with pytest.raises(Denied, match="the calendar server might write to them"):
            bench.calendar.restore("full", WITH_PEOPLE.encode(), etag="")
        with pytest.raises(NotFound):
            bench.calendar.get("full")
        return
    bench.calendar.restore("full", WITH_PEOPLE.encode(), etag="")
    assert lines_of(bench.calendar.raw("full")) == lines_of(WITH_PEOPLE.encode())


SERIES_WITH_PEOPLE = vevent(
    "UID:rounds",
    "SUMMARY:Rounds",
    "DTSTART:20261124T090000Z",
    "DTEND:20261124T100000Z",
    "RRULE:FREQ=WEEKLY;COUNT=3",
    "ATTENDEE:mailto:ann@example.org",
)


def test_an_event_with_people_is_not_changed_where_the_server_would_write_to_them(
    bench: Bench,
) -> None:
    bench.owner.puts_whole("full", WITH_PEOPLE)
    event = bench.calendar.get("full")
    before = bench.calendar.raw("full")
    other = event.model_copy(update={"title": "Other"})
    if bench.mails:
        with pytest.raises(Denied, match="change it in your own calendar program"):
            bench.calendar.refuse_to_mail("full")
        with pytest.raises(Denied, match="change it in your own calendar program"):
            bench.calendar.update(other)
        with pytest.raises(Denied, match="change it in your own calendar program"):
            bench.calendar.delete("full", etag=event.etag)
        assert bench.calendar.raw("full") == before
        return
    bench.calendar.refuse_to_mail("full")
    bench.calendar.delete("full", etag=bench.calendar.update(other))


def test_a_series_with_people_is_not_deleted_where_the_server_would_write_to_them(
    bench: Bench,
) -> None:
    bench.owner.puts_whole("rounds", SERIES_WITH_PEOPLE)
    etag = bench.calendar.get("rounds").etag
    if bench.mails:
        with pytest.raises(Denied, match="might write to them"):
            bench.calendar.delete("rounds", etag=etag)
        assert bench.calendar.get("rounds").etag == etag
        return
    bench.calendar.delete("rounds", etag=etag)


def test_an_event_without_people_is_changed_on_any_server(bench: Bench) -> None:
    etag = bench.calendar.create(DENTIST)
    bench.calendar.refuse_to_mail("a1")
    etag = bench.calendar.update(DENTIST.model_copy(update={"title": "Other", "etag": etag}))
    bench.calendar.delete("a1", etag=etag)
    with pytest.raises(NotFound):
        bench.calendar.refuse_to_mail("a1")


def test_people_who_were_added_since_are_not_taken_away_by_what_is_put_back(bench: Bench) -> None:
    bench.owner.puts_whole("full", WITH_PEOPLE)
    etag = bench.calendar.get("full").etag
    if bench.mails:
        with pytest.raises(Denied, match="put it back in your own calendar program"):
            bench.calendar.restore("full", FULL.encode(), etag=etag)
        assert bench.calendar.get("full").etag == etag
        return
    bench.calendar.restore("full", FULL.encode(), etag=etag)


def test_the_address_is_steady_and_holds_no_secret(bench: Bench) -> None:
    bench.calendar.check()
    assert bench.calendar.address() == bench.calendar.address()
    assert bench.calendar.address().endswith(" as owner")


def test_a_fake_fails_before_or_after_the_change() -> None:
    calendar = MemoryCalendar()
    calendar.fail_next(Unreachable())
    with pytest.raises(Unreachable):
        calendar.create(DENTIST)
    assert calendar.writes == 0
    calendar.fail_next(Unsure(), happened=True)
    with pytest.raises(Unsure):
        calendar.create(DENTIST)
    assert calendar.writes == 1
    calendar.delete("a1", etag=calendar.get("a1").etag)
    assert calendar.writes == 2


def test_a_fake_that_writes_to_people_does_nothing_to_what_has_some() -> None:
    calendar = MemoryCalendar(zone=ZONE, mails=True)
    bench = Bench(calendar, HandInMemory(calendar), mails=True)
    test_an_event_with_people_is_not_changed_where_the_server_would_write_to_them(bench)
    test_a_series_with_people_is_not_deleted_where_the_server_would_write_to_them(bench)
    calendar.remove("full")
    test_people_who_were_added_since_are_not_taken_away_by_what_is_put_back(bench)
    assert calendar.writes == 0
    calendar.remove("full")
    with pytest.raises(Denied):
        calendar.restore("full", WITH_PEOPLE.encode(), etag="")
    assert calendar.restore("full", FULL.encode(), etag="")
    assert calendar.writes == 1


# What the owner's own programs wrote


def test_what_is_had_whole_is_what_the_server_sends(real: RealBench) -> None:
    real.owner.puts_whole("full", WITH_PEOPLE)
    assert real.calendar.raw("full") == real.owner.fetches("full")


def test_what_the_owner_kept_under_another_name_is_put_back_over_itself(real: RealBench) -> None:
    real.owner.puts_at("elsewhere.ics", FULL)
    raw = real.calendar.raw("full")
    now = real.calendar.update(real.calendar.get("full").model_copy(update={"title": "Other"}))
    real.calendar.restore("full", raw, etag=now)
    assert real.owner.fetches("full") == raw
    assert [event.uid for event in real.calendar.between(THAT_DAY)] == ["full"]


def test_an_update_keeps_everything_else_the_owner_wrote(real: RealBench) -> None:
    kept = [
        "DESCRIPTION:Bring the\\, papers\\; all of them",
        "LOCATION:Hauptstraße 1",
        'ATTENDEE;CN="Doe, Jane";PARTSTAT=ACCEPTED:mailto:jane@example.org',
        "ATTENDEE:mailto:joe@example.org",
        "ORGANIZER:mailto:owner@example.org",
        "X-APPLE-TRAVEL-DURATION;VALUE=DURATION:PT30M",
        "CATEGORIES:health,teeth",
    ]
    alarm = ["BEGIN:VALARM", "ACTION:DISPLAY", "DESCRIPTION:Go", "TRIGGER:-PT45M", "END:VALARM"]
    real.owner.puts(
        "SUMMARY:Dentist",
        "DTSTART:20261124T090000Z",
        "DURATION:PT1H",
        "SEQUENCE:4",
        *kept,
        *alarm,
    )
    event = real.calendar.get("owners")
    later = timed(datetime(2026, 12, 1, 9, tzinfo=BERLIN))
    real.calendar.update(event.model_copy(update={"title": "Later", "when": later}))

    stored = real.owner.holds("owners").to_ical().decode().replace("\r\n ", "").split("\r\n")
    assert set(stored) >= {*kept, *alarm, "SUMMARY:Later", "SEQUENCE:5"}
    assert f"DTSTART;TZID={ZONE}:20261201T090000" in stored
    assert f"DTEND;TZID={ZONE}:20261201T100000" in stored
    assert not any(line.startswith("DURATION") for line in stored)
    assert any(line.startswith("LAST-MODIFIED:") for line in stored)


def test_a_new_title_leaves_the_time_as_it_was_written(real: RealBench) -> None:
    real.owner.puts("SUMMARY:x", "DTSTART:20261124T090000", "DURATION:PT1H")
    event = real.calendar.get("owners")
    real.calendar.update(event.model_copy(update={"title": "y"}))
    stored = real.owner.holds("owners").to_ical().decode()
    assert "DTSTART:20261124T090000\r\n" in stored
    assert "DURATION:PT1H\r\n" in stored


def test_a_new_time_leaves_a_title_that_is_too_long_to_show(real: RealBench) -> None:
    title = "long " * 199 + "long"
    real.owner.puts(f"SUMMARY:{title}", "DTSTART:20261124T090000Z", "DTEND:20261124T100000Z")
    event = real.calendar.get("owners")
    assert len(event.title) == TITLE_LIMIT
    assert event.title.endswith("…")
    real.calendar.update(event.model_copy(update={"when": THAT_DAY}))
    (part,) = real.owner.holds("owners").walk("VEVENT")
    assert str(part["SUMMARY"]) == title


@pytest.mark.parametrize(
    ("lines", "when"),
    [
        (["DTSTART;VALUE=DATE:20261124"], THAT_DAY),
        (["DTSTART;VALUE=DATE:20261124", "DTEND;VALUE=DATE:20261124"], THAT_DAY),
        (["DTSTART;VALUE=DATE:20261124", "DURATION:P2D"], days(date(2026, 11, 24), count=2)),
        (
            [f"DTSTART;TZID={ZONE}:20261124T090000", "DURATION:PT1H30M"],
            timed(datetime(2026, 11, 24, 9, tzinfo=BERLIN), hours=1.5),
        ),
        (
            ["DTSTART:20261124T090000Z"],
            timed(datetime(2026, 11, 24, 9, tzinfo=UTC), hours=1 / 60),
        ),
        (
            ["DTSTART:20261124T090000", "DTEND:20261124T100000"],
            timed(datetime(2026, 11, 24, 9, tzinfo=BERLIN)),
        ),
    ],
    ids=["day", "day ending on itself", "days", "duration", "instant", "floating"],
)
def test_a_time_may_be_written_in_many_ways(
    real: RealBench, lines: Sequence[str], when: When
) -> None:
    real.owner.puts(*lines)
    (event,) = real.calendar.between(THAT_DAY)
    assert event.when == when
    assert event == real.calendar.get("owners")


def test_what_the_owner_cancelled_is_not_in_the_range(real: RealBench) -> None:
    real.owner.puts("STATUS:CANCELLED", "DTSTART:20261124T090000Z", "DTEND:20261124T100000Z")
    assert real.calendar.between(THAT_DAY) == []


def test_occurrences_moved_renamed_or_left_out_are_where_the_owner_put_them(
    real: RealBench,
) -> None:
    def part(*lines: str) -> Sequence[str]:
        head = ("BEGIN:VEVENT", "UID:owners", "DTSTAMP:20260101T000000Z")
        return (*head, *lines, "END:VEVENT")

    real.owner.puts_object(
        vcalendar(
            *part(
                "SUMMARY:Run",
                "DTSTART:20261101T070000Z",
                "DTEND:20261101T080000Z",
                "RRULE:FREQ=DAILY;COUNT=30",
                "EXDATE:20261123T070000Z",
            ),
            *part(
                "SUMMARY:Swim",
                "RECURRENCE-ID:20261124T070000Z",
                "DTSTART:20261124T170000Z",
                "DTEND:20261124T180000Z",
            ),
            *part(
                "STATUS:CANCELLED",
                "RECURRENCE-ID:20261125T070000Z",
                "DTSTART:20261125T070000Z",
                "DTEND:20261125T080000Z",
            ),
        )
    )
    found = real.calendar.between(days(date(2026, 11, 22), count=5))
    assert [(event.title, event.when.start) for event in found] == [
        ("Run", datetime(2026, 11, 22, 7, tzinfo=UTC)),
        ("Swim", datetime(2026, 11, 24, 17, tzinfo=UTC)),
        ("Run", datetime(2026, 11, 26, 7, tzinfo=UTC)),
    ]
    assert real.calendar.get("owners").title == "Run"


@pytest.mark.parametrize(
    "lines",
    [
        ["DTSTART:20261124T080000Z", "DTEND:20261124T070000Z"],
        ["DTSTART:20251124T080000Z", "DTEND:20271124T070000Z"],
        ["DTSTART:20261124T080000Z", "DTEND:20261124T070000Z", "RRULE:FREQ=DAILY"],
    ],
    ids=["ends before it begins", "lasts for years", "a series that ends before it begins"],
)
def test_what_cannot_be_read_hides_nothing_else(
    real: RealBench, caplog: pytest.LogCaptureFixture, lines: Sequence[str]
) -> None:
    real.owner.puts(*lines)
    real.calendar.create(DENTIST)
    assert [event.uid for event in real.calendar.between(THAT_DAY)] == ["a1"]
    assert "skipped a calendar object" in caplog.text


def test_garbage_from_the_server_hides_nothing_else(
    meddled: RealBench, meddler: Meddler, caplog: pytest.LogCaptureFixture
) -> None:
    def garble(forward: Forward) -> Answer:
        answer = forward()
        return Answer(
            answer.status, answer.headers, answer.body.replace(b"20260103T", b"when it rains, ")
        )

    meddled.owner.puts("DTSTART:20260103T080000Z", "RRULE:FREQ=DAILY")
    meddled.calendar.create(DENTIST)
    meddler.meddle["REPORT"] = garble
    assert [event.uid for event in meddled.calendar.between(THAT_DAY)] == ["a1"]
    assert "skipped a calendar object" in caplog.text


def test_a_zone_is_named_and_defined_for_the_days_of_the_event(real: RealBench) -> None:
    etag = real.calendar.create(DENTIST)
    summer = timed(datetime(2028, 7, 1, 9, tzinfo=BERLIN))
    real.calendar.update(DENTIST.model_copy(update={"when": summer, "etag": etag}))
    calendar = real.owner.holds("a1")
    (part,) = calendar.walk("VEVENT")
    assert part["DTSTART"].params["TZID"] == ZONE
    (definition,) = calendar.timezones
    by_definition = definition.to_tz(lookup_tzid=False)
    assert datetime(2028, 7, 1, 9, tzinfo=by_definition).utcoffset() == timedelta(hours=2)
    assert datetime(2028, 1, 1, 9, tzinfo=by_definition).utcoffset() == timedelta(hours=1)


def test_a_uid_under_another_name_is_taken_too(real: RealBench) -> None:
    real.owner.puts_at("elsewhere.ics", vevent("UID:owners", "DTSTART:20261124T090000Z"))
    for provider in ("radicale", ""):
        calendar = CalDavCalendar(**{**real.settings, "provider": provider})
        with pytest.raises(AlreadyThere):
            calendar.create(DENTIST.model_copy(update={"uid": "owners"}))


# Getting there


def test_a_wrong_password_is_misconfigured(real: RealBench) -> None:
    calendar = CalDavCalendar(**{**real.settings, "password": "guess"})
    for use in (calendar.check, calendar.address, lambda: calendar.create(DENTIST)):
        with pytest.raises(Misconfigured) as refusal:
            use()
        assert "guess" not in str(refusal.value)


def test_a_server_that_is_down_is_unreachable(real: RealBench) -> None:
    url = f"http://127.0.0.1:{free_port()}/"
    calendar = CalDavCalendar(**{**real.settings, "url": url})
    for use in (calendar.check, lambda: calendar.get("a1"), lambda: calendar.create(DENTIST)):
        with pytest.raises(Unreachable):
            use()


def test_a_server_that_stopped_is_unreachable_and_found_again(
    tmp_path: Path, real: RealBench
) -> None:
    with RadicaleServer(tmp_path) as server:
        files = server.files
        settings = {**real.settings, "password": files.password, "calendar": ""}
        calendar = CalDavCalendar(**{**settings, "url": files.url})
        calendar.create(DENTIST)
        address = calendar.address()
    for use in (lambda: calendar.get("a1"), lambda: calendar.delete("a1", etag='"1"')):
        with pytest.raises(Unreachable):
            use()
    with RadicaleServer(tmp_path) as server:
        again = CalDavCalendar(**{**settings, "url": server.files.url})
        assert again.get("a1").title == "Dentist"
        assert again.address() == address


def test_an_unnamed_calendar_among_several_is_misconfigured_and_lists_them(
    real: RealBench,
) -> None:
    for name in ("", "Nowhere"):
        calendar = CalDavCalendar(**{**real.settings, "calendar": name})
        with pytest.raises(Misconfigured, match="Assistant") as problem:
            calendar.check()
        assert real.settings["calendar"] in str(problem.value)


def test_plain_http_is_spoken_to_this_machine_alone(real: RealBench) -> None:
    local = CalDavCalendar(**{**real.settings, "require_tls": True})
    remote = CalDavCalendar(**{**real.settings, "url": "http://192.0.2.1/"})
    for calendar in (local, remote):
        with pytest.raises(Misconfigured, match="https"):
            calendar.check()


def test_a_password_does_not_follow_a_server_elsewhere(
    meddled: RealBench, meddler: Meddler
) -> None:
    def elsewhere(_: Forward) -> Answer:
        return Answer(301, {"Location": "http://192.0.2.1/"})

    meddler.meddle["PROPFIND"] = elsewhere
    with pytest.raises(Misconfigured, match="https"):
        meddled.calendar.check()


@pytest.mark.parametrize(
    "settings",
    [{"url": "http://127.0.0.1:notaport/"}, {"url": "nonsense:"}, {"provider": "unheard-of"}],
)
def test_settings_that_make_no_sense_are_misconfigured(
    real: RealBench, settings: Mapping[str, str]
) -> None:
    with pytest.raises(Misconfigured):
        CalDavCalendar(**{**real.settings, **settings}).check()


def test_a_zone_that_does_not_exist_is_misconfigured(real: RealBench) -> None:
    with pytest.raises(Misconfigured):
        CalDavCalendar(**{**real.settings, "zone": "Europe/Nowhere"})


def test_a_forked_child_looks_for_itself(meddled: RealBench, meddler: Meddler) -> None:
    meddled.calendar.create(DENTIST)
    meddler.seen.clear()
    child = os.fork()
    if not child:
        try:
            meddled.calendar.get("a1")
        except BaseException:  # noqa: BLE001  # a child of a test must not go on with the suite
            os._exit(1)
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    assert [method for method, _ in meddler.seen].count("PROPFIND") >= 1
    assert meddled.calendar.get("a1").title == "Dentist"


# Not knowing


@pytest.mark.slow
@pytest.mark.parametrize("happened", [True, False])
def test_a_creation_without_an_answer_is_unsure(
    meddled: RealBench, meddler: Meddler, *, happened: bool
) -> None:
    meddled.calendar.check()
    meddler.meddle["PUT"] = meddler.hang if happened else meddler.swallow
    with pytest.raises(Unsure):
        meddled.calendar.create(DENTIST)
    assert bool(meddled.calendar.between(THAT_DAY)) is happened


@pytest.mark.slow
def test_a_change_without_an_answer_is_unsure(meddled: RealBench, meddler: Meddler) -> None:
    etag = meddled.calendar.create(DENTIST)
    meddler.meddle["PUT"] = meddler.meddle["DELETE"] = meddler.hang
    with pytest.raises(Unsure):
        meddled.calendar.update(DENTIST.model_copy(update={"title": "y", "etag": etag}))
    changed = meddled.calendar.get("a1")
    assert changed.title == "y"
    with pytest.raises(Unsure):
        meddled.calendar.delete("a1", etag=changed.etag)


@pytest.mark.slow
def test_a_look_without_an_answer_is_unreachable_even_before_a_change(
    meddled: RealBench, meddler: Meddler
) -> None:
    etag = meddled.calendar.create(DENTIST)
    meddler.meddle["REPORT"] = meddler.swallow
    with pytest.raises(Unreachable):
        meddled.calendar.between(THAT_DAY)
    with pytest.raises(Unreachable):
        meddled.calendar.delete("a1", etag=etag)


@pytest.mark.parametrize(
    ("status", "looking", "writing"),
    [
        (401, Misconfigured, Misconfigured),
        (403, Misconfigured, Misconfigured),
        (404, Misconfigured, Misconfigured),
        (415, Misconfigured, BadArguments),
        (429, Busy, Busy),
        (500, Unreachable, Unsure),
        (502, Unreachable, Unsure),
        (503, Busy, Busy),
    ],
)
def test_a_status_is_understood(
    meddled: RealBench,
    meddler: Meddler,
    status: int,
    looking: type[AssistantError],
    writing: type[AssistantError],
) -> None:
    meddled.calendar.check()
    meddler.meddle["REPORT"] = meddler.meddle["PUT"] = lambda _: Answer(status)
    with pytest.raises(looking):
        meddled.calendar.between(THAT_DAY)
    with pytest.raises(writing):
        meddled.calendar.create(DENTIST)
    meddler.meddle.clear()
    assert meddled.calendar.create(DENTIST)


def test_a_changed_object_is_stale_at_the_last_moment_too(
    meddled: RealBench, meddler: Meddler
) -> None:
    etag = meddled.calendar.create(DENTIST)

    def interrupt(forward: Forward) -> Answer:
        meddler.meddle.clear()
        meddled.owner.retitles(DENTIST, "The owner's")
        return forward()

    meddler.meddle["PUT"] = interrupt
    with pytest.raises(Stale):
        meddled.calendar.update(DENTIST.model_copy(update={"title": "Mine", "etag": etag}))
    meddled.owner.retitles(DENTIST, "The owner's, for now")
    meddler.meddle["DELETE"] = interrupt
    with pytest.raises(Stale):
        meddled.calendar.delete("a1", etag=meddled.calendar.get("a1").etag)
    assert meddled.calendar.get("a1").title == "The owner's"


def test_a_redirected_change_did_not_happen(meddled: RealBench, meddler: Meddler) -> None:
    meddled.calendar.check()
    meddler.meddle["PUT"] = lambda _: Answer(302, {"Location": "/"})
    with pytest.raises(Unreachable):
        meddled.calendar.create(DENTIST)
    assert meddled.calendar.between(THAT_DAY) == []


@pytest.mark.parametrize("etag", [None, 'W/"weak"'])
def test_an_etag_left_out_of_the_answer_is_fetched(
    meddled: RealBench, meddler: Meddler, etag: str | None
) -> None:
    def forget(forward: Forward) -> Answer:
        answer = forward()
        kept = {name: value for name, value in answer.headers.items() if name != "ETag"}
        return Answer(answer.status, kept | ({"ETag": etag} if etag else {}), answer.body)

    meddler.meddle["PUT"] = forget
    assert meddled.calendar.create(DENTIST) == meddled.calendar.get("a1").etag


def test_a_written_event_whose_etag_cannot_be_fetched_is_unsure(
    meddled: RealBench, meddler: Meddler
) -> None:
    meddled.calendar.check()

    def forget(forward: Forward) -> Answer:
        answer = forward()
        meddler.meddle["REPORT"] = lambda _: Answer(500)
        return Answer(answer.status)

    meddler.meddle["PUT"] = forget
    with pytest.raises(Unsure):
        meddled.calendar.create(DENTIST)


@pytest.mark.parametrize("happened", [True, False])
def test_a_restoration_without_an_answer_is_unsure(
    meddled: RealBench, meddler: Meddler, *, happened: bool
) -> None:
    meddled.calendar.check()
    meddler.meddle["PUT"] = meddler.hang if happened else meddler.swallow
    with pytest.raises(Unsure):
        meddled.calendar.restore("full", FULL.encode(), etag="")
    assert bool(meddled.calendar.between(THAT_DAY)) is happened


def test_what_changed_at_the_last_moment_is_not_put_over(
    meddled: RealBench, meddler: Meddler
) -> None:
    etag = meddled.calendar.create(DENTIST)
    raw = meddled.calendar.raw("a1")

    def interrupt(forward: Forward) -> Answer:
        meddler.meddle.clear()
        meddled.owner.retitles(DENTIST, "The owner's")
        return forward()

    meddler.meddle["PUT"] = interrupt
    with pytest.raises(Stale):
        meddled.calendar.restore("a1", raw, etag=etag)
    assert meddled.calendar.get("a1").title == "The owner's"


@pytest.mark.parametrize(
    ("answer", "refusal"),
    [
        (Answer(200, {"DAV": "1, calendar-access, calendar-auto-schedule"}), Denied),
        (Answer(200, {"DAV": "1, 3, Calendar-Auto-Schedule, Calendar-Access"}), Denied),
        (Answer(200, {"DAV": "1, 2"}), Denied),
        (Answer(200), Denied),
        (Answer(405), Misconfigured),
        (Answer(500), Unreachable),
    ],
)
def test_people_are_not_put_where_the_server_would_or_might_write_to_them(
    meddled: RealBench, meddler: Meddler, answer: Answer, refusal: type[AssistantError]
) -> None:
    etag = meddled.calendar.create(DENTIST)
    meddler.meddle["OPTIONS"] = lambda _: answer
    meddler.seen.clear()
    with pytest.raises(refusal):
        meddled.calendar.restore("full", WITH_PEOPLE.encode(), etag="")
    over = WITH_PEOPLE.replace("UID:full", "UID:a1").encode()
    with pytest.raises(refusal):
        meddled.calendar.restore("a1", over, etag=etag)
    assert "PUT" not in {method for method, _ in meddler.seen}
    assert meddled.calendar.restore("full", FULL.encode(), etag="")


@pytest.mark.slow
def test_every_change_names_the_version_it_is_about(meddled: RealBench, meddler: Meddler) -> None:
    first = meddled.calendar.create(DENTIST)
    raw = meddled.calendar.raw("a1")
    second = meddled.calendar.update(DENTIST.model_copy(update={"title": "y", "etag": first}))
    third = meddled.calendar.restore("a1", raw, etag=second)
    meddled.calendar.delete("a1", etag=third)
    meddled.calendar.restore("a1", raw, etag="")
    conditions = [
        (method, headers.get("If-None-Match"), headers.get("If-Match"))
        for method, headers in meddler.seen
        if method in ("PUT", "DELETE")
    ]
    assert conditions == [
        ("PUT", "*", None),
        ("PUT", None, first),
        ("PUT", None, second),
        ("DELETE", None, third),
        ("PUT", "*", None),
    ]
