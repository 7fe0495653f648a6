"""The people who may speak for the owner."""

from collections.abc import Sequence

from sqlalchemy import select

from assistant.adapters.sql.audit import AuditRows
from assistant.adapters.sql.tables.columns import table
from assistant.adapters.sql.tables.owners import PersonRow
from assistant.domain.audit.entries import person_added, person_forgotten
from assistant.domain.conversation.people import Person
from assistant.domain.errors import Conflict

_PERSON = table(PersonRow)


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
