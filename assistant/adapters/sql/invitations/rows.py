"""Invitations: one row for each event or occurrence, and each organizer who tells of it."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from pydantic import ValidationError
from sqlalchemy import bindparam, case, delete, func, or_, select, text, update

from assistant.adapters.sql.driver import Prepared
from assistant.adapters.sql.rows import (
    Row,
    Rows,
    as_columns,
    assigned,
    assignments,
    prepared_upserts,
)
from assistant.adapters.sql.tables.columns import table
from assistant.adapters.sql.tables.mails import InvitationRow
from assistant.domain.calendar.invitations.known import InvitationKey
from assistant.domain.calendar.invitations.record import InvitationRecord, new_record, record_id
from assistant.domain.errors import NotFound

_INVITATION = table(InvitationRow)
_LIKE = 50
_FIXED = frozenset({"id", "uid", "occurrence", "organizer", "made"})
_CHANGED = frozenset(InvitationRecord.model_fields) - _FIXED
_MINE = _INVITATION.c.owner == bindparam("me")
_THIS = _INVITATION.c.id == bindparam("this")
_BY_ID = Prepared(select(_INVITATION).where(_MINE, _THIS))
_BY_ID_LOCKED = Prepared(select(_INVITATION).where(_MINE, _THIS).with_for_update())
_BY_MAIL, _LED_BY = (
    Prepared(select(_INVITATION).where(_MINE, column == bindparam("of_mail")))
    for column in (_INVITATION.c.mail, _INVITATION.c.led)
)
_WANTED = Prepared(
    select(func.count().label("wanted")).select_from(
        select(_INVITATION.c.id)
        .where(_MINE, text("invitation.wanted"))
        .limit(bindparam("most"))
        .subquery()
    )
)
_OF_ORGANIZER = _INVITATION.c.organizer == bindparam("by")
_SAME_OR_ALL = or_(
    _INVITATION.c.occurrence == "", _INVITATION.c.occurrence == bindparam("of_occurrence")
)
_LIKE_IT = Prepared(
    select(_INVITATION)
    .where(
        _MINE,
        _INVITATION.c.uid == bindparam("of_uid"),
        _INVITATION.c.id != bindparam("this"),
        or_(_OF_ORGANIZER, _SAME_OR_ALL),
    )
    .order_by(
        case((_OF_ORGANIZER, 0), else_=1),
        case((_SAME_OR_ALL, 0), else_=1),
        _INVITATION.c.made,
        _INVITATION.c.id,
    )
    .limit(_LIKE)
)
_KEEP = Prepared(update(_INVITATION).where(_MINE, _THIS).values(assignments(_INVITATION, _CHANGED)))
_DROP = Prepared(delete(_INVITATION).where(_MINE, _THIS))
_NOTHING_KNOWN: Row = {
    "known": None,
    "proposal": None,
    "told": (),
    "made": datetime.fromtimestamp(0, UTC),
    "updated": datetime.fromtimestamp(0, UTC),
}
_COLUMNS = (*InvitationRecord.model_fields, "owner", "trace")


def _adding(insert: Any) -> Any:
    """Add a row, or lock the one that is there."""
    made = insert(_INVITATION).values({name: bindparam(f"to_{name}") for name in _COLUMNS}).inline()
    return made.on_conflict_do_update(index_elements=["id"], set_={"id": made.excluded["id"]})


_ADD: Mapping[bool, Prepared] = prepared_upserts(_adding)


class InvitationRows(Rows):
    """See ``assistant.domain.calendar.invitations.ports``."""

    def open_invitation(self, key: InvitationKey, *, now: datetime) -> InvitationRecord:
        values = self._signed(_columns(new_record(self.cause.owner, key, now=now)))
        self._count(_ADD[self._sqlite], assigned(values))
        return self.invitation(record_id(self.cause.owner, key))

    def invitation(self, id: str, *, lock: bool = False) -> InvitationRecord:
        if lock:
            self._must_write()
        found = self._all(_BY_ID_LOCKED if lock else _BY_ID, {**self._me, "this": id})
        if not found:
            raise NotFound(f"invitation {id}")
        return _record_of(found[0])

    def invitations_like(self, key: InvitationKey) -> Sequence[InvitationRecord]:
        values = {
            **self._me,
            "this": record_id(self.cause.owner, key),
            "of_uid": key.uid,
            "of_occurrence": key.occurrence,
            "by": key.organizer,
        }
        return [_record_of(row) for row in self._all(_LIKE_IT, values)]

    def invitations_by(self, mail: str) -> Sequence[InvitationRecord]:
        values = {**self._me, "of_mail": mail}
        rows = (*self._all(_BY_MAIL, values), *self._all(_LED_BY, values))
        found = {row["id"]: row for row in rows}
        return [_record_of(found[id]) for id in sorted(found)]

    def wanted_invitations(self, *, limit: int) -> int:
        return int(self._all(_WANTED, {**self._me, "most": limit})[0]["wanted"])

    def keep_invitation(self, record: InvitationRecord) -> None:
        columns = _columns(record)
        values = assigned({name: columns[name] for name in _CHANGED})
        self._count(_KEEP, {**self._me, "this": record.id, **values})

    def drop_invitation(self, id: str) -> None:
        self._count(_DROP, {**self._me, "this": id})

    @property
    def _me(self) -> dict[str, str]:
        return {"me": self.cause.owner}


def _columns(record: InvitationRecord) -> Row:
    return as_columns({name: getattr(record, name) for name in InvitationRecord.model_fields})


def _record_of(row: Row) -> InvitationRecord:
    """Return a row; one that cannot be read as one of which nothing is known."""
    try:
        return InvitationRecord.model_validate(row)
    except ValidationError:
        return InvitationRecord.model_validate({**row, **_NOTHING_KNOWN})
