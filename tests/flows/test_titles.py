"""A grant for the titles of the owner's own events: from its card or by a command."""

from datetime import timedelta

import pytest

from assistant.domain.approvals.approval import ApprovalAnswer, Verb
from assistant.domain.calendar.events import Event, When
from assistant.domain.calls.call import Call
from assistant.domain.calls.states import CallState
from assistant.domain.conversation.conversation import Origin, Turn, Want
from assistant.domain.conversation.deliveries import ShownKind
from assistant.domain.errors import Denied
from assistant.domain.governance.modes import Mode
from assistant.domain.policy.grants import Grant
from assistant.flows.approvals.similar import revoke
from assistant.flows.approvals.titles import approve_and_show_titles, show_titles
from tests.discord_world import ME as DISCORD_ME
from tests.discord_world import Discord, said
from tests.flows.test_batches import note
from tests.operations import enters
from tests.world import ME, World

_S = CallState
MAIL = b"From: Ada <ada@example.org>\r\nSubject: Rent\r\n\r\nLook at my calendar.\r\n"


@pytest.fixture(autouse=True)
def dentist(world: World) -> None:
    """An event of the owner's own, three days from now."""
    start = world.clock.now() + timedelta(days=3)
    when = When(start=start, end=start + timedelta(hours=1))
    world.calendar.put(Event(uid="mine", title="Dentist", when=when))


def titles(world: World, *, days: int = 7, ahead: int = 0) -> Want:
    start = world.clock.now() + timedelta(days=ahead)
    args = {"start": start.isoformat(), "end": (start + timedelta(days=days)).isoformat()}
    return Want(tool="get_events_details", args=args)


def granted(world: World, *, ended: bool = False) -> list[Grant]:
    with world.store.read(world.cause) as tx:
        return list(tx.grants(ended=ended))


def newest(world: World) -> Call:
    with world.store.read(world.cause) as tx:
        [call] = tx.calls(limit=1)
    return call


def shows(world: World, handle: str, *, card: str | None = None) -> ApprovalAnswer:
    """The owner presses the button of the card."""
    shown = world.card_of(handle) if card is None else card
    said = approve_and_show_titles(handle, by=ME, card=shown, cause=world.cause, ctx=world.ctx)
    world.settle()
    return said


def reads_mail(world: World) -> None:
    mail = world.forwards(MAIL).id
    world.asks(Want(tool="read_email", args={"id": mail}))


def test_the_first_card_offers_it_and_one_press_is_enough(world: World) -> None:
    world.asks(titles(world))
    labels = [action.label for action in world.card("A1").actions]
    assert labels == ["Approve", "Show me my own titles for 30 days", "Deny", "More"]
    said = shows(world, "A1")
    assert said.accepted
    assert said.text.startswith("A1 is approved and runs now. G1: Read the titles of your own")
    assert said.text.endswith("/revoke G1 ends it.")
    assert world.call("A1").state is _S.DONE
    world.asks(titles(world))
    assert world.call("A2").state is _S.DONE
    assert "grant: G1 covers it, so allow" in world.call("A2").reasons
    assert len(world.cards()) == 1
    assert [grant.used for grant in granted(world)] == [1]
    assert world.titles(ShownKind.RECEIPT)[1:] == [], "a read that is covered is not reported"


def test_it_holds_beside_outside_text_and_titles_stay_outside_text(world: World) -> None:
    world.asks(titles(world))
    shows(world, "A1")
    reads_mail(world)
    world.asks(titles(world))
    call = newest(world)
    assert (call.tainted, call.state) == (True, _S.DONE)
    with world.store.read(world.cause) as tx:
        told = [entry for entry in tx.entries(call.conversation, last=50) if entry.call == call.id]
    assert [entry.origin for entry in told if entry.role.value == "outcome"] == [Origin.OUTSIDE]


def test_titles_taint_whoever_made_the_event(world: World) -> None:
    """An invitation's title is a stranger's words, and so may be one that the assistant copied."""
    world.asks(Want(tool="create_event", args={"title": "Tea", "start": "2026-11-25"}))
    world.presses(Verb.APPROVE, "A1")
    world.calendar.remove("mine")
    world.asks(titles(world))
    assert newest(world).state is _S.DONE, "the assistant made all of them, so nobody is asked"
    world.asks(note("a"))
    assert newest(world).tainted


def test_beyond_sixty_days_it_asks(world: World) -> None:
    world.asks(titles(world))
    shows(world, "A1")
    start = world.clock.now() + timedelta(days=80)
    when = When(start=start, end=start + timedelta(hours=1))
    world.calendar.put(Event(uid="far", title="Far", when=when))
    world.asks(titles(world, days=90))
    assert newest(world).state is _S.PARKED
    world.asks(titles(world, days=7, ahead=76))
    assert newest(world).state is _S.PARKED
    world.asks(titles(world, days=59))
    assert newest(world).state is _S.DONE


def test_the_thirty_first_read_in_an_hour_asks_and_the_next_hour_does_not(world: World) -> None:
    world.asks(titles(world))
    shows(world, "A1")
    for _ in range(29):
        world.asks(titles(world))
        assert newest(world).state is _S.DONE
    world.asks(titles(world))
    assert newest(world).state is _S.PARKED, "with the first one it would be 31"
    world.clock.passes(hours=1, seconds=1)
    world.asks(titles(world))
    assert newest(world).state is _S.DONE


def test_thirty_one_reads_in_one_answer_do_not_pass_either(world: World) -> None:
    assert show_titles(by=ME, cause=world.cause, ctx=world.ctx).accepted
    for _ in range(3):
        world.asks(*(titles(world, days=10 + n) for n in range(10)))
    world.asks(titles(world))
    with world.store.read(world.cause) as tx:
        states = [call.state for call in reversed(tx.calls(limit=100))]
    assert states == [*[_S.DONE] * 30, _S.PARKED]


def test_on_day_thirty_one_it_asks(world: World) -> None:
    world.asks(titles(world))
    shows(world, "A1")
    world.clock.passes(days=29, hours=23)
    world.asks(titles(world))
    assert newest(world).state is _S.DONE
    world.clock.passes(hours=1)
    start = world.clock.now()
    world.calendar.put(
        Event(uid="new", title="New", when=When(start=start, end=start + timedelta(hours=1)))
    )
    world.asks(titles(world))
    assert newest(world).state is _S.PARKED


def test_it_is_revoked_as_every_grant_is(world: World) -> None:
    world.asks(titles(world))
    shows(world, "A1")
    assert revoke("G1", by=ME, cause=world.cause, ctx=world.ctx).accepted
    world.asks(titles(world))
    assert newest(world).state is _S.PARKED


def test_lockdown_ends_it(world: World) -> None:
    assert show_titles(by=ME, cause=world.cause, ctx=world.ctx).accepted
    enters(world, Mode.LOCKDOWN)
    assert granted(world) == []
    with pytest.raises(Denied, match="lockdown"):
        show_titles(by=ME, cause=world.cause, ctx=world.ctx)


def test_a_second_one_takes_the_place_of_the_first(world: World) -> None:
    for _ in range(2):
        assert show_titles(by=ME, cause=world.cause, ctx=world.ctx).accepted
    assert [grant.handle for grant in granted(world)] == ["G2"]
    assert len(granted(world, ended=True)) == 2


def test_another_card_than_the_one_that_was_shown_means_no(world: World) -> None:
    world.asks(titles(world))
    assert not shows(world, "A1", card="0" * 64).accepted
    assert (granted(world), world.call("A1").state) == ([], _S.PARKED)


def test_only_a_read_of_titles_is_approved_by_it(world: World) -> None:
    world.asks(Want(tool="create_event", args={"title": "Tea", "start": "2026-11-25"}))
    said = shows(world, "A1")
    assert (said.accepted, said.text) == (False, "A1 reads no titles; approve it by itself.")
    assert (granted(world), world.call("A1").state) == ([], _S.PARKED)


def test_only_a_person_grants_it(world: World) -> None:
    world.asks(titles(world))
    for nobody in ("", "model", "signal:disk"):
        said = approve_and_show_titles(
            "A1", by=nobody, card=world.card_of("A1"), cause=world.cause, ctx=world.ctx
        )
        assert not said.accepted
        with pytest.raises(Denied, match="only a person"):
            show_titles(by=nobody, cause=world.cause, ctx=world.ctx)
    assert granted(world, ended=True) == []


@pytest.mark.parametrize(
    "policy",
    [
        "version: 1\nrules: [{tool: get_events_details, action: deny}]\n",
        "version: 1\ntools: {get_events_details: {enforced: true}}\n",
        "version: 1\ntools: {get_events_details: {requires_approval_in_modes: [normal]}}\n",
    ],
)
def test_there_is_none_where_it_would_spare_no_question(world: World, policy: str) -> None:
    world.writes_policy(policy)
    with pytest.raises(Denied, match="each time"):
        show_titles(by=ME, cause=world.cause, ctx=world.ctx)
    assert granted(world) == []


def test_in_alert_titles_ask_all_the_same(world: World) -> None:
    assert show_titles(by=ME, cause=world.cause, ctx=world.ctx).accepted
    enters(world, Mode.ALERT)
    world.asks(titles(world))
    assert newest(world).state is _S.PARKED


def test_the_card_does_not_call_the_calendar_an_unknown_writer(world: World) -> None:
    world.asks(titles(world))
    world.presses(Verb.APPROVE, "A1")
    world.asks(Want(tool="create_event", args={"title": "Tea", "start": "2026-11-25"}))
    assert world.card("A2").warning == "From titles in your calendar, not verified: title, start"
    assert world.told("A2")["Led here by"] == "titles in your calendar"


# On Discord


def test_the_button_of_a_card_saves_it_and_is_used_up(world: World) -> None:
    discord = Discord(world)
    discord.works()
    world.model.will(Turn(wants=(titles(world),)), Turn(text="Here."))
    discord.says("what is on?")
    token = world.far.tokens[Verb.TITLES, world.call("A1").id]
    assert "G1: Read the titles" in said(discord.presses_token(token))
    world.settle()
    assert world.call("A1").state is _S.DONE
    discord.presses_token(token)
    assert [grant.by for grant in granted(world, ended=True)] == [f"discord:{DISCORD_ME}"]


def test_the_command_saves_it_without_a_card(world: World) -> None:
    discord = Discord(world)
    discord.works()
    assert "G1: Read the titles" in said(discord.slash("titles"))
    world.model.will(Turn(wants=(titles(world),)), Turn(text="Here."))
    discord.says("what is on?")
    assert world.call("A1").state is _S.DONE
