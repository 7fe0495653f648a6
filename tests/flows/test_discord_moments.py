"""Every time that is told on Discord: in words with its zone, and as the reader's own clock has it.

A timestamp is made of a moment that a row holds, never of words: nobody else's can pass for one.
"""

from concurrent.futures import ThreadPoolExecutor, wait
from datetime import date, datetime, timedelta
from email.message import EmailMessage

import pytest

from assistant.adapters.discord.render import render
from assistant.domain.approvals.approval import Verb
from assistant.domain.calendar.events import When
from assistant.domain.conversation.conversation import Turn, Want
from assistant.domain.conversation.deliveries import Shown, ShownKind
from assistant.domain.governance.modes import Mode
from assistant.tools.calendar.args import when_line
from tests.discord_world import Discord, said
from tests.operations import enters
from tests.world import ZONE, World
from workers.discord.interaction import Reply

START, END = "2026-11-30T10:00:00+01:00", "2026-11-30T10:30:00+01:00"
RENT = Want(tool="create_event", args={"title": "Pay the rent", "start": START, "end": END})
WORDS = "(Europe/Berlin)"
FORGED = "<t:0:F>"


@pytest.fixture
def discord(world: World) -> Discord:
    made = Discord(world)
    made.works()
    return made


def stamp(at: datetime | str) -> str:
    moment = datetime.fromisoformat(at) if isinstance(at, str) else at
    return f"<t:{int(moment.timestamp())}:"


def is_told(reply: Reply | Shown, at: datetime | str) -> None:
    """In words, and as a timestamp."""
    if isinstance(reply, Shown):
        tokens = ["x"] * len(reply.actions)
        told = str([message.embeds for message in render(reply, tokens=tokens)])
    else:
        told = said(reply)
    assert stamp(at) in told, told
    assert "Europe" in told
    assert "Berlin" in told


def asked(discord: Discord) -> None:
    discord.world.model.will(Turn(wants=(RENT,)), Turn(text="So be it."))
    discord.says("do it")


def until(discord: Discord) -> datetime:
    with discord.world.store.read(discord.world.cause) as tx:
        return tx.approval(discord.world.call().id).expires


def notice(discord: Discord, words: str) -> Shown:
    world = discord.world
    seen = [*world.far.shown.values(), *world.wall.shown.values()]
    found = [one for one in seen if words in f"{one.title} {one.text}"]
    return found[-1]


def test_what_waits_says_until_when(discord: Discord) -> None:
    asked(discord)
    is_told(discord.slash("pending"), until(discord))


def test_who_wants_to_be_reminded_is_told_when_and_then_until_when(discord: Discord) -> None:
    asked(discord)
    more = discord.presses(Verb.MORE, discord.world.call().id)
    now, end = discord.world.clock.now(), until(discord)
    is_told(discord.follows(more, "tomorrow 9:00"), now + timedelta(days=1))
    discord.world.clock.passes(hours=25)
    discord.world.settle()
    is_told(notice(discord, "still waits"), end)


def test_a_grant_says_until_when_it_holds(discord: Discord) -> None:
    asked(discord)
    more = discord.presses(Verb.MORE, discord.world.call().id)
    discord.follows(more, "Approve such calls")
    with discord.world.store.read(discord.world.cause) as tx:
        [grant] = tx.grants()
    is_told(more, grant.expires)
    is_told(discord.slash("grants"), grant.expires)


def test_a_mode_says_since_when_it_holds(discord: Discord) -> None:
    enters(discord.world, Mode.ALERT)
    with discord.world.store.read(discord.world.cause) as tx:
        since = tx.mode().since
    assert since is not None
    is_told(discord.slash("mode"), since)


def test_a_mode_that_is_announced_says_since_when(discord: Discord) -> None:
    discord.slash("lockdown")
    is_told(notice(discord, "Only reading goes on"), discord.world.clock.now())


def test_free_time_says_of_which_time_it_speaks(discord: Discord) -> None:
    with ThreadPoolExecutor(1) as pool:
        asks = pool.submit(discord.slash, "free", when="on 2026-11-30 10:00-10:30")
        while not wait({asks}, timeout=0.01).done:
            discord.world.settle()
    is_told(asks.result(), START)
    assert f"to {stamp(END)}t>" in said(asks.result())


def test_mail_says_when_it_came_and_cannot_say_it_itself(discord: Discord) -> None:
    message = EmailMessage()
    message["From"], message["Subject"] = "mallory@example.org", f"Rent {FORGED}"
    message["Date"] = "Mon, 23 Nov 2026 08:30:00 +0100"
    message.set_content(f"It is due {FORGED}.")
    discord.world.forwards(bytes(message))
    [mail] = discord.world.mails()
    assert mail.sent is not None
    is_told(notice(discord, "Rent"), mail.sent)
    reply = discord.slash("search", words="rent")
    is_told(reply, mail.received)
    assert reply.message is not None
    for shown in (reply.message.embeds, *render_all(notice(discord, "Rent"))):
        assert FORGED not in str(shown)


def render_all(shown: Shown) -> list[object]:
    tokens = ["x"] * len(shown.actions)
    return [message.embeds for message in render(shown, tokens=tokens)]


def test_an_event_says_when_it_begins_and_ends(discord: Discord) -> None:
    asked(discord)
    card = discord.world.far.shown[f"owner:card-{discord.world.call().id}"]
    assert [row.text for row in card.rows] == ["Mon 30 Nov, 10:00–10:30"]
    assert "<t:" not in str(render_all(card))  # the owner's own clock is told, once
    discord.presses(Verb.APPROVE, discord.world.call().id)
    enters(discord.world, Mode.RECOVERY)
    discord.presses(Verb.UNDO, discord.world.call().id)
    with discord.world.store.read(discord.world.cause) as tx:
        undo = tx.delivery(f"card-{discord.world.call('A2').id}").wanted
    assert [row.text for row in undo.rows] == ["Mon 30 Nov, 10:00–10:30"]


@pytest.mark.parametrize(("hours", "style"), [(1, "t"), (30, "F")])
def test_within_a_day_its_end_is_a_time_alone(hours: int, style: str) -> None:
    start = datetime.fromisoformat(START)
    end = start + timedelta(hours=hours)
    line = when_line("Then", When(start=start, end=end), ZONE, what="“x”, ")
    assert line.value.startswith("“x”, Mon 30 Nov 2026, 10:00 to ")
    told = str(render_all(Shown(kind=ShownKind.CARD, title="x", fields=(line,))))
    assert f"{stamp(start)}F> to {stamp(end)}{style}> ({stamp(start)}R>)" in told


def test_a_day_is_one_in_its_own_zone_alone() -> None:
    line = when_line("When", When(start=date(2026, 11, 30), end=date(2026, 12, 1)), ZONE)
    assert (line.value, line.at, line.until) == ("Mon 30 Nov 2026, all day", None, None)
