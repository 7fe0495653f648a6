"""The word to stop, said by the clock."""

import threading
from threading import Event

import pytest

from assistant.domain.cancel import Cancel
from assistant.domain.tool_errors import Cancelled, TimedOut
from assistant.tools.contract.limited import limited


def test_who_looks_up_after_the_end_is_told_so_without_a_thread() -> None:
    threads = threading.active_count()
    with limited(Cancel(), 0.02) as own:
        own.raise_if()
        assert own.wait(5)
        assert threading.active_count() == threads
        with pytest.raises(TimedOut, match="s are over"):
            own.raise_if()


def test_who_is_to_be_woken_is_woken_at_the_end() -> None:
    woken = Event()
    with limited(Cancel(), 0.02) as own:
        own.when(woken.set)
        assert woken.wait(5)
        with pytest.raises(TimedOut):
            own.raise_if()


def test_who_is_done_before_the_end_is_not_woken() -> None:
    woken = Event()
    with limited(Cancel(), 0.05) as own:
        own.when(woken.set)
    assert not woken.wait(0.1)


def test_a_wait_ends_after_its_own_time_where_that_is_shorter() -> None:
    with limited(Cancel(), 60) as own:
        assert not own.wait(0.01)


def test_it_stops_with_the_other_and_for_its_reason() -> None:
    cancel = Cancel()
    with limited(cancel, 60) as own:
        cancel.cancel("the owner stopped it")
        assert own.wait(5)
        with pytest.raises(Cancelled, match="the owner stopped it"):
            own.raise_if()
