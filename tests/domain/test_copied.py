"""An argument that stands in somebody else's text is told apart from one that does not."""

from hypothesis import given
from hypothesis import strategies as st

from assistant.domain.calls import Copied
from assistant.domain.copied import SHORTEST, OutsideText, copied

MAIL = OutsideText("mail 1a2b", "Please pay\n  ACME Ltd, account DE44 5001, by Friday.")
PAGE = OutsideText("page https://example.org", "account DE44 5001")


def test_an_argument_says_where_its_words_stand() -> None:
    args = {"title": "Settle acme ltd", "account": "DE44 5001", "note": "acme   LTD"}
    assert copied(args, [MAIL, PAGE]) == (
        Copied(arg="account", source="mail 1a2b"),
        Copied(arg="note", source="mail 1a2b"),
    )


def test_arguments_within_arguments_are_named_by_their_path() -> None:
    args = {"edits": [{"target": "x", "text": "by Friday"}]}
    assert copied(args, [MAIL]) == (Copied(arg="edits.0.text", source="mail 1a2b"),)


def test_a_little_more_than_was_copied_hides_nothing() -> None:
    args = {"pay": "ACME Ltd, account DE44 5001 now!"}
    assert copied(args, [MAIL]) == (Copied(arg="pay", source="mail 1a2b"),)


def test_short_words_are_everybodys() -> None:
    assert copied({"word": "pay"}, [MAIL]) == ()


def test_a_text_of_no_known_source_names_nobody() -> None:
    assert copied({"account": "DE44 5001"}, [OutsideText("", MAIL.text)]) == ()


@given(before=st.text(), words=st.text(min_size=SHORTEST), after=st.text())
def test_whatever_is_copied_is_found(before: str, words: str, after: str) -> None:
    found = copied({"a": words}, [OutsideText("s", before + words + after)])
    plain = " ".join(words.casefold().split())
    whole = " ".join((before + words + after).casefold().split())
    if len(plain) >= SHORTEST and plain in whole:
        assert found
