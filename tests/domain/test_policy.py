"""What no argument, risk or reach can talk the policy into, and what it must let pass."""

from hypothesis import given
from hypothesis import strategies as st

from assistant.domain.calls import Facts, Reach, Risk
from assistant.domain.policy import Decision, Verdict, decide

names = st.text(min_size=1, max_size=20)
risks = st.sampled_from(Risk)
reaches = st.sampled_from(Reach)
harmless = reaches.filter(lambda reach: reach is not Reach.GOVERNS)
arguments = st.dictionaries(st.text(), st.text() | st.integers() | st.booleans())
facts = st.builds(Facts, args=arguments, own=st.booleans())


def judged(
    *, risk: Risk | None, reach: Reach | None, trouble: str = "", tool: str = "create_event"
) -> Decision:
    return decide(tool=tool, risk=risk, reach=reach, facts=Facts(args={}, trouble=trouble))


@given(names, st.none() | risks, st.none() | reaches, facts, names)
def test_trouble_is_always_a_no_that_says_why(
    tool: str,
    risk: Risk | None,
    reach: Reach | None,
    found: Facts,
    trouble: str,
) -> None:
    troubled = found.model_copy(update={"trouble": trouble})
    decision = decide(tool=tool, risk=risk, reach=reach, facts=troubled)
    assert decision.verdict is Verdict.DENY
    assert trouble in decision.reasons[-1]


@given(names, st.none() | risks, st.none() | reaches)
def test_an_unknown_tool_is_always_refused(
    tool: str, risk: Risk | None, reach: Reach | None
) -> None:
    decision = judged(tool=tool, risk=risk, reach=reach)
    known = risk is not None and reach is not None
    assert known or decision.verdict is Verdict.DENY


@given(risks)
def test_no_model_governs(risk: Risk) -> None:
    assert judged(risk=risk, reach=Reach.GOVERNS).verdict is Verdict.DENY


@given(harmless)
def test_high_risk_always_asks(reach: Reach) -> None:
    assert judged(risk=Risk.HIGH, reach=reach).verdict is Verdict.ASK


@given(harmless)
def test_what_carries_little_risk_is_let_pass(reach: Reach) -> None:
    assert judged(risk=Risk.LOW, reach=reach).verdict is Verdict.ALLOW
    assert judged(risk=Risk.MEDIUM, reach=reach).verdict is Verdict.REPORT


@given(names, st.none() | risks, st.none() | reaches, st.text())
def test_every_decision_gives_its_reasons(
    tool: str, risk: Risk | None, reach: Reach | None, trouble: str
) -> None:
    decision = judged(tool=tool, risk=risk, reach=reach, trouble=trouble)
    assert decision.reasons
    assert all(reason.startswith(("deny: ", "base: ")) for reason in decision.reasons)
