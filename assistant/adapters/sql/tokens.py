"""The tokens of buttons, and the people who may speak for the owner."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import bindparam, select, update

from assistant.adapters.sql.audit import AuditRows
from assistant.adapters.sql.driver import Prepared
from assistant.adapters.sql.rows import assigned, assignments
from assistant.adapters.sql.tables import PersonRow, TokenRow, table
from assistant.domain.audit_entries import person_added, person_forgotten
from assistant.domain.errors import Conflict
from assistant.domain.people import Person
from assistant.domain.tokens import Token

_TOKEN = table(TokenRow)
_PERSON = table(PersonRow)

# Built once, because building a statement takes several times as long as running it.
_BY_HASH = Prepared(
    select(_TOKEN).where(_TOKEN.c.hash == bindparam("hash"), _TOKEN.c.owner == bindparam("me"))
)
_UNUSED = update(_TOKEN).where(
    _TOKEN.c.hash == bindparam("this"), _TOKEN.c.owner == bindparam("me"), _TOKEN.c.used.is_(None)
)
_USE = Prepared(_UNUSED.values(assignments(_TOKEN, ("used", "by"))))


class TokenRows(AuditRows):
    def add_tokens(self, tokens: Sequence[Token]) -> None:
        for token in tokens:
            given = {**token.model_dump(mode="json"), "expires": token.expires, "used": None}
            self._insert(_TOKEN, {**given, "created": self._now})

    def token(self, hash: str) -> Token:
        which = {"hash": hash, "me": self.cause.owner}
        return Token.model_validate(self._one(_BY_HASH, "this button", which))

    def use_token(self, token: Token, *, by: str, at: datetime) -> None:
        which = {"this": token.hash, "me": self.cause.owner}
        if not self._count(_USE, {**assigned({"used": at, "by": by}), **which}):
            raise Conflict("this button was used already")

    def tokens_of(self, delivery: str) -> frozenset[str]:
        statement = select(_TOKEN.c.hash).where(
            _TOKEN.c.owner == self.cause.owner, _TOKEN.c.delivery == delivery
        )
        return frozenset(row["hash"] for row in self._all(statement))


class PersonRows(AuditRows):
    def add_person(self, person: Person) -> None:
        values = {
            "channel": person.channel,
            "id": person.id,
            "owner": self.cause.owner,
            "by": person.by,
            "at": self._now,
            "trace": self.cause.trace,
        }
        if self._count(self._upsert(_PERSON).values(values).on_conflict_do_nothing()):
            self.note(person_added(person))
        elif not any(one.id == person.id for one in self.people(person.channel)):
            raise Conflict(f"{person.id} is known as somebody else's")

    def people(self, channel: str) -> Sequence[Person]:
        statement = (
            select(_PERSON)
            .where(_PERSON.c.owner == self.cause.owner, _PERSON.c.channel == channel)
            .order_by(_PERSON.c.at, _PERSON.c.id)
        )
        return [Person.model_validate(row) for row in self._all(statement)]

    def forget_person(self, person: Person) -> bool:
        gone = _PERSON.delete().where(
            _PERSON.c.owner == self.cause.owner,
            _PERSON.c.channel == person.channel,
            _PERSON.c.id == person.id,
        )
        if not self._count(gone):
            return False
        self.note(person_forgotten(person))
        return True
