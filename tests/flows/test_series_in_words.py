"""Without a model: which of a series is meant is asked with orders to copy, and then done."""

from collections.abc import Iterator
from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest

from assistant.adapters.offline.model import OfflineModel
from assistant.domain.approvals.approval import Verb
from assistant.domain.calendar.events import When
from assistant.domain.calls.states import CallState
from assistant.domain.policy.decide import WORD
from assistant.domain.time.moments import begins
from tests.flows.test_series_stories import TUESDAY, standup
from tests.memory_calendar import MemoryCalendar
from tests.stores import sqlite_stores
from tests.world import ZONE, World


@pytest.fixture
def world() -> Iterator[World]:
    with sqlite_stores() as make:
        yield World(make, calendar=MemoryCalendar(zone=ZONE), mind=OfflineModel())


def hours(world: World) -> list[str]:
    """When it takes place on the owner's clock."""
    when = When(start=TUESDAY, end=TUESDAY + timedelta(days=200))
    there = ZoneInfo(ZONE)
    return [
        f"{begins(one.when, ZONE).astimezone(there):%m-%d %H:%M}"
        for one in world.calendar.between(when)
    ]


def answered(world: World, words: str) -> str:
    """What the owner is shown last."""
    world.says(words)
    return list(world.wall.shown.values())[-1].text


@pytest.mark.parametrize(
    ("words", "ways"),
    [
        (
            'cancel "standup" on 2026-12-08',
            [
                'cancel only "standup" on 2026-12-08',
                'cancel "standup" on 2026-12-08 and following',
                'cancel all "standup" on 2026-12-08',
            ],
        ),
        (
            'move "standup" on 2026-12-01 to 11:00',
            [
                'move only "standup" on 2026-12-01 to 11:00',
                'move "standup" on 2026-12-01 and following to 11:00',
                'move all "standup" on 2026-12-01 to 11:00',
            ],
        ),
        (
            'move "standup" on 2026-12-01 to 2026-12-02 11:00-11:30',
            [
                'move only "standup" on 2026-12-01 to 2026-12-02 11:00-11:30',
                'move "standup" on 2026-12-01 and following to 2026-12-02 11:00-11:30',
                'move all "standup" on 2026-12-01 to 2026-12-02 11:00-11:30',
            ],
        ),
        (
            'rename "standup" on 2026-12-01 to "Daily"',
            [
                'rename only "standup" on 2026-12-01 to "Daily"',
                'rename "standup" on 2026-12-01 and following to "Daily"',
                'rename all "standup" on 2026-12-01 to "Daily"',
            ],
        ),
        ('cancel "standup"', ['cancel all "standup"']),
    ],
)
def test_which_of_a_series_is_asked_with_orders_to_copy(
    world: World, words: str, ways: list[str]
) -> None:
    standup(world)
    said = answered(world, words)
    assert "scope" not in said
    assert [line[2:] for line in said.splitlines() if line.startswith("- ")] == ways
    for number, way in enumerate(ways, start=2):
        world.says(way)
        assert world.call(f"A{number}").state is CallState.PARKED, world.call(f"A{number}").result


@pytest.mark.parametrize(
    ("words", "left", "gone"),
    [
        ('cancel only "standup" on 2026-12-08', 18, "12-08"),
        ('cancel "standup" on 2026-12-08 and following', 2, "12-08"),
        ('cancel all "standup"', 0, "11-24"),
        ("cancel only the standup on 8 December", 18, "12-08"),
    ],
)
def test_part_of_a_series_is_cancelled(world: World, words: str, left: int, gone: str) -> None:
    standup(world)
    world.says(words)
    assert world.presses(Verb.APPROVE, "A1", word=WORD).accepted
    assert len(hours(world)) == left
    assert not [one for one in hours(world) if gone in one]


@pytest.mark.parametrize(
    ("words", "moved"),
    [
        ("move only the standup on 1 December to 11:00", 1),
        ('move "standup" on 2026-12-01 and following to 11:00', 18),
        ('move all "standup" on 2026-12-01 to 11:00', 19),
    ],
)
def test_part_of_a_series_is_moved(world: World, words: str, moved: int) -> None:
    standup(world)
    world.says(words)
    assert world.presses(Verb.APPROVE, "A1", word=WORD).accepted
    assert len([one for one in hours(world) if "11:00" in one]) == moved
    assert len(hours(world)) == 19
