"""Empty stores of each kind, one after the other, and the numbers of what was proved."""

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.proof.stage import Stage
from tests.stores import MakeStore, opened

KINDS = ("memory", "sqlite", "postgres")
TIMES = int(os.environ.get("PROOF_TIMES", "1"))
"""How many times as much is tried."""

_numbers: list[str] = []

Fresh = Callable[[], MakeStore]


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def fresh(kind: str, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Fresh]:
    """Makes an empty store; the one it made before is gone then."""
    held = ExitStack()

    def make() -> MakeStore:
        held.close()
        folder = tmp_path / str(len(list(tmp_path.iterdir())))
        folder.mkdir()
        return held.enter_context(opened(kind, folder=folder, request=request))

    with held:
        yield make


@pytest.fixture
def stage(fresh: Fresh) -> Stage:
    return Stage(fresh())


@pytest.fixture(scope="session")
def tell() -> Callable[[str], None]:
    """Has a line stand below the results."""
    return _numbers.append


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if _numbers:
        terminalreporter.section("what was proved")
        for line in sorted(_numbers):
            terminalreporter.write_line(line)
    _numbers.clear()
