"""Calls, the approvals they wait for, and the effects they have."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from functools import cache
from typing import Any

from sqlalchemy import BindParameter, Select, Update, bindparam, func, or_, select, update

from assistant.adapters.sql.audits import AuditRows
from assistant.adapters.sql.rows import for_each, to, to_be
from assistant.adapters.sql.tables import (
    ApprovalRow,
    CallRow,
    EffectRow,
    HighWaterRow,
    OwnerRow,
    OwnEventRow,
    table,
)
from assistant.domain import approvals
from assistant.domain.approvals import Approval, ApprovalState
from assistant.domain.audit_entries import (
    approval_settled,
    call_added,
    call_moved,
    effect_written,
)
from assistant.domain.call_states import ENDED, CallState
from assistant.domain.calls import Call
from assistant.domain.effects import Effect, EffectState
from assistant.domain.errors import AlreadyThere, Conflict, IllegalStep, NotFound

_CALL = table(CallRow)
_OWNER = table(OwnerRow)
_APPROVAL = table(ApprovalRow)
_EFFECT = table(EffectRow)
_OWN_EVENT = table(OwnEventRow)
_HIGH_WATER = table(HighWaterRow)

# Built once: to build a statement takes several times as long as to carry it out.
_MINE = _CALL.c.owner == bindparam("me")
_BY_ID = select(_CALL).where(_CALL.c.id == bindparam("id"), _MINE)
_BY_ID_LOCKED = _BY_ID.with_for_update()
_BY_NUMBER = select(_CALL).where(_CALL.c.number == bindparam("number"), _MINE)
_USES = (
    select(_CALL.c.tool, func.count().label("uses"))
    .where(
        _MINE,
        _CALL.c.created >= bindparam("since"),
        or_(*(_CALL.c.verdict == counted for counted in ("allow", "report", "ask"))),
        _CALL.c.state != CallState.SUPERSEDED.value,
    )
    .group_by(_CALL.c.tool)
)
_OF_CALL = select(_APPROVAL).where(
    _APPROVAL.c.call == bindparam("call"), _APPROVAL.c.owner == bindparam("me")
)
_SETTLE = (
    update(_APPROVAL)
    .where(
        _APPROVAL.c.id == bindparam("this"),
        _APPROVAL.c.owner == bindparam("me"),
        _APPROVAL.c.state == bindparam("was"),
    )
    .values(to(_APPROVAL, ("state", "by", "reason", "decided")))
)
_NOTED = select(_HIGH_WATER.c.at)


def _intent(insert: Any) -> Any:
    intent = insert(_EFFECT)
    new = intent.excluded
    return intent.on_conflict_do_update(
        index_elements=["call", "key"],
        set_={"fence": new.fence, "state": new.state, "at": new.at},
        where=_EFFECT.c.owner == new.owner,
    )


_INTEND = for_each(_intent)


@cache
def _moving(columns: frozenset[str]) -> Update:
    """From one state to another, with these columns; the flows know a few such sets."""
    held = update(_CALL).where(
        _CALL.c.id == bindparam("this"),
        _MINE,
        _CALL.c.state == bindparam("was"),
        _CALL.c.fence == bindparam("held"),
    )
    return held.values(to(_CALL, columns))


@cache
def _calls(*, talk: bool, turn: bool, states: bool) -> Select[Any]:
    """The newest calls, narrowed down by what is given."""
    some: BindParameter[Any] = bindparam("states", expanding=True)
    narrowed = [
        condition
        for given, condition in (
            (talk, _CALL.c.conversation == bindparam("talk")),
            (turn, _CALL.c.turn == bindparam("turn")),
            (states, _CALL.c.state.in_(some)),
        )
        if given
    ]
    newest = select(_CALL).where(_MINE, *narrowed).order_by(_CALL.c.number.desc())
    return newest.limit(bindparam("most"))


class CallRows(AuditRows):
    def add_call(self, call: Call) -> Call:
        self._must_write()
        number = self._one(
            update(_OWNER)
            .where(_OWNER.c.id == self.cause.owner)
            .values(calls=_OWNER.c.calls + 1)
            .returning(_OWNER.c.calls),
            f"owner {self.cause.owner}",
        )["calls"]
        stored = call.model_copy(
            update={
                "number": number,
                "owner": self.cause.owner,
                "trace": self.cause.trace,
                "created": self._now,
                "cleared": self._now if call.state is CallState.CLEARED else None,
            }
        )
        self._insert(_CALL, _values(stored.model_dump()))
        self.note(call_added(stored, at=self._now))
        return stored

    def call(self, id: str, *, lock: bool = False) -> Call:
        if lock:
            self._must_write()
        statement = _BY_ID_LOCKED if lock else _BY_ID
        which = {"id": id, "me": self.cause.owner}
        return Call.model_validate(self._one_ready(statement, f"call {id}", which))

    def call_named(self, handle: str) -> Call:
        number = handle.strip().lstrip("#").upper().removeprefix("A")
        if not (number.isascii() and number.isdigit() and len(number) < 10):  # noqa: PLR2004 (fits 32 bits)
            return self.call(handle.strip())
        which = {"number": int(number), "me": self.cause.owner}
        return Call.model_validate(self._one_ready(_BY_NUMBER, f"call {handle}", which))

    def calls(
        self,
        *,
        conversation: str = "",
        turn: int | None = None,
        states: Collection[CallState] = (),
        limit: int = 200,
    ) -> Sequence[Call]:
        narrowed = {
            "talk": conversation or None,
            "turn": turn,
            "states": [state.value for state in states] or None,
        }
        given = {name: value for name, value in narrowed.items() if value is not None}
        statement = _calls(**{name: name in given for name in narrowed})
        values = {**given, "me": self.cause.owner, "most": limit}
        if states:  # a list, which only SQLAlchemy can take
            return [Call.model_validate(dict(row)) for row in self._all(statement, values)]
        return [Call.model_validate(row) for row in self._ready(statement, values)]

    def calls_since(self, since: datetime, *, after: int = 0, limit: int = 200) -> Sequence[Call]:
        rows = self._all(
            select(_CALL)
            .where(
                _CALL.c.owner == self.cause.owner,
                _CALL.c.created >= since,
                _CALL.c.number > after,
            )
            .order_by(_CALL.c.number)
            .limit(limit)
        )
        return [Call.model_validate(dict(row)) for row in rows]

    def tool_uses(self, since: datetime) -> Mapping[str, int]:
        rows = self._ready(_USES, {"me": self.cause.owner, "since": since})
        return {row["tool"]: row["uses"] for row in rows}

    def move(self, call: Call, to: CallState, **changes: Any) -> Call:
        if to is CallState.RUNNING:
            changes = {"fence": call.fence + 1, "started": self._now, **changes}
        elif to is CallState.CLEARED and call.state is CallState.PARKED:
            changes = {"cleared": self._now, **changes}
        elif to in ENDED:
            changes = {"ended": self._now, **changes}
        moved = call.step(to, **changes)
        values = _values({"state": to, **changes})
        which = {
            "this": call.id,
            "me": self.cause.owner,
            "was": call.state.value,
            "held": call.fence,
        }
        swapped = self._count_ready(_moving(frozenset(values)), {**to_be(values), **which})
        if swapped != 1:
            raise Conflict(f"call {call.handle} is no longer {call.state}")
        self.note(call_moved(moved, changes))
        return moved

    def beat_call(self, id: str, *, progress: str) -> bool:
        self._must_write()
        rows = self._all(
            update(_CALL)
            .where(_CALL.c.id == id, _CALL.c.owner == self.cause.owner)
            .values(beat=self._now, progress=progress)
            .returning(_CALL.c.stop)
        )
        return bool(rows and rows[0]["stop"])

    def ask_stop(self, call: Call) -> None:
        self._count(
            update(_CALL)
            .where(_CALL.c.id == call.id, _CALL.c.owner == self.cause.owner)
            .values(stop=True)
        )

    def intend(self, effect: Effect) -> None:
        values = {**effect.model_dump(mode="json", exclude={"at"}), "at": self._now}
        if self._count_ready(_INTEND[self._sqlite], self._signed(values)) != 1:
            raise AlreadyThere(f"effect {effect.key}")
        self.note(effect_written(effect))

    def record(self, effect: Effect) -> None:
        recorded = self._count(
            update(_EFFECT)
            .where(
                _EFFECT.c.call == effect.call,
                _EFFECT.c.key == effect.key,
                _EFFECT.c.owner == self.cause.owner,
                _EFFECT.c.fence == effect.fence,
            )
            .values(
                state=effect.state.value, before=effect.before, after=effect.after, at=self._now
            )
        )
        if recorded != 1:
            raise Conflict(f"effect {effect.key} has another fence")
        self.note(effect_written(effect))

    def effects(self, call: str) -> Sequence[Effect]:
        rows = self._all(
            select(_EFFECT)
            .where(_EFFECT.c.call == call, _EFFECT.c.owner == self.cause.owner)
            .order_by(_EFFECT.c.at, _EFFECT.c.key)
        )
        return [Effect.model_validate(row) for row in rows]

    def effects_on(self, keys: Collection[str], *, since: datetime) -> Sequence[Effect]:
        if not keys:
            return []
        rows = self._all(
            select(_EFFECT)
            .where(
                _EFFECT.c.owner == self.cause.owner,
                _EFFECT.c.key.in_(list(keys)),
                _EFFECT.c.state == EffectState.DONE.value,
                _EFFECT.c.at > since,
            )
            .order_by(_EFFECT.c.at, _EFFECT.c.call)
        )
        return [Effect.model_validate(row) for row in rows]

    def undone(self, call: str, *, by: str) -> None:
        self._count(
            update(_EFFECT)
            .where(_EFFECT.c.call == call, _EFFECT.c.owner == self.cause.owner)
            .values(undone=by)
        )

    def own_uid(self, uid: str, *, calendar: str, call: str) -> None:
        self._insert_new(
            _OWN_EVENT, {"calendar": calendar, "uid": uid, "call": call, "at": self._now}
        )

    def own_uids(self, calendar: str, uids: Iterable[str]) -> frozenset[str]:
        rows = self._all(
            select(_OWN_EVENT.c.uid).where(
                _OWN_EVENT.c.owner == self.cause.owner,
                _OWN_EVENT.c.calendar == calendar,
                _OWN_EVENT.c.uid.in_(list(uids)),
            )
        )
        return frozenset(row["uid"] for row in rows)


class ApprovalRows(AuditRows):
    def add_approval(self, approval: Approval) -> None:
        self._insert(_APPROVAL, _values(approval.model_dump()))

    def approval(self, call: str) -> Approval:
        which = {"call": call, "me": self.cause.owner}
        return Approval.model_validate(self._one_ready(_OF_CALL, f"approval of call {call}", which))

    def settle(
        self, approval: Approval, to: ApprovalState, *, by: str, reason: str, at: datetime
    ) -> Approval:
        if to not in approvals.NEXT[approval.state]:
            raise IllegalStep(f"an approval cannot go from {approval.state} to {to}")
        changes = {"state": to, "by": by, "reason": reason, "decided": at}
        which = {"this": approval.id, "me": self.cause.owner, "was": approval.state.value}
        if self._count_ready(_SETTLE, {**to_be(_values(changes)), **which}) != 1:
            raise Conflict(f"the approval is no longer {approval.state}")
        self.note(approval_settled(approval, to, by=by, reason=reason, at=at))
        return approval.model_copy(update=changes)

    def reminded(self, approval: Approval, *, next: datetime | None = None) -> None:
        self._count(
            update(_APPROVAL)
            .where(_APPROVAL.c.id == approval.id, _APPROVAL.c.owner == self.cause.owner)
            .values(remind=next)
        )

    def high_water(self, now: datetime) -> datetime:
        try:
            stored: datetime = self._one_ready(_NOTED, "the stored clock", {})["at"]
        except NotFound:
            return now
        return max(now, stored)


def _values(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Field values as columns take them: enums as their text, tuples as lists."""
    return {name: _column(value) for name, value in fields.items()}


def _column(value: Any) -> Any:
    if isinstance(value, str):
        return str(value)
    if isinstance(value, tuple):
        return list(value)
    if hasattr(value, "model_dump"):
        return value.model_dump(mode="json")
    return value
