"""One history for both databases: up, down and up again, and never twice at once."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import inspect, text

import migrations
from assistant.adapters.sql.driver import Engines, make_engines
from assistant.adapters.sql.mails import POSTGRES_VECTOR
from assistant.domain.calls.call import Facts
from assistant.domain.errors import Misconfigured, Unreachable
from assistant.domain.jobs.job import Cause
from assistant.domain.mail.mail import MailQuery, MailState
from assistant.domain.store import Store
from tests.bed import Bells, HandClock, a_call, a_mail, race
from tests.servers.postgres import PostgresServer
from tests.stores import prepared, sql_store
from workers import migrate, revision

MINE = Cause(owner="owner", trace="a" * 32)


@pytest.fixture(params=["sqlite", "postgres"])
def engines(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Engines]:
    """A database without any tables."""
    if request.param == "sqlite":
        made = make_engines(f"sqlite:///{tmp_path / 'new.sqlite3'}")
    else:
        server: PostgresServer = request.getfixturevalue("postgres")
        made = server.engines(server.make_database())
    yield made
    made.dispose()


def tables(engines: Engines) -> set[str]:
    with engines.read.connect() as connection:
        return set(inspect(connection).get_table_names())


def test_up_down_and_up_again(engines: Engines) -> None:
    migrate.upgrade(engines)
    first = tables(engines)
    assert {"job", "mail", "call", "entry"} <= first
    migrate.downgrade(engines, "base")
    assert tables(engines) == {"alembic_version"}
    migrate.upgrade(engines)
    assert tables(engines) == first


def test_an_upgrade_of_what_is_new_already_changes_nothing(engines: Engines) -> None:
    prepared(engines)
    migrate.upgrade(engines)
    with engines.read.connect() as connection:
        assert connection.execute(text("SELECT count(*) FROM owner")).scalar() == 2


def test_tables_and_migrations_agree(engines: Engines) -> None:
    migrate.upgrade(engines)
    migrate.check(engines)


def test_a_database_says_which_revision_it_has(engines: Engines) -> None:
    assert revision.current(engines) == ""
    migrate.upgrade(engines)
    assert revision.current(engines) == revision.head()


def test_the_code_knows_the_newest_revision() -> None:
    config = Config()
    config.set_main_option("script_location", str(Path(migrations.__file__).parent))
    assert ScriptDirectory.from_config(config).get_current_head() == revision.head()


def test_two_that_upgrade_at_once_do_it_once(engines: Engines) -> None:
    again = make_engines(engines.write.url.render_as_string(hide_password=False))
    assert race(lambda: migrate.upgrade(engines), lambda: migrate.upgrade(again)) == [None, None]
    again.dispose()
    assert revision.current(engines) == revision.head()
    migrate.check(engines)


@pytest.mark.parametrize("times", [1, 2])
def test_mails_are_found_by_words_after_the_way_up(engines: Engines, times: int) -> None:
    for _ in range(times - 1):
        migrate.upgrade(engines)
        migrate.downgrade(engines, "base")
    store = sql_store(prepared(engines), Bells(), HandClock())
    mail = a_mail("Rent")
    with store.begin(MINE) as tx:
        tx.add_mail(mail)
        tx.move_mail(mail, MailState.READ, subject="December")
    with store.read(MINE) as tx:
        assert tx.mails(MailQuery(words="rent")) == []
        assert [found.id for found in tx.mails(MailQuery(words="december"))] == [mail.id]
    if engines.sqlite:
        with engines.write.begin() as connection:
            connection.execute(text("DELETE FROM mail"))
            connection.execute(text("INSERT INTO mail_fts(mail_fts) VALUES ('integrity-check')"))


def test_the_way_down_writes_out_what_was_asked_for(engines: Engines) -> None:
    """The version before stores a long value twice, and reads it so."""
    asked = {"content": "x" * 1_000, "overwrite": 1}
    facts = Facts(args={"overwrite": True, "content": "x" * 1_000})
    store = sql_store(prepared(engines), Bells(), HandClock())
    with store.begin(MINE) as tx:
        talk = tx.conversation_in("terminal", "here", idle=60.0).id
        tx.add_call(a_call(talk, facts=facts, asked=asked))
    migrate.downgrade(engines, "0003")
    with engines.read.connect() as connection:
        stored = connection.execute(text("SELECT asked FROM call")).scalar()
    assert json.loads(str(stored)) == asked


def test_the_search_index_fits_the_search(postgres: PostgresServer) -> None:
    """Postgres uses an index on an expression only for that very expression."""
    engines = prepared(postgres.engines(postgres.make_database()))
    with engines.write.begin() as connection:
        connection.execute(text("SET LOCAL enable_seqscan = off"))
        plan = connection.execute(
            text(
                f"EXPLAIN SELECT number FROM mail WHERE {POSTGRES_VECTOR}"  # noqa: S608 (a constant)
                " @@ to_tsquery('simple', 'rent')"
            )
        )
        assert "ix_mail_search" in "\n".join(plan.scalars())
    engines.dispose()


def test_another_database_is_refused() -> None:
    with pytest.raises(Misconfigured, match="mysql"):
        make_engines("mysql://localhost/assistant")


def test_a_database_without_its_tables_is_misconfigured(engines: Engines) -> None:
    store = sql_store(engines, Bells(), HandClock())
    with pytest.raises(Misconfigured):
        store.jobs()


def begin_to_look(store: Store) -> None:
    with store.begin(MINE) as tx:
        tx.mails(MailQuery())


@pytest.mark.parametrize(
    "use",
    [
        lambda store: store.jobs(),
        lambda store: store.raise_high_water(),
        lambda store: store.read(MINE).__enter__(),
        begin_to_look,
    ],
    ids=["jobs", "raise_high_water", "read", "begin"],
)
def test_a_database_that_is_away_is_unreachable(
    tmp_path: Path, use: Callable[[Store], object]
) -> None:
    engines = make_engines(f"postgresql+psycopg:///assistant?host={tmp_path}")
    store = sql_store(engines, Bells(), HandClock())
    with pytest.raises(Unreachable):
        use(store)
    engines.dispose()
