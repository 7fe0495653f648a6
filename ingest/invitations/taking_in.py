"""Take the invitations of a mail into their rows, and say what becomes of them."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from assistant.domain.calendar.invitations.invitation import Invitation
from assistant.domain.calendar.invitations.known import InvitationKey, KnownInvitation
from assistant.domain.calendar.invitations.news import SERIES_MISSING
from assistant.domain.calendar.invitations.record import InvitationRecord
from assistant.domain.calendar.invitations.taking import Following, TakenIn, take
from assistant.domain.calendar.invitations.words import say_news
from assistant.domain.calls.ports import CallTx
from assistant.domain.calls.states import CallState
from assistant.domain.mail.mail import Mail
from assistant.domain.messages import FollowInvitation
from assistant.domain.store import Tx
from ingest.text import line

TOLD = 2
"""The most invitations that a notice tells; the others are counted."""
_SAID = 240
"""The most characters of one of them."""
_ANSWER = "an answer to an invitation"
_ASKS = "a card asks you about it"
_AFTER = {
    Following.WITHDRAWS: "what I asked you about it is withdrawn",
    Following.OVER: "it is over, so I ask nothing",
    Following.LEFT_ALONE: "what I asked you about it stays as it is",
}


def is_offered(invited: str) -> bool:
    """Whether what a mail names may be offered for the calendar beside its invitations.

    Not where a card asks already, or where what was asked is withdrawn. ``invited``: as ``take_in``
    returned it.
    """
    return _ASKS not in invited and _AFTER[Following.WITHDRAWS] not in invited


class TakingIn(NamedTuple):
    """The moment, the owner's zone, and how many cards about invitations may wait at one time."""

    now: datetime
    zone: str
    cards: int


def take_in(tx: Tx, mail: Mail, invitations: Sequence[Invitation], taking: TakingIn) -> str:
    """Take a mail's invitations in, order that they are asked about; return words for its notice.

    A mail that was taken in before changes nothing. Lock the mail first.
    """
    telling = sorted(
        (each for each in invitations if each.tells),
        key=lambda each: each.recurrence_id is not None,
    )
    if not telling:
        return _ANSWER if invitations else ""
    keys = {_key(each) for each in telling}
    records = {key: tx.open_invitation(key, now=taking.now) for key in sorted(keys)}
    room = _room(tx, taking.cards)
    said: list[str] = []
    for invitation in telling:
        key = _key(invitation)
        before = records[key]
        taken = take(invitation, before, tx.invitations_like(key), now=taking.now)
        record = taken.record.model_copy(update={"updated": taking.now})
        asks = record.wanted and not before.wanted
        if _waits_for_room(record) and room > 0:
            record, asks = record.model_copy(update={"wanted": True}), True
        if asks and room <= 0:
            record, asks = record.model_copy(update={"wanted": False}), False
        if asks:
            room -= 1
        again = before.said and mail.id in (before.mail, before.led)
        repeats = again and taken.following is Following.NOTHING
        words = before.said if repeats else _words(invitation, taken, taking)
        if record.known != before.known:
            record = record.model_copy(update={"mail": mail.id, "said": words})
        if record.proposal != before.proposal:
            record = record.model_copy(update={"led": mail.id, "said": words})
        tx.keep_invitation(record)
        records[key] = record
        if asks or taken.following is Following.WITHDRAWS:
            tx.emit(FollowInvitation(id=record.id))
        said.append("; ".join(filter(None, (words, _after(tx, taken, record)))))
    said = list(dict.fromkeys(said))
    more = len(said) - TOLD
    return "; ".join((*said[:TOLD], *([f"and {more} more"] if more > 0 else [])))


def _key(invitation: Invitation) -> InvitationKey:
    return KnownInvitation.of(invitation).key


def _room(tx: Tx, cards: int) -> int:
    """Return how many more cards may wait: a flood of mail must not keep out the owner's calls."""
    parked = len(tx.calls(states={CallState.PARKED}, limit=cards))
    return cards - parked - tx.wanted_invitations(limit=cards)


def _waits_for_room(record: InvitationRecord) -> bool:
    """Return whether nobody was asked, and nothing was ordered, as too much waited."""
    proposal = record.proposal
    return proposal is not None and not record.wanted and proposal.token != record.asked


def _words(invitation: Invitation, taken: TakenIn, taking: TakingIn) -> str:
    told = say_news(invitation, taken.news, taking.zone, now=taking.now)
    first, *rest = told
    when = rest[:1] if taken.news.before or invitation.when else []
    warned = [each for each in taken.news.warnings if each != SERIES_MISSING][:1]
    return line(", ".join((first, *when, *warned)), _SAID)


def _after(tx: CallTx, taken: TakenIn, record: InvitationRecord) -> str:
    if taken.following in _AFTER:
        return _AFTER[taken.following]
    if record.proposal is None:
        return ""
    if SERIES_MISSING in taken.news.warnings:
        return "a card asks you about it once its series is in the calendar"
    if record.wanted:
        return _ASKS
    if record.proposal.token == record.asked:
        state = tx.call(record.call).state
        waits = state is CallState.PARKED or state is CallState.SUPERSEDED
        return _ASKS if waits else "I asked you about it before"
    return "I do not ask you about it now, as too much waits for you"
