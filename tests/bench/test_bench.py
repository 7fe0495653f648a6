"""That the benchmarks run. What they measure is no test: ``make bench`` says it."""

import json

import pytest

from tests.bench.__main__ import main
from tests.bench.comparison import Aim


@pytest.mark.process
@pytest.mark.slow
def test_every_benchmark_measures_something_beside_something(
    capsys: pytest.CaptureFixture[str],
) -> None:
    main(["--size", "1", "--rounds", "1", "--json"])
    found = json.loads(capsys.readouterr().out)
    assert {
        "availability of a week, 20 events",
        "durable path, SQLite",
        "idle latency, Postgres",
        "press to tool start, Postgres",
        "ReadMail, 1 KB text",
        "idle memory of up, beside 320 MiB",
    } <= {one["name"] for one in found}
    assert all(one["ours"] > 0 and one["beside"] > 0 for one in found)


def test_an_aim_is_met_at_its_bound_and_missed_beyond() -> None:
    assert Aim(most=1.3).met(1.3)
    assert not Aim(most=1.3).met(1.31)
    assert Aim(least=0.6).met(0.6)
    assert not Aim(least=0.6).met(0.59)
