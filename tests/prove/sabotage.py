"""The twins: the same program with one of its guards taken out, in the harness's own processes.

A harness that stays green with a guard out proves nothing. Each twin must turn it red.
"""

from collections.abc import Callable
from enum import StrEnum
from functools import cache
from typing import Any

import pytest
from sqlalchemy import bindparam, text, update

from assistant.adapters.sql import calls
from assistant.adapters.sql.driver import Prepared
from assistant.adapters.sql.jobs import claims, rows
from assistant.adapters.sql.rows import assignments
from assistant.domain.calls.call import Call
from assistant.domain.calls.states import CallState
from assistant.domain.errors import Permanent
from assistant.domain.jobs.job import Job
from assistant.flows.calls import run


class Twin(StrEnum):
    """What is taken out."""

    NONE = ""
    FENCE = "fence"
    """A worker that lost its job records what it did all the same."""
    COMPARE = "compare-and-set"
    """A call moves from whatever state it is in, and a job is claimed whoever holds it.

    The first alone is not seen: the claim of the job, the lock of the row and the table of states
    stand behind it.
    """
    RELEASE = "release"
    """The jobs of workers that live are released, as if a pid told whether they do."""
    UNCLEAR = "unclear"
    """A call of which nobody knows whether it happened is done again."""


TWINS = tuple(twin for twin in Twin if twin)


def sabotage(twin: Twin) -> None:
    """Take the guard out of this process. ``RELEASE`` is done by whoever ticks."""
    patch = pytest.MonkeyPatch()
    {
        Twin.FENCE: _without_fence,
        Twin.COMPARE: _without_compare,
        Twin.UNCLEAR: _unclear_retried,
    }.get(twin, lambda _patch: None)(patch)


def _without_fence(patch: pytest.MonkeyPatch) -> None:
    def strike_off(self: rows.JobRows, job: Job) -> None:
        self._count(text("DELETE FROM job WHERE id = :id"), {"id": job.message.name})

    def beat(_self: rows.JobRows, _job: Job) -> None:
        """Beat for whoever holds it now."""

    patch.setattr(rows.JobRows, "_strike_off", strike_off)
    patch.setattr(rows.JobRows, "_finish_with_one", lambda *_: False)
    patch.setattr(rows.JobRows, "beat", beat)
    patch.setattr(calls, "_moving", _mover("was"))


def _without_compare(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(calls, "_moving", _mover("held"))
    patch.setattr(claims, "_CLAIM", _without(claims._CLAIM, "claim IS NULL AND "))


def _without(prepared: Prepared, condition: str) -> Prepared:
    """The same statement with a condition less."""
    whole: Any = prepared.statement
    sql = whole.element.text
    assert condition in sql
    return Prepared(text(sql.replace(condition, "")).columns(*whole.column_args))


def _mover(*compared: str) -> Callable[[frozenset[str]], Prepared]:
    """Make the statement that moves a call, comparing only these."""
    columns: Any = {"was": calls._CALL.c.state, "held": calls._CALL.c.fence}

    @cache
    def moving(changed: frozenset[str]) -> Prepared:
        conditions = [columns[name] == bindparam(name) for name in compared]
        found = update(calls._CALL).where(
            calls._CALL.c.id == bindparam("this"), calls._MINE, *conditions
        )
        return Prepared(found.values(assignments(calls._CALL, changed)))

    return moving


def _unclear_retried(patch: pytest.MonkeyPatch) -> None:
    reconcile = run._reconcile

    def again(call: Call, job: Job, ctx: run.RunContext) -> Call | None:
        tool = ctx.tool(call)
        try:
            tool.reconcile(call.facts, run._context(call, job, ctx))
        except Permanent:
            with ctx.store.begin(job) as tx:
                return tx.move(tx.call(call.id, lock=True), CallState.CLEARED)
        return reconcile(call, job, ctx)

    patch.setattr(run, "_reconcile", again)
