"""What the assistant notices makes it stricter, and never looser than its owner had it."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from assistant.domain.conversation.conversation import ModelQuestion
from assistant.domain.governance.budget import Budget, Trigger, day_of, silence
from assistant.domain.governance.modes import NEXT, SIGNAL, Mode, ModeRecord
from assistant.domain.governance.signals import (
    STRICTNESS,
    Seen,
    Signal,
    SignalLimits,
    begun_by_denials,
    denials_since,
    pause,
    step,
)

NOW = datetime(2026, 11, 23, 8, 0, tzinfo=UTC)
MiB = 2**20
LIMITS = SignalLimits(disk=100 * MiB, memory=50 * MiB)
YES, NO = ModelQuestion(at=NOW, answered=True), ModelQuestion(at=NOW, answered=False)

records = st.builds(
    ModeRecord,
    mode=st.sampled_from(Mode),
    before=st.sampled_from(Mode),
    by=st.sampled_from(["setup", "terminal:me", *(f"{SIGNAL}{signal}" for signal in Signal)]),
    since=st.sampled_from([None, NOW, NOW - timedelta(days=1)]),
)
seens = st.builds(
    Seen,
    asked=st.lists(st.sampled_from([YES, NO]), max_size=4).map(tuple),
    disk=st.none() | st.integers(0, 300 * MiB),
    memory=st.none() | st.integers(0, 300 * MiB),
    denials=st.integers(0, 9),
    calm=st.none() | st.sampled_from([timedelta(), timedelta(minutes=59), timedelta(hours=1)]),
    intruded=st.booleans(),
)


@given(records, seens)
def test_signals_never_loosen_what_an_owner_set(now: ModeRecord, seen: Seen) -> None:
    wanted = step(now, seen, LIMITS)
    if wanted is None:
        return
    assert wanted.mode in NEXT[now.mode]
    if STRICTNESS[wanted.mode] < STRICTNESS[now.mode]:
        assert now.by_itself
        if now.mode is Mode.DEGRADED:
            assert wanted.mode is now.before
        else:
            assert (now.mode, now.by) == (Mode.ALERT, f"{SIGNAL}{Signal.DENIALS}")
            assert seen.calm is not None
            assert seen.calm >= timedelta(hours=1)
            assert not seen.intruded
            assert wanted.mode in (Mode.NORMAL, Mode.DEGRADED)
            assert wanted.mode is Mode.DEGRADED or now.before is not Mode.DEGRADED


@given(records, st.lists(seens, max_size=12))
def test_no_row_of_signals_leaves_lockdown_recovery_or_another_alert(
    now: ModeRecord, row: list[Seen]
) -> None:
    assume(not begun_by_denials(now))
    row = [seen.model_copy(update={"calm": None}) for seen in row]  # as long as none of its own
    walked = now
    for seen in row:
        wanted = step(walked, seen, LIMITS)
        if wanted is not None:
            wish = walked.model_copy(update={"mode": wanted.mode, "by": f"{SIGNAL}{wanted.signal}"})
            walked = walked.entering(wish, at=NOW)
    if now.mode is not Mode.DEGRADED or not now.by_itself:
        assert STRICTNESS[walked.mode] >= STRICTNESS[now.mode]
    if now.mode in (Mode.LOCKDOWN, Mode.RECOVERY, Mode.ALERT):
        assert walked == now


@given(records, seens)
def test_what_was_seen_once_leads_no_further_seen_twice(now: ModeRecord, seen: Seen) -> None:
    seen = seen.model_copy(update={"calm": None})  # it counts from when the mode was entered
    first = step(now, seen, LIMITS)
    if first is None or STRICTNESS[first.mode] < STRICTNESS[now.mode]:
        return
    wish = now.model_copy(update={"mode": first.mode, "by": f"{SIGNAL}{first.signal}"})
    assert step(now.entering(wish, at=NOW), seen, LIMITS) is None


def degraded(signal: Signal = Signal.MODEL) -> ModeRecord:
    return ModeRecord(mode=Mode.DEGRADED, before=Mode.NORMAL, by=f"{SIGNAL}{signal}", since=NOW)


@pytest.mark.parametrize(
    ("seen", "signal"),
    [
        (Seen(asked=(NO, NO, NO, YES)), Signal.MODEL),
        (Seen(disk=99 * MiB), Signal.DISK),
        (Seen(memory=49 * MiB), Signal.MEMORY),
    ],
)
def test_what_is_short_or_silent_degrades(seen: Seen, signal: Signal) -> None:
    wanted = step(ModeRecord(), seen, LIMITS)
    assert wanted is not None
    assert (wanted.mode, wanted.signal) == (Mode.DEGRADED, signal)
    assert wanted.reason


def test_a_burst_of_denials_alerts_whatever_else_is_wrong() -> None:
    wanted = step(degraded(), Seen(denials=5, disk=0), LIMITS)
    assert wanted is not None
    assert (wanted.mode, wanted.signal) == (Mode.ALERT, Signal.DENIALS)


@pytest.mark.parametrize(
    "seen",
    [
        Seen(),
        Seen(asked=(NO, NO, YES)),
        Seen(disk=100 * MiB, memory=50 * MiB),
        Seen(denials=4),
    ],
)
def test_what_is_as_usual_is_no_signal(seen: Seen) -> None:
    assert step(ModeRecord(), seen, LIMITS) is None


def test_degraded_ends_when_nothing_speaks_for_it_any_more() -> None:
    assert step(degraded(), Seen(asked=(NO, NO, NO)), LIMITS) is None
    assert step(degraded(), Seen(asked=(YES, NO, NO), disk=MiB), LIMITS) is None
    back = step(degraded(), Seen(asked=(YES, NO, NO)), LIMITS)
    assert back is not None
    assert (back.mode, back.reason) == (Mode.NORMAL, "a model answers again")


def test_a_disk_that_has_just_room_enough_does_not_flutter() -> None:
    assert step(degraded(Signal.DISK), Seen(disk=110 * MiB), LIMITS) is None
    assert step(degraded(Signal.DISK), Seen(disk=125 * MiB), LIMITS) is not None


def test_limits_of_nothing_look_at_nothing() -> None:
    assert step(ModeRecord(), Seen(disk=0, memory=0), SignalLimits()) is None


def alert(signal: Signal = Signal.DENIALS, before: Mode = Mode.NORMAL) -> ModeRecord:
    return ModeRecord(mode=Mode.ALERT, before=before, by=f"{SIGNAL}{signal}", since=NOW)


HOUR = timedelta(hours=1)


def test_an_alert_that_denials_began_ends_an_hour_after_the_last() -> None:
    assert step(alert(), Seen(calm=HOUR - timedelta(seconds=1)), LIMITS) is None
    back = step(alert(), Seen(calm=HOUR), LIMITS)
    assert back is not None
    assert (back.mode, back.reason) == (Mode.NORMAL, "an hour passed without such a denial")


def test_it_ends_though_a_model_is_away_and_then_is_degraded() -> None:
    seen = Seen(calm=HOUR, asked=(NO, NO, NO))
    back = step(alert(), seen, LIMITS)
    assert back is not None
    assert back.mode is Mode.NORMAL
    then = step(ModeRecord(), seen, LIMITS)
    assert then is not None
    assert then.mode is Mode.DEGRADED


def test_it_goes_back_to_a_degraded_mode_which_its_owner_may_have_set() -> None:
    back = step(alert(before=Mode.DEGRADED), Seen(calm=HOUR), LIMITS)
    assert back is not None
    assert back.mode is Mode.DEGRADED


def test_no_other_alert_ends_by_itself() -> None:
    by_hand = alert().model_copy(update={"by": "terminal:me"})
    for now in (alert(Signal.INTRUSION), by_hand):
        assert step(now, Seen(calm=HOUR), LIMITS) is None
    assert step(alert(), Seen(calm=HOUR, intruded=True), LIMITS) is None
    assert step(alert(), Seen(), LIMITS) is None


def test_denials_count_since_the_mode_was_entered() -> None:
    entered = ModeRecord(since=NOW - timedelta(minutes=2))
    assert denials_since(entered, NOW, LIMITS) == NOW - timedelta(minutes=2)
    assert denials_since(ModeRecord(), NOW, LIMITS) == NOW - timedelta(minutes=10)


def test_a_mail_is_tried_again_more_and_more_seldom() -> None:
    minutes = [pause([NO] * n, LIMITS).total_seconds() / 60 for n in range(8)]
    assert minutes == [0, 1, 2, 4, 8, 16, 16, 16]
    assert pause([YES, NO], LIMITS) == timedelta()


# The budget


def asks(trigger: Trigger = Trigger.CHAT, *, mode: ModeRecord | None = None, **more: object) -> str:
    """Why no model is asked: ``mode`` or what has run out; empty when one may be."""
    given: dict[str, object] = {
        "mode": mode or ModeRecord(),
        "spent": {"chat": 60, "mail": 30},
        "budget": Budget(),
        "last": None,
        "now": NOW,
        "probe": timedelta(minutes=1),
        **more,
    }
    silent = silence(trigger, **given)  # type: ignore[arg-type]  # a story's own words
    return "" if silent is None else silent.spent or "mode"


def test_without_limits_a_model_is_asked() -> None:
    assert asks() == ""
    assert asks(Trigger.MAIL) == ""


def test_the_day_is_spent_for_all_and_a_share_for_one() -> None:
    day = Budget(tokens=90)
    assert (asks(budget=day), asks(Trigger.MAIL, budget=day)) == ("day", "day")
    assert asks(budget=Budget(tokens=91)) == ""
    mail = Budget(tokens=1000, shares={Trigger.MAIL: 30, Trigger.CHAT: 0})
    assert (asks(budget=mail), asks(Trigger.MAIL, budget=mail)) == ("", "mail")


def test_a_degraded_house_asks_no_model_but_tries_one_that_was_silent() -> None:
    long_ago = ModelQuestion(at=NOW - timedelta(minutes=1), answered=False)
    assert asks(mode=degraded(), last=NO) == "mode"
    assert asks(mode=degraded(), last=long_ago) == ""
    assert asks(mode=degraded(Signal.DISK), last=long_ago) == "mode"
    by_owner = ModeRecord(mode=Mode.DEGRADED, by="terminal:me")
    assert asks(mode=by_owner, last=long_ago) == "mode"


@pytest.mark.parametrize("mode", [Mode.ALERT, Mode.LOCKDOWN, Mode.RECOVERY])
def test_other_modes_leave_the_model_its_words(mode: Mode) -> None:
    assert asks(mode=ModeRecord(mode=mode)) == ""


@pytest.mark.parametrize(
    ("day", "hours"), [((2026, 11, 23), 24), ((2026, 10, 25), 25), ((2026, 3, 29), 23)]
)
def test_a_day_is_the_owners(day: tuple[int, int, int], hours: int) -> None:
    begin, end = day_of(datetime(*day, 22, 30, tzinfo=UTC), "UTC")
    assert (begin.day, begin.hour, end - begin) == (day[2], 0, timedelta(days=1))
    begin, end = day_of(datetime(*day, 12, tzinfo=UTC), "Europe/Berlin")
    assert end.astimezone(UTC) - begin.astimezone(UTC) == timedelta(hours=hours)
