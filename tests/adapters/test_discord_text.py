"""Nothing in others' words is markup, and nothing in them is hidden."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.adapters.discord.text import (
    MARK,
    harmless,
    legible,
    set_apart,
    shortened,
    units,
    words,
)
from tests.discord_markdown import LIVE, kinds, nasty, parse, visible

HIDDEN = "\x00\x07\x1b\x7f\x9b\xad\u034f\u061c\u115f\u180e\u200b\u200e\u200f\u202a\u202e\u2060"
HIDDEN += "\u2066\u2069\u3164\ufe0f\ufeff\ufffb\U000e0001\U000e0041\U000e007f\ud800"


@given(nasty)
def test_others_words_are_one_plain_text(text: str) -> None:
    assert visible(harmless(text)) == legible(text)


@given(nasty, nasty)
def test_they_stay_so_behind_each_other_and_wherever_they_are_cut(one: str, other: str) -> None:
    whole = f"{harmless(one)}{harmless(other)}"
    assert visible(whole) == f"{legible(one)}{legible(other)}"


@given(nasty)
def test_no_address_or_mention_is_left_for_servers_that_read_the_source(text: str) -> None:
    source = harmless(text).lower()
    for live_form in ("://", "<@", "<#", "</", "<t:", "<:", "](", "gg/", "www."):
        assert live_form not in source


@given(nasty)
def test_a_models_words_mention_nobody_and_mask_no_link(text: str) -> None:
    assert not kinds(words(text)) & LIVE


@given(st.text(alphabet=st.sampled_from("aé \n-*_.!?0"), max_size=40))
def test_a_models_markdown_is_kept(text: str) -> None:
    assert words(text) == legible(text)


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("Hi <@1> and <@&2>", "Hi <\\@1> and <\\@&2>"),
        ("@everyone", "\\@everyone"),
        ("x@example.org", "x@example.org"),
        ("See [here](https://a.b).", "See [here]\\(https:\\//a.b)."),
        ("Call handlers[name](event).", "Call handlers[name](event)."),
        ("See https://a.b", "See https://a.b"),
        ("</help:1> </div>", "<\\/help:1> </div>"),
        ("<t:1:R> <a:b:1> <:b:1>", "<t\\:1:R> <a\\:b:1> <\\:b:1>"),
        ("-# record: Done: A1.", "| \\-# record: Done: A1."),
        ("> -# small", "| > \\-# small"),
        ("**Record:** Done", "| **Record:** Done"),
        ("  [record] x: y", "  [record] x: y"),
        ("The record: broken", "The record: broken"),
        ("- one\n- two", "- one\n- two"),
    ],
)
def test_what_a_model_says_shows_as_it_is_written(said: str, shown: str) -> None:
    assert words(said) == shown


def test_a_backslash_does_not_help_a_mention_out_of_its_escape() -> None:
    assert "mention" not in kinds(words("\\<@1> \\\\<@1> `\\`<@1> https://x<@1> \\@everyone"))
    assert "mention" not in kinds(words("https://x\\<@1>"))


def test_an_escaped_bracket_does_not_help_a_masked_link() -> None:
    assert "link" not in kinds(words("[a\\](https://b.c) \\[a](https\\://b.c)"))


def test_a_bar_is_put_once() -> None:
    assert set_apart(set_apart("record: x")) == "| record: x"
    assert set_apart(harmless(set_apart("-# x"))) == harmless("| -# x")


@given(st.text(alphabet=st.sampled_from(HIDDEN + "a \n1"), max_size=30))
def test_nothing_is_hidden_in_plain_words(text: str) -> None:
    shown = legible(text)
    assert not set(shown) & set(HIDDEN)
    assert (MARK in shown) == bool(set(text) & set(HIDDEN))


@given(st.text())
def test_only_spelling_brings_format_characters(text: str) -> None:
    kept = {c for c in legible(text) if unicodedata.category(c) in ("Cf", "Cc", "Cs")}
    signs = set("\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2")
    shown = kept - signs - set("\n\t\u200c\u200d")
    assert all("\U000110bd" <= c <= "\U0001345f" for c in shown)


@pytest.mark.parametrize(
    "spelling",
    [
        "می\u200cخواهم",  # noqa: RUF001 (Persian)
        "क्\u200dष",
        "👨\u200d👩\u200d👧\u200d👦",
        "❤\ufe0f\u200d🔥",
        "🏳\ufe0f\u200d🌈",
        "👍🏽",
        "1\ufe0f\u20e3",
        "葛\U000e0100",
        "tie\u0302\u0301ng",
        "a\n\n\nb",
        "  indented\tby tab",
    ],
)
def test_how_words_and_pictures_are_written_is_kept(spelling: str) -> None:
    assert legible(spelling) == spelling


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("pay\u202e001$\u202c", f"pay{MARK}001${MARK}"),
        ("pass\u00adword", f"pass{MARK}word"),
        ("a\u200b\u200b\u200bb", f"a{MARK}b"),
        ("a\u200db", f"a{MARK}b"),
        ("a\ufe0f", f"a{MARK}"),
        ("a" + "\u0301" * 40, "a" + "\u0301" * 4 + MARK),
        ("a" + "\n" * 40 + "b", "a\n\n\nb"),
        ("a\n \n\t\n  \n \nb", "a\n\n\nb"),
        ("a\r\nb\rc\u2028d\x0be", "a\nb\nc\nd\ne"),
        ("hi" + "".join(chr(0xE0000 + ord(c)) for c in "obey"), f"hi{MARK}"),
    ],
)
def test_what_would_hide_is_seen_and_bounded(text: str, shown: str) -> None:
    assert legible(text) == shown


@given(st.text(), st.integers(2, 30))
def test_a_name_of_ours_is_cut_to_size(text: str, most: int) -> None:
    assert units(shortened(text, most)) <= most


def test_the_model_of_discord_sees_markup_where_there_is_some() -> None:
    text = "**b** <@1> [a](https://b) <t:1:R> ||s|| `c`\n# h\n-# s\n- l\n> q\n@here :x: www.a.b"
    seen = {"strong", "mention", "link", "timestamp", "spoiler", "inline code", "heading"}
    seen |= {"subtext", "list", "quote", "emoji", "www", "text"}
    assert kinds(text) == seen
    assert parse("\\*a\\*") == [("text", "*a*")]
