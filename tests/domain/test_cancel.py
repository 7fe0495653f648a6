"""A word to stop is said once and heard everywhere."""

from threading import Thread

import pytest

from assistant.domain.calls.cancel import Cancel
from assistant.domain.calls.tool_errors import Cancelled, TimedOut


def test_nothing_stops_what_nobody_cancelled() -> None:
    cancel = Cancel()
    cancel.raise_if()
    assert not cancel.cancelled
    assert not cancel.wait(0)


def test_whoever_looks_up_is_told_why() -> None:
    cancel = Cancel()
    cancel.cancel("the owner said /stop")
    with pytest.raises(Cancelled, match="the owner said /stop"):
        cancel.raise_if()


def test_the_first_word_counts() -> None:
    cancel = Cancel()
    cancel.time_out("20 s are over")
    cancel.cancel()
    with pytest.raises(TimedOut, match="20 s are over"):
        cancel.raise_if()


def test_a_wait_ends_when_another_thread_says_stop() -> None:
    cancel = Cancel()
    waited: list[bool] = []
    waiter = Thread(target=lambda: waited.append(cancel.wait(30)))
    waiter.start()
    cancel.cancel()
    waiter.join(5)
    assert waited == [True]


def test_what_is_to_be_done_then_is_done_once() -> None:
    cancel, done = Cancel(), list[str]()
    cancel.when(lambda: done.append("kill"))
    forget = cancel.when(lambda: done.append("forgotten"))
    forget()
    cancel.cancel()
    cancel.cancel()
    cancel.when(lambda: done.append("late"))
    assert done == ["kill", "late"]


def test_one_that_was_told_stops_with_the_other_for_its_reason() -> None:
    outer, inner = Cancel(), Cancel()
    outer.tell(inner)
    inner_first = Cancel()
    let_go = outer.tell(inner_first)
    let_go()
    outer.time_out("late")
    with pytest.raises(TimedOut, match="late"):
        inner.raise_if()
    assert not inner_first.cancelled


def test_stopping_what_was_told_stops_nothing_else() -> None:
    outer, inner = Cancel(), Cancel()
    outer.tell(inner)
    inner.cancel()
    assert not outer.cancelled
