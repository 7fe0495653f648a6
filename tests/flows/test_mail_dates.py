"""A mail that names a time can be put into the calendar, by a card that names the mail."""

from dataclasses import replace

import pytest

from assistant.domain.approvals.approval import Verb
from assistant.domain.calls.states import CallState
from assistant.domain.conversation.conversation import Turn
from assistant.domain.conversation.deliveries import ShownKind
from assistant.domain.governance.modes import Mode
from assistant.flows.calls.owner_calls import call_tool
from tests.discord_world import HOME, ME, Discord, said
from tests.operations import enters
from tests.world import World
from workers.discord import place

HEATING = (
    b"From: Juerg <juerg@example.org>\r\nSubject: Fwd: The\theating \xe2\x80\xae\r\n"
    b"\r\nI can come on Monday 30 November at 10:00. Be at home, please.\r\n"
)
PLAIN = b"From: Ann <ann@example.org>\r\nSubject: Hello\r\n\r\nSee you on Monday!\r\n"


@pytest.fixture
def discord(world: World) -> Discord:
    made = Discord(replace(world, home=HOME))
    made.works()
    return made


def id_of(discord: Discord, raw: bytes = HEATING) -> str:
    return discord.world.forwards(raw).id


def verbs(discord: Discord, id: str) -> list[str]:
    with discord.world.store.read(discord.world.cause) as tx:
        return [one.verb for one in tx.delivery(f"mail-{id}").wanted.actions]


def test_a_mail_with_a_time_offers_the_calendar_and_others_do_not(discord: Discord) -> None:
    dated, plain = id_of(discord), id_of(discord, PLAIN)
    assert verbs(discord, dated) == [Verb.SHOW, Verb.ASK, Verb.SCHEDULE, Verb.FORGET]
    assert verbs(discord, plain) == [Verb.SHOW, Verb.ASK, Verb.FORGET]
    assert "no day or time" in said(discord.slash("schedule", mail=plain))


def test_it_asks_with_a_card_that_names_the_mail(discord: Discord) -> None:
    id = id_of(discord)
    told = said(discord.presses(Verb.SCHEDULE, id))
    assert told == "A1 waits for your yes: Mon 30 Nov 2026, 10:00 to 11:00 (Europe/Berlin)."
    call = discord.world.call()
    assert (call.state, call.tool, call.tainted) == (CallState.PARKED, "create_event", True)
    assert call.asked["title"] == "The heating"
    assert call.asked["start"] == "2026-11-30T10:00:00+01:00"
    [led] = call.led
    assert led.source == f"mail {id} from juerg@example.org"
    assert {one.arg for one in call.copied} == {"title", "start", "end"}
    assert discord.world.calendar.writes == 0
    [card] = [one for one in discord.shown(place.alone(ME)) if one.kind is ShownKind.CARD]
    assert card.warning == "From a mail by juerg@example.org, not verified: title, start, end"
    assert card.title == "Create “The heating”"


def test_approved_it_is_in_the_calendar_and_no_model_was_asked(discord: Discord) -> None:
    id = id_of(discord)
    asked = len(discord.world.model.views)
    discord.presses(Verb.SCHEDULE, id)
    discord.presses(Verb.APPROVE, discord.world.call().id)
    assert discord.world.call().state is CallState.DONE
    assert discord.world.calendar.writes == 1
    assert len(discord.world.model.views) == asked


ALLOWS = "version: 1\nrules:\n- tool: create_event\n  action: allow\n"


def test_no_rule_spares_the_card(discord: Discord) -> None:
    discord.world.writes_policy(ALLOWS)
    own = discord.world.calls("create_event", title="Tea", start="2026-11-30T15:00:00+01:00")
    assert own.state is CallState.DONE, "the rule holds for what the owner typed"
    discord.presses(Verb.SCHEDULE, id_of(discord))
    assert discord.world.call("A2").state is CallState.PARKED
    assert discord.world.calendar.writes == 1


def test_pressed_twice_it_asks_once_and_after_a_no_it_can_ask_again(discord: Discord) -> None:
    id = id_of(discord)
    discord.presses(Verb.SCHEDULE, id)
    assert "A1 asks you about it already" in said(discord.presses(Verb.SCHEDULE, id))
    assert "A1 is denied" in said(discord.presses(Verb.DENY, discord.world.call().id))
    assert "A2 waits for your yes" in said(discord.presses(Verb.SCHEDULE, id))


def test_when_its_time_has_passed_nothing_is_added(discord: Discord) -> None:
    id = id_of(discord)
    discord.world.clock.passes(days=8)
    assert "no day or time" in said(discord.slash("schedule", mail=id))
    assert discord.world.waiting() == []


def test_in_lockdown_it_says_why_not(discord: Discord) -> None:
    id = id_of(discord)
    enters(discord.world, Mode.LOCKDOWN)
    told = said(discord.slash("schedule", mail=id))
    assert "It cannot be added" in told
    assert discord.world.waiting() == []


def test_a_forgotten_mail_is_not_added(discord: Discord) -> None:
    id = id_of(discord)
    button = discord.world.far.tokens[Verb.SCHEDULE, id]
    discord.slash("schedule", mail=id)
    assert "A1 is denied" in said(discord.presses(Verb.DENY, discord.world.call().id))
    discord.follows(discord.presses(Verb.FORGET, id), "Forget it for good")
    assert "forgotten" in said(discord.presses_token(button))


def test_the_owner_s_own_event_is_another_matter(discord: Discord) -> None:
    id = id_of(discord)
    world = discord.world
    world.model.will(Turn(text="So be it."))
    call_tool(
        "create_event",
        {"title": "Tea", "start": "2026-11-30T15:00:00+01:00"},
        by=place.person(ME),
        channel="discord",
        place=place.alone(ME),
        cause=world.cause,
        ctx=world.ctx,
    )
    assert "waits for your yes" in said(discord.presses(Verb.SCHEDULE, id))
    assert not world.call("A1").tainted
    assert world.call("A2").tainted


def test_a_time_in_the_text_alone_counts_too(discord: Discord) -> None:
    discord.world.model.summary = "Juerg will come."
    assert Verb.SCHEDULE in verbs(discord, id_of(discord))
