"""Calls, and the effects they have."""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from functools import cache
from typing import Any

from sqlalchemy import (
    BindParameter,
    Select,
    Text,
    bindparam,
    func,
    or_,
    select,
    type_coerce,
    union_all,
    update,
)

from assistant.adapters.sql.audit import AuditRows
from assistant.adapters.sql.driver import Prepared
from assistant.adapters.sql.rows import Row, as_columns, assigned, assignments, prepared_upserts
from assistant.adapters.sql.tables.calls import CallRow, EffectRow, OwnEventRow
from assistant.adapters.sql.tables.columns import table
from assistant.adapters.sql.tables.owners import OwnerRow
from assistant.domain.audit.entries import (
    call_added,
    call_moved,
    effect_written,
)
from assistant.domain.calls.call import Call, Facts, Reach
from assistant.domain.calls.effects import Effect, EffectState
from assistant.domain.calls.states import ENDED, NOT_BEGUN, CallState
from assistant.domain.calls.tool_errors import ErrorType
from assistant.domain.calls.unreadable import readable_call
from assistant.domain.errors import AlreadyThere, BadArguments, Conflict
from assistant.domain.policy.always_ask import destroys
from assistant.domain.policy.decisions import MODEL

_CALL = table(CallRow)
_OWNER = table(OwnerRow)
_EFFECT = table(EffectRow)
_OWN_EVENT = table(OwnEventRow)

_COUNTED = 50
"""Rows that are counted; more than enough to be too many."""
_LAST = 2**31 - 1
"""A number that no call reaches."""
_LONG = 256
"""Characters of JSON from which on a value is not stored twice."""

# Built once, because building a statement takes several times as long as running it.
_MINE = _CALL.c.owner == bindparam("me")
_ID = select(_CALL).where(_CALL.c.id == bindparam("id"), _MINE)
_BY_ID = Prepared(_ID)
_BY_ID_LOCKED = Prepared(_ID.with_for_update())
_BY_NUMBER = Prepared(select(_CALL).where(_CALL.c.number == bindparam("number"), _MINE))
_USES = Prepared(
    select(_CALL.c.tool, func.count().label("uses"))
    .where(
        _MINE,
        _CALL.c.created >= bindparam("since"),
        or_(*(_CALL.c.verdict == counted for counted in ("allow", "report", "ask"))),
        _CALL.c.state != CallState.SUPERSEDED.value,
    )
    .group_by(_CALL.c.tool)
)


# ``conversation || ''`` makes the databases read the calls of an hour, not those of a conversation,
# which may be years old.
_DESTROYED = Prepared(
    select(_CALL.c.reach, type_coerce(_CALL.c.facts, Text).label("facts"))
    .where(
        _MINE,
        _CALL.c.created >= bindparam("since"),
        _CALL.c.conversation.concat("") == bindparam("conversation"),
        _CALL.c.number < bindparam("before"),
        _CALL.c.id != bindparam("without"),
        _CALL.c.actor == MODEL,
        *(_CALL.c.state != state.value for state in sorted(NOT_BEGUN)),
        or_(
            _CALL.c.reach == Reach.DESTROYS.value,
            type_coerce(_CALL.c.facts, Text).like(bindparam("overwrites")),
        ),
    )
    .order_by(_CALL.c.created.desc())
    .limit(_COUNTED)
)
_OVERWRITES = '%"destructive":true%'
"""Matches ``Facts`` as they are stored. It may match an argument of that name too."""


def _destroyed_by(row: Mapping[str, Any]) -> int:
    """Count what a stored call overwrites or deletes; 1 if its facts cannot be read."""
    try:
        facts = Facts.model_validate_json(row["facts"])
    except ValueError:
        return 1
    return destroys(Reach(row["reach"]), facts)


def _intent(insert: Any) -> Any:
    intent = insert(_EFFECT)
    new = intent.excluded
    return intent.on_conflict_do_update(
        index_elements=["call", "key"],
        set_={"fence": new.fence, "state": new.state, "at": new.at},
        where=_EFFECT.c.owner == new.owner,
    )


_INTEND = prepared_upserts(_intent)


@cache
def _moving(columns: frozenset[str]) -> Prepared:
    """Move a call to another state and set these columns. Flows use a few such sets."""
    held = update(_CALL).where(
        _CALL.c.id == bindparam("this"),
        _MINE,
        _CALL.c.state == bindparam("was"),
        _CALL.c.fence == bindparam("held"),
    )
    return Prepared(held.values(assignments(_CALL, columns)))


@cache
def _calls(*, conversation: bool, turn: bool, states: int) -> Prepared:
    """Select the newest calls: of a conversation, of a turn, in one of so many states.

    ``owner || ''`` makes SQLite find them by their conversation. Else it walks through all calls of
    the owner, which come in order.
    """
    if states > 1 and not conversation:
        return _in_states(states)
    narrowed = [
        condition
        for given, condition in (
            (conversation, _CALL.c.owner.concat("") == bindparam("me")),
            (not conversation, _MINE),
            (conversation, _CALL.c.conversation == bindparam("conversation")),
            (turn, _CALL.c.turn == bindparam("turn")),
        )
        if given
    ]
    if states:
        narrowed.append(or_(*(_CALL.c.state == _state(place) for place in range(states))))
    return Prepared(_newest(select(_CALL).where(*narrowed)))


def _in_states(states: int) -> Prepared:
    """Select the newest calls in one of several states: of the newest in each, the newest.

    In one statement with ``IN``, SQLite walks through all calls of the owner.
    """
    each = [
        _newest(select(_CALL.c.number).where(_MINE, _CALL.c.state == _state(place))).subquery()
        for place in range(states)
    ]
    numbers = union_all(*(select(found.c.number) for found in each))
    return Prepared(_newest(select(_CALL).where(_MINE, _CALL.c.number.in_(numbers))))


def _newest(calls: Select[Any]) -> Select[Any]:
    return calls.order_by(_CALL.c.number.desc()).limit(bindparam("most"))


def _state(place: int) -> BindParameter[str]:
    return bindparam(f"state_{place}", type_=_CALL.c.state.type)


def call_of(row: Row) -> Call:
    """Return the call of a row, with what its row does not repeat, as far as it can be read."""
    try:
        asked = _whole(row["asked"], row["facts"]["args"])
    except (TypeError, KeyError, ValueError):  # the row is broken, which the call will say
        asked = row["asked"]
    return readable_call({**row, "asked": asked})


def _without_repeats(
    asked: Mapping[str, Any], args: Mapping[str, Any]
) -> Mapping[str, Any] | list[Any]:
    """What was asked for, as its row has it: without long values that the facts repeat.

    Such as the content of a file. If there is one, it is the names of all, and the other values.
    """
    repeated = {name for name, value in asked.items() if _is_repeated(value, args.get(name))}
    if not repeated:
        return asked
    return [list(asked), {name: asked[name] for name in asked.keys() - repeated}]


def _is_repeated(value: Any, resolved: Any) -> bool:
    written = json.dumps(value)  # not the values: 1 equals True
    return len(written) >= _LONG and written == json.dumps(resolved)


def _whole(stored: Mapping[str, Any] | list[Any], args: Mapping[str, Any]) -> Mapping[str, Any]:
    """The opposite of ``_without_repeats``."""
    if isinstance(stored, Mapping):
        return stored
    names, others = stored
    return {name: others[name] if name in others else args[name] for name in names}


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
        columns = as_columns(stored.model_dump())
        columns["asked"] = _without_repeats(columns["asked"], columns["facts"]["args"])
        self._insert(_CALL, columns)
        self.note(call_added(stored, at=self._now))
        return stored

    def call(self, id: str, *, lock: bool = False) -> Call:
        if lock:
            self._must_write()
        statement = _BY_ID_LOCKED if lock else _BY_ID
        which = {"id": id, "me": self.cause.owner}
        return call_of(self._one(statement, f"call {id}", which))

    def call_named(self, handle: str) -> Call:
        number = handle.strip().lstrip("#").upper().removeprefix("A")
        if not (number.isascii() and number.isdigit() and len(number) < 10):  # noqa: PLR2004 (fits 32 bits)
            return self.call(handle.strip())
        which = {"number": int(number), "me": self.cause.owner}
        return call_of(self._one(_BY_NUMBER, f"call {handle}", which))

    def calls(
        self,
        *,
        conversation: str = "",
        turn: int | None = None,
        states: Collection[CallState] = (),
        limit: int = 200,
    ) -> Sequence[Call]:
        narrowed = {"conversation": conversation or None, "turn": turn}
        given = {name: value for name, value in narrowed.items() if value is not None}
        some = {f"state_{place}": state.value for place, state in enumerate(states)}
        statement = _calls(conversation=bool(conversation), turn=turn is not None, states=len(some))
        values = {**given, **some, "me": self.cause.owner, "most": limit}
        return [call_of(row) for row in self._all(statement, values)]

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
        return [call_of(row) for row in rows]

    def unclear(self, since: datetime) -> Sequence[Call]:
        failure = type_coerce(_CALL.c.failure, Text)
        rows = self._all(
            select(_CALL)
            .where(
                _CALL.c.owner == self.cause.owner,
                _CALL.c.state == CallState.FAILED.value,
                _CALL.c.ended >= since,
                _CALL.c.reach != Reach.READS.value,
                failure.startswith(f'{{"type":"{ErrorType.UNKNOWN_OUTCOME}"', autoescape=True),
            )
            .order_by(_CALL.c.number.desc())
        )
        return [call_of(row) for row in rows]

    def tool_uses(self, since: datetime) -> Mapping[str, int]:
        rows = self._all(_USES, {"me": self.cause.owner, "since": since})
        return {row["tool"]: row["uses"] for row in rows}

    def destroyed(
        self, conversation: str, *, since: datetime, before: int = 0, without: str = ""
    ) -> int:
        values = {
            "me": self.cause.owner,
            "conversation": conversation,
            "since": since,
            "before": before or _LAST,
            "without": without,
            "overwrites": _OVERWRITES,
        }
        return sum(map(_destroyed_by, self._all(_DESTROYED, values)))

    def move(self, call: Call, to: CallState, **changes: Any) -> Call:
        if "facts" in changes or "asked" in changes:  # the row has one of them by the other
            raise BadArguments("what a call asks for never changes; propose another")
        if to is CallState.RUNNING:
            changes = {"fence": call.fence + 1, "started": self._now, **changes}
        elif to is CallState.CLEARED and call.state is CallState.PARKED:
            changes = {"cleared": self._now, **changes}
        elif to in ENDED:
            changes = {"ended": self._now, **changes}
        moved = call.step(to, **changes)
        values = as_columns({"state": to, **changes})
        which = {
            "this": call.id,
            "me": self.cause.owner,
            "was": call.state.value,
            "held": call.fence,
        }
        swapped = self._count(_moving(frozenset(values)), {**assigned(values), **which})
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
        if self._count(_INTEND[self._sqlite], self._signed(values)) != 1:
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
