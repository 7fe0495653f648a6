"""Whatever a stranger sends: invitations within bounds, and soon."""

import re
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from time import process_time
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.domain.calendar.invitations.invitation import DATES_LIMIT, Invitation
from assistant.domain.calendar.invitations.known import KnownInvitation, remember
from assistant.domain.calendar.invitations.news import NewsKind, compare, is_over
from assistant.domain.calendar.invitations.words import say_news
from assistant.domain.limits import MiB
from ingest.invitations.find import INVITATIONS, SIZE, CalendarFile, invitations_in, read_files
from tests.ingest.mime_mutations import mutated

ZONE = ZoneInfo("Europe/Berlin")
NOW = datetime(2026, 11, 23, 9, tzinfo=UTC)
CORPUS = sorted((Path(__file__).parents[1] / "corpus" / "invitations").glob("*.eml"))
OPENING = b"BEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\n"
EVENT = b"BEGIN:VEVENT\r\nUID:%d\r\nDTSTAMP:20261110T100000Z\r\nDTSTART:20261213T180000Z\r\n"
END = b"END:VEVENT\r\nEND:VCALENDAR\r\n"


def read(data: bytes) -> tuple[Invitation, ...]:
    found = read_files(iter([CalendarFile(data)]), ZONE, frozenset({"me@home.example"}))
    check(found)
    return found


def check(found: tuple[Invitation, ...]) -> None:
    assert len(found) <= INVITATIONS
    assert len(set(found)) == len(found)
    for each in found:
        assert len(each.model_dump_json()) < 64 * 1024
        assert max(len(each.left_out), len(each.added)) <= DATES_LIMIT
        said = f"{each.title}{each.location}{each.uid}{each.rrule}{each.recurrence}"
        assert (said + "".join(each.defects)).isprintable()
        assert Invitation.model_validate_json(each.model_dump_json()) == each
        judge(each, found)


def judge(invitation: Invitation, others: tuple[Invitation, ...]) -> None:
    """Compare it with all that came, and say so."""
    known = [KnownInvitation.of(other) for other in others if other.tells]
    for one in (None, *known[:5]):
        for series in (None, *known[:2]):
            news = compare(invitation, one, series=series)
            assert all(len(line) < 1_000 for line in say_news(invitation, news, ZONE.key, now=NOW))
            assert news.change is None or news.kind not in {NewsKind.REPEAT, NewsKind.OLDER}
    for one in known:
        assert remember(invitation, one)
    is_over(invitation, NOW)


PIECES = st.sampled_from(
    [
        "BEGIN:VCALENDAR", "END:VCALENDAR", "BEGIN:VEVENT", "END:VEVENT", "BEGIN:VTIMEZONE",
        "END:VTIMEZONE", "BEGIN:STANDARD", "END:STANDARD", "TZID:X", "TZOFFSETTO:+9999",
        "TZOFFSETTO:-0500", "DTSTART:16010101T000000", "DTSTART;TZID=X:20261213T180000",
        "DTSTART;VALUE=DATE:20261213", "DTSTART:99991231T235959Z", "DTSTART:00010101T000000",
        "DTEND:20261213T180000Z", "DTEND;TZID=../../etc/passwd:20261213T180000",
        "DTEND;TZID=Europe:20261213T180000", "DURATION:P99999999999W", "DURATION:-P1D",
        "RRULE:FREQ=YEARLY;BYMONTH=2;BYDAY=5SU", "RRULE:FREQ=DAILY;INTERVAL=0", "RRULE:",
        "RECURRENCE-ID;RANGE=THISANDFUTURE:20261213T180000Z", "SEQUENCE:-1", "SEQUENCE:1e9",
        "SEQUENCE:٣", "METHOD:" + "A" * 99, "METHOD:CANCEL", "ORGANIZER:mailto:a@b.example",
        "ATTENDEE:mailto:me@home.example", "SUMMARY:\\n\\,\\", "SUMMARY:\u202eabc", "UID:a b",
        "EXDATE:20261213,,x", "RDATE;VALUE=PERIOD:20261213T180000Z/PT1H", " ", "\t", ";:", ":",
        "X-WR-TIMEZONE:Europe/Paris", "DTSTAMP:20261213T180000",
    ]
)  # fmt: skip


@given(st.binary(max_size=400))
def test_any_bytes_are_read_without_a_fault(data: bytes) -> None:
    read(data)
    check(invitations_in(data, ZONE))
    read(OPENING + EVENT % 1 + data + END)


@given(st.lists(PIECES | st.text(max_size=30), max_size=40))
def test_any_lines_of_a_calendar_are_read_without_a_fault(lines: list[str]) -> None:
    text = "\r\n".join(lines).encode("utf-8", "replace")
    read(text)
    read(OPENING + EVENT % 1 + text + b"\r\n" + END)


@pytest.mark.parametrize("path", CORPUS, ids=lambda path: path.stem)
def test_a_mutated_mail_is_read_without_a_fault(path: Path) -> None:
    raw = path.read_bytes()
    plain = re.sub(rb"(?i)base64|quoted-printable", b"8bit", raw)
    for seed in range(10):
        for mail in (raw, plain):
            check(invitations_in(mutated(mail, Random(seed)), ZONE))


def test_a_calendar_of_many_events_is_cut() -> None:
    many = OPENING + b"".join(EVENT % n + b"END:VEVENT\r\n" for n in range(100)) + END
    assert len(read(many)) == INVITATIONS


def test_a_calendar_that_is_too_large_is_read_as_far_as_allowed_and_says_so() -> None:
    filler = b"DESCRIPTION:" + b"a" * SIZE + b"\r\n"
    (found,) = read(OPENING + EVENT % 1 + filler + EVENT % 2 + END)
    assert "it is too large, and was not read to its end" in found.defects


def test_a_zone_that_a_mail_defines_is_not_kept_for_the_next_mail() -> None:
    table = (
        b"BEGIN:VTIMEZONE\r\nTZID:Ours\r\nBEGIN:STANDARD\r\nDTSTART:19700101T000000\r\n"
        b"TZOFFSETFROM:+0500\r\nTZOFFSETTO:+0500\r\nEND:STANDARD\r\nEND:VTIMEZONE\r\n"
    )
    event = (
        b"BEGIN:VEVENT\r\nUID:1\r\nDTSTART;TZID=Ours:20261213T180000\r\n"
        b"DTEND;TZID=Ours:20261213T190000\r\n"
    )
    for opening, hour in ((OPENING + table, 13), (OPENING, 17)):
        (found,) = read(opening + event + END)
        assert found.when
        assert isinstance(found.when.start, datetime)
        assert found.when.start.astimezone(UTC).hour == hour


def test_a_rule_is_never_expanded_and_a_date_out_of_bounds_is_no_time() -> None:
    began = process_time()
    (found,) = read(OPENING + EVENT % 1 + b"RRULE:FREQ=SECONDLY;COUNT=999999999\r\n" + END)
    assert process_time() - began < 1
    assert (found.rrule, found.refused_rule) == ("", True)
    (late,) = read(OPENING + b"BEGIN:VEVENT\r\nUID:1\r\nDTSTART;VALUE=DATE:99991231\r\n" + END)
    assert late.when is None


def crowded(line: bytes) -> bytes:
    """Return a mebibyte of twenty events that hold one line many times."""
    lines = line * (SIZE // INVITATIONS // len(line) - 10)
    events = (EVENT % n + lines + b"END:VEVENT\r\n" for n in range(INVITATIONS))
    return OPENING + b"".join(events) + END


@pytest.mark.parametrize(
    "data",
    [
        b"BEGIN:VCALENDAR\r\n" * 60_000,
        OPENING + b"BEGIN:VEVENT\r\n" * 70_000,
        OPENING + b"END:VEVENT\r\n" * 80_000,
        OPENING + EVENT % 1 + b"SUMMARY:" + b"a\r\n " * 250_000 + END,
        OPENING + EVENT % 1 + b"SUMMARY:" + b"\\," * 500_000 + END,
        OPENING + EVENT % 1 + b"a\r\n" * 300_000 + END,
        OPENING + EVENT % 1 + b"\r\n" * 500_000 + END,
        OPENING + EVENT % 1 + b"ATTENDEE:mailto:a@b.example\r\n" * 35_000 + END,
        OPENING + EVENT % 1 + b"EXDATE:" + b"20261213T180000Z," * 60_000 + END,
        OPENING + EVENT % 1 + b"EXDATE:20261213T180000Z\r\n" * 40_000 + END,
        OPENING + EVENT % 1 + b"DTSTART;X=" + b'"a",' * 200_000 + b":20261213T180000Z\r\n" + END,
        OPENING + EVENT % 1 + b"RRULE:" + b"FREQ=DAILY;" * 90_000 + END,
        OPENING + b"BEGIN:VTIMEZONE\r\nTZID:X\r\n" + b"BEGIN:STANDARD\r\n" * 60_000,
        b"\xff\xfe" + b"B" * MiB,
        crowded(b"ATTENDEE;SENT-BY=me@home.example:mailto:a@b.example\r\n"),
        crowded(b"EXDATE:" + b"x," * 2_000 + b"\r\n"),
        crowded(b"EXDATE;TZID=Europe/Berlin:" + b"20261213T180000," * 100 + b"\r\n"),
        crowded(b"X-A:b\r\n"),
    ],
    ids=range(18),
)
def test_a_mebibyte_of_whatever_is_read_in_a_moment(data: bytes) -> None:
    read(OPENING + END)  # loads the library
    began = process_time()
    read(data[:SIZE])
    assert process_time() - began < 1.5
