"""Rows are counted as a terminal breaks them, and what is cut is counted."""

import re

from hypothesis import given
from hypothesis import strategies as st

from assistant.domain.text.rows import cells, cut_to, is_cut, one_row, rows_of, shortened
from workers.cli.terminal.render import EDGE, FURTHER_ROW, fitted

words = st.lists(st.text("ab–“…漢", min_size=1, max_size=50), min_size=1, max_size=12).map(" ".join)


@given(text=words, width=st.integers(16, 60))
def test_a_text_takes_no_more_rows_in_a_terminal_than_are_counted(text: str, width: int) -> None:
    drawn = fitted(f"{EDGE}{text}", width).split("\n")
    room = width - cells(EDGE) - 1  # a letter of two columns may leave one
    set_in = cells(FURTHER_ROW) - cells(EDGE)
    assert len(drawn) <= rows_of(text, room, set_in=set_in) + 1
    assert all(cells(row) <= width for row in drawn)


@given(text=st.text(max_size=120).map(one_row), most=st.integers(9, 60))
def test_what_is_cut_fits_and_says_how_much_is_left(text: str, most: int) -> None:
    short, left = cut_to(text, most)
    if not left:
        assert short == text
        return
    kept, _, count = short.rpartition("… ")
    assert count == f"{left} more"
    assert text.startswith(kept)
    assert len(kept) <= len(text) - left
    assert cells(short) <= max(most, len(f"… {len(text)} more"))
    assert re.search(r"… \d+ more$", short)


@given(text=st.text(max_size=120).map(one_row), most=st.integers(9, 60), part=st.integers(0, 3))
def test_what_is_shortened_fits_and_keeps_its_ends(text: str, most: int, part: int) -> None:
    short = shortened(text, most, tail=most * part // 4)
    assert cells(short) <= most
    head, dots, end = short.partition("…") if short != text else (text, "", "")
    assert text.startswith(head)
    assert text.endswith(end) or "…" in text
    assert bool(dots) == (short != text)
    assert is_cut(cut_to(text, most)[0]) or cells(text) <= most
