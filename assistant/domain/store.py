"""The database: transactions, and the jobs that workers claim.

Every implementation raises the errors of ``assistant.domain.errors`` and no vendor's: ``Transient``
ones are worth another try, ``Permanent`` ones are not.
"""

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from typing import Protocol

from assistant.domain.approvals.ports import ApprovalTx, TokenTx
from assistant.domain.audit.chain import Head
from assistant.domain.audit.ports import AuditTx
from assistant.domain.calls.ports import CallTx
from assistant.domain.conversation.ports import ConversationTx, DeliveryTx, PersonTx
from assistant.domain.files.ports import FileTx
from assistant.domain.governance.ports import ModeTx, SpendingTx
from assistant.domain.jobs.job import Cause, Doorbell, Job, JobFacts
from assistant.domain.jobs.ports import JobTx
from assistant.domain.mail.ports import MailTx
from assistant.domain.messages import Message, Queue
from assistant.domain.policy.ports import GrantTx, PolicyTx


class Tx(
    JobTx,
    ConversationTx,
    CallTx,
    ApprovalTx,
    ModeTx,
    PolicyTx,
    GrantTx,
    AuditTx,
    FileTx,
    MailTx,
    DeliveryTx,
    TokenTx,
    PersonTx,
    SpendingTx,
    Protocol,
):
    """One transaction on behalf of one cause. It sees and makes only rows of that owner.

    Lock order, where several rows are locked: mode, conversation, call, delivery.
    """

    cause: Cause


class Store(Protocol):
    """The database. Nothing outside happens inside a transaction."""

    def whose(self, channel: str, person: str) -> str:
        """The owner whom this person was paired with; empty when nobody knows them."""
        ...

    def begin(self, cause: Cause) -> AbstractContextManager[Tx]:
        """Write. Commits on leaving, rolls back on an exception; then rings what was emitted."""
        ...

    def read(self, cause: Cause) -> AbstractContextManager[Tx]:
        """Look: one consistent view, no locks, writing is refused."""
        ...

    def expect(self, message: Message) -> None:
        """Have a worker wake up for a job that is about to be emitted.

        It waits a moment for the row, and leaves if none comes. Nothing rests on it: what is
        emitted is rung for as ever.
        """
        ...

    def waits(self, job: str) -> bool:
        """Whether this job could be claimed just now. A look, which takes nothing."""
        ...

    def claim(self, job: str, *, worker: str) -> Job | None:
        """Take a job that is due; None when it is gone, not due, failed or held by another."""
        ...

    def retry(self, job: Job, *, due: datetime, error: str) -> None:
        """Let go of a job until ``due``. Nothing happens when the lease is lost already."""
        ...

    def beat(self, claims: Sequence[str]) -> None:
        """Say of these claims that their holders live."""
        ...

    def held(self) -> dict[str, tuple[str, int]]:
        """Every claimed job: its claim and how often it has beaten."""
        ...

    def release(self, claims: Sequence[str]) -> int:
        """Take these claims away from holders that are gone; how many there were."""
        ...

    def due(self, *, limit: int = 200) -> Sequence[Doorbell]:
        """What should be rung again, moved on in the same statement so that it is rung once."""
        ...

    def jobs(self, *, trace: str = "", failed: bool | None = None) -> Sequence[JobFacts]: ...
    def sent_canary(self, queue: Queue) -> Doorbell:
        """Note that a canary goes into this queue now; the bell to ring for it."""
        ...

    def passed_canary(self, bell: str, queue: Queue) -> None:
        """The canary of this bell came out of its queue."""
        ...

    def canaries(self) -> dict[Queue, datetime]:
        """When the last canary came out of each queue; queues that none has crossed are absent."""
        ...

    def chain(self, *, limit: int = 500) -> int:
        """Link committed audit entries to those before them, oldest first; how many were.

        Nobody who writes waits for it, nor it for them: what commits later gets a later place. Of
        two at once one chains, and the other finds nothing to do.
        """
        ...

    def heads(self) -> Mapping[str, Head]:
        """The newest chained entry of each owner who has one."""
        ...

    def drop_tokens(self, *, before: datetime) -> int:
        """Forget the buttons that have been of no use since then, everybody's; how many."""
        ...

    def raise_high_water(self) -> None:
        """Note the time, so that no clock set back makes an expired approval fresh again."""
        ...
