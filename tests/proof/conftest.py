"""The kinds of database that proofs run on, and the numbers of what was proved."""

import os
from collections.abc import Callable

import pytest

from tests.proof.stage import Stage
from tests.stores import Fresh

TIMES = int(os.environ.get("PROOF_TIMES", "1"))
"""How many times as much is tried."""

_numbers: list[str] = []


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.slow)])
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


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
