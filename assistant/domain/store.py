"""The database: transactions, and the jobs that workers claim.

Every implementation raises the errors of ``assistant.domain.errors``, never a vendor's. A
``Transient`` one is worth another try, a ``Permanent`` one is not.
"""

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from typing import Protocol

from assistant.domain.approvals.ports import ApprovalTx, TokenTx
from assistant.domain.audit.chain import Head
from assistant.domain.audit.ports import AuditTx
from assistant.domain.calendar.copies.ports import CopyTx
from assistant.domain.calendar.invitations.ports import InvitationTx
from assistant.domain.calls.ports import CallTx
from assistant.domain.conversation.ports import ConversationTx, DeliveryTx, OwnerTx, PersonTx
from assistant.domain.credentials.credential import CredentialTx
from assistant.domain.files.ports import FileTx
from assistant.domain.governance.ports import ModeTx, SpendingTx
from assistant.domain.jobs.job import Cause, Doorbell, Job, JobFacts, Sizes
from assistant.domain.jobs.ports import JobTx
from assistant.domain.mail.ports import CommitmentTx, MailTx
from assistant.domain.messages import Message, Queue
from assistant.domain.policy.ports import GrantTx, PolicyTx
from assistant.domain.reminders.ports import DueNoticeTx, ReminderTx


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
    CommitmentTx,
    ReminderTx,
    DueNoticeTx,
    InvitationTx,
    CopyTx,
    DeliveryTx,
    TokenTx,
    PersonTx,
    OwnerTx,
    CredentialTx,
    SpendingTx,
    Protocol,
):
    """One transaction for one cause. It reads and writes rows of that owner only.

    Lock rows in this order: mode, conversation, call, mail, invitation, delivery.
    """

    cause: Cause


class Store(Protocol):
    """The database. Do no I/O with anything else inside a transaction."""

    def whose(self, channel: str, person: str) -> str:
        """Return the owner whom this person speaks for; empty when the person is unknown."""
        ...

    def begin(self, cause: Cause) -> AbstractContextManager[Tx]:
        """Begin a write. Commits and rings the bells at the end; rolls back on an exception."""
        ...

    def read(self, cause: Cause) -> AbstractContextManager[Tx]:
        """Begin a read: one consistent snapshot, no locks; a write raises."""
        ...

    def expect(self, message: Message) -> None:
        """Wake a worker early for a job that is about to be emitted.

        The worker waits a moment for the row. This only saves time: the job is rung for after its
        commit in any case.
        """
        ...

    def waits(self, job: str) -> bool:
        """Return whether this job could be claimed now. Claims nothing."""
        ...

    def claim(self, job: str, *, worker: str) -> Job | None:
        """Claim a job that is due; None when it is gone, not due, failed or held elsewhere."""
        ...

    def retry(self, job: Job, *, due: datetime, error: str) -> None:
        """Release a job until ``due``. Does nothing when the lease is already lost."""
        ...

    def postpone(self, job: Job, *, due: datetime, part: str, error: str) -> None:
        """Release a job until ``due``, as a part of the assistant is away; it was no try.

        Does nothing when the lease is already lost.
        """
        ...

    def beat(self, claims: Sequence[str]) -> None:
        """Record a heartbeat for each of these claims."""
        ...

    def held(self) -> dict[str, tuple[str, int]]:
        """Return every claimed job with its claim and its count of heartbeats."""
        ...

    def release(self, claims: Sequence[str]) -> int:
        """Release the claims of workers that are gone; return how many there were."""
        ...

    def due(self, *, limit: int = 200) -> Sequence[Doorbell]:
        """Return the jobs to ring again; one statement also postpones them, so each rings once."""
        ...

    def jobs(self, *, trace: str = "", failed: bool | None = None) -> Sequence[JobFacts]: ...
    def sent_canary(self, queue: Queue) -> Doorbell:
        """Record that a canary enters this queue now; return the bell to ring for it."""
        ...

    def passed_canary(self, bell: str, queue: Queue) -> None:
        """Record that the canary of this bell came out of its queue."""
        ...

    def canaries(self) -> dict[Queue, datetime]:
        """Return when the last canary came out of each queue; leave out queues without one."""
        ...

    def chain(self, *, limit: int = 500) -> int:
        """Chain committed audit entries, oldest first; return how many.

        Writers do not wait for it, nor it for them: an entry that commits later gets a later place.
        When two processes chain at once, one does the work and the other finds nothing to do.
        """
        ...

    def heads(self) -> Mapping[str, Head]:
        """Return the newest chained entry of each owner who has one."""
        ...

    def drop_tokens(self, *, before: datetime) -> int:
        """Delete all owners' button tokens that expired before then; return how many."""
        ...

    def drop_shown(self, owner: str, *, before: datetime, limit: int) -> int:
        """Delete old deliveries that are settled, and lines of the screen; return how many.

        Of each kind ``limit`` at the most. What announces a mail, shows a call that is not over,
        has a button that can still be pressed, or is not shown yet stays.
        """
        ...

    def drop_ended(self, owner: str, *, before: datetime, limit: int) -> int:
        """Delete what is left of work that ended before then; return how many rows.

        Those are failed jobs of which nothing waits any more, the events that channels were seen
        to tell, and what models cost. Of each kind ``limit`` at the most.
        """
        ...

    def sizes(self, owner: str) -> Sizes:
        """Return how much there is. Counts rows: for people who look, not for every minute."""
        ...

    def raise_high_water(self) -> None:
        """Store the latest time seen, so that a clock set back revives no expired approval."""
        ...
