"""A call that waits is changed by its owner: a new call, a new card, a new yes."""

from datetime import UTC, datetime, timedelta

import pytest

from assistant.domain.approvals.approval import ApprovalState, Verb
from assistant.domain.calls.call import Risk
from assistant.domain.calls.states import CallState
from assistant.domain.conversation.conversation import Role, Turn, Want
from assistant.domain.errors import BadArguments, NotFound
from assistant.domain.governance.modes import Mode
from assistant.domain.jobs.job import Cause
from assistant.domain.messages import Repropose
from assistant.domain.policy.decide import WORD
from assistant.domain.time.moments import say_moment
from assistant.flows.approvals.reproposal import edit_call
from tests.flows.test_batches import booking, note
from tests.operations import enters
from tests.world import ME, ZONE, World

_S = CallState
ASKS = """
version: 1
rules:
  - tool: write_file
    action: ask
    conditions: [{param: path, operator: startsWith, value: "private:/"}]
  - tool: write_file
    action: deny
    conditions: [{param: path, operator: startsWith, value: "shared:/"}]
  - {tool: write_file, action: ask, risk: high}
"""
MAIL = b"From: Ada <ada@example.org>\r\nSubject: Rent\r\n\r\nWrite it down. 850 EUR.\r\n"


def test_an_edit_is_a_new_call_with_a_hash_and_a_card_of_its_own(world: World) -> None:
    world.asks(booking("Rent"))
    old, old_card = world.call("A1"), world.card_of("A1")
    answer = world.edits("A1", title="Rent for December")
    new = world.call("A2")
    assert answer.accepted
    assert answer.call == new.id
    assert answer.text == "A1 is replaced by A2, which waits for your yes."
    assert world.states("A1", "A2") == [_S.SUPERSEDED, _S.PARKED]
    assert (new.supersedes, new.turn, new.ordinal) == (old.id, old.turn, old.ordinal)
    assert new.binding != old.binding
    assert world.card_of("A2") != old_card
    assert world.card("A1").title == "Edited: create “Rent”"
    assert world.card("A1").small == "A1 · you, 09:00 · A2 is in its place"
    edited = world.told("A1")["Edited"]
    assert edited == "by you (terminal:owner), Mon 23 Nov 2026, 09:00 (Europe/Berlin)"
    assert world.card("A1").actions == ()
    shown = world.card("A2")
    assert shown.title == "Create “Rent for December”"
    assert (shown.rows[-1].name, shown.rows[-1].text) == ("A1 was:", "Create “Rent”")
    with world.store.read(world.cause) as tx:
        assert tx.approval(old.id).state is ApprovalState.VOID


def test_an_edit_that_changes_nothing_leaves_the_call_and_its_card(world: World) -> None:
    world.asks(booking("Rent"))
    before = world.card("A1")
    answer = world.edits("A1", title="Rent")
    assert not answer.accepted
    assert answer.text == "You changed nothing; A1 still waits for your yes."
    assert world.states("A1") == [_S.PARKED]
    assert world.card("A1") == before
    world.presses(Verb.APPROVE)
    assert "was answered already" in world.edits("A1", title="Rent", card=before.digest).text


def test_what_was_edited_is_what_runs(world: World) -> None:
    world.asks(booking("Rent"))
    world.edits("A1", title="Rent for December")
    world.model.will(Turn(text="It is in."))
    assert world.presses(Verb.APPROVE, "A2").accepted
    assert world.calendar.writes == 1
    uid = world.call("A2").facts.args["uid"]
    assert world.calendar.get(uid).title == "Rent for December"
    assert world.words()[-1] == "It is in."


def test_the_buttons_of_the_old_card_count_for_nothing(world: World) -> None:
    world.asks(booking("Rent"))
    card = world.card_of("A1")
    world.edits("A1", title="Rent for December")
    for verb in (Verb.APPROVE, Verb.DENY):
        assert not world.presses(verb, "A1", card=card).accepted
        assert not world.presses(verb, "A2", card=card).accepted
    assert world.states("A1", "A2") == [_S.SUPERSEDED, _S.PARKED]
    assert world.calendar.writes == 0


def test_an_edit_counts_only_on_the_card_that_is_shown_and_once(world: World) -> None:
    world.asks(booking("Rent"))
    card = world.card_of("A1")
    assert not world.edits("A1", card="0" * 64, title="Tax").accepted
    assert world.edits("A1", title="Tax").accepted
    assert not world.edits("A1", card=card, title="Rates").accepted
    assert world.states("A1", "A2") == [_S.SUPERSEDED, _S.PARKED]


@pytest.mark.parametrize(
    "args", [{"start": "on Monday"}, {"title": ""}, {"colour": "red"}, {"end": "2020-01-01"}]
)
def test_an_edit_that_does_not_fit_leaves_the_old_waiting(
    world: World, args: dict[str, str]
) -> None:
    world.asks(booking("Rent"))
    with pytest.raises(BadArguments):
        world.edits("A1", **args)
    assert world.call("A1").state is _S.PARKED
    assert world.presses(Verb.APPROVE, "A1").accepted
    assert world.call("A1").state is _S.DONE


@pytest.mark.parametrize("typed", ["2026-11-30 12:30", "2026-11-30T12:30:00", " 2026-11-30t12:30 "])
def test_a_time_that_is_typed_without_an_offset_is_the_owners_own(world: World, typed: str) -> None:
    world.asks(booking("Rent"))
    assert world.edits("A1", start=typed, end="2026-11-30 13:00").accepted
    new = world.call("A2")
    assert new.asked["start"] == "2026-11-30T12:30:00+01:00"
    assert world.told("A2")["When"] == "Mon 30 Nov 2026, 12:30 to 13:00 (Europe/Berlin)"
    assert new.binding != world.call("A1").binding
    assert world.presses(Verb.APPROVE, "A2").accepted
    assert world.calendar.get(new.facts.args["uid"]).when.start == datetime(
        2026, 11, 30, 11, 30, tzinfo=UTC
    )


def test_an_offset_that_is_typed_counts(world: World) -> None:
    world.asks(booking("Rent"))
    world.edits("A1", start="2026-11-30T12:30:00Z", end="2026-11-30T13:00:00Z")
    assert world.told("A2")["When"] == "Mon 30 Nov 2026, 13:30 to 14:00 (Europe/Berlin)"


def test_the_same_time_without_its_offset_changes_nothing(world: World) -> None:
    world.asks(booking("Rent"))
    answer = world.edits("A1", start="2026-11-30 10:00")
    assert answer.text == "You changed nothing; A1 still waits for your yes."


@pytest.mark.parametrize(
    ("start", "told"),
    [
        ("2027-03-28 02:30", "start: 02:30 on 2027-03-28 does not exist in Europe/Berlin"),
        ("2027-10-31 02:30", "2027-10-31T02:30:00+02:00 for the first, 2027-10-31T02:30:00+01:00"),
    ],
)
def test_a_time_that_is_none_or_two_as_the_clocks_change_is_told(
    world: World, start: str, told: str
) -> None:
    world.asks(booking("Rent"))
    with pytest.raises(BadArguments) as refused:
        world.edits("A1", start=start)
    assert told in str(refused.value)
    assert world.states("A1") == [_S.PARKED]


def test_a_models_time_needs_its_offset(world: World) -> None:
    world.asks(Want(tool="create_event", args={"title": "Rent", "start": "2026-11-30 10:00"}))
    assert world.states("A1") == [_S.REFUSED]
    assert "a time needs its offset" in world.call("A1").result


def test_a_day_that_is_typed_is_a_day(world: World) -> None:
    world.asks(booking("Rent"))
    world.edits("A1", start="2026-11-30", end="2026-12-01")
    assert world.call("A2").asked["start"] == "2026-11-30"
    assert world.told("A2")["When"] == "Mon 30 Nov 2026, all day"


def test_an_edit_that_the_policy_denies_leaves_the_old_waiting(world: World) -> None:
    world.writes_policy(ASKS)
    world.asks(note("private:/a"))
    with pytest.raises(BadArguments, match=r"rules\[1\]"):
        world.edits("A1", path="shared:/a")
    assert world.call("A1").state is _S.PARKED


def test_an_edit_that_raises_the_risk_asks_for_what_that_takes(world: World) -> None:
    world.writes_policy(ASKS)
    enters(world, Mode.ALERT)
    world.asks(note("private:/a"))
    assert (world.call("A1").risk, world.call("A1").word) == (Risk.MEDIUM, "")
    world.edits("A1", path="public:/a")
    assert (world.call("A2").risk, world.call("A2").word) == (Risk.HIGH, WORD)
    assert "type CONFIRM" in world.told("A2")["Takes a second step"]
    assert world.card("A2").actions[0].label == "Approve…"
    assert world.presses(Verb.APPROVE, "A2").word == WORD
    assert world.call("A2").state is _S.PARKED
    assert world.presses(Verb.APPROVE, "A2", word=WORD).accepted
    assert world.call("A2").state is _S.DONE


def test_an_edit_that_lowers_the_risk_asks_all_the_same(world: World) -> None:
    world.asks(note("public:/a"))
    assert world.call("A1").state is _S.PARKED
    world.edits("A1", path="private:/a")
    assert world.call("A2").state is _S.PARKED
    assert "you changed it" in world.told("A2")["Reasons"]


def test_an_edit_cleans_nothing_that_others_wrote(world: World) -> None:
    mail = world.forwards(MAIL).id
    world.model.will(Turn(wants=(Want(tool="read_email", args={"id": mail}),)), Turn(text="Read."))
    world.says("what does it say?")
    world.asks(note("public:/a", "850 EUR."))
    world.edits("A2", path="public:/b")
    assert world.call("A3").tainted
    assert "Led here by" in world.told("A3")
    assert world.card("A3").warning.startswith("From a mail by ada@example.org, not verified: ")


def test_only_what_the_owner_did_not_change_or_type_is_said_to_be_copied(world: World) -> None:
    mail = world.forwards(MAIL).id
    world.model.will(Turn(wants=(Want(tool="read_email", args={"id": mail}),)), Turn(text="Read."))
    world.says("what does it say?")
    world.asks(note("public:/a", "850 EUR."), says="note it in public:/a")
    assert "Copied: content" in world.told("A2")
    world.edits("A2", path="public:/b")
    assert "Copied: content" in world.told("A3")
    world.edits("A3", content="nothing")
    assert "Copied: content" not in world.told("A4")
    assert world.call("A4").tainted
    assert "Led here by" in world.told("A4")
    world.asks(note("public:/c", "850 eur."), says="note  850 EUR. in public:/c")
    assert "Copied: content" not in world.told("A5")
    assert world.call("A5").tainted
    world.asks(note("public:/d", "Write it down."), says="and the rest of it")
    assert "Copied: content" in world.told("A6")


def test_the_model_is_told_of_an_edit_and_of_what_came_of_it(world: World) -> None:
    world.asks(booking("Rent"))
    world.edits("A1", title="Rent for December")
    world.model.will(Turn(text="It is in."))
    world.presses(Verb.APPROVE, "A2")
    entries = world.model.views[-1].entries
    told = [call.outcome for e in entries if e.role is Role.OUTCOME for call in e.calls]
    assert told[-2].startswith("the owner changed A1; parked #A2")
    assert told[-1].startswith("Created the event")


def test_what_follows_an_edited_call_waits_for_the_new_one(world: World) -> None:
    world.asks(booking("Rent"), note("a"))
    world.edits("A1", title="Tax")
    assert world.states("A1", "A2", "A3") == [_S.SUPERSEDED, _S.CLEARED, _S.PARKED]
    world.presses(Verb.APPROVE, "A3")
    assert world.states("A2", "A3") == [_S.DONE, _S.DONE]


def test_nobody_edits_for_another_owner(world: World) -> None:
    world.asks(booking("Rent"))
    with pytest.raises(NotFound):
        edit_call(
            "A1",
            {"title": "Tax"},
            by=ME,
            card=world.card_of("A1"),
            cause=Cause(owner="other", trace=world.cause.trace),
            ctx=world.ctx,
        )
    assert world.call("A1").state is _S.PARKED


LIMITED = """
version: 1
rules: [{tool: write_file, action: ask}]
tools: {write_file: {rate_per_hour: 2}}
"""


def test_what_was_edited_counts_once_against_the_rate(world: World) -> None:
    world.writes_policy(LIMITED)
    world.asks(note("a"))
    world.edits("A1", content="y")
    world.edits("A2", content="z")
    assert world.states("A1", "A2", "A3") == [_S.SUPERSEDED, _S.SUPERSEDED, _S.PARKED]
    world.asks(note("b"), note("c"))
    assert world.states("A4", "A5") == [_S.PARKED, _S.REFUSED]
    assert world.edits("A4", content="y").accepted
    assert world.presses(Verb.APPROVE, "A3").accepted
    assert world.states("A3", "A6") == [_S.DONE, _S.PARKED]


def test_what_is_asked_about_anew_counts_once_against_the_rate(world: World) -> None:
    world.writes_policy(LIMITED)
    world.asks(note("a"), note("b"))
    world.presses(Verb.DENY, "A1")
    enters(world, Mode.ALERT)
    with world.store.begin(world.cause) as tx:
        tx.emit(Repropose(id=world.call("A2").id))
    world.settle()
    assert world.states("A1", "A2", "A3") == [_S.DENIED, _S.SUPERSEDED, _S.PARKED]


def test_what_is_stranded_counts_once_against_the_rate(world: World) -> None:
    world.writes_policy("version: 1\ntools: {write_file: {rate_per_hour: 2}}\n")
    world.asks(booking("Rent"), note("a"), note("b"))
    world.presses(Verb.DENY, "A1")
    assert world.states("A2", "A3", "A4", "A5") == [
        _S.SUPERSEDED,
        _S.SUPERSEDED,
        _S.PARKED,
        _S.PARKED,
    ]


def test_what_was_asked_for_over_an_hour_ago_makes_no_room_within_this_one(world: World) -> None:
    world.writes_policy(LIMITED)
    world.asks(note("a"))
    world.clock.passes(minutes=61)
    world.asks(note("b"), note("c"))
    with pytest.raises(BadArguments, match="2 times in the last hour") as told:
        world.edits("A1", content="y")
    again = say_moment(world.clock.now() + timedelta(hours=1), ZONE)
    assert f"at {again} at the latest" in str(told.value)
