"""The harness itself: a short run holds, a sabotaged one is seen. ``make prove`` has the rest."""

from pathlib import Path

import pytest

from tests.prove.bus_killer import Plan, kill_bus_workers
from tests.prove.holders import pid_of
from tests.prove.invariants import Evidence, Invariant, violations
from tests.prove.sabotage import Twin
from tests.prove.sink import Kind, SinkLine


@pytest.mark.slow
@pytest.mark.process
def test_fifty_calls_outlive_their_workers(tmp_path: Path) -> None:
    done = kill_bus_workers(
        "fifty", tmp_path / "fifty", Plan(calls=50, deaths=3.0), database_url="", seed=1
    )
    assert done.violations == []
    assert done.passed
    assert done.calls >= 50


@pytest.mark.slow
@pytest.mark.process
def test_a_twin_that_does_again_what_is_unclear_is_seen(tmp_path: Path) -> None:
    plan = Plan(calls=60, twin=Twin.UNCLEAR, kinds=(Kind.NEITHER,), deaths=10.0)
    done = kill_bus_workers("twin", tmp_path / "twin", plan, database_url="", seed=1)
    assert done.passed
    assert Invariant.ONCE.value in done.broken


def test_a_worker_s_name_is_read_as_it_is_and_as_it_was() -> None:
    assert pid_of("host/17") == 17
    assert pid_of("w1 abc def 4026531836 17 12345.67") == 17
    assert pid_of("") is None
    assert pid_of("somebody else") is None


def call(state: str, kind: Kind = Kind.NEITHER, **more: object) -> dict[str, object]:
    return {
        "id": "c1",
        "number": 1,
        "tool": kind.tool,
        "actor": "owner:me",
        "state": state,
        "told": "",
        "failure": None,
        "facts": {"args": {"number": 1}},
        "supersedes": "",
        **more,
    }


def line(attempt: int = 1, kind: Kind = Kind.NEITHER) -> SinkLine:
    return SinkLine(call="c1", kind=kind, attempt=attempt, pid=1, at=0.0)


UNCLEAR = {"type": "UnknownOutcomeError", "message": "it was interrupted"}
NOTICE = {"id": "unclear-c1", "wanted": {}, "digest": "d", "shown": "d"}


@pytest.mark.parametrize(
    ("found", "broken"),
    [
        (Evidence([call("done")], [line()], [], [], asked=[1]), None),
        (Evidence([call("done")], [line(), line(2)], [], [], asked=[1]), Invariant.ONCE),
        (Evidence([call("done", Kind.READS)], [line(), line(2)], [], [], asked=[1]), None),
        (Evidence([call("done")], [], [], [], asked=[1]), Invariant.DONE),
        (Evidence([call("denied")], [line()], [], [], asked=[1]), Invariant.NOT_DONE),
        (Evidence([call("failed")], [line()], [], [], asked=[1]), Invariant.NOT_DONE),
        (Evidence([call("failed", failure=UNCLEAR)], [line()], [], []), Invariant.TOLD),
        (Evidence([call("failed", failure=UNCLEAR)], [line()], [NOTICE], []), None),
        (Evidence([], [], [], [], asked=[1]), Invariant.NOT_LOST),
        (Evidence([], [], [], [{"id": "j", "failed": 1, "error": "x"}]), Invariant.GIVEN_UP),
        (Evidence([], [], [], [], live=["a job"]), Invariant.QUIET),
        (Evidence([], [], [], [], dead=["worker"]), Invariant.ALIVE),
        (Evidence([], [], [], [], accepted=["Prove-00001"]), Invariant.ANNOUNCED),
    ],
)
def test_each_promise_is_seen_to_break(found: Evidence, broken: Invariant | None) -> None:
    assert {one.invariant for one in violations(found)} == ({broken} if broken else set())
