"""Statements that are prepared by hand say what the driver's own way of carrying them out says."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import psycopg
import pytest
from hypothesis import given
from hypothesis import strategies as st
from psycopg import errors

from assistant.adapters.sql.straight import Straight
from tests.servers.postgres import PostgresServer

TABLE = """
CREATE TABLE thing (id text PRIMARY KEY, number bigint, share double precision, fine boolean,
                    at timestamptz, bytes bytea)
"""
INSERT = """
INSERT INTO thing (id, number, share, fine, at, bytes)
VALUES (%(id)s, %(number)s, %(share)s, %(fine)s, %(at)s, %(bytes)s)
"""
SAME = "SELECT *, 100 %% 7 AS rest FROM thing WHERE id = %(id)s AND id <> %(id)s || '%%'"
THING = {
    "id": "a",
    "number": 1,
    "share": 0.5,
    "fine": True,
    "at": datetime(2026, 11, 22, 10, 30, tzinfo=UTC),
    "bytes": b"\0\xff",
}


@pytest.fixture
def connection(postgres: PostgresServer) -> Iterator[psycopg.Connection[Any]]:
    uri = postgres.url(postgres.make_database()).replace("+psycopg", "")
    with psycopg.connect(uri, autocommit=True, prepare_threshold=None) as connection:
        connection.execute(TABLE)
        yield connection


def twice(straight: Straight, text: str, given: dict[str, Any]) -> Any:
    """The answer to the second time, which is when it is prepared."""
    straight.execute(text, given)
    return straight.execute(text, given)


_TEXT = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]))
values = st.fixed_dictionaries(
    {
        "id": _TEXT,
        "number": st.none() | st.integers(-(2**63), 2**63 - 1),
        "share": st.none() | st.floats(allow_nan=False),
        "fine": st.none() | st.booleans(),
        "at": st.none() | st.datetimes(timezones=st.just(UTC)),
        "bytes": st.none() | st.binary(),
    }
)


@given(given=st.lists(values, min_size=2, max_size=4, unique_by=lambda thing: thing["id"]))
def test_what_goes_in_comes_out_as_it_does_by_the_driver(
    connection: psycopg.Connection[Any], given: list[dict[str, Any]]
) -> None:
    straight = Straight(connection)
    connection.execute("TRUNCATE thing")
    for thing in given:
        assert straight.execute(INSERT, thing).rowcount == 1
    for thing in given:
        ours = twice(straight, SAME, {"id": thing["id"]}).fetchall()
        assert ours == connection.execute(SAME, {"id": thing["id"]}).fetchall()
    found = connection.execute("SELECT * FROM thing").fetchall()
    given_in_order = [tuple(thing[column] for column in THING) for thing in given]
    assert {row[0]: row for row in found} == {row[0]: row for row in given_in_order}


def test_rows_are_counted_as_the_driver_counts_them(connection: psycopg.Connection[Any]) -> None:
    straight = Straight(connection)
    straight.execute(INSERT, THING)
    change = "UPDATE thing SET number = number + %(by)s WHERE id = %(id)s"
    assert [straight.execute(change, {"by": 1, "id": id}).rowcount for id in "aba"] == [1, 0, 1]


@pytest.mark.parametrize("first", [True, False])
def test_what_fails_raises_what_the_driver_raises_and_the_next_goes_well(
    connection: psycopg.Connection[Any],
    first: bool,  # noqa: FBT001 (pytest)
) -> None:
    straight = Straight(connection)
    straight.execute(INSERT, THING)
    if not first:
        straight.execute(INSERT, {**THING, "id": "b"})
    with pytest.raises(errors.UniqueViolation, match="thing_pkey") as failed:
        straight.execute(INSERT, THING)
    assert failed.value.diag.constraint_name == "thing_pkey"
    assert straight.execute(INSERT, {**THING, "id": "c"}).rowcount == 1


def test_a_statement_that_cannot_be_prepared_can_be_later(
    connection: psycopg.Connection[Any],
) -> None:
    straight = Straight(connection)
    counts = "SELECT count(*) FROM thing WHERE id <> %(id)s"
    straight.execute(counts, {"id": ""})
    connection.execute("ALTER TABLE thing RENAME TO other")
    for _ in range(2):
        with pytest.raises(errors.UndefinedTable):
            straight.execute(counts, {"id": ""})
    connection.execute("ALTER TABLE other RENAME TO thing")
    assert straight.execute(counts, {"id": ""}).fetchall() == [(0,)]


@pytest.mark.parametrize(
    "meanwhile",
    [
        "DISCARD ALL",
        "DEALLOCATE ALL",
        "ALTER TABLE thing ALTER COLUMN share TYPE numeric",
        "ALTER TABLE thing ADD COLUMN more text",
        "ALTER TABLE thing DROP COLUMN bytes",
    ],
)
def test_what_is_prepared_no_longer_is_prepared_anew(
    connection: psycopg.Connection[Any], meanwhile: str
) -> None:
    straight = Straight(connection)
    for id in "ab":
        straight.execute(INSERT, {**THING, "id": id, "bytes": None})
    change = "UPDATE thing SET number = number + 1 WHERE id = %(id)s RETURNING *"
    twice(straight, change, {"id": "a"})
    connection.execute(meanwhile)
    assert straight.execute(change, {"id": "a"}).fetchall()[0][:2] == ("a", 4)
    assert twice(straight, change, {"id": "a"}).fetchall()[0][:2] == ("a", 6)


def test_a_connection_that_was_ended_is_told_of_as_broken(
    connection: psycopg.Connection[Any], postgres: PostgresServer
) -> None:
    straight = Straight(connection)
    twice(straight, "SELECT %(id)s::text", {"id": "a"})
    with psycopg.connect(postgres.uri, autocommit=True) as other:
        other.execute("SELECT pg_terminate_backend(%s)", [connection.info.backend_pid])
    with pytest.raises(psycopg.OperationalError):
        straight.execute("SELECT %(id)s::text", {"id": "a"})
    assert connection.broken
