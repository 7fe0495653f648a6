"""The row of an invitation: what is known of it, and the change that its owner is asked about."""

import hashlib
from datetime import datetime

from pydantic import AwareDatetime, BaseModel, ConfigDict

from assistant.domain.calendar.events import When
from assistant.domain.calendar.invitations.invitation import Invitation
from assistant.domain.calendar.invitations.known import (
    InvitationKey,
    KnownInvitation,
    Revision,
    occurrence_words,
)
from assistant.domain.calendar.invitations.news import NewsKind, ProposedChange
from assistant.domain.text.invisible import without_invisible

TITLE = 200
"""The most characters that are taken of a stranger's title."""
TOLD = 20
"""How many versions of an invitation are recognised in the calendar."""
_DIGITS = 32


class Proposal(BaseModel):
    """A change of the calendar that its owner is to be asked about."""

    model_config = ConfigDict(frozen=True)
    invitation: Invitation
    """What the mail said that led to it."""
    change: ProposedChange
    kind: NewsKind
    notes: tuple[str, ...] = ()
    """What the owner should know before they agree."""

    @property
    def token(self) -> str:
        """Return the name of this version of it."""
        return hashlib.sha256(self.model_dump_json().encode("utf-8", "replace")).hexdigest()[:16]

    @property
    def revision(self) -> Revision:
        return KnownInvitation.of(self.invitation).revision


class InvitationRecord(BaseModel):
    """What is kept of the invitations of one organizer to one event, or to one occurrence."""

    model_config = ConfigDict(frozen=True)
    id: str
    uid: str
    occurrence: str = ""
    """As ``InvitationKey`` has it."""
    organizer: str = ""
    mail: str = ""
    """The mail that ``known`` came by."""
    led: str = ""
    """The mail that led to ``proposal``; another one where its organizer did not send that."""
    known: KnownInvitation | None = None
    """None before the first mail is taken in, and once that mail is forgotten."""
    proposal: Proposal | None = None
    """What its owner is asked about, or said no to; None once it was done or withdrawn."""
    asked: str = ""
    """The token of the proposal that a call was made for."""
    wanted: bool = False
    """Whether a call is still to be made for the proposal."""
    told: tuple[str, ...] = ()
    """Digests of what its organizer said of it, by which it is recognised in the calendar."""
    said: str = ""
    """What the notice of the mail says that said something new last."""
    withdrawn: str = ""
    """Why a call that waits is to be withdrawn; empty where there is a proposal."""
    call: str = ""
    """The call that was made for it last."""
    made: AwareDatetime
    updated: AwareDatetime


def record_id(owner: str, key: InvitationKey) -> str:
    """Return the id of the one row of this key."""
    named = "\0".join((owner, *key)).encode("utf-8", "replace")
    return hashlib.sha256(named).hexdigest()[:_DIGITS]


def new_record(owner: str, key: InvitationKey, *, now: datetime) -> InvitationRecord:
    return InvitationRecord(
        id=record_id(owner, key),
        uid=key.uid,
        occurrence=key.occurrence,
        organizer=key.organizer,
        made=now,
        updated=now,
    )


def fit_title(title: str) -> str:
    """Return a stranger's title as one line that a card can show."""
    line = " ".join(without_invisible(title).split())
    shown = "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in line)
    return shown[:TITLE].strip() or "(no title)"


def content_digest(title: str, when: When) -> str:
    """Return a digest of what the calendar keeps of an invitation: its title and its time."""
    said = (fit_title(title), occurrence_words(when.start), occurrence_words(when.end))
    return hashlib.sha256("\0".join(said).encode("utf-8", "replace")).hexdigest()[:16]
