"""What is known after a calendar server has failed: no change is lost, doubled or misreported.

The server behaves like iCloud: it gives no ETag for a write, so that each write asks again.
"""

import time
from collections.abc import Callable, Iterator
from datetime import date, datetime
from typing import Any, cast

import pytest

from assistant.adapters.calendar.caldav_calendar import CalDavCalendar
from assistant.domain.approvals.approval import Verb
from assistant.domain.calendar.events import Event
from assistant.domain.calls.states import CallState
from assistant.domain.conversation.conversation import Want
from assistant.domain.errors import (
    AlreadyThere,
    AssistantError,
    Busy,
    Misconfigured,
    NotFound,
    Stale,
    Unreachable,
    Unsure,
)
from tests.contract.calendar_benches import BERLIN, RealBench, days, timed
from tests.memory_calendar import MemoryCalendar
from tests.servers.icloud import Fault, LikeICloud
from tests.stores import opened
from tests.world import World

TEA = Event(uid="tea", title="Tea", when=timed(datetime(2026, 11, 24, 9, tzinfo=BERLIN)))
THAT_DAY = days(date(2026, 11, 24))
HANGS = {Fault.HUNG_BEFORE, Fault.HUNG_AFTER}
LOST = {Fault.DROPPED_BEFORE, Fault.DROPPED_AFTER, Fault.TRUNCATED, *HANGS}
"""Faults after which nobody was told what happened."""
TIMEOUT = 2.0


@pytest.fixture
def away(on_icloud: RealBench) -> CalDavCalendar:
    """The calendar, with little patience. It has discovered all it needs."""
    calendar = CalDavCalendar(**{**on_icloud.settings, "timeout": TIMEOUT})
    calendar.check()
    return calendar


class Truth:
    """What the server really holds, asked past whatever fails."""

    def __init__(self, bench: RealBench) -> None:
        self._collection = bench.owner._collection

    @property
    def titles(self) -> list[str]:
        return [str(one.icalendar_component["SUMMARY"]) for one in self._collection.get_events()]


def created(calendar: CalDavCalendar) -> Callable[[], Any]:
    return lambda: calendar.create(TEA)


def renamed(calendar: CalDavCalendar) -> Callable[[], Any]:
    etag = calendar.create(TEA)
    changed = TEA.model_copy(update={"title": "Late tea", "etag": etag})
    return lambda: calendar.update(changed)


def deleted(calendar: CalDavCalendar) -> Callable[[], Any]:
    etag = calendar.create(TEA)
    return lambda: calendar.delete("tea", etag=etag)


WRITES = {"create": (created, "PUT"), "update": (renamed, "PUT"), "delete": (deleted, "DELETE")}
WANTED = {"create": ["Tea"], "update": ["Late tea"], "delete": []}


def cases() -> Iterator[Any]:
    """Each write, with each fault of its request and of the question behind it."""
    for write in WRITES:
        for fault in Fault:
            for method in (WRITES[write][1], "REPORT"):
                quick = fault is Fault.DROPPED_AFTER and method != "REPORT"
                marks = () if quick else (pytest.mark.weather,)
                yield pytest.param(
                    (write, method, fault), marks=marks, id=f"{write} {method} {fault.name}"
                )


@pytest.mark.parametrize("case", [*cases()])
def test_the_outcome_of_a_write_is_known_or_said_to_be_unknown(
    on_icloud: RealBench,
    like_icloud: LikeICloud,
    away: CalDavCalendar,
    case: tuple[str, str, Fault],
) -> None:
    write, method, fault = case
    truth = Truth(on_icloud)
    act = WRITES[write][0](away)
    before = truth.titles
    like_icloud.fails(method, fault)
    began = time.monotonic()
    outcome = outcome_of(act)
    took = time.monotonic() - began
    like_icloud.works()
    happened = truth.titles == WANTED[write]
    assert happened or truth.titles == before
    match outcome:
        case "done":
            assert happened
        case Unsure():
            assert fault in LOST or method == "REPORT"
        case _:
            assert not happened, outcome
    if fault in HANGS:
        assert took < 20
    # The calendar itself tells what became of it, without starting again.
    assert seen(away) == truth.titles
    if not happened:
        again = outcome_of(act)
        assert again == "done", again
    assert truth.titles == WANTED[write]


@pytest.mark.parametrize(
    "fault", [Fault.DROPPED_AFTER, pytest.param(Fault.HUNG_AFTER, marks=pytest.mark.weather)]
)
def test_a_write_that_was_done_unseen_is_not_done_twice(
    on_icloud: RealBench, like_icloud: LikeICloud, away: CalDavCalendar, fault: Fault
) -> None:
    like_icloud.fails("PUT", fault)
    assert isinstance(outcome_of(lambda: away.create(TEA)), Unsure)
    assert isinstance(outcome_of(lambda: away.create(TEA)), AlreadyThere)
    assert Truth(on_icloud).titles == ["Tea"]
    found = away.get("tea")
    like_icloud.fails("PUT", fault)
    later = found.model_copy(update={"title": "Late tea"})
    assert isinstance(outcome_of(lambda: away.update(later)), Unsure)
    assert isinstance(outcome_of(lambda: away.update(later)), Stale)
    assert Truth(on_icloud).titles == ["Late tea"]


@pytest.mark.weather
@pytest.mark.parametrize("method", ["PROPFIND", "REPORT"])
@pytest.mark.parametrize("fault", list(Fault))
def test_a_read_is_right_or_says_that_it_failed_and_the_next_is_right(
    on_icloud: RealBench, like_icloud: LikeICloud, method: str, fault: Fault
) -> None:
    calendar = CalDavCalendar(**{**on_icloud.settings, "timeout": TIMEOUT})
    on_icloud.calendar.create(TEA)
    like_icloud.fails(method, fault)
    read: list[str] = []
    outcome = outcome_of(lambda: read.extend(one.title for one in calendar.between(THAT_DAY)))
    if isinstance(outcome, AssistantError):
        assert isinstance(outcome, Busy | Unreachable | Misconfigured), outcome
    else:
        assert read == ["Tea"]
    assert like_icloud.left == 0
    assert [event.title for event in calendar.between(THAT_DAY)] == ["Tea"]


def test_a_server_that_is_slow_is_waited_for(on_icloud: RealBench, like_icloud: LikeICloud) -> None:
    like_icloud.latency = 0.3
    on_icloud.calendar.create(TEA)
    assert on_icloud.calendar.get("tea").title == "Tea"


@pytest.mark.parametrize("fault", [Fault.DROPPED_BEFORE, Fault.DROPPED_AFTER])
def test_an_approved_change_that_ended_unclear_is_reconciled(
    request: pytest.FixtureRequest, on_icloud: RealBench, like_icloud: LikeICloud, fault: Fault
) -> None:
    with opened("sqlite", request) as make:
        world = World(make, calendar=cast("MemoryCalendar", on_icloud.calendar))
        start, end = (f"2026-11-30T10:{minute}:00+01:00" for minute in ("00", "30"))
        world.asks(Want(tool="create_event", args={"title": "Rent", "start": start, "end": end}))
        like_icloud.fails("PUT", fault)
        world.presses(Verb.APPROVE)
        assert like_icloud.left == 0
        for _ in range(3):
            world.clock.passes(minutes=1)
            world.settle()
        assert world.call("A1").state is CallState.DONE
    assert Truth(on_icloud).titles == ["Rent"]


def outcome_of(act: Callable[[], Any]) -> "str | AssistantError":
    try:
        act()
    except AssistantError as problem:
        return problem
    return "done"


def seen(calendar: CalDavCalendar) -> list[str]:
    try:
        found = [calendar.get("tea").title]
    except NotFound:
        found = []
    assert [event.title for event in calendar.between(THAT_DAY)] == found
    return found
