"""A tool that notes when it begins, and needs a yes; installed as a package's would be."""

from pathlib import Path

from pydantic import BaseModel, ConfigDict

from assistant.domain.calls.call import Facts, Reach, Risk
from assistant.domain.policy.traits import Confirmation
from assistant.tools.contract import Tool
from assistant.tools.errand import Errand
from assistant.tools.plugins import GROUP
from assistant.tools.results import Result
from tests.bench.marks import Marks

NAME = "bench_tool"


class Args(BaseModel):
    """Note in a file when this begins."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"file": "/x"}]})
    file: str


def _look(args: Args, _errand: Errand) -> list[Facts]:
    return [Facts(args=args.model_dump(), destination=args.file)]


def _act(facts: Facts, _errand: Errand) -> Result:
    Marks(Path(facts.args["file"])).note()
    return Result(text="noted", told="Noted.")


TOOL = Tool(
    name=NAME,
    title="Note the time",
    args=Args,
    reach=Reach.WRITES,
    risk=lambda _facts: Risk.MEDIUM,
    confirmation=Confirmation.ALWAYS,
    irreversible="a time was noted",
    look=_look,
    act=_act,
)


def install(folder: Path) -> None:
    """Make what ``pip`` leaves of a package: who has ``folder`` on the path finds it."""
    info = folder / f"{NAME}-1.0.dist-info"
    info.mkdir(parents=True)
    metadata = f"Metadata-Version: 2.1\nName: {NAME}\nVersion: 1.0\n"
    (info / "METADATA").write_text(metadata, encoding="utf-8")
    points = f"[{GROUP}]\n{NAME} = {__name__}:TOOL\n"
    (info / "entry_points.txt").write_text(points, encoding="utf-8")
