"""Reasons why mails are held, by kind."""

import pytest

from assistant.domain.mail.held import (
    HeldGroup,
    HeldReason,
    groups_of,
    has_words,
    kind_of,
    retry_line,
)
from tests.bed import START


@pytest.mark.parametrize(
    ("reason", "kind"),
    [
        ("it has 31 bytes, and 26,214,400 is the most", "it has N bytes, and N is the most"),
        ("its parts are nested too deeply", "its parts are nested too deeply"),
        ("the parser failed on it (ValueError)", "the parser failed on it (ValueError)"),
        ("The message cannot be read: it took more than 10 s", "it took more than N s"),
        ("blob mail/owner/0a1b2c3d4e5f/raw.eml", "blob NAME"),
        ("mail 57822d6a923edf2c from ada@example.org", "mail NAME from NAME"),
        ('no such part: "The rent, due"', "no such part: NAME"),
        ("a part's name isn't there: it's a fault", "a part's name isn't there: it's a fault"),
        ("two\nlines  of it", "two lines of it"),
        ("", ""),
    ],
)
def test_a_kind_has_no_numbers_and_no_names(reason: str, kind: str) -> None:
    assert kind_of(reason) == kind
    assert kind_of(kind_of(reason)) == kind_of(reason)


def test_a_kind_is_short() -> None:
    assert len(kind_of("no word of it can be read " * 100)) <= 120


def test_reasons_of_one_kind_are_one_group_the_newest_first() -> None:
    later = START.replace(hour=12)
    reasons = [
        HeldReason(reason="it has 3 parts", count=2, newest=START),
        HeldReason(reason="it is torn", count=1, newest=START.replace(hour=10)),
        HeldReason(reason="it has 50 parts", count=3, newest=later),
    ]
    assert groups_of(reasons) == [
        HeldGroup(kind="it has N parts", count=5, newest=later),
        HeldGroup(kind="it is torn", count=1, newest=START.replace(hour=10)),
    ]


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("", True),
        ("more than 200 parts", True),
        ("More  Than", True),
        ("more than N parts", True),
        ("more than 100 parts", False),
        ("levels", False),
    ],
)
def test_words_are_looked_for_in_the_reason_and_its_kind(words: str, *, found: bool) -> None:
    assert has_words("it has more than 200 parts", words) is found


def test_the_command_that_is_told_finds_its_group() -> None:
    reason = 'part "a" of it isn\'t a part of /a/b, which has 7 ' + "long words " * 30
    [group] = groups_of([HeldReason(reason=reason, count=1, newest=START)])
    assert has_words(reason, group.kind)
    assert retry_line(group).startswith("assistant mail retry --all --reason 'part NAME of it isn'")
