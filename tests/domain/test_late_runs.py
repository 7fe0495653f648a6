"""How long an approved call may begin."""

from datetime import timedelta

import pytest

from assistant.domain.approvals.approval import Approval, why_too_late
from assistant.domain.calls.call import Reach
from tests.bed import START, a_call, an_approval

HOUR = timedelta(hours=1)
MOMENT = timedelta(microseconds=1)
SPARED = [Reach.READS, Reach.WRITES, Reach.SENDS, Reach.DESTROYS]
STRICT = [Reach.EXECUTES, Reach.GOVERNS]


def approved(**changes: object) -> Approval:
    given = {"decided": START + HOUR, **changes}
    return an_approval(a_call("talk"), **given)


@pytest.mark.parametrize("reach", Reach)
@pytest.mark.parametrize("moot", [None, START - HOUR, START, START + 1_000 * HOUR])
def test_it_may_begin_until_its_approval_expires(reach: Reach, moot: object) -> None:
    """An event that was over when the call was asked for does not end it."""
    given = approved()
    now = given.expires - MOMENT
    assert why_too_late(given, reach=reach, moot=moot, now=now) == ""  # type: ignore[arg-type]


@pytest.mark.parametrize("reach", SPARED)
def test_a_yes_in_time_is_good_for_an_hour_more(reach: Reach) -> None:
    given = approved()
    end = given.expires + HOUR
    assert why_too_late(given, reach=reach, moot=None, now=end - MOMENT) == ""
    assert "expired" in why_too_late(given, reach=reach, moot=None, now=end)


@pytest.mark.parametrize("reach", STRICT)
def test_what_executes_or_governs_has_no_such_hour(reach: Reach) -> None:
    given = approved()
    assert "expired" in why_too_late(given, reach=reach, moot=None, now=given.expires)


@pytest.mark.parametrize("reach", Reach)
def test_it_never_begins_once_it_is_moot(reach: Reach) -> None:
    given = approved()
    for moot in (given.expires, given.expires + HOUR / 2, given.created + MOMENT):
        assert why_too_late(given, reach=reach, moot=moot, now=moot)


@pytest.mark.parametrize("decided", [None, timedelta(0), HOUR / 2])
def test_a_yes_that_was_not_in_time_has_no_such_hour(decided: timedelta | None) -> None:
    given = approved()
    late = None if decided is None else given.expires + decided
    given = given.model_copy(update={"decided": late})
    assert "expired" in why_too_late(given, reach=Reach.WRITES, moot=None, now=given.expires)
