"""What the row of an invitation holds after mails came, in any order."""

from datetime import UTC, datetime, timedelta
from itertools import permutations
from typing import Any

import pytest

from assistant.domain.calendar.events import When
from assistant.domain.calendar.invitations.invitation import CalendarMethod, Invitation
from assistant.domain.calendar.invitations.known import CalendarPlace, KnownInvitation
from assistant.domain.calendar.invitations.news import ChangeKind
from assistant.domain.calendar.invitations.record import (
    TITLE,
    TOLD,
    InvitationRecord,
    content_digest,
    fit_title,
    new_record,
)
from assistant.domain.calendar.invitations.taking import Following, take

NOW = datetime(2026, 11, 23, 8, tzinfo=UTC)
BOSS, EVE = "boss@example.org", "eve@example.com"


def at(day: int, hour: int = 9) -> When:
    start = datetime(2026, 12, day, hour, tzinfo=UTC)
    return When(start=start, end=start + timedelta(hours=1))


def invite(number: int = 0, **other: Any) -> Invitation:
    given: dict[str, Any] = {
        "method": CalendarMethod.REQUEST,
        "uid": "u",
        "sequence": number,
        "dtstamp": NOW + timedelta(minutes=number),
        "title": "Review",
        "when": at(1 + number),
        "organizer": BOSS,
        "sender": BOSS,
    }
    return Invitation(**(given | other))


def cancel(number: int, **other: Any) -> Invitation:
    return invite(number, method=CalendarMethod.CANCEL, **other)


def empty(invitation: Invitation, *, made: datetime = NOW) -> InvitationRecord:
    return new_record("owner", KnownInvitation.of(invitation).key, now=made)


def after(*invitations: Invitation) -> InvitationRecord:
    record = empty(invitations[0])
    for each in invitations:
        record = take(each, record, (), now=NOW).record
    return record


@pytest.mark.parametrize("order", list(permutations(range(4))))
def test_in_any_order_the_newest_is_proposed(order: tuple[int, ...]) -> None:
    mails = [invite(number) for number in range(4)]
    record = after(*(mails[number] for number in order))
    assert record.proposal is not None
    assert record.proposal.change.when == at(4)
    assert record.known == KnownInvitation.of(mails[3])


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_in_any_order_what_is_cancelled_last_is_not_proposed(order: tuple[int, ...]) -> None:
    mails = (invite(0), invite(1), cancel(2))
    record = after(*(mails[number] for number in order))
    assert record.proposal is None
    assert record.known is not None
    assert record.known.cancelled


def test_the_same_one_again_changes_nothing() -> None:
    first = after(invite())
    taken = take(invite(), first, (), now=NOW)
    assert taken.following is Following.NOTHING
    assert taken.record == first


def test_a_change_of_the_place_alone_keeps_the_proposal() -> None:
    first = after(invite(location="Room 1"))
    taken = take(invite(1, when=at(1), location="Room 2"), first, (), now=NOW)
    assert taken.record.proposal == first.proposal


@pytest.mark.parametrize("forged", [invite(9, sender=EVE), cancel(9, sender=EVE)])
def test_another_sender_neither_replaces_nor_withdraws(forged: Invitation) -> None:
    first = after(invite())
    taken = take(forged, first, (), now=NOW)
    assert taken.following is Following.LEFT_ALONE
    assert taken.record == first


def test_what_another_sender_proposed_gives_way_to_the_organizer() -> None:
    record = after(invite(9, sender=EVE))
    taken = take(invite(1), record, (), now=NOW)
    assert taken.following is Following.ASKS
    assert taken.record.proposal is not None
    assert taken.record.proposal.invitation.sender == BOSS


def test_two_strangers_do_not_touch_each_other_s() -> None:
    record = after(invite(1, sender=EVE))
    assert take(cancel(2, sender="mallory@example.com"), record, (), now=NOW).following is (
        Following.LEFT_ALONE
    )
    assert take(cancel(2, sender=EVE), record, (), now=NOW).following is Following.WITHDRAWS


def test_another_organizer_who_came_later_gets_an_identifier_of_their_own() -> None:
    theirs: dict[str, Any] = {"organizer": EVE, "sender": EVE}
    boss = after(invite()).model_copy(update={"made": NOW - timedelta(days=1)})
    record = empty(invite(**theirs))
    for number in range(3):
        record = take(invite(number, **theirs), record, (boss,), now=NOW).record
        assert record.proposal is not None
        assert record.proposal.change.kind is ChangeKind.CREATE
        assert record.proposal.change.uid != "u"


def test_another_organizer_s_occurrence_is_no_change_of_the_first_one_s_series() -> None:
    theirs: dict[str, Any] = {"organizer": EVE, "sender": EVE}
    boss = after(invite(rrule="FREQ=DAILY")).model_copy(update={"made": NOW - timedelta(days=1)})
    series = take(
        invite(rrule="FREQ=DAILY", **theirs), empty(invite(**theirs)), (boss,), now=NOW
    ).record
    part = invite(1, recurrence_id=at(3).start, **theirs)
    taken = take(part, empty(part), (series, boss), now=NOW)
    assert taken.record.proposal is not None
    change = taken.record.proposal.change
    assert (change.kind, change.recurrence_id) == (ChangeKind.CREATE, None)
    assert change.uid != "u"


def test_the_first_organizer_is_not_kept_apart_by_one_who_came_later() -> None:
    boss = after(invite())
    eve = after(invite(organizer=EVE, sender=EVE)).model_copy(
        update={"made": NOW + timedelta(days=1)}
    )
    taken = take(invite(1), boss, (eve,), now=NOW)
    assert taken.record.proposal is not None
    assert taken.record.proposal.change.uid == "u"


def test_a_cancellation_of_what_is_in_the_calendar_is_proposed() -> None:
    record = after(invite())
    assert record.known is not None
    known = record.known.model_copy(update={"place": CalendarPlace(uid="u")})
    done = record.model_copy(update={"known": known, "proposal": None})
    taken = take(cancel(1), done, (), now=NOW)
    assert taken.record.proposal is not None
    assert taken.record.proposal.change.kind is ChangeKind.CANCEL


def test_what_moves_to_a_time_that_is_over_withdraws() -> None:
    record = after(invite(5))
    taken = take(invite(6, when=at(1)), record, (), now=NOW + timedelta(days=10))
    assert taken.following is Following.WITHDRAWS
    assert taken.record.withdrawn.endswith("over")


def test_what_its_organizer_said_is_remembered_in_bounds() -> None:
    mails = [invite(number % 28, sequence=number, dtstamp=NOW) for number in range(40)]
    record = after(*mails)
    assert len(record.told) == TOLD
    assert content_digest("Review", at(1 + 39 % 28)) in record.told


@pytest.mark.parametrize(
    ("title", "said"),
    [
        ("", "(no title)"),
        (" a\r\n b\t", "a b"),
        ("a\u202eb", "ab"),
        ("x" * 999, "x" * TITLE),
    ],
)
def test_a_title_is_one_line_that_can_be_shown(title: str, said: str) -> None:
    assert fit_title(title) == said
