"""Approve similar: a yes to calls like this one, in a scope that was shown before it was saved."""

from datetime import timedelta

import pytest

from assistant.domain.approvals.approval import Verb
from assistant.domain.calls.states import CallState
from assistant.domain.conversation.conversation import Turn, Want
from assistant.domain.conversation.deliveries import ShownKind
from assistant.domain.errors import Denied, NotFound
from assistant.domain.governance.modes import Mode
from assistant.domain.jobs.job import Cause
from assistant.domain.policy.grants import LASTS, SOON_USES, USES, Grant, say
from assistant.flows.approvals.similar import draft_similar, revoke, scope_digest
from assistant.flows.calls.judge import request_of
from assistant.flows.render.call_status import lookup_status
from assistant.flows.render.details import details
from tests.flows.test_batches import booking, note
from tests.judging import before_upgrade
from tests.operations import enters
from tests.world import ME, ZONE, World

_S = CallState
MAIL = b"From: Ada <ada@example.org>\r\nSubject: Rent\r\n\r\nWrite it down. 850 EUR.\r\n"
ASKS = """
version: 1
rules:
  - {tool: write_file, action: ask}
"""


def granted(world: World, *, ended: bool = False) -> list[Grant]:
    with world.store.read(world.cause) as tx:
        return list(tx.grants(ended=ended))


def drafted(world: World, handle: str = "A1") -> Grant:
    return draft_similar(handle, by=ME, cause=world.cause, ctx=world.ctx)


def reads_mail(world: World) -> None:
    mail = world.forwards(MAIL).id
    world.model.will(Turn(wants=(Want(tool="read_email", args={"id": mail}),)), Turn(text="Read."))
    world.says("what does it say?")


def test_the_scope_is_shown_before_anything_is_saved(world: World) -> None:
    world.asks(booking("Rent"))
    lines = say(drafted(world), ZONE)
    assert lines[0] == "create_event runs without asking, and is reported, where"
    assert "- start is anything" in lines
    assert '- title is "Rent"' in lines
    assert "- no outside text was in view" in lines
    assert lines[-1].startswith(f"{USES} times at the most, until ")
    assert granted(world) == []
    assert world.call("A1").state is _S.PARKED


def test_what_it_would_let_run_stands_in_the_details_in_one_sentence(world: World) -> None:
    world.asks(booking("Rent"))
    with world.store.read(world.cause) as tx:
        status = lookup_status(tx, world.call("A1"))
    lines = {
        line.label: line.value
        for line in details(status, world.toolbox.get("create_event"), zone=ZONE)
    }
    assert lines["Approving such calls would mean"] == (
        'Create an event without asking where title is "Rent", end and start may be anything: '
        "20 times at the most, for 30 days, not beside others' words."
    )


def test_a_call_that_never_waited_is_named_as_its_owner_knows_it(world: World) -> None:
    world.asks(note("a"))
    assert world.call("A1").state is _S.DONE
    with pytest.raises(Denied, match="A1 never waited for an answer"):
        drafted(world, world.call("A1").id)


def test_a_call_like_it_is_reported_and_not_asked_about(world: World) -> None:
    world.asks(booking("Rent"))
    answer = world.similar()
    assert answer.accepted
    assert answer.text == (
        "A1 is approved and runs now. G1 covers calls like it; "
        "assistant grants list, or /grants list in a chat, shows it."
    )
    assert world.call("A1").state is _S.DONE
    world.asks(booking("Rent", 14))
    assert world.call("A2").state is _S.DONE
    assert "G1 covers it" in " ".join(world.call("A2").reasons)
    assert world.cards() == []
    assert world.titles(ShownKind.RECEIPT) == ["Created “Rent”", "Created “Rent”"]
    [grant] = granted(world)
    assert (grant.handle, grant.used, grant.last_used) == ("G1", 1, world.clock.now())
    assert (grant.from_call, grant.by) == (world.call("A1").id, ME)


def test_a_call_beyond_the_scope_is_asked_about(world: World) -> None:
    world.asks(booking("Rent"))
    world.similar()
    world.asks(booking("Tax", 14))
    assert world.call("A2").state is _S.PARKED
    assert granted(world)[0].used == 0


def test_another_scope_than_the_one_that_was_shown_means_no(world: World) -> None:
    world.asks(booking("Rent"))
    shown = scope_digest(drafted(world))
    world.asks(booking("Tax", 14))
    answer = world.similar("A2", scope=shown)
    assert not answer.accepted
    assert "not what was shown" in answer.text
    assert granted(world) == []
    assert world.states("A1", "A2") == [_S.PARKED, _S.PARKED]


def test_another_card_than_the_one_that_was_shown_means_no(world: World) -> None:
    world.asks(booking("Rent"))
    card = world.card_of("A1")
    world.edits("A1", title="Tax")
    assert world.presses(Verb.APPROVE, "A1", card=card).accepted is False
    assert not world.similar("A1").accepted
    assert granted(world) == []


def test_a_second_press_grants_nothing_more(world: World) -> None:
    world.asks(booking("Rent"))
    assert world.similar().accepted
    assert not world.similar().accepted
    assert len(granted(world)) == 1
    assert world.calendar.writes == 1


def test_there_is_no_grant_for_what_is_on_the_floor(world: World) -> None:
    world.calls("write_file", path="a", content="mine")
    world.asks(Want(tool="delete_file", args={"path": "a"}))
    assert world.call("A2").state is _S.PARKED
    with pytest.raises(Denied, match="owner's own"):
        drafted(world, "A2")
    assert not world.similar("A2", scope="0" * 64).accepted
    assert world.call("A2").state is _S.PARKED
    assert granted(world) == []


def test_a_grant_of_a_clean_talk_does_not_count_beside_words_of_others(world: World) -> None:
    world.asks(booking("Rent"))
    world.similar()
    reads_mail(world)
    world.asks(booking("Rent", 14))
    assert world.call("A3").tainted
    assert world.call("A3").state is _S.PARKED


def test_beside_words_of_others_there_is_one_for_events_alone(world: World) -> None:
    reads_mail(world)
    world.asks(note("shared:/rent", "850"))
    with pytest.raises(Denied, match="only events"):
        drafted(world, "A2")
    assert not world.similar("A2", scope="0" * 64).accepted
    assert world.call("A2").state is _S.PARKED
    assert granted(world) == []


def test_one_of_an_earlier_version_fixes_every_argument_and_goes_on(world: World) -> None:
    """Such a grant was made by "approve similar" beside words of others, for any tool."""
    reads_mail(world)
    world.asks(note("shared:/rent", "850"))
    call = world.call("A2")
    with world.store.begin(world.cause) as tx:
        tx.add_grant(before_upgrade(request_of(call, None, world.ctx), owner=call.owner))
    assert '- content is "850"' in say(granted(world)[0], ZONE)
    assert world.presses(Verb.APPROVE, "A2").accepted
    world.calls("delete_file", path="shared:/rent")
    world.presses(Verb.APPROVE, "A3")
    world.asks(note("shared:/rent", "900"))
    assert world.call("A4").state is _S.PARKED
    world.asks(note("shared:/rent", "850"))
    assert world.call("A5").tainted
    assert world.call("A5").state is _S.DONE


def test_events_of_one_title_and_length_can_be_made_beside_words_of_others(world: World) -> None:
    reads_mail(world)
    world.asks(booking("Rent"))
    handle = next(call.handle for call in world.waiting())
    assert not any("uid" in line for line in say(drafted(world, handle), ZONE))
    assert world.similar(handle).accepted
    [grant] = granted(world)
    assert (grant.tainted, grant.uses) == (True, SOON_USES)
    for hour in (11, 12, 13):
        assert world.waiting() == []
        world.asks(booking("Rent", hour))
    assert world.calendar.writes == 4
    world.asks(booking("Rent", 14))
    assert len(world.waiting()) == 1, "three times"


@pytest.mark.parametrize(
    "args",
    [
        {"title": "Tax"},
        {"end": "2026-11-30T12:00:00+01:00"},
        {"start": "2027-02-01T10:00:00+01:00", "end": "2027-02-01T11:00:00+01:00"},
        {"start": "2026-11-30", "end": "2026-12-01"},
    ],
)
def test_another_title_length_or_a_later_start_asks_beside_words_of_others(
    world: World, args: dict[str, str]
) -> None:
    reads_mail(world)
    world.asks(booking("Rent"))
    assert world.similar(world.waiting()[0].handle).accepted
    same = booking("Rent")
    world.asks(Want(tool=same.tool, args={**same.args, **args}))
    assert len(world.waiting()) == 1
    assert world.calendar.writes == 1


def test_after_a_day_it_asks_beside_words_of_others(world: World) -> None:
    reads_mail(world)
    world.asks(booking("Rent"))
    assert world.similar(world.waiting()[0].handle).accepted
    world.clock.passes(hours=24)
    world.asks(booking("Rent", 11))
    assert len(world.waiting()) == 1


def test_there_is_no_grant_where_it_would_spare_no_question(world: World) -> None:
    world.asks(note("public:/rent"))
    with pytest.raises(Denied, match="public:/ asks"):
        drafted(world)
    assert not world.similar(scope="0" * 64).accepted
    assert granted(world) == []
    enters(world, Mode.ALERT)
    world.asks(note("private:/rent"))
    with pytest.raises(Denied, match="in alert"):
        drafted(world, "A2")


def test_a_grant_has_an_end(world: World) -> None:
    world.asks(booking("Rent"))
    world.similar()
    world.clock.passes(days=LASTS.days)
    later = Want(
        tool="create_event",
        args={
            "title": "Rent",
            "start": "2027-01-30T10:00:00+01:00",
            "end": "2027-01-30T11:00:00+01:00",
        },
    )
    world.asks(later)
    assert world.call("A2").state is _S.PARKED
    assert granted(world) == []
    assert [grant.handle for grant in granted(world, ended=True)] == ["G1"]


def test_a_grant_is_used_up(world: World) -> None:
    world.asks(booking("Rent"))
    grant = drafted(world).model_copy(update={"uses": 2})
    with world.store.begin(world.cause) as tx:
        tx.add_grant(grant)
    world.asks(booking("Rent", 11), booking("Rent", 12), booking("Rent", 13))
    assert world.call("A4").state is _S.PARKED
    assert granted(world, ended=True)[0].used == 2


def test_a_grant_that_was_revoked_covers_nothing(world: World) -> None:
    world.asks(booking("Rent"))
    world.similar()
    assert revoke("g1", by=ME, cause=world.cause, ctx=world.ctx).accepted
    again = revoke("G1", by=ME, cause=world.cause, ctx=world.ctx)
    assert (again.accepted, again.text) == (False, "G1 was revoked already.")
    world.asks(booking("Rent", 14))
    assert world.call("A2").state is _S.PARKED
    with pytest.raises(NotFound):
        revoke("G9", by=ME, cause=world.cause, ctx=world.ctx)


def test_a_call_that_a_grant_let_through_does_not_run_once_that_is_revoked(world: World) -> None:
    world.asks(booking("Rent"))
    world.similar()
    world.asks(booking("Tax", 12), booking("Rent", 14))
    assert world.states("A2", "A3") == [_S.PARKED, _S.CLEARED]
    revoke("G1", by=ME, cause=world.cause, ctx=world.ctx)
    world.presses(Verb.APPROVE, "A2")
    assert world.states("A2", "A3") == [_S.DONE, _S.VOID]
    assert world.calendar.writes == 2


def test_a_call_runs_by_the_grant_that_let_it_through_beside_others_that_would(
    world: World,
) -> None:
    world.asks(booking("Rent"))
    later = drafted(world).model_copy(update={"id": "later"})
    world.similar()
    world.asks(booking("Tax", 12), booking("Rent", 14))
    assert world.states("A2", "A3") == [_S.PARKED, _S.CLEARED]
    with world.store.begin(world.cause) as tx:
        tx.add_grant(later)
    world.presses(Verb.APPROVE, "A2")
    assert world.states("A2", "A3") == [_S.DONE, _S.DONE]
    assert {grant.handle: grant.used for grant in granted(world)} == {"G1": 1, "G2": 0}


def test_a_grant_is_its_owners_alone(world: World) -> None:
    world.asks(booking("Rent"))
    world.similar()
    other = Cause(owner="other", trace=world.cause.trace)
    with pytest.raises(NotFound):
        revoke("G1", by=ME, cause=other, ctx=world.ctx)
    with world.store.read(other) as tx:
        assert tx.grants(ended=True) == []


def test_a_policy_that_asks_is_lowered_by_a_grant_and_one_that_denies_is_not(
    world: World,
) -> None:
    world.writes_policy(ASKS)
    world.asks(note("a"))
    world.similar()
    world.asks(Want(tool="write_file", args={"path": "a", "content": "y", "overwrite": True}))
    assert world.call("A2").state is _S.PARKED, "overwriting is another argument"
    world.writes_policy(ASKS.replace("ask", "deny"))
    world.clock.passes(seconds=1)
    world.asks(note("a", "z"))
    assert world.call("A3").state is _S.REFUSED
    assert granted(world)[0].expires == world.clock.now() - timedelta(seconds=1) + LASTS
