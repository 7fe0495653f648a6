"""Fill a database as years of use would, with one statement a table."""

from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import BigInteger, Boolean, Connection, Double, Integer, Table, text
from sqlmodel import SQLModel

from assistant.adapters.sql.driver import Engines
from assistant.adapters.sql.tables.columns import JsonText, UtcDateTime
from tests.bed import START

A_YEAR = 365 * 24 * 3600
SMALL = {
    "owner": "one row an owner",
    "mode": "one row an owner",
    "canary": "one row a queue",
    "high_water": "one row",
    "installation": "one row a data folder",
    "audit_cut": "one row a file of the archive, with up to thousands of entries",
    "credential": "one row an account elsewhere",
    "person": "one row a paired person",
    "calendar_copies": "one row an owner",
    "policy": "one row each time that a person saves a policy",
}
"""Tables that do not grow with use."""


@dataclass(frozen=True)
class Grown:
    """How often a table's row number ``i`` occurs, and its columns as SQL over ``i``.

    A column that is not named has an empty or zero value. ``{at}`` is a moment of the year before
    the tests' clock, which grows with ``i``; ``{share}`` is how far through the table ``i`` is.
    """

    rows: float
    columns: Mapping[str, str]


_JSON = '{{"title":"Tea with somebody","start":"2026-11-24T10:00:00+01:00","calendar":"private"}}'
_FACTS = f"""'{{{{"args":{_JSON},"destination":"https://calendar.example","state":{{{{}}}}}}}}'"""

_CALL = "'call' || i"
_TALK = "'talk' || (1 + i / 5)"

GROWS: Mapping[str, Grown] = {
    "conversation": Grown(
        0.3,
        {
            "id": "'talk' || i",
            "channel": "'terminal'",
            "place": "'place' || (i % 2000)",
            "last": "10",
            "closed": "TRUE",
            "began": "{at}",
            "spoke": "{at}",
        },
    ),
    "call": Grown(
        1,
        {
            "id": _CALL,
            "number": "i",
            "conversation": _TALK,
            "turn": "2 + 2 * (i % 5)",
            "tool": "CASE i % 3 WHEN 0 THEN 'create_event' WHEN 1 THEN 'read_email' ELSE 'x' END",
            "facts": _FACTS,
            "asked": f"'{_JSON}'",
            "state": "CASE i % 10 WHEN 0 THEN 'denied' WHEN 1 THEN 'failed' ELSE 'done' END",
            "risk": "'medium'",
            "reach": "'writes'",
            "actor": "'model'",
            "verdict": "'allow'",
            "mode": "'normal'",
            "result": "'Done, and noted in the calendar for ' || i",
            "failure": "'null'",
            "trace": "'trace' || i",
            "created": "{at}",
            "ended": "{at}",
        },
    ),
    "effect": Grown(
        1,
        {
            "call": _CALL,
            "key": "'key' || (i / 2)",
            "kind": "'calendar.create'",
            "state": "'done'",
            "at": "{at}",
        },
    ),
    "approval": Grown(
        1,
        {
            "id": "'approval' || i",
            "call": _CALL,
            "state": "CASE i % 5 WHEN 0 THEN 'denied' ELSE 'approved' END",
            "expires": "{at}",
            "created": "{at}",
            "decided": "{at}",
        },
    ),
    "calendar_objects": Grown(
        1,
        {
            "address": "'private'",
            "name": "'/event' || i",
            "uid": "'uid' || i",
            "etag": "'etag' || i",
            "ics": "'BEGIN:VCALENDAR'",
            "repeats": "i % 20 = 0",
            "defect": "CASE i % 500 WHEN 0 THEN 'torn' ELSE '' END",
        },
    ),
    "calendar_times": Grown(
        2,
        {
            "address": "'private'",
            "name": "'/event' || i",
            "begins": "{at}",
            "ends": "{at}",
            "uid": "'uid' || i",
            "day": "'2026-11-23'",
            "last": "'2026-11-24'",
            "title": "'Tea'",
            "repeats": "FALSE",
        },
    ),
    "own_event": Grown(1, {"calendar": "'private'", "uid": "'uid' || i", "at": "{at}"}),
    "entry": Grown(
        2,
        {
            "conversation": "'talk' || (1 + i / 10)",
            "seq": "1 + i % 10",
            "role": "CASE i % 3 WHEN 0 THEN 'owner' WHEN 1 THEN 'assistant' ELSE 'outcome' END",
            "origin": "'owner'",
            "text": "'What was said in line ' || i || ' of a long life'",
            "at": "{at}",
        },
    ),
    "sighting": Grown(1, {"channel": "'discord'", "event": "'event' || i", "at": "{at}"}),
    "model_use": Grown(
        2,
        {
            "cause": "CASE i % 2 WHEN 0 THEN 'chat' ELSE 'mail' END",
            "outcome": "'answered'",
            "at": "{at}",
        },
    ),
    "mail": Grown(
        1,
        {
            "id": "substr('0123456789', 1 + i % 10, 1) || substr('000000000000000' || i, -15)",
            "sha256": "'sha' || i",
            "size": "1000",
            "door": "'smtp'",
            "raw": "'mail/owner/sha' || i || '/raw.eml'",
            "received": "{at}",
            "state": "CASE i % 500 WHEN 0 THEN 'held' WHEN 1 THEN 'forgotten' ELSE 'announced' END",
            "sender": "'Somebody <s' || (i % 700) || '@example.org>'",
            "sender_address": "'s' || (i % 700) || '@example.org'",
            "subject": "'What happened on day ' || (i % 997)",
            "summary": "'It is about ' || (i % 97) || ' and more'",
            **dict.fromkeys(("envelope", "forward", "understood"), "'{{}}'"),
            "confirmation": "'null'",
            "trace": "'mailtrace' || i",
        },
    ),
    "attachment": Grown(
        1,
        {
            "mail": "substr('0123456789', 1 + i % 10, 1) || substr('000000000000000' || i, -15)",
            "name": "'a.pdf'",
        },
    ),
    "commitment": Grown(
        1,
        {
            "id": "'commitment' || i",
            "mail": "substr('0123456789', 1 + i % 10, 1) || substr('000000000000000' || i, -15)",
            "kind": "'asked'",
            "who": "'s' || (i % 700) || '@example.org'",
            "words": "'Do this by day ' || i",
            "due": "CASE i % 3 WHEN 0 THEN '' ELSE '2026-11-' || (10 + i % 20) END",
            "state": "CASE i % 50 WHEN 0 THEN 'open' WHEN 1 THEN 'dropped' ELSE 'done' END",
            "made": "{at}",
        },
    ),
    "invitation": Grown(
        1,
        {
            "id": "'invitation' || i",
            "uid": "'uid' || (i / 3)",
            "occurrence": "CASE i % 3 WHEN 0 THEN '' ELSE '2026120' || (i % 3) || 'T090000Z' END",
            "organizer": "'s' || (i % 700) || '@example.org'",
            "mail": "substr('0123456789', 1 + i % 10, 1) || substr('000000000000000' || i, -15)",
            "known": "'null'",
            "proposal": "'null'",
            "wanted": "i % 5000 = 0",
            "told": "'[]'",
            "made": "{at}",
            "updated": "{at}",
        },
    ),
    "reminder": Grown(
        1,
        {
            "id": "'reminder' || i",
            "text": "'Call number ' || i",
            "at": "{at}",
            "wall": "'2026-11-23T09:00:00'",
            "zone": "'Europe/Berlin'",
            "repeats": "'null'",
            "state": "CASE i % 100 WHEN 0 THEN 'waiting' ELSE 'told' END",
            "tainted": "FALSE",
            "made": "{at}",
        },
    ),
    "due_notice": Grown(
        1,
        {
            "id": "'remind-' || i",
            "kind": "CASE i % 2 WHEN 0 THEN 'brief' ELSE 'reminder' END",
            "due": "{at}",
            "made": "{at}",
            "shown": "{at}",
            "says_late": "FALSE",
            "told": "TRUE",
        },
    ),
    "delivery": Grown(
        1,
        {
            "id": "CASE i % 3 WHEN 0 THEN 'card-' WHEN 1 THEN 'mail-' ELSE 'say-' END || i",
            "channel": "'terminal'",
            "place": "'owner'",
            "wanted": """'{{"kind":"words","text":"Hello ' || i || '"}}'""",
            "digest": "'d' || i",
            "shown": "'d' || i",
            "created": "{at}",
        },
    ),
    "token": Grown(
        1,
        {
            "hash": "'hash' || i",
            "verb": "'approve'",
            "subject": _CALL,
            "delivery": "'say-' || i",
            "terms": "'{{}}'",
            "expires": "{at}",
            "used": "{at}",
            "created": "{at}",
        },
    ),
    "screen": Grown(
        1,
        {
            "place": "'owner'",
            "key": "'owner:say-' || i",
            "shown": """'{{"kind":"words","text":"Hello ' || i || '"}}'""",
            "revision": "1",
            "drawn": "1",
            "at": "{at}",
        },
    ),
    "audit": Grown(
        3,
        {
            "id": "'audit' || i",
            "trace": "'trace' || (i / 3)",
            "at": "{at}",
            "kind": "CASE i % 3 WHEN 0 THEN 'call.proposed' ELSE 'call.done' END",
            "subject": "'call' || (i / 3)",
            "place": "i",
            "hash": "'hash' || i",
        },
    ),
    "file": Grown(
        1, {"path": "'private:/notes/' || (i % 500) || '/file' || i || '.txt'", "version": "1"}
    ),
    "file_version": Grown(
        1,
        {
            "path": "'private:/notes/' || (i % 500) || '/file' || i || '.txt'",
            "version": "1",
            "sha256": "'sha' || i",
            "origin": "'owner'",
            "at": "{at}",
        },
    ),
    "grant": Grown(
        0.2,
        {
            "id": "'grant' || i",
            "number": "i",
            "scope": "'[]'",
            "tool": "'create_event'",
            "reach": "'writes'",
            "uses": "3",
            "used": "3",
            "created": "{at}",
            "revoked": "CASE WHEN i % 50 > 0 THEN {at} END",
            "expires": "{at}",
        },
    ),
    "job": Grown(
        1,
        {
            "id": "'deliver:failed' || i",
            "kind": "'deliver'",
            "queue": "'interactive'",
            "due": "1790000000 + i",
            "failed": "TRUE",
            "claim": "NULL",
            "error": "'NotFound: no such channel'",
        },
    ),
}


def grow(engines: Engines, *, rows: int) -> None:
    """Insert ``rows`` calls, and of each other table as many as go with them."""
    known = {rows.name for rows in SQLModel.metadata.sorted_tables}
    assert known == GROWS.keys() | SMALL.keys(), "say of each table whether it grows"
    with engines.write.begin() as connection:
        for table in SQLModel.metadata.sorted_tables:
            if table.name in GROWS:
                _fill(connection, table, GROWS[table.name], rows)
        connection.execute(text("UPDATE owner SET calls = :n, grants = :n"), {"n": rows})
    if not engines.sqlite:
        with engines.durable.connect() as connection:
            connection.execute(text("ANALYZE"))


def _fill(connection: Connection, table: Table, grown: Grown, rows: int) -> None:
    count = int(rows * grown.rows)
    seconds = f"({START.timestamp():.0f} - {A_YEAR} + (i * {A_YEAR / count:.3f}))"
    at = {
        "sqlite": f"strftime('%Y-%m-%d %H:%M:%f000', {seconds}, 'unixepoch')",
        "postgresql": f"to_timestamp({seconds})",
    }[connection.dialect.name]
    columns = [column for column in table.columns if not _numbered(column)]
    values = [
        grown.columns[column.name].format(at=at) if column.name in grown.columns else _empty(column)
        for column in columns
    ]
    names = ", ".join(f'"{column.name}"' for column in columns)
    counting = (
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n"  # noqa: S608 (our own)
        f" WHERE i < {count}) SELECT {', '.join(values)} FROM n"
    )
    statement = f'INSERT INTO "{table.name}" ({names}) {counting}'
    connection.exec_driver_sql(
        statement.replace("%", "%%") if not _sqlite(connection) else statement
    )


def _sqlite(connection: Connection) -> bool:
    return connection.dialect.name == "sqlite"


def _numbered(column: object) -> bool:
    """Whether the database gives the value."""
    return bool(getattr(column, "autoincrement", False) is True)


def _empty(column: object) -> str:
    kind = column.type  # type: ignore[attr-defined]
    if column.name == "owner":  # type: ignore[attr-defined]
        return "'owner'"
    if column.nullable:  # type: ignore[attr-defined]
        return "NULL"
    if isinstance(kind, JsonText):
        return "'{}'" if column.name in ("facts", "asked", "before", "after", "inverse") else "'[]'"  # type: ignore[attr-defined]
    if isinstance(kind, Boolean):
        return "FALSE"
    if isinstance(kind, Integer | BigInteger | Double):
        return "0"
    assert not isinstance(kind, UtcDateTime), column
    return "''"
