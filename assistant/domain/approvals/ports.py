"""The part of a transaction that handles approvals and button tokens."""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from assistant.domain.approvals.approval import Approval, ApprovalState
from assistant.domain.approvals.tokens import Token


class ApprovalTx(Protocol):
    def add_approval(self, approval: Approval) -> None: ...
    def approval(self, call: str) -> Approval:
        """Return the approval of a call. Raises ``NotFound``."""
        ...

    def settle(
        self, approval: Approval, to: ApprovalState, *, by: str, reason: str, at: datetime
    ) -> Approval:
        """Move an approval to another state, once. Raises ``IllegalStep`` or ``Conflict``."""
        ...

    def opened(self, approval: Approval) -> None:
        """Record that the owner was shown all details of the call."""
        ...

    def reminded(self, approval: Approval, *, next: datetime | None = None) -> None:
        """Set the next reminder to ``next``; without it, there is no other."""
        ...

    def high_water(self, now: datetime) -> datetime:
        """Return the latest time ever seen, ``now`` included: a clock that never goes back."""
        ...


class TokenTx(Protocol):
    """The tokens that buttons carry."""

    def add_tokens(self, tokens: Sequence[Token]) -> None: ...
    def token(self, hash: str) -> Token:
        """Return a token by its hash. Raises ``NotFound``."""
        ...

    def use_token(self, token: Token, *, by: str, at: datetime) -> None:
        """Mark a token as used. Raises ``Conflict`` if it was used before."""
        ...

    def tokens_of(self, delivery: str) -> frozenset[str]:
        """Return the hashes of all tokens made for a delivery."""
        ...
