"""What a person does not see is removed and counted; what a word or an emoji needs stays."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.domain.text.invisible import (
    count_invisible,
    json_without_invisible,
    say_invisible,
    says_invisible,
    without_invisible,
)

UNSEEN = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u180e\u200b\u200c\u200d\u200e\u200f\u202a\u202e\u2060"
    "\u2064\u2066\u2069\u206a\u3164\ufe00\ufe0f\ufeff\uffa0\ufff9\ue000\x00\x1b\x7f\x9b\ud800"
    "\U0001d173\U000e0001\U000e0041\U000e007f\U000e0100\U000e01ef\U000f0000\U0010fffd"
)


@pytest.mark.parametrize("char", UNSEEN)
def test_what_is_drawn_as_nothing_is_removed_and_counted(char: str) -> None:
    text = f"pay{char}{char} now{char}"
    assert without_invisible(text) == "pay now"
    assert count_invisible(text) == 3


@pytest.mark.parametrize(
    "text",
    [
        "Hello\n\tworld\r\n",
        "\u00c4 \u00a0 \u3000 e\u0301 \u6f22\u5b57 \ud55c\uad6d\uc5b4",
        "\u2764\ufe0f \u26a0\ufe0f 1\ufe0f\u20e3 \U0001f469\u200d\U0001f4bb",
        "\U0001f3f3\ufe0f\u200d\U0001f308",
        "\U0001f468\U0001f3fd\u200d\U0001f692 \U0001fae8",
        "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
        "\u0915\u094d\u200d\u0937",
        "\u0600\u0661\u0662",
    ],
)
def test_what_words_and_emoji_need_stays(text: str) -> None:
    assert without_invisible(text) == text
    assert count_invisible(text) == 0


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("a\u200d\u2764", "a\u2764"),
        ("\u2764\ufe0f\ufe0f\ufe0f", "\u2764\ufe0f"),
        ("\u200d\u0645", "\u0645"),
        ("\u0645\u200c\u200c\u0645", "\u0645\u0645"),
        ("\U0001f3f4\U000e0067\U000e0062\U000e007f", "\U0001f3f4"),
    ],
)
def test_what_is_too_much_goes(text: str, seen: str) -> None:
    assert without_invisible(text) == seen
    assert count_invisible(text) == len(text) - len(seen)


def test_names_and_texts_in_json_are_cleaned() -> None:
    value = {"a\u200b": ["b\u200b", 1, None, {"c": "\u2060d"}]}
    assert json_without_invisible(value) == {"a": ["b", 1, None, {"c": "d"}]}


@given(st.text())
def test_what_is_left_has_nothing_invisible(text: str) -> None:
    seen = without_invisible(text)
    assert len(text) - len(seen) == count_invisible(text)
    assert all(char in text for char in seen)
    tags = [
        char for char in seen if 0xE0000 <= ord(char) <= 0xE0FFF or char in "\u200b\u2060\ufeff"
    ]
    assert tags == []


def test_the_count_is_said_in_words() -> None:
    assert say_invisible(0) == ""
    assert say_invisible(1) == "1 invisible character, which no model is shown"
    assert say_invisible(2140) == "2,140 invisible characters, which no model is shown"
    assert says_invisible(say_invisible(1))
    assert says_invisible(say_invisible(2140))
    assert not says_invisible("3 things")
