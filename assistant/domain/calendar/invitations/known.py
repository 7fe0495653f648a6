"""What is kept of the newest invitation to one event, to judge the next one by.

The newest is the one with the highest SEQUENCE, then with the latest DTSTAMP (RFC 5546, 2.1.5), of
those that the organizer's address sent, if there are any. So invitations may come in any order and
more than once, and the same one is kept in the end.
"""

import hashlib
from collections.abc import Iterable
from datetime import UTC, date, datetime
from typing import NamedTuple, Self

from pydantic import AwareDatetime, BaseModel, ConfigDict

from assistant.domain.calendar.events import When
from assistant.domain.calendar.invitations.invitation import Invitation

_NEVER = datetime.min.replace(tzinfo=UTC)


class CalendarPlace(BaseModel):
    """Where an invitation that was carried out stands in the owner's calendar."""

    model_config = ConfigDict(frozen=True)
    uid: str
    recurrence_id: AwareDatetime | date | None = None
    """The occurrence of the series ``uid``; None where it is an event of its own, or a series."""


class InvitationKey(NamedTuple):
    """Which invitations are about the same thing. Each organizer has events of their own."""

    uid: str
    occurrence: str
    """Empty for all of an event."""
    organizer: str


class Revision(NamedTuple):
    """How new an invitation is; the greater the newer."""

    from_organizer: bool
    """What the organizer sent counts more than any number that somebody else writes."""
    sequence: int
    dtstamp: datetime
    cancelled: bool
    """Of two with the same numbers, the cancelled one is taken for the newer."""
    digest: str
    """Of two that still say different things, always the same one wins."""

    @property
    def content(self) -> tuple[int, datetime, bool, str]:
        """Return all but who sent it."""
        return self[1:]


class KnownInvitation(BaseModel):
    model_config = ConfigDict(frozen=True)
    uid: str
    recurrence_id: AwareDatetime | date | None = None
    organizer: str = ""
    sequence: int = 0
    dtstamp: AwareDatetime | None = None
    cancelled: bool = False
    title: str = ""
    when: When | None = None
    rrule: str = ""
    recurrence: str = ""
    left_out: tuple[AwareDatetime | date, ...] = ()
    added: tuple[AwareDatetime | date, ...] = ()
    location: str = ""
    from_organizer: bool = False
    """Whether its organizer's own address sent it. Anybody may write an organizer into a mail."""
    place: CalendarPlace | None = None
    """Set by whoever carried out a change for it; None while it is not in the calendar."""

    @classmethod
    def of(cls, invitation: Invitation) -> Self:
        """Return what is kept of the first invitation to an event."""
        return cls(
            uid=invitation.uid,
            recurrence_id=invitation.recurrence_id,
            organizer=invitation.organizer,
            sequence=invitation.sequence,
            dtstamp=invitation.dtstamp,
            cancelled=invitation.cancels,
            title=invitation.title,
            when=invitation.when,
            rrule=invitation.rrule,
            recurrence=invitation.recurrence,
            left_out=invitation.left_out,
            added=invitation.added,
            location=invitation.location,
            from_organizer=invitation.from_organizer,
        )

    @property
    def key(self) -> InvitationKey:
        return InvitationKey(self.uid, occurrence_words(self.recurrence_id), self.organizer)

    @property
    def revision(self) -> Revision:
        said = (
            self.title,
            self.location,
            _when_words(self.when),
            self.recurrence,
            self.rrule,
            *(occurrence_words(each) for each in (*self.left_out, *self.added)),
        )
        digest = hashlib.sha256("\0".join(said).encode("utf-8", "replace")).hexdigest()
        return Revision(
            self.from_organizer, self.sequence, self.dtstamp or _NEVER, self.cancelled, digest
        )


def remember(invitation: Invitation, known: KnownInvitation | None) -> KnownInvitation | None:
    """Return what is to be kept of an event after an invitation came.

    ``known`` is what was kept under the same key; anything else is taken for nothing. An answer to
    an organizer changes nothing, and nobody else's mail replaces what the organizer sent; where the
    owner agrees to such a mail, keep ``carried_out`` of it.
    """
    if not invitation.tells:
        return known
    fresh = KnownInvitation.of(invitation)
    if known is None or known.key != fresh.key:
        return fresh
    if fresh.revision <= known.revision:
        return known
    return fresh.model_copy(update={"place": known.place})


def carried_out(invitation: Invitation, place: CalendarPlace | None) -> KnownInvitation:
    """Return what is to be kept once the owner agreed and the calendar was changed.

    ``place`` is where it stands in the calendar now; None if it was taken out of it.
    """
    return KnownInvitation.of(invitation).model_copy(update={"place": place})


def find_known(
    invitation: Invitation, among: Iterable[KnownInvitation]
) -> tuple[KnownInvitation | None, KnownInvitation | None]:
    """Return what is kept that an invitation is to be compared with, and the series it is in.

    The first is of the same event or occurrence, else of the series, else another organizer's with
    the same UID. The second is None where nothing is known of a series.
    """
    key = KnownInvitation.of(invitation).key
    of_uid = [each for each in among if each.uid == invitation.uid]
    own = {each.key.occurrence: each for each in of_uid if each.organizer == key.organizer}
    series = own.get("") if key.occurrence else None
    strangers = sorted((each for each in of_uid if each.organizer != key.organizer), key=_whole)
    others = [each for each in strangers if each.key.occurrence in {"", key.occurrence}]
    first = own.get(key.occurrence) or series or (None if own else next(iter(others), None))
    return first, series


def occurrence_words(moment: date | None) -> str:
    """Write which occurrence is meant, as keys and digests have it; empty for None."""
    if isinstance(moment, datetime):
        try:
            return moment.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")
        except OverflowError:  # either end of the calendar
            return moment.isoformat()
    return moment.strftime("%Y%m%d") if moment else ""


def _whole(known: KnownInvitation) -> tuple[bool, InvitationKey]:
    return known.recurrence_id is not None, known.key


def _when_words(when: When | None) -> str:
    return f"{occurrence_words(when.start)}/{occurrence_words(when.end)}" if when else ""
