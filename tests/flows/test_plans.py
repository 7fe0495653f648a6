"""Approve a plan: all that waits together, in order, or nothing of it."""

from assistant.domain.approvals.approval import Verb
from assistant.domain.calendar.events import Event, When
from assistant.domain.calls.states import CallState
from assistant.domain.conversation.conversation import Turn, Want
from assistant.domain.governance.modes import Mode
from assistant.domain.policy.always_ask import BULK
from assistant.domain.policy.decide import WORD
from assistant.flows.approvals.plans import plan_of
from assistant.flows.render.cards import second_step
from tests.flows.test_batches import booking, note
from tests.flows.test_chat import MORNING
from tests.operations import enters
from tests.world import World

_S = CallState


def cards_of(world: World, *handles: str) -> dict[str, str]:
    return {world.call(handle).id: world.card_of(handle) for handle in handles}


def test_one_yes_to_a_plan_has_all_of_it_done_in_order(world: World) -> None:
    world.asks(booking("Rent"), booking("Tax", 12), booking("Rates", 14))
    plan = plan_of("A2", cause=world.cause, ctx=world.ctx)
    assert [call.handle for call in plan] == ["A1", "A2", "A3"]
    world.model.will(Turn(text="All is in."))
    answer = world.plan("A2")
    assert answer.accepted
    assert answer.text == (
        "A1 is approved and runs now. A2 is approved and runs after A1. "
        "A3 is approved and runs after A1, A2."
    )
    assert world.states("A1", "A2", "A3") == [_S.DONE] * 3
    with world.store.read(world.cause) as tx:
        ran = [entry.subject for entry in tx.audit(kind="call.running")]
    assert ran == [world.call(handle).id for handle in ("A1", "A2", "A3")]
    assert world.words()[-1] == "All is in."


def test_a_call_of_the_plan_that_was_not_shown_makes_all_of_it_a_no(world: World) -> None:
    world.asks(booking("Rent"), booking("Tax", 12))
    answer = world.plan("A1", cards=cards_of(world, "A1"))
    assert not answer.accepted
    assert "None of the plan was approved." in answer.text
    assert world.states("A1", "A2") == [_S.PARKED, _S.PARKED]
    assert world.calendar.writes == 0


def test_a_card_of_the_plan_that_is_shown_differently_now_makes_all_of_it_a_no(
    world: World,
) -> None:
    world.asks(booking("Rent"), booking("Tax", 12))
    shown = cards_of(world, "A1", "A2")
    world.edits("A2", title="Tax for 2026")
    assert not world.plan("A1", cards=shown).accepted
    assert world.states("A1", "A3") == [_S.PARKED, _S.PARKED]


def test_what_was_answered_by_itself_is_no_more_of_the_plan(world: World) -> None:
    world.asks(booking("Rent"), booking("Tax", 12), booking("Rates", 14))
    world.presses(Verb.DENY, "A2")
    assert world.plan("A1").accepted
    assert world.states("A1", "A2", "A3") == [_S.DONE, _S.DENIED, _S.DONE]


def test_calls_of_another_turn_are_not_of_the_plan(world: World) -> None:
    world.asks(booking("Rent"))
    world.asks(booking("Tax", 12))
    assert world.plan("A1").accepted
    assert world.states("A1", "A2") == [_S.DONE, _S.PARKED]


def test_a_plan_whose_ground_moved_is_not_approved_and_that_part_is_asked_anew(
    world: World,
) -> None:
    start, end = MORNING, "2026-11-30T11:00:00+01:00"
    when = When.model_validate({"start": start, "end": end})
    world.calendar.put(Event(uid="lunch", title="Lunch", when=when))
    moves = Want(tool="update_event", args={"event": "lunch", "title": "Brunch"})
    world.asks(booking("Rent"), moves)
    world.asks(Want(tool="update_event", args={"event": "lunch", "title": "Dinner"}))
    world.clock.passes(minutes=1)
    world.presses(Verb.APPROVE, "A3")
    answer = world.plan("A1")
    assert not answer.accepted
    assert "it is asked about again" in answer.text
    assert world.states("A1", "A2", "A4") == [_S.PARKED, _S.SUPERSEDED, _S.PARKED]
    assert world.plan("A1").accepted
    assert world.states("A1", "A4") == [_S.DONE, _S.DONE]
    assert world.calendar.get("lunch").title == "Brunch"


def test_a_plan_with_a_word_takes_the_word(world: World) -> None:
    enters(world, Mode.ALERT)
    world.asks(booking("Rent"), note("a"))
    assert [world.call(a).word for a in ("A1", "A2")] == [WORD, ""]
    assert not world.plan("A1").accepted
    assert world.states("A1", "A2") == [_S.PARKED, _S.PARKED]
    assert world.plan("A1", word=WORD).accepted
    assert world.states("A1", "A2") == [_S.DONE, _S.DONE]


def deletions(world: World, count: int) -> list[Want]:
    """Wants that would delete so many of the owner's own events."""
    when = When.model_validate({"start": MORNING, "end": "2026-11-30T11:00:00+01:00"})
    for n in range(count):
        world.calendar.put(Event(uid=f"own-{n}", title=f"Lunch {n}", when=when))
    return [Want(tool="delete_event", args={"event": f"own-{n}"}) for n in range(count)]


def test_a_plan_that_destroys_many_things_takes_a_word_as_does_the_call_that_makes_it_many(
    world: World,
) -> None:
    world.asks(*deletions(world, BULK + 1))
    calls = world.waiting()
    assert [call.word for call in calls] == [*[""] * BULK, WORD]
    for word in ("", "yes", WORD.lower()):
        answer = world.plan("A1", word=word)
        assert (answer.accepted, answer.word) == (False, WORD)
        assert answer.text.startswith("That is not the word; capitals count.") is bool(word)
        assert f"destroys {BULK + 1} things at once" in answer.text
        assert "None of the plan was approved." in answer.text
    assert {call.state for call in world.waiting()} == {_S.PARKED}
    assert world.plan("A1", word=f" {WORD}\n").accepted
    assert {world.call(call.handle).state for call in calls} == {_S.DONE}


def test_the_cards_of_a_plan_that_takes_a_word_say_so(world: World) -> None:
    world.asks(*deletions(world, BULK + 1))
    step = f"type {WORD} with your yes, as this destroys {BULK + 1} things at once"
    assert second_step(world.waiting()) == step
    for call in world.waiting():
        other = "A2" if call.handle == "A1" else "A1"
        told = f"{other} and {BULK - 1} more, together they take {WORD}"
        assert together(world, call.handle) == told


def test_the_cards_of_a_plan_say_which_call_of_it_takes_a_word(world: World) -> None:
    enters(world, Mode.ALERT)
    world.asks(booking("Rent"), booking("Tax", 12))
    why = f"type {WORD} with your yes, as A1 takes it by itself"
    assert second_step(world.waiting()) == why
    assert together(world, "A2") == f"A1, together they take {WORD}"


def test_a_plan_that_destroys_a_few_things_takes_a_press(world: World) -> None:
    world.asks(*deletions(world, BULK), booking("Rent", 12))
    assert together(world, "A1") == f"A2 and {BULK - 1} more"
    assert world.plan("A1").accepted
    assert world.states(*(f"A{n + 1}" for n in range(BULK + 1))) == [_S.DONE] * (BULK + 1)


def test_a_plan_of_nothing_is_no_plan(world: World) -> None:
    world.asks(booking("Rent"))
    world.presses(Verb.DENY, "A1")
    assert world.plan("A1").text == "Nothing waits together with A1."


def test_a_follower_whose_predecessor_fails_is_asked_about_again_although_the_plan_was_approved(
    world: World,
) -> None:
    when = When.model_validate({"start": MORNING, "end": "2026-11-30T11:00:00+01:00"})
    event = world.calendar.put(Event(uid="lunch", title="Lunch", when=when))
    world.asks(
        Want(tool="update_event", args={"event": "lunch", "title": "Brunch"}), booking("Rent")
    )
    world.calendar.put(event.model_copy(update={"title": "Supper"}))
    world.plan("A1")
    assert world.states("A1", "A2") == [_S.FAILED, _S.SUPERSEDED]
    assert world.calendar.writes == 0


def together(world: World, handle: str) -> str:
    """What the small line of a card says of the others."""
    return world.card(handle).small.partition("asked with ")[2]


def test_each_card_of_a_turn_names_all_that_it_was_asked_together_with(world: World) -> None:
    world.asks(booking("Rent"), booking("Tax", 12), note("a"), booking("Rates", 14))
    assert world.states("A1", "A2", "A3", "A4") == [_S.PARKED, _S.PARKED, _S.CLEARED, _S.PARKED]
    assert together(world, "A1") == "A2 and 1 more"
    assert together(world, "A2") == "A1 and 1 more"
    assert together(world, "A4") == "A1 and 1 more"


def test_a_card_counts_a_long_plan(world: World) -> None:
    world.asks(*(booking(f"{'Rent ' * 40}{n}", 10 + n) for n in range(8)))
    assert together(world, "A3") == "A1 and 6 more"
    assert "1 more under Details" in world.card("A3").small  # of the title


def test_an_approval_is_bound_to_the_card_that_names_the_others(world: World) -> None:
    world.asks(booking("Rent"), booking("Tax", 12))
    with world.store.read(world.cause) as tx:
        for handle in ("A1", "A2"):
            assert tx.approval(world.call(handle).id).card == world.card_of(handle)
    assert world.presses(Verb.APPROVE, "A2").accepted


def test_a_call_that_waits_alone_names_no_other(world: World) -> None:
    world.asks(booking("Rent"), note("a"))
    world.asks(booking("Tax", 12))
    assert (together(world, "A1"), together(world, "A3")) == ("", "")


def test_what_takes_a_place_names_those_that_wait_and_changes_no_card_of_theirs(
    world: World,
) -> None:
    world.asks(booking("Rent"), booking("Tax", 12), booking("Rates", 14))
    world.presses(Verb.DENY, "A3")
    card = world.card_of("A1")
    world.edits("A2", title="Tax for 2026")
    assert together(world, "A4") == "A1"
    assert world.card_of("A1") == card
    assert world.presses(Verb.APPROVE, "A1", card=card).accepted


def test_what_is_asked_about_again_after_a_no_names_what_it_waits_with(world: World) -> None:
    world.asks(booking("Rent"), note("a"), note("b"))
    world.presses(Verb.DENY, "A1")
    assert world.states("A4", "A5") == [_S.PARKED, _S.PARKED]
    assert (together(world, "A4"), together(world, "A5")) == ("A5", "A4")


def test_every_call_that_waits_can_be_answered(world: World) -> None:
    world.asks(booking("Rent"), note("a"), note("b"))
    world.edits("A1", title="Tax")
    world.presses(Verb.DENY, "A4")
    with world.store.read(world.cause) as tx:
        waiting = tx.calls(states={_S.PARKED})
        assert len(waiting) == 2
        assert all(tx.approval(call.id).card == world.card_of(call.handle) for call in waiting)
