import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from assistant.domain.errors import Misconfigured, Transient
from assistant.domain.failpoints import arm, handling, hit, parse_failpoints


@pytest.fixture(autouse=True)
def disarmed() -> Iterator[None]:
    yield
    arm({})


def test_nothing_happens_unless_armed() -> None:
    hit("commit.before")
    arm(parse_failpoints("commit.after=fail"))
    hit("commit.before")
    with pytest.raises(Transient):
        hit("commit.after")


def test_a_place_of_one_kind_of_message_is_its_own() -> None:
    arm(parse_failpoints("run.effect.after=fail"))
    hit("effect.after")
    token = handling.set("run")
    try:
        with pytest.raises(Transient):
            hit("effect.after")
    finally:
        handling.reset(token)


def test_a_kind_can_be_named_where_the_bus_no_longer_does() -> None:
    arm(parse_failpoints("run.ack.before=fail"))
    hit("ack.before", kind="think")
    with pytest.raises(Transient):
        hit("ack.before", kind="run")


def test_arming_replaces_what_was_armed() -> None:
    arm(parse_failpoints("a=fail"))
    arm(parse_failpoints("b=fail"))
    hit("a")
    arm({})
    hit("b")


def test_with_a_mark_it_happens_once_even_over_restarts(tmp_path: Path) -> None:
    text = f"a=fail@{tmp_path / 'mark'}"
    arm(parse_failpoints(text))
    with pytest.raises(Transient):
        hit("a")
    hit("a")
    arm(parse_failpoints(text))
    hit("a")
    assert (tmp_path / "mark").exists()


def test_several_places_are_read_and_blanks_pass() -> None:
    assert set(parse_failpoints(" a=fail; b=sleep:0.01 ;; c=kill;")) == {"a", "b", "c"}
    assert parse_failpoints("") == {}


def test_sleeping_takes_its_time() -> None:
    arm(parse_failpoints("a=sleep:0.02"))
    began = time.monotonic()
    hit("a")
    assert time.monotonic() - began >= 0.02


@pytest.mark.parametrize("text", ["a", "a=", "a=dance", "=fail", "a=sleep:", "a=sleep:long"])
def test_what_cannot_be_read_is_misconfigured(text: str) -> None:
    with pytest.raises(Misconfigured):
        parse_failpoints(text)
