"""Credentials: kept, read and forgotten by name."""

from typing import Any

from pydantic import ValidationError
from sqlalchemy import bindparam, delete, select

from assistant.adapters.sql.audit import AuditRows
from assistant.adapters.sql.driver import Prepared
from assistant.adapters.sql.rows import prepared_upserts
from assistant.adapters.sql.tables.columns import table
from assistant.adapters.sql.tables.owners import CredentialRow
from assistant.domain.audit.entries import credential_forgotten, credential_kept
from assistant.domain.credentials.credential import Credential
from assistant.domain.errors import Misconfigured

_CREDENTIAL = table(CredentialRow)
_THIS = (
    _CREDENTIAL.c.owner == bindparam("me"),
    _CREDENTIAL.c.name == bindparam("this"),
)
_GET = Prepared(select(_CREDENTIAL).where(*_THIS))
"""Built once, as every use of the calendar reads it."""
_FORGET = Prepared(delete(_CREDENTIAL).where(*_THIS))
_COLUMNS = ("owner", "name", "about", "sealed", "created", "trace")
_RENEWED = ("about", "sealed", "created", "trace")


def _keeping(insert: Any) -> Any:
    created = _CREDENTIAL.c.created.type
    values = {
        name: bindparam(name, type_=created) if name == "created" else bindparam(name)
        for name in _COLUMNS
    }
    made = insert(_CREDENTIAL).values(values).inline()
    renewed = {name: made.excluded[name] for name in _RENEWED}
    return made.on_conflict_do_update(index_elements=["owner", "name"], set_=renewed)


_KEEP = prepared_upserts(_keeping)


class CredentialRows(AuditRows):
    """See ``assistant.domain.credentials.credential.CredentialTx``."""

    def credential(self, name: str) -> Credential | None:
        rows = self._all(_GET, {"me": self.cause.owner, "this": name})
        try:
            return Credential.model_validate(rows[0]) if rows else None
        except ValidationError as error:
            raise Misconfigured(
                f"the stored credential {name} cannot be read: make it anew"
            ) from error

    def keep_credential(self, credential: Credential, *, by: str) -> None:
        values = self._signed(credential.model_dump())
        self._count(_KEEP[self._sqlite], values)
        self.note(credential_kept(credential.name, credential.about, by=by))

    def forget_credential(self, name: str, *, by: str) -> bool:
        if not self._count(_FORGET, {"me": self.cause.owner, "this": name}):
            return False
        self.note(credential_forgotten(name, by=by))
        return True
