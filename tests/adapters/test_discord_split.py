"""Long words arrive whole, in order, in messages that Discord takes."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.adapters.discord.split import split
from assistant.adapters.discord.text import harmless, legible, units, words
from tests.discord_markdown import LIVE, kinds, nasty, visible

PIECES = (
    *"ab \n`\\é",
    "word ",
    "a longer line of words that goes on\n",
    "\n\n",
    "```",
    "```py\n",
    "\n```\n",
    "e\u0301",
    "\U0001f600",
    "👨\u200d👩\u200d👧",
    "\\*",
    "x" * 70,
    " " * 9,
)
texts = st.lists(st.sampled_from(PIECES), max_size=80).map("".join) | st.text(max_size=400)
limits = st.integers(100, 260)
NEWLINE = "\n"


def open_fence(text: str) -> str | None:
    """How a fence is opened again that is open where the text ends."""
    opened = None
    rest = text
    while found := re.search(r"\\[^0-9A-Za-z\s]|```" if opened is None else "```", rest):
        rest = rest[found.end() :]
        if found[0] == "```":
            language = re.match(r"[\w+.#-]{1,20}\n", rest)
            opened = None if opened else f"```{(language or NEWLINE)[0]}"
            rest = rest[language.end() :] if opened and language else rest
    return opened


def bounded(text: str, limit: int) -> str:
    """The text with runs of blanks as they are at most."""
    return re.sub(r"\s+", lambda run: run[0][: limit // 8], text)


@given(texts, limits)
def test_every_part_keeps_the_limit_and_is_not_blank(text: str, limit: int) -> None:
    for part in split(text, limit):
        assert units(part) <= limit
        assert len(part) <= limit
        assert part.strip()


@given(texts.filter(lambda text: "`" not in text), limits)
def test_no_character_is_lost(text: str, limit: int) -> None:
    parts = split(text, limit)
    assert "".join(parts) == (bounded(text, limit) if text.strip() else "")


@given(texts, limits)
def test_no_character_of_code_is_lost_and_each_part_has_its_fences_whole(
    text: str, limit: int
) -> None:
    """A part is what is opened again, the next of the text, and what is closed."""
    parts = split(text, limit)
    text = bounded(text, limit) if parts else ""
    at = 0
    for part in parts:
        opened = open_fence(text[:at]) if at else None
        body = part.removeprefix(opened or "")
        assert len(body) == len(part) - len(opened or "")
        kept = next(
            body[:end]
            for end in (len(body), len(body) - len("\n```"))
            if text.startswith(body[:end], at)
            and (open_fence(text[: at + end]) is not None) == (end < len(body))
        )
        assert body[len(kept) :] in ("", "\n```")
        at += len(kept)
    assert at == len(text)


@given(nasty.map(lambda text: text * 9), limits)
def test_no_cut_makes_others_words_anything_but_text(text: str, limit: int) -> None:
    parts = split(harmless(text), limit)
    shown = "".join(visible(part) for part in parts)
    assert "".join(shown.split()) == "".join(legible(text).split())


@given(nasty.map(lambda text: text * 9), limits)
def test_no_cut_makes_a_models_words_mention_anybody(text: str, limit: int) -> None:
    for part in split(words(text), limit):
        assert not kinds(part) & LIVE


@given(
    st.lists(st.sampled_from(["e\u0301", "👨\u200d👩\u200d👧", "\U0001f1e9\U0001f1ea", "\\*"])),
    limits,
)
def test_characters_and_escapes_stay_whole(characters: list[str], limit: int) -> None:
    for part in split("".join(characters), limit):
        rest = part
        while rest:
            first = next(character for character in characters if rest.startswith(character))
            rest = rest.removeprefix(first)


def test_paragraphs_go_before_lines_and_lines_before_words() -> None:
    paragraph = "one two three.\nFour five.\n\n" * 4
    text = f"{paragraph}{'six seven ' * 8}"
    first, *_ = split(text, 120)
    assert first.endswith("\n\n")
    first, second = split("line of words\n" * 10, 120)
    assert first.endswith("\n")
    assert second.startswith("line")
    assert all(part.endswith(" ") for part in split("word " * 60, 120))


def test_a_fence_goes_on_with_its_language() -> None:
    code = "".join(f"number_{at} = {at}\n" for at in range(40))
    parts = split(f"Look:\n```py\n{code}```\nDone.", 200)
    assert len(parts) > 2
    for part in parts:
        assert part.count("```") % 2 == 0
    for part in parts[1:]:
        assert part.startswith("```py\nnumber_")
    assert parts[-1].endswith("```\nDone.")
    assert "".join(re.findall(r"number_.*\n", "\n".join(parts))) == code


def test_no_part_has_a_fence_with_nothing_in_it() -> None:
    for before in range(60, 110):
        for part in split(f"{'x' * before}\n```py\n{'y' * 30}\n```\n{'z' * 50}", 100):
            assert not re.search(r"```(?:py)?\s*```", part)


def test_short_words_are_one_message_as_they_are() -> None:
    assert split("```py\nx\n```") == ("```py\nx\n```",)
    assert split("a" * 2_000) == ("a" * 2_000,)
    assert split("\U0001f600" * 1_000) == ("\U0001f600" * 1_000,)
    assert [len(part) for part in split("\U0001f600" * 1_001)] == [998, 3]


def test_blank_words_are_no_message() -> None:
    assert split("") == ()
    assert split(" \n" * 3_000) == ()


def test_blanks_beyond_an_eighth_of_the_limit_are_left_out() -> None:
    assert split(f"a{' ' * 5_000}b") == (f"a{' ' * 250}b",)


def test_a_limit_must_leave_room() -> None:
    with pytest.raises(ValueError, match="100 characters"):
        split("a", 99)


def test_a_character_without_end_takes_no_time() -> None:
    parts = split("👨\u200d👩\u200d" * 20_000)
    assert "".join(parts) == "👨\u200d👩\u200d" * 20_000
