"""Steps of a plan change at the same moment in several places, and its message shows them all."""

from threading import Event, Thread, current_thread
from typing import Any

import pytest

from assistant.domain.approvals.approval import Verb
from assistant.domain.calls.states import CallState
from assistant.domain.conversation.deliveries import Shown
from assistant.flows.calls.undo import undo
from assistant.flows.render import outcomes
from assistant.flows.render.outcomes import plan_as_it_is
from tests.flows.test_batches import booking
from tests.flows.test_plan_card import rows
from tests.stores import opened
from tests.world import ME, World

_S = CallState


def test_a_step_that_is_undone_elsewhere_stays_so_while_another_is_answered(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The undo belongs to another conversation than the plan, and writes see what is committed."""
    with opened("postgres", request) as make:
        world = World(make)
        world.asks(booking("Rent"), booking("Tax", 12))
        world.presses(Verb.APPROVE, "A1")
        undo(("A1",), by=ME, channel="discord", place="dm:42", cause=world.cause, ctx=world.ctx)
        paused, go, denied = Event(), Event(), Event()
        times: list[str] = []

        def slow(*args: Any, **more: Any) -> Shown:
            name = current_thread().name
            times.append(name)
            if name == "worker" and times.count(name) == 2:
                paused.set()
                go.wait(10)
            return plan_as_it_is(*args, **more)

        def works() -> None:
            while world.queue.bells:
                world.bus.answer(world.queue.bells.popleft().job)

        def denies() -> None:
            world.presses(Verb.DENY, "A2", settle=False)
            denied.set()

        monkeypatch.setattr(outcomes, "plan_as_it_is", slow)
        threads = [Thread(target=works, name="worker"), Thread(target=denies, name="owner")]
        threads[0].start()
        assert paused.wait(20)
        threads[1].start()
        denied.wait(2)
        go.set()
        for thread in threads:
            thread.join(30)
        world.settle()
        assert world.states("A1", "A2") == [_S.UNDONE, _S.DENIED]
        assert rows(world)[0].startswith("1 Undone")
        assert rows(world)[1].startswith("2 Denied")
