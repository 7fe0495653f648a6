"""What one place is shown comes in the order in which it was wanted, whoever shows it."""

import pytest

from assistant.domain.conversation.conversation import Turn
from assistant.domain.conversation.deliveries import Attempt, Posted, Shown, ShownKind
from assistant.domain.errors import Denied, Permanent, Unreachable
from assistant.domain.messages import Deliver
from tests.flows.test_batches import booking
from tests.world import World

FOUR = tuple(booking(f"Step {n}", 10 + n) for n in range(4))


def titles(world: World, *, far: bool = False) -> list[str]:
    """Words as they are, and of each card the call that it is about."""
    shown = (world.far if far else world.wall).shown.values()
    return [one.small.partition(" · ")[0] or one.text for one in shown]


def test_the_message_of_a_plan_comes_below_the_words_of_its_turn(world: World) -> None:
    world.model.will(Turn(text="Four steps.", wants=FOUR), Turn())
    world.says("book them")
    assert titles(world) == ["Four steps.", "A1–A4"]


def test_cards_of_one_conversation_come_in_the_order_of_its_turns(world: World) -> None:
    for n, step in enumerate(FOUR):
        world.model.will(Turn(text=f"Step {n}.", wants=(step,)), Turn())
        world.says(f"book {n}", settle=False)
        while world.queue.bells:
            bell = world.queue.bells.popleft()
            if not bell.job.startswith("deliver:"):
                world.bus.answer(bell.job)
        world.clock.passes(seconds=1)
    late = sorted(job.id for job in world.store.jobs() if job.id.startswith("deliver:"))
    assert len(late) == 2 * len(FOUR)
    for job in late:  # the cards before the words
        world.bus.answer(job)
    world.settle()
    said = [(f"Step {n}.", f"A{n + 1}") for n in range(len(FOUR))]
    assert titles(world) == [one for both in said for one in both]


def test_so_they_do_where_they_are_delivered_backwards(world: World) -> None:
    world.model.will(Turn(text="Four steps.", wants=FOUR), Turn())
    world.says("book them", far="dm:1")
    world.model.will(Turn(text="One more.", wants=(booking("Rent", 20),)), Turn())
    world.says("and the rent", far="dm:1", settle=False)
    while world.queue.bells:
        bell = world.queue.bells.pop()  # the newest first
        world.bus.answer(bell.job)
    world.settle()
    assert titles(world, far=True)[-2:] == ["One more.", "A5"]
    assert titles(world, far=True)[:2] == ["Four steps.", "A1–A4"]


def test_what_one_place_shows_waits_for_no_other(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    def is_away(place: str, shown: Shown, *, attempt: Attempt) -> Posted:
        raise Unreachable(f"{place} {shown.kind} {attempt.key}")

    monkeypatch.setattr(world.wall, "show", is_away)
    world.model.will(Turn(text="One step.", wants=FOUR[:1]), Turn())
    world.says("book it")
    world.model.will(Turn(text="Hello."))
    world.says("hello", far="dm:1")
    assert titles(world, far=True) == ["Hello."]


@pytest.mark.parametrize("error", [Permanent("no"), Denied("no")])
def test_what_cannot_be_shown_holds_up_the_rest_for_a_moment_alone(
    world: World, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    show = world.wall.show

    def stumbles(place: str, shown: Shown, *, attempt: Attempt) -> Posted:
        if shown.kind is ShownKind.WORDS:
            raise error
        return show(place, shown, attempt=attempt)

    monkeypatch.setattr(world.wall, "show", stumbles)
    world.model.will(Turn(text="Four steps.", wants=FOUR), Turn())
    world.says("book them")
    for _ in range(8):
        world.clock.passes(seconds=5)
        world.settle()
    world.model.will(Turn(text="One more.", wants=(booking("Rent", 20),)), Turn())
    world.says("and the rent")
    for _ in range(8):
        world.clock.passes(seconds=5)
        world.settle()
    assert titles(world) == ["A1–A4", "A5"]


def test_a_job_whose_turn_has_not_come_is_kept_in_its_row(world: World) -> None:
    world.model.will(Turn(text="One step.", wants=FOUR[:1]), Turn())
    world.says("book it", settle=False)
    while world.queue.bells:
        bell = world.queue.bells.popleft()
        if not bell.job.startswith("deliver:words"):
            world.bus.answer(bell.job)
    [card] = [job for job in world.store.jobs() if job.id.startswith("deliver:card")]
    assert not card.claimed
    assert card.due > world.clock.now()
    assert world.wall.shown == {}
    world.bus.answer(Deliver(id=_words(world)).name)
    world.settle()
    assert titles(world) == ["One step.", "A1"]


def _words(world: World) -> str:
    with world.store.read(world.cause) as tx:
        return next(one.id for one in tx.deliveries() if one.id.startswith("words"))
