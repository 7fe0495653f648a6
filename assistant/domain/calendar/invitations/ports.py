"""The part of a transaction that handles invitations."""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from assistant.domain.calendar.invitations.known import InvitationKey
from assistant.domain.calendar.invitations.record import InvitationRecord


class InvitationTx(Protocol):
    def open_invitation(self, key: InvitationKey, *, now: datetime) -> InvitationRecord:
        """Return the row of this key, locked; add an empty one where there is none.

        Lock several in the order of their keys, and after a mail or a call.
        """
        ...

    def invitation(self, id: str, *, lock: bool = False) -> InvitationRecord:
        """Return a row by its id. Raises ``NotFound``."""
        ...

    def invitations_like(self, key: InvitationKey) -> Sequence[InvitationRecord]:
        """Return rows with this UID, those of the organizer first, without the one of this key.

        Those of others only where they are about all of the event, or the same occurrence. No more
        than 50.
        """
        ...

    def invitations_by(self, mail: str) -> Sequence[InvitationRecord]:
        """Return the rows that hold what a mail said, by id."""
        ...

    def wanted_invitations(self, *, limit: int) -> int:
        """Count the rows for whose proposal a call is still to be made, up to ``limit``."""
        ...

    def keep_invitation(self, record: InvitationRecord) -> None:
        """Write a row that was read with a lock."""
        ...

    def drop_invitation(self, id: str) -> None:
        """Delete a row."""
        ...
