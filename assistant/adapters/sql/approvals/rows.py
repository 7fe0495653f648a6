"""Approvals: what calls wait for."""

from datetime import datetime

from sqlalchemy import bindparam, select, update

from assistant.adapters.sql.audit import AuditRows
from assistant.adapters.sql.driver import Prepared
from assistant.adapters.sql.rows import as_columns, assigned, assignments
from assistant.adapters.sql.tables.approvals import ApprovalRow
from assistant.adapters.sql.tables.columns import table
from assistant.adapters.sql.tables.jobs import HighWaterRow
from assistant.domain.approvals import approval as approvals
from assistant.domain.approvals.approval import Approval, ApprovalState
from assistant.domain.audit.entries import approval_settled
from assistant.domain.errors import Conflict, IllegalStep, NotFound

_APPROVAL = table(ApprovalRow)
_HIGH_WATER = table(HighWaterRow)

_OF_CALL = Prepared(
    select(_APPROVAL).where(
        _APPROVAL.c.call == bindparam("call"), _APPROVAL.c.owner == bindparam("me")
    )
)
_SETTLE = Prepared(
    update(_APPROVAL)
    .where(
        _APPROVAL.c.id == bindparam("this"),
        _APPROVAL.c.owner == bindparam("me"),
        _APPROVAL.c.state == bindparam("was"),
    )
    .values(assignments(_APPROVAL, ("state", "by", "reason", "decided", "word")))
)
_NOTED = Prepared(select(_HIGH_WATER.c.at))


class ApprovalRows(AuditRows):
    def add_approval(self, approval: Approval) -> None:
        self._insert(_APPROVAL, as_columns(approval.model_dump()))

    def approval(self, call: str) -> Approval:
        which = {"call": call, "me": self.cause.owner}
        return Approval.model_validate(self._one(_OF_CALL, f"approval of call {call}", which))

    def settle(
        self, approval: Approval, to: ApprovalState, *, by: str, reason: str, at: datetime
    ) -> Approval:
        if to not in approvals.NEXT[approval.state]:
            raise IllegalStep(f"an approval cannot go from {approval.state} to {to}")
        changes = {"state": to, "by": by, "reason": reason, "decided": at, "word": approval.word}
        which = {"this": approval.id, "me": self.cause.owner, "was": approval.state.value}
        if self._count(_SETTLE, {**assigned(as_columns(changes)), **which}) != 1:
            raise Conflict(f"the approval is no longer {approval.state}")
        self.note(approval_settled(approval, to, by=by, reason=reason, at=at))
        return approval.model_copy(update=changes)

    def opened(self, approval: Approval) -> None:
        self._count(
            update(_APPROVAL)
            .where(_APPROVAL.c.id == approval.id, _APPROVAL.c.owner == self.cause.owner)
            .values(unseen=0)
        )

    def reminded(self, approval: Approval, *, next: datetime | None = None) -> None:
        self._count(
            update(_APPROVAL)
            .where(_APPROVAL.c.id == approval.id, _APPROVAL.c.owner == self.cause.owner)
            .values(remind=next)
        )

    def high_water(self, now: datetime) -> datetime:
        try:
            stored: datetime = self._one(_NOTED, "the stored clock")["at"]
        except NotFound:
            return now
        return max(now, stored)
