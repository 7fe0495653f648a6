"""The parts of a transaction that handle mails, and what they ask for."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Protocol

from assistant.domain.mail.held import HeldMail, HeldReason
from assistant.domain.mail.mail import Attachment, Mail, MailQuery, MailState
from assistant.domain.mail.understanding.commitments import Commitment, CommitmentState


class MailTx(Protocol):
    def mail_of(self, sha256: str) -> Mail | None:
        """Return the mail with these bytes, or None."""
        ...

    def add_mail(self, mail: Mail) -> Mail | None:
        """Store a new mail and return None; return the stored mail if one has these bytes."""
        ...

    def mail(self, id: str, *, lock: bool = False) -> Mail:
        """Return a mail by id, or by an unambiguous prefix of its id. Raises ``NotFound``."""
        ...

    def move_mail(self, mail: Mail, to: MailState, **changes: Any) -> Mail:
        """Move a mail on, by compare-and-set on the state. Raises ``IllegalStep``, ``Conflict``."""
        ...

    def attach(self, mail: str, attachments: Sequence[Attachment]) -> None:
        """Replace the attachments of a mail."""
        ...

    def mails(self, query: MailQuery) -> Sequence[Mail]:
        """Return matching mails, best first with ``words``, else newest first.

        Newest is what came last; in a span of time, what was received last.
        """
        ...

    def count_mails(self, query: MailQuery) -> int:
        """Count the matching mails, regardless of ``limit``."""
        ...

    def held_mails(self, *, after: int = 0, limit: int) -> Sequence[HeldMail]:
        """Return held mails whose number is above ``after``, by number."""
        ...

    def held_reasons(self, *, before: datetime | None = None) -> Sequence[HeldReason]:
        """Count held mails by their reason; only those that were received before then."""
        ...

    def earlier_mails(self, mail: Mail) -> int:
        """Count the mails from this mail's address that came before it; 0 without an address."""
        ...

    def old_mails(self, *, before: datetime, limit: int) -> Sequence[str]:
        """Return ids of announced mails that were received before then, oldest first."""
        ...

    def quoted(self, naming: str) -> bool:
        """Return whether ``erase`` would find anything; reads everything, and locks nothing."""
        ...

    def erase(self, naming: str, *, instead: str) -> None:
        """Replace by ``instead`` the results and outcome entries that contain ``naming``."""
        ...


class CommitmentTx(Protocol):
    """The ledger of what others ask of the owner, and of what the owner promised."""

    def keep_commitments(self, mail: str, rows: Sequence[Commitment]) -> None:
        """Put these in the place of a mail's open ones; one that is there keeps its number.

        What the owner has settled stays as it is, and is not opened again. Lock the mail first.
        """
        ...

    def commitments(self, *, settled: bool = False, limit: int = 200) -> Sequence[Commitment]:
        """Return the open ones: first by when they are due, then those without, newest first.

        ``settled``: those that are done or dropped as well, all of them newest first.
        """
        ...

    def commitment(self, number: int) -> Commitment:
        """Return the one of this number. Raises ``NotFound``."""
        ...

    def move_commitment(self, commitment: Commitment, to: CommitmentState) -> Commitment:
        """Move one on, by compare-and-set on the state. Raises ``IllegalStep``, ``Conflict``."""
        ...

    def forget_commitments(self, mail: str) -> None:
        """Delete all of a mail, settled or not."""
        ...
