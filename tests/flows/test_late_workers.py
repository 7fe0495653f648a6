"""A worker that lost its job, and does not know it yet, touches nothing of who has it now."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from threading import Event

import pytest

from assistant.domain.approvals.approval import Verb
from assistant.domain.calls.call import Facts
from assistant.domain.calls.states import CallState
from assistant.domain.conversation.conversation import Want
from assistant.domain.errors import LeaseLost
from assistant.domain.jobs.job import Job
from assistant.domain.messages import Run
from assistant.tools import Result, ToolContext
from tests.tools.lamps import Lamp, lamp_tool
from tests.tools.wired import with_tools
from tests.world import World


def test_a_worker_that_wakes_up_late_leaves_a_running_call_alone(world: World) -> None:
    """It claimed the job, slept for longer than its lease, and goes on while another executes."""
    lamps = {"hall": Lamp()}
    tool = lamp_tool(lamps)
    late: list[Job] = []
    seen: list[CallState] = []

    def execute(facts: Facts, context: ToolContext) -> Result:
        if late:
            job = late.pop()
            with pytest.raises(LeaseLost):
                house.bus._routes[Run].run(job.message, job)
            seen.append(house.call().state)
        return tool.execute(facts, context)

    house = with_tools(world, replace(tool, execute=execute))
    house.asks(Want(tool="switch_lamp", args={"lamp": "hall", "on": True}))
    house.presses(Verb.APPROVE, settle=False)
    job = house.store.claim(Run(id=house.call().id).name, worker="late")
    assert job is not None
    late.append(job)
    house.store.release([job.claim])
    house.settle()
    assert seen == [CallState.RUNNING]
    assert house.call().state is CallState.DONE
    assert len(lamps["hall"].switches) == 1


@pytest.mark.slow
def test_a_worker_that_asked_the_world_for_too_long_clears_nothing(world: World) -> None:
    """It hears that nothing happened when another, who heard the same, executes already."""
    lamps = {"hall": Lamp()}
    tool = lamp_tool(lamps)
    assert tool.change is not None
    change = tool.change
    asking, go_on = Event(), Event()
    seen: list[CallState] = []

    def reconcile(facts: Facts, context: ToolContext) -> Result | None:
        found = change.reconcile(facts, context)
        if not asking.is_set():
            asking.set()
            assert go_on.wait(10)
        return found

    def execute(facts: Facts, context: ToolContext) -> Result:
        go_on.set()
        assert isinstance(late.exception(10), LeaseLost)
        seen.append(house.call().state)
        return tool.execute(facts, context)

    slow = replace(tool, execute=execute, change=replace(change, reconcile=reconcile))
    house = with_tools(world, slow)
    house.asks(Want(tool="switch_lamp", args={"lamp": "hall", "on": True}))
    house.presses(Verb.APPROVE, settle=False)
    interrupted(house)
    name = Run(id=house.call().id).name
    job = house.store.claim(name, worker="late")
    assert job is not None
    with ThreadPoolExecutor(1) as pool:
        late = pool.submit(house.bus._routes[Run].run, job.message, job)
        assert asking.wait(10)
        house.store.release([job.claim])
        assert house.bus.answer(name)
    assert seen == [CallState.RUNNING]
    assert house.call().state is CallState.DONE
    assert len(lamps["hall"].switches) == 1


def interrupted(house: World) -> None:
    """Leave the call as a worker does that is killed before it acts."""
    with house.store.begin(house.cause) as tx:
        call = tx.move(tx.call(house.call().id, lock=True), CallState.RUNNING)
        change = house.toolbox[call.tool].change
        assert change is not None
        tx.intend(change.effect(call.facts, call.id).model_copy(update={"fence": call.fence}))
