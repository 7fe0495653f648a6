"""A tool that notes when it begins, and needs a yes; installed as a package's would be."""

from pathlib import Path

from pydantic import BaseModel, ConfigDict

from assistant.tools import (
    Confirmation,
    Facts,
    Irreversible,
    Reach,
    Result,
    Risk,
    Scopes,
    ToolContext,
    cannot_tell,
    change_tool,
    keyed_effect,
)
from assistant.tools.contract.plugins import GROUP
from tests.bench.marks import Marks

NAME = "bench_tool"


class Args(BaseModel):
    """Note in a file when this begins."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"file": "/x"}]})
    file: str


class Noted(BaseModel):
    """Nothing for programs."""


def _inspect(args: Args, _context: ToolContext) -> list[Facts]:
    return [Facts(args=args.model_dump(), destination=args.file, locations=(args.file,))]


def _execute(facts: Facts, _context: ToolContext) -> Result:
    Marks(Path(facts.args["file"])).note()
    return Result(text="noted", told="Noted.")


TOOL = change_tool(
    NAME,
    title="Note the time",
    args=Args,
    result=Noted,
    scopes=Scopes(paths=("/**",)),
    reach=Reach.WRITES,
    risk=Risk.MEDIUM,
    confirmation=Confirmation.ALWAYS,
    inspect=_inspect,
    execute=_execute,
    effect=keyed_effect("bench.note", lambda _facts, call: call),
    reconcile=cannot_tell,
    inverse=Irreversible("a time was noted"),
    card=lambda _facts, _zone: (),
    expires_at=None,
)


def install(folder: Path) -> None:
    """Make what ``pip`` leaves of a package: who has ``folder`` on the path finds it."""
    info = folder / f"{NAME}-1.0.dist-info"
    info.mkdir(parents=True)
    metadata = f"Metadata-Version: 2.1\nName: {NAME}\nVersion: 1.0\n"
    (info / "METADATA").write_text(metadata, encoding="utf-8")
    points = f"[{GROUP}]\n{NAME} = {__name__}:TOOL\n"
    (info / "entry_points.txt").write_text(points, encoding="utf-8")
