"""What a calendar part tells a person, whoever wrote it."""

from pathlib import Path
from time import thread_time

import pytest

from ingest.parsing.invitations import SIZE, words_of_calendar


def calendar(*lines: str, method: str = "REQUEST") -> str:
    opening = ("BEGIN:VCALENDAR", f"METHOD:{method}", "BEGIN:VEVENT", "UID:1")
    return "\r\n".join((*opening, *lines, "END:VEVENT", "END:VCALENDAR", ""))


def test_an_event_is_told_with_its_time_place_and_words() -> None:
    told = words_of_calendar(
        calendar(
            "SUMMARY:Lunch\\, by the bridge",
            "DTSTART;TZID=Europe/Berlin:20261106T120000",
            "DTEND;TZID=Europe/Berlin:20261106T133000",
            "LOCATION:Old mill",
            "ORGANIZER;CN=Ann:mailto:ann@firm.example",
            "DESCRIPTION:Bring the plans.\\nAnn",
        )
    )
    assert told == (
        "Invitation: Lunch, by the bridge\n"
        "When: Fri 06 Nov 2026, 12:00 (Europe/Berlin) to Fri 06 Nov 2026, 13:30 (Europe/Berlin)\n"
        "Where: Old mill\nFrom: ann@firm.example\n\nBring the plans.\nAnn"
    )


ON_DAY = "SUMMARY:Lunch", "DTSTART;VALUE=DATE:20261106"
IN_UTC = "SUMMARY:Fair", "DTSTART:20261106T090000Z"


@pytest.mark.parametrize(
    ("method", "lines", "said"),
    [
        ("CANCEL", ON_DAY, "Cancelled: Lunch\nWhen: Fri 06 Nov 2026"),
        ("PUBLISH", IN_UTC, "Event: Fair\nWhen: Fri 06 Nov 2026, 09:00 (UTC)"),
        ("REPLY", ("DTSTART:20261106T090000",), "Answer to an invitation: without a title\nWhen:"),
        ("REQUEST", ("SUMMARY:x", "DTSTART:no date"), "Invitation: x"),
    ],
)
def test_an_event_is_told_by_what_its_calendar_is_for(
    method: str, lines: tuple[str, ...], said: str
) -> None:
    assert words_of_calendar(calendar(*lines, method=method)).startswith(said)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "BEGIN:VCALENDAR",
        "words",
        "BEGIN:VEVENT\r\n" * 5_000,
        calendar("SUMMARY:" + "a" * SIZE),
        calendar(*["DTSTART:20261106T120000"] * 4_000),
        calendar("RRULE:FREQ=SECONDLY"),
        calendar("X;" * 20_000 + ":"),
        "BEGIN:VCALENDAR\r\n" + "BEGIN:VEVENT\r\nEND:VEVENT\r\n" * 3_000 + "END:VCALENDAR",
    ],
)
def test_whatever_a_stranger_writes_costs_little(text: str) -> None:
    words_of_calendar(calendar())  # loads the library
    began = thread_time()
    words_of_calendar(text)
    assert thread_time() - began < 1


def test_the_name_of_a_file_is_no_calendar(tmp_path: Path) -> None:
    private = tmp_path / "private.ics"
    private.write_text(calendar("SUMMARY:Not for a stranger"))
    assert words_of_calendar(str(private)) == ""
