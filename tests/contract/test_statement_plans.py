"""No statement walks through a table that grows.

Every statement of the store is run on a database as it is after years, and its plan is read. A new
method, or a new parameter of one, has to be called in ``tests/grown/script.py``; what it runs is
tested here without being named.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import pytest

from assistant.adapters.sql.driver import Engines
from assistant.adapters.sql_screen import SqlScreen
from assistant.domain.approvals.approval import Verb
from assistant.domain.calls.states import CallState
from ingest.forget import forget_mail
from tests.bed import Bed
from tests.flows.test_batches import booking
from tests.grown.rows import GROWS, grow
from tests.grown.script import Script, methods
from tests.grown.watch import Seen, watched
from tests.ingest.messages import PLAIN
from tests.servers.postgres import PostgresServer
from tests.stores import prepared, sql_store, sqlite_engines
from tests.world import ME, World

ROWS = {True: 20_000, False: 10_000}
"""How many calls there are on SQLite, and on Postgres, which takes longer to fill."""
MOST = {True: 20_000, False: 1_000}
"""The most that a statement may walk: steps on SQLite, rows on Postgres (see ``Seen``)."""

WALKS: Mapping[str, str] = {
    r"FROM job (WHERE trace = \S+ )?ORDER BY due, id": "a person looks at what runs or failed",
    r"call.created >= .* AND call.number > .* ORDER BY call.number": "a person replays a policy",
    r'^SELECT .* FROM "?grant"? WHERE \S+owner = \S+ ORDER BY': "a person lists every grant",
    r'^UPDATE "?grant"? SET revoked=': "a person, or lockdown, ends every grant",
    r"^SELECT place, hash FROM audit WHERE owner \|\|": "an owner without an entry; once a day",
    r"^SELECT count\(\*\) FILTER .* FROM audit": "a person verifies or exports the audit",
    r"FROM audit WHERE owner = \S+ AND kind = ": "a person verifies the audit",
    r"AND place <> CAST\(place AS BIGINT\)": "a person verifies the audit",
    r"\) AS made, .* AS rows": "a person verifies the audit",
    r"FROM call WHERE owner = .* AND number = CAST": "a person verifies the audit",
    r"FROM audit .* NOT EXISTS \(SELECT 1 FROM call": "a person verifies the audit",
    r"FROM audit .*audit.kind LIKE": "a person reads the audit by kind, or what recovery kept",
    r"^SELECT DISTINCT audit.kind": "a person is offered the kinds that there are",
    r"mail_fts MATCH|WITH hits AS MATERIALIZED": "ranks all that match, here all mails there are",
    r"lower\(mail.sender \|\| .* LIKE": "a person looks for a part of a sender's name",
    r"(entry.text|call.result) LIKE": "a mail is forgotten, and all words are read for its name",
    r"^SELECT calendar_objects.name, calendar_objects.etag": "a calendar is compared once a day",
    r"^DELETE FROM calendar_\w+ WHERE \S+owner = \S+ AND \S+address = \S+$": "another is chosen",
    r"AS conversations, .* AS audit": "a person asks how much there is",
    r"delivery.id LIKE": "the bot starts, and looks for lines of progress that still stand",
    r"delivery.shown = delivery.digest": "a person asks for the status, and Postgres expects few",
}
"""Statements that may walk through a table, as a pattern of their text, with the reason."""


@dataclass
class Used:
    script: Script
    seen: list[Seen]
    most: int


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def used(request: pytest.FixtureRequest) -> Iterator[Used]:
    """What was seen while a grown database was used in every way."""
    if request.param == "sqlite":
        with sqlite_engines() as engines:
            yield use(engines)
        return
    server: PostgresServer = request.getfixturevalue("postgres")
    engines = prepared(server.engines(server.make_database()))
    yield use(engines)
    engines.dispose()


def use(engines: Engines) -> Used:
    rows = ROWS[engines.sqlite]
    grow(engines, rows=rows)
    bed = Bed(lambda bell, clock: sql_store(engines, bell, clock))
    script = Script(bed, SqlScreen(engines=engines, clock=bed.clock))
    with watched(engines) as watch:
        live_a_day(World(bed.make_store), calls=rows)
        script.run()
    return Used(script, watch.seen, MOST[engines.sqlite])


def live_a_day(world: World, *, calls: int) -> None:
    """What comes every day, over the real wiring."""
    mail = world.forwards(PLAIN)
    first, second = (f"A{calls + number}" for number in (1, 2))
    world.asks(booking("Lunch"), booking("Tea", 12))
    assert world.states(first, second) == [CallState.PARKED, CallState.PARKED]
    world.presses(Verb.APPROVE, first)
    world.presses(Verb.DENY, second)
    assert world.states(first, second) == [CallState.DONE, CallState.DENIED]
    world.undoes(first)
    assert world.states(first) == [CallState.UNDONE]
    forget_mail(mail.id, by=ME, cause=world.cause, store=world.store)
    world.settle()


def test_the_script_calls_every_method_with_each_parameter(used: Used) -> None:
    assert methods() - used.script.called == set()


def test_no_statement_walks_through_a_table_that_grows(used: Used) -> None:
    found = [one.told for one in used.seen if walks(one, used.most) and not excused(one)]
    assert not found, "\n\n".join(found)


def test_every_excuse_is_needed(used: Used) -> None:
    """On one of the databases at least: they do not plan alike."""
    texts = [" ".join(one.text.split()) for one in used.seen]
    unused = [wanted for wanted in WALKS if not any(re.search(wanted, one) for one in texts)]
    assert set(unused) <= {wanted for wanted in WALKS if "|" in wanted}


def walks(one: Seen, most: int) -> bool:
    return one.walked > most or bool(one.scanned & GROWS.keys())


def excused(one: Seen) -> bool:
    text = " ".join(one.text.split())
    return any(re.search(wanted, text) for wanted in WALKS)
