"""The command line, run inside the test's own process: a fresh one would mostly import."""

import json
import logging
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from typer.testing import CliRunner

from workers.cli.app import app
from workers.settings import PREFIX


@dataclass(frozen=True)
class Ended:
    """How a command ended."""

    code: int
    out: str
    err: str

    @property
    def value(self) -> Any:
        """What it printed as JSON."""
        return json.loads(self.out)


def run(
    *arguments: str, data: Path, input: bytes = b"", env: Mapping[str, str] | None = None
) -> Ended:
    """One command on a data directory, under no settings but ``env``."""
    unset = {name: None for name in os.environ if name.startswith(PREFIX)}
    settings = {**unset, f"{PREFIX}DATA_DIR": str(data), **(env or {})}
    with _own_logging():
        done = CliRunner().invoke(app, list(arguments), input=input, env=settings)
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return Ended(done.exit_code, done.stdout, done.stderr)


@contextmanager
def _own_logging() -> Iterator[None]:
    """A command sets logging up for a process of its own."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    try:
        yield
    finally:
        root.handlers[:] = handlers
        root.setLevel(level)
