"""Whether a quote stands in a mail, however it was broken, and what is too short to be a quote."""

import time
from datetime import date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.domain.mail.understanding.checked import names_day, names_time
from assistant.domain.mail.understanding.quotes import LONGEST, stands_in

MAIL = (
    "Dear Ada,\r\n\r\nthe rent of EUR 400,00 is due on Fri\u00adday. Please trans-\nfer it to the "
    "\u201cHouse Account\u201d \u2013 by\xa030\u202fNovember, don\u2019t be late. Z=C3=BCrich =\r\n"
    "Insurance pays f\u200bor the\n> rest of what\n> we owe. The total: 1.250,00 EUR. "
    "See [our page](https://x.example/y) for mo=\nre details. \uff26\uff35\uff2c\uff2c stop."
)


@pytest.mark.parametrize(
    "quote",
    [
        "the rent of EUR 400,00 is due on Friday",
        "for the > rest of what > we owe",
        "THE RENT OF eur 400,00",
        "Please transfer it to the House Account",
        "please trans-fer it to the 'House Account' - by 30 November",
        "by 30 November, don't be late",
        "by 30 November, don\u00b4t be late.",
        "Zürich Insurance pays for the rest of what we owe",
        "\u201e1.250,00 EUR.\u201c",
        "See our page for more details",
        "for more details. Full stop.",
        "... be late. Zürich Insurance ...",
    ],
)
def test_a_quote_stands_in_a_mail_however_it_was_written_down(quote: str) -> None:
    assert stands_in(quote, MAIL)


@pytest.mark.parametrize(
    "quote",
    [
        "",
        "the",
        "the rent",
        "...",
        "EUR 40",
        "EUR 400",
        "of EUR 400",
        "The total: 1.250",
        "250,00 EUR",
        "rent is due on Friday",
        "the rent of EUR 400,00 is due on Monday",
        "ransfer it to the House",
        "don't be",
        "x" * (LONGEST + 1),
    ],
)
def test_other_words_parts_of_numbers_and_too_few_words_prove_nothing(quote: str) -> None:
    assert not stands_in(quote, MAIL)


def test_half_a_character_and_what_is_stored_for_it_are_one() -> None:
    assert stands_in("pay the re\ufffdnt today", "please pay the re\ud800nt today")


def test_words_that_are_not_spaced_prove_by_their_letters() -> None:
    mail = "请在十一月三十日之前付款。谢谢。"
    assert stands_in("请在十一月三十日之前付款。谢谢", mail)
    assert not stands_in("谢谢", mail)


@given(st.text(max_size=300), st.text(max_size=300))
def test_no_texts_break_it(quote: str, text: str) -> None:
    assert stands_in(quote, text) in {True, False}


@given(st.lists(st.sampled_from(["ab", "cd", "12", "3,50", "€", "ü"]), min_size=4, max_size=30))
def test_what_was_cut_out_at_blanks_stands_in_it(words: list[str]) -> None:
    inner = " ".join(words[1:-1])
    letters = [word for word in words[1:-1] if word[0].isalnum()]
    assert stands_in(inner, " ".join(words)) or len(letters) < 3


@pytest.mark.parametrize(
    "piece", ["a", "a ", "a-", "=C3", "](", "> ", "\u0301\u0316", "\u200b", "'"]
)
def test_a_megabyte_of_the_worst_is_looked_through_in_no_long_time(piece: str) -> None:
    text = piece * (1_000_000 // len(piece))
    quote = (piece * LONGEST)[:LONGEST]
    began = time.thread_time()
    stands_in(quote, text)
    assert time.thread_time() - began < 4


FRIDAY = date(2026, 11, 27)


@pytest.mark.parametrize(
    "quote",
    [
        "on Friday, 27 November",
        "am 27.11. um 10",
        "am Freitag",
        "Nov 27th, 2026",
        "2026-11-27",
        "27/11/2026",
        "11/27/26",
        "from 25 to 27 November",
        "on the 27th",
        "on Friday at ten",
    ],
)
def test_a_quote_names_its_day(quote: str) -> None:
    assert names_day(quote, FRIDAY)


@pytest.mark.parametrize(
    "quote",
    [
        "",
        "soon",
        "on Monday",
        "on Friday, 4 December",
        "27 December",
        "27 November 2025",
        "am 28.11.",
        "room 127",
        "27:00",
        "3.27 EUR",
        "tomorrow",
    ],
)
def test_a_quote_that_names_another_day_or_none(quote: str) -> None:
    assert not names_day(quote, FRIDAY)


def test_tomorrow_is_the_day_after_the_one_it_was_written_on() -> None:
    assert names_day("see you tomorrow", FRIDAY, sent=date(2026, 11, 26))
    assert not names_day("see you tomorrow", FRIDAY, sent=date(2026, 11, 25))


@pytest.mark.parametrize(
    ("quote", "hour", "minute"),
    [
        ("at 10:30", 10, 30),
        ("um 14 Uhr", 14, 0),
        ("at 3 pm", 15, 0),
        ("12 a.m.", 0, 0),
        ("at noon", 12, 0),
    ],
)
def test_a_quote_names_its_time(quote: str, hour: int, minute: int) -> None:
    assert names_time(quote, datetime(2026, 11, 27, hour, minute))  # noqa: DTZ001
    assert not names_time(quote, datetime(2026, 11, 27, 9, 59))  # noqa: DTZ001
