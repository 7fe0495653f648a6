"""When the event of a calendar file begins."""

import pytest

from ingest.extract.calendars import event_begins
from ingest.extract.kinds import kind_of

ZONE = b"BEGIN:VTIMEZONE\r\nDTSTART:19701025T030000\r\nEND:VTIMEZONE\r\n"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (b"DTSTART:20261202T090000Z", "Wed 2 Dec 2026, 09:00 (UTC)"),
        (b"DTSTART;TZID=Europe/Berlin:20261202T100000", "Wed 2 Dec 2026, 10:00 (Europe/Berlin)"),
        (b'DTSTART;TZID="W. Europe Standard Time":20261202T100000', "Wed 2 Dec 2026, 10:00"),
        (b"dtstart;VALUE=DATE:20261224", "Thu 24 Dec 2026"),
        (b"DTSTART:20261202T100000", "Wed 2 Dec 2026, 10:00"),
        (b"DTSTART:20261302T100000", ""),
        (b"DTSTART:soon", ""),
        (b"DTSTART;TZID=verified by your bank:20261202T100000", "Wed 2 Dec 2026, 10:00"),
        (b"DTSTART;TZID=\x1b[31mred:20261202T100000", "Wed 2 Dec 2026, 10:00"),
        (b"SUMMARY:DTSTART:20261202T090000Z", ""),
    ],
)
def test_the_beginning_is_told_as_the_file_has_it(line: bytes, said: str) -> None:
    file = b"BEGIN:VCALENDAR\r\n" + ZONE + b"BEGIN:VEVENT\r\n" + line + b"\r\nEND:VEVENT\r\n"
    assert event_begins(file) == said
    assert event_begins(file.replace(b"BEGIN:VEVENT", b"BEGIN:VTODO")) == ""


def test_it_is_part_of_what_the_file_is() -> None:
    file = (
        b"BEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\nBEGIN:VEVENT\r\nDTSTART:20261202T090000Z\r\n"
        b"END:VEVENT\r\nEND:VCALENDAR\r\n"
    )
    kind = kind_of(file, "text/calendar", "invite.ics")
    assert (kind.type, kind.said) == (
        "text/calendar",
        "calendar invitation, Wed 2 Dec 2026, 09:00 (UTC)",
    )
    assert kind.doubt == ""
