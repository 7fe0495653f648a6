"""Grants: narrow, ending, counted, and never for what always asks."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from assistant.domain.calls.call import Reach, Risk
from assistant.domain.errors import Denied
from assistant.domain.policy.always_ask import why_always_ask
from assistant.domain.policy.decide import Request
from assistant.domain.policy.grants import (
    USES,
    At,
    Bound,
    Fit,
    Grant,
    covers,
    say,
    why_not_covered,
)
from tests import judging
from tests.judging import NOW, OWNER, PERSON, TOOL, asked, before_upgrade, grant_for

HERE = At(now=NOW)

EVENT = {"title": "Tea", "start": "2026-11-23T10:00", "guests": ["ann@example.org"], "days": 1}


def request(**changes: Any) -> Request:
    args = {**EVENT, **changes}
    return asked(risk=Risk.HIGH, reach=Reach.WRITES, args=args, destination="calendar")


def loose(**changes: Any) -> Request:
    return replace(request(**changes), tool=replace(TOOL, free_args=("title",)))


@given(judging.requests)
def test_a_grant_covers_the_call_it_was_made_from_unless_it_always_asks(any_: Request) -> None:
    tool = replace(any_.tool, enforced=False, known=True, free_args=())
    clean = replace(any_, tool=tool, tainted=False)
    if clean.reach is None or why_always_ask(clean.reach, clean.facts):
        with pytest.raises(Denied):
            grant_for(clean)
    elif judging.is_broken(clean.facts.args):
        assert not covers(grant_for(clean), clean, NOW)
    else:
        assert covers(grant_for(clean), clean, NOW)


@given(judging.requests, judging.requests)
def test_a_grant_covers_no_call_that_always_asks(one: Request, other: Request) -> None:
    grants = [made for made in (judging.maybe_grant(one),) if made]
    if why_always_ask(other.reach, other.facts):
        assert not any(covers(grant, other, NOW) for grant in grants)


@given(judging.requests, judging.requests)
def test_what_a_grant_covers_beside_outside_text_it_covers_without(
    one: Request, other: Request
) -> None:
    for grant in filter(None, [judging.maybe_grant(one)]):
        if covers(grant, replace(other, tainted=True), NOW):
            assert covers(grant, replace(other, tainted=False), NOW)


def test_nothing_else_is_covered() -> None:
    grant = grant_for(request())
    assert why_not_covered(grant, request(), NOW) == ""
    others = {
        "title is beyond it": request(title="Coffee"),
        "guests is beyond it": request(guests=["ann@example.org", "eve@example.org"]),
        "days is beyond it": request(days=True),
        "the call has other arguments": request(alarm=None),
        "it is for another owner": replace(request(), owner="eve"),
        "it is for another tool": replace(request(), tool=replace(TOOL, name="send")),
        "it is for another version of the tool": replace(
            request(), tool=replace(TOOL, version="2")
        ),
        "it is for another reach": replace(request(), reach=Reach.SENDS),
        "it is not for calls that outside text may have led to": replace(request(), tainted=True),
    }
    assert {why: why_not_covered(grant, other, NOW) for why, other in others.items()} == {
        why: why for why in others
    }
    elsewhere = request().facts.model_copy(update={"destination": "other"})
    assert (
        why_not_covered(grant, replace(request(), facts=elsewhere), NOW)
        == "it is for another destination"
    )
    fewer = request().facts.model_copy(update={"args": {"title": "Tea"}})
    assert (
        why_not_covered(grant, replace(request(), facts=fewer), NOW)
        == "the call has other arguments"
    )


def test_a_grant_for_what_the_assistant_made_is_none_for_what_is_the_owners() -> None:
    ours = asked(reach=Reach.DESTROYS, own=True, locations=("private:/a",))
    grant = grant_for(ours)
    assert covers(grant, ours, NOW)
    theirs = ours.facts.model_copy(update={"own": False})
    assert why_not_covered(grant, replace(ours, facts=theirs), NOW) == "such a call always asks"
    many = ours.facts.model_copy(update={"locations": tuple("abcdef")})
    assert why_not_covered(grant, replace(ours, facts=many), NOW) == "such a call always asks"


def test_it_ends() -> None:
    grant = grant_for(request())
    assert covers(grant, request(), NOW + timedelta(days=29))
    assert why_not_covered(grant, request(), NOW + timedelta(days=30)) == "it has expired"
    assert covers(grant.model_copy(update={"used": USES - 1}), request(), NOW)
    assert (
        why_not_covered(grant.model_copy(update={"used": USES}), request(), NOW) == "it is used up"
    )
    assert (
        why_not_covered(grant.model_copy(update={"revoked": NOW}), request(), NOW)
        == "it was revoked"
    )


def test_only_what_the_tool_sets_free_may_differ() -> None:
    grant = grant_for(loose())
    assert covers(grant, loose(title="Coffee"), NOW)
    assert covers(grant, loose(title=None), NOW)
    assert not covers(grant, loose(days=2), NOW)


def test_beside_outside_text_nothing_may_differ() -> None:
    tainted = replace(loose(), tainted=True)
    grant = before_upgrade(tainted)
    assert {bound.fit for bound in grant.scope} == {Fit.LITERAL}
    assert covers(grant, tainted, NOW)
    assert covers(grant, loose(), NOW)
    assert not covers(grant, replace(loose(title="Coffee"), tainted=True), NOW)


def test_a_wide_grant_for_use_beside_outside_text_cannot_be_made() -> None:
    fields = grant_for(loose()).model_dump()
    assert Grant.model_validate(fields) == grant_for(loose())
    with pytest.raises(ValidationError, match="literal"):
        Grant.model_validate({**fields, "tainted": True})


def test_what_has_no_end_or_binds_twice_is_no_grant() -> None:
    fields = grant_for(request()).model_dump()
    for broken in (
        {"uses": 0},
        {"expires": None},
        {"expires": NOW.replace(tzinfo=None)},
        {"scope": [*fields["scope"], fields["scope"][0]]},
    ):
        with pytest.raises(ValidationError):
            Grant.model_validate({**fields, **broken})


def test_it_survives_being_stored() -> None:
    grant = grant_for(loose())
    assert Grant.model_validate_json(grant.model_dump_json()) == grant


@given(st.text(max_size=6), st.text(min_size=1, max_size=3))
def test_a_prefix_holds_texts_that_begin_so_and_lists_of_them(value: str, prefix: str) -> None:
    bound = Bound(arg="path", fit=Fit.PREFIX, value=prefix)
    assert bound.holds(value, HERE) is value.startswith(prefix)
    assert bound.holds([prefix + value, value], HERE) is value.startswith(prefix)
    assert not bound.holds([], HERE)
    assert not bound.holds(None, HERE)
    assert not bound.holds([[prefix]], HERE)


@pytest.mark.parametrize("value", ["", None, 3, ["a"]])
def test_a_prefix_is_a_text(value: Any) -> None:
    with pytest.raises(ValidationError):
        Bound(arg="path", fit=Fit.PREFIX, value=value)


def test_what_always_asks_gets_no_grant() -> None:
    for refused in (
        replace(request(), reach=Reach.DESTROYS),
        replace(request(), reach=Reach.EXECUTES),
        replace(request(), reach=Reach.GOVERNS, actor=PERSON),
        replace(request(), reach=None),
        replace(request(), tool=replace(TOOL, known=False)),
        replace(request(), tool=replace(TOOL, enforced=True)),
    ):
        with pytest.raises(Denied):
            grant_for(refused)


def test_a_person_reads_what_it_covers() -> None:
    assert say(grant_for(loose(), created=NOW), "Europe/Berlin") == (
        "tidy runs without asking, and is reported, where",
        "- days is 1",
        '- guests is ["ann@example.org"]',
        '- start is "2026-11-23T10:00"',
        "- title is anything",
        "- it goes to calendar",
        "- no outside text was in view",
        "not used yet",
        "20 times at the most, until Sun 20 Dec 2026, 10:00 (Europe/Berlin)",
    )
    used = before_upgrade(replace(loose(title="a\nb"), tainted=True), used=2, last_used=NOW)
    lines = say(used, "UTC")
    assert '- title is "a\\nb"' in lines
    assert "- also when outside text was in view" in lines
    assert lines[-2] == "used 2 times, last Fri 20 Nov 2026, 09:00 (UTC)"
    assert "used once, last" in say(grant_for(loose(), used=1, last_used=NOW), "UTC")[-2]
    assert say(grant_for(loose(), revoked=NOW), "UTC")[-2].startswith("revoked Fri 20 Nov")


def test_it_is_the_owners_and_says_where_it_comes_from() -> None:
    grant = grant_for(request())
    assert (grant.owner, grant.by, grant.from_call, grant.handle) == (OWNER, PERSON, "c1", "G3")
