"""What is hidden is cut, kept apart and counted; what only looks like hiding stays."""

import pytest

from ingest.html.seen import seen_text
from tests.ingest.html.ways import HIDING, NEVER_TEXT, SEEN

MANY_WAYS, MANY_LOOK_ALIKES = 60, 40


def test_there_are_many_of_each() -> None:
    assert len(HIDING) >= MANY_WAYS
    assert len(SEEN) >= MANY_LOOK_ALIKES


@pytest.mark.parametrize("way", HIDING)
def test_hidden_text_is_cut_and_counted(way: str) -> None:
    seen = seen_text(f"<p>Good morning</p>{HIDING[way]}<p>Goodbye</p>")
    assert "MARK" not in seen.text
    assert "Good morning" in seen.text
    assert any("MARK" in words for words in seen.hidden)
    assert seen.hidden_words == 1
    assert seen.defects == ()


@pytest.mark.parametrize("way", HIDING)
def test_hidden_text_alone_is_cut_in_a_whole_document(way: str) -> None:
    seen = seen_text(f"<!DOCTYPE html><html><head></head><body>{HIDING[way]}</body></html>")
    assert "MARK" not in seen.text
    assert seen.hidden_words == 1


@pytest.mark.parametrize("way", NEVER_TEXT)
def test_markup_is_cut_and_not_counted(way: str) -> None:
    seen = seen_text(f"<p>Good morning</p>{NEVER_TEXT[way]}<p>Goodbye</p>")
    assert "MARK" not in seen.text
    assert seen.hidden_words == 0


@pytest.mark.parametrize("way", SEEN)
def test_what_is_seen_stays(way: str) -> None:
    seen = seen_text(f"<p>Good morning</p>{SEEN[way]}<p>Goodbye</p>")
    assert "MARK" in seen.text
    assert seen.hidden_words == 0


def test_words_that_are_seen_as_well_are_not_counted() -> None:
    preview = "Your order 17 was sent. &zwnj;&nbsp;&zwnj;&nbsp;&#847; &#8203;"
    seen = seen_text(
        f'<div style="display:none">{preview}</div><h1>Good news, Ann</h1>'
        "<p>Your order 17 was sent.</p>"
    )
    assert seen.hidden == ("Your order 17 was sent.",)
    assert seen.hidden_words == 0


def test_blanks_and_padding_are_nothing_hidden() -> None:
    seen = seen_text('<p style="display:none">&zwnj;&nbsp;&#8199;&#847;&shy; </p><p>Hello</p>')
    assert seen.hidden == ()
    assert seen.hidden_words == 0


def test_pieces_are_in_their_order_and_bounded() -> None:
    many = "".join(f"<p hidden>word{number}</p>" for number in range(1_000))
    seen = seen_text(f"{many}<p hidden>{'long ' * 50_000}</p>")
    assert seen.hidden[:2] == ("word0", "word1")
    assert len(seen.hidden) <= 200
    assert sum(map(len, seen.hidden)) <= 20_000
    assert seen.hidden_words == 51_000


def test_the_colours_of_the_body_count() -> None:
    dark = '<html><body bgcolor="#101010"><font color=white>Hello</font></body></html>'
    assert seen_text(dark).text == "Hello"
    pale = '<html><body text="white"><p>Hello</p></body></html>'
    assert seen_text(pale).hidden == ("Hello",)


def test_a_later_body_tag_says_what_the_first_does_not() -> None:
    later = '<body class="a"><p style="color:#fff">Hello</p><body class="b" bgcolor="black">'
    assert seen_text(later).text == "Hello"
    assert seen_text('<p style="color:#fff">Hello</p><!-- <body bgcolor="black"> -->').text == ""
