"""What mail needs of a transaction."""

from collections.abc import Sequence
from typing import Any, Protocol

from assistant.domain.mail.mail import Attachment, Mail, MailQuery, MailState


class MailTx(Protocol):
    def mail_of(self, sha256: str) -> Mail | None:
        """The mail that has these bytes; None where none has."""
        ...

    def add_mail(self, mail: Mail) -> Mail | None:
        """Store it; None if it is new, else the mail that has these bytes already."""
        ...

    def mail(self, id: str, *, lock: bool = False) -> Mail:
        """By id, or by a prefix of one that fits no other. Raises ``NotFound``."""
        ...

    def move_mail(self, mail: Mail, to: MailState, **changes: Any) -> Mail:
        """One step on, by compare-and-set on the state. Raises ``IllegalStep`` or ``Conflict``."""
        ...

    def attach(self, mail: str, attachments: Sequence[Attachment]) -> None:
        """Replace what is attached to a mail."""
        ...

    def mails(self, query: MailQuery) -> Sequence[Mail]:
        """Matches, best first where ``words`` are given, else newest first."""
        ...

    def count_mails(self, query: MailQuery) -> int:
        """How many match, whatever ``limit`` says."""
        ...

    def earlier_mails(self, mail: Mail) -> int:
        """How many came from this mail's address before it did; 0 where it names none."""
        ...

    def erase(self, naming: str, *, instead: str) -> None:
        """Put ``instead`` in the place of all that calls found, or that was quoted, naming this."""
        ...
