"""What approvals needs of a transaction."""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from assistant.domain.approvals.approval import Approval, ApprovalState
from assistant.domain.approvals.tokens import Token


class ApprovalTx(Protocol):
    def add_approval(self, approval: Approval) -> None: ...
    def approval(self, call: str) -> Approval:
        """The approval of a call. Raises ``NotFound``."""
        ...

    def settle(
        self, approval: Approval, to: ApprovalState, *, by: str, reason: str, at: datetime
    ) -> Approval:
        """Leave the state it is in, once. Raises ``IllegalStep`` or ``Conflict``."""
        ...

    def reminded(self, approval: Approval, *, next: datetime | None = None) -> None:
        """Somebody was reminded of it, or wants to be later: at ``next``, or never again."""
        ...

    def high_water(self, now: datetime) -> datetime:
        """The latest time ever seen here, ``now`` included: a clock that never goes back."""
        ...


class TokenTx(Protocol):
    """What buttons carry."""

    def add_tokens(self, tokens: Sequence[Token]) -> None: ...
    def token(self, hash: str) -> Token:
        """Raises ``NotFound``."""
        ...

    def use_token(self, token: Token, *, by: str, at: datetime) -> None:
        """Use it up. Raises ``Conflict`` when somebody has already."""
        ...

    def tokens_of(self, delivery: str) -> frozenset[str]:
        """Hashes of all that were made for a delivery."""
        ...
