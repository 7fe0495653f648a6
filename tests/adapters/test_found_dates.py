"""The first time to come that a text names, for a calendar: found by code, or not at all."""

import time
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.adapters.offline.found_dates import first_time
from assistant.domain.calendar.events import When

ZONE = ZoneInfo("Europe/Berlin")
NOW = datetime(2026, 11, 23, 9, tzinfo=ZONE)
"""A Monday."""


def found(*texts: str, now: datetime = NOW, base: datetime = NOW) -> str:
    when = first_time(texts, base=base, after=now, zone=ZONE)
    return "" if when is None else f"{_told(when.start)} to {_told(when.end)}"


def _told(at: object) -> str:
    return f"{at:%d %b %H:%M}" if isinstance(at, datetime) else f"{at:%d %b}"


@pytest.mark.parametrize(
    ("text", "when"),
    [
        ("I can come on Monday 30 November at 10:00; it takes half an hour.", "30 Nov 10:00"),
        ("Dinner (Friday, 27 November, 19:30) at ours?", "27 Nov 19:30"),
        ("The call is tomorrow at 3pm. Bring notes.", "24 Nov 15:00"),
        ("Termin: Mittwoch um 14 Uhr, bitte pünktlich", "25 Nov 14:00"),
        ("We meet on 2026-12-01 from 10:00 to 11:30 in room 5.", "01 Dec 10:00 to 01 Dec 11:30"),
        ("10:00-11:00 on Tuesday, as always", "24 Nov 10:00 to 24 Nov 11:00"),
        ("The rent is due on 1 December.", "01 Dec to 02 Dec"),
        ("Wir feiern am 24.12. um 18:00 Uhr", "24 Dec 18:00"),
        ("Holiday from 24 December to 26 December 2026", "24 Dec to 27 Dec"),
        ("On 3 November it was cold; we meet on 5 December at noon.", "05 Dec 12:00"),
    ],
)
def test_a_time_is_found_among_other_words(text: str, when: str) -> None:
    assert found(text).startswith(when)


@pytest.mark.parametrize(
    ("texts", "when"),
    [
        (
            ("", "Works between 7 and 9 December. The fitter comes on 8 December, 8:00-12:00."),
            "08 Dec 08:00 to 08 Dec 12:00",
        ),
        (
            ("Your visit on 3 December", "It is on Thursday, 3 December 2026 at 14:20."),
            "03 Dec 14:20",
        ),
        (("Party on 5 December", "The shop opens tomorrow at 9:00."), "05 Dec to 06 Dec"),
        (("", "Pay by 4 December.", "Pay by 4 December. We open tomorrow at 9:00."), "04 Dec"),
    ],
)
def test_an_hour_is_rather_an_appointment_than_a_whole_day(
    texts: tuple[str, ...], when: str
) -> None:
    assert found(*texts).startswith(when)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Thanks for your mail of today.",
        "See you on Monday!",
        "Guten Morgen, 12 Eier bitte",
        "Version 3.5 costs 12.10 euros, 5 may fail",
        "on 11/30/2026 at ten",  # two ways to read it
        "It was on 20 November 2026 at 10:00.",
        "In the year 2031, on 4 March 2031",
        "call 030 1234567 or 14:30",  # a time without a day
        "Friday afternoon would be nice",
        "Party on Friday at 8",  # rather in the evening
        "31 February 2027 at 10:00 sharp, or 25:61",
    ],
)
def test_what_names_none_or_no_clear_one_gives_none(text: str) -> None:
    assert found(text) == ""


def test_the_texts_are_looked_through_in_their_order() -> None:
    assert found("Rent", "due 1 December", "or 2 December") == "01 Dec to 02 Dec"


def test_relative_words_count_from_when_it_was_sent_and_what_has_passed_is_none() -> None:
    friday = datetime(2026, 11, 20, 9, tzinfo=ZONE)
    assert found("tomorrow at 10:00", base=friday) == ""
    assert found("on Tuesday at 10:00", base=friday) == "24 Nov 10:00 to 24 Nov 11:00"


@given(st.text(max_size=300))
def test_no_text_breaks_it(text: str) -> None:
    when = first_time((text,), base=NOW, after=NOW, zone=ZONE)
    assert when is None or isinstance(when, When)


def test_a_text_full_of_dates_takes_no_long_time() -> None:
    hostile = "31 february 10:00 " * 300
    found("1 December")  # what is loaded at the first use does not count
    began = time.thread_time()
    assert found(hostile, hostile, hostile) == ""
    assert time.thread_time() - began < 5
