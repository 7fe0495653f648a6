"""What nothing can talk the policy into, and what it must let pass."""

from dataclasses import replace
from datetime import timedelta
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from assistant.domain.calls.call import Facts, Reach, Risk
from assistant.domain.errors import Denied
from assistant.domain.governance.modes import Autorun, Mode
from assistant.domain.policy.always_ask import BULK, why_always_ask
from assistant.domain.policy.decide import (
    OWN_YES,
    WORD,
    PolicyContext,
    Request,
    ToolTraits,
    Verdict,
    decide,
    explain,
)
from assistant.domain.policy.decisions import Decision, Layer, LayerStep, stricter
from assistant.domain.policy.rules import RuleAction
from assistant.domain.policy.tool_limits import Governance
from assistant.domain.policy.traits import Confirmation
from tests.judging import (
    CHANGES,
    NOW,
    PERSON,
    TOOL,
    asked,
    before_upgrade,
    cases,
    facts,
    grant_for,
    judged,
    policy_context,
    rule,
)

LAYERS = tuple(f"{layer}: " for layer in Layer)
Case = tuple[Request, PolicyContext]


def verdict(request: Request, how: PolicyContext) -> Verdict:
    return decide(request, how).verdict


def at_least(one: Verdict, other: Verdict) -> bool:
    return stricter(one, other) is one


# What holds of every decision there can be.


@given(cases())
def test_every_decision_names_the_layers_that_led_to_it(case: Case) -> None:
    decision = decide(*case)
    assert decision.reasons
    assert all(line.startswith(LAYERS) and line.isprintable() for line in decision.reasons)
    assert any(line.startswith(f"{decision.layer}: ") for line in decision.reasons)
    assert decision.policy == 7
    assert decision.mode is case[1].mode


@given(cases())
def test_explain_and_decide_never_disagree(case: Case) -> None:
    decision, steps = decide(*case), explain(*case)
    assert decision.reasons == tuple(str(step) for step in steps if step.spoke)
    assert decision.verdict is steps[-1].verdict
    spoken = [step for before, step in pairwise(steps) if _had_a_say(before, step)]
    assert decision.layer == (spoken[-1] if spoken else steps[0]).layer


def _had_a_say(before: LayerStep, step: LayerStep) -> bool:
    settles = step.layer in (Layer.BASE, Layer.RULE, Layer.DEFAULT, Layer.GRANT)
    return step.spoke and (settles or step.verdict is not before.verdict)


@given(cases())
def test_an_explanation_has_every_layer_in_its_order(case: Case) -> None:
    layers = [step.layer for step in explain(*case)]
    order = list(Layer)
    places = [order.index(layer) for layer in layers[: len(layers) - _added_a_no(layers)]]
    assert places == sorted(places)
    assert set(layers) == set(Layer)


def _added_a_no(layers: list[Layer]) -> int:
    """The last line, when it says that nobody can be asked."""
    return int(layers[-1] is Layer.DENY)


@given(cases())
def test_a_denied_call_says_what_would_make_it_possible(case: Case) -> None:
    decision = decide(*case)
    if decision.verdict is Verdict.DENY and not case[0].facts.trouble:
        assert decision.fix
        assert decision.fix in decision.why
    else:
        assert bool(decision.fix) is False


@given(cases())
def test_the_raises_never_lower(case: Case) -> None:
    raises = (Layer.MODE, Layer.AUTORUN, Layer.RATE, Layer.TAINT)
    steps = explain(*case)
    for before, step in pairwise(steps):
        assert step.layer not in raises or at_least(step.verdict, before.verdict)


@given(cases())
def test_taint_never_lowers(case: Case) -> None:
    request, how = case
    tainted = verdict(replace(request, tainted=True), how)
    assert at_least(tainted, verdict(replace(request, tainted=False), how))


@given(cases())
def test_alert_never_lowers(case: Case) -> None:
    request, how = case
    tools = {
        name: limits.governance.model_copy(update={"forbidden_in_modes": ()})
        for name, limits in how.policy.limits.items()
    }
    policy = how.policy.policy.model_copy(update={"tools": tools})
    normal = replace(how, policy=type(how.policy)(policy, 7), mode=Mode.NORMAL)
    for mode in (Mode.ALERT, Mode.RECOVERY, Mode.LOCKDOWN, Mode.DEGRADED):
        anywhere = replace(request, tool=replace(request.tool, allowed_modes=frozenset(Mode)))
        needed = at_least(
            verdict(anywhere, replace(normal, mode=mode)), verdict(anywhere, _unapproved(normal))
        )
        assert needed


def _unapproved(how: PolicyContext) -> PolicyContext:
    """The same without what the policy wants approved in the normal mode."""
    tools = {
        name: limits.governance.model_copy(update={"requires_approval_in_modes": ()})
        for name, limits in how.policy.limits.items()
    }
    policy = how.policy.policy.model_copy(update={"tools": tools})
    return replace(how, policy=type(how.policy)(policy, 7))


@given(cases())
def test_a_narrower_autorun_never_lowers(case: Case) -> None:
    request, how = case
    wide, usual, narrow = (
        verdict(request, replace(how, autorun=autorun))
        for autorun in (Autorun.ALL, Autorun.NO_PUBLIC, Autorun.NONE)
    )
    assert at_least(usual, wide)
    assert at_least(narrow, usual)


@given(cases())
def test_a_grant_only_ever_turns_an_ask_into_a_report(case: Case) -> None:
    request, how = case
    without = verdict(request, replace(how, grants=()))
    decision = decide(request, how)
    if decision.verdict is not without:
        assert (without, decision.verdict) in (
            (Verdict.ASK, Verdict.REPORT),
            (Verdict.DENY, Verdict.REPORT),  # nobody could be asked, and nobody need be
        )
        assert decision.grant


@given(cases())
def test_the_floor_is_never_lowered(case: Case) -> None:
    request, how = case
    decision = decide(request, how)
    before = 0 if request.by_owner else how.destroyed
    if why_always_ask(request.reach, request.facts, before=before):
        assert at_least(decision.verdict, Verdict.ASK)
        assert not decision.grant


@given(cases(), st.integers(0, 50))
def test_what_a_talk_destroyed_before_never_lowers(case: Case, more: int) -> None:
    request, how = case
    then = decide(request, replace(how, destroyed=how.destroyed + more))
    before = decide(request, how)
    assert at_least(then.verdict, before.verdict)
    if then.verdict is Verdict.ASK:
        assert then.word or not before.word


@given(cases())
def test_no_rule_nor_grant_lowers_an_enforced_tool(case: Case) -> None:
    request, how = case
    enforced = replace(request, tool=replace(request.tool, enforced=True))
    assert at_least(verdict(enforced, how), Verdict.ASK)


# To ask for a call in person is the yes to it.

_STAND_BACK = {Layer.BASE, Layer.RULE, Layer.DEFAULT, Layer.AUTORUN, Layer.TAINT}


@given(cases())
def test_the_owner_is_asked_by_no_layer_that_stands_back(case: Case) -> None:
    request, how = replace(case[0], actor=PERSON), case[1]
    decision = decide(request, how)
    if decision.verdict is Verdict.ASK:
        enforced = how.policy.enforces(request.tool)
        assert enforced or Layer(decision.layer) not in _STAND_BACK


@given(cases())
def test_of_the_owners_own_call_only_a_question_is_milder(case: Case) -> None:
    """What a model is denied for this call, its owner is; and nothing else gets milder."""
    origins = [one for rule in case[1].policy.policy.rules for one in rule.conditions]
    assume(not any(one.param == "@actor" for one in origins))
    request, how = case
    assume(request.reach is not Reach.GOVERNS)
    model = decide(replace(request, actor="model"), replace(how, destroyed=0, free=True))
    owner = decide(replace(request, actor=PERSON), replace(how, destroyed=0, free=True))
    if owner.verdict is not model.verdict:
        assert (model.verdict, owner.verdict) == (Verdict.ASK, Verdict.REPORT)
        assert any(line.endswith(OWN_YES) for line in owner.reasons)


@given(cases())
def test_where_a_layer_stands_back_it_says_so(case: Case) -> None:
    request = replace(case[0], actor=PERSON)
    for step in explain(request, case[1]):
        if step.words.endswith(OWN_YES):
            assert step.layer in _STAND_BACK
            assert not case[1].policy.enforces(request.tool)


@given(cases(), st.sampled_from(["model", "", "owner", "owner:", "Owner:1", " owner:1", "tool:1"]))
def test_nobody_but_the_owner_makes_a_layer_stand_back(case: Case, actor: str) -> None:
    request = replace(case[0], actor=actor)
    assert not any(step.words.endswith(OWN_YES) for step in explain(request, case[1]))


@pytest.mark.parametrize(
    ("how", "layer"),
    [
        ({"mode": Mode.ALERT}, Layer.MODE),
        ({"mode": Mode.RECOVERY}, Layer.MODE),
        ({"tools": {"tidy": Governance(requires_approval_in_modes=(Mode.NORMAL,))}}, Layer.MODE),
        ({"tools": {"tidy": Governance(enforced=True)}}, Layer.BASE),
    ],
)
def test_what_the_owner_is_asked_all_the_same(how: dict[str, Any], layer: Layer) -> None:
    risky = asked(risk=Risk.HIGH, reach=Reach.WRITES, actor=PERSON)
    assert judged(risky).verdict is Verdict.REPORT
    decision = judged(risky, **how)
    assert (decision.verdict, decision.layer) == (Verdict.ASK, layer)


def test_the_floor_asks_the_owner_too() -> None:
    theirs = asked(risk=Risk.HIGH, reach=Reach.DESTROYS, actor=PERSON)
    decision = judged(theirs, rule("ask"))
    assert (decision.verdict, decision.layer) == (Verdict.ASK, Layer.FLOOR)
    ours = asked(risk=Risk.HIGH, reach=Reach.DESTROYS, actor=PERSON, own=True)
    assert judged(ours, rule("ask")).verdict is Verdict.REPORT


def test_each_layer_that_stands_back_lets_the_owner_pass_and_asks_a_model() -> None:
    public = {"reach": Reach.WRITES, "locations": ("public:/a",), "risk": Risk.LOW}
    tainted = {"reach": Reach.SENDS, "tainted": True}
    for about, rules, how in (
        ({"risk": Risk.HIGH}, (), {}),
        ({}, (rule("ask"),), {}),
        ({}, (), {"default": RuleAction.ASK}),
        (public, (), {"autorun": Autorun.NO_PUBLIC}),
        ({"reach": Reach.WRITES}, (), {"autorun": Autorun.NONE}),
        (tainted, (), {}),
    ):
        assert judged(asked(**about), *rules, **how).verdict is Verdict.ASK
        assert judged(asked(**about, actor=PERSON), *rules, **how).verdict is Verdict.REPORT


@given(cases())
def test_no_model_governs(case: Case) -> None:
    request = replace(case[0], reach=Reach.GOVERNS, actor="model")
    assert verdict(request, case[1]) is Verdict.DENY


@given(cases(), st.text(min_size=1, max_size=10))
def test_trouble_is_always_a_no_that_says_why(case: Case, trouble: str) -> None:
    request = replace(case[0], facts=case[0].facts.model_copy(update={"trouble": trouble}))
    decision = decide(request, case[1])
    assert decision.verdict is Verdict.DENY
    assert decision.layer == Layer.DENY
    assert all(part in decision.reasons[0] for part in trouble.split() if part.isprintable())


@given(cases())
def test_what_is_unknown_is_always_a_no(case: Case) -> None:
    request, how = case
    stranger = replace(request, tool=replace(request.tool, known=False))
    for unclear in (stranger, replace(request, risk=None), replace(request, reach=None)):
        assert verdict(unclear, how) is Verdict.DENY


@given(cases())
def test_where_nobody_can_be_asked_nothing_waits(case: Case) -> None:
    request, how = case
    free, alone = (verdict(request, replace(how, free=free)) for free in (True, False))
    assert alone is (Verdict.DENY if free is Verdict.ASK else free)


@given(cases())
def test_a_word_is_typed_only_with_a_yes(case: Case) -> None:
    decision = decide(*case)
    assert not decision.word or decision.verdict is Verdict.ASK


# The floor, pinned.


@given(facts)
def test_the_floor_is_just_this(found: Facts) -> None:
    many = found.destructive and len(set(found.locations)) > BULK
    for reach in Reach:
        expected = (
            reach in (Reach.EXECUTES, Reach.GOVERNS)
            or (reach is Reach.DESTROYS and not found.own)
            or many
            or (reach is Reach.DESTROYS and len(set(found.locations)) > BULK)
        )
        assert bool(why_always_ask(reach, found)) is expected
    assert BULK == 5


# Both directions: what must be stopped, and the same act that must pass.


def test_what_cannot_be_is_refused_with_the_reason_and_its_like_runs() -> None:
    assert judged(asked(trouble="there is no such mail")).why == "there is no such mail"
    nobody = asked(tool=ToolTraits.unknown("tydi"))
    assert judged(nobody).why == "there is no tool named tydi; use one of the tools on offer"
    assert judged(asked()).verdict is Verdict.ALLOW


@pytest.mark.parametrize(
    ("risk", "expected"),
    [(Risk.LOW, Verdict.ALLOW), (Risk.MEDIUM, Verdict.REPORT), (Risk.HIGH, Verdict.ASK)],
)
def test_risk_alone_says_what_becomes_of_a_call(risk: Risk, expected: Verdict) -> None:
    for actor in ("model", PERSON):
        decision = judged(asked(risk=risk, reach=Reach.WRITES, actor=actor))
        asks = expected is Verdict.ASK and actor == PERSON
        assert decision.verdict is (Verdict.REPORT if asks else expected)
        assert decision.layer == Layer.BASE


def test_a_tool_may_want_a_yes_whatever_the_risk() -> None:
    always = replace(TOOL, confirmation=Confirmation.ALWAYS)
    destructive = replace(TOOL, confirmation=Confirmation.IF_DESTRUCTIVE)
    assert judged(asked(tool=always)).verdict is Verdict.ASK
    assert judged(asked(tool=destructive, destructive=True)).verdict is Verdict.ASK
    assert judged(asked(tool=destructive)).verdict is Verdict.ALLOW


def test_governing_is_for_the_owner_who_types_a_word() -> None:
    def governs(actor: str) -> Request:
        return asked(reach=Reach.GOVERNS, risk=Risk.HIGH, actor=actor)

    assert judged(governs("model"), rule("allow")).verdict is Verdict.DENY
    for nobody in ("", "owner", "owner:", "tool:owner:1"):
        assert judged(governs(nobody), rule("allow")).verdict is Verdict.DENY
    decision = judged(governs(PERSON), rule("allow"))
    assert decision.verdict is Verdict.ASK
    assert decision.word == WORD


def test_a_rule_replaces_the_tools_own_word_in_both_directions() -> None:
    assert judged(asked(risk=Risk.HIGH), rule("allow")).verdict is Verdict.ALLOW
    assert judged(asked(risk=Risk.LOW), rule("ask")).verdict is Verdict.ASK
    decision = judged(asked(risk=Risk.LOW), rule("allow", "*"), rule("deny"))
    assert (decision.verdict, decision.rule, decision.layer) == (
        Verdict.DENY,
        "rules[1]",
        Layer.RULE,
    )
    assert decision.fix == "the owner would have to change rules[1] of the policy"


def test_a_rule_for_an_enforced_tool_may_forbid_but_not_allow() -> None:
    enforced = asked(tool=replace(TOOL, enforced=True))
    assert judged(enforced, rule("allow")).verdict is Verdict.ASK
    assert judged(enforced, rule("deny")).verdict is Verdict.DENY
    by_policy = {"tidy": Governance(enforced=True)}
    assert judged(asked(), rule("allow"), tools=by_policy).verdict is Verdict.ASK
    assert judged(asked(), rule("allow"), tools={"other": by_policy["tidy"]}).verdict is (
        Verdict.ALLOW
    )
    takes_back = {"tidy": Governance(enforced=False)}
    assert judged(enforced, rule("allow"), tools=takes_back).verdict is Verdict.ASK


def test_the_default_speaks_where_no_rule_does() -> None:
    asking = rule("ask", path="x")
    assert judged(asked(), asking, default=RuleAction.DENY).verdict is Verdict.DENY
    assert judged(asked(args={"path": "x"}), asking, default=RuleAction.DENY).verdict is Verdict.ASK
    assert judged(asked(risk=Risk.HIGH), default=RuleAction.ALLOW).layer == Layer.DEFAULT
    assert judged(asked(risk=Risk.HIGH)).verdict is Verdict.ASK


def test_destroying_what_is_the_owners_always_asks_and_what_the_assistant_made_need_not() -> None:
    theirs, ours = (asked(reach=Reach.DESTROYS, risk=Risk.MEDIUM, own=own) for own in (False, True))
    assert judged(theirs, rule("allow")).verdict is Verdict.ASK
    assert judged(ours, rule("allow")).verdict is Verdict.ALLOW


def test_destroying_many_things_at_once_always_asks() -> None:
    def wipe(count: int) -> Request:
        places = tuple(f"private:/{n}" for n in range(count))
        return asked(reach=Reach.WRITES, destructive=True, locations=places)

    assert judged(wipe(BULK + 1), rule("allow")).verdict is Verdict.ASK
    assert judged(wipe(BULK), rule("allow")).verdict is Verdict.ALLOW


@pytest.mark.parametrize("reach", [Reach.WRITES, Reach.DESTROYS])
def test_the_sixth_thing_that_a_talk_destroys_takes_a_word(reach: Reach) -> None:
    def wipe(before: int, **facts: Any) -> Decision:
        one = asked(reach=reach, own=True, destructive=True, actor="model", **facts)
        return judged(one, rule("allow"), destroyed=before)

    sixth = wipe(BULK)
    assert (sixth.verdict, sixth.word) == (Verdict.ASK, WORD)
    assert "6 things within an hour" in " ".join(sixth.reasons)
    assert wipe(BULK - 1).verdict is Verdict.ALLOW
    three = wipe(BULK - 2, locations=("private:/a", "private:/b", "private:/c"))
    assert (three.verdict, three.word) == (Verdict.ASK, WORD)
    harmless = asked(reach=Reach.WRITES, actor="model")
    assert judged(harmless, rule("allow"), destroyed=BULK).verdict is Verdict.ALLOW
    by_hand = asked(reach=reach, own=True, destructive=True, actor=PERSON)
    assert judged(by_hand, rule("allow"), destroyed=BULK).verdict is Verdict.ALLOW


def test_a_tainted_overwrite_asks_unless_the_talk_wrote_what_was_there() -> None:
    def over(*, tainted: bool = True, **facts: Any) -> Decision:
        one = asked(reach=Reach.WRITES, destructive=True, tainted=tainted, actor="model", **facts)
        return judged(one, rule("allow"))

    assert over().verdict is Verdict.ASK
    assert over(made_here=True).verdict is Verdict.ALLOW
    assert over(tainted=False).verdict is Verdict.ALLOW


@pytest.mark.parametrize("own", [True, False])
@pytest.mark.parametrize("reach", [Reach.WRITES, Reach.DESTROYS])
def test_destroying_many_things_at_once_takes_a_word(reach: Reach, *, own: bool) -> None:
    def wipe(count: int, *, destructive: bool = True) -> Decision:
        places = tuple(f"private:/{n}" for n in range(count))
        wiped = asked(reach=reach, own=own, destructive=destructive, locations=places)
        return judged(wiped, rule("ask"))

    many = wipe(BULK + 1)
    assert (many.verdict, many.word) == (Verdict.ASK, WORD)
    assert f"{BULK + 1} things at once" in " ".join(many.reasons)
    assert not wipe(BULK).word
    assert bool(wipe(BULK + 1, destructive=False).word) is (reach is Reach.DESTROYS)


def test_alert_takes_every_risk_one_step_up() -> None:
    def in_alert(risk: Risk, *rules: Any) -> Any:
        return judged(asked(risk=risk), *rules, mode=Mode.ALERT)

    assert in_alert(Risk.LOW).verdict is Verdict.REPORT
    assert in_alert(Risk.MEDIUM).verdict is Verdict.ASK
    assert not in_alert(Risk.MEDIUM).word
    assert in_alert(Risk.HIGH).word == WORD
    assert in_alert(Risk.HIGH, rule("allow")).verdict is Verdict.ASK
    assert in_alert(Risk.LOW, rule("allow")).verdict is Verdict.REPORT


@pytest.mark.parametrize("reach", CHANGES)
def test_lockdown_lets_reads_pass_and_nothing_else(reach: Reach) -> None:
    for actor in ("model", PERSON):
        change = asked(reach=reach, own=True, actor=actor)
        assert judged(change, rule("allow"), mode=Mode.LOCKDOWN).verdict is Verdict.DENY
        assert judged(change, rule("allow")).verdict is Verdict.ALLOW
        assert judged(asked(actor=actor), mode=Mode.LOCKDOWN).verdict is Verdict.ALLOW


@pytest.mark.parametrize("reach", CHANGES)
def test_in_recovery_changes_ask_and_reads_run(reach: Reach) -> None:
    change = asked(reach=reach, own=True)
    assert judged(change, rule("allow"), mode=Mode.RECOVERY).verdict is Verdict.ASK
    assert judged(asked(), mode=Mode.RECOVERY).verdict is Verdict.ALLOW
    assert judged(change, rule("allow"), mode=Mode.DEGRADED).verdict is Verdict.ALLOW


def test_a_tool_runs_in_its_modes_only() -> None:
    shy = replace(TOOL, allowed_modes=frozenset({Mode.NORMAL}))
    decision = judged(asked(tool=shy), mode=Mode.DEGRADED)
    assert decision.verdict is Verdict.DENY
    assert decision.fix == "ask again in mode normal"
    assert judged(asked(tool=shy)).verdict is Verdict.ALLOW


@pytest.mark.parametrize("reach", CHANGES)
def test_autorun_none_asks_for_all_but_reads(reach: Reach) -> None:
    change = asked(reach=reach, own=True)
    assert judged(change, autorun=Autorun.NONE).verdict is Verdict.ASK
    assert judged(asked(), autorun=Autorun.NONE).verdict is Verdict.ALLOW
    assert judged(change, autorun=Autorun.ALL).verdict is Verdict.ALLOW


def test_what_becomes_public_asks_unless_autorun_is_all() -> None:
    def write(place: str, reach: Reach = Reach.WRITES) -> Request:
        return asked(reach=reach, locations=(place,))

    for place in ("public:/a", "Public:/a", " public:/"):
        assert judged(write(place), autorun=None).verdict is Verdict.ASK
    assert judged(write("private:/a"), autorun=None).verdict is Verdict.ALLOW
    assert judged(write("public:/a", Reach.READS), autorun=None).verdict is Verdict.ALLOW
    assert judged(write("public:/a"), autorun=Autorun.ALL).verdict is Verdict.ALLOW


def test_the_stricter_of_two_autoruns_counts() -> None:
    how = policy_context(autorun=None)
    assert how.runs is Autorun.NO_PUBLIC
    policy = how.policy.policy.model_copy(update={"autorun": Autorun.ALL})
    wide = replace(how, policy=type(how.policy)(policy, 1))
    assert wide.runs is Autorun.ALL
    assert replace(wide, autorun=Autorun.NONE).runs is Autorun.NONE


def test_a_rate_is_kept_and_says_when_to_try_again() -> None:
    limited = asked(tool=replace(TOOL, rate_per_hour=2))
    assert judged(limited, used={"tidy": 1}).verdict is Verdict.ALLOW
    decision = judged(limited, used={"tidy": 2})
    assert decision.verdict is Verdict.DENY
    assert decision.layer == Layer.RATE
    assert "at Fri 20 Nov 2026, 10:00 (UTC) at the latest" in decision.fix
    there = judged(limited, used={"tidy": 2}, zone="Europe/Berlin")
    assert "at Fri 20 Nov 2026, 11:00 (Europe/Berlin) at the latest" in there.fix
    tighter = {"tidy": Governance(rate_per_hour=1)}
    assert judged(limited, used={"tidy": 1}, tools=tighter).verdict is Verdict.DENY
    wider = {"tidy": Governance(rate_per_hour=9)}
    assert judged(limited, used={"tidy": 2}, tools=wider).verdict is Verdict.DENY
    assert judged(limited, used={"other": 9}).verdict is Verdict.ALLOW


@pytest.mark.parametrize(
    ("reach", "expected"),
    [
        (Reach.READS, Verdict.ALLOW),
        (Reach.WRITES, Verdict.ALLOW),
        (Reach.SENDS, Verdict.ASK),
        (Reach.DESTROYS, Verdict.ASK),
        (Reach.EXECUTES, Verdict.DENY),
        (Reach.GOVERNS, Verdict.DENY),
    ],
)
def test_taint_counts_by_what_a_call_can_touch(reach: Reach, expected: Verdict) -> None:
    request = asked(reach=reach, own=True, tainted=True)
    assert judged(request, rule("allow")).verdict is expected


def test_what_is_remembered_of_outside_text_asks() -> None:
    memory = replace(TOOL, remembers=True)
    note = asked(reach=Reach.WRITES, tool=memory, tainted=True)
    assert judged(note).verdict is Verdict.ASK
    assert judged(replace(note, tainted=False)).verdict is Verdict.ALLOW


def test_the_owner_may_send_and_destroy_and_run_by_hand_where_nothing_taints() -> None:
    for reach in (Reach.SENDS, Reach.DESTROYS):
        assert judged(asked(reach=reach, own=True, actor=PERSON)).verdict is Verdict.ALLOW
    assert judged(asked(reach=Reach.EXECUTES, risk=Risk.HIGH, actor=PERSON)).verdict is Verdict.ASK


def test_a_grant_lowers_an_ask_to_a_report() -> None:
    request = asked(risk=Risk.HIGH, reach=Reach.WRITES, args={"title": "Tea"})
    granted = grant_for(request)
    decision = judged(request, grants=[granted])
    assert (decision.verdict, decision.grant, decision.layer) == (
        Verdict.REPORT,
        "g1",
        Layer.GRANT,
    )
    asking = judged(request, rule("ask"), grants=[granted])
    assert asking.verdict is Verdict.REPORT
    other = request.facts.model_copy(update={"args": {"title": "Coffee"}})
    assert judged(replace(request, facts=other), grants=[granted]).verdict is Verdict.ASK


def test_a_grant_is_no_help_against_a_no_the_mode_or_autorun() -> None:
    request = asked(risk=Risk.HIGH, reach=Reach.WRITES)
    grants = [grant_for(request)]
    assert judged(request, rule("deny"), grants=grants).verdict is Verdict.DENY
    alert = judged(request, grants=grants, mode=Mode.ALERT)
    assert (alert.verdict, alert.grant) == (Verdict.ASK, "")
    assert judged(request, grants=grants, autorun=Autorun.NONE).verdict is Verdict.ASK
    enforced = {"tidy": Governance(enforced=True)}
    assert judged(request, grants=grants, tools=enforced).verdict is Verdict.ASK


def test_beside_outside_text_only_a_grant_made_for_that_counts() -> None:
    send = asked(risk=Risk.HIGH, reach=Reach.SENDS, args={"to": "ann@example.org"})
    tainted = replace(send, tainted=True)
    assert judged(tainted, grants=[grant_for(send)]).verdict is Verdict.ASK
    with pytest.raises(Denied, match="only events"):
        grant_for(tainted)
    made = before_upgrade(tainted)
    made_for_it = judged(tainted, grants=[made])
    assert (made_for_it.verdict, made_for_it.grant) == (Verdict.REPORT, "g1")
    other = tainted.facts.model_copy(update={"args": {"to": "eve@example.org"}})
    assert judged(replace(tainted, facts=other), grants=[made]).verdict is Verdict.ASK


def test_a_grant_for_outside_text_also_spares_the_question_that_only_taint_asks() -> None:
    tainted = asked(risk=Risk.LOW, reach=Reach.SENDS, tainted=True)
    assert judged(tainted).verdict is Verdict.ASK
    assert judged(tainted, grants=[before_upgrade(tainted)]).verdict is Verdict.REPORT


def test_a_grant_that_has_ended_is_none() -> None:
    request = asked(risk=Risk.HIGH)
    ended = (
        grant_for(request, revoked=NOW),
        grant_for(request, expires=NOW),
        grant_for(request, used=20),
    )
    for one in ended:
        assert judged(request, grants=[one]).verdict is Verdict.ASK
    alive = grant_for(request, used=19, expires=NOW + timedelta(seconds=1))
    assert judged(request, grants=[*ended, alive]).verdict is Verdict.REPORT


def test_a_rule_that_asks_about_taint_cannot_make_it_an_advantage() -> None:
    request = asked(tainted=True)
    clean_only = rule("deny", tainted=False)
    assert judged(request, clean_only).verdict is Verdict.DENY
    assert judged(request, rule("allow", tainted=True), default=RuleAction.DENY).verdict is (
        Verdict.DENY
    )
    stopped = rule("deny", tainted=True)
    assert judged(request, stopped).verdict is Verdict.DENY
    assert judged(replace(request, tainted=False), stopped).verdict is Verdict.ALLOW


def test_a_rule_that_asks_about_taint_cannot_talk_the_risk_down() -> None:
    milder = rule("allow", tainted=True).model_copy(update={"risk": Risk.LOW})
    request = asked(risk=Risk.HIGH)
    for tainted in (False, True):
        seen = replace(request, tainted=tainted)
        decision = judged(seen, milder, default=RuleAction.ALLOW, mode=Mode.ALERT)
        assert (decision.verdict, decision.word) == (Verdict.ASK, WORD)


def test_an_explanation_tells_of_the_layers_that_added_nothing() -> None:
    steps = [str(step) for step in explain(asked(), policy_context())]
    assert steps == [
        "deny: nothing stands against it",
        "constraint: the policy sets it no limits",
        "base: tidy is low risk here, so allow",
        "rule: no rule fits",
        "default: the policy names none",
        "floor: it is not among what always asks",
        "grant: none is needed so far",
        "mode: normal adds nothing",
        "autorun: all adds nothing",
        "rate: it has no limit by the hour",
        "taint: no outside text was in view",
    ]
