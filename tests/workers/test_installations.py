"""Two assistants with private calendars on one database: only while both live are they too many."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import text

from assistant.adapters.sql.driver import Engines, make_engines
from assistant.domain.errors import AssistantError, InUse
from tests.bed import race
from tests.servers.postgres import PostgresServer
from workers import migrate
from workers.processes.installations import Installation


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.weather)])
def engines(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Engines]:
    if request.param == "sqlite":
        made = make_engines(f"sqlite:///{tmp_path / 'shared.sqlite3'}")
    else:
        server: PostgresServer = request.getfixturevalue("postgres")
        made = server.engines(server.make_database())
    yield made
    made.dispose()


@pytest.fixture
def first(engines: Engines) -> Installation:
    migrate.upgrade(engines)
    return Installation(engines=engines, id="first", private_calendar=True)


@pytest.fixture
def second(first: Installation) -> Installation:
    return replace(first, id="second")


def silent_for(seconds: float, installation: Installation) -> None:
    with installation.engines.write.begin() as connection:
        connection.execute(
            text("UPDATE installation SET seen = seen - :ago WHERE id = :id"),
            {"ago": seconds, "id": installation.id},
        )


def ids(engines: Engines) -> set[str]:
    with engines.read.connect() as connection:
        return set(connection.execute(text("SELECT id FROM installation")).scalars())


def test_a_second_one_is_refused_with_the_reason_and_what_to_do(
    first: Installation, second: Installation
) -> None:
    first.take()
    silent_for(7, first)
    for refused in (second.check, second.take):
        with pytest.raises(InUse, match=r"heard of [78] s ago.*ASSISTANT_CALDAV_URL"):
            refused()
    assert ids(first.engines) == {"first"}


def test_one_that_says_nothing_any_more_is_not_in_the_way(
    first: Installation, second: Installation
) -> None:
    first.take()
    silent_for(31, first)
    second.check()
    second.take()
    first.say_alive()  # it was only suspended, and goes on
    assert ids(first.engines) == {"first", "second"}


def test_one_that_was_stopped_is_not_in_the_way(first: Installation, second: Installation) -> None:
    first.take()
    first.leave()
    second.take()
    assert ids(first.engines) == {"second"}


def test_the_same_one_starts_again_at_once(first: Installation) -> None:
    first.take()
    first.take()
    assert ids(first.engines) == {"first"}


def test_who_names_a_calendar_is_in_nobodys_way(first: Installation, second: Installation) -> None:
    named = replace(second, private_calendar=False)
    first.take()
    named.take()
    first.take()
    replace(named, id="third").take()


def test_of_two_that_start_at_once_one_is_refused(
    first: Installation, second: Installation
) -> None:
    ended = race(first.take, second.take)
    assert sum(isinstance(one, AssistantError) for one in ended) == 1
    assert len(ids(first.engines)) == 1


def test_one_of_long_ago_is_forgotten(first: Installation, second: Installation) -> None:
    first.take()
    silent_for(100_000, first)
    second.take()
    assert ids(first.engines) == {"second"}


def test_a_database_of_an_older_version_names_nobody(engines: Engines) -> None:
    migrate.upgrade(engines, "0003")
    Installation(engines=engines, id="first", private_calendar=True).check()
