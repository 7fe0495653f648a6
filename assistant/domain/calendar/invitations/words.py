"""Say what an invitation changes, for a card that is read at a glance."""

from datetime import datetime

from assistant.domain.calendar.invitations.invitation import CalendarMethod, Invitation
from assistant.domain.calendar.invitations.news import InvitationNews, NewsKind
from assistant.domain.time.short import short_start, short_when

_TITLES = {
    NewsKind.NEW: "Invitation",
    NewsKind.UPDATE: "Invitation changed",
    NewsKind.REPEAT: "Invitation again, nothing new",
    NewsKind.OLDER: "An older invitation, nothing new",
    NewsKind.CANCEL: "Cancelled",
    NewsKind.CANCEL_OCCURRENCE: "Cancelled once",
    NewsKind.CANCEL_UNKNOWN: "Cancelled, and not known here",
    NewsKind.OCCURRENCE: "Changed once",
    NewsKind.OCCURRENCE_OF_UNKNOWN: "Invitation to one of a series",
    NewsKind.CLAIM: "Invitation that uses another's identifier",
    NewsKind.NOT_FOR_US: "Answer to an organizer",
}


def say_news(
    invitation: Invitation, news: InvitationNews, zone: str, *, now: datetime
) -> tuple[str, ...]:
    """Return lines for a card: what it is, what changes, what repeats, and the warnings.

    Args:
        invitation: what came. Its title and place are a stranger's words.
        news: what it tells, by ``compare``.
        zone: the owner's zone.
        now: the moment by which a year is left out.
    """
    title = invitation.title or "without a title"
    lines = [f"{_opening(invitation, news)}: {title}", *_changes(invitation, news, zone, now)]
    if invitation.recurrence and (not news.changed or "recurrence" in news.changed):
        lines.append(f"Repeats {invitation.recurrence}")
    if invitation.location and (not news.changed or "where" in news.changed):
        lines.append(f"Where: {invitation.location}")
    return (*lines, *news.warnings, *(each[:1].upper() + each[1:] for each in invitation.defects))


def _opening(invitation: Invitation, news: InvitationNews) -> str:
    if news.kind is NewsKind.NEW and invitation.method is CalendarMethod.PUBLISH:
        return "Event"
    if news.kind is NewsKind.OCCURRENCE and invitation.method is CalendarMethod.ADD:
        return "Once more"
    if invitation.and_following and news.kind is NewsKind.CANCEL_OCCURRENCE:
        return "Cancelled from one day on"
    if invitation.and_following and news.kind is NewsKind.OCCURRENCE:
        return "Changed from one day on"
    return _TITLES[news.kind]


def _changes(invitation: Invitation, news: InvitationNews, zone: str, now: datetime) -> list[str]:
    said: list[str] = []
    if "when" in news.changed and news.before and invitation.when:
        old, new = (short_start(each, zone, now=now) for each in (news.before, invitation.when))
        if old == new:  # it begins as before, and ends otherwise
            old, new = (short_when(each, zone, now=now) for each in (news.before, invitation.when))
        said.append(f"Moved from {old} to {new}")
    elif when := invitation.when or news.before:
        said.append(short_when(when, zone, now=now))
    if "title" in news.changed and news.title_before:
        said.append(f"Was called: {news.title_before}")
    if "recurrence" in news.changed and not invitation.recurrence:
        said.append("Does not repeat any more")
    return said
