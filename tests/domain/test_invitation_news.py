"""What an invitation tells beyond what is known, and what follows from it."""

from datetime import UTC, date, datetime, timedelta
from itertools import permutations
from random import Random
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.domain.calendar.events import When
from assistant.domain.calendar.invitations.invitation import CalendarMethod, Invitation
from assistant.domain.calendar.invitations.known import (
    CalendarPlace,
    InvitationKey,
    KnownInvitation,
    carried_out,
    find_known,
    remember,
)
from assistant.domain.calendar.invitations.news import (
    ChangeKind,
    InvitationNews,
    NewsKind,
    compare,
    is_over,
    own_uid,
)
from assistant.domain.calendar.invitations.words import say_news

ZONE = ZoneInfo("Europe/Berlin")
NOW = datetime(2026, 11, 23, 9, tzinfo=ZONE)
STAMP = datetime(2026, 11, 20, 9, tzinfo=UTC)
ANN = "ann@firm.example"


def at(day: int, hour: int, minutes: int = 60) -> When:
    start = datetime(2026, 11, day, hour, tzinfo=ZONE)
    return When(start=start, end=start + timedelta(minutes=minutes))


def invite(**said: Any) -> Invitation:
    plain = {"method": CalendarMethod.REQUEST, "uid": "u1", "title": "Plan", "when": at(24, 10)}
    return Invitation(**plain | {"organizer": ANN, "dtstamp": STAMP, "sender": ANN} | said)


def kept(invitation: Invitation, *, place: bool = True) -> KnownInvitation:
    stands = CalendarPlace(uid=invitation.uid) if place else None
    return KnownInvitation.of(invitation).model_copy(update={"place": stands})


def series(**said: Any) -> Invitation:
    return invite(rrule="FREQ=WEEKLY", recurrence="every week", when=at(3, 10), **said)


LATER = {"sequence": 1, "dtstamp": STAMP + timedelta(hours=1)}
SECOND = {"recurrence_id": datetime(2026, 11, 24, 9, tzinfo=UTC), **LATER}


def lines(invitation: Invitation, news: InvitationNews) -> tuple[str, ...]:
    return say_news(invitation, news, "Europe/Berlin", now=NOW)


def test_a_first_invitation_proposes_an_event_under_its_own_uid() -> None:
    came = invite(location="Room 4")
    news = compare(came, None)
    assert news.kind is NewsKind.NEW
    assert news.change
    assert (news.change.kind, news.change.uid, news.change.when) == (
        ChangeKind.CREATE,
        "u1",
        at(24, 10),
    )
    assert lines(came, news) == ("Invitation: Plan", "Tue 24 Nov, 10:00–11:00", "Where: Room 4")


def test_a_newer_one_moves_what_stands_in_the_calendar() -> None:
    came = invite(when=at(25, 11), **LATER)
    news = compare(came, kept(invite()))
    assert (news.kind, news.changed) == (NewsKind.UPDATE, ("when",))
    assert news.change
    assert (news.change.kind, news.change.uid) == (ChangeKind.UPDATE, "u1")
    assert lines(came, news) == (
        "Invitation changed: Plan",
        "Moved from Tue 24 Nov 10:00 to Wed 25 Nov 11:00",
    )


def test_a_newer_one_creates_what_was_never_put_into_the_calendar() -> None:
    news = compare(invite(title="Plan B", **LATER), kept(invite(), place=False))
    assert news.change
    assert (news.kind, news.change.kind) == (NewsKind.UPDATE, ChangeKind.CREATE)


def test_an_end_that_moves_is_told_whole() -> None:
    came = invite(when=at(24, 10, 90), **LATER)
    told = lines(came, compare(came, kept(invite())))
    assert told[1] == "Moved from Tue 24 Nov, 10:00–11:00 to Tue 24 Nov, 10:00–11:30"


def test_another_title_or_place_is_told_and_a_place_changes_no_calendar() -> None:
    came = invite(title="Plan B", location="Room 5", **LATER)
    news = compare(came, kept(invite()))
    assert news.changed == ("title", "where")
    assert "Was called: Plan" in lines(came, news)
    only_place = compare(invite(location="Room 5", **LATER), kept(invite()))
    assert (only_place.kind, only_place.change) == (NewsKind.UPDATE, None)


def test_a_series_that_ends_is_told() -> None:
    came = invite(when=at(3, 10), **LATER)
    news = compare(came, kept(series()))
    assert news.changed == ("recurrence",)
    assert "Does not repeat any more" in lines(came, news)


@pytest.mark.parametrize("said", [{}, LATER])
def test_the_same_again_changes_nothing(said: dict[str, Any]) -> None:
    news = compare(invite(**said), kept(invite()))
    assert (news.kind, news.change) == (NewsKind.REPEAT, None)


@pytest.mark.parametrize(
    "numbers",
    [
        {"sequence": 0, "dtstamp": STAMP + timedelta(days=9)},
        {"sequence": 1, "dtstamp": STAMP},
        {"sequence": 1, "dtstamp": None},
    ],
)
def test_an_older_one_changes_nothing(numbers: dict[str, Any]) -> None:
    news = compare(invite(when=at(26, 8), **numbers), kept(invite(**LATER)))
    assert (news.kind, news.change) == (NewsKind.OLDER, None)


def test_two_that_have_the_same_numbers_and_differ_are_told_so() -> None:
    one, other = invite(), invite(when=at(26, 8))
    said = [compare(one, kept(other)), compare(other, kept(one))]
    assert {each.kind for each in said} == {NewsKind.UPDATE, NewsKind.OLDER}
    assert all("says something else" in each.warnings[0] for each in said)


def test_a_cancellation_takes_away_what_stands_in_the_calendar() -> None:
    came = invite(method=CalendarMethod.CANCEL, **LATER)
    news = compare(came, kept(invite()))
    assert news.kind is NewsKind.CANCEL
    assert news.change
    assert (news.change.kind, news.change.uid) == (ChangeKind.CANCEL, "u1")
    assert lines(came, news) == ("Cancelled: Plan", "Tue 24 Nov, 10:00–11:00")
    nothing_stands = compare(came, kept(invite(), place=False))
    assert (nothing_stands.kind, nothing_stands.change) == (NewsKind.CANCEL, None)
    assert compare(came, None).kind is NewsKind.CANCEL_UNKNOWN


def test_a_status_cancels_as_a_method_does() -> None:
    assert compare(invite(status="CANCELLED", **LATER), kept(invite())).kind is NewsKind.CANCEL
    answer = invite(status="CANCELLED", method=CalendarMethod.REPLY)
    assert compare(answer, kept(invite())).kind is NewsKind.NOT_FOR_US


def test_an_invitation_that_a_cancellation_overtook_is_old() -> None:
    known = remember(invite(method=CalendarMethod.CANCEL, **LATER), None)
    assert compare(invite(), known).kind is NewsKind.OLDER


def test_an_event_that_takes_place_again_is_new_and_told() -> None:
    known = kept(invite(status="CANCELLED"), place=False)
    news = compare(invite(**LATER), known)
    assert (news.kind, news.warnings) == (NewsKind.NEW, ("It was cancelled before",))


def test_one_occurrence_moves_from_where_its_series_has_it() -> None:
    came = invite(when=at(25, 11), **SECOND)
    news = compare(came, kept(series()))
    assert news.kind is NewsKind.OCCURRENCE
    assert news.change
    assert (news.change.kind, news.change.uid) == (ChangeKind.UPDATE, "u1")
    assert news.change.recurrence_id == SECOND["recurrence_id"]
    assert lines(came, news) == (
        "Changed once: Plan",
        "Moved from Tue 24 Nov 10:00 to Wed 25 Nov 11:00",
    )


def test_one_occurrence_moves_again_by_the_place_of_its_series() -> None:
    first = invite(when=at(25, 11), **SECOND)
    came = invite(when=at(26, 11), **SECOND | {"sequence": 2})
    news = compare(came, kept(first, place=False), series=kept(series()))
    assert news.change
    assert (news.change.kind, news.change.recurrence_id) == (
        ChangeKind.UPDATE,
        SECOND["recurrence_id"],
    )
    assert "Moved from Wed 25 Nov 11:00 to Thu 26 Nov 11:00" in lines(came, news)


@pytest.mark.parametrize("following", [False, True])
def test_one_occurrence_is_cancelled(following: bool) -> None:  # noqa: FBT001
    came = invite(method=CalendarMethod.CANCEL, and_following=following, **SECOND)
    news = compare(came, kept(series()))
    assert news.kind is NewsKind.CANCEL_OCCURRENCE
    assert news.change
    assert news.change.and_following is following
    assert news.change.recurrence_id == SECOND["recurrence_id"]
    opening = "Cancelled from one day on" if following else "Cancelled once"
    assert lines(came, news)[0] == f"{opening}: Plan"


def test_an_occurrence_of_an_unknown_series_becomes_an_event_of_its_own() -> None:
    came = invite(when=at(25, 11), **SECOND)
    news = compare(came, None)
    assert news.kind is NewsKind.OCCURRENCE_OF_UNKNOWN
    assert news.change
    assert (news.change.uid, news.change.recurrence_id) == (own_uid(came), None)
    assert compare(came, kept(series(status="CANCELLED", sequence=9))).change
    before = kept(series(status="CANCELLED", sequence=9, dtstamp=STAMP + timedelta(days=1)))
    assert compare(came, before).kind is NewsKind.OLDER


def test_an_occurrence_that_was_sent_before_its_series_changed_is_old() -> None:
    moved = series(sequence=4, dtstamp=STAMP + timedelta(days=1))
    assert compare(invite(when=at(25, 11), **SECOND), kept(moved)).kind is NewsKind.OLDER
    together = series(sequence=4, dtstamp=LATER["dtstamp"])
    assert compare(invite(when=at(25, 11), **SECOND), kept(together)).change


def test_one_more_occurrence_is_an_event_of_its_own() -> None:
    when = at(26, 10)
    start = datetime(2026, 11, 26, 9, tzinfo=UTC)
    came = invite(method=CalendarMethod.ADD, when=when, recurrence_id=start, **LATER)
    news = compare(came, kept(series()))
    assert news.kind is NewsKind.OCCURRENCE
    assert news.change
    assert news.change.kind is ChangeKind.CREATE
    assert lines(came, news) == ("Once more: Plan", "Thu 26 Nov, 10:00–11:00")


def test_a_change_from_one_day_on_keeps_the_rule_of_its_series() -> None:
    came = invite(and_following=True, when=at(25, 11), **SECOND)
    news = compare(came, kept(series()))
    assert news.changed == ("when",)
    assert lines(came, news)[0] == "Changed from one day on: Plan"
    ruled = came.model_copy(update={"rrule": "FREQ=DAILY", "recurrence": "every day"})
    assert "Repeats every day" in lines(ruled, compare(ruled, kept(series())))


def test_what_a_site_publishes_is_an_event_and_no_invitation() -> None:
    came = invite(method=CalendarMethod.PUBLISH, organizer="", defects=("it ends too early",))
    assert lines(came, compare(came, None)) == (
        "Event: Plan",
        "Tue 24 Nov, 10:00–11:00",
        "It names no organizer",
        "It ends too early",
    )


def test_nobody_but_its_organizer_changes_an_event() -> None:
    evil = "mallory@evil.example"
    came = invite(organizer=evil, sender=evil, when=at(24, 3), sequence=99)
    news = compare(came, kept(invite()))
    assert news.kind is NewsKind.CLAIM
    assert news.change
    assert (news.change.kind, news.change.uid) == (ChangeKind.CREATE, own_uid(came))
    assert news.change.uid != "u1"
    assert news.warnings[0].startswith(f"Organizer {evil} uses the identifier")
    cancelled = came.model_copy(update={"method": CalendarMethod.CANCEL})
    assert compare(cancelled, kept(invite())).change is None
    assert remember(came, kept(invite())) != kept(invite())


def test_a_stranger_with_the_highest_number_does_not_silence_the_organizer() -> None:
    forged = invite(sender="mallory@evil.example", sequence=2**31 - 1, when=at(24, 3))
    assert remember(forged, kept(invite())) == kept(invite())
    news = compare(invite(when=at(25, 11), **LATER), kept(forged))
    assert news.change
    assert (news.kind, news.change.kind) == (NewsKind.UPDATE, ChangeKind.UPDATE)
    assert news.warnings == ("Something newer is known, but its organizer did not send it",)
    cancelled = kept(forged.model_copy(update={"status": "CANCELLED"}))
    again = compare(invite(when=at(25, 11), **LATER), cancelled).change
    assert again
    assert (again.kind, again.uid) == (ChangeKind.UPDATE, "u1")


def test_what_a_colleague_passes_on_is_told_and_kept_once_the_owner_agreed() -> None:
    passed = invite(sender="colleague@firm.example", when=at(25, 11), **LATER)
    news = compare(passed, kept(invite()))
    assert news.change
    assert (news.kind, news.change.kind) == (NewsKind.UPDATE, ChangeKind.UPDATE)
    assert remember(passed, kept(invite())) == kept(invite())
    agreed = carried_out(passed, CalendarPlace(uid="u1"))
    assert compare(passed, agreed).kind is NewsKind.REPEAT
    direct = passed.model_copy(update={"sender": ANN})
    assert compare(direct, agreed).kind is NewsKind.REPEAT
    assert remember(direct, agreed) == kept(direct)


@pytest.mark.parametrize("method", ["reply", "counter", "refresh", "declinecounter", "other"])
def test_an_answer_to_an_organizer_changes_nothing(method: str) -> None:
    came = invite(method=method, **LATER)
    assert compare(came, kept(invite())) == InvitationNews(kind=NewsKind.NOT_FOR_US)
    assert remember(came, kept(invite())) == kept(invite())


@pytest.mark.parametrize(
    ("said", "warning"),
    [
        ({"organizer": ""}, "It names no organizer"),
        ({"sender": "x@y.example"}, f"Sent by x@y.example, not by organizer {ANN}"),
        ({"forwarded": True}, "It came inside a forwarded mail"),
        ({"mine": False}, "Not sent to your address"),
        ({"refused_rule": True}, "It repeats in a way that is not accepted"),
        ({"when": None}, "It has no time that can be read"),
    ],
)
def test_what_the_owner_should_know_is_said(said: dict[str, Any], warning: str) -> None:
    news = compare(invite(**said), None)
    assert news.warnings == (warning,)
    assert (news.change is None) == ("refused_rule" in said or "when" in said)


def test_what_is_known_is_found_by_event_organizer_and_occurrence() -> None:
    whole, part = kept(series()), kept(invite(when=at(25, 11), **SECOND))
    theirs = kept(series(organizer="mallory@evil.example"))
    known = [theirs, part, whole]
    assert find_known(invite(**SECOND), known) == (part, whole)
    other = invite(recurrence_id=datetime(2026, 12, 1, 9, tzinfo=UTC))
    assert find_known(other, known) == (whole, whole)
    assert find_known(series(), known) == (whole, None)
    assert find_known(series(organizer="x@y.example"), [part, whole]) == (whole, None)
    assert find_known(invite(uid="u2"), known) == (None, None)
    assert find_known(series(), [part]) == (None, None)


def test_what_is_over_need_not_be_asked() -> None:
    assert is_over(invite(when=at(20, 10)), NOW)
    assert not is_over(invite(), NOW)
    assert not is_over(series(), NOW)
    day = When(start=date(2026, 11, 23), end=date(2026, 11, 24))
    assert not is_over(invite(when=day), NOW)
    assert is_over(invite(when=When(start=date(2026, 11, 9), end=date(2026, 11, 10))), NOW)


# Whatever the order

METHODS = st.sampled_from([CalendarMethod.REQUEST, CalendarMethod.CANCEL, CalendarMethod.PUBLISH])
PARTS = st.sampled_from([None, SECOND["recurrence_id"], date(2026, 11, 24)])
SENT = st.builds(
    lambda method, part, sequence, hours, title, day, sender: invite(
        method=method,
        recurrence_id=part,
        sequence=sequence,
        dtstamp=None if hours is None else STAMP + timedelta(hours=hours),
        title=title,
        when=at(day, 10),
        sender=sender,
    ),
    METHODS,
    PARTS,
    st.integers(0, 2),
    st.none() | st.integers(0, 2),
    st.sampled_from(["Plan", "Plan B"]),
    st.integers(24, 25),
    st.sampled_from([ANN, "colleague@firm.example"]),
)


def delivered(mails: list[Invitation]) -> dict[InvitationKey, KnownInvitation]:
    known: dict[InvitationKey, KnownInvitation] = {}
    for each in mails:
        key = KnownInvitation.of(each).key
        kept_now = remember(each, known.get(key))
        if kept_now:
            known[key] = kept_now
    return known


@given(st.lists(SENT, max_size=8), st.randoms())
def test_any_order_and_any_repeat_ends_in_the_same_state(
    mails: list[Invitation], random: Random
) -> None:
    other = [*mails, *mails[:3]]
    random.shuffle(other)
    assert delivered(mails) == delivered(other)


def test_every_order_of_a_life_ends_cancelled() -> None:
    life = [
        invite(),
        invite(when=at(25, 11), **LATER),
        invite(title="Plan B", sequence=1, dtstamp=STAMP + timedelta(hours=2)),
        invite(method=CalendarMethod.CANCEL, sequence=2, dtstamp=STAMP + timedelta(hours=3)),
    ]
    for order in permutations(life):
        (known,) = delivered(list(order)).values()
        assert (known.cancelled, known.sequence) == (True, 2)


@given(SENT, SENT)
def test_of_two_one_is_newer_and_only_one(one: Invitation, other: Invitation) -> None:
    other = other.model_copy(update={"recurrence_id": one.recurrence_id})
    there = compare(other, KnownInvitation.of(one)).kind
    back = compare(one, KnownInvitation.of(other)).kind
    if KnownInvitation.of(one).revision.content == KnownInvitation.of(other).revision.content:
        assert there is back is NewsKind.REPEAT
    elif one.from_organizer == other.from_organizer:
        assert [there, back].count(NewsKind.OLDER) == 1
    else:
        assert [there, back].count(NewsKind.OLDER) <= 1


@given(SENT, st.none() | SENT)
def test_what_was_remembered_is_a_repeat(came: Invitation, earlier: Invitation | None) -> None:
    known = remember(came, KnownInvitation.of(earlier) if earlier else None)
    assert known
    assert remember(came, known) == known
    news = compare(came, known)
    if came.from_organizer or not known.from_organizer:
        assert news.kind in {NewsKind.REPEAT, NewsKind.OLDER}
        assert news.change is None


@given(SENT, SENT.map(lambda each: each.model_copy(update={"organizer": "m@evil.example"})))
def test_a_stranger_changes_nothing_that_is_known(ours: Invitation, theirs: Invitation) -> None:
    news = compare(theirs, kept(ours))
    assert news.kind is NewsKind.CLAIM
    assert news.change is None or news.change.uid not in {ours.uid, own_uid(ours)}
    assert delivered([ours, theirs])[kept(ours).key] == KnownInvitation.of(ours)
