"""May this call run? One pure function; each layer that speaks leaves its line.

So far the layers are: what cannot be done at all, and the base risk. Rules, grants, modes and taint
are layers of their own between and after these two.
"""

from enum import StrEnum

from pydantic import BaseModel, ConfigDict

from assistant.domain.calls import Facts, Reach, Risk


class Verdict(StrEnum):
    ALLOW = "allow"
    REPORT = "report"
    """It runs, and the person is told."""
    ASK = "ask"
    DENY = "deny"


class Decision(BaseModel):
    model_config = ConfigDict(frozen=True)
    verdict: Verdict
    risk: Risk
    reasons: tuple[str, ...]
    """One line a layer, in the order they spoke, each beginning with the layer's name."""


_BASE = {Risk.LOW: Verdict.ALLOW, Risk.MEDIUM: Verdict.REPORT, Risk.HIGH: Verdict.ASK}


def decide(*, tool: str, risk: Risk | None, reach: Reach | None, facts: Facts) -> Decision:
    """Decide on one call.

    Args:
        tool: the name the model asked for.
        risk: the tool's own word on this call; None when there is no such tool or it could not say.
        reach: what the call can touch; None when unknown.
        facts: what a look at the world found. A failed look never allows.
    """
    if facts.trouble:
        return _no(facts.trouble)
    if risk is None or reach is None:
        return _no(f"there is no tool named {tool}")
    if reach is Reach.GOVERNS:
        return _no("approving and governing are not for a model")
    verdict = _BASE[risk]
    return Decision(
        verdict=verdict, risk=risk, reasons=(f"base: {tool} is {risk} risk here, so {verdict}",)
    )


def _no(why: str) -> Decision:
    return Decision(verdict=Verdict.DENY, risk=Risk.HIGH, reasons=(f"deny: {why}",))
