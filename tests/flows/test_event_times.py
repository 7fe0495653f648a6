"""Times in the nights of clock changes: refused in a gap, said aloud where they come twice."""

from collections.abc import Iterator

import pytest

from assistant.domain.approvals.approval import Verb
from assistant.domain.calls.states import CallState
from assistant.domain.conversation.conversation import Want
from tests.stores import sqlite_stores
from tests.world import World


@pytest.fixture
def world() -> Iterator[World]:
    with sqlite_stores() as make:
        yield World(make)


def create(start: str, end: str | None = None) -> Want:
    args = {"title": "Night watch", "start": start} | ({"end": end} if end else {})
    return Want(tool="create_event", args=args)


@pytest.mark.parametrize("offset", ["+01:00", "+02:00"])
def test_a_time_that_the_clocks_skip_is_refused_with_the_two_nearest(
    world: World, offset: str
) -> None:
    world.asks(create(f"2027-03-28T02:30:00{offset}"))
    assert world.call().state is CallState.REFUSED
    assert world.call().result == (
        "refused: 02:30 on 2027-03-28 does not exist in Europe/Berlin, as the clocks are put "
        "forward over it; the nearest are 2027-03-28T01:30+01:00 and 2027-03-28T03:30+02:00"
    )


def test_an_end_in_a_gap_is_refused_too(world: World) -> None:
    world.asks(create("2027-03-28T01:00:00+01:00", "2027-03-28T02:30:00+01:00"))
    assert world.call().state is CallState.REFUSED


def test_a_move_into_a_gap_is_refused(world: World) -> None:
    world.asks(create("2027-03-28T04:00:00+02:00"))
    world.presses(Verb.APPROVE)
    args = {"event": "Night watch", "on": "2027-03-28", "start": "2027-03-28T02:15:00+01:00"}
    world.asks(Want(tool="update_event", args=args))
    assert world.call("A2").state is CallState.REFUSED
    assert "does not exist" in world.call("A2").result


def test_a_time_of_another_zone_is_none_of_the_gap(world: World) -> None:
    world.asks(create("2027-03-28T02:30:00-05:00"))
    assert world.card("A1").rows[0].text == "Sun 28 Mar, 09:30–10:30"


@pytest.mark.parametrize(
    ("offset", "which"), [("+02:00", "first of two, before"), ("+01:00", "second of two, after")]
)
def test_a_time_that_comes_twice_is_said_aloud(world: World, offset: str, which: str) -> None:
    world.asks(create(f"2027-10-31T02:30:00{offset}", "2027-10-31T05:00:00+01:00"))
    said = f"02:30 is the {which} the clocks go back"
    assert f"{which} clocks go back" in [row.text for row in world.card("A1").rows]
    assert world.told()["Clocks"] == said
    world.presses(Verb.APPROVE)
    assert said in world.call().result


def test_what_stands_on_the_card_is_the_owners_wall_time(world: World) -> None:
    world.asks(create("2026-11-30T10:00:00+02:00"))
    assert world.card("A1").rows[0].text == "Mon 30 Nov, 09:00–10:00"


def test_a_time_without_an_offset_is_refused(world: World) -> None:
    world.asks(create("2026-11-30T10:00:00"))
    assert world.call().state is CallState.REFUSED
    assert "needs its offset" in world.call().result


@pytest.mark.parametrize(
    ("alerts", "said"),
    [
        ([30], "Alert 30 minutes before"),
        (30, "Alert 30 minutes before"),
        ([0, 60, 1440], "Alert at its begin and 1 hour, 1 day before"),
        ([40320], "Alert 4 weeks before"),
    ],
)
def test_alerts_are_on_the_card_and_in_the_calendar(
    world: World, alerts: list[int] | int, said: str
) -> None:
    asked = create("2026-11-30T10:00:00+01:00")
    world.asks(asked.model_copy(update={"args": {**asked.args, "alerts": alerts}}))
    assert said in [row.text for row in world.card("A1").rows]
    world.presses(Verb.APPROVE)
    event = world.calendar.get(world.call().facts.args["uid"])
    assert sorted(alert.total_seconds() / 60 for alert in event.alerts) == (
        sorted(alerts) if isinstance(alerts, list) else [alerts]
    )


@pytest.mark.parametrize("alerts", [[-1], [40321], [1, 2, 3, 4, 5, 6]])
def test_alerts_out_of_bounds_are_refused(world: World, alerts: list[int]) -> None:
    asked = create("2026-11-30T10:00:00+01:00")
    world.asks(asked.model_copy(update={"args": {**asked.args, "alerts": alerts}}))
    assert world.call().state is CallState.REFUSED
