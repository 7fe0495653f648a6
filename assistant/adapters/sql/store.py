"""The store: transactions that ring once they are committed, and single statements."""

import logging
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime

from sqlalchemy import bindparam, text

from assistant.adapters.sql import audit
from assistant.adapters.sql.approvals.rows import ApprovalRows
from assistant.adapters.sql.approvals.tokens import TokenRows
from assistant.adapters.sql.audit import AuditRows
from assistant.adapters.sql.calendar.copies import CopyRows
from assistant.adapters.sql.calls import CallRows
from assistant.adapters.sql.commitments.rows import CommitmentRows
from assistant.adapters.sql.conversations import ConversationRows
from assistant.adapters.sql.credentials.rows import CredentialRows
from assistant.adapters.sql.deliveries import DeliveryRows
from assistant.adapters.sql.driver import Autocommit, Engines, LazyTransaction, translated
from assistant.adapters.sql.files import FileRows
from assistant.adapters.sql.governance import GovernanceRows
from assistant.adapters.sql.grants import GrantRows
from assistant.adapters.sql.invitations.rows import InvitationRows
from assistant.adapters.sql.jobs.claims import Claims
from assistant.adapters.sql.jobs.relay import Relay
from assistant.adapters.sql.mails import MailRows
from assistant.adapters.sql.owner import OwnerRows
from assistant.adapters.sql.people import PersonRows
from assistant.adapters.sql.reminders.due_notices import DueNoticeRows
from assistant.adapters.sql.reminders.rows import ReminderRows
from assistant.adapters.sql.retention.settled import SettledRows
from assistant.adapters.sql.retention.sizes import StoredSizes
from assistant.adapters.sql.tables.columns import UtcDateTime
from assistant.domain.audit.chain import Head
from assistant.domain.errors import Transient
from assistant.domain.jobs.job import EXPECTED, Cause, Doorbell
from assistant.domain.jobs.ports import Bell
from assistant.domain.messages import Message
from assistant.domain.time.clock import Clock

log = logging.getLogger(__name__)


class SqlTx(
    ConversationRows,
    CallRows,
    ApprovalRows,
    GovernanceRows,
    GrantRows,
    FileRows,
    MailRows,
    CommitmentRows,
    ReminderRows,
    DueNoticeRows,
    InvitationRows,
    CopyRows,
    DeliveryRows,
    TokenRows,
    PersonRows,
    OwnerRows,
    CredentialRows,
    AuditRows,
):
    """One transaction; see ``assistant.domain.store.Tx``."""

    def finish(self, autocommit: Autocommit) -> None:
        """Run the last statements: the audit of what was done, then the jobs."""
        self.write_notes()
        super().finish(autocommit)


class SqlStore(Claims, Relay, SettledRows, StoredSizes):
    """See ``assistant.domain.store.Store``. Safe to share between threads, not across a fork."""

    def __init__(self, *, engines: Engines, bell: Bell, clock: Clock) -> None:
        super().__init__(engines=engines, clock=clock)
        self._bell = bell

    @contextmanager
    def begin(self, cause: Cause) -> Generator[SqlTx]:
        with translated(), LazyTransaction(self._engines, writing=True) as transaction:
            tx = SqlTx(transaction, cause=cause, now=self._clock.now(), writing=True)
            yield tx
            tx.finish(self._engines.autocommit)
        self._ring(tx.bells)

    @contextmanager
    def read(self, cause: Cause) -> Generator[SqlTx]:
        with translated(), LazyTransaction(self._engines, writing=False) as transaction:
            transaction.begin()
            yield SqlTx(transaction, cause=cause, now=self._clock.now(), writing=False)

    def whose(self, channel: str, person: str) -> str:
        rows = self._read(_WHOSE, {"channel": channel, "id": person})
        return str(rows[0]["owner"]) if rows else ""

    def _ring(self, bells: Sequence[Doorbell]) -> None:
        if not bells:
            return
        try:
            self._bell.ring(bells)
        except Transient as error:
            log.warning(
                "the bell is out of order (%s); the relay rings %d later", error, len(bells)
            )

    def expect(self, message: Message) -> None:
        bell = Doorbell(job=message.name, kind=EXPECTED, queue=message.queue)
        try:
            self._bell.ring([bell])
        except Transient as error:
            log.info("nobody expects %s: %s", message.name, error)

    def drop_tokens(self, *, before: datetime) -> int:
        return self._count_flushed(_DROP_TOKENS, {"before": before})

    def chain(self, *, limit: int = 500) -> int:
        with translated():
            return audit.chain(self._engines, limit=limit)

    def heads(self) -> Mapping[str, Head]:
        with translated(), LazyTransaction(self._engines, writing=False) as transaction:
            return audit.heads(transaction)


_WHOSE = text("SELECT owner FROM person WHERE channel = :channel AND id = :id")

_DROP_TOKENS = text("DELETE FROM token WHERE expires < :before").bindparams(
    bindparam("before", type_=UtcDateTime())
)
