"""The sink outside the database: a plugin whose tools append one line for each execution.

What a tool can do for the one who asks about an interrupted call differs, and so there are four
kinds. ``reads`` changes nothing, so it may run again. ``keyed`` refuses a second line of a call.
``settles`` can be asked whether a call happened. ``neither`` can do nothing of the kind.
"""

import fcntl
import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from assistant.tools import (
    AskFirst,
    Facts,
    Irreversible,
    Line,
    Reach,
    Result,
    Risk,
    Scopes,
    Tool,
    ToolContext,
    Unreachable,
    Unsure,
    cannot_tell,
    change_tool,
    keyed_effect,
    read_tool,
)
from assistant.tools.contract.plugins import GROUP

PLUGIN = "prove"
TIMEOUT = 1.0
"""Seconds; less than the leases of this harness, so that a tool may begin."""


class Kind(StrEnum):
    READS = "reads"
    KEYED = "keyed"
    SETTLES = "settles"
    NEITHER = "neither"

    @property
    def tool(self) -> str:
        return f"sink_{self.value}"


ONCE = (Kind.KEYED, Kind.SETTLES, Kind.NEITHER)
"""Kinds of which a call may have one line at the most."""


class Append(BaseModel):
    """Append a line to the sink."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"sink": "/x", "number": 1}]}
    )
    sink: str
    number: int
    ask: bool = False
    """Whether a person is asked first."""
    before: float = Field(default=0.0, ge=0, le=10)
    """Seconds to work before the line is written."""
    after: float = Field(default=0.0, ge=0, le=10)
    """Seconds to work after it."""
    first: Literal["", "busy", "unsure, and done", "unsure, and not done"] = ""
    """How the first attempt goes wrong."""


class Appended(BaseModel):
    """Nothing for programs."""


class SinkLine(BaseModel):
    """One execution."""

    model_config = ConfigDict(frozen=True)
    call: str
    kind: Kind
    attempt: int
    pid: int
    at: float


class Sink:
    """A file of lines, each written whole and flushed to the disk."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def append(self, line: SinkLine, *, once: bool = False) -> bool:
        """Append a line; with ``once``, return False if the call has one already."""
        with self._opened() as opened:
            if once and self.has(line.call):
                return False
            os.write(opened, line.model_dump_json().encode() + b"\n")
            os.fsync(opened)
            return True

    def has(self, call: str) -> bool:
        return f'"call":"{call}"'.encode() in self.file.read_bytes()

    def lines(self) -> list[SinkLine]:
        if not self.file.exists():
            return []
        return [SinkLine(**json.loads(line)) for line in self.file.read_text().splitlines()]

    @contextmanager
    def _opened(self) -> Iterator[int]:
        """Open the file alone: who looks and then writes is not overtaken."""
        opened = os.open(self.file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            fcntl.flock(opened, fcntl.LOCK_EX)
            yield opened
        finally:
            os.close(opened)


def install(site: Path) -> None:
    """Make what ``pip`` leaves of a package: who has ``site`` on the path finds it."""
    info = site / f"{PLUGIN}-1.0.dist-info"
    info.mkdir(parents=True)
    metadata = f"Metadata-Version: 2.1\nName: {PLUGIN}\nVersion: 1.0\n"
    (info / "METADATA").write_text(metadata, encoding="utf-8")
    points = f"[{GROUP}]\n{PLUGIN} = {__name__}:tools\n"
    (info / "entry_points.txt").write_text(points, encoding="utf-8")


def tools() -> list[Tool[Any]]:
    return [_reads(), *map(_changes, ONCE)]


def _inspect(args: Append, _context: ToolContext) -> list[Facts]:
    return [Facts(args=args.model_dump(), destination=args.sink, locations=(args.sink,))]


def _executing(kind: Kind) -> Any:
    def execute(facts: Facts, context: ToolContext) -> Result:
        args = Append.model_validate(facts.args)
        attempt = int(getattr(context.cause, "attempts", 1))
        wrong = args.first if attempt == 1 else ""
        time.sleep(args.before)
        if wrong == "busy":
            raise Unreachable("the sink is busy")
        if wrong == "unsure, and not done":
            raise Unsure("the sink did not answer")
        line = SinkLine(
            call=context.call, kind=kind, attempt=attempt, pid=os.getpid(), at=time.time()
        )
        Sink(Path(args.sink)).append(line, once=kind is Kind.KEYED)
        if wrong:
            raise Unsure("the sink did not answer in time")
        time.sleep(args.after)
        return _result()

    return execute


def _reconcile(facts: Facts, context: ToolContext) -> Result | None:
    return _result() if Sink(Path(facts.args["sink"])).has(context.call) else None


def _result() -> Result:
    return Result(text="appended", told="Appended.")


def _card(facts: Facts, _zone: str) -> tuple[Line, ...]:
    return (Line(label="Number", value=str(facts.args["number"])),)


def _reads() -> Tool[Any]:
    return read_tool(
        Kind.READS.tool,
        title="Read the sink",
        args=Append,
        result=Appended,
        scopes=Scopes(paths=("/**",)),
        ask_first=AskFirst(when=lambda facts: bool(facts.args["ask"]), card=_card),
        timeout=TIMEOUT,
        inspect=_inspect,
        execute=_executing(Kind.READS),
    )


def _changes(kind: Kind) -> Tool[Any]:
    return change_tool(
        kind.tool,
        title=f"Append to the sink ({kind})",
        args=Append,
        result=Appended,
        scopes=Scopes(paths=("/**",)),
        reach=Reach.WRITES,
        risk=lambda facts: Risk.HIGH if facts.args["ask"] else Risk.LOW,
        timeout=TIMEOUT,
        inspect=_inspect,
        execute=_executing(kind),
        effect=keyed_effect(f"sink.{kind}", lambda _facts, call: call),
        reconcile=cannot_tell if kind is Kind.NEITHER else _reconcile,
        inverse=Irreversible("a line was written"),
        card=_card,
        expires_at=None,
    )
