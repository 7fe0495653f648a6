"""An argument that stands in somebody else's text is told apart from one that does not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.domain.calls.call import QuotedArgument
from assistant.domain.calls.quoted_arguments import (
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
