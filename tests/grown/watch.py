"""Watch each statement that reaches a database: its plan, and how much it walks through."""

import json
import re
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, Engine, event

from assistant.adapters.sql.driver import Engines
from assistant.adapters.sql.driver.prepared import Compiled, SqlResult

_EVERY = 20
"""SQLite reports its steps in lots of this size."""
_SHORT = frozenset({"ix_job_waiting", "ix_job_held"})
"""Indexes of what waits, which does not grow with the years."""
_EXPLAINED = re.compile(r"\s*(SELECT|INSERT|UPDATE|DELETE|WITH)\b", re.IGNORECASE)


@dataclass
class Seen:
    """One statement, as it was run.

    ``walked``: on SQLite the steps of its virtual machine, of which each row that is looked at
    takes at least three; on Postgres the rows that its scans looked at.
    """

    text: str
    plan: str
    scanned: frozenset[str]
    """The tables that it was planned to read from one end to the other."""
    walked: int = 0

    @property
    def told(self) -> str:
        return f"walks {self.walked}, scans {sorted(self.scanned)}\n{self.text}\n{self.plan}"


@dataclass
class Watch:
    sqlite: bool
    seen: list[Seen] = field(default_factory=list)
    _planning: bool = False

    def note(self, driver: Any, text: str, given: Any) -> None:
        """Explain a statement right before it runs."""
        if self._planning or not _EXPLAINED.match(text):
            return
        self._planning = True
        try:
            one = (
                _on_sqlite(driver, text, given)
                if self.sqlite
                else _on_postgres(driver, text, given)
            )
        finally:
            self._planning = False
        self.seen.append(one)
        if self.sqlite:
            driver.set_progress_handler(lambda: self._step(one), _EVERY)

    def _step(self, one: Seen) -> int:
        if not self._planning:
            one.walked += _EVERY
        return 0


@contextmanager
def watched(engines: Engines) -> Generator[Watch]:
    """Watch what runs on these engines, prepared or not."""
    watch = Watch(sqlite=engines.sqlite)
    run = Compiled.run

    def run_watched(self: Compiled, driver: Any, given: Any) -> SqlResult:
        watch.note(driver, self.text, given)
        return run(self, driver, given)

    def before(
        connection: Connection,
        _cursor: Any,
        text: str,
        given: Any,
        _context: Any,
        many: bool,  # noqa: FBT001
    ) -> None:
        driver = connection.connection.driver_connection
        watch.note(driver, text, given[0] if many else given)

    Compiled.run = run_watched  # type: ignore[method-assign]
    event.listen(Engine, "before_cursor_execute", before)
    try:
        yield watch
    finally:
        event.remove(Engine, "before_cursor_execute", before)
        Compiled.run = run  # type: ignore[method-assign]


def _on_sqlite(driver: Any, text: str, given: Any) -> Seen:
    rows = driver.execute(f"EXPLAIN QUERY PLAN {text}", given).fetchall()
    plan = "\n".join(row[3] for row in rows)
    found = re.findall(r"^SCAN (\w+)(?: USING (?:COVERING )?INDEX (\w+))?", plan, re.MULTILINE)
    return Seen(text, plan, frozenset(table for table, index in found if index not in _SHORT))


def _on_postgres(driver: Any, text: str, given: Any) -> Seen:
    explain = f"EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) {text}"
    with driver.transaction(force_rollback=True):
        [(found,)] = driver.execute(explain, given).fetchall()
    plan = found[0]["Plan"]
    nodes = list(_nodes(plan))
    return Seen(
        text,
        json.dumps(plan, indent=1),
        frozenset(node["Relation Name"] for node in nodes if node["Node Type"] == "Seq Scan"),
        walked=sum(map(_rows_of, nodes)),
    )


def _nodes(plan: Mapping[str, Any]) -> Generator[Mapping[str, Any]]:
    yield plan
    for part in plan.get("Plans", ()):
        yield from _nodes(part)


def _rows_of(node: Mapping[str, Any]) -> int:
    if "Scan" not in node["Node Type"] or "Relation Name" not in node:
        return 0
    looked_at: Sequence[str] = (
        "Actual Rows",
        "Rows Removed by Filter",
        "Rows Removed by Index Recheck",
    )
    return int(sum(node.get(name, 0) for name in looked_at) * node["Actual Loops"])
