"""A letter with thousands of marks costs no more time than other text: Python alone sorts them."""

import time
import unicodedata
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.domain.mail.understanding.quotes import plain_words
from assistant.domain.text.comparable import comparable
from assistant.domain.text.compatibility import MARKS, nfkc

HOSTILE = "pay a" + "\u0301\u0316" * 30_000


@pytest.mark.parametrize("form", [nfkc, comparable, plain_words])
def test_many_marks_on_a_letter_take_no_long_time(form: Callable[[str], str]) -> None:
    began = time.thread_time()
    form(HOSTILE)
    assert time.thread_time() - began < 0.5


@given(st.text(alphabet=st.characters() | st.sampled_from("a\u0301\u0316ﬁ"), max_size=MARKS))
def test_other_text_gets_the_form_that_unicode_gives_it(text: str) -> None:
    assert nfkc(text) == unicodedata.normalize("NFKC", text)
