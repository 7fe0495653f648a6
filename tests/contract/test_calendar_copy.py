"""The copy of the calendar: kept true by what the server can, on each database."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.adapters.calendar.copying.stripping import stripped
from assistant.adapters.calendar.copying.times import times_of
from assistant.adapters.calendar.expansion import expand_here
from assistant.domain.calendar.copies.changes import SyncKind
from assistant.domain.calendar.copies.copied import KeptEvents, as_of
from assistant.domain.calendar.events import Event, When
from assistant.domain.calendar.series import Expanded
from assistant.domain.calendar.times import EventTimes
from assistant.domain.errors import (
    DATABASE,
    AssistantError,
    Conflict,
    Misconfigured,
    NotFound,
    Outage,
    Unreachable,
)
from assistant.flows.calendar.copied_calendar import CopiedCalendar
from assistant.flows.calendar.keeping import CopyKeeper
from tests.bed import START, Bed, race
from tests.changing_calendar import ChangingCalendar
from tests.contract.calendar_benches import RealBench
from tests.stores import Fresh

ZONE = "Europe/Berlin"
BERLIN = ZoneInfo(ZONE)
NEXT = START + timedelta(days=1)
HOUR = timedelta(hours=1)
WEEK = When(start=START, end=START + timedelta(days=7))


def listed(objects: Sequence[bytes], start: datetime, end: datetime) -> Sequence[Expanded]:
    return times_of(objects, start, end, zone=ZoneInfo(ZONE), expand=expand_here)


def keeper_of(bed: Bed, calendar: Any, *, source: str = "here", zone: str = ZONE) -> CopyKeeper:
    return CopyKeeper(
        server=calendar,
        store=bed.store,
        clock=bed.clock,
        expand=listed,
        source=lambda: source,
        zone=zone,
        monotonic=bed.clock.monotonic,
    )


class House:
    """A calendar, its copy, and a calendar that answers from it."""

    def __init__(self, bed: Bed, server: Any | None = None) -> None:
        self.bed = bed
        self.server: Any = server or ChangingCalendar(zone=ZONE)
        self.keeper = keeper_of(bed, self.server)
        self.calendar = CopiedCalendar(
            keeper=self.keeper,
            cause=lambda: bed.me,
            timeout=10.0,
            sleep=lambda seconds: bed.clock.passes(seconds=seconds),
        )

    def sync(self) -> bool:
        return self.keeper.sync(self.bed.me)

    def titles(self, when: When = WEEK) -> list[str]:
        return [event.title for event in self.calendar.between(when)]

    def copied(self, when: When = WEEK) -> list[str]:
        """What the copy has, however old it is."""
        return [event.title for event in self.events(when)]

    def events(self, when: When = WEEK) -> Sequence[Event]:
        copy = self.bed.look(lambda tx: tx.calendar_copy())
        assert copy is not None
        start, end = (
            moment
            if isinstance(moment, datetime)
            else datetime(moment.year, moment.month, moment.day, tzinfo=BERLIN)
            for moment in (when.start, when.end)
        )
        return self.bed.look(lambda tx: tx.copied_events(copy, start, end))


@pytest.fixture
def house(bed: Bed) -> House:
    return House(bed)


def event(uid: str, *, title: str = "", at: datetime = NEXT, lasts: timedelta = HOUR) -> Event:
    return Event(uid=uid, title=title or uid, when=When(start=at, end=at + lasts))


def object_of(uid: str, *lines: str) -> bytes:
    head = ("BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:test", "BEGIN:VEVENT", f"UID:{uid}")
    tail = ("DTSTAMP:20261101T000000Z", "END:VEVENT", "END:VCALENDAR", "")
    return "\r\n".join((*head, *lines, *tail)).encode()


WEEKLY = (
    "DTSTART:20261102T090000Z",
    "DTEND:20261102T100000Z",
    "RRULE:FREQ=WEEKLY",
    "SUMMARY:Standup",
)


# From the copy


def test_a_read_is_answered_from_a_fresh_copy_without_asking(house: House) -> None:
    house.server.put(event("Dentist"))
    house.sync()
    house.server.away = Unreachable("gone")
    assert house.titles() == ["Dentist"]
    assert not isinstance(house.calendar.between(WEEK), KeptEvents)


def test_an_event_comes_back_as_the_calendar_has_it(house: House) -> None:
    put = [
        event("Dentist"),
        Event(
            uid="Trip", title="Trip", when=When(start=date(2026, 11, 25), end=date(2026, 11, 27))
        ),
    ]
    stored = [house.server.put(one) for one in put]
    house.sync()
    assert list(house.calendar.between(WEEK)) == stored
    found = house.calendar.between(WEEK)[0].when.start
    assert isinstance(found, datetime)
    assert str(found.tzinfo) == ZONE


def test_a_range_has_what_reaches_into_it_and_nothing_that_touches_it(house: House) -> None:
    day = datetime(2026, 11, 24, tzinfo=UTC)
    for name, start, lasts in (
        ("long", day - timedelta(days=30), timedelta(days=31)),
        ("before", day + 8 * HOUR, HOUR),
        ("within", day + 9 * HOUR, HOUR),
        ("after", day + 10 * HOUR, HOUR),
    ):
        house.server.put(event(name, at=start, lasts=lasts))
    house.sync()
    range_ = When(start=day + 9 * HOUR, end=day + 10 * HOUR)
    assert house.titles(range_) == ["long", "within"]


def test_an_old_copy_is_synced_before_it_answers(house: House) -> None:
    house.sync()
    house.server.put(event("Dentist"))
    house.bed.clock.passes(seconds=89)
    assert house.titles() == []
    house.bed.clock.passes(seconds=2)
    assert house.titles() == ["Dentist"]


def test_a_read_after_a_write_sees_it(house: House) -> None:
    house.sync()
    etag = house.calendar.create(event("Dentist"))
    assert house.titles() == ["Dentist"]
    etag = house.calendar.update(event("Dentist", title="Doctor").model_copy(update={"etag": etag}))
    assert house.titles() == ["Doctor"]
    house.calendar.delete("Dentist", etag=etag)
    assert house.titles() == []


def test_a_write_whose_answer_was_lost_is_seen_too(house: House) -> None:
    house.sync()
    house.server.fail_next(Unreachable("lost"), happened=True)
    with pytest.raises(Unreachable):
        house.calendar.create(event("Dentist"))
    assert house.titles() == ["Dentist"]


def test_a_write_is_done_although_the_copy_cannot_be_told(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    house.sync()

    def away(*_given: Any) -> Any:
        raise Outage(part=DATABASE)

    with monkeypatch.context() as patch:
        patch.setattr(house.bed.store, "begin", away)
        assert house.calendar.create(event("Dentist"))
    house.sync()
    assert house.titles() == ["Dentist"]


def test_a_write_during_a_sync_is_seen_by_the_next_read(house: House) -> None:
    house.sync()
    house.bed.clock.passes(seconds=100)
    changes = house.server.changes

    def changes_then_a_write(token: str) -> Any:
        found = changes(token)
        house.server.changes = changes
        house.calendar.create(event("Dentist"))
        return found

    house.server.changes = changes_then_a_write
    house.sync()
    assert house.titles() == ["Dentist"]


def test_a_calendar_that_does_not_answer_is_answered_for_as_of_when_it_did(house: House) -> None:
    house.server.put(event("Dentist"))
    house.sync()
    house.server.away = Unreachable("gone")
    house.bed.clock.passes(minutes=72)
    found = house.calendar.between(WEEK)
    assert [one.title for one in found] == ["Dentist"]
    now = house.bed.clock.now()
    assert as_of(found, ZONE, now=now) == " As of 09:00; the calendar does not answer."
    assert house.calendar.address() == "memory://calendar/ as owner"
    asked = house.server.asked
    house.server.away = None
    house.server.put(event("Lunch", at=NEXT + 3 * HOUR))
    assert as_of(house.calendar.between(WEEK), ZONE, now=now), "it is not waited for again at once"
    house.bed.clock.passes(seconds=61)
    assert house.titles() == ["Dentist", "Lunch"]
    assert as_of(house.calendar.between(WEEK), ZONE, now=now) == ""
    assert house.server.asked == asked + 1


def test_what_is_wrong_with_the_settings_is_no_silence(house: House) -> None:
    house.sync()
    house.bed.clock.passes(minutes=5)
    house.server.away = Misconfigured("the password is wrong")
    with pytest.raises(Misconfigured):
        house.calendar.between(WEEK)
    copy = house.bed.look(lambda tx: tx.calendar_copy())
    assert copy is not None
    assert copy.trouble == "the password is wrong"


def test_outside_the_window_and_without_a_copy_the_server_is_asked(house: House) -> None:
    far = When(start=START + timedelta(days=500), end=START + timedelta(days=510))
    house.server.put(event("Dentist"))
    house.server.put(event("Jubilee", at=START + timedelta(days=501)))
    assert house.titles() == ["Dentist"]
    house.sync()
    assert house.titles(far) == ["Jubilee"]
    house.server.away = Unreachable("gone")
    with pytest.raises(Unreachable):
        house.titles(far)


def test_a_look_at_one_event_asks_the_server(house: House) -> None:
    stored = house.server.put(event("Dentist"))
    house.sync()
    newer = house.server.put(event("Dentist", title="Doctor"))
    assert house.calendar.get("Dentist").etag == newer.etag != stored.etag
    assert b"Doctor" in house.calendar.raw("Dentist")


def test_times_alone_are_those_of_the_events(house: House) -> None:
    house.server.put(event("Dentist"))
    house.server.put(
        Event(uid="Trip", title="Trip", when=When(start=date(2026, 11, 25), end=date(2026, 11, 27)))
    )
    house.server.put_object("weekly", object_of("weekly", *WEEKLY))
    house.server.put_object(
        "Often", object_of("Often", *WEEKLY[:2], "RRULE:FREQ=HOURLY;COUNT=3", "SUMMARY:Often")
    )
    from_server = times_told(house.calendar.times(WEEK))
    house.sync()
    asked = house.server.asked
    found = house.calendar.times(WEEK)
    assert times_told(found) == from_server == times_told(house.server.times(WEEK))
    assert (len(found.times), found.incomplete, found.as_of) == (3, 1, None)
    house.server.away = Unreachable("gone")
    house.bed.clock.passes(minutes=20)
    now = house.bed.clock.now()
    away = house.calendar.times(WEEK)
    assert (times_told(away), house.server.asked) == (from_server, asked)
    assert as_of(away, ZONE, now=now).startswith(" As of ")


def test_the_last_time_that_is_listed_of_a_series_is_true(house: House) -> None:
    listing = house.keeper.expand

    def cut_short(objects: Sequence[bytes], start: datetime, end: datetime) -> Sequence[Expanded]:
        found = listing(objects, start, end)
        return [
            one.model_copy(update={"events": one.events[:2], "truncated": True}) for one in found
        ]

    house.keeper = replace(house.keeper, expand=cut_short)
    house.server.put_object("weekly", object_of("weekly", *WEEKLY))
    house.sync()
    month = When(start=START - timedelta(days=30), end=START + timedelta(days=30))
    found = house.calendar.times(month)
    assert (len(found.times), found.incomplete) == (2, 1)
    assert times_told(found) == times_told(EventTimes.among(house.calendar.between(month)))


# Kept true


@pytest.mark.parametrize("kind", list(SyncKind))
def test_changes_elsewhere_are_followed_by_whatever_the_server_can(
    house: House, kind: SyncKind
) -> None:
    house.server.kind = kind
    for title in ("Dentist", "Lunch", "Tea"):
        house.server.put(event(title))
    house.sync()
    fetched = house.server.fetched
    house.server.put(event("Dentist", title="Doctor"))
    house.server.remove("Lunch")
    house.server.put(event("Walk"))
    house.sync()
    assert sorted(house.copied()) == ["Doctor", "Tea", "Walk"]
    assert house.server.fetched == fetched + 2, "only what differs is fetched"
    house.sync()
    assert house.server.fetched == fetched + 2


def test_a_token_that_was_lost_means_everything_again_and_fetches_what_differs(
    house: House,
) -> None:
    for title in ("Dentist", "Lunch", "Tea"):
        house.server.put(event(title))
    house.sync()
    fetched = house.server.fetched
    house.server.put(event("Dentist", title="Doctor"))
    house.server.remove("Lunch")
    house.server.forget_tokens()
    house.sync()
    assert sorted(house.copied()) == ["Doctor", "Tea"]
    assert house.server.fetched == fetched + 1


def test_a_change_that_the_server_forgets_to_tell_is_found_within_a_day(house: House) -> None:
    house.server.put(event("Dentist", at=NEXT + timedelta(days=2)))
    house.sync()
    house.server.forgets = True
    house.server.put(event("Dentist", title="Doctor", at=NEXT + timedelta(days=2)))
    house.sync()
    assert house.copied() == ["Dentist"]
    house.bed.clock.passes(days=1)
    house.sync()
    assert house.copied() == ["Doctor"]


def test_a_broken_object_is_kept_as_a_defect_and_the_others_are_read(house: House) -> None:
    house.server.put(event("Dentist"))
    house.server.put(event("Torn"))
    house.server.broken.add("Torn")
    house.server.put_object(
        "Often", object_of("Often", *WEEKLY[:2], "RRULE:FREQ=HOURLY;COUNT=3", "SUMMARY:Often")
    )
    house.sync()
    assert house.copied() == ["Often", "Dentist"]
    assert house.events()[0].defect, "it takes place, and nobody knows when"
    assert house.events()[0] == house.server.between(WEEK)[0]
    address = house.server.address()
    assert house.bed.look(lambda tx: tx.calendar_defects(address)) == 2
    house.server.broken.clear()
    house.server.put(event("Torn", at=NEXT + 2 * HOUR))
    house.server.remove("Often")
    house.sync()
    assert house.copied() == ["Dentist", "Torn"]
    assert house.bed.look(lambda tx: tx.calendar_defects(address)) == 0


def test_a_series_goes_on_as_the_window_moves(house: House) -> None:
    house.server.put_object("weekly", object_of("weekly", *WEEKLY))
    house.sync()
    later = START + timedelta(days=600)
    week = When(start=later, end=later + timedelta(days=7))
    assert house.copied(week) == []
    house.bed.clock.passes(days=500)
    house.server.away = None
    house.sync()
    assert house.copied(week) == ["Standup"]
    [found] = house.events(week)
    assert found.recurring
    assert found.uid == "weekly"


def test_another_zone_moves_whole_days(house: House) -> None:
    day = Event(uid="day", title="Day", when=When(start=date(2026, 11, 24), end=date(2026, 11, 25)))
    house.server.put(day)
    house.sync()
    first = START.replace(day=23, hour=22, minute=30)
    early = When(start=first, end=first + timedelta(minutes=20))
    assert house.copied(early) == []
    keeper_of(house.bed, house.server, zone="Asia/Tokyo").sync(house.bed.me)
    assert house.copied(early) == ["Day"]


def test_the_copy_of_another_calendar_is_dropped(house: House) -> None:
    house.server.put(event("Dentist"))
    house.sync()
    other = ChangingCalendar(zone=ZONE, address="memory://other/ as owner")
    other.put(event("Lunch"))
    keeper_of(house.bed, other, source="there").sync(house.bed.me)
    assert house.copied() == ["Lunch"]
    assert house.bed.look(lambda tx: tx.calendar_copy(source="here")) is None


def test_a_sync_that_was_killed_goes_on_and_fetches_nothing_twice(house: House) -> None:
    for number in range(250):
        house.server.put(event(f"E{number:03}"))
    objects, calls = house.server.objects, []

    def dies(names: Sequence[str]) -> Any:
        calls.append(names)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return objects(names)

    house.server.objects = dies
    with pytest.raises(KeyboardInterrupt):
        house.sync()
    assert len(house.copied()) == 100
    assert not house.bed.look(lambda tx: tx.calendar_copy()).synced  # type: ignore[union-attr]
    house.sync()
    assert len(house.copied()) == 250
    assert house.server.fetched == 250


def test_a_sync_that_takes_too_long_stops_and_goes_on(house: House) -> None:
    for number in range(250):
        house.server.put(event(f"E{number:03}"))
    objects = house.server.objects

    def slow(names: Sequence[str]) -> Any:
        house.bed.clock.passes(seconds=8)
        return objects(names)

    house.server.objects = slow
    assert house.keeper.sync(house.bed.me, patience=10.0) is False
    assert len(house.copied()) == 200
    assert house.keeper.sync(house.bed.me, patience=10.0) is True
    assert house.server.fetched == 250


def test_what_an_overtaken_sync_writes_is_refused(house: House) -> None:
    house.server.put(event("Dentist"))
    objects = house.server.objects

    def overtaken(names: Sequence[str]) -> Any:
        found = objects(names)
        house.server.objects = objects
        house.server.put(event("Dentist", title="Doctor"))
        house.sync()
        return found

    house.server.objects = overtaken
    with pytest.raises(Conflict):
        house.sync()
    assert house.copied() == ["Doctor"]
    house.sync()
    assert house.copied() == ["Doctor"]


def test_of_syncs_at_one_moment_one_is_enough_and_none_leaves_anything_old(house: House) -> None:
    for turn in range(6):
        for number in range(4):
            house.server.put(event(f"E{number}", title=f"{number} in turn {turn}"))

        def write(turn: int = turn) -> None:
            house.server.put(event("E0", title=f"newest of turn {turn}"))

        came = race(house.sync, house.sync, write, house.sync)
        assert all(isinstance(one, (bool, Conflict, type(None))) for one in came), came
        house.sync()
        assert sorted(house.copied()) == sorted(e.title for e in house.server.between(WEEK))


def test_a_read_waits_for_the_sync_that_runs(house: House) -> None:
    house.server.put(event("Dentist"))
    house.sync()
    house.bed.clock.passes(seconds=100)
    asked = house.server.asked
    house.bed.write(lambda tx: tx.begin_sync(house.server.address(), source="here", zone=ZONE))
    slept: list[float] = []

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        house.bed.clock.passes(seconds=seconds)
        if len(slept) == 3:
            house.sync()

    calendar = CopiedCalendar(
        keeper=house.keeper, cause=lambda: house.bed.me, timeout=10.0, sleep=sleep
    )
    assert [one.title for one in calendar.between(WEEK)] == ["Dentist"]
    assert len(slept) == 3
    assert house.server.asked == asked + 1


def test_another_owner_sees_nothing(house: House) -> None:
    house.server.put(event("Dentist"))
    house.sync()
    bed, address = house.bed, house.server.address()
    copy = bed.look(lambda tx: tx.calendar_copy())
    assert copy is not None
    assert bed.look(lambda tx: tx.calendar_copy(), cause=bed.they) is None
    assert bed.look(lambda tx: tx.copied_etags(address), cause=bed.they) == {}
    week = (START, START + timedelta(days=7))
    assert bed.look(lambda tx: tx.copied_events(copy, *week), cause=bed.they) == []
    with pytest.raises(Conflict):
        bed.write(lambda tx: tx.hold_sync(copy), cause=bed.they)


def test_an_own_event_that_is_gone_is_noted_until_it_is_there_again(house: House) -> None:
    bed, address = house.bed, house.server.address()
    house.server.put(event("mine"))
    bed.write(lambda tx: tx.own_uid("mine", calendar=address, call="c"))
    house.sync()
    assert bed.look(lambda tx: tx.own_event_gone(address, "mine")) is None
    house.server.remove("mine")
    bed.clock.passes(minutes=3)
    house.sync()
    assert bed.look(lambda tx: tx.own_event_gone(address, "mine")) == bed.clock.now()
    house.server.put(event("mine"))
    house.sync()
    assert bed.look(lambda tx: tx.own_event_gone(address, "mine")) is None


# Nothing but times


def test_only_the_title_and_the_times_of_an_object_are_kept() -> None:
    secret = object_of(
        "secret\\,one",
        "DTSTART;TZID=Europe/Berlin;X-WHERE=home:20261102T090000",
        "DURATION:PT1H",
        "RRULE:FREQ=WEEKLY",
        "EXDATE;TZID=Europe/Berlin:20261109T090000",
        'SUMMARY;ALTREP="https://example.org/x;y":Lunch\\, and\\n more',
        " of it",
        "DESCRIPTION:the diagnosis",
        "LOCATION:the clinic",
        "ORGANIZER;CN=Ann:mailto:ann@example.org",
        "ATTENDEE;CN=Bob:mailto:bob@example.org",
        "COMMENT:to Bob",
        "URL:https://example.org/secret",
        "ATTACH:https://example.org/file",
        "X-NOTE:diagnosis",
        "BEGIN:VALARM",
        "ACTION:DISPLAY",
        "DESCRIPTION:the diagnosis",
        "TRIGGER:-PT5M",
        "END:VALARM",
        "STATUS:CONFIRMED",
    )
    kept = stripped(secret)
    assert kept.uid == "secret,one"
    assert kept.repeats
    assert kept.ics.splitlines() == [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "BEGIN:VEVENT",
        "UID:secret\\,one",
        "DTSTART;TZID=Europe/Berlin:20261102T090000",
        "DURATION:PT1H",
        "RRULE:FREQ=WEEKLY",
        "EXDATE;TZID=Europe/Berlin:20261109T090000",
        "SUMMARY:Lunch\\, and\\n moreof it",
        "STATUS:CONFIRMED",
        "END:VEVENT",
        "END:VCALENDAR",
    ]


@pytest.mark.parametrize("data", [b"", b"hello", b"\xff\xfe", b"BEGIN:VEVENT\r\nEND:VEVENT\r\n"])
def test_what_is_no_calendar_object_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match="no iCalendar object"):
        stripped(data)


def test_a_task_is_no_event_and_no_defect() -> None:
    task = object_of("task", "SUMMARY:Buy milk").replace(b"VEVENT", b"VTODO")
    assert stripped(task) == ("", "", False)


# Whatever happens in whatever order

_UIDS = st.sampled_from(["a", "b", "c", "d"])
_STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("put"), _UIDS, st.integers(0, 6)),
        st.tuples(st.just("series"), _UIDS, st.integers(0, 6)),
        st.tuples(st.just("day"), _UIDS, st.integers(0, 6)),
        st.tuples(st.just("often"), _UIDS, st.integers(0, 6)),
        st.tuples(st.just("remove"), _UIDS, st.just(0)),
        st.tuples(st.just("write"), _UIDS, st.integers(0, 6)),
        st.tuples(st.just("sync"), st.just(""), st.just(0)),
        st.tuples(st.just("killed"), st.just(""), st.integers(1, 3)),
        st.tuples(st.just("forget"), st.just(""), st.just(0)),
        st.tuples(st.just("passes"), st.just(""), st.integers(1, 30)),
    ),
    max_size=14,
)


@given(kind=st.sampled_from(list(SyncKind)), steps=_STEPS)
def test_after_any_changes_of_two_writers_the_copy_equals_a_fresh_listing(
    kind: SyncKind, steps: list[tuple[str, str, int]], fresh: Fresh
) -> None:
    house = House(Bed(fresh()))
    house.server.kind = kind
    for what, uid, number in steps:
        act(house, what, uid, number)
    house.sync()
    now = house.bed.clock.now()
    around = When(start=now - timedelta(days=50), end=now + timedelta(days=50))
    copied = [as_told(one) for one in house.events(around)]
    assert sorted(copied) == sorted(as_told(one) for one in house.server.between(around))
    for within in (around, WEEK):
        assert times_told(house.calendar.times(within)) == times_told(
            EventTimes.among(house.calendar.between(within))
        )


def act(house: House, what: str, uid: str, number: int) -> None:
    server, at = house.server, NEXT + number * HOUR
    match what:
        case "put":
            server.put(event(uid, title=f"{uid}{number}", at=at))
        case "series" | "often":
            rule = f"RRULE:FREQ={'WEEKLY' if what == 'series' else 'HOURLY'};COUNT={number + 1}"
            server.put_object(uid, object_of(uid, *WEEKLY[:2], rule))
        case "day":
            days = When(start=at.date(), end=at.date() + timedelta(days=1 + number))
            server.put(Event(uid=uid, title=uid, when=days))
        case "remove" if uid in server._stored:
            server.remove(uid)
        case "write":
            write(house, uid, number)
        case "sync":
            house.sync()
        case "killed":
            killed(house, number)
        case "forget":
            server.forget_tokens()
        case "passes":
            house.bed.clock.passes(days=number)


def write(house: House, uid: str, number: int) -> None:
    """The assistant changes something itself."""
    new = event(uid, title=f"own {number}", at=NEXT + number * HOUR)
    try:
        found = house.calendar.get(uid)
    except NotFound:
        house.calendar.create(new)
        return
    if number % 2:
        house.calendar.delete(uid, etag=found.etag)
    elif not found.recurring:
        house.calendar.update(new.model_copy(update={"etag": found.etag}))


def killed(house: House, after: int) -> None:
    """A sync dies at its n-th question."""
    left = [after]

    def dying(ask: Any) -> Any:
        def asked(*given: Any) -> Any:
            left[0] -= 1
            if not left[0]:
                raise KeyboardInterrupt
            return ask(*given)

        return asked

    server = house.server
    kept = {name: getattr(server, name) for name in ("address", "changes", "objects")}
    for name, ask in kept.items():
        setattr(server, name, dying(ask))
    try:
        house.sync()
    except (KeyboardInterrupt, AssistantError):
        pass
    finally:
        for name in kept:
            delattr(server, name)


def as_told(one: Event) -> tuple[str, ...]:
    when = [
        moment.astimezone(UTC).isoformat() if isinstance(moment, datetime) else moment.isoformat()
        for moment in (one.when.start, one.when.end)
    ]
    told = (str(one.recurring), instant(one.recurrence_id), one.defect)
    return (one.uid, one.title, one.etag, *when, *told)


def times_told(found: EventTimes) -> tuple[list[tuple[str, ...]], int]:
    assert not any(one.transparent or one.cancelled for one in found.times)
    return sorted((instant(one.start), instant(one.end)) for one in found.times), found.incomplete


def instant(moment: date | None) -> str:
    return str(moment.astimezone(UTC) if isinstance(moment, datetime) else moment)


# A real server


@pytest.mark.parametrize("kind", list(SyncKind))
def test_a_real_server_is_followed_by_token_by_ctag_and_by_listing(
    bed: Bed,
    real: RealBench,
    kind: SyncKind,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from assistant.adapters.calendar import changes  # noqa: PLC0415 (patched)

    able = changes._able
    if kind is not SyncKind.TOKEN:
        monkeypatch.setattr(
            changes,
            "_able",
            lambda *given: (False, able(*given)[1] if kind is SyncKind.CTAG else ""),
        )
    server = real.calendar
    house = House(bed, server)
    house.sync()
    etag = server.create(event("ö@home", title="Dentist"))
    real.owner.puts_object(object_of("weekly", *WEEKLY).decode())
    house.sync()
    copy = bed.look(lambda tx: tx.calendar_copy())
    assert copy is not None
    assert copy.kind == kind.value
    assert house.copied() == ["Standup", "Dentist"]
    assert list(house.events()) == list(server.between(WEEK))
    server.update(event("ö@home", title="Doctor").model_copy(update={"etag": etag}))
    house.sync()
    assert house.copied() == ["Standup", "Doctor"]
    server.delete("ö@home", etag=server.get("ö@home").etag)
    house.sync()
    assert house.copied() == ["Standup"]
    if kind is SyncKind.TOKEN:
        bed.write(
            lambda tx: tx.end_sync(
                copy, token="TOKEN:http://radicale.org/ns/sync/lost", kind="", synced=START, seen=0
            )
        )
        server.create(event("Lunch"))
        house.sync()
        assert house.copied() == ["Standup", "Lunch"]


def test_an_object_that_a_real_server_has_torn_is_a_defect_and_others_are_read(
    bed: Bed, real: RealBench
) -> None:
    server = real.calendar
    server.create(event("Dentist"))
    often = object_of("often", *WEEKLY[:2], "RRULE:FREQ=MINUTELY", "SUMMARY:Tick")
    real.owner.puts_object(often.decode())
    house = House(bed, server)
    house.sync()
    assert house.copied() == ["Tick", "Dentist"]
    assert list(house.events()) == list(server.between(WEEK))
    assert bed.look(lambda tx: tx.calendar_defects(server.address())) == 1
