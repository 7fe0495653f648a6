"""The tokens that buttons carry."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import bindparam, select, update

from assistant.adapters.sql.audit import AuditRows
from assistant.adapters.sql.driver import Prepared
from assistant.adapters.sql.rows import assigned, assignments
from assistant.adapters.sql.tables.columns import table
from assistant.adapters.sql.tables.deliveries import TokenRow
from assistant.domain.approvals.tokens import Token
from assistant.domain.errors import Conflict

_TOKEN = table(TokenRow)

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
