"""A hundred presses on one card, from ten threads, told to two bots on one token."""

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.process.discord_rig import DiscordRig, Story, told_once

pytestmark = pytest.mark.slow

PRESSES = 100
POLITE = re.compile(
    r"A\d+ (was answered already: it is (queued|running|done)\.|was answered at the same moment\.)"
)


@pytest.fixture(params=["sqlite", "postgres"])
def crowded(request: pytest.FixtureRequest) -> Iterator[DiscordRig]:
    """Two bots."""
    name = "discord_rig" if request.param == "sqlite" else "postgres_discord_rig"
    rig: DiscordRig = request.getfixturevalue(name)
    rig.start("second")
    rig.wait_for_bot(2)
    yield rig
    rig.kill("second")


def test_of_a_hundred_presses_one_counts_and_all_are_answered_in_time(crowded: DiscordRig) -> None:
    story = Story(crowded, crowded.someone())
    story.asks()
    card = story.card()
    crowded.rest()
    presses = story.presses(card, PRESSES)
    with ThreadPoolExecutor(10) as threads:
        list(threads.map(story.tells, presses))
    words = [story.told(press) for press in presses]
    assert max(press.acknowledged_ms for press in presses) < 3_000
    # Each is told to both bots. The one whose word counted may be the slower one to tell so.
    yes = [one for one in words if one.endswith(" is approved and runs now.")]
    assert len(yes) <= 1
    assert [one for one in words if one not in yes and not POLITE.fullmatch(one)] == []
    story.is_done()
    told_once(story, card)
