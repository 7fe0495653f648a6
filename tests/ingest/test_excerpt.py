"""A mail in three of its own sentences: what it asks, by when, how much."""

import time
from datetime import date, datetime
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.domain.mail.understanding.checked import checked
from assistant.domain.mail.understanding.quotes import stands_in
from ingest.excerpt.excerpt import COUNT, LENGTH, excerpt
from tests.ingest.excerpt_corpus import Letter, letters

SENT = date(2026, 11, 23)
"""A Monday."""
KNOWN = tuple(letters("known"))
FAIR = tuple(letters("fair"))


def test_there_are_forty_mails_and_ten_that_the_weights_were_not_chosen_by() -> None:
    assert len(KNOWN) >= 40
    assert len(FAIR) >= 10


@pytest.mark.parametrize("letter", [*KNOWN, *FAIR], ids=lambda one: one.name)
def test_an_excerpt_says_what_matters_and_nothing_of_what_is_around(letter: Letter) -> None:
    said = excerpt(letter.text, subject=letter.subject, sent=letter.sent).text.casefold()
    assert [must for must in letter.must if must.casefold() not in said] == []
    assert [must_not for must_not in letter.must_not if must_not.casefold() in said] == []


@pytest.mark.parametrize("letter", [*KNOWN, *FAIR], ids=lambda one: one.name)
def test_every_fact_of_an_excerpt_is_borne_out_by_the_mail(letter: Letter) -> None:
    understood = excerpt(letter.text, subject=letter.subject, sent=letter.sent).understood
    whole = f"{letter.subject}\n\n{letter.text}"
    assert checked(understood, whole, sent=letter.sent) == (understood, 0)


def test_the_facts_of_a_mail_come_with_their_quotes() -> None:
    text = (
        "Hi Ada,\n\nthe roof leaks. The roofer comes on Friday, 27 November at 10:00. Could you "
        "let me\nknow by Wednesday whether you are at home? It costs EUR 1.250,00.\n\nBest\nBob"
    )
    understood = excerpt(text, subject="Roof", sent=SENT).understood
    [ask] = understood.asks
    assert ask.quote == "Could you let me know by Wednesday whether you are at home?"
    assert ask.due == date(2026, 11, 25)
    assert understood.dates[0].at == datetime(2026, 11, 27, 10)  # noqa: DTZ001  # the mail's zone
    assert (understood.amounts[0].value, understood.amounts[0].currency) == (Decimal(1250), "EUR")
    assert understood.deadlines[0].due == date(2026, 11, 25)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", ""),
        ("\n > \n", ""),
        ("ok", "Ok."),
        ("Von meinem iPhone gesendet", ""),
        ("\nSent from my iPhone\n", ""),
        ("-- \nAda Carter", "Ada Carter."),
        ("> Could you call me at 10?", "Could you call me at 10?"),
        ("[Open](https://x.example)", "Open."),
        ("| 1 Dec 2026 | 40 EUR |", "1 Dec 2026 | 40 EUR."),
        ("Forwarded message\nFrom: a\n\n> please call me", "Please call me."),
        ("Hi Ada, could you call me?", "Could you call me?"),
        ("Thanks!\n\nCould you also send the plan to Bob and me by Friday?", "Could you also"),
        ("See https://x.example/a?b=c for the 3 plans we have.", "See x.example for the 3 plans"),
    ],
)
def test_odd_mails_have_an_excerpt_too(text: str, said: str) -> None:
    assert excerpt(text, sent=SENT).text.startswith(said)
    assert bool(excerpt(text).text) == bool(said)


@pytest.mark.parametrize(
    "text",
    [
        "Ihre Rechnung liegt vor. Sie müssen nichts weiter tun.",
        "Your parcel has arrived. You do not need to do anything.",
        "Your plan renews itself. No further action is required from you, no need to reply.",
        "Tulips like frost.\n\nWant to change how you receive these emails?",
        "Tulips like frost.\n\nMöchten Sie unseren Newsletter nicht mehr bekommen?",
        "Tulips like frost.\n\nPlease click here to confirm your preferences or unsubscribe.",
    ],
)
def test_what_asks_for_nothing_is_no_ask(text: str) -> None:
    assert excerpt(text, sent=SENT).understood.asks == ()


def test_a_footer_is_never_preferred_to_what_a_newsletter_says() -> None:
    text = (
        "Tulips and daffodils want to be in the ground before the first frost.\n\n"
        "Want to change how you receive these emails?\nYou can unsubscribe from this list."
    )
    told = excerpt(text, subject="Bulbs to plant in November", sent=SENT).text
    assert told == "Tulips and daffodils want to be in the ground before the first frost."


def test_something_is_asked_beside_what_is_not() -> None:
    text = "Sie müssen nichts mitbringen, aber melden Sie sich bitte bis Freitag an."
    [ask] = excerpt(text, sent=SENT).understood.asks
    assert ask.due == date(2026, 11, 27)


@pytest.mark.parametrize(
    "text",
    [
        "Für den Zeitraum 01.11.2025 bis 31.10.2026 ergibt sich eine Nachzahlung von 127,43 €.",
        "Die Klassenfahrt nach Lübeck findet vom 15. bis 17. März 2027 statt.",
        "The office is closed from 24 December until 2 January.",
        "Wir haben Montag bis Freitag geöffnet.",
    ],
)
def test_the_end_of_a_span_is_no_deadline(text: str) -> None:
    assert excerpt(text, sent=SENT).understood.deadlines == ()


@pytest.mark.parametrize(
    ("text", "due"),
    [
        ("Anbei erhalten Sie die Rechnung über 64,50 EUR, fällig am 10.12.2026.", (12, 10)),
        ("Bitte zahlen Sie die Rechnung vom 3. November bis zum 4. Dezember.", (12, 4)),
        ("I need both by Wednesday noon, or we lose the slot on 1 December.", (11, 25)),
        ("Save 20% on all coats until Sunday, 29 November.", (11, 29)),
    ],
)
def test_a_deadline_is_found_beside_another_day(text: str, due: tuple[int, int]) -> None:
    understood = excerpt(text, sent=SENT).understood
    assert [one.due for one in understood.deadlines] == [date(2026, *due)]
    assert all(ask.due == date(2026, *due) for ask in understood.asks)


def test_the_total_of_an_order_comes_before_its_items() -> None:
    text = "The Sea, the Sea | 1 | 12,99 €\n\nShipping | | 3,50 €\n\nTotal | | 16,49 €"
    found = excerpt(text, subject="Your order", sent=SENT)
    assert [str(one.value) for one in found.understood.amounts] == ["16.49", "12.99", "3.50"]
    assert "Total | 16,49 €." in found.text
    assert found.understood.amounts[0].words == "Total | 16,49 €"


def test_a_mail_without_blanks_between_words_has_its_point_told() -> None:
    text = (
        "佐藤です。\n\n12月10日(木)の打ち合わせは、14時から15時に変更になりました。"
        "会議室Bでお願いします。\n資料を12月7日までに送ってください。\n\n佐藤花子\n"
    )
    found = excerpt(text, subject="打ち合わせの時間変更", sent=SENT)
    assert "12月10日(木)の打ち合わせは、14時から15時に変更になりました。" in found.text
    assert "資料を12月7日までに送ってください。" in found.text
    assert "佐藤" not in found.text
    assert "。." not in found.text
    assert "資料を12月7日までに送ってください。" in [ask.quote for ask in found.understood.asks]


def test_answers_between_quoted_lines_are_kept() -> None:
    text = (
        "On 20 Nov 2026, Ann wrote:\n> When do we meet?\nLet us meet on Friday at 10:00.\n"
        "> Who brings the cake?\nCould you bring it, please?\n"
    )
    told = excerpt(text, subject="Re: Plan", sent=SENT).text
    assert told == "Let us meet on Friday at 10:00. Could you bring it, please?"


def test_a_mail_that_was_handed_on_twice_says_what_the_innermost_says() -> None:
    inner = "From: Ann <ann@x.example>\nTo: Bob\nSubject: Keys\n\nPlease return the keys by Friday."
    text = (
        "FYI\n\n---------- Forwarded message ---------\nFrom: Bob <bob@x.example>\nTo: Ada\n"
        f"Subject: Fwd: Keys\n\nsee below\n\n---------- Forwarded message ---------\n{inner}"
    )
    told = excerpt(text, subject="Fwd: Fwd: Keys", sent=SENT).text
    assert told == "Please return the keys by Friday."


HOSTILE = st.text(
    alphabet=st.one_of(
        st.sampled_from(list("aAbe .,:;!?-–_*>|()[]<>@/€$0123456789\n\n\t=#\"'")),
        st.sampled_from(["\u200b", "\u0301", "\ud800", "\x00", "\ufdfa", "ß", "İ", "\u3002", "\r"]),
        st.characters(),
    ),
    max_size=400,
)
PIECES = st.lists(
    st.sampled_from(
        [
            *(
                "please",
                "bitte",
                "could you",
                "by Friday",
                "bis 3.12.",
                "30 November 2026",
                "€ 40.00",
            ),
            *("1.250 EUR", "at 10:00", "On Mon, 1 wrote:", "> ", "\n", "\n\n", "-- \n", "31/12/26"),
            *(
                "Fwd: ",
                "unsubscribe",
                "Best regards\n",
                "Hi Ada,",
                "[a](https://b.c)",
                "z. B.",
                "?",
            ),
            *("pay-\nment", "=C3=BC", "\u200b", "today", "morgen", "p.s. ", "a" * 500, ". "),
            "From: x\nTo: y\n",
        ]
    ),
    max_size=60,
).map(" ".join)


@given(st.one_of(HOSTILE, PIECES), st.one_of(HOSTILE, PIECES))
def test_no_text_breaks_it_and_what_it_says_is_bounded_and_borne_out(
    text: str, subject: str
) -> None:
    made = excerpt(text, subject=subject, sent=SENT)
    assert len(made.text) <= LENGTH
    assert made == excerpt(text, subject=subject, sent=SENT)
    whole = f"{subject}\n\n{text}"
    facts = made.understood
    for fact in (*facts.asks, *facts.dates, *facts.amounts, *facts.deadlines):
        assert stands_in(fact.quote, whole)
    assert checked(facts, whole, sent=SENT) == (facts, 0)


@pytest.mark.parametrize(
    "sum", ["EUR 1.000.000.000.000", "1'000'000'000'000,00 CHF", "$999,999,999,999,999.99"]
)
def test_a_mail_that_names_more_money_than_there_is_has_an_excerpt(sum: str) -> None:
    understood = excerpt(f"Please pay {sum} by 30 November.", sent=SENT).understood
    assert understood.asks
    assert understood.amounts == ()


WORST = (
    *("?", "!?", ". ", "> ", "On 1 a\n", "From: x\nTo: y\n\n", "-- \n", "Thanks\n", "a-\n", "[]("),
    *("1,", "https://", "€1", "\u0301\u0316", "\ufdfa", "bitte ", "a: ", "\n", "Mo. 1", "hoffe "),
    *("total 1 eur " * 9 + "\n", "by Monday " * 9 + "\n", "tomorrow " * 9 + "\n"),
)


@pytest.mark.slow
@pytest.mark.parametrize("piece", WORST)
def test_a_megabyte_of_the_worst_takes_no_long_time(piece: str) -> None:
    text = piece * (1_000_000 // len(piece))
    excerpt("30 November")  # what is made at the first use does not count
    began = time.thread_time()
    made = excerpt(text, subject=text, sent=SENT)
    assert time.thread_time() - began < 2
    assert len(made.text) <= LENGTH
    assert COUNT == 3
