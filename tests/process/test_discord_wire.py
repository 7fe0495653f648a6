"""What goes wrong between the house and Discord, below both and beside them."""

from functools import partial

import pytest

from assistant.adapters.discord.channel import DEALT_WITH, REFUSED, WAITS
from tests.process.command import run
from tests.process.discord_rig import ANSWER, DiscordRig, Story, readable, told_once
from tests.servers.discord import Message, Route
from tests.servers.discord.state import Asked, Channel

pytestmark = pytest.mark.slow

LOCKED = 5.0
EXPIRED = 16 * 60.0
"""Seconds after which Discord takes nothing more for an interaction."""
LATE = "No worker has moved lately: what you said is kept, and goes on as soon as one runs."


def asked(rig: DiscordRig) -> tuple[Story, Message]:
    """Somebody whose card waits."""
    story = Story(rig, rig.someone())
    story.asks()
    card = story.card()
    rig.rest()
    return story, card


def approved(story: Story) -> str:
    """What a yes is answered with."""
    assert story.call is not None
    return f"{story.call.handle} is approved and runs now."


def approved_for_later(story: Story) -> str:
    """The same where no worker moves."""
    assert story.call is not None
    return f"{story.call.handle} is approved and runs as soon as a worker does.\n{LATE}"


def test_what_a_broken_socket_missed_is_heard_once_each(discord_rig: DiscordRig) -> None:
    story, card = asked(discord_rig)
    other = Story(discord_rig, discord_rig.someone())
    [press] = story.presses(card, 1)
    discord_rig.discord.drop_sockets()
    for words in ("one", "two", "three"):
        discord_rig.discord.say(other.owner, None, words)
    assert story.told(story.tells(press)) == approved(story)
    story.is_done()
    told_once(story, card)
    assert discord_rig.discord.connections[-1].how == "resume"
    assert discord_rig.heard(other.owner) == ["one", "two", "three"]
    discord_rig.until(lambda: other.said, "an answer to the last of them")
    discord_rig.rest()
    assert len(other.said) == discord_rig.answered(other.owner)


def test_what_is_said_between_two_bots_is_heard_once_too(discord_rig: DiscordRig) -> None:
    story = Story(discord_rig, discord_rig.someone())
    story.is_heard("before")
    discord_rig.stop("bot")
    story.is_heard("meanwhile")
    assert discord_rig.heard(story.owner) == ["before", "meanwhile"]
    assert discord_rig.discord.connections[-1].how == "identify"


def test_what_is_said_in_a_server_between_two_bots_is_heard_once_too(
    discord_rig: DiscordRig,
) -> None:
    discord, owner = discord_rig.discord, discord_rig.someone()
    channel = discord.channel(discord.guild("office", owner, discord.user("stranger")), "talk")
    discord.say(owner, channel, "hello", mentions_bot=True)
    [thread] = discord_rig.until(lambda: discord.threads(channel), "a thread for it")
    discord_rig.rest()
    discord_rig.stop("bot")
    discord.say(owner, channel, "nothing of yours")
    discord.say(owner, channel, "and now", mentions_bot=True)
    discord.say(owner, thread, "go on", mentions_bot=True)
    discord_rig.until(lambda: len(discord.threads(channel)) == 2, "a thread for the second")
    other = next(one for one in discord.threads(channel) if one.id != thread.id)
    heard = partial(_heard_in, discord_rig, channel)
    discord_rig.until(lambda: heard(thread) == ["hello", "go on"], "both in the first thread")
    assert heard(other) == ["and now"]
    discord_rig.rest()
    discord_rig.stop("bot")
    discord_rig.wait_for_bot()
    Story(discord_rig, owner).is_heard("and here")
    assert (heard(thread), heard(other)) == (["hello", "go on"], ["and now"])
    assert len(discord.threads(channel)) == 2


def _heard_in(rig: DiscordRig, channel: Channel, thread: Channel) -> list[str]:
    return rig.heard_in(f"thread:{channel.id}/{thread.id}")


def test_an_answer_that_comes_too_late_for_discord_is_told_directly(
    discord_rig: DiscordRig, monkeypatch: pytest.MonkeyPatch
) -> None:
    story, card = asked(discord_rig)
    [press] = story.presses(card, 1)
    monkeypatch.setattr(discord_rig.discord.world, "acknowledge_within", 0.3)
    discord_rig.discord.faults.slow(Route.CALLBACK, before=0.5)
    story.tells(press)
    story.is_told(approved(story))
    story.is_done()
    told_once(story, card, also=[approved(story)])
    assert press.refused == [10062]


def test_a_card_that_was_deleted_is_shown_anew_once(discord_rig: DiscordRig) -> None:
    story, card = asked(discord_rig)
    [press] = story.presses(card, 1)
    discord_rig.discord.delete(card)
    assert story.told(story.tells(press)) == approved(story)
    story.is_done()
    told_once(story)
    assert story.said[0].id != card.id


def test_of_what_direct_messages_refuse_the_channel_says_nothing_but_shows_it_to_the_owner(
    discord_rig: DiscordRig,
) -> None:
    story = Story(discord_rig, discord_rig.someone())
    discord_rig.discord.refuse_dms(story.owner)
    asked_for = story.asks()

    def notices() -> list[Message]:
        return discord_rig.discord.answers(discord_rig.notices)

    def shown() -> list[Message]:
        """What the buttons in the channel show to the owner alone."""
        found: list[Message] = []
        for one in notices():
            press = discord_rig.discord.raw_interaction("press", story.owner, one.id, "Show")
            story.told(story.tells(press))
            assert press.message is not None
            found.append(press.message)
        return found

    discord_rig.until(lambda: len(notices()) == 2, "the card and the words in the channel")
    discord_rig.rest()
    assert [one.words for one in notices()] == [WAITS, WAITS]
    [card] = [one for one in shown() if "Approve" in one.labels]
    assert asked_for in readable(card)
    [press] = story.presses(card, 1)
    assert story.told(story.tells(press)) == approved(story)
    discord_rig.until(lambda: DEALT_WITH in [one.words for one in notices()], "the end of it")
    discord_rig.rest()
    told_once(story, said=shown())
    assert {one.words for one in notices()} == {WAITS, DEALT_WITH}
    assert story.said == []
    status = run("status", data=discord_rig.data, env=discord_rig.environment)
    assert REFUSED in status.out


def test_whatever_discord_limits_or_loses_is_delivered_in_the_end_and_once(
    discord_rig: DiscordRig,
) -> None:
    story = Story(discord_rig, discord_rig.someone())
    here = discord_rig.discord.dm(story.owner).id

    def mine(request: Asked) -> bool:
        return request.params["channel_id"] == here

    faults = discord_rig.discord.faults
    faults.rate_limit(Route.SEND, via=False, retry_after=1, which=mine)
    faults.rate_limit(Route.SEND, times=2, retry_after=0.2, which=mine)
    faults.lose_answer(Route.SEND, which=mine)
    story.asks()
    card = story.card()
    discord_rig.rest()
    faults.rate_limit(Route.EDIT, times=2, retry_after=0.2, which=mine)
    faults.lose_answer(Route.EDIT, which=mine)
    faults.rate_limit(Route.SEND, via=False, retry_after=1, which=mine)
    [press] = story.presses(card, 1)
    assert story.told(story.tells(press)) == approved(story)
    story.is_done()
    told_once(story, card)


def test_with_the_database_locked_and_the_broker_gone_all_is_answered_and_done_once_afterwards(
    discord_rig: DiscordRig,
) -> None:
    (story, card), (other, others) = asked(discord_rig), asked(discord_rig)
    [press], [expiring] = story.presses(card, 1), other.presses(others, 1)
    newcomer = Story(discord_rig, discord_rig.someone())
    with discord_rig.without_broker():
        discord_rig.until(discord_rig.nobody_moves, "no worker to have moved lately")
        with discord_rig.locked_database(LOCKED):
            for one in (story.tells(press), other.tells(expiring)):
                assert one.wait_for_answer().acknowledged_ms < 3_000
                assert one.deferred
            expiring.age(EXPIRED)
        assert story.told(press) == approved_for_later(story)
        other.is_told(approved_for_later(other))
        said = discord_rig.discord.say(newcomer.owner, None, "is anybody there?")
        newcomer.is_told(LATE)
        assert newcomer.said[0].reply_to == said.id
    story.is_done()
    told_once(story, card)
    other.is_done()
    told_once(other, others, also=[approved_for_later(other)])
    newcomer.is_told(ANSWER)
    discord_rig.rest()
    assert [readable(one) for one in newcomer.said] == [LATE, ANSWER]
