"""A statement runs alike however it is run: in a transaction or alone, prepared or composed."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import bindparam, column, select, text, update
from sqlalchemy.exc import IntegrityError

from assistant.adapters.sql.driver import Engines, LazyTransaction, Prepared, SqlResult, Statement
from assistant.adapters.sql.tables import HighWaterRow, ScreenRow, table
from tests.stores import emptied, sqlite_engines

TIMES = table(HighWaterRow)
LINES = table(ScreenRow)
NOON = datetime(2026, 11, 22, 12, tzinfo=UTC)
ADD = TIMES.insert().values(id=bindparam("id"), at=bindparam("at"))
CHANGE = update(TIMES).where(TIMES.c.id >= bindparam("least")).values(at=bindparam("later"))
ALL = select(TIMES).order_by(TIMES.c.id)
RENUMBER = text("UPDATE high_water SET id = id + :by RETURNING id").columns(column("id"))


@pytest.fixture(params=["sqlite", "postgres"])
def engines(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Engines]:
    if request.param == "postgres":
        yield emptied(request.getfixturevalue("migrated_postgres"))
    else:
        made = sqlite_engines(tmp_path)
        yield made
        made.dispose()


@pytest.fixture(params=[True, False], ids=["prepared", "composed"])
def as_run(request: pytest.FixtureRequest) -> Any:
    """Prepare a statement, or leave it as it is."""
    return Prepared if request.param else lambda statement: statement


class Runner:
    """Runs statements in one of the three ways."""

    def __init__(self, engines: Engines, way: str) -> None:
        self._engines = engines
        self._way = way

    def run(self, statement: Statement, values: dict[str, Any] | None = None) -> SqlResult:
        if self._way == "in a transaction":
            with LazyTransaction(self._engines, writing=True) as transaction:
                return transaction.run(statement, values)
        durable = self._way == "flushed"
        return self._engines.autocommit.run(statement, values, durable=durable)

    def read(self, statement: Statement) -> list[dict[str, Any]]:
        if self._way == "in a transaction":
            with LazyTransaction(self._engines, writing=False) as transaction:
                return transaction.run(statement).rows
        return self._engines.autocommit.read(statement).rows


@pytest.fixture(params=["in a transaction", "flushed", "unflushed"])
def runner(request: pytest.FixtureRequest, engines: Engines) -> Runner:
    return Runner(engines, request.param)


def test_rows_come_back_as_they_went_in_and_changes_are_counted(
    runner: Runner, as_run: Any
) -> None:
    for number in (1, 2, 3):
        assert runner.run(as_run(ADD), {"id": number, "at": NOON}) == SqlResult([], 1)
    later = NOON.replace(hour=13)
    assert runner.run(as_run(CHANGE), {"least": 2, "later": later}).changed == 2
    assert runner.run(as_run(CHANGE), {"least": 9, "later": later}) == SqlResult([], 0)
    assert runner.read(as_run(ALL)) == [
        {"id": 1, "at": NOON},
        {"id": 2, "at": later},
        {"id": 3, "at": later},
    ]


def test_a_change_that_returns_rows_is_carried_out_and_counted(runner: Runner, as_run: Any) -> None:
    for number in (1, 2):
        runner.run(as_run(ADD), {"id": number, "at": NOON})
    changed = runner.run(as_run(RENUMBER), {"by": 10})
    assert (sorted(row["id"] for row in changed.rows), changed.changed) == ([11, 12], 2)
    assert [row["id"] for row in runner.read(as_run(ALL))] == [11, 12]


def test_what_fails_changes_nothing_and_the_next_goes_well(runner: Runner, as_run: Any) -> None:
    runner.run(as_run(ADD), {"id": 1, "at": NOON})
    with pytest.raises(IntegrityError):
        runner.run(as_run(ADD), {"id": 1, "at": NOON})
    runner.run(as_run(ADD), {"id": 2, "at": NOON})
    assert [row["id"] for row in runner.read(as_run(ALL))] == [1, 2]


def test_a_row_whose_number_the_database_gives_is_counted(runner: Runner) -> None:
    line = {"owner": "owner", "place": "owner", "key": "a", "shown": {}, "revision": 1, "drawn": 0}
    assert runner.run(LINES.insert(), {**line, "at": NOON}) == SqlResult([], 1)
    assert [row["number"] for row in runner.read(select(LINES))] != [None]


@pytest.mark.parametrize("many", [0, 1, 3, 4, 40])
def test_a_statement_is_run_for_each_of_few_values_and_of_many(engines: Engines, many: int) -> None:
    with LazyTransaction(engines, writing=True) as transaction:
        each = [{"id": number, "at": NOON} for number in range(many)]
        assert transaction.run_each(Prepared(ADD), each) == many
        change = [{"least": number, "later": NOON} for number in range(many)]
        assert transaction.run_each(Prepared(CHANGE), change) == many * (many + 1) // 2
        assert len(transaction.run(ALL).rows) == many


def test_rows_whose_columns_a_prepared_statement_does_not_name_are_refused(
    engines: Engines,
) -> None:
    unnamed = Prepared(text("SELECT id FROM owner"))
    with pytest.raises(ValueError, match="zip"), LazyTransaction(engines, writing=False) as reading:
        reading.run(unnamed)


def test_a_lone_read_waits_for_no_writer(engines: Engines, as_run: Any) -> None:
    with ThreadPoolExecutor(1) as pool, LazyTransaction(engines, writing=True) as writing:
        writing.run(ADD, {"id": 1, "at": NOON})
        assert pool.submit(engines.autocommit.read, as_run(ALL)).result(30).rows == []
    assert len(engines.autocommit.read(as_run(ALL)).rows) == 1


def test_a_transaction_that_runs_nothing_takes_no_connection(engines: Engines) -> None:
    taken: Any = engines.write.pool
    with LazyTransaction(engines, writing=True) as transaction:
        assert (transaction.begun, taken.checkedout()) == (False, 0)
        transaction.run(ALL)
        assert (transaction.begun, taken.checkedout()) == (True, 1)
    assert taken.checkedout() == 0
