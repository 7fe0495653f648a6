"""The bot and the workers are killed with SIGKILL between any two steps from words to receipt."""

import re
from dataclasses import dataclass

import pytest

from tests.process.discord_rig import DiscordRig, Story, told_once

pytestmark = pytest.mark.slow

UNDECIDED = "bot:press.bot.heard"
"""Where a bot dies before a press is on record."""
YES = re.compile(
    r"A\d+ is approved and runs (now\.|as soon as a worker does\.\nNo worker has moved lately: .+)"
)
TOO_LATE = re.compile(r"A\d+ was answered already: it is (cleared|running|unknown|done)\.")


@dataclass(frozen=True, kw_only=True)
class Kills:
    """Where somebody dies: the bot while it hears and is pressed, workers in between.

    The bot commits more than that, and at any time: it hears again what was said while it was
    dead, and takes progress lines away.
    """

    ask: str = ""
    card: str = ""
    press: str
    run: str = ""
    tell: str = ""

    def __str__(self) -> str:
        return " ".join(filter(None, vars(self).values())).replace("bot:", "")


EVERYWHERE = (
    Kills(
        ask="bot:words.commit.before",
        card="think.commit.before",
        press="bot:press.bot.heard",
        run="run.commit.before",
        tell="receipt.show.before",
    ),
    Kills(
        ask="bot:words.publish.before",
        card="think.publish.before",
        press="bot:press.publish.before",
        run="run.effect.before",
        tell="receipt.show.after",
    ),
    Kills(
        ask="bot:words.bot.answered",
        card="card.show.before",
        press="bot:press.publish.after",
        run="run.effect.after",
        tell="words.show.before",
    ),
    Kills(
        card="card.show.after",
        press="bot:press.bot.answered",
        run="run.publish.before",
        tell="words.show.after",
    ),
    Kills(press="bot:bot.before_callback", tell="think.commit.before"),
)


def arm(rig: DiscordRig, *places: str) -> None:
    for place in filter(None, places):
        rig.arm(place)


@pytest.mark.parametrize("kills", EVERYWHERE, ids=str)
def test_the_receipt_ends_true_once_although_the_bot_and_workers_were_killed(
    discord_rig: DiscordRig, kills: Kills
) -> None:
    rig, story = discord_rig, Story(discord_rig, discord_rig.someone())
    arm(rig, kills.ask, kills.card)
    words = story.asks()
    if kills.ask:
        rig.comes_back(kills.ask)
    card = story.card()
    rig.rest()
    first, again = story.presses(card, 2)
    arm(rig, kills.press, kills.run, kills.tell)
    story.tells(first)
    rig.comes_back(kills.press)
    said = story.told(story.tells(again))
    assert (YES if kills.press == UNDECIDED else TOO_LATE).fullmatch(said)
    story.is_done()
    for place in filter(None, (kills.card, kills.run, kills.tell)):
        assert rig.happened(place)
    told_once(story, card)
    assert rig.heard(story.owner) == [words]
