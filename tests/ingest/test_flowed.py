"""A text that flows is joined to its paragraphs (RFC 3676)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.mime.flowed import unflow


@pytest.mark.parametrize(
    ("text", "joined"),
    [
        ("one \ntwo\nthree", "one two\nthree"),
        ("one \r\ntwo\r\n", "one two\n"),
        ("> one \n> two\n> three", "> one two\n> three"),
        (">> one \n> two", ">> one \n> two"),
        (">one \n>two", "> one two"),
        (" from \n >not a quote", "from >not a quote"),
        ("bye \n-- \nAda", "bye \n-- \nAda"),
        ("-- \nAda \nL", "-- \nAda L"),
        ("one \n\ntwo", "one \ntwo"),
        ("last ", "last "),
        ("", ""),
    ],
)
def test_soft_breaks_are_joined(text: str, joined: str) -> None:
    assert unflow(text) == joined


def test_with_delsp_the_blank_of_a_soft_break_goes() -> None:
    assert unflow("日本 \n語\nend", delsp=True) == "日本語\nend"


@given(st.text("ab >-\n\r ", max_size=60), st.booleans())
def test_no_letter_is_lost(text: str, delsp: bool) -> None:  # noqa: FBT001
    kept = [char for char in unflow(text, delsp=delsp) if char in "ab-"]
    assert kept == [char for char in text if char in "ab-"]
