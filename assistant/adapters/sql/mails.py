"""Mails, what is attached to them, and how they are found again."""

import re
from collections import defaultdict
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import cache
from typing import Any

from pydantic import BaseModel, ValidationError
from sqlalchemy import (
    ColumnElement,
    Select,
    and_,
    bindparam,
    delete,
    func,
    insert,
    literal_column,
    select,
    text,
    update,
)

from assistant.adapters.sql.driver import Prepared
from assistant.adapters.sql.rows import Row, Rows, as_columns, assigned, assignments
from assistant.adapters.sql.tables.calls import CallRow
from assistant.adapters.sql.tables.columns import table
from assistant.adapters.sql.tables.conversations import EntryRow
from assistant.adapters.sql.tables.mails import AttachmentRow, MailRow
from assistant.domain.conversation.conversation import Role
from assistant.domain.errors import AlreadyThere, Conflict, NotFound
from assistant.domain.mail.held import HeldMail, HeldReason
from assistant.domain.mail.mail import Attachment, Mail, MailQuery, MailState

_MAIL = table(MailRow)
_ATTACHMENT = table(AttachmentRow)
_CALL = table(CallRow)
_ENTRY = table(EntryRow)
# Built once, because every mail needs them and building a statement costs as much as running it.
_HAS_PARTS = select(_ATTACHMENT.c.mail).where(_ATTACHMENT.c.mail == _MAIL.c.id).exists()
_ID = select(_MAIL, _HAS_PARTS.label("has_parts")).where(
    _MAIL.c.owner == bindparam("of_owner"), _MAIL.c.id == bindparam("of_id")
)
_BY_ID = Prepared(_ID)
_BY_ID_LOCKED = Prepared(_ID.with_for_update())
_IS_THERE = Prepared(
    select(_MAIL.c.id).where(
        _MAIL.c.owner == bindparam("of_owner"), _MAIL.c.id == bindparam("of_id")
    )
)
_PARTS_OF_ONE = Prepared(
    select(_ATTACHMENT)
    .where(_ATTACHMENT.c.mail == bindparam("of_mail"))
    .order_by(_ATTACHMENT.c.ordinal)
)
_DROP_PARTS = Prepared(
    delete(_ATTACHMENT).where(
        _ATTACHMENT.c.mail == bindparam("of_mail"), _ATTACHMENT.c.owner == bindparam("of_owner")
    )
)
_ADD_PART = Prepared(insert(_ATTACHMENT))
_PARTS = (
    select(_ATTACHMENT)
    .where(_ATTACHMENT.c.mail.in_(bindparam("mails", expanding=True)))
    .order_by(_ATTACHMENT.c.mail, _ATTACHMENT.c.ordinal)
)
_BY_BYTES = select(_MAIL).where(
    _MAIL.c.owner == bindparam("of_owner"), _MAIL.c.sha256 == bindparam("of_bytes")
)
_EARLIER = (
    select(func.count().label("earlier"))
    .select_from(_MAIL)
    .where(
        _MAIL.c.owner == bindparam("of_owner"),
        _MAIL.c.sender_address == bindparam("address"),
        _MAIL.c.received < bindparam("came"),
    )
)
_OLD = Prepared(
    select(_MAIL.c.id)
    .where(
        _MAIL.c.owner == bindparam("me"),
        _MAIL.c.received < bindparam("before"),
        # In words as the index has it, and the others so that it does not go by another.
        text("mail.state <> 'forgotten'"),
        *(_MAIL.c.state != state.value for state in MailState if state is not MailState.ANNOUNCED),
    )
    .order_by(_MAIL.c.received, _MAIL.c.number)
    .limit(bindparam("most"))
)
_HELD = Prepared(
    select(_MAIL.c.id, _MAIL.c.number, _MAIL.c.reason)
    .where(
        _MAIL.c.owner == bindparam("of_owner"),
        _MAIL.c.state == MailState.HELD.value,
        _MAIL.c.number > bindparam("after"),
    )
    .order_by(_MAIL.c.number)
    .limit(bindparam("most"))
)
_WORD = re.compile(r"[^\W_]+")
_MOST_WORDS = 16
_NOT_COLUMNS = {"attachments", "trace", "owner"}
_NO_MAIL: Row = {"size": 0, "received": datetime.fromtimestamp(0, UTC), "state": MailState.HELD}
_NO_ATTACHMENT: Row = {"size": 0}
"""What stands for columns that cannot be read, where they have no default."""

POSTGRES_VECTOR = (
    "to_tsvector('simple', translate(subject || ' ' || sender || ' ' || summary || ' ' || inside,"
    " '@._-+/:<>&#%=~', '              '))"
)
"""What the index ``ix_mail_search`` holds: addresses fall into words, as in SQLite's FTS5.

Postgres's parser would otherwise take ``<anna@example.org>`` for a tag and drop it.
"""


@cache
def _moving(columns: frozenset[str]) -> Prepared:
    """Move a mail to another state and set these columns. Handlers use a few such sets."""
    return Prepared(
        update(_MAIL)
        .where(
            _MAIL.c.id == bindparam("of_id"),
            _MAIL.c.owner == bindparam("of_owner"),
            _MAIL.c.state == bindparam("was"),
        )
        .values(assignments(_MAIL, columns | {"state"}))
    )


class MailRows(Rows):
    def add_mail(self, mail: Mail) -> Mail | None:
        values = {
            name: getattr(mail, name) for name in Mail.model_fields if name not in _NOT_COLUMNS
        }
        # Whichever key is taken: of two at once, Postgres may see the other's id before its digest.
        if self._insert_new(_MAIL, as_columns(values)):
            return None
        known = self.mail_of(mail.sha256)
        if known is None:
            raise AlreadyThere(f"mail {mail.id}, with other bytes")
        return known

    def mail_of(self, sha256: str) -> Mail | None:
        found = self._all(_BY_BYTES, {"of_owner": self.cause.owner, "of_bytes": sha256})
        return self._full(found)[0] if found else None

    def mail(self, id: str, *, lock: bool = False) -> Mail:
        if not id:
            raise NotFound("a mail without an id")
        if lock:
            self._must_write()
        values = {"of_owner": self.cause.owner, "of_id": id}
        found = self._all(_BY_ID_LOCKED if lock else _BY_ID, values)
        if found:
            [row] = found  # most mails have no attachment, and are not asked for any
            parts = self._all(_PARTS_OF_ONE, {"of_mail": id}) if row.pop("has_parts") else []
            return _mail_of({**row, "attachments": parts})
        # People shorten ids.
        rows = self._starting_with(id, lock=lock)
        if len(rows) != 1:
            raise NotFound(f"mail {id}" if not rows else f"one mail: several begin with {id}")
        return self._full(rows)[0]

    def _starting_with(self, id: str, *, lock: bool) -> list[Row]:
        """One mail or two. An id has hexadecimal digits, which in any order come before a ``g``."""
        statement = select(_MAIL).where(
            _MAIL.c.owner.concat("") == self.cause.owner,
            _MAIL.c.id >= id,
            _MAIL.c.id < f"{id}g",
            func.substr(_MAIL.c.id, 1, len(id)) == id,
        )
        if lock:
            statement = self._locked(statement)
        return self._all(statement.limit(2))

    def move_mail(self, mail: Mail, to: MailState, **changes: Any) -> Mail:
        moved = mail.step(to, **changes)
        columns = as_columns(changes)
        values = {
            "of_id": mail.id,
            "of_owner": self.cause.owner,
            "was": mail.state.value,
            **assigned({"state": to.value, **columns}),
        }
        swapped = self._count(_moving(frozenset(columns)), values)
        if swapped != 1:
            raise Conflict(f"mail {mail.id} is no longer {mail.state}")
        return moved

    def attach(self, mail: str, attachments: Sequence[Attachment]) -> None:
        mine = {"of_owner": self.cause.owner}
        if not self._all(_IS_THERE, {**mine, "of_id": mail}):
            raise NotFound(f"mail {mail}")
        self._count(_DROP_PARTS, {**mine, "of_mail": mail})
        for ordinal, part in enumerate(attachments):
            values = self._signed({**part.model_dump(), "mail": mail, "ordinal": ordinal})
            self._count(_ADD_PART, values)

    def mails(self, query: MailQuery) -> Sequence[Mail]:
        statement = self._query(query)
        return [] if statement is None else self._full(self._all(statement.limit(query.limit)))

    def count_mails(self, query: MailQuery) -> int:
        statement = self._query(query)
        if statement is None:
            return 0
        counted = select(func.count()).select_from(statement.order_by(None).subquery())
        return int(self._one(counted, "a count")["count_1"])

    def held_mails(self, *, after: int = 0, limit: int) -> Sequence[HeldMail]:
        values = {"of_owner": self.cause.owner, "after": after, "most": limit}
        return [HeldMail.model_validate(row) for row in self._all(_HELD, values)]

    def held_reasons(self, *, before: datetime | None = None) -> Sequence[HeldReason]:
        statement = (
            select(
                _MAIL.c.reason,
                func.count().label("count"),
                func.max(_MAIL.c.received).label("newest"),
            )
            .where(_MAIL.c.owner == self.cause.owner, _MAIL.c.state == MailState.HELD.value)
            .group_by(_MAIL.c.reason)
        )
        if before is not None:
            statement = statement.where(_MAIL.c.received < before)
        return [HeldReason.model_validate(row) for row in self._all(statement)]

    def earlier_mails(self, mail: Mail) -> int:
        if not mail.sender_address:
            return 0
        of = {"of_owner": self.cause.owner, "address": mail.sender_address, "came": mail.received}
        return int(self._all(_EARLIER, of)[0]["earlier"])

    def old_mails(self, *, before: datetime, limit: int) -> Sequence[str]:
        values = {"me": self.cause.owner, "before": before, "most": limit}
        return [row["id"] for row in self._all(_OLD, values)]

    def quoted(self, naming: str) -> bool:
        found = select(_ENTRY.c.seq).where(self._quoting_entry(naming)).limit(1)
        return bool(
            self._all(found)
            or self._all(select(_CALL.c.number).where(self._quoting_call(naming)).limit(1))
        )

    def erase(self, naming: str, *, instead: str) -> None:
        self._count(update(_ENTRY).where(self._quoting_entry(naming)).values(text=instead))
        self._count(update(_CALL).where(self._quoting_call(naming)).values(result=instead))

    def _quoting_entry(self, naming: str) -> ColumnElement[bool]:
        return and_(
            _ENTRY.c.owner == self.cause.owner,
            _ENTRY.c.role == Role.OUTCOME.value,
            _ENTRY.c.text.contains(naming, autoescape=True)
            | _ENTRY.c.source.contains(naming, autoescape=True),
        )

    def _quoting_call(self, naming: str) -> ColumnElement[bool]:
        return and_(
            _CALL.c.owner == self.cause.owner, _CALL.c.result.contains(naming, autoescape=True)
        )

    def _query(self, query: MailQuery) -> Select[Any] | None:
        """What a query looks for, best or newest first; None where it cannot match anything."""
        words = _WORD.findall(query.words)[:_MOST_WORDS]
        if query.words.strip() and not words:
            return None
        statement = select(_MAIL).where(_MAIL.c.owner == self.cause.owner)
        if query.sender:
            statement = statement.where(
                func.lower(_MAIL.c.sender + " " + _MAIL.c.inside).contains(
                    query.sender.lower(), autoescape=True
                )
            )
        if query.after is not None:
            statement = statement.where(_MAIL.c.received >= query.after)
        if query.before is not None:
            statement = statement.where(_MAIL.c.received < query.before)
        if query.state is not None:
            # For provisional mails, which are few, SQLite must not go by the state.
            state = _MAIL.c.state.concat("") if query.provisional else _MAIL.c.state
            statement = statement.where(state == query.state.value)
        else:
            statement = statement.where(text("mail.state <> 'forgotten'"))  # as its indexes have it
        if query.bundle:  # in words as its index has it
            statement = statement.where(text("mail.bundle <> ''"), _MAIL.c.bundle == query.bundle)
        if query.provisional:
            statement = statement.where(text("mail.provisional"))  # as its index has it
            statement = statement.where(_MAIL.c.provisional == bindparam("yes", True))
        if words:
            matches = self._matches(words)
            statement = statement.join(matches, matches.c.number == _MAIL.c.number)
            statement = statement.order_by(matches.c.rank)
        if query.after is not None or query.before is not None:
            statement = statement.order_by(_MAIL.c.received.desc())
        return statement.order_by(_MAIL.c.number.desc())

    def _matches(self, words: Sequence[str]) -> Any:
        """A subquery of ``number, rank``; the least rank is the best match."""
        if self._sqlite:
            wanted = " AND ".join(f'"{word}"*' for word in words)
            return (
                text("SELECT rowid AS number, rank FROM mail_fts WHERE mail_fts MATCH :words")
                .bindparams(words=wanted)
                .columns(literal_column("number"), literal_column("rank"))
                .subquery("hits")
            )
        wanted = " & ".join(f"'{word}':*" for word in words)
        # Materialised: else `ORDER BY ... LIMIT` makes the planner walk the primary key.
        return (
            text(
                f"SELECT number, -ts_rank_cd({POSTGRES_VECTOR}, q) AS rank FROM mail,"  # noqa: S608 (constants)
                f" to_tsquery('simple', :words) q WHERE owner = :owner AND {POSTGRES_VECTOR} @@ q"
            )
            .bindparams(words=wanted, owner=self.cause.owner)
            .columns(literal_column("number"), literal_column("rank"))
            .cte("hits")
            .prefix_with("MATERIALIZED", dialect="postgresql")
        )

    def _full(self, rows: Sequence[Row]) -> list[Mail]:
        parts: dict[str, list[Row]] = defaultdict(list)
        if rows:
            found = self._all(_PARTS, {"mails": [row["id"] for row in rows]})
            for row in found:
                parts[row["mail"]].append(row)
        return [_mail_of({**row, "attachments": parts[row["id"]]}) for row in rows]


def _mail_of(row: Row) -> Mail:
    """Return the mail of a row; what cannot be read of it is a defect."""
    try:
        return Mail.model_validate(row)
    except ValidationError:
        return _what_is_left_of(row)


def _what_is_left_of(row: Row) -> Mail:
    parts = [_readable(Attachment, part, _NO_ATTACHMENT) for part in row["attachments"]]
    known, broken = _readable(Mail, {**row, "attachments": ()}, _NO_MAIL)
    told = (
        *(f"its {name} in the database cannot be read" for name in broken),
        *(
            f"the {name} of an attachment in the database cannot be read"
            for _, names in parts
            for name in names
        ),
    )
    attachments = tuple(Attachment.model_validate(part) for part, _ in parts)
    mail = Mail.model_validate(known)
    return mail.model_copy(update={"attachments": attachments, "defects": (*mail.defects, *told)})


def _readable(kind: type[BaseModel], row: Row, instead: Row) -> tuple[Row, list[str]]:
    """Return a row with its default, or ``instead``, for each column that cannot be read."""
    try:
        kind.model_validate(row)
    except ValidationError as error:
        broken = sorted({str(one["loc"][0]) for one in error.errors()})
        kept = {name: value for name, value in row.items() if name not in broken}
        return {**{name: instead[name] for name in broken if name in instead}, **kept}, broken
    return row, []
