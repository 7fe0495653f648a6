"""People on Discord: what they write, press, type and fill in, carried out by the real flows."""

from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import AbstractContextManager
from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from assistant.domain.approvals.approval import Verb
from assistant.domain.calls.states import CallState
from assistant.domain.conversation.conversation import Quoted, Turn, Want
from assistant.domain.conversation.deliveries import (
    Action,
    Attempt,
    Delivery,
    Posted,
    Shown,
    ShownKind,
    Tone,
)
from assistant.domain.errors import Denied, Unreachable
from assistant.domain.governance.modes import Mode
from assistant.domain.jobs.job import Cause
from assistant.domain.messages import Queue
from assistant.domain.policy.always_ask import BULK
from assistant.domain.policy.decide import WORD
from assistant.domain.store import Tx
from assistant.flows.approvals.buttons import buttons as mint_buttons
from assistant.flows.conversation.people import make_code
from tests.discord_world import MALLORY, ME, Broken, Discord, buttons, held, said
from tests.flows.test_plans import deletions
from tests.operations import enters
from tests.world import OWNER, World
from workers.discord.interaction import MARK, Kind, Reply, Way
from workers.discord.place import person
from workers.discord.refusals import refusals
from workers.discord.said import Said

TIMES = {"start": "2026-11-30T10:00:00+01:00", "end": "2026-11-30T10:30:00+01:00"}
RENT = Want(tool="create_event", args={"title": "Pay the rent", **TIMES})
TEA = Want(tool="create_event", args={"title": "Tea", **TIMES})


@pytest.fixture
def discord(world: World) -> Discord:
    made = Discord(world)
    made.works()
    return made


LATER = ["in an hour", "this evening", "tomorrow 9:00"]


def asked(discord: Discord, *wants: Want, then: str = "So be it.") -> None:
    discord.world.model.will(Turn(wants=wants or (RENT,)), Turn(text=then))
    discord.says("do it")


def card(discord: Discord, handle: str = "A1") -> Shown:
    return discord.world.far.shown[f"owner:card-{discord.world.call(handle).id}"]


def test_a_message_is_heard_and_answered_where_it_was_written(discord: Discord) -> None:
    discord.world.model.will(Turn(text="Hello"))
    heard = discord.says("hi")
    assert heard.conversation
    assert heard.reply == ""
    assert [one.text for one in discord.shown()] == ["Hello"]


def test_who_says_nothing_is_told_what_can_be_said(discord: Discord) -> None:
    heard = discord.says("", mentioned=True)
    assert (heard.conversation, heard.refused) == ("", False)
    assert heard.reply == "I did not hear this: nothing was said. /help tells what I understand."
    assert "the limit is 8000" in discord.says("x" * 8_001).reply


def test_the_same_message_twice_is_heard_once(discord: Discord) -> None:
    discord.world.model.will(Turn(text="Hello"))
    once = Said(id="1", user=ME, channel="7", private=True, text="hi")
    assert discord.desk.hear(once).conversation
    assert discord.desk.hear(once).conversation == ""
    discord.world.settle()
    assert [one.text for one in discord.shown()] == ["Hello"]


def test_the_press_of_a_button_runs_what_its_card_shows(discord: Discord) -> None:
    asked(discord)
    call = discord.world.call()
    assert "is approved" in said(discord.presses(Verb.APPROVE, call.id))
    assert discord.world.call().state is CallState.DONE
    assert discord.world.calendar.writes == 1


def test_a_worker_is_woken_while_a_yes_is_written_and_for_nothing_else(discord: Discord) -> None:
    asked(discord)
    discord.world.settle()
    call = discord.world.call()
    token = discord.world.far.tokens[Verb.APPROVE, call.id]
    bells = discord.world.queue.bells
    for _ in range(2):
        discord.press_quietly(token, discord.desk)
    told = [bell.kind for bell in bells if bell.job == f"run:{call.id}"]
    assert told == ["expected", "run"]
    discord.world.settle()
    assert discord.world.calendar.writes == 1


def test_the_card_of_a_call_that_runs_at_once_is_edited_once(discord: Discord) -> None:
    asked(discord)
    before = discord.world.far.changes
    discord.world.model.will(Turn(text="It is in."))
    discord.presses(Verb.APPROVE, discord.world.call().id)
    receipt, words_of_the_model = 1, 1
    assert discord.world.far.changes == before + receipt + words_of_the_model
    assert card(discord).title == "Created “Pay the rent”"


def test_the_card_of_a_call_that_nobody_runs_yet_says_that_it_is_approved(discord: Discord) -> None:
    asked(discord)
    discord.world.settle()
    world = discord.world
    token = world.far.tokens[Verb.APPROVE, world.call().id]
    discord.press_quietly(token, discord.desk)
    world.queue.bells.clear()
    world.clock.passes(seconds=1)
    for bell in world.store.due():
        if bell.kind == "deliver":
            world.bus.answer(bell.job)
    assert card(discord).title == "Approved: create “Pay the rent”"
    assert card(discord).small == "A1 · you, 09:00 · runs now or when its turn comes"
    assert card(discord).actions == ()
    assert world.call().state is CallState.CLEARED
    world.clock.passes(seconds=100)
    world.settle()
    assert card(discord).title == "Created “Pay the rent”"


def test_the_card_becomes_the_receipt(discord: Discord) -> None:
    asked(discord)
    discord.presses(Verb.APPROVE, discord.world.call().id)
    receipt = card(discord)
    assert [one for one in discord.shown() if one.kind is ShownKind.CARD] == []
    assert receipt.title == "Created “Pay the rent”"
    assert receipt.small == "A1 · you, 09:00"
    assert receipt.tone is Tone.DONE
    told = discord.world.told("A1")
    assert told["Approved"].startswith("by you (discord:42), Mon 23 Nov 2026")
    assert told["Trace"].endswith("(assistant audit show A1)")
    assert [action.verb for action in receipt.actions] == [Verb.UNDO, Verb.MORE]
    assert told["Trace"] in said(discord.presses(Verb.MORE, discord.world.call().id))
    discord.presses(Verb.UNDO, discord.world.call().id)
    discord.world.settle()
    assert card(discord).title == "Undone: created “Pay the rent”"
    assert card(discord).small == "A1 · you, 09:00 · undone by A2"
    assert [action.verb for action in card(discord).actions] == [Verb.MORE]


def test_a_second_press_is_told_how_it_stands(discord: Discord) -> None:
    asked(discord)
    token = discord.world.far.tokens[Verb.APPROVE, discord.world.call().id]
    discord.presses_token(token)
    assert "was answered already: it is done" in said(discord.presses_token(token))
    assert discord.world.calendar.writes == 1


def test_a_no_is_one_press(discord: Discord) -> None:
    asked(discord)
    assert "is denied" in said(discord.presses(Verb.DENY, discord.world.call().id))
    assert discord.world.call().result == "denied: the owner said no"
    assert discord.world.calendar.writes == 0


def test_a_form_that_an_earlier_version_opened_for_a_no_still_counts(discord: Discord) -> None:
    asked(discord)
    token = discord.world.far.tokens[Verb.DENY, discord.world.call().id]
    sent = discord._acts(
        Kind.MODAL, user=ME, custom_id=f"{MARK}{token}", fields={"text": "not that day"}
    )
    assert "is denied" in said(sent)
    assert discord.world.call().result == "denied: not that day"


def test_a_no_may_carry_a_reason(discord: Discord) -> None:
    asked(discord)
    more = discord.presses(Verb.MORE, discord.world.call().id)
    form = discord.follows(more, "Deny and say why")
    assert discord.world.call().state is CallState.PARKED
    discord.world.model.will(Turn(text="I see."))
    assert "is denied" in said(discord.submits(form, text="not that day"))
    assert discord.world.call().result == "denied: not that day"
    assert discord.world.calendar.writes == 0


def test_an_edit_shows_what_is_asked_for_and_asks_about_the_new(discord: Discord) -> None:
    asked(discord)
    form = discord.presses(Verb.EDIT, discord.world.call().id)
    assert held(form)["title"] == "Pay the rent"
    reply = discord.submits(form, title="Pay the rent twice")
    assert "A2" in said(reply)
    assert discord.world.states("A1", "A2") == [CallState.SUPERSEDED, CallState.PARKED]
    assert discord.world.call("A2").asked["title"] == "Pay the rent twice"
    discord.presses(Verb.APPROVE, discord.world.call("A2").id)
    assert discord.world.call("A2").state is CallState.DONE
    assert discord.world.calendar.writes == 1


def test_a_form_has_times_on_the_owners_clocks_and_takes_such(discord: Discord) -> None:
    times = {"start": "2026-11-30T09:00:00Z", "end": "2026-11-30T09:30:00Z"}
    asked(discord, Want(tool="create_event", args={"title": "Pay the rent", **times}))
    form = discord.presses(Verb.EDIT, discord.world.call().id)
    assert held(form)["start"] == "2026-11-30 10:00"
    assert "You changed nothing" in said(discord.submits(form))
    assert "A2" in said(discord.submits(form, start="2026-11-30 10:15"))
    args = discord.world.call("A2").asked
    assert (args["start"], args["end"]) == ("2026-11-30T10:15:00+01:00", times["end"])
    assert card(discord, "A2").rows[0].text == "Mon 30 Nov, 10:15–10:30"


def test_a_time_that_comes_twice_is_told_on_the_form_and_the_call_waits_on(
    discord: Discord,
) -> None:
    asked(discord)
    form = discord.presses(Verb.EDIT, discord.world.call().id)
    told = said(discord.submits(form, start="2027-10-31 02:30"))
    assert "2027-10-31T02:30:00+02:00 for the first, 2027-10-31T02:30:00+01:00" in told
    assert discord.world.call().state is CallState.PARKED


def test_an_edit_that_does_not_fit_says_so_and_the_call_waits_on(discord: Discord) -> None:
    asked(discord)
    form = discord.presses(Verb.EDIT, discord.world.call().id)
    assert "start" in said(discord.submits(form, start="whenever"))
    assert discord.world.call().state is CallState.PARKED


def test_details_tell_all_that_a_yes_covers(discord: Discord) -> None:
    asked(discord)
    told = said(discord.presses(Verb.DETAILS, discord.world.call().id))
    for value in ("Pay the rent", "2026-11-30T10:00", discord.world.call().trace):
        assert value in told


def test_calls_like_it_are_approved_by_the_scope_that_was_shown(discord: Discord) -> None:
    asked(discord)
    more = discord.presses(Verb.MORE, discord.world.call().id)
    assert "Approve such calls" in buttons(more)
    scope = 'Create an event without asking where title is "Pay the rent", end and start'
    assert f"Approving calls like it would mean: {scope}" in said(more)
    assert "covers calls like it" in said(discord.follows(more, "Approve such calls"))
    assert "G1" in said(discord.slash("grants"))
    assert "revoked" in said(discord.slash("revoke", grant="G1"))
    assert "Nothing is granted" in said(discord.slash("grants"))


def transactions(discord: Discord, monkeypatch: pytest.MonkeyPatch) -> list[Cause]:
    """What each transaction that writes from now on is begun for."""
    begun: list[Cause] = []
    begin = discord.world.store.begin

    def counted(cause: Cause) -> AbstractContextManager[Tx]:
        begun.append(cause)
        return begin(cause)

    monkeypatch.setattr(discord.world.store, "begin", counted)
    return begun


def test_the_rarer_answers_are_made_in_one_transaction(
    discord: Discord, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked(discord, RENT, TEA)
    looked = discord.looks_at(discord.world.call("A1").id)
    begun = transactions(discord, monkeypatch)
    more = discord.presses_token(looked[Verb.MORE])
    assert list(buttons(more)) == [
        "Details",
        "Approve such calls",
        "Approve all 2",
        "Deny and say why",
        "Why?",
        *LATER,
    ]
    assert len(begun) == 2, "one drafts the grant, one makes the buttons"


def test_a_plan_is_approved_as_a_whole(discord: Discord) -> None:
    asked(discord, RENT, TEA)
    more = discord.presses(Verb.MORE, discord.world.call("A1").id)
    assert "Tea" in said(more)
    discord.follows(more, "Approve all 2")
    assert discord.world.states("A1", "A2") == [CallState.DONE, CallState.DONE]


def test_a_plan_that_takes_a_second_step_asks_for_its_word(discord: Discord) -> None:
    enters(discord.world, Mode.ALERT)
    asked(discord, RENT, TEA)
    more = discord.presses(Verb.MORE, discord.world.call("A1").id)
    form = discord.follows(more, "Approve all 2")
    assert discord.world.states("A1", "A2") == [CallState.PARKED, CallState.PARKED]
    assert "None of the plan" in said(discord.submits(form, text="yes"))
    discord.submits(form, text=WORD)
    assert discord.world.states("A1", "A2") == [CallState.DONE, CallState.DONE]


def test_a_plan_that_destroys_many_things_asks_for_a_word(discord: Discord) -> None:
    asked(discord, *deletions(discord.world, BULK + 1))
    more = discord.presses(Verb.MORE, discord.world.call("A1").id)
    assert f"type {WORD} with your yes" in said(more)
    form = discord.follows(more, f"Approve all {BULK + 1}")
    assert form.way is Way.MODAL
    assert "None of the plan" in said(discord.submits(form, text="all of them"))
    assert len(discord.world.waiting()) == BULK + 1
    discord.submits(form, text=WORD)
    assert discord.world.waiting() == []
    assert discord.world.calendar.writes == BULK + 1


def test_a_plan_that_changed_since_it_was_shown_is_not_approved(discord: Discord) -> None:
    asked(discord, RENT, TEA)
    more = discord.presses(Verb.MORE, discord.world.call("A1").id)
    discord.submits(discord.presses(Verb.EDIT, discord.world.call("A2").id), title="Coffee")
    assert "None of the plan" in said(discord.follows(more, "Approve all 2"))
    assert discord.world.calendar.writes == 0


def test_one_is_reminded_again_when_one_wants_to_be(discord: Discord) -> None:
    asked(discord)
    more = discord.presses(Verb.MORE, discord.world.call().id)
    assert "remind you of A1 at" in said(discord.follows(more, "in an hour"))
    discord.world.clock.passes(hours=2)
    discord.world.settle()
    assert any("still waits" in one.text for one in discord.shown())


def test_the_form_of_an_edit_has_no_id_that_nobody_can_read(discord: Discord) -> None:
    asked(discord)
    discord.presses(Verb.APPROVE, discord.world.call("A1").id)
    uid = discord.world.call("A1").facts.args["uid"]
    later = {"start": "2026-11-30T12:00:00+01:00"}
    asked(discord, Want(tool="update_event", args={"event": uid, **later}))
    form = discord.presses(Verb.EDIT, discord.world.call("A2").id)
    assert "event" not in held(form)
    assert uid not in str(form.modal)
    assert held(form)["start"] == "2026-11-30 12:00"
    discord.submits(form, start="2026-11-30 13:00")
    again = discord.world.call("A3")
    assert (again.state, again.asked["event"]) == (CallState.PARKED, uid)
    assert again.asked["start"] == "2026-11-30T13:00:00+01:00"


def test_a_reason_is_given_for_every_layer(discord: Discord) -> None:
    asked(discord)
    more = discord.presses(Verb.MORE, discord.world.call().id)
    told = said(discord.follows(more, "Why?"))
    assert "It asks because it changes your calendar. (base)" in told
    assert "Asked for by the assistant" in told
    assert "no policy of yours, in mode normal" in said(discord.slash("why", call="A1"))


def test_of_an_undo_an_old_cards_edit_says_that_it_can_only_be_answered(discord: Discord) -> None:
    asked(discord)
    discord.presses(Verb.APPROVE, discord.world.call().id)
    enters(discord.world, Mode.RECOVERY)
    discord.presses(Verb.UNDO, discord.world.call().id)
    call = discord.world.call("A2")
    edit = Action(verb=Verb.EDIT, label="Edit", subject=call.id)
    cause, ctx = discord.world.cause, discord.world.ctx
    shown = card(discord, "A2").digest
    [old] = mint_buttons([edit], by=person(ME), card=shown, cause=cause, ctx=ctx)
    only = "A2 undoes A1: it can only be approved or denied."
    assert said(discord.presses_token(old)) == only
    assert discord.world.call("A2").state is CallState.PARKED
    discord.presses(Verb.DENY, call.id)
    assert "answered already" in said(discord.presses_token(old))


def test_what_was_done_can_be_undone_by_its_receipt_once(discord: Discord) -> None:
    asked(discord)
    discord.presses(Verb.APPROVE, discord.world.call().id)
    undo = discord.world.far.tokens[Verb.UNDO, discord.world.call().id]
    discord.presses_token(undo)
    discord.world.settle()
    assert discord.world.call("A1").state is CallState.UNDONE
    assert "nothing to undo" in said(discord.presses_token(undo))
    assert discord.world.calendar.writes == 2


def test_what_expired_can_be_asked_for_again(discord: Discord) -> None:
    asked(discord)
    discord.world.clock.passes(hours=73)
    discord.world.settle()
    assert discord.world.call().state is CallState.EXPIRED
    discord.world.clock.passes(days=-3, hours=-1)
    discord.presses(Verb.ASK_AGAIN, discord.world.call().id)
    assert discord.world.call("A2").supersedes == discord.world.call("A1").id


# Who is listened to


def test_a_stranger_is_refused_once_and_it_is_noted(discord: Discord) -> None:
    first, second = (discord.says("hi", user=MALLORY) for _ in range(2))
    assert (first.refused, first.conversation) == (True, "")
    assert "do not know you" in first.reply
    assert (second.refused, second.reply) == (False, "")
    with discord.world.store.read(discord.world.cause) as tx:
        assert [entry.subject for entry in tx.audit(kind="person.refused")] == ["discord:666"]
    assert discord.world.model.views == []


@pytest.mark.parametrize("command", ["ask", "pending", "mode", "status", "stop", "lockdown"])
def test_a_stranger_commands_nothing(discord: Discord, command: str) -> None:
    reply = discord.slash(command, user=MALLORY, words="hi", name="lockdown")
    assert "do not know you" in said(reply)
    with discord.world.store.read(discord.world.cause) as tx:
        assert tx.mode().mode is Mode.NORMAL


def test_a_stranger_s_press_does_nothing_and_puts_the_house_on_its_guard(discord: Discord) -> None:
    asked(discord)
    reply = discord.presses(Verb.APPROVE, discord.world.call().id, user=MALLORY)
    assert "do not know you" in said(reply)
    assert discord.world.call().state is CallState.PARKED
    with discord.world.store.read(discord.world.cause) as tx:
        assert tx.mode().mode is Mode.ALERT


def test_a_button_pressed_where_it_was_never_shown_is_a_replay(discord: Discord) -> None:
    asked(discord)
    call = discord.world.call()
    reply = discord.presses(Verb.APPROVE, call.id, message="7/elsewhere")
    assert "never shown" in said(reply)
    assert discord.world.call().state is CallState.PARKED
    with discord.world.store.read(discord.world.cause) as tx:
        assert tx.mode().mode is Mode.ALERT
        assert [entry.reason for entry in tx.audit(kind="button.refused")] == ["replayed"]


def test_a_made_up_button_does_nothing(discord: Discord) -> None:
    asked(discord)
    assert "do not know this button" in said(discord.presses_token("x" * 43))
    assert discord.world.call().state is CallState.PARKED


def test_another_s_answer_cannot_be_pressed(world: World) -> None:
    discord = Discord(world, named=frozenset({ME, "43"}))
    asked(discord)
    more = discord.presses(Verb.MORE, world.call().id)
    assert "shown to somebody else" in said(discord.follows(more, "Why?", user="43"))


def test_nobody_is_listened_to_until_a_code_is_given_back(world: World) -> None:
    discord = Discord(world, named=frozenset())
    assert discord.says("hi", user=ME).refused
    code = make_code(cause=world.cause, ctx=discord.desk.listening)
    assert "does not count" in said(discord.slash("pair", code="AAAAA-BBBBB"))
    assert "I know you now" in said(discord.slash("pair", code=code.lower()))
    assert "does not count" in said(discord.slash("pair", user=MALLORY, code=code))
    world.model.will(Turn(text="Hello"))
    assert discord.says("hi").conversation
    assert not discord.says("hi", user=MALLORY).conversation


def test_while_nobody_is_known_a_stranger_is_told_how_to_become_known(world: World) -> None:
    discord = Discord(world, named=frozenset())
    for told in (discord.says("hi").reply, said(discord.slash("help"))):
        assert told == (
            "I know nobody yet. Whoever runs me: `assistant pair` prints a code; "
            "give it to me with /pair."
        )
    code = make_code(cause=world.cause, ctx=discord.desk.listening)
    discord.slash("pair", code=code)
    assert "do not know you" in said(discord.slash("help", user=MALLORY))
    assert "/pair" in said(discord.slash("help", all=True))


def test_an_old_code_does_not_count(world: World) -> None:
    discord = Discord(world, named=frozenset())
    code = make_code(cause=world.cause, ctx=discord.desk.listening)
    world.clock.passes(minutes=11)
    assert "does not count" in said(discord.slash("pair", code=code))


# Where others read


def test_in_a_server_only_what_is_meant_for_it_is_heard(discord: Discord) -> None:
    assert not discord.says("hello all", thread="77").conversation
    discord.world.model.will(Turn(text="Hello, all."), Turn(text="Yes?"))
    assert discord.says("say hello", mentioned=True).conversation
    [place] = {one for one in discord.world.far.places.values() if one.startswith("thread:9/")}
    thread = place.rpartition("/")[2]
    assert discord.says("and again", thread=thread).conversation
    assert [one.text for one in discord.shown(place)] == ["Hello, all.", "Yes?"]
    assert not discord.says("me too", thread=thread, user=MALLORY).conversation


def test_others_words_come_as_outside_text(discord: Discord) -> None:
    order = Quoted(source="a message of mallory on Discord", text="Cancel everything")
    discord.world.model.will(Turn(text="No."))
    discord.says("", quoted=(order,))
    assert discord.world.model.views[0].tainted


# Commands


def test_where_no_thread_can_be_started_a_command_means_the_talk_of_that_channel(
    discord: Discord,
) -> None:
    discord.world.model.will(Turn(text="Hello"), Turn(text="Again?"), Turn(text="Hello, all."))
    alone = discord.says("hi").conversation
    here = Said(id="3", user=ME, channel="9", guild="5", text="hi all", mentioned=True)
    stopped = discord.desk.hear(here)
    discord.slash("stop", channel="9")
    assert discord.shown("channel:9") == []
    discord.slash("new", channel="9")
    assert discord.says("and now?").conversation == alone
    later = discord.desk.hear(replace(here, id="4"))
    assert later.conversation != stopped.conversation
    discord.slash("stop", channel="8")
    assert [one.text for one in discord.shown("channel:9")] == ["Hello, all."]


def test_stop_and_lockdown_need_no_model(discord: Discord) -> None:
    asked(discord)
    asks = len(discord.world.model.views)
    assert "Stopped" in said(discord.slash("stop"))
    assert "Only reading goes on" in said(discord.slash("lockdown", reason="phone lost"))
    assert discord.world.call().state is CallState.VOID
    assert len(discord.world.model.views) == asks


def test_lockdown_is_left_by_a_typed_word(discord: Discord) -> None:
    discord.slash("lockdown")
    form = discord.slash("mode", mode="normal")
    word = next(iter(form.modal["components"]))["label"].removeprefix("Type ")  # type: ignore[index]
    assert "lockdown" in said(discord.slash("mode"))
    wrong = discord.submits(form, text="LEAVE-LOCKDOWN-000000")
    assert wrong.way is Way.SAY
    form = discord.slash("mode", mode="normal")
    word = next(iter(form.modal["components"]))["label"].removeprefix("Type ")  # type: ignore[index]
    discord.submits(form, text=word)
    assert "normal" in said(discord.slash("mode"))


def test_recovery_is_worked_through(discord: Discord) -> None:
    asked(discord, RENT, TEA)
    for handle in ("A1", "A2"):
        discord.presses(Verb.APPROVE, discord.world.call(handle).id)
    assert "enter recovery first: /mode set recovery" in said(discord.slash("review"))
    discord.slash("mode", mode="recovery")
    assert {value for _, value in discord.types("keep", "call").choices} == {"A1", "A2"}
    assert "A1 is kept" in said(discord.slash("keep", call="A1"))
    told = said(discord.slash("review"))
    assert "A2" in told
    assert "A1" not in told
    assert "1 change was not looked at: A2" in said(discord.slash("mode", mode="normal"))


def test_what_waits_is_listed(discord: Discord) -> None:
    assert "Nothing waits" in said(discord.slash("pending"))
    asked(discord, RENT, TEA)
    told = said(discord.slash("pending"))
    assert "A1: Create “Pay the rent”, Mon 30 Nov, 10:00–10:30" in told
    assert "A2: Create “Tea”, Mon 30 Nov" in told


def test_a_card_that_scrolled_away_is_called_up_again(discord: Discord) -> None:
    asked(discord, RENT, TEA)
    listed = discord.slash("pending")
    [first, second] = buttons(listed)
    assert first == "A1: Create “Pay the rent”, Mon 30 Nov, 10:00–10:30"
    assert second.startswith("A2: Create “Tea”, Mon 30 Nov")
    again = discord.follows(listed, second)
    assert "Tea" in said(again)
    more = discord.follows(again, "More")
    assert "is approved" in said(discord.follows(again, "Approve"))
    assert "was answered already" not in said(discord.follows(more, "Details"))
    assert "shown to somebody else" in said(
        replace(discord, named=frozenset({ME, "43"})).follows(listed, first, user="43")
    )


def test_free_time_is_told_without_a_model(discord: Discord) -> None:
    with ThreadPoolExecutor(1) as pool:
        asks = pool.submit(discord.slash, "free", when="tomorrow")
        while not wait({asks}, timeout=0.01).done:  # SQLite's one writer is not taken in turn
            discord.world.settle()
        assert "nothing is on Tue 24 Nov 2026" in said(asks.result())
    assert discord.world.model.views == []
    assert "do not understand" in said(discord.slash("free", when="xyzzy"))


def test_commands_offer_what_there_is(discord: Discord) -> None:
    asked(discord)
    discord.presses(Verb.APPROVE, discord.world.call().id)
    assert [value for _, value in discord.types("undo", "call").choices] == ["A1"]
    assert [value for _, value in discord.types("why", "call", "rent").choices] == ["A1"]
    asked(discord, TEA)
    [(told, handle)] = discord.types("why", "call", "tea").choices
    assert told.startswith("A2: Create “Tea”, ")
    assert (told.endswith("(waiting)"), handle) == (True, "A2")
    assert not discord.types("undo", "call", user=MALLORY).choices
    assert not discord.types("help", "nothing").choices


def test_help_names_every_command(discord: Discord) -> None:
    told = said(discord.slash("help", all=True))
    for name in ("ask", "new", "search", "read", "free", "pending", "grants", "undo", "mode"):
        assert f"/{name}" in told


def test_how_it_stands_is_told(discord: Discord) -> None:
    told = said(discord.slash("status"))
    assert "Mode: normal" in told
    assert "Running: yes" in told


# When things are out of order


def test_a_database_out_of_reach_is_told_and_nothing_is_done(discord: Discord) -> None:
    asked(discord)
    call = discord.world.call()
    broken = Broken(discord.world.store)
    desk = discord.make_desk(store=broken)
    assert "Nothing was done" in said(discord.presses(Verb.APPROVE, call.id, desk=desk))
    once = Said(id="1", user=ME, channel="7", private=True, text="hi")
    assert "not heard this" in desk.hear(once).reply
    broken.down = False
    assert "is approved" in said(discord.presses(Verb.APPROVE, call.id, desk=desk))


def test_it_says_when_nobody_works(world: World) -> None:
    discord = Discord(world)
    assert "No worker has moved" in discord.says("hi", settle=False).reply
    discord.works()
    assert discord.says("hi", settle=False).reply == ""


def late(reply: Reply) -> bool:
    return "No worker has moved lately" in said(reply)


def stands_still(discord: Discord) -> None:
    """Nothing has come out of a queue for long."""
    discord.world.clock.passes(minutes=5)


def test_every_press_that_a_worker_has_to_carry_out_says_so_too(discord: Discord) -> None:
    asked(discord, RENT, TEA)
    first, second = (discord.world.call(handle).id for handle in ("A1", "A2"))
    assert not late(discord.presses(Verb.MORE, first))
    stands_still(discord)
    told = discord.presses(Verb.APPROVE, first)
    assert said(told).startswith("A1 is approved and runs as soon as a worker does.")
    assert late(told)
    assert late(discord.submits(discord.presses(Verb.EDIT, second), title="Coffee"))
    assert late(discord.presses(Verb.DENY, discord.world.call("A3").id))
    assert late(discord.presses(Verb.UNDO, first))
    assert not late(discord.presses(Verb.APPROVE, first))


def test_so_do_a_plan_calls_alike_and_what_is_asked_again(discord: Discord) -> None:
    asked(discord, RENT, TEA)
    plan = discord.presses(Verb.MORE, discord.world.call("A1").id)
    asked(discord, RENT)
    alike = discord.presses(Verb.MORE, discord.world.call("A3").id)
    asked(discord, RENT)
    stands_still(discord)
    told = discord.follows(plan, "Approve all 2")
    assert late(told)
    assert said(told).startswith(
        "A1 is approved and runs as soon as a worker does. A2 is approved and runs after A1."
    )
    told = discord.follows(alike, "Approve such calls")
    assert said(told).startswith(
        "A3 is approved and runs as soon as a worker does. G1 covers calls like it; "
    )
    assert late(told)
    discord.world.clock.passes(hours=73)
    discord.world.settle()
    assert late(discord.presses(Verb.ASK_AGAIN, discord.world.call("A4").id))


def test_what_others_wrote_is_told_as_it_is_while_nobody_works(discord: Discord) -> None:
    asked(discord, Want(tool="create_event", args={"title": "Whoever runs now", **TIMES}))
    call = discord.world.call().id
    discord.presses(Verb.APPROVE, call)
    stands_still(discord)
    told = discord.presses(Verb.UNDO, call)
    assert "“Whoever runs now” that it created" in said(told)
    assert late(told)


def test_so_do_commands(discord: Discord) -> None:
    asked(discord)
    discord.presses(Verb.APPROVE, discord.world.call().id)
    discord.world.model.will(Turn(text="Hello"), Turn(text="Hello"))
    assert said(discord.slash("ask", words="hi")).startswith("I am on it")
    stands_still(discord)
    assert late(discord.slash("ask", words="hi"))
    assert late(discord.slash("undo", call="A1"))
    assert not late(discord.slash("undo", call="A99"))


def test_whether_anybody_works_is_asked_after_the_answer_counts(
    discord: Discord, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked(discord)
    call = discord.world.call().id
    seen: list[CallState] = []

    def canaries() -> dict[Queue, datetime]:
        seen.append(discord.world.call().state)
        raise Unreachable("the database")

    monkeypatch.setattr(discord.world.store, "canaries", canaries)
    assert said(discord.presses(Verb.APPROVE, call)) == "A1 is approved and runs now."
    assert seen == [CallState.CLEARED]


@pytest.mark.parametrize("verb", [Verb.APPROVE, Verb.DENY, Verb.EDIT, "Approve all 2"])
def test_what_follows_an_answer_is_shown_until_it_is_there(discord: Discord, verb: str) -> None:
    asked(discord, RENT, TEA)
    call = discord.world.call()
    discord.world.model.will(Turn(text="Well."), Turn(text="Well."))
    if verb == Verb.EDIT:
        reply = discord.submits(discord.presses(Verb.EDIT, call.id), title="Rent")
    elif verb in {Verb.APPROVE, Verb.DENY}:
        reply = discord.presses(Verb(verb), call.id)
    else:
        reply = discord.follows(discord.presses(Verb.MORE, call.id), verb)
    assert reply.follow == call.conversation


def test_what_was_approved_is_owed_until_it_is_told_however_old_it_is(discord: Discord) -> None:
    asked(discord)
    call = discord.world.call()
    discord.world.clock.passes(hours=2)
    discord.works()
    discord.world.model.will(Turn(text="Hello"), Turn(text="It is done."))
    discord.says("something else")
    assert not discord.desk.busy(call.conversation).owed
    discord.press_quietly(discord.world.far.tokens[Verb.APPROVE, call.id], discord.desk)
    busy = discord.desk.busy(call.conversation)
    assert (busy.owed, busy.line) == (True, "create_event is next")
    discord.world.settle()
    assert not discord.desk.busy(call.conversation).owed
    assert "It is done." in [one.text for one in discord.shown()]


def test_what_the_owner_did_without_the_model_is_not_followed(discord: Discord) -> None:
    asked(discord)
    discord.presses(Verb.APPROVE, discord.world.call().id)
    enters(discord.world, Mode.RECOVERY)
    discord.presses(Verb.UNDO, discord.world.call().id)
    assert discord.presses(Verb.APPROVE, discord.world.call("A2").id).follow == ""


def test_a_progress_line_waits_for_its_time_in_its_row(discord: Discord) -> None:
    heard = discord.says("do it", settle=False)
    discord.desk.progress(heard.conversation, "Thinking…", after=1.5)
    [line] = [one for one in discord.world.store.jobs() if one.id.startswith("deliver:progress")]
    assert line.due == discord.world.clock.now() + timedelta(seconds=1.5)
    discord.works()
    assert _progress_lines(discord) == [], "it is not two seconds old"
    discord.world.clock.passes(seconds=2)
    discord.world.settle()
    assert _progress_lines(discord) == ["Thinking…"]
    discord.desk.progress(heard.conversation, "Reading…", after=0.0)
    discord.world.settle()
    assert _progress_lines(discord) == ["Reading…"]
    discord.desk.progress(heard.conversation, "")
    discord.world.settle()
    assert _progress_lines(discord) == [""]


def test_a_progress_line_that_is_over_before_its_time_was_never_there(discord: Discord) -> None:
    heard = discord.says("do it", settle=False)
    discord.desk.progress(heard.conversation, "Thinking…", after=1.5)
    discord.desk.progress(heard.conversation, "")
    discord.world.settle()
    discord.world.clock.passes(seconds=2)
    discord.world.settle()
    assert _progress_lines(discord) in ([], [""])
    assert [job for job in discord.world.store.jobs() if "progress" in job.id] == []


def _progress_lines(discord: Discord) -> list[str]:
    return [one.text for one in discord.shown() if one.kind is ShownKind.PROGRESS]


def test_the_progress_line_tells_what_goes_on_and_is_taken_away(discord: Discord) -> None:
    heard = discord.says("do it", settle=False)
    assert discord.desk.busy(heard.conversation).line == "Thinking…"
    discord.desk.progress(heard.conversation, "Thinking…")
    assert discord.desk.following() == [heard.conversation]
    discord.world.model.will(Turn(wants=(RENT,)), Turn(text="It waits."))
    discord.world.settle()
    assert not discord.desk.busy(heard.conversation).owed
    discord.desk.progress(heard.conversation, "")
    discord.world.settle()
    assert discord.desk.following() == []
    lines = [one.text for one in discord.shown() if one.kind is ShownKind.PROGRESS]
    assert lines == [""]


def test_where_no_line_stands_nothing_is_written_to_take_it_away(
    discord: Discord, monkeypatch: pytest.MonkeyPatch
) -> None:
    discord.world.model.will(Turn(text="Hello"))
    heard = discord.says("hi")
    begun = transactions(discord, monkeypatch)
    discord.desk.progress(heard.conversation, "")
    assert begun == []
    discord.desk.progress(heard.conversation, "Thinking…")
    discord.desk.progress(heard.conversation, "")
    discord.desk.progress(heard.conversation, "")
    assert len(begun) == 2


def test_what_is_not_shown_is_tried_anew_in_bounded_portions(discord: Discord) -> None:
    world = discord.world
    discord.desk.show_what_is_due()
    assert not world.queue.bells
    words = Shown(kind=ShownKind.WORDS, text="It waits.")
    with world.store.begin(world.cause) as tx:
        for number in range(60):
            id = f"words-{number}"
            tx.want(Delivery(id=id, owner=OWNER, channel="discord", place="home", wanted=words))
    world.queue.bells.clear()
    discord.desk.show_what_is_due()
    assert not world.queue.bells  # they are simply being shown
    world.clock.passes(minutes=1)
    discord.desk.show_what_is_due()
    assert len(world.queue.bells) == 50


def test_status_says_what_could_not_be_shown_where_it_belongs(
    discord: Discord, monkeypatch: pytest.MonkeyPatch
) -> None:
    show = discord.world.far.show

    def refuses(place: str, shown: Shown, *, attempt: Attempt) -> Posted:
        if place.startswith("dm:"):
            raise Denied("direct messages are closed")
        return show(place, shown, attempt=attempt).model_copy(update={"note": "it is gone"})

    monkeypatch.setattr(discord.world.far, "show", refuses)
    discord.world.model.will(Turn(text="Hello"), Turn(text="Hello, all."), Turn(text="Hello"))
    discord.says("hi")
    with discord.world.store.read(discord.world.cause) as tx:
        [refused] = tx.deliveries(channel="discord")
        assert refusals(tx) == [refused.note]
    assert "direct messages are closed" in refused.note
    assert refused.note in said(discord.slash("status"))
    discord.world.clock.passes(minutes=1)
    discord.says("hi all", mentioned=True)
    assert "it is gone" in said(discord.slash("status"))
    monkeypatch.undo()
    discord.world.clock.passes(minutes=1)
    discord.says("hi")
    assert "it is gone" not in said(discord.slash("status"))


# Many at once


def test_a_hundred_presses_on_one_card_run_it_once(discord: Discord) -> None:
    asked(discord)
    token = discord.world.far.tokens[Verb.APPROVE, discord.world.call().id]
    desks = [discord.desk, discord.make_desk()]
    with ThreadPoolExecutor(10) as pool:
        press = discord.press_quietly
        replies = list(pool.map(lambda n: press(token, desks[n % 2]), range(100)))
    discord.world.settle()
    accepted = [one for one in replies if "is approved" in said(one)]
    assert len(accepted) == 1
    others = [said(one) for one in replies if one not in accepted]
    assert all("A1 was answered" in one for one in others), set(others)
    assert discord.world.calendar.writes == 1
