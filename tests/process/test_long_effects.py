"""A tool takes longer than its lease, in a real worker, and is executed exactly once."""

from pathlib import Path

import pytest

from assistant.domain.calls.states import CallState
from assistant.domain.jobs.job import Cause
from assistant.flows.calls.owner_calls import call_tool
from tests.process.rig import Rig
from workers.settings import OWNER

pytestmark = pytest.mark.slow

LEASE = 3.0
MODULE = '''
from pathlib import Path
from pydantic import BaseModel, ConfigDict
from assistant.tools import (
    Facts, Irreversible, Reach, Result, Risk, Scopes, cannot_tell, change_tool, keyed_effect,
)

class Args(BaseModel):
    """Take a while."""
    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"file": "/x"}]})
    file: str

class Told(BaseModel):
    """Nothing for programs."""

def inspect(args, _context):
    return [Facts(args=args.model_dump(), destination=args.file, locations=(args.file,))]

def execute(facts, context):
    with Path(facts.args["file"]).open("a") as sink:
        sink.write(f"{context.call}\\n")
    context.cancel.wait(10)
    return Result(text="done", told="Done.")

TOOL = change_tool(
    "take_a_while", title="Take a while", args=Args, result=Told, scopes=Scopes(paths=("/**",)),
    reach=Reach.WRITES, risk=Risk.LOW, inspect=inspect, execute=execute,
    effect=keyed_effect("while.take", lambda _facts, call: call), reconcile=cannot_tell,
    inverse=Irreversible("it took a while"), card=lambda _facts, _zone: (), expires_at=None,
    timeout=600.0,
)
'''


def install(folder: Path) -> None:
    """Make what ``pip`` leaves of a package: who has ``folder`` on the path finds it."""
    info = folder / "take_a_while-1.0.dist-info"
    info.mkdir(parents=True)
    (folder / "take_a_while.py").write_text(MODULE, encoding="utf-8")
    metadata = "Metadata-Version: 2.1\nName: take_a_while\nVersion: 1.0\n"
    (info / "METADATA").write_text(metadata, encoding="utf-8")
    points = "[assistant.tools]\ntake_a_while = take_a_while:TOOL\n"
    (info / "entry_points.txt").write_text(points, encoding="utf-8")


def place(rig: Rig, cause: Cause, file: Path) -> str:
    """Have the owner call the tool; the id of the call."""
    [placed] = call_tool(
        "take_a_while",
        {"file": str(file)},
        by="test",
        channel="terminal",
        place=OWNER,
        cause=cause,
        ctx=rig.assistant.ctx,
    )
    return placed.id


def test_calls_that_come_at_once_run_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path / "packages")
    monkeypatch.syspath_prepend(tmp_path / "packages")
    with Rig(
        tmp_path,
        roles=("processes", "beat"),
        packages=tmp_path / "packages",
        tools="take_a_while",
    ) as rig:
        cause = rig.assistant.cause()
        ids = [place(rig, cause, tmp_path / f"sink-{number}") for number in range(2)]
        rig.rest()
        with rig.assistant.store.read(cause) as tx:
            calls = [tx.call(id) for id in ids]
        assert {call.state for call in calls} == {CallState.DONE}, rig.logs()
        began = [call.started for call in calls if call.started is not None]
        ended = [call.ended for call in calls if call.ended is not None]
        assert max(began) < min(ended)


def test_a_tool_that_takes_longer_than_its_lease_is_executed_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path / "packages")
    monkeypatch.syspath_prepend(tmp_path / "packages")
    sink = tmp_path / "sink"
    with Rig(
        tmp_path,
        roles=("processes", "beat"),
        packages=tmp_path / "packages",
        lease_seconds=LEASE,
        tools="take_a_while",
    ) as rig:
        cause = rig.assistant.cause()
        placed = place(rig, cause, sink)
        rig.rest()
        with rig.assistant.store.read(cause) as tx:
            call = tx.call(placed)
        assert (call.state, call.fence) == (CallState.DONE, 1), rig.logs()
        assert sink.read_text().splitlines() == [call.id]
        assert call.started is not None
        assert call.ended is not None
        assert (call.ended - call.started).total_seconds() > 3 * LEASE
