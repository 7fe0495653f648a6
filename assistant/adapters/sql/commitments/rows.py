"""Commitments: kept by mail, listed by when they are due."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Any

from sqlalchemy import Select, and_, bindparam, delete, select, text, update

from assistant.adapters.sql.driver import Prepared
from assistant.adapters.sql.rows import Row, Rows, prepared_upserts
from assistant.adapters.sql.tables.columns import table
from assistant.adapters.sql.tables.mails import CommitmentRow
from assistant.domain.errors import Conflict, NotFound
from assistant.domain.mail.understanding.commitments import Commitment, CommitmentState

_LEDGER = table(CommitmentRow)
_MINE = _LEDGER.c.owner == bindparam("me")
_OF_MAIL = _LEDGER.c.mail == bindparam("of_mail")
_OPEN = text("commitment.state = 'open'")
"""In words as the index has it."""
_DAY_ALONE = len("2026-11-30")
_LARGEST = 2**31 - 1

# Built once, because every mail needs them.
_OPEN_OF_MAIL = Prepared(select(_LEDGER.c.id).where(_MINE, _OF_MAIL, _OPEN))
_DROP_ONE = Prepared(delete(_LEDGER).where(_MINE, _LEDGER.c.id == bindparam("this"), _OPEN))
_DROP_OF_MAIL = Prepared(delete(_LEDGER).where(_MINE, _OF_MAIL))
_BY_NUMBER = Prepared(select(_LEDGER).where(_MINE, _LEDGER.c.number == bindparam("of_number")))
_NEWEST = select(_LEDGER).where(_MINE).order_by(_LEDGER.c.number.desc()).limit(bindparam("most"))
_ALL = Prepared(_NEWEST)


def _open(*, due: bool) -> Select[Any]:
    dated = _LEDGER.c.due != "" if due else _LEDGER.c.due == ""
    order = (_LEDGER.c.due, _LEDGER.c.number) if due else (_LEDGER.c.number.desc(),)
    found = select(_LEDGER).where(_MINE, _OPEN, dated)
    return found.order_by(*order).limit(bindparam("most"))


_DUE = Prepared(_open(due=True))
_UNDATED = Prepared(_open(due=False))
_MOVE = Prepared(
    update(_LEDGER)
    .where(_MINE, _LEDGER.c.id == bindparam("this"), _LEDGER.c.state == bindparam("was"))
    .values(state=bindparam("to"))
)
_KEPT = ("id", "mail", "kind", "who", "words", "quote", "due", "state", "made", "owner", "trace")
_RENEWED = ("who", "words", "quote", "due")


def _keeping(insert: Any) -> Any:
    made = insert(_LEDGER).values({name: bindparam(f"to_{name}") for name in _KEPT}).inline()
    return made.on_conflict_do_update(
        index_elements=["id"],
        set_={name: made.excluded[name] for name in _RENEWED},
        where=and_(_OPEN, _LEDGER.c.owner == made.excluded.owner),
    )


_KEEP: Mapping[bool, Prepared] = prepared_upserts(_keeping)


class CommitmentRows(Rows):
    """See ``assistant.domain.mail.ports``."""

    def keep_commitments(self, mail: str, rows: Sequence[Commitment]) -> None:
        self._must_write()
        mine = {"me": self.cause.owner}
        wanted = {row.id for row in rows}
        for row in self._all(_OPEN_OF_MAIL, {**mine, "of_mail": mail}):
            if row["id"] not in wanted:
                self._count(_DROP_ONE, {**mine, "this": row["id"]})
        for one in rows:
            values = self._signed({name: getattr(one, name, "") for name in _KEPT})
            values |= {
                "mail": mail,
                "kind": one.kind.value,
                "state": one.state.value,
                "due": one.due.isoformat() if one.due else "",
            }
            self._count(_KEEP[self._sqlite], {f"to_{name}": values[name] for name in _KEPT})

    def commitments(self, *, settled: bool = False, limit: int = 200) -> Sequence[Commitment]:
        values = {"me": self.cause.owner, "most": limit}
        if settled:
            return [_commitment_of(row) for row in self._all(_ALL, values)]
        due = self._all(_DUE, values)
        undated = self._all(_UNDATED, {**values, "most": limit - len(due)})
        return [_commitment_of(row) for row in (*due, *undated)]

    def commitment(self, number: int) -> Commitment:
        if not 0 < number <= _LARGEST:
            raise NotFound(f"commitment {number}")
        values = {"me": self.cause.owner, "of_number": number}
        return _commitment_of(self._one(_BY_NUMBER, f"commitment {number}", values))

    def move_commitment(self, commitment: Commitment, to: CommitmentState) -> Commitment:
        moved = commitment.step(to)
        values = {
            "me": self.cause.owner,
            "this": commitment.id,
            "was": commitment.state.value,
            "to": to.value,
        }
        if self._count(_MOVE, values) != 1:
            raise Conflict(f"commitment {commitment.number} is no longer {commitment.state}")
        return moved

    def forget_commitments(self, mail: str) -> None:
        self._count(_DROP_OF_MAIL, {"me": self.cause.owner, "of_mail": mail})


def _commitment_of(row: Row) -> Commitment:
    return Commitment.model_validate({**row, "due": _due(row["due"])})


def _due(stored: str) -> datetime | date | None:
    if not stored:
        return None
    if len(stored) == _DAY_ALONE:
        return date.fromisoformat(stored)
    return datetime.fromisoformat(stored)
