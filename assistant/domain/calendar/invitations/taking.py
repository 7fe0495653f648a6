"""Take one invitation in: what its row holds afterwards, and what follows from that."""

from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from assistant.domain.calendar.invitations.invitation import Invitation
from assistant.domain.calendar.invitations.known import KnownInvitation, find_known, remember
from assistant.domain.calendar.invitations.news import (
    ChangeKind,
    InvitationNews,
    NewsKind,
    ProposedChange,
    compare,
    is_over,
    own_uid,
)
from assistant.domain.calendar.invitations.record import (
    TOLD,
    InvitationRecord,
    Proposal,
    content_digest,
)

_WHERE = ("where",)
_NOTHING_NEW = frozenset(
    {NewsKind.REPEAT, NewsKind.OLDER, NewsKind.NOT_FOR_US, NewsKind.CANCEL_UNKNOWN}
)
_CANCELS = frozenset({NewsKind.CANCEL, NewsKind.CANCEL_OCCURRENCE})


class Following(StrEnum):
    """What follows from an invitation."""

    NOTHING = "nothing"
    ASKS = "asks"
    """Its owner is asked about a change of the calendar."""
    WITHDRAWS = "withdraws"
    """What the owner was asked about is withdrawn."""
    OVER = "over"
    """It is over, and nobody is asked."""
    LEFT_ALONE = "left alone"
    """Somebody else's proposal for the same event waits, and stays."""


class TakenIn(NamedTuple):
    record: InvitationRecord
    news: InvitationNews
    following: Following


def take(
    invitation: Invitation,
    record: InvitationRecord,
    others: Sequence[InvitationRecord],
    *,
    now: datetime,
) -> TakenIn:
    """Return what the row of an invitation holds after it came, and what follows.

    Only a newer mail touches what its owner is asked about; and of a mail that its organizer did
    not send, only one by the same sender.

    Args:
        invitation: what came. It tells of an event, and is no answer.
        record: the row of its key.
        others: the rows of the same UID, as ``InvitationTx.invitations_like`` finds them.
        now: the moment by which an event is over.
    """
    known, series = find_known(invitation, _known_of((record, *others)))
    news = compare(invitation, known, series=series)
    change = _kept_apart(news.change, invitation, record, others, series)
    news = news.model_copy(update={"change": change})
    after = remember(invitation, record.known)
    kept = record.model_copy(update={"known": after})
    if after != record.known and invitation.when is not None:
        digest = content_digest(invitation.title, invitation.when)
        told = tuple(dict.fromkeys((*record.told, digest)))[-TOLD:]
        kept = kept.model_copy(update={"told": told})
    if news.kind in _NOTHING_NEW or news.changed == _WHERE:
        return TakenIn(kept, news, Following.NOTHING)
    if record.proposal and not _may_touch(invitation, record.proposal):
        return TakenIn(kept, news, Following.LEFT_ALONE)
    over = is_over(invitation, now)
    if change is not None and not over:
        proposal = Proposal(
            invitation=invitation,
            change=change,
            kind=news.kind,
            notes=(*news.warnings, *invitation.defects),
        )
        return TakenIn(_asking(kept, proposal), news, Following.ASKS)
    if record.proposal:
        why = _why_withdrawn(invitation, news, over=over)
        gone = {"proposal": None, "wanted": False, "withdrawn": why}
        return TakenIn(kept.model_copy(update=gone), news, Following.WITHDRAWS)
    return TakenIn(kept, news, Following.OVER if over and change else Following.NOTHING)


def _asking(record: InvitationRecord, proposal: Proposal) -> InvitationRecord:
    wanted = proposal.token != record.asked
    return record.model_copy(update={"proposal": proposal, "wanted": wanted, "withdrawn": ""})


def _known_of(records: Sequence[InvitationRecord]) -> list[KnownInvitation]:
    return [each.known for each in records if each.known is not None]


def _may_touch(invitation: Invitation, proposal: Proposal) -> bool:
    """Return whether an invitation may replace or withdraw a proposal."""
    same = invitation.sender.lower() == proposal.invitation.sender.lower()
    newer = KnownInvitation.of(invitation).revision > proposal.revision
    return newer and (invitation.from_organizer or same)


def _kept_apart(
    change: ProposedChange | None,
    invitation: Invitation,
    record: InvitationRecord,
    others: Sequence[InvitationRecord],
    series: KnownInvitation | None,
) -> ProposedChange | None:
    """Return the change without touching an event that another organizer told of first."""
    first = any(
        other.organizer != record.organizer
        and other.known is not None
        and (record.known is None or other.made <= record.made)
        for other in others
    )
    if change is None or not first or change.uid != invitation.uid:
        return change
    placed = [each.place for each in (record.known, series) if each and each.place]
    if any(place.uid == change.uid for place in placed):
        return change
    if change.kind is ChangeKind.CANCEL:
        return None
    own = {"kind": ChangeKind.CREATE, "uid": own_uid(invitation), "recurrence_id": None}
    return change.model_copy(update={**own, "and_following": False})


def _why_withdrawn(invitation: Invitation, news: InvitationNews, *, over: bool) -> str:
    by = f"a mail by {invitation.sender}" if invitation.sender else "a mail"
    if news.kind in _CANCELS:
        return f"{by} cancels it"
    if over:
        return f"{by} moves it to a time that is over"
    return f"{by} changes it in a way that cannot be followed"
