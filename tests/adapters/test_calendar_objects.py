"""Objects of a calendar as a server sends them."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from zoneinfo import ZoneInfo

import icalendar
import pytest

from assistant.adapters.calendar.event_objects import StoredObject, event_of, events_in
from assistant.adapters.calendar.expansion import expand_here
from assistant.adapters.calendar.icalendar_objects import UNREADABLE, parsed, rewritten
from assistant.domain.calendar.events import When
from assistant.domain.calendar.series import Expanded
from tests.contract.calendar_benches import vcalendar, vevent

ICS = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\nEND:VCALENDAR\r\n"


def test_what_a_server_sends_is_never_taken_for_the_name_of_a_file(tmp_path: Path) -> None:
    secret = tmp_path / "secret.ics"
    secret.write_text(ICS)
    with pytest.raises(UNREADABLE):
        parsed(SimpleNamespace(raw_data=str(secret)))


@pytest.mark.parametrize("raw", [ICS, ICS.encode()])
def test_an_object_is_read_as_text_and_as_bytes(raw: str | bytes) -> None:
    assert parsed(SimpleNamespace(raw_data=raw)).name == "VCALENDAR"


BERLIN = ZoneInfo("Europe/Berlin")


def in_office(uid: str, offset: str, tzid: str = "Office", *, defined: bool = True) -> bytes:
    """An event at nine in an office's own zone, which is so far from Greenwich."""
    zone = (
        *("BEGIN:VTIMEZONE", f"TZID:{tzid}", "BEGIN:STANDARD", "DTSTART:20000101T000000"),
        *(f"TZOFFSETFROM:{offset}", f"TZOFFSETTO:{offset}", "END:STANDARD", "END:VTIMEZONE"),
    )
    event = (
        *("BEGIN:VEVENT", f"UID:{uid}", "DTSTAMP:20260101T000000Z", "SUMMARY:x"),
        *(f"DTSTART;TZID={tzid}:20261124T090000", f"DTEND;TZID={tzid}:20261124T100000"),
        "END:VEVENT",
    )
    return vcalendar(*(zone if defined else ()), *event).encode()


def test_the_zone_that_one_object_defines_holds_for_it_alone() -> None:
    east, west = in_office("a", "+0500"), in_office("b", "-0500")
    for _ in range(2):  # in either order
        for ics, hour in ((east, 4), (west, 14)):
            event = event_of(ics, "", None, zone=BERLIN)
            start = datetime(2026, 11, 24, hour, tzinfo=UTC)
            assert event.when == When(start=start, end=start + timedelta(hours=1))
            found = events_in(
                [StoredObject(ics, "")],
                start,
                start + timedelta(hours=1),
                zone=BERLIN,
                expand=expand_here,
            )
            assert found == [event]


def test_a_new_title_leaves_a_time_in_a_zone_of_its_own() -> None:
    event_of(in_office("a", "+0500"), "", None, zone=BERLIN)
    west = in_office("b", "-0500")
    event = event_of(west, "", None, zone=BERLIN).model_copy(update={"title": "y"})
    body = rewritten(icalendar.Calendar.from_ical(west), event, BERLIN)
    assert "DTSTART;TZID=Office:20261124T090000" in body
    assert event_of(body.encode(), "", None, zone=BERLIN) == event


@pytest.mark.parametrize("tzid", ["W. Europe Standard Time", "/vendor.example/Europe/Berlin"])
def test_the_names_that_other_programs_have_for_a_zone_are_known(tzid: str) -> None:
    event = event_of(in_office("a", "", tzid, defined=False), "", None, zone=ZoneInfo("UTC"))
    assert event.when.start == datetime(2026, 11, 24, 9, tzinfo=BERLIN)


def test_a_time_in_a_zone_that_nobody_defines_is_taken_as_the_owners() -> None:
    event = event_of(in_office("a", "", "Nowhere", defined=False), "", None, zone=BERLIN)
    assert event.when.start == datetime(2026, 11, 24, 9, tzinfo=BERLIN)


def test_an_hour_is_an_hour_when_clocks_are_put_back() -> None:
    ics = vevent("UID:a", "DTSTART;TZID=Europe/Berlin:20261025T023000", "DURATION:PT1H").encode()
    event = event_of(ics, "", None, zone=BERLIN)
    first = datetime(2026, 10, 25, 0, 30, tzinfo=UTC)
    assert event.when == When(start=first, end=first + timedelta(hours=1))


def test_only_what_repeats_is_expanded_elsewhere() -> None:
    zone = (
        *("BEGIN:VTIMEZONE", "TZID:Office", "BEGIN:STANDARD", "DTSTART:20001029T030000"),
        *("RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10", "TZOFFSETFROM:+0200", "TZOFFSETTO:+0100"),
        *("END:STANDARD", "END:VTIMEZONE"),
    )
    once = (
        *("BEGIN:VEVENT", "UID:once", "DTSTAMP:20260101T000000Z", "SUMMARY:x"),
        *("DTSTART;TZID=Office:20261124T090000", "END:VEVENT"),
    )
    folded = (*once[:-1], "RRU\r\n LE:FREQ=DAILY", "END:VEVENT")
    objects = [vcalendar(*zone, *part).encode() for part in (once, folded)]
    asked: list[bytes] = []

    def expand(
        objects: Sequence[bytes], start: datetime, end: datetime, *, zone: ZoneInfo
    ) -> Sequence[Expanded]:
        asked.extend(objects)
        return expand_here(objects, start, end, zone=zone)

    start = datetime(2026, 11, 24, tzinfo=UTC)
    stored = [StoredObject(ics, "") for ics in objects]
    found = events_in(stored, start, start + timedelta(days=2), zone=BERLIN, expand=expand)
    assert [event.recurring for event in found] == [False, True, True]
    assert asked == [objects[1]]
