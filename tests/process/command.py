"""The command line, run inside the test's own process: a fresh one would mostly import."""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from typer import testing
from typer.testing import CliRunner

from tests.logs import own_logging
from workers.cli.app import app
from workers.settings import PREFIX

# Else it reads every signature of the program anew for each command, a third of the time of one.
testing._get_command = cache(testing._get_command)  # type: ignore[attr-defined]


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
    with own_logging():
        done = CliRunner().invoke(app, list(arguments), input=input, env=settings)
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return Ended(done.exit_code, done.stdout, done.stderr)
