"""The mode the assistant is in, and the policies there have been."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, select, text, update

from assistant.adapters.sql.audit import AuditRows
from assistant.adapters.sql.driver import Prepared
from assistant.adapters.sql.tables.approvals import ApprovalRow
from assistant.adapters.sql.tables.calls import CallRow, EffectRow
from assistant.adapters.sql.tables.columns import table
from assistant.adapters.sql.tables.governance import ModeRow, PolicyRow
from assistant.domain.approvals.approval import ApprovalState
from assistant.domain.calls.effects import Effect, EffectState
from assistant.domain.errors import Conflict, NotFound
from assistant.domain.governance.modes import ModeRecord, mode_entered
from assistant.domain.policy.text import PolicyText, policy_saved

_MODE = table(ModeRow)
_POLICY = table(PolicyRow)
_APPROVAL = table(ApprovalRow)
_CALL = table(CallRow)
_EFFECT = table(EffectRow)

# Built once, because every decision reads it. SQLite has no such locks, and needs none.
_OF_OWNER = Prepared(select(_MODE).where(_MODE.c.owner == bindparam("me")))
# The row's own lock gives the newest mode but is not fair: while transactions that share it keep
# coming, one that wants it alone may wait for ever. The advisory lock is fair. It is taken first,
# because a statement locks its rows last.
_HELD = """
WITH turn AS MATERIALIZED (SELECT pg_advisory_xact_lock{shared}(7214512, hashtext(:me)))
SELECT mode.* FROM mode, turn WHERE mode.owner = :me FOR {lock} OF mode
"""
_SHARED = Prepared(text(_HELD.format(shared="_shared", lock="SHARE")).columns(*_MODE.c))
_ALONE = Prepared(text(_HELD.format(shared="", lock="UPDATE")).columns(*_MODE.c))
_NEWEST = Prepared(
    select(_POLICY)
    .where(_POLICY.c.owner == bindparam("me"))
    .order_by(_POLICY.c.version.desc())
    .limit(1)
)


class GovernanceRows(AuditRows):
    """See ``assistant.domain.governance.ports``."""

    def mode(self) -> ModeRecord:
        return self._mode(_SHARED) if self._writing else self._mode(_OF_OWNER)

    def set_mode(self, record: ModeRecord) -> ModeRecord:
        now = self._alone(record.revision)
        entered = now.entering(record, at=self._now)
        self._change_mode(entered.model_dump(mode="python"))
        self.note(mode_entered(entered))
        return entered

    def give_word(self, record: ModeRecord) -> None:
        self._alone(record.revision)
        self._change_mode({"word": record.word, "asked": record.asked or self._now})

    def take_word(self) -> ModeRecord:
        self._must_write()
        now = self._mode(_ALONE)
        if now.word:
            self._change_mode({"word": "", "asked": None})
        return now

    def _alone(self, revision: int) -> ModeRecord:
        """Lock the mode until the end, and return it. Raises ``Conflict`` if it has changed."""
        self._must_write()
        now = self._mode(_ALONE)
        if now.revision != revision:
            raise Conflict(f"the assistant is in {now.mode} now")
        return now

    def _mode(self, statement: Prepared) -> ModeRecord:
        rows = self._all(_OF_OWNER if self._sqlite else statement, {"me": self.cause.owner})
        if not rows:
            raise NotFound(f"owner {self.cause.owner}")
        return ModeRecord.model_validate(rows[0])

    def _change_mode(self, values: Mapping[str, Any]) -> None:
        columns = {name: str(v) if isinstance(v, str) else v for name, v in values.items()}
        statement = update(_MODE).where(_MODE.c.owner == self.cause.owner)
        self._count(statement.values(**columns))

    def denials(self, since: datetime) -> Sequence[datetime]:
        found = (
            select(_APPROVAL.c.decided)
            .join(_CALL, _CALL.c.id == _APPROVAL.c.call)
            .where(
                _APPROVAL.c.owner == self.cause.owner,
                _APPROVAL.c.state == ApprovalState.DENIED.value,
                _APPROVAL.c.decided >= since,
                _CALL.c.tainted,
            )
            .order_by(_APPROVAL.c.decided)
        )
        return [row["decided"] for row in self._all(found)]

    def done_since(self, since: datetime) -> Sequence[Effect]:
        rows = self._all(
            select(_EFFECT)
            .where(
                _EFFECT.c.owner == self.cause.owner,
                _EFFECT.c.state == EffectState.DONE.value,
                _EFFECT.c.undone == "",
                _EFFECT.c.at >= since,
            )
            .order_by(_EFFECT.c.at, _EFFECT.c.call, _EFFECT.c.key)
        )
        return [Effect.model_validate(row) for row in rows]

    def policy(self) -> PolicyText:
        rows = self._all(_NEWEST, {"me": self.cause.owner})
        return PolicyText.model_validate(rows[0]) if rows else PolicyText()

    def policy_version(self, version: int) -> PolicyText:
        if version == 0:
            return PolicyText()
        statement = select(_POLICY).where(
            _POLICY.c.owner == self.cause.owner, _POLICY.c.version == version
        )
        return PolicyText.model_validate(self._one(statement, f"policy {version}"))

    def add_policy(self, policy: PolicyText) -> PolicyText:
        self._must_write()
        newest = self.policy().version
        saved = policy.saved(at=self._now)
        # Of two at once, both after the same version, the key lets one in.
        if newest != policy.version or not self._insert_new(_POLICY, saved.model_dump()):
            raise Conflict(f"policy {policy.version} is not the newest any more")
        self.note(policy_saved(saved))
        return saved
