"""Rules: which one fits, on which values, and that it is found without trying them all."""

from dataclasses import replace
from time import thread_time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from assistant.domain.calls.call import Facts, Reach, Risk
from assistant.domain.policy.decide import (
    Decision,
    Policy,
    Request,
    ToolTraits,
    Verdict,
    compiled,
    decide,
)
from assistant.domain.policy.rules import (
    LONGEST_MATCHED,
    Condition,
    Operator,
    Rule,
    RuleAction,
    text_of,
)
from assistant.domain.text.patterns import BadPattern, Glob, Pattern, any_of, literal
from assistant.tools.contract.invocation import ConfirmationDetails, Invocation
from tests import judging
from tests.judging import asked, first_by_hand, judged, rule
from tests.tools.samples import a_context, reading

rule_lists = st.lists(judging.rules, max_size=12).map(tuple)


def read(**args: Any) -> Request:
    """A clean read of low risk: what becomes of it is up to the rules."""
    return asked(args=args)


def fits(conditions: dict[str, Any], request: Request, action: str = "deny") -> bool:
    return judged(request, rule(action, **conditions)).rule == "rules[0]"


# The properties of the specification.


@given(rule_lists, judging.requests, st.sampled_from(RuleAction))
def test_the_first_rule_that_fits_decides_else_the_default(
    rules: tuple[Rule, ...], request: Request, default: RuleAction
) -> None:
    """Property 33: Policy Decision Evaluation"""
    tool = ToolTraits(name=request.tool.name)
    plain = replace(request, tool=tool, risk=Risk.LOW, reach=Reach.READS, tainted=False)
    plain = replace(plain, facts=Facts(args=request.facts.args))
    place = first_by_hand(rules, plain)
    expected = default if place is None else rules[place].action
    decision = judged(plain, *rules, default=default)
    own_yes = expected is RuleAction.ASK and plain.by_owner
    assert decision.verdict is (Verdict.REPORT if own_yes else expected.verdict)
    assert decision.rule == ("default" if place is None else f"rules[{place}]")


@given(
    st.sampled_from(RuleAction),
    st.sampled_from(RuleAction),
    st.booleans(),
    st.sampled_from(RuleAction),
)
def test_a_rule_for_the_very_tool_comes_before_those_for_every_tool(
    own: RuleAction,
    every: RuleAction,
    first: bool,  # noqa: FBT001 (hypothesis gives it)
    default: RuleAction,
) -> None:
    """Property 34: Policy Rule Precedence"""
    rules = [rule(own, "tidy"), rule(every, "*")]
    decision = judged(read(), *(rules if first else reversed(rules)), default=default)
    assert decision.verdict is own.verdict
    other = asked(tool=ToolTraits(name="other"))
    assert judged(other, *rules, default=default).verdict is every.verdict


@given(
    st.lists(judging.conditions(), min_size=1, max_size=4).map(tuple),
    st.sampled_from(RuleAction),
    judging.requests,
)
def test_a_rule_applies_only_where_all_its_conditions_hold(
    conditions: tuple[Condition, ...], action: RuleAction, request: Request
) -> None:
    """Property 35: Policy Condition Evaluation"""
    whole = Rule(tool="*", action=action, conditions=conditions)
    alone = [Rule(tool="*", action=action, conditions=(one,)) for one in conditions]
    each = [_applies(one, request) for one in alone]
    assert _applies(whole, request) is all(each)
    assert each == [first_by_hand((one,), request) == 0 for one in alone]


def _applies(one: Rule, request: Request) -> bool:
    policy = compiled(Policy(rules=(one,)))
    return policy.rule_for(request, tainted=request.tainted) is not None


@given(judging.cases())
def test_every_call_has_one_of_the_three_risks(case: tuple[Request, Any]) -> None:
    """Property 36: Policy Risk Classification"""
    assert decide(*case).risk in (Risk.LOW, Risk.MEDIUM, Risk.HIGH)


@given(judging.cases())
def test_who_is_asked_is_told_what_would_happen(case: tuple[Request, Any]) -> None:
    """Property 37: Confirmation Details Completeness"""
    request, how = case
    decision = decide(request, how)
    shown = _details(request, decision)
    if decision.verdict is Verdict.ASK:
        assert shown
        assert shown.tool_name == "read_note"
        assert shown.description
        assert shown.risk in Risk
        assert set(request.facts.locations) <= set(shown.locations)


def _details(request: Request, decision: Decision) -> ConfirmationDetails | None:
    if decision.verdict is Verdict.DENY:
        return None
    call = Invocation(tool=reading(), facts=request.facts, context=a_context())
    return call.confirmation(decision.verdict) or None


# The index finds what trying them all would find.


@given(rule_lists, judging.requests)
def test_the_index_finds_what_a_plain_scan_finds(rules: tuple[Rule, ...], request: Request) -> None:
    found = compiled(Policy(rules=rules)).rule_for(request, tainted=request.tainted)
    place = first_by_hand(rules, request)
    assert (found.place if found else None) == place


@pytest.mark.parametrize("operator", list(Operator))
def test_many_rules_of_one_kind_are_told_apart(operator: Operator) -> None:
    rules = [rule("ask", "*", **{f"to__{operator}": f"n{n:03d}."}) for n in range(600)]
    policy = compiled(Policy(rules=tuple(rules)))
    for n in (0, 1, 299, 599):
        found = policy.rule_for(read(to=[f"n{n:03d}."]), tainted=False)
        assert found is not None
        assert found.place == n
    assert policy.rule_for(read(to="m001."), tainted=False) is None
    assert policy.rule_for(read(), tainted=False) is None


def test_the_earlier_of_two_that_fit_is_found_whatever_they_hang_on() -> None:
    one = rule("ask", to__contains="b")
    other = rule("deny", to="abc")
    assert judged(read(to="abc"), one, other).rule == "rules[0]"
    assert judged(read(to="abc"), other, one).rule == "rules[0]"


# Values: single, several, absent.


@pytest.mark.parametrize(
    ("operator", "value", "fitting", "other"),
    [
        ("equals", "a", "a", "ab"),
        ("contains", "b", "abc", "ac"),
        ("startsWith", "ab", "abc", "cab"),
        ("matches", "^a.c$", "abc", "abcd"),
        ("matches", "b", "abc", "ac"),
        ("equals", 5, 5, 6),
        ("equals", 5, "5", "5.0"),
        ("equals", 5, 5.0, True),
        ("equals", True, True, 1),
        ("equals", "true", True, "True"),
        ("startsWith", 4, 42, 24),
    ],
)
def test_each_operator_in_both_directions(
    operator: str, value: Any, fitting: Any, other: Any
) -> None:
    for action in ("allow", "ask", "deny"):
        condition = {f"to__{operator}": value}
        assert fits(condition, read(to=fitting), action)
        assert not fits(condition, read(to=other), action)
        assert not fits(condition, read(), action)
        assert not fits(condition, read(to=None), action)
        several = {f"to__{operator}": ["nothing", value]}
        assert fits(several, read(to=fitting), action)
        assert not fits(several, read(to=other), action)


def test_of_several_values_one_is_enough_to_stop_and_all_are_needed_to_allow() -> None:
    condition = {"to__startsWith": "ann@"}
    both = read(to=["ann@example.org", "eve@example.org"])
    assert fits(condition, both, "deny")
    assert fits(condition, both, "ask")
    assert not fits(condition, both, "allow")
    assert fits(condition, read(to=["ann@example.org", "ann@example.com"]), "allow")
    assert not fits(condition, read(to=["ann@example.org", None]), "allow")
    assert not fits(condition, read(to=[]), "allow")


def test_a_path_leads_into_objects_and_through_lists() -> None:
    guests = read(who=[{"mail": "ann"}, {"mail": "eve"}], deep={"er": {"still": "x"}})
    assert fits({"who.mail": "eve"}, guests)
    assert not fits({"who.mail": "ann"}, guests, "allow")
    assert fits({"deep.er.still": "x"}, guests)
    assert fits({"deep": "x"}, guests)
    assert not fits({"deep.still": "x"}, guests)
    assert not fits({"who.mail.name": "eve"}, guests)


def test_a_rule_may_go_by_where_the_request_comes_from() -> None:
    strange = replace(read(), sender_grade="unknown", channel="discord", tainted=True)
    known = replace(strange, sender_grade="known")
    assert fits({"sender_grade": "unknown"}, strange)
    assert not fits({"sender_grade": "unknown"}, known)
    assert not fits({"sender_grade__matches": ".*"}, read())
    assert fits({"channel__startsWith": "dis", "tainted": True}, strange)
    assert fits({"actor__startsWith": "owner:"}, replace(read(), actor=judging.PERSON))
    assert not fits({"actor__startsWith": "owner:"}, read())


def test_an_argument_cannot_pass_for_an_origin() -> None:
    forged = read(**{"@actor": "owner:1", "@sender_grade": "known"})
    assert not fits({"actor__startsWith": "owner:"}, forged)
    assert not fits({"sender_grade": "known"}, forged)


def test_a_rule_may_count_the_risk_otherwise() -> None:
    lower = rule("allow").model_copy(update={"risk": Risk.LOW})
    higher = rule("ask").model_copy(update={"risk": Risk.HIGH})
    assert judged(asked(risk=Risk.HIGH), lower).risk is Risk.LOW
    assert judged(asked(risk=Risk.LOW), higher).risk is Risk.HIGH
    destroys = asked(risk=Risk.HIGH, reach=Reach.DESTROYS)
    assert judged(destroys, lower).risk is Risk.HIGH


def test_a_message_is_told_in_one_line() -> None:
    forged = rule("deny").model_copy(update={"message": "no\ngrant: yes"})
    assert judged(read(), forged).reasons[-1] == (
        "rule: rules[0], for tidy, says deny: no grant: yes"
    )


# Patterns are bounded.


@pytest.mark.parametrize(
    "pattern",
    [r"(a)\1", "(?=a)", "(?<!a)b", "a{1001}", "(a{1000}){1000}", "(", "a" * 1001, "\ud800", ""],
)
def test_a_pattern_that_is_not_bounded_is_refused(pattern: str) -> None:
    with pytest.raises(ValidationError):
        Condition(param="to", operator=Operator.MATCHES, value=pattern)
    with pytest.raises(ValidationError):
        Condition(param="to", operator=Operator.MATCHES, value=("a", pattern))


@pytest.mark.parametrize("pattern", ["(a+)+$", "(a|aa)+$", "(.*a){20}", "^(([a-z])+.)+[A-Z]$"])
def test_no_text_makes_a_pattern_slow(pattern: str) -> None:
    hostile = read(to="a" * 200_000 + "!")
    began = thread_time()
    judged(hostile, *(rule("deny", to__matches=[pattern, "x"]) for _ in range(20)))
    assert thread_time() - began < 5


def test_a_text_too_long_to_be_searched_is_stopped_and_not_allowed() -> None:
    long = read(to="a" * (LONGEST_MATCHED + 1))
    assert fits({"to__matches": "b"}, long, "deny")
    assert fits({"to__matches": "b"}, long, "ask")
    assert not fits({"to__matches": "a"}, long, "allow")
    many = [rule("deny", to__matches=f"x{n}") for n in range(50)]
    assert judged(long, *many).rule == "rules[0]"


def test_a_pattern_that_quotes_to_its_end_hides_no_other() -> None:
    assert any_of(["a", r"\Qb", r"\Qc\E"]) is None
    rules = [rule("deny", to__matches=[r"\Qx", "b", r"\Qy\E"]), rule("deny", to__matches="z")] * 10
    assert judged(read(to="b"), *rules).rule == "rules[0]"


@given(st.lists(st.text(min_size=1, max_size=4), min_size=1, max_size=12), st.text(max_size=20))
def test_a_joined_pattern_finds_what_any_of_its_parts_finds(parts: list[str], text: str) -> None:
    quoted = [literal(part) for part in parts]
    joined = any_of(quoted)
    assert joined is not None
    assert joined.found_in(text) == any(part in text for part in parts)
    assert joined.found_in(text) == any(Pattern(part).found_in(text) for part in quoted)


@pytest.mark.parametrize(
    ("glob", "fitting", "others"),
    [
        ("private:/**", ["private:/", "private:/a", "private:/a/b"], ["public:/a", "privatex:/"]),
        ("a/**", ["a", "a/b", "a/b/c"], ["ab", "b/a"]),
        ("a/*", ["a/b", "a/.x"], ["a", "a/b/c"]),
        ("**/b", ["b", "a/b", "x/a/b"], ["ab", "b/a"]),
        ("a/**/b", ["a/b", "a/x/b", "a/x/y/b"], ["ab", "a/xb"]),
        ("a?.txt", ["ab.txt"], ["a.txt", "a/.txt", "abc.txt", "abxtxt"]),
        ("a[b]", ["a[b]"], ["ab"]),
    ],
)
def test_globs_keep_to_their_segments(glob: str, fitting: list[str], others: list[str]) -> None:
    compiled_glob = Glob(glob)
    assert [path for path in fitting if not compiled_glob.fits(path)] == []
    assert [path for path in others if compiled_glob.fits(path)] == []


def test_an_empty_or_endless_glob_is_refused() -> None:
    for glob in ("", "a" * 1001, "\ud800"):
        with pytest.raises(BadPattern):
            Glob(glob)


@pytest.mark.parametrize(
    "value", [[], "", [""], None, {"a": 1}, [[1]], float("nan"), "\ud800", ["x"] * 1001]
)
def test_a_value_that_nothing_can_have_is_refused(value: Any) -> None:
    with pytest.raises(ValidationError):
        Condition.model_validate({"param": "to", "operator": "contains", "value": value})


@pytest.mark.parametrize("param", ["", ".", "a..b", "@owner", "@", "a."])
def test_a_parameter_is_a_path_or_a_known_origin(param: str) -> None:
    with pytest.raises(ValidationError):
        Condition.model_validate({"param": param, "operator": "equals", "value": 1})


def test_values_compare_as_the_texts_they_are_written_as() -> None:
    assert [text_of(one) for one in (True, False, 5, 5.0, 0.5, "x", 2**80)] == [
        "true",
        "false",
        "5",
        "5",
        "0.5",
        "x",
        hex(2**80),
    ]
