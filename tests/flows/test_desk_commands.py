"""Commands that are typed on Discord: a yes covers the card that was shown there, or none."""

from concurrent.futures import ThreadPoolExecutor, wait
from datetime import datetime, timedelta

import pytest

from assistant.domain.approvals.approval import Verb
from assistant.domain.calls.states import CallState
from assistant.domain.conversation.conversation import Turn, Want
from assistant.domain.conversation.deliveries import Attempt, Posted, Shown
from assistant.domain.errors import Denied
from assistant.domain.governance.modes import Mode
from assistant.domain.policy.decide import WORD
from assistant.flows.calls.judge import draft_for
from assistant.flows.calls.owner_calls import ask_all
from tests.discord_world import ME, Discord, buttons, held, said
from tests.flows.test_batches import booking
from tests.operations import enters
from tests.world import MONDAY, OWNER, World
from workers.discord.interaction import Reply, Way

TIMES = {"start": "2026-11-30T10:00:00+01:00", "end": "2026-11-30T10:30:00+01:00"}
RENT = Want(tool="create_event", args={"title": "Pay the rent", **TIMES})
TEA = Want(tool="create_event", args={"title": "Tea", **TIMES})
CARD = ["Approve", "Edit", "Deny", "More"]


@pytest.fixture
def discord(world: World) -> Discord:
    made = Discord(world)
    made.works()
    return made


def asked(discord: Discord, *wants: Want) -> None:
    discord.world.model.will(Turn(wants=wants or (RENT,)), Turn(text="So be it."))
    discord.says("do it")


def asked_in_the_terminal(discord: Discord) -> None:
    """Its card is shown there alone."""
    world = discord.world
    draft = draft_for(RENT, cause=world.cause, tainted=False)
    ask_all([draft], channel="terminal", place=OWNER, cause=world.cause, ctx=world.ctx)
    world.settle()


def label(form: Reply) -> str:
    assert form.modal is not None
    return str(form.modal["components"][0]["label"])


def test_a_typed_yes_covers_the_card_in_the_direct_messages(discord: Discord) -> None:
    asked(discord)
    assert "A1 is approved and runs now" in said(discord.slash("approve", call="A1"))
    assert discord.world.call().state is CallState.DONE
    assert "was answered already: it is done" in said(discord.slash("approve", call="a1"))
    assert discord.world.calendar.writes == 1


def test_it_covers_no_card_that_was_shown_in_the_terminal(discord: Discord) -> None:
    asked_in_the_terminal(discord)
    for name in ("approve", "snooze", "similar", "edit"):
        told = discord.slash(name, call="A1")
        assert said(told).startswith("Look at A1 first."), name
        assert "Pay the rent" in said(told)
        assert list(buttons(told)) == CARD
    assert discord.world.call().state is CallState.PARKED
    assert "A1 is approved" in said(discord.follows(told, "Approve"))


def test_a_typed_no_covers_the_call_that_it_names_wherever_its_card_is(discord: Discord) -> None:
    asked_in_the_terminal(discord)
    told = discord.slash("deny", call="A1", why="not this week")
    assert "A1 is denied; nothing was done." in said(told)
    assert "Pay the rent" in said(told)
    assert discord.world.call().state is CallState.DENIED
    assert discord.world.call().told == "not this week"


def test_it_covers_no_card_that_was_shown_to_somebody_else(world: World) -> None:
    both = Discord(world, named=frozenset({ME, "43"}))
    both.works()
    asked(both)
    assert "Look at A1 first" in said(both.slash("approve", call="A1", user="43"))
    assert world.call().state is CallState.PARKED
    assert "is approved" in said(both.slash("approve", call="A1"))


def test_it_covers_no_card_that_could_not_be_shown(
    discord: Discord, monkeypatch: pytest.MonkeyPatch
) -> None:
    show = discord.world.far.show

    def points(place: str, shown: Shown, *, attempt: Attempt) -> Posted:
        return show(place, shown, attempt=attempt).model_copy(update={"note": "refused"})

    monkeypatch.setattr(discord.world.far, "show", points)
    asked(discord)
    assert "Look at A1 first" in said(discord.slash("approve", call="A1"))
    assert discord.world.call().state is CallState.PARKED


def test_it_covers_no_card_that_is_not_shown_yet(
    discord: Discord, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuses(*_: object, **_more: object) -> Posted:
        raise Denied("direct messages are closed")

    monkeypatch.setattr(discord.world.far, "show", refuses)
    asked(discord)
    assert "Look at A1 first" in said(discord.slash("approve", call="A1"))


def test_a_typed_yes_that_takes_a_second_step_asks_for_its_word(discord: Discord) -> None:
    enters(discord.world, Mode.ALERT)
    asked(discord)
    form = discord.slash("approve", call="A1")
    assert (form.way, label(form)) == (Way.MODAL, f"Type {WORD}")
    assert "not the word" in said(discord.submits(form, text="yes"))
    assert discord.world.call().state is CallState.PARKED
    assert "A1 is approved" in said(discord.submits(form, text=WORD))


def test_a_yes_and_its_word_are_no_options(discord: Discord) -> None:
    asked(discord, RENT, TEA)
    for name, more in (
        ("approve", {"word": "CONFIRM"}),
        ("approve", {"plan": True}),
        ("similar", {"yes": True}),
        ("plan", {"yes": True}),
    ):
        told = said(discord.slash(name, call="A1", **more))
        assert told.endswith(f"/{name} takes no {next(iter(more))}")
    assert discord.world.states("A1", "A2") == [CallState.PARKED, CallState.PARKED]


def test_a_typed_no_says_why_without_a_form(discord: Discord) -> None:
    asked(discord)
    assert "is denied" in said(discord.slash("deny", call="A1", why="not that day"))
    assert discord.world.call().result == "denied: not that day"


def test_a_typed_edit_opens_the_form_and_makes_a_new_card(discord: Discord) -> None:
    asked(discord)
    form = discord.slash("edit", call="A1")
    assert held(form)["title"] == "Pay the rent"
    assert held(form)["start"] == "2026-11-30 10:00"
    assert "A1 is replaced by A2" in said(discord.submits(form, title="Pay the rent twice"))
    assert discord.world.call("A2").asked["title"] == "Pay the rent twice"
    assert "A1 was edited; nothing was done. A2" in said(discord.slash("edit", call="A1"))


def test_the_scope_of_a_grant_is_shown_with_the_button_that_gives_it(discord: Discord) -> None:
    asked(discord)
    scope = discord.slash("similar", call="A1")
    assert "create_event" in said(scope)
    assert "covers calls like it" in said(discord.follows(scope, "Approve such calls"))
    assert "G1" in said(discord.slash("grants"))


def test_a_plan_is_shown_with_the_button_that_approves_all_of_it(discord: Discord) -> None:
    asked(discord, RENT, TEA)
    shown = discord.slash("plan", call="A2")
    assert "Pay the rent" in said(shown)
    assert "Tea" in said(shown)
    assert list(buttons(shown)) == ["Approve all 2"]
    discord.presses(Verb.DENY, discord.world.call("A1").id)
    assert "None of the plan" in said(discord.follows(shown, "Approve all 2"))
    assert discord.world.call("A2").state is CallState.PARKED


def test_a_plan_of_one_call_is_shown_with_its_button_too(discord: Discord) -> None:
    asked(discord)
    shown = discord.slash("plan", call="A1")
    assert "Pay the rent" in said(shown)
    assert list(buttons(shown)) == ["Approve all 1"]
    discord.follows(shown, "Approve all 1")
    assert discord.world.call().state is CallState.DONE
    assert discord.world.calendar.writes == 1


def test_a_typed_no_to_all_covers_what_the_button_does(discord: Discord) -> None:
    world = discord.world
    mail = world.forwards(b"From: Eve <eve@example.org>\r\nSubject: Hi\r\n\r\nx\r\n").id
    asked(discord, Want(tool="read_email", args={"id": mail}))
    long = "Tax for the flat in the old town by the river, second floor"
    asked(discord, booking("Rent"), booking(long, 12))
    first, second = world.waiting()
    told = said(discord.slash("deny", all=True, call=second.handle, why="not this month"))
    assert f"{first.handle}, {second.handle} are denied; nothing was done." in told
    assert "Reason: “not this month”." in told
    assert "changed since" not in told
    assert world.states(first.handle, second.handle) == [CallState.DENIED] * 2
    told = said(discord.slash("deny", all=True, call=second.handle))
    assert told == f"Nothing waits together with {second.handle}."


def test_a_typed_no_to_all_needs_no_look_and_leaves_other_plans(discord: Discord) -> None:
    world = discord.world
    drafts = [
        draft_for(want, cause=world.cause, tainted=False) for want in (booking("A"), booking("B"))
    ]
    ask_all(drafts, channel="terminal", place=OWNER, cause=world.cause, ctx=world.ctx)
    world.settle()
    asked(discord, booking("C"), booking("D"))
    told = said(discord.slash("deny", all=True, call="A1"))
    assert "A1, A2 are denied" in told
    assert "Create “A”" in told, "it was not shown here"
    assert world.states("A1", "A2") == [CallState.DENIED] * 2
    assert world.states("A3", "A4") == [CallState.PARKED] * 2


def test_a_step_that_is_denied_with_a_reason_says_so(discord: Discord) -> None:
    asked(discord, booking("Rent"), booking("Tax", 12))
    told = said(discord.slash("deny", call="A2", why="not at 12, ask for 13"))
    assert "A2 is denied; nothing was done. Reason: “not at 12, ask for 13”." in told


def test_one_is_reminded_by_a_command(discord: Discord) -> None:
    asked(discord)
    asks = discord.slash("snooze", call="A1")
    assert said(asks) == "When shall I remind you of A1?"
    assert list(buttons(asks)) == ["in an hour", "this evening", "tomorrow 9:00"]
    assert "I will remind you of A1 at" in said(discord.follows(asks, "this evening"))
    assert remind(discord) == MONDAY.replace(hour=17)
    told = said(discord.slash("snooze", call="A1", when="tomorrow 9:00"))
    assert "at Tue 24 Nov 2026, 09:00" in told
    assert remind(discord) == MONDAY + timedelta(days=1)


def remind(discord: Discord) -> datetime | None:
    with discord.world.store.read(discord.world.cause) as tx:
        return tx.approval(discord.world.call().id).remind


def test_undo_alone_offers_what_can_be_undone_with_its_title_and_time(discord: Discord) -> None:
    assert said(discord.slash("undo")) == "There is nothing to undo."
    asked(discord, Want(tool="write_file", args={"path": "private:/a.txt", "content": "x"}))
    offered = discord.slash("undo")
    assert said(offered) == "What shall I undo?"
    [label] = buttons(offered)
    assert label.startswith("A1: ")
    assert "a.txt" in label
    [(shown, value)] = discord.types("undo", "call").choices
    assert (shown, value) == (f"{label}, 09:00", "A1")
    discord.follows(offered, label)
    discord.world.settle()
    assert discord.world.call("A2").undoes == discord.world.call().id


def test_what_expired_is_asked_for_again_by_a_command(discord: Discord) -> None:
    asked(discord)
    discord.world.clock.passes(hours=73)
    discord.world.settle()
    discord.world.clock.passes(days=-3, hours=-1)
    assert [value for _, value in discord.types("again", "call").choices] == ["A1"]
    assert "a new card comes" in said(discord.slash("again", call="A1"))
    assert discord.world.call("A2").supersedes == discord.world.call("A1").id


def test_details_are_told_by_a_command(discord: Discord) -> None:
    asked(discord)
    told = said(discord.slash("details", call="A1"))
    assert "A1: waiting" in told
    assert discord.world.call().trace in told


def test_several_calls_are_undone_by_one_command(discord: Discord) -> None:
    asked(discord, RENT, TEA)
    for handle in ("A1", "A2"):
        discord.slash("approve", call=handle)
    told = said(discord.slash("undo", call="A1 A2"))
    assert told.splitlines() == [
        "Delete the event “Pay the rent” that it created: A3",
        "Delete the event “Tea” that it created: A4",
    ]
    discord.world.settle()
    assert discord.world.states("A1", "A2") == [CallState.UNDONE] * 2


def test_what_is_undone_in_a_thread_asks_in_the_direct_messages(discord: Discord) -> None:
    asked(discord)
    discord.slash("approve", call="A1")
    discord.world.model.will(Turn(text="Hello, all."))
    discord.says("say hello", mentioned=True)
    [place] = {one for one in discord.world.far.places.values() if one.startswith("thread:9/")}
    enters(discord.world, Mode.RECOVERY)
    discord.slash("undo", thread=place.rpartition("/")[2], call="A1")
    card = f"owner:card-{discord.world.call('A2').id}"
    assert discord.world.far.places[card] == f"dm:{ME}"


def test_free_time_that_is_asked_for_in_a_thread_is_looked_up_elsewhere(
    discord: Discord,
) -> None:
    discord.world.model.will(Turn(text="Hello, all."))
    discord.says("say hello", mentioned=True)
    [place] = {one for one in discord.world.far.places.values() if one.startswith("thread:9/")}
    with ThreadPoolExecutor(1) as pool:
        asks = pool.submit(discord.slash, "free", thread=place.rpartition("/")[2], when="tomorrow")
        while not wait({asks}, timeout=0.01).done:
            discord.world.settle()
    assert "nothing is on Tue 24 Nov 2026" in said(asks.result())
    with discord.world.store.read(discord.world.cause) as tx:
        conversation = tx.conversation(discord.world.call("A1").conversation)
    assert (conversation.channel, conversation.place) == ("discord", f"dm:{ME}")
    assert [one.text for one in discord.shown(place)] == ["Hello, all."]


def test_a_mail_is_forgotten_by_a_command_after_a_second_step(discord: Discord) -> None:
    discord.world.forwards(b"From: Ann <ann@example.org>\r\nSubject: Lunch\r\n\r\nhello\r\n")
    [mail] = discord.world.mails()
    assert "/forget takes no yes" in said(discord.slash("forget", mail=mail.id, yes=True))
    sure = discord.slash("forget", mail=mail.id)
    assert "Nobody can bring them back" in said(sure)
    assert discord.world.mails() != []
    assert "It is forgotten" in said(discord.follows(sure, "Forget it for good"))
    assert discord.world.mails() == []


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("explain", "There is no command /explain; did you mean /plan?"),
        ("show", "There is no command /show; did you mean /mode show?"),
        ("more", "There is no command /more; did you mean /mode?"),
        ("call", "There is no command /call."),
        ("policy history", "There is no command /policy history."),
    ],
)
def test_nothing_else_is_a_command(discord: Discord, name: str, told: str) -> None:
    asked(discord)
    assert told in said(discord.slash(name, call="A1"))
