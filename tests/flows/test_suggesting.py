"""What an owner always says yes to is noticed, with the narrowest thing that would spare asking."""

from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.adapters.policy_yaml import read_policy
from assistant.domain.approvals.approval import Verb
from assistant.domain.calls.call import Facts, Reach, Risk
from assistant.domain.calls.states import CallState, OwnerReply
from assistant.domain.conversation.conversation import Want
from assistant.domain.policy.always_ask import why_always_ask
from assistant.domain.policy.check import check_policy
from assistant.domain.policy.decide import Policy, PolicyContext, ToolTraits, compiled, decide
from assistant.domain.policy.decisions import Request, Verdict
from assistant.domain.policy.rules import Rule, RuleAction
from assistant.policy_lab.suggest import suggest
from assistant.policy_lab.suggestions import AnsweredCall, Suggestion, suggestions
from tests.judging import NOW, PERSON, asked
from tests.judging import requests as any_requests
from tests.judging import rule as a_rule
from tests.judging import rules as any_rules
from tests.world import World


def event(title: str = "Standup", day: int = 30) -> Want:
    start, end = (f"2026-11-{day}T{hour}:00:00+01:00" for hour in (10, 11))
    return Want(tool="create_event", args={"title": title, "start": start, "end": end})


def approved(world: World, *wants: Want) -> list[str]:
    """Each asked for and approved, a minute apart; their handles."""
    handles = []
    for want in wants:
        world.clock.passes(minutes=1)
        world.asks(want)
        with world.store.read(world.cause) as tx:
            handles.append(tx.calls(limit=1)[0].handle)
        assert world.presses(Verb.APPROVE, handles[-1]).accepted
    return handles


def suggested(world: World) -> list[Suggestion]:
    return suggest(
        world.clock.now() - timedelta(days=90),
        cause=world.cause,
        store=world.store,
        ctx=world.ctx,
    )


def test_what_was_approved_three_times_is_suggested_as_a_grant(world: World) -> None:
    handles = approved(world, event(day=23), event(day=24), event(day=25))
    [found] = suggested(world)
    assert (found.tool, found.calls) == ("create_event", tuple(handles))
    assert found.same["title"] == "Standup"
    assert {"start", "end"} == set(found.free)
    assert found.grant is not None
    assert found.spared_by_grant == 3
    world.clock.passes(minutes=1)
    world.asks(event(day=26))
    assert world.similar("A4").accepted
    with world.store.read(world.cause) as tx:
        [grant] = tx.grants()
    assert grant.scope == found.grant.scope
    world.clock.passes(minutes=1)
    world.asks(event(day=27))
    assert world.call("A5").verdict == Verdict.REPORT


def test_twice_is_no_habit(world: World) -> None:
    approved(world, event(), event("Tea"), event())
    assert suggested(world) == []


def test_the_rule_does_what_it_was_suggested_for_and_no_more(world: World) -> None:
    world.writes_policy("version: 1\ndefault: ask\n")
    path = {"path": "private:/diary.txt", "overwrite": True}
    approved(world, *(Want(tool="write_file", args={**path, "content": c}) for c in "abc"))
    [found] = suggested(world)
    assert found.rule is not None
    assert found.spared_by_rule == 3
    world.writes_policy(policy_with(found.rule))
    world.clock.passes(minutes=1)
    world.asks(Want(tool="write_file", args={**path, "content": "d"}))
    world.asks(Want(tool="write_file", args={**path, "path": "private:/b", "content": "d"}))
    assert (world.call("A4").verdict, world.call("A5").verdict) == ("allow", "ask")
    assert suggested(world) == []


def policy_with(rule: Rule) -> str:
    """As JSON, which is YAML."""
    rules = Policy(rules=(rule,)).model_dump_json(include={"rules"}, exclude_defaults=True)
    return f'{{"version": 1, "default": "ask", {rules[1:]}'


@pytest.mark.parametrize("no", ["denied", "edited", "expired", "undone"])
def test_one_no_is_enough_that_nothing_is_suggested(world: World, no: str) -> None:
    handles = approved(world, event(day=23), event(day=24), event(day=25))
    world.clock.passes(minutes=1)
    world.asks(event(day=26))
    if no == "denied":
        assert world.presses(Verb.DENY, "A4").accepted
    elif no == "edited":
        assert world.edits("A4", title="Tea").accepted
    elif no == "expired":
        world.clock.passes(hours=80)
        world.settle()
    else:
        [undone] = world.undoes(handles[0])
        assert undone.accepted
        assert world.states(handles[0]) == [CallState.UNDONE]
    assert suggested(world) == []


def test_what_destroys_or_was_tainted_is_never_suggested(world: World) -> None:
    for n in range(3):
        world.calls("write_file", path=f"private:/{n}", content="x")
        world.calls("delete_file", path=f"private:/{n}")
    with world.store.begin(world.cause) as tx:
        conversation = tx.conversation_in("terminal", "owner", idle=1e9)
        tx.thought(conversation.id, seen=conversation.heard, tainted=True)
    approved(world, event(day=23), event(day=24), event(day=25))
    assert suggested(world) == []


# Without a world


SEND = ToolTraits(name="send")


def sent(
    n: int,
    reply: OwnerReply = OwnerReply.YES,
    *,
    tool: ToolTraits = SEND,
    policy: Policy | None = None,
    tainted: bool = False,
    **args: object,
) -> AnsweredCall:
    request = asked(
        risk=Risk.HIGH,
        reach=Reach.SENDS,
        tool=tool,
        args={"text": f"t{n}", **args},
        tainted=tainted,
    )
    return AnsweredCall(
        handle=f"A{n}",
        request=request,
        policy_context=PolicyContext(now=NOW, policy=compiled(policy or Policy())),
        given=frozenset({"text", *args}),
        reply=reply,
    )


def test_calls_that_share_a_text_are_suggested_as_a_rule() -> None:
    found = suggestions([sent(n, to="ann", size=n) for n in range(4)], Policy())
    [one] = found
    assert (one.same, one.free, one.grant) == ({"to": "ann"}, ("size", "text"), None)
    assert one.rule == a_rule("allow", "send", to="ann", tainted=False)
    assert one.spared_by_rule == 4


def test_what_all_of_them_left_out_is_not_left_open() -> None:
    """A rule could not say that nobody else gets a copy."""
    assert suggestions([sent(n, to="ann", cc=None) for n in range(4)], Policy()) == []


def test_a_no_to_one_that_shares_it_speaks_against_the_rule() -> None:
    yes = [sent(n, to="ann") for n in range(4)]
    assert suggestions([*yes, sent(9, OwnerReply.NO, to="ann")], Policy()) == []
    assert suggestions([*yes, sent(9, OwnerReply.NO, to="ann", tainted=True)], Policy()) == []
    assert len(suggestions([*yes, sent(9, OwnerReply.NO, to="eve")], Policy())) == 1


def test_a_rule_comes_before_none_that_forbids_for_every_tool() -> None:
    policy = Policy(rules=(Rule(tool="*", action=RuleAction.DENY, conditions=()),))
    guarded = Policy(rules=(a_rule("deny", "*", text="secret"),))
    assert suggestions([sent(n, to="ann", policy=policy) for n in range(4)], policy) == []
    assert suggestions([sent(n, to="ann", policy=guarded) for n in range(4)], guarded) == []


def test_what_the_owner_wants_to_be_asked_about_is_not_suggested() -> None:
    policy = Policy(rules=(a_rule("ask", "send", to="ann"),))
    [one] = suggestions([sent(n, to="ann", text="Hi", policy=policy) for n in range(4)], policy)
    assert (one.rule, one.spared_by_grant) == (None, 4)
    assert suggestions([sent(n, to="ann", policy=policy) for n in range(4)], policy) == []


def test_an_enforced_tool_is_never_suggested() -> None:
    enforced = replace(SEND, enforced=True)
    assert suggestions([sent(n, tool=enforced, to="ann") for n in range(4)], Policy()) == []


@given(
    request=any_requests,
    rules=st.lists(any_rules, max_size=3).map(tuple),
    default=st.sampled_from([None, RuleAction.ASK]),
    data=st.data(),
)
def test_nothing_on_the_floor_enforced_or_tainted_is_ever_spared(
    request: Request, rules: tuple[Rule, ...], default: RuleAction | None, data: st.DataObject
) -> None:
    policy = Policy(rules=rules, default=default)
    policy_context = PolicyContext(now=NOW, policy=compiled(policy))
    history = [
        AnsweredCall(
            handle=f"A{n}",
            request=request,
            policy_context=policy_context,
            given=frozenset(request.facts.args),
            reply=OwnerReply.YES,
        )
        for n in range(3)
    ]
    for found in suggestions(history, policy):
        assert not request.tainted
        assert not request.tool.enforced
        assert not why_always_ask(request.reach, request.facts)
        if found.rule:
            hold_to_the_floor(data.draw(any_requests), policy, found.rule)


def hold_to_the_floor(request: Request, policy: Policy, rule: Rule) -> None:
    """With the rule, what always asks is as it was, and so is what is tainted."""
    more = policy.model_copy(update={"rules": (*policy.rules, rule)})
    assert check_policy(Policy(rules=(rule,))) == []
    with_it, without = (
        decide(request, PolicyContext(now=NOW, policy=compiled(one))) for one in (more, policy)
    )
    if request.tainted:
        assert with_it.verdict is without.verdict
    if request.tool.enforced or why_always_ask(request.reach, request.facts):
        assert with_it.verdict in (Verdict.ASK, Verdict.DENY)


def test_every_suggested_rule_can_be_saved() -> None:
    for text in ("yes", "12", "a: b", "# no", "tab\there", "null", "ü", "{x}"):
        [one] = suggestions([sent(n, to=text) for n in range(3)], Policy())
        assert one.rule is not None
        assert read_policy(policy_with(one.rule)).rules == (one.rule,)


def test_the_owners_own_calls_ask_no_more_so_nothing_is_suggested_for_them() -> None:
    """Those of an earlier version were asked about, and approved."""
    mine = [replace(one, request=replace(one.request, actor=PERSON)) for one in three()]
    assert suggestions(mine, Policy()) == []


def three() -> list[AnsweredCall]:
    return [sent(n, to="ann") for n in range(3)]


def test_arguments_without_a_canonical_form_are_like_nothing_else() -> None:
    odd = [replace(one, request=_with(one.request, to=float("nan"))) for one in three()]
    assert suggestions(odd, Policy()) == []


def _with(request: Request, **args: object) -> Request:
    return replace(request, facts=Facts(args={**request.facts.args, **args}))
