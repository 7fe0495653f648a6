"""An owner who travels: times are told and read where they are, and cards keep their words."""

from collections.abc import Sequence

from assistant.domain.approvals.approval import Verb
from assistant.domain.calls.states import CallState
from assistant.domain.conversation.conversation import Turn, Want
from assistant.domain.conversation.deliveries import Line, ShownKind
from assistant.flows.approvals.reproposal import edit_call
from assistant.flows.render.call_status import lookup_status
from assistant.flows.render.details import details
from tests.flows.test_batches import booking
from tests.world import ME, World

LISBON = "Europe/Lisbon"


def travels(world: World, zone: str = LISBON) -> None:
    with world.store.begin(world.cause) as tx:
        tx.choose_zone(zone, by=ME)


def whole(world: World, handle: str = "A1") -> Sequence[Line]:
    """The details of a call, as its owner reads them where they are."""
    ctx, call = world.ctx.located(world.cause), world.call(handle)
    with world.store.read(world.cause) as tx:
        return details(lookup_status(tx, call), ctx.tool(call), zone=ctx.zone)


def test_times_are_told_and_read_where_the_owner_is(world: World) -> None:
    travels(world)
    world.asks(booking("Rent"))
    assert world.model.views[-1].zone == LISBON
    [card] = world.cards()
    assert [row.text for row in card.rows] == ["Mon 30 Nov, 09:00–09:30"]
    assert card.small.endswith("answer by Thu 08:00")
    [when] = [line.value for line in whole(world) if line.label == "What it would do"]
    assert f"When: Mon 30 Nov 2026, 09:00 to 09:30 ({LISBON})" in when
    times = {"start": "2031-11-30 14:15", "end": "2031-11-30 15:00"}
    ctx = world.ctx.located(world.cause)
    edit_call("A1", times, by=ME, card=card.digest, cause=world.cause, ctx=ctx)
    assert world.call("A2").asked["start"] == "2031-11-30T14:15:00+00:00"


def test_a_card_that_waits_keeps_its_words_and_can_be_answered(world: World) -> None:
    world.asks(booking("Rent"))
    [before] = world.cards()
    travels(world)
    world.settle()
    assert world.cards() == [before]
    world.presses(Verb.APPROVE, card=before.digest)
    assert world.call("A1").state is CallState.DONE


def test_a_whole_day_that_waits_can_be_answered_elsewhere(world: World) -> None:
    world.asks(Want(tool="create_event", args={"title": "Holiday", "start": "2031-12-24"}))
    [before] = world.cards()
    travels(world)
    world.presses(Verb.APPROVE, card=before.digest)
    assert world.call("A1").state is CallState.DONE


def test_back_home_the_settings_count_and_the_audit_has_both(world: World) -> None:
    travels(world)
    travels(world)
    travels(world, "")
    world.model.will(Turn(text="Well."))
    world.says("hello")
    assert world.model.views[-1].zone == "Europe/Berlin"
    with world.store.read(world.cause) as tx:
        assert [(one.kind, one.reason) for one in tx.audit(kind="zone")] == [
            ("zone.chosen", LISBON),
            ("zone.chosen", "the settings'"),
        ]


def away(world: World) -> list[dict[str, str]]:
    titled = [
        one for one in world.wall.shown.values() if one.title == "What happened while you were away"
    ]
    assert all(one.kind is ShownKind.NOTICE for one in titled)
    return [{line.label: line.value for line in one.fields} for one in titled]


def test_who_comes_back_after_days_is_told_once_what_happened(world: World) -> None:
    world.asks(booking("Rent"))
    world.clock.passes(days=4)
    world.settle()
    world.asks(booking("Tax"))
    [told] = away(world)
    assert told["Expired"] == "A1 (/again asks anew)"
    world.clock.passes(days=5)
    world.settle()
    world.forwards(b"From: Anna <anna@example.org>\nSubject: Party\n\nCome!")
    assert len(away(world)) == 1
    world.model.will(*[Turn(text="Well.")] * 2)
    world.says("I am back")
    world.says("and again")
    assert away(world)[1:] == [
        {
            "Waits for you": "nothing",
            "Expired": "A2 (/again asks anew)",
            "New mail": "1 since then: Anna: Party",
        }
    ]


def test_an_owner_of_an_older_version_is_told_nothing_at_first(world: World) -> None:
    world.clock.passes(days=30)
    world.model.will(Turn(text="Well."))
    world.says("hello")
    assert away(world) == []
