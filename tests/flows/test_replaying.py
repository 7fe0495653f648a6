"""Past calls under a policy: the one in force changes nothing; of another, each change is named."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.adapters.policy_yaml import read_policy
from assistant.domain.approvals.approval import Verb
from assistant.domain.calls.call import Reach, Risk
from assistant.domain.calls.states import CallState
from assistant.domain.conversation.conversation import Want
from assistant.domain.errors import Denied
from assistant.domain.governance.modes import Mode, ModeRecord
from assistant.domain.policy.always_ask import BULK
from assistant.domain.policy.decide import PolicyContext, compiled, decide
from assistant.flows.calls.judge import draft_for
from assistant.flows.calls.owner_calls import ask_all
from assistant.policy_lab.replay import ALONE, Replayed, replay
from tests.bed import a_call
from tests.judging import asked
from tests.stores import Fresh
from tests.world import MONDAY, World

MORNING = "2026-11-30T10:00:00+01:00"
LATER = "2026-11-30T10:30:00+01:00"


def event(title: str = "Pay the rent") -> Want:
    return Want(tool="create_event", args={"title": title, "start": MORNING, "end": LATER})


def note(path: str = "private:/notes/a.txt", content: str = "Milk") -> Want:
    return Want(tool="write_file", args={"path": path, "content": content, "overwrite": True})


def replayed(world: World, text: str = "", *, hours: float = 48) -> Replayed:
    """What this policy, or the one in force, makes of the last hours."""
    return replay(
        world.clock.now() - timedelta(hours=hours),
        policy=compiled(read_policy(text)) if text else None,
        cause=world.cause,
        store=world.store,
        ctx=world.ctx,
    )


def ways(found: Replayed) -> dict[str, str]:
    return {change.handle: change.way for change in found.changes}


ALLOWS_EVENTS = "version: 1\nrules:\n  - {tool: create_event, action: allow}\n"


def test_a_candidate_is_told_by_what_it_changes(world: World) -> None:
    world.asks(event(), note())
    found = replayed(world, ALLOWS_EVENTS)
    [change] = found.changes
    assert (change.handle, change.tool, change.way) == ("A1", "create_event", "ask -> allow")
    assert (change.then.layer, change.now.layer, change.now.rule) == ("base", "rule", "rules[0]")
    assert (found.seen, found.same, found.ways) == (2, 1, {"ask -> allow": 1})
    assert world.states("A1", "A2") == [CallState.PARKED, CallState.CLEARED]


def test_a_replay_writes_nothing(world: World) -> None:
    world.asks(event())
    with world.store.read(world.cause) as tx:
        before = (tx.calls(), tx.audit(limit=999), tx.policy())
    replayed(world, ALLOWS_EVENTS)
    with world.store.read(world.cause) as tx:
        assert (tx.calls(), tx.audit(limit=999), tx.policy()) == before


def test_only_what_was_asked_since_then_is_judged(world: World) -> None:
    world.asks(event())
    world.clock.passes(hours=3)
    world.asks(event("Tea"))
    assert ways(replayed(world, ALLOWS_EVENTS, hours=2)) == {"A2": "ask -> allow"}


def test_the_hours_uses_are_those_before_each_call(world: World) -> None:
    for n in range(3):
        world.asks(note(f"private:/notes/{n}.txt"))
        world.clock.passes(minutes=25)
    world.asks(note("private:/notes/last.txt"))
    limited = "version: 1\ntools:\n  write_file: {rate_per_hour: 2}\n"
    assert ways(replayed(world, limited)) == {"A3": "report -> deny", "A4": "report -> deny"}
    assert ways(replayed(world, limited, hours=0.01)) == {"A4": "report -> deny"}


def test_what_was_replaced_counts_among_the_hours_uses_until_then(world: World) -> None:
    world.asks(event())
    world.clock.passes(minutes=1)
    assert world.edits("A1", title="Tea").accepted
    world.clock.passes(minutes=1)
    world.asks(event())
    limited = "version: 1\ntools:\n  create_event: {{rate_per_hour: {most}}}\n"
    assert ways(replayed(world, limited.format(most=2))) == {}
    assert ways(replayed(world, limited.format(most=1))) == {"A3": "ask -> deny"}


def test_a_grant_counts_for_what_came_after_it_and_before_it_was_revoked(world: World) -> None:
    world.asks(event())
    world.clock.passes(minutes=1)
    assert world.similar("A1").accepted
    world.clock.passes(minutes=1)
    world.asks(event())
    world.clock.passes(minutes=1)
    with world.store.begin(world.cause) as tx:
        tx.revoke_grants(by="me", at=world.clock.now())
    world.clock.passes(minutes=1)
    world.asks(event())
    assert replayed(world).changes == ()
    assert ways(replayed(world, "version: 1\nautorun: none\n")) == {"A2": "report -> ask"}


def test_a_grant_that_was_used_up_by_then_covers_nothing(world: World) -> None:
    world.asks(event())
    world.clock.passes(minutes=1)
    assert world.similar("A1").accepted
    for _ in range(20):
        world.clock.passes(minutes=1)
        world.asks(event())
    world.clock.passes(minutes=1)
    world.asks(event())
    verdicts = [world.call(handle).verdict for handle in ("A1", "A2", "A21", "A22")]
    assert verdicts == ["ask", "report", "report", "ask"]
    assert replayed(world).changes == ()
    assert replayed(world, hours=0.1).changes == ()


def test_what_took_the_place_of_another_call_still_asks(world: World) -> None:
    world.asks(event())
    world.clock.passes(minutes=1)
    assert world.edits("A1", title="Tea").accepted
    assert ways(replayed(world, ALLOWS_EVENTS)) == {"A1": "ask -> allow"}


def test_the_typed_word_is_a_difference(world: World) -> None:
    with world.store.begin(world.cause) as tx:
        tx.set_mode(ModeRecord(mode=Mode.ALERT, by="me"))
    world.asks(event())
    lower = "version: 1\nrules:\n  - {tool: create_event, action: ask, risk: low}\n"
    assert ways(replayed(world, lower)) == {"A1": "ask CONFIRM -> ask"}


def test_what_no_row_tells_is_said(world: World) -> None:
    world.asks(event())
    with world.store.begin(world.cause) as tx:
        conversation = tx.call_named("A1").conversation
        tx.add_call(a_call(conversation))
        tx.add_call(a_call(conversation, tool="sing", version="1", verdict="allow"))
        tx.add_call(a_call(conversation, tool="write_file", version="", verdict="deny"))
        tx.add_call(a_call(conversation, tool="write_file", version="1", verdict="ask"))
        tx.add_call(world.call().model_copy(update={"id": "old", "version": "0", "number": 0}))
    found = replayed(world, "version: 1\nrules:\n" + GRADED)
    assert [(one.handle, one.why) for one in found.unjudged] == [
        ("A2", "no decision on it is recorded"),
        ("A3", "there is no tool sing any more"),
        ("A4", "there was no tool write_file then, so nothing was looked at"),
        ("A5", "today's write_file does not understand what was recorded"),
    ]
    assert (found.changes, found.same) == ((), 2)
    assert "1 calls used another version" in " ".join(found.notes)
    assert "@sender_grade is not recorded: unknown is used" in " ".join(found.notes)
    assert "autorun is not recorded: today's is used (no_public)" in found.notes[0]


GRADED = """
  - tool: create_event
    action: deny
    conditions: [{param: "@sender_grade", operator: equals, value: stranger}]
"""


def test_where_nobody_could_be_asked_nobody_can_be() -> None:
    request = asked(risk=Risk.HIGH, reach=Reach.WRITES)
    decision = decide(request, PolicyContext(now=MONDAY, free=False))
    assert ALONE in decision.reasons


def test_nobody_is_asked_where_nobody_could_press(world: World) -> None:
    [call], [written] = (
        ask_all(
            [draft_for(want, cause=world.cause, tainted=False)],
            channel="post",
            place="door",
            cause=world.cause,
            ctx=world.ctx,
        )
        for want in (event(), note())
    )
    assert (call.verdict, written.verdict) == ("deny", "report")
    assert replayed(world).changes == ()
    assert ways(replayed(world, "version: 1\nautorun: none\n")) == {"A2": "report -> deny"}


POLICIES = st.sampled_from(
    [
        "",
        "version: 1\ndefault: ask\n",
        "version: 1\nautorun: none\ntools:\n  write_file: {rate_per_hour: 2}\n",
        ALLOWS_EVENTS,
        """
version: 1
rules:
  - tool: write_file
    action: ask
    conditions: [{param: path, operator: startsWith, value: "private:/notes/"}]
  - tool: create_event
    action: deny
    conditions: [{param: "@tainted", operator: equals, value: true}]
  - {tool: "*", action: ask, risk: low, message: Look.}
tools:
  delete_file: {enforced: true}
  create_event: {rate_per_hour: 3, requires_approval_in_modes: [recovery]}
""",
    ]
)
WANTS = st.sampled_from(
    [
        event(),
        event("Tea"),
        note(),
        note("public:/board.txt"),
        note(content="Bread"),
        Want(tool="delete_file", args={"path": "private:/notes/a.txt"}),
        Want(tool="read_file", args={"path": "private:/notes/a.txt"}),
        Want(tool="sing", args={"song": "any"}),
        Want(tool="restore_file", args={}),
        Want(tool="write_file", trouble="it is no JSON"),
        Want(tool="write_file", args={"path": "../etc"}),
    ]
)


def waiting(world: World) -> list[str]:
    with world.store.read(world.cause) as tx:
        return [call.handle for call in tx.calls(states={CallState.PARKED})][::-1]


def answers(act: Callable[[World, str], object]) -> Callable[[World], object]:
    return lambda world: [act(world, handle) for handle in waiting(world)[:1]]


def enters(mode: Mode) -> Callable[[World], object]:
    def enter(world: World) -> None:
        with world.store.begin(world.cause) as tx:
            if tx.mode().mode is not mode:
                tx.set_mode(tx.mode().model_copy(update={"mode": mode, "by": "me"}))

    return enter


def grants(world: World, handle: str) -> None:
    try:
        world.similar(handle)
    except Denied:
        world.presses(Verb.DENY, handle)


def likes(world: World) -> None:
    """The owner lets calls like this one run, and one does."""
    world.asks(event("Standup"))
    for handle in waiting(world)[-1:]:
        world.clock.passes(seconds=1)
        grants(world, handle)
    world.clock.passes(seconds=1)
    world.asks(event("Standup"))


def taints(world: World) -> None:
    with world.store.begin(world.cause) as tx:
        conversation = tx.conversation_in("terminal", "owner", idle=1e9)
        tx.thought(conversation.id, seen=conversation.heard, tainted=True)


def revokes(world: World) -> None:
    with world.store.begin(world.cause) as tx:
        tx.revoke_grants(by="me", at=world.clock.now())


STEPS = st.one_of(
    st.lists(WANTS, min_size=1, max_size=3).map(lambda wants: lambda world: world.asks(*wants)),
    WANTS.map(lambda want: lambda world: world.calls(want.tool, **want.args)),
    st.sampled_from(
        [
            answers(lambda world, handle: world.presses(Verb.APPROVE, handle, word="CONFIRM")),
            answers(lambda world, handle: world.presses(Verb.DENY, handle)),
            answers(grants),
            likes,
            answers(lambda world, handle: world.edits(handle)),
            enters(Mode.ALERT),
            enters(Mode.RECOVERY),
            enters(Mode.NORMAL),
            taints,
            revokes,
            lambda world: world.clock.passes(minutes=40),
            lambda world: world.clock.passes(hours=80),
        ]
    ),
)


@pytest.mark.slow
@given(policy=POLICIES, steps=st.lists(STEPS, max_size=14), hours=st.sampled_from([1, 50, 999]))
def test_the_policy_in_force_changes_nothing_of_what_it_decided(
    fresh: Fresh, policy: str, steps: list[Callable[[World], object]], hours: int
) -> None:
    world = World(fresh())
    if policy:
        world.writes_policy(policy)
    for step in steps:
        world.clock.passes(seconds=1)
        world.settle()
        step(world)
    found = replayed(world, hours=hours)
    assert ways(found) == {}
    assert found.unjudged == ()


def test_a_call_in_the_place_of_a_failed_one_counts_in_its_stead(fresh: Fresh) -> None:
    args = {"path": "private:/notes/a.txt", "content": "Milk", "overwrite": True}
    note = Want(tool="write_file", args=args)
    world = World(fresh())
    world.calls(note.tool, **note.args)
    for _ in range(2):
        world.clock.passes(seconds=1)
        world.asks(note, note)
    assert world.call("A7").supersedes == world.call("A6").id
    assert world.call("A6").state is CallState.FAILED
    assert ways(replayed(world, hours=1)) == {}
    assert world.presses(Verb.APPROVE, "A7").accepted


def test_what_too_many_waited_for_counts_for_the_calls_of_its_turn(fresh: Fresh) -> None:
    """It is refused when its turn is recorded, after the calls behind it were judged."""
    world = World(fresh())
    paths = [f"private:/{n}.txt" for n in range(BULK + 1)]
    for path in paths:
        world.calls("write_file", path=path, content="Milk")
    for n in range(3):
        world.asks(*(event(f"Tea {n} {m}") for m in range(7)))
    world.asks(*(Want(tool="delete_file", args={"path": path}) for path in paths))
    with world.store.read(world.cause) as tx:
        [*_, last] = tx.calls(states={CallState.REFUSED})[: len(paths)]
        reasons = [call.reasons for call in tx.calls(states={CallState.REFUSED})]
    assert "calls wait for the owner already" in last.result
    assert any(f"{len(paths)} things within an hour" in str(lines) for lines in reasons)
    assert ways(replayed(world)) == {}
