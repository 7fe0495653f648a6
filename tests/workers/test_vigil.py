"""What takes long beats, tells how far it is, and hears a stop from another process."""

import threading
from collections.abc import Iterator

import pytest

from assistant.adapters.sql.driver import Engines
from assistant.domain.calls.call import Call
from assistant.domain.calls.states import CallState
from assistant.domain.jobs.job import Job
from assistant.domain.messages import Run
from assistant.domain.store import Store
from tests.bed import Bells, HandClock, a_call
from tests.stores import sql_store, sqlite_engines
from workers.processes.call_heartbeat import CallHeartbeat


@pytest.fixture
def engines() -> Iterator[Engines]:
    with sqlite_engines() as made:
        yield made


@pytest.mark.slow
def test_a_long_call_beats_and_hears_a_stop(engines: Engines) -> None:
    store = sql_store(engines, Bells(), HandClock())
    job = Job(owner="owner", trace="a" * 32, message=Run(id="c"), claim="c", attempts=1)
    with store.begin(job) as tx:
        conversation = tx.conversation_in("terminal", "owner", idle=60.0)
        call = tx.move(
            tx.add_call(a_call(conversation.id, state=CallState.CLEARED)), CallState.RUNNING
        )
    stopped = threading.Event()
    with CallHeartbeat(store=store, every=0.02).watching(job, call) as watched:
        watched.cancel.when(stopped.set)
        watched.update("first\nhalf \x1b[31mdone\n")
        _until_it_beat(store, job, call)
        assert not stopped.is_set()
        with store.begin(job) as tx:
            tx.ask_stop(call)
        assert stopped.wait(10)


def _until_it_beat(store: Store, job: Job, call: Call) -> None:
    for _ in range(500):
        with store.read(job) as tx:
            now: Call = tx.call(call.id)
        if now.beat is not None:
            assert now.progress == "half  [31mdone"
            return
        threading.Event().wait(0.02)
    pytest.fail("it never beat")
