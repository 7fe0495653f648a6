"""What an invitation tells that was not known, and the change that it asks for.

Nothing here changes a calendar. A ``ProposedChange`` becomes a call that waits for the owner.
"""

import hashlib
from datetime import UTC, date, datetime, timedelta
from enum import StrEnum

from pydantic import AwareDatetime, BaseModel, ConfigDict

from assistant.domain.calendar.events import When
from assistant.domain.calendar.invitations.invitation import CalendarMethod, Invitation
from assistant.domain.calendar.invitations.known import KnownInvitation, occurrence_words


class NewsKind(StrEnum):
    NEW = "new"
    UPDATE = "update"
    REPEAT = "repeat"
    """It says what is known already."""
    OLDER = "older"
    """Something newer is known."""
    CANCEL = "cancel"
    CANCEL_OCCURRENCE = "cancel_occurrence"
    CANCEL_UNKNOWN = "cancel_unknown"
    """It cancels what nobody has heard of."""
    OCCURRENCE = "occurrence"
    """It changes one occurrence of a known series, or adds one."""
    OCCURRENCE_OF_UNKNOWN = "occurrence_of_unknown"
    CLAIM = "claim"
    """It names an event that is known from another organizer, who alone may change it."""
    NOT_FOR_US = "not_for_us"
    """It is an answer to an organizer."""


class ChangeKind(StrEnum):
    CREATE = "create"
    UPDATE = "update"
    CANCEL = "cancel"


class ProposedChange(BaseModel):
    """A change of the calendar, in no provider's terms. All words in it are a stranger's."""

    model_config = ConfigDict(frozen=True)
    kind: ChangeKind
    uid: str
    """The event in the calendar; for a new one, the UID that it is to have."""
    recurrence_id: AwareDatetime | date | None = None
    """The occurrence of the series ``uid``; None: all of the event."""
    and_following: bool = False
    title: str = ""
    when: When | None = None
    """None only for a cancellation."""
    zone: str = ""
    rrule: str = ""
    left_out: tuple[AwareDatetime | date, ...] = ()
    added: tuple[AwareDatetime | date, ...] = ()


class InvitationNews(BaseModel):
    model_config = ConfigDict(frozen=True)
    kind: NewsKind
    changed: tuple[str, ...] = ()
    """Which of ``when``, ``title``, ``recurrence`` and ``where`` are other than before."""
    before: When | None = None
    """When it took place until now."""
    title_before: str = ""
    change: ProposedChange | None = None
    """What follows for the calendar, if the owner agrees; None: nothing."""
    warnings: tuple[str, ...] = ()


def compare(
    invitation: Invitation,
    known: KnownInvitation | None,
    *,
    series: KnownInvitation | None = None,
) -> InvitationNews:
    """Return what an invitation tells beyond what is known.

    Args:
        invitation: what came.
        known: what is kept of the same event or occurrence; else of its series; else of another
            organizer's event with the same UID, as ``find_known`` finds it.
        series: what is kept of the series that the occurrence is in, if any.
    """
    if not invitation.tells:
        return InvitationNews(kind=NewsKind.NOT_FOR_US)
    if known and known.uid != invitation.uid:
        known = None
    if known and known.organizer != invitation.organizer:
        news = _claim(invitation, known)
    elif known and known.recurrence_id == invitation.recurrence_id:
        news = _same(invitation, known, series)
    elif known and known.recurrence_id is None and not known.cancelled:
        news = _occurrence(invitation, known)
    else:
        news = _unknown(invitation, known if known and known.recurrence_id is None else None)
    return news.model_copy(update={"warnings": (*news.warnings, *_warnings(invitation))})


def own_uid(invitation: Invitation) -> str:
    """Return the UID for an event that must not stand under the one its organizer gave it.

    It is the same for each delivery of the same invitation.
    """
    key = KnownInvitation.of(invitation).key
    return hashlib.sha256("\0".join(key).encode("utf-8", "replace")).hexdigest()[:40]


# What is known of it


def _unknown(invitation: Invitation, series: KnownInvitation | None) -> InvitationNews:
    """Judge what nothing is known of, or a series that is cancelled."""
    if invitation.cancels:
        known = series is not None and invitation.recurrence_id is not None
        return InvitationNews(kind=NewsKind.REPEAT if known else NewsKind.CANCEL_UNKNOWN)
    if invitation.recurrence_id is None:
        return InvitationNews(kind=NewsKind.NEW, change=_create(invitation, invitation.uid))
    if series and series.cancelled and _is_before(invitation, series):
        return InvitationNews(kind=NewsKind.OLDER)
    change = _create(invitation, own_uid(invitation))
    return InvitationNews(kind=NewsKind.OCCURRENCE_OF_UNKNOWN, change=change)


def _claim(invitation: Invitation, known: KnownInvitation) -> InvitationNews:
    theirs, ours = invitation.organizer or "nobody", known.organizer or "nobody"
    said = f"Organizer {theirs} uses the identifier of an event that {ours} organizes"
    change = None if invitation.cancels else _create(invitation, own_uid(invitation))
    return InvitationNews(kind=NewsKind.CLAIM, change=change, warnings=(said,))


def _same(
    invitation: Invitation, known: KnownInvitation, series: KnownInvitation | None
) -> InvitationNews:
    """Judge an invitation by an earlier one to the same event or occurrence."""
    old, new = known.revision.content, KnownInvitation.of(invitation).revision.content
    if new == old:
        return InvitationNews(kind=NewsKind.REPEAT)
    warnings = (_SAME_NUMBER,) if old[:2] == new[:2] else ()
    if new < old:
        if not _is_trusted_more(invitation, known):
            return InvitationNews(kind=NewsKind.OLDER, warnings=warnings)
        warnings = (*warnings, _CONTESTED)
    news = _newer(invitation, known, series)
    return news.model_copy(update={"warnings": (*news.warnings, *warnings)})


def _newer(
    invitation: Invitation, known: KnownInvitation, series: KnownInvitation | None
) -> InvitationNews:
    """Return what is other than in an earlier invitation to the same event or occurrence."""
    before = {"before": known.when, "title_before": known.title}
    if invitation.cancels:
        if known.cancelled:
            return InvitationNews(kind=NewsKind.REPEAT)
        is_part = invitation.recurrence_id is not None
        kind = NewsKind.CANCEL_OCCURRENCE if is_part else NewsKind.CANCEL
        return InvitationNews(kind=kind, change=_cancel(invitation, known, series), **before)
    changed = _changed(invitation, known)
    if known.cancelled:
        again = ("It was cancelled before",)
        kind = NewsKind.OCCURRENCE if invitation.recurrence_id else NewsKind.NEW
        change = _change(invitation, known, None)
        return InvitationNews(kind=kind, change=change, warnings=again)
    if not changed:
        return InvitationNews(kind=NewsKind.REPEAT)
    kind = NewsKind.OCCURRENCE if invitation.recurrence_id else NewsKind.UPDATE
    change = _change(invitation, known, series) if changed != (_WHERE,) else None
    return InvitationNews(kind=kind, changed=changed, change=change, **before)


def _occurrence(invitation: Invitation, series: KnownInvitation) -> InvitationNews:
    """Judge the first invitation to an occurrence of a known series."""
    if _is_before(invitation, series):
        return InvitationNews(kind=NewsKind.OLDER)
    if invitation.method is CalendarMethod.ADD:
        change = _create(invitation, own_uid(invitation))
        return InvitationNews(kind=NewsKind.OCCURRENCE, changed=("when",), change=change)
    before = _planned(invitation.recurrence_id, series.when)
    if invitation.cancels:
        kind, change = NewsKind.CANCEL_OCCURRENCE, _cancel(invitation, None, series)
        return InvitationNews(kind=kind, before=before, title_before=series.title, change=change)
    planned = series.model_copy(update={"when": before, "rrule": "", "left_out": (), "added": ()})
    changed = _changed(invitation, planned)
    if not changed:
        return InvitationNews(kind=NewsKind.REPEAT)
    return InvitationNews(
        kind=NewsKind.OCCURRENCE,
        changed=changed,
        before=before,
        title_before=series.title,
        change=_change(invitation, None, series) if changed != (_WHERE,) else None,
        warnings=() if series.place else (SERIES_MISSING,),
    )


def _is_before(invitation: Invitation, series: KnownInvitation) -> bool:
    """Return whether the series was changed after an invitation to one of its occurrences.

    In one mail, an occurrence may have a lower SEQUENCE than its series, but the same DTSTAMP.
    """
    if _is_trusted_more(invitation, series):
        return False
    new, old = KnownInvitation.of(invitation).revision, series.revision
    return new.sequence < old.sequence and new.dtstamp < old.dtstamp


def _is_trusted_more(invitation: Invitation, known: KnownInvitation) -> bool:
    """Return whether the organizer writes, and what is known came from somebody else.

    A stranger who writes the highest number of all must not silence the organizer.
    """
    return invitation.from_organizer and not known.from_organizer


def _planned(start: date | None, series: When | None) -> When | None:
    """Return when an occurrence takes place by its series."""
    if start is None or series is None or isinstance(start, datetime) == series.all_day:
        return None
    try:
        if isinstance(start, datetime) and isinstance(series.start, datetime):
            start = start.astimezone(series.start.tzinfo)
        length: timedelta = series.end - series.start
        return When(start=start, end=start + length)
    except (OverflowError, ValueError):
        return None


_WHERE = "where"


def _changed(invitation: Invitation, known: KnownInvitation) -> tuple[str, ...]:
    new = KnownInvitation.of(invitation)
    rules = (
        (each.rrule, each.recurrence, _days(each.left_out), _days(each.added))
        for each in (new, known)
    )
    # Without a rule of its own, a change of the following ones keeps that of the series.
    has_rule = invitation.and_following and bool(invitation.recurrence)
    is_part = invitation.recurrence_id is not None and not has_rule
    differs = {
        "when": not _same_time(new.when, known.when),
        "title": new.title != known.title,
        "recurrence": not is_part and next(rules) != next(rules),
        _WHERE: new.location != known.location,
    }
    return tuple(name for name, is_other in differs.items() if is_other)


def _same_time(one: When | None, other: When | None) -> bool:
    if one is None or other is None:
        return one is other
    return all(
        occurrence_words(mine) == occurrence_words(yours)
        for mine, yours in ((one.start, other.start), (one.end, other.end))
    )


def _days(moments: tuple[date, ...]) -> frozenset[str]:
    return frozenset(occurrence_words(each) for each in moments)


# What follows for the calendar


def _create(invitation: Invitation, uid: str) -> ProposedChange | None:
    return _of(ChangeKind.CREATE, uid, None, invitation)


def _change(
    invitation: Invitation, known: KnownInvitation | None, series: KnownInvitation | None
) -> ProposedChange | None:
    """Return an update of what stands in the calendar; its creation where nothing does."""
    if known and known.place:
        return _of(ChangeKind.UPDATE, known.place.uid, known.place.recurrence_id, invitation)
    if invitation.recurrence_id is None:
        return _create(invitation, invitation.uid)
    if series and not series.cancelled:
        uid = series.place.uid if series.place else series.uid
        return _of(ChangeKind.UPDATE, uid, invitation.recurrence_id, invitation)
    return _create(invitation, own_uid(invitation))


def _cancel(
    invitation: Invitation, known: KnownInvitation | None, series: KnownInvitation | None
) -> ProposedChange | None:
    """Return a cancellation of what stands in the calendar; None where nothing does."""
    place, occurrence = None, None
    if known and known.place:
        place, occurrence = known.place, known.place.recurrence_id
    elif series and series.place and invitation.recurrence_id:
        place, occurrence = series.place, invitation.recurrence_id
    if place is None:
        return None
    return ProposedChange(
        kind=ChangeKind.CANCEL,
        uid=place.uid,
        recurrence_id=occurrence,
        and_following=invitation.and_following,
        title=invitation.title,
    )


def _of(
    kind: ChangeKind, uid: str, occurrence: date | None, invitation: Invitation
) -> ProposedChange | None:
    if invitation.when is None or invitation.refused_rule:
        return None
    return ProposedChange(
        kind=kind,
        uid=uid,
        recurrence_id=occurrence,
        and_following=invitation.and_following and occurrence is not None,
        title=invitation.title,
        when=invitation.when,
        zone=invitation.zone,
        rrule=invitation.rrule,
        left_out=invitation.left_out,
        added=invitation.added,
    )


# What the owner should know before pressing

SERIES_MISSING = "Its series is not in the calendar"
FORWARDED = "It came inside a forwarded mail"
_CONTESTED = "Something newer is known, but its organizer did not send it"
_SAME_NUMBER = "An earlier one has its number, and says something else"


def _warnings(invitation: Invitation) -> tuple[str, ...]:
    said: list[str] = []
    if not invitation.organizer:
        said.append("It names no organizer")
    elif invitation.sender and not invitation.from_organizer:
        said.append(not_by_organizer(invitation))
    if invitation.forwarded:
        said.append(FORWARDED)
    if invitation.mine is False:
        said.append("Not sent to your address")
    if invitation.refused_rule:
        said.append("It repeats in a way that is not accepted")
    if invitation.when is None and not invitation.cancels:
        said.append("It has no time that can be read")
    return tuple(said)


def not_by_organizer(invitation: Invitation) -> str:
    return f"Sent by {invitation.sender}, not by organizer {invitation.organizer}"


def is_over(invitation: Invitation, now: datetime) -> bool:
    """Return whether an event that does not repeat has ended, so that nothing need be asked."""
    if invitation.when is None or invitation.repeats:
        return False
    end = invitation.when.end
    if isinstance(end, datetime):
        return end <= now
    return end < (now.astimezone(UTC) - timedelta(days=1)).date()
