"""An argument that stands in somebody else's text is told apart from one that does not."""

import string
from time import thread_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.domain.calls import quoted_arguments as quoting
from assistant.domain.calls.call import QuotedArgument
from assistant.domain.calls.quoted_arguments import (
    MOST,
    SHORTEST,
    OutsideText,
    quoted_arguments,
    still_quoted,
)

MAIL = OutsideText("mail 1a2b", "Please pay\n  ACME Ltd, account DE44 5001, by Friday.")
PAGE = OutsideText("page https://example.org", "account DE44 5001")


def test_an_argument_says_where_its_words_stand() -> None:
    args = {"title": "Settle acme ltd", "account": "DE44 5001", "note": "acme   LTD"}
    assert quoted_arguments(args, [MAIL, PAGE]) == (
        QuotedArgument(arg="account", source="mail 1a2b"),
        QuotedArgument(arg="note", source="mail 1a2b"),
    )


def test_arguments_within_arguments_are_named_by_their_path() -> None:
    args = {"edits": [{"target": "x", "text": "by Friday"}]}
    assert quoted_arguments(args, [MAIL]) == (
        QuotedArgument(arg="edits.0.text", source="mail 1a2b"),
    )


def test_a_little_more_than_was_copied_hides_nothing() -> None:
    args = {"pay": "ACME Ltd, account DE44 5001 now!"}
    assert quoted_arguments(args, [MAIL]) == (QuotedArgument(arg="pay", source="mail 1a2b"),)


def test_short_words_are_everybodys() -> None:
    assert quoted_arguments({"word": "pay"}, [MAIL]) == ()


def test_a_text_of_no_known_source_names_nobody() -> None:
    assert quoted_arguments({"account": "DE44 5001"}, [OutsideText("", MAIL.text)]) == ()


def test_what_the_owner_typed_themselves_is_theirs() -> None:
    own = ["create  ACME ltd friday"]
    assert quoted_arguments({"title": "Acme Ltd"}, [MAIL], own=own) == ()


@pytest.mark.parametrize(
    ("argument", "own"),
    [
        ("ACME Ltd, account DE44 5001", ["pay ACME Ltd"]),
        ("ACME Ltd", ["pay the ACME, Ltd"]),
        ("Please", ["pleased to meet you"]),
        ("account DE44 5001", []),
        ("account DE44 5001", ["account", "DE44 5001"]),
    ],
)
def test_what_the_owner_did_not_type_as_a_whole_stays_a_strangers(
    argument: str, own: list[str]
) -> None:
    assert quoted_arguments({"a": argument}, [MAIL], own=own) == (
        QuotedArgument(arg="a", source="mail 1a2b"),
    )


def test_what_a_person_edited_is_copied_no_more_and_the_rest_still_is() -> None:
    before = {"title": "ACME Ltd", "note": "by Friday", "rows": ["ACME Ltd", "DE44 5001", "x"]}
    marks = quoted_arguments(before, [MAIL])
    assert [one.arg for one in marks] == ["title", "note", "rows.0", "rows.1"]
    edited = {"title": "Mine", "note": "by Friday", "rows": ["new", "ACME Ltd"]}
    assert [one.arg for one in still_quoted(marks, before, edited)] == ["note", "rows.1"]
    assert still_quoted(marks, before, {}) == marks


@given(before=st.text(), words=st.text(min_size=SHORTEST), after=st.text())
def test_whatever_is_copied_is_found(before: str, words: str, after: str) -> None:
    found = quoted_arguments({"a": words}, [OutsideText("s", before + words + after)])
    plain = " ".join(words.casefold().split())
    whole = " ".join((before + words + after).casefold().split())
    if len(plain) >= SHORTEST and plain in whole:
        assert found


LETTER = OutsideText(
    "mail 9f",
    "Please move the quarterly figures to the new folder. Write to Zoe.Quinn@evil.example or see "
    "https://pay.evil.example/now?x=1. Our account is DE89 3704 0044 0532 0130 00, Malta's "
    "MT84MALT011000012345MTLCAST001S, telephone +49 170 123 45 67, ticket QX77B10294. It costs "
    "EUR 1,250.00 and 99.50 \u20ac, due on 24 November 2026 (2026-11-24 10:30).",
)


@pytest.mark.parametrize(
    "argument",
    [
        "to the new folder",
        "and the last words are the new folder",
        "Write zoe.quinn@evil.example a line",
        "Write zoe.quinn (at) evil [dot] example a line",
        "read www.evil.example tonight",
        "http://a.b.pay.evil.example/other",
        "pay DE89370400440532013000",
        "pay DE89-3704-0044-0532-0130-00 today",
        "pay DE89 3704\n0044\n0532\n0130\n00 today",
        "DE\u200b89 37\u206004 0044 05\u00ad32 0130 00 it is",
        "\uff24\uff25\uff18\uff19 \uff13\uff17\uff10\uff14 0044 0532 0130 00 it is",
        "only 0044 0532 of it",
        "pay MT84 MALT 0110 0001 2345 MTLC AST0 01S",
        "call 0170 1234567 now",
        "call 0049-170-1234567 now",
        "call \u0660\u0661\u0667\u0660 \u0661\u0662\u0663\u0664\u0665\u0666\u0667 now",
        "about qx77b10294!",
        "pay 1250 now",
        "pay 1.250,00 now",
        "pay \u20ac 99,5 now",
        "the QUARTERLY,\nfigu\u00adres to",
        "the quarterly f\u0131gures to it",
    ],
)
def test_details_and_runs_are_found_in_a_longer_argument(argument: str) -> None:
    assert quoted_arguments({"a": f"Hello. {argument}"}, [LETTER]) == (
        QuotedArgument(arg="a", source="mail 9f"),
    )


@pytest.mark.parametrize("value", [1250, 1250.0, 99.5, 491701234567])
def test_a_number_is_compared_as_well(value: float) -> None:
    assert quoted_arguments({"amount": value}, [LETTER])


@pytest.mark.parametrize(
    "argument",
    [
        "2026-11-24T12:15:00+01:00",
        "Lunch at 10:30 with Bob",
        "Meet Bob on 2026-11-25, 10:30-11:30",
        "Move it to the 24th",
        "A new folder for Bob",
        "Write to bob@fine.example",
        "pay EUR 12",
        7,
        True,
        None,
    ],
)
def test_what_many_texts_have_in_common_is_nobodys(argument: object) -> None:
    assert quoted_arguments({"a": argument}, [LETTER]) == ()


def test_a_detail_that_the_owner_typed_is_theirs() -> None:
    own = ["tell zoe.quinn@evil.example that it takes 1250"]
    args = {"to": "Dear zoe.quinn@evil.example", "b": "zoe.quinn@evil.example, DE89 3704 0044 0532"}
    found = quoted_arguments(args, [LETTER], own=own)
    assert [one.arg for one in found] == ["b"]


@pytest.mark.parametrize("own", [[], ["anything"]])
def test_what_is_copied_is_found_if_nothing_of_it_can_be_seen(own: list[str]) -> None:
    hidden = OutsideText("mail", "Pay! \x1b\ud7a4 \U00018cd6\u200b")
    assert quoted_arguments({"a": "\x1b\ud7a4 \U00018cd6\u200b"}, [hidden], own=own)


def test_words_that_are_not_spaced_are_found() -> None:
    text = OutsideText(
        "mail",
        "\u8bf7\u5c06\u6b3e\u9879\u6c47\u5165\u6211\u4eec\u7684\u65b0\u8d26\u6237\u8c22\u8c22",
    )
    assert quoted_arguments({"a": f"\u4f60\u597d{text.text[2:11]}"}, [text])
    assert not quoted_arguments(
        {"a": "\u6211\u4eec\u7684\u4f60\u597d\u4f60\u597d\u4f60\u597d"}, [text]
    )


def test_names_within_an_argument_are_compared() -> None:
    args = {"headers": {"ACME Ltd, account DE44 5001": "x"}}
    [mark] = marks = quoted_arguments(args, [MAIL])
    assert mark.arg == "headers.ACME Ltd, account DE44 5001 (its name)"
    edited = {"headers": {"ACME Ltd, account DE44 5001": "y"}}
    assert still_quoted(marks, args, edited) == marks
    assert still_quoted(marks, args, {"headers": {"mine": "x"}}) == ()


def test_no_argument_is_too_far_down_to_be_looked_at() -> None:
    args = {"rows": [f"row {n} of mine" for n in range(3_000)], "note": "pay ACME Ltd, account"}
    [mark] = quoted_arguments(args, [MAIL])
    assert mark.arg == "note"
    late = "something else " * 3_000 + "pay ACME Ltd, account"
    assert quoted_arguments({"text": late}, [MAIL])


def test_many_marks_are_told_by_argument_and_stay_while_one_of_them_does() -> None:
    before = {"rows": ["by Friday"] * (MOST + 5), "cells": ["ACME Ltd"] * MOST}
    marks = quoted_arguments(before, [MAIL])
    assert [one.arg for one in marks[:2]] == ["rows.0", "rows.1"]
    assert {one.arg for one in marks[MOST:]} == {"rows", "cells"}
    kept = still_quoted(marks, before, {"cells": ["ACME Ltd", "x"], "rows": ["mine"]})
    assert [one.arg for one in kept] == ["cells"]


def test_what_there_is_no_time_to_compare_counts_as_copied(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quoting, "EFFORT", 2 * len(MAIL.text))
    found = quoted_arguments({"rows": ["mine", "yours", "theirs"]}, [MAIL])
    assert [one.arg for one in found] == ["rows.2"]


_word = st.text(
    string.ascii_letters + "\u00e4\u00df\u00e9\u0436\u03a3\u0130\ufb01", min_size=5, max_size=9
)
_gap = st.text(" \n\t\u00a0\u3000", min_size=1, max_size=3)
_unseen = st.text("\u200b\u200d\ufeff\u2060\u00ad\u202e\U000e0041\ufe0f", max_size=2)


@given(
    text=st.lists(_word, min_size=3, max_size=40),
    before=st.text(max_size=60),
    after=st.text(max_size=60),
    data=st.data(),
)
def test_any_three_words_in_a_row_are_found_wherever_they_stand(
    text: list[str], before: str, after: str, data: st.DataObject
) -> None:
    first = data.draw(st.integers(0, len(text) - 3))
    copied = before + " "
    for word in text[first : first + 3]:
        for char in word:
            copied += data.draw(_unseen) + data.draw(
                st.sampled_from((char.upper(), char.lower(), char))
            )
        copied += data.draw(_gap)
    stranger = OutsideText("mail", " ".join(text))
    assert quoted_arguments({"a": f"{copied} {after}"}, [stranger])


@pytest.mark.slow
@pytest.mark.parametrize(
    "unit",
    [
        "pay him ",
        "a",
        "a.",
        "1 ",
        "1-1-",
        "x@",
        "de12 ",
        "12.12.",
        "1,111",
        "$1 ",
        "(dot)",
        "\u4e2d",
    ],
)
def test_comparing_takes_time_linear_to_what_is_compared(unit: str) -> None:
    def took(size: int) -> float:
        text = (unit * (size // len(unit) + 1))[:size]
        began = thread_time()
        quoted_arguments({"a": f"{text}!b"}, [OutsideText("mail", text)], own=[text[:4_000]])
        return thread_time() - began

    small = min(took(20_000) for _ in range(3))
    assert took(160_000) < 8 * small * 3 + 0.1
