"""Conversations and their entries."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, func, select, text, update

from assistant.adapters.sql.audit import AuditRows
from assistant.adapters.sql.driver import Prepared
from assistant.adapters.sql.retention.waiting import no_live_job, no_open_call
from assistant.adapters.sql.tables.columns import UtcDateTime, table
from assistant.adapters.sql.tables.conversations import (
    ConversationRow,
    EntryRow,
    ModelUseRow,
    SightingRow,
)
from assistant.domain.audit.entries import conversation_emptied
from assistant.domain.conversation.conversation import (
    Conversation,
    Entry,
    ModelQuestion,
    Outcome,
    Role,
    Usage,
)
from assistant.domain.errors import Conflict
from assistant.domain.ids import new_id

_CONVERSATION = table(ConversationRow)
_ENTRY = table(EntryRow)
_SIGHTING = table(SightingRow)
_USE = table(ModelUseRow)
_ID = select(_CONVERSATION).where(
    _CONVERSATION.c.id == bindparam("id"), _CONVERSATION.c.owner == bindparam("me")
)
_BY_ID = Prepared(_ID)
_BY_ID_LOCKED = Prepared(_ID.with_for_update())
_SPENT = (
    select(_USE.c.cause, func.sum(_USE.c.input_tokens + _USE.c.output_tokens).label("tokens"))
    .where(_USE.c.owner == bindparam("me"), _USE.c.at >= bindparam("since"))
    .group_by(_USE.c.cause)
)
_ASKED = (
    select(_USE.c.at, _USE.c.outcome)
    .where(_USE.c.owner == bindparam("me"), _USE.c.outcome != Outcome.FAILED.value)
    .order_by(_USE.c.at.desc(), _USE.c.number.desc())
)


_IS_OLD = " AND ".join(
    (
        "conversation.owner = :me",
        "emptied IS NULL",
        "spoke < :before",
        no_open_call("call.conversation = conversation.id"),
        no_live_job("'think:' || conversation.id"),
    )
)
_BEFORE = bindparam("before", type_=UtcDateTime())
_OLD = Prepared(
    text(f"SELECT id FROM conversation WHERE {_IS_OLD} ORDER BY spoke LIMIT :most")  # noqa: S608 (constants)
    .bindparams(_BEFORE)
    .columns(_CONVERSATION.c.id)
)
_EMPTY = text(
    f"UPDATE conversation SET emptied = :now, closed = TRUE WHERE id = :id AND {_IS_OLD}"  # noqa: S608 (constants)
).bindparams(_BEFORE, bindparam("now", type_=UtcDateTime()))


class ConversationRows(AuditRows):
    def first_sight(self, channel: str, event: str) -> bool:
        values = {
            "owner": self.cause.owner,
            "channel": channel,
            "event": event,
            "at": self._now,
        }
        statement = self._upsert(_SIGHTING).values(values).on_conflict_do_nothing()
        return self._count(statement) == 1

    def conversation_in(
        self, channel: str, place: str, *, idle: float, aside: str = ""
    ) -> Conversation:
        found = self._open_in(channel, place)
        if found is not None:
            if (self._now - found.spoke).total_seconds() < idle:
                return self._aside(found, aside)
            self.close(found.id)
        self._insert_new(
            _CONVERSATION,
            {
                "id": new_id(),
                "channel": channel,
                "place": place,
                "last": 0,
                "heard": 0,
                "thought": 0,
                "turns": 0,
                "tainted": False,
                "aside": aside,
                "closed": False,
                "began": self._now,
                "spoke": self._now,
            },
        )
        made = self._open_in(channel, place)
        if made is None:
            raise Conflict(f"the conversation in {channel}/{place} was closed meanwhile")
        return made

    def _aside(self, conversation: Conversation, aside: str) -> Conversation:
        if not aside or aside == conversation.aside:
            return conversation
        self._count(
            update(_CONVERSATION).where(_CONVERSATION.c.id == conversation.id).values(aside=aside)
        )
        return conversation.model_copy(update={"aside": aside})

    def talks_in(self, channel: str, place: str) -> bool:
        statement = select(_CONVERSATION.c.id).where(
            _CONVERSATION.c.owner == self.cause.owner,
            _CONVERSATION.c.channel == channel,
            _CONVERSATION.c.place == place,
        )
        return bool(self._all(statement.limit(1)))

    def _open_in(self, channel: str, place: str) -> Conversation | None:
        statement = select(_CONVERSATION).where(
            _CONVERSATION.c.owner == self.cause.owner,
            _CONVERSATION.c.channel == channel,
            _CONVERSATION.c.place == place,
            text("NOT conversation.closed"),  # as its index has it
        )
        rows = self._all(self._locked(statement))
        return Conversation.model_validate(rows[0]) if rows else None

    def conversation(self, id: str, *, lock: bool = False) -> Conversation:
        if lock:
            self._must_write()
        statement, which = _BY_ID_LOCKED if lock else _BY_ID, {"id": id, "me": self.cause.owner}
        return Conversation.model_validate(self._one(statement, f"conversation {id}", which))

    def close(self, id: str) -> None:
        self._count(
            update(_CONVERSATION)
            .where(_CONVERSATION.c.id == id, _CONVERSATION.c.owner == self.cause.owner)
            .values(closed=True)
        )

    def append(self, conversation: str, entry: Entry, *, answer: bool) -> int:
        changes: dict[str, Any] = {"last": _CONVERSATION.c.last + 1}
        if answer:
            changes["heard"] = _CONVERSATION.c.last + 1
        if entry.role in (Role.OWNER, Role.NOTE):
            changes |= {"turns": 0, "spoke": self._now}
        self._must_write()
        seq: int = self._one(
            update(_CONVERSATION)
            .where(_CONVERSATION.c.id == conversation, _CONVERSATION.c.owner == self.cause.owner)
            .values(**changes)
            .returning(_CONVERSATION.c.last),
            f"conversation {conversation}",
        )["last"]
        self._insert(
            _ENTRY,
            {
                "conversation": conversation,
                "seq": seq,
                "role": entry.role.value,
                "origin": entry.origin.value,
                "source": entry.source,
                "text": entry.text,
                "call": entry.call,
                "at": self._now,
            },
        )
        return seq

    def thought(self, conversation: str, *, seen: int, tainted: bool) -> None:
        self._count(
            update(_CONVERSATION)
            .where(_CONVERSATION.c.id == conversation, _CONVERSATION.c.owner == self.cause.owner)
            .values(
                thought=seen,
                turns=_CONVERSATION.c.turns + 1,
                tainted=True if tainted else _CONVERSATION.c.tainted,
            )
        )

    def acted(self, conversation: str) -> None:
        self._count(
            update(_CONVERSATION)
            .where(_CONVERSATION.c.id == conversation, _CONVERSATION.c.owner == self.cause.owner)
            .values(turns=0)
        )

    def entries(self, conversation: str, *, last: int) -> Sequence[Entry]:
        rows = self._all(
            select(_ENTRY)
            .where(_ENTRY.c.conversation == conversation, _ENTRY.c.owner == self.cause.owner)
            .order_by(_ENTRY.c.seq.desc())
            .limit(last)
        )
        return [Entry.model_validate(row) for row in reversed(rows)]

    def old_conversations(self, *, before: datetime, limit: int) -> Sequence[str]:
        values = {"me": self.cause.owner, "before": before, "most": limit}
        return [row["id"] for row in self._all(_OLD, values)]

    def empty_conversation(self, id: str, *, before: datetime, instead: str) -> bool:
        which = {"me": self.cause.owner, "id": id, "before": before, "now": self._now}
        if not self._count(_EMPTY, which):
            return False
        self._count(
            update(_ENTRY)
            .where(_ENTRY.c.conversation == id, _ENTRY.c.owner == self.cause.owner)
            .values(text=instead, source="")
        )
        self.note(conversation_emptied(id))
        return True

    def used(self, usage: Sequence[Usage], *, subject: str, cause: str = "") -> None:
        common = {"subject": subject, "cause": str(cause), "at": self._now}
        for use in usage:
            self._insert(_USE, {**use.model_dump(mode="json"), **common})

    def spent(self, since: datetime) -> Mapping[str, int]:
        rows = self._all(_SPENT, {"me": self.cause.owner, "since": since})
        return {row["cause"]: int(row["tokens"]) for row in rows}

    def asked(self, *, last: int) -> Sequence[ModelQuestion]:
        rows = self._all(_ASKED.limit(last), {"me": self.cause.owner})
        return [
            ModelQuestion(at=row["at"], answered=row["outcome"] == Outcome.ANSWERED.value)
            for row in rows
        ]
