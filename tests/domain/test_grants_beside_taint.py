"""The two grants that leave an argument free beside outside text, and nothing beyond them."""

from dataclasses import replace
from datetime import date, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from assistant.domain.calls.call import Reach, Risk
from assistant.domain.errors import Denied
from assistant.domain.policy.decide import Request, Verdict
from assistant.domain.policy.grants import (
    TITLES_DAYS,
    TITLES_HOURLY,
    TITLES_LASTS,
    Bound,
    Fit,
    Grant,
    covers,
    rule,
    say,
    similar,
    titles,
    why_not_covered,
)
from assistant.domain.policy.traits import EVERY_MODE, ToolTraits
from tests.judging import NOW, OWNER, PERSON, asked, judged
from tests.judging import rule as policy_rule

CREATE = ToolTraits(
    name="create_event",
    allowed_modes=EVERY_MODE,
    free_args=("start", "end"),
    made_args=("uid",),
)
READ = ToolTraits(name="get_events_details", allowed_modes=EVERY_MODE)
ZONE = "Europe/Berlin"
DAY = timedelta(days=1)
HALF = timedelta(minutes=30)


def books(
    start: datetime | date = NOW + DAY,
    length: timedelta = HALF,
    *,
    title: str = "Tea",
    tool: ToolTraits = CREATE,
    **more: Any,
) -> Request:
    """A call for an event, in a talk that has seen outside text."""
    args = {"title": title, "start": start.isoformat(), "end": (start + length).isoformat()}
    return asked(
        tool=tool,
        risk=Risk.HIGH,
        reach=Reach.WRITES,
        tainted=True,
        args={**args, "uid": "made", **more},
        destination="calendar",
        own=True,
    )


def reads(
    start: datetime = NOW, end: datetime | None = None, *, own: bool = False, **more: Any
) -> Request:
    """A call for the titles of events, in a talk that has seen outside text."""
    last = end or start + DAY
    args = {"start": start.isoformat(), "end": last.isoformat(), "uids": ["a", "b"], **more}
    return asked(
        tool=READ,
        risk=Risk.HIGH,
        reach=Reach.READS,
        tainted=True,
        args=args,
        destination="calendar",
        own=own,
    )


def for_events(request: Request | None = None) -> Grant:
    request = request or books()
    return similar(request, id="g1", number=3, by=PERSON, now=NOW, call="c1", trace="t1", zone=ZONE)


def for_titles(**changes: Any) -> Grant:
    made = titles(
        id="g2", owner=OWNER, version="1", destination="calendar", by=PERSON, now=NOW, trace="t1"
    )
    return made.model_copy(update={"number": 4, **changes})


# Events of one title and length that begin soon


def test_title_and_length_are_fixed_and_the_start_is_free_for_two_weeks() -> None:
    grant = for_events()
    assert (grant.tainted, grant.uses, grant.expires - NOW) == (True, 3, timedelta(hours=24))
    for start in (NOW, NOW + 3 * DAY, NOW + 14 * DAY):
        assert covers(grant, books(start), NOW, zone=ZONE)
    for beyond, why in (
        (books(NOW + 14 * DAY + timedelta(seconds=1)), "start is beyond it"),
        (books(NOW - timedelta(seconds=1)), "start is beyond it"),
        (books(length=timedelta(hours=1)), "end is beyond it"),
        (books(length=timedelta(minutes=29)), "end is beyond it"),
        (books(title="Coffee"), "title is beyond it"),
        (books(date(2026, 11, 22), DAY), "end is beyond it"),
        (books(guests=["eve@example.org"]), "the call has other arguments"),
        (books(tool=replace(CREATE, name="update_event")), "it is for another tool"),
    ):
        assert why_not_covered(grant, beyond, NOW, zone=ZONE) == why


def test_of_whole_days_today_counts_and_the_days_are_those_of_the_zone() -> None:
    late = datetime(2026, 11, 20, 23, 30, tzinfo=NOW.tzinfo)  # the 21st in Berlin
    grant = for_events(books(date(2026, 11, 21), DAY))
    assert covers(grant, books(date(2026, 11, 21), DAY), late, zone=ZONE)
    assert not covers(grant, books(date(2026, 11, 20), DAY), late, zone=ZONE)
    assert covers(grant, books(date(2026, 12, 5), DAY), late, zone=ZONE)
    assert not covers(grant, books(date(2026, 12, 6), DAY), late, zone=ZONE)
    assert not covers(grant, books(date(2026, 11, 22), 2 * DAY), late, zone=ZONE)
    assert not covers(grant, books(NOW + DAY, DAY), NOW, zone=ZONE), "a day is no time"


def test_it_ends_after_a_day_and_after_three() -> None:
    grant = for_events()
    last = NOW + timedelta(hours=24)
    assert covers(grant, books(), last - timedelta(seconds=1))
    assert why_not_covered(grant, books(), last) == "it has expired"
    assert covers(grant.model_copy(update={"used": 2}), books(), NOW)
    assert why_not_covered(grant.model_copy(update={"used": 3}), books(), NOW) == "it is used up"


def test_it_holds_in_a_clean_talk_too_and_asks_for_nothing_else_there() -> None:
    grant = for_events()
    clean = replace(books(), tainted=False)
    assert covers(grant, clean, NOW)
    assert not covers(grant, replace(books(title="Coffee"), tainted=False), NOW)


def test_it_spares_the_question_and_is_reported() -> None:
    decision = judged(books(NOW + 2 * DAY), grants=[for_events()])
    assert (decision.verdict, decision.grant) == (Verdict.REPORT, "g1")
    asks = judged(books(NOW + 20 * DAY), grants=[for_events()])
    assert (asks.verdict, asks.grant) == (Verdict.ASK, "")


@pytest.mark.parametrize("name", ["update_event", "write_file", "send_message", "Create_Event"])
def test_beside_outside_text_there_is_no_such_grant_for_anything_else(name: str) -> None:
    other = books(tool=replace(CREATE, name=name))
    with pytest.raises(Denied, match="only events"):
        for_events(other)
    assert for_events(replace(other, tainted=False)).tool == name


@pytest.mark.parametrize("start", [NOW + 15 * DAY, NOW - DAY])
def test_none_is_made_of_an_event_that_it_would_not_cover(start: datetime) -> None:
    with pytest.raises(Denied, match="start is beyond it"):
        for_events(books(start))


def test_none_is_made_where_the_length_cannot_be_told() -> None:
    with pytest.raises(Denied, match="how long"):
        for_events(books(end="whenever"))


# Titles of the owner's own events


def test_titles_are_read_around_now_for_thirty_days() -> None:
    grant = for_titles()
    assert (TITLES_DAYS, TITLES_HOURLY, TITLES_LASTS) == (60, 30, 30 * DAY)
    near, far = NOW + 60 * DAY, NOW + 60 * DAY + timedelta(seconds=1)
    for window in ((NOW, near), (NOW - 60 * DAY, NOW), (NOW - 30 * DAY, NOW + 30 * DAY)):
        assert covers(grant, reads(*window), NOW)
    for window in ((NOW, far), (NOW - 60 * DAY - timedelta(seconds=1), NOW), (far, far + DAY)):
        assert not covers(grant, reads(*window), NOW)
    assert covers(grant, reads(NOW + 70 * DAY), NOW + 29 * DAY), "around now, whenever that is"
    assert not covers(grant, reads(NOW - 40 * DAY), NOW + 29 * DAY)
    later = NOW + 30 * DAY - timedelta(seconds=1)
    assert covers(grant, reads(later), later)
    assert why_not_covered(grant, reads(later), later + timedelta(seconds=1)) == "it has expired"


def test_the_thirty_first_read_in_an_hour_asks() -> None:
    grant = for_titles()
    thirtieth = judged(reads(), grants=[grant], used={READ.name: 29})
    assert (thirtieth.verdict, thirtieth.grant) == (Verdict.ALLOW, "g2")
    next_one = judged(reads(), grants=[grant], used={READ.name: 30})
    assert (next_one.verdict, next_one.grant) == (Verdict.ASK, "")
    assert why_not_covered(grant, reads(), NOW, used=30) == "it was used 30 times within the hour"
    assert covers(grant.counted(), reads(), NOW, used=30), "of a call that it has cleared"


def test_it_is_for_one_calendar_and_one_version_of_the_tool() -> None:
    grant = for_titles()
    other = reads().facts.model_copy(update={"destination": "another"})
    assert not covers(grant, replace(reads(), facts=other), NOW)
    assert not covers(grant, replace(reads(), tool=replace(READ, version="2")), NOW)
    assert not covers(grant, replace(reads(), reach=Reach.SENDS), NOW)
    assert not covers(grant, reads(calendar="other"), NOW)
    assert not covers(grant, replace(reads(), owner="eve"), NOW)


def test_a_rule_that_denies_and_a_tool_that_is_enforced_stand() -> None:
    denies = policy_rule("deny", "get_events_details")
    assert judged(reads(), denies, grants=[for_titles()]).verdict is Verdict.DENY
    enforced = replace(reads(), tool=replace(READ, enforced=True))
    assert judged(enforced, grants=[for_titles()]).verdict is Verdict.ASK


moments = st.datetimes(
    min_value=datetime(2026, 1, 1),  # noqa: DTZ001 (Hypothesis adds the zone)
    max_value=datetime(2027, 12, 31),  # noqa: DTZ001 (as above)
    timezones=st.integers(-12, 14).map(lambda hours: timezone(timedelta(hours=hours))),
)


@given(moments, moments, st.integers(0, 40), moments)
def test_no_window_beyond_sixty_days_is_ever_covered(
    start: datetime, end: datetime, used: int, now: datetime
) -> None:
    covered = covers(for_titles(), reads(start, end), now, used=used)
    inside = all(abs(moment - now) <= 60 * DAY for moment in (start, end))
    assert covered is (inside and used < TITLES_HOURLY and now < NOW + 30 * DAY)


@given(moments, st.integers(0, 3_000), moments, st.sampled_from(["Tea", "Coffee"]))
def test_no_event_but_one_of_that_title_and_length_that_begins_soon_is_ever_covered(
    start: datetime, minutes: int, now: datetime, title: str
) -> None:
    request = books(start, timedelta(minutes=minutes), title=title)
    soon = now <= start <= now + 14 * DAY
    expected = soon and minutes == 30 and title == "Tea" and now < NOW + DAY
    assert covers(for_events(), request, now, zone=ZONE) is expected


@given(st.text(max_size=30) | st.none() | st.integers() | st.booleans() | st.lists(st.text()))
def test_what_is_no_moment_is_never_covered(value: object) -> None:
    for name in ("start", "end"):
        for grant, request in ((for_titles(), reads()), (for_events(), books())):
            args = {**request.facts.args, name: value}
            odd = request.facts.model_copy(update={"args": args})
            assert not covers(grant, replace(request, facts=odd), NOW)


# Nothing wider can be made or stored


def wider(grant: Grant, arg: str, **changes: Any) -> list[dict[str, Any]]:
    """The scope with another bound for one argument."""
    dumped = [bound.model_dump() for bound in grant.scope]
    return [{**bound, **changes} if bound["arg"] == arg else bound for bound in dumped]


@pytest.mark.parametrize("grant", [for_events(), for_titles()], ids=["events", "titles"])
def test_it_survives_being_stored(grant: Grant) -> None:
    assert Grant.model_validate_json(grant.model_dump_json()) == grant


@pytest.mark.parametrize(
    "changes",
    [
        {"scope": wider(for_events(), "start", value=15)},
        {"scope": wider(for_events(), "start", fit="any", value=None)},
        {"scope": wider(for_events(), "start", fit="near", value=14)},
        {"scope": wider(for_events(), "end", fit="any", value=None)},
        {"scope": wider(for_events(), "title", fit="prefix", value="T")},
        {"scope": wider(for_events(), "title", fit="any", value=None)},
        {"scope": [*wider(for_events(), ""), {"arg": "guests", "fit": "any"}]},
        {"tool": "update_event"},
        {"reach": "sends"},
        {"uses": 4},
        {"expires": NOW + timedelta(hours=25)},
    ],
)
def test_a_wider_grant_for_events_is_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(ValidationError, match="literal"):
        Grant.model_validate({**for_events().model_dump(), **changes})


@pytest.mark.parametrize(
    "changes",
    [
        {"scope": wider(for_titles(), "start", value=61)},
        {"scope": wider(for_titles(), "end", value=61)},
        {"scope": wider(for_titles(), "end", fit="any", value=None)},
        {"scope": wider(for_titles(), "", value=31)},
        {"scope": wider(for_titles(), "")[:-1]},
        {"tool": "read_email"},
        {"reach": "writes"},
        {"expires": NOW + timedelta(days=31)},
    ],
)
def test_a_wider_grant_for_titles_is_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(ValidationError, match="literal"):
        Grant.model_validate({**for_titles().model_dump(), **changes})


@pytest.mark.parametrize(
    ("fit", "value"),
    [
        (Fit.NEAR, 0), (Fit.NEAR, True), (Fit.SOON, None), (Fit.SOON, "14"), (Fit.HOURLY, -1),
        (Fit.LENGTH, None), (Fit.LENGTH, {}), (Fit.LENGTH, {"weeks": 1}),
        (Fit.LENGTH, {"days": 1, "seconds": 1}), (Fit.LENGTH, {"seconds": 1.5}),
    ],
)  # fmt: skip
def test_a_bound_whose_value_does_not_fit_is_refused(fit: Fit, value: object) -> None:
    with pytest.raises(ValidationError):
        Bound(arg="" if fit is Fit.HOURLY else "start", fit=fit, value=value)


# What a person reads


def test_it_reads_as_one_sentence() -> None:
    assert rule(for_events(), "Create an event", "UTC") == (
        "Create an event without asking where end is 30 minutes after start, start is from now on, "
        'within 14 days, title is "Tea": 3 times at the most, until Sat 21 Nov 2026, 09:00 (UTC), '
        "also beside others' words."
    )
    assert rule(for_titles(), "Read the titles of your own events", "UTC") == (
        "Read the titles of your own events without asking where start is within 60 days of now, "
        "end is within 60 days of now: 30 times an hour at the most, until "
        "Sun 20 Dec 2026, 09:00 (UTC), also beside others' words."
    )
    clean = for_events(replace(books(), tainted=False))
    assert rule(for_events(), "Create an event").endswith(
        "3 times at the most, for 24 hours, also beside others' words."
    )
    assert "for 30 days, not beside" in rule(clean, "Create an event")
    assert rule(clean, "Create an event", "UTC") == (
        'Create an event without asking where title is "Tea", end and start may be anything: '
        "20 times at the most, until Sun 20 Dec 2026, 09:00 (UTC), not beside others' words."
    )


def test_its_lines_say_what_it_covers() -> None:
    assert say(for_titles(), "UTC") == (
        "get_events_details runs without asking where",
        "- start is within 60 days of now",
        "- end is within 60 days of now",
        "- uids is anything",
        "- it goes to calendar",
        "- also when outside text was in view",
        "not used yet",
        "30 times an hour at the most, until Sun 20 Dec 2026, 09:00 (UTC)",
    )
    long = for_events(books(length=timedelta(hours=25, minutes=1)))
    assert "- end is 25 hours 1 minute after start" in say(long, "UTC")
