"""May this call run? One pure function; each layer that speaks leaves its line.

The layers speak in the order of ``_LAYERS``. What cannot be is denied first. Then the tool's own
word, a rule or the policy's default, and a grant settle the matter among themselves. What comes
after them only ever makes it stricter.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cached_property
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from assistant.domain.calls import Reach, Risk
from assistant.domain.decisions import (
    Decision,
    Layer,
    Request,
    Step,
    Verdict,
    one_line,
    stricter,
)
from assistant.domain.floor import on_the_floor, takes_a_word
from assistant.domain.governance import Governance, Limits, Violation, not_in_mode
from assistant.domain.grants import Grant, first_cover
from assistant.domain.modes import Autorun, Mode
from assistant.domain.moments import say_moment
from assistant.domain.rule_index import RuleIndex
from assistant.domain.rules import ANY_TOOL, Action, CompiledRule, Rule, Values
from assistant.domain.traits import Confirmation, ToolTraits

__all__ = [
    "EMPTY", "WORD", "CompiledPolicy", "Decision", "Policy", "Request", "Standing", "Step",
    "ToolTraits", "Verdict", "compiled", "decide", "explain",
]  # fmt: skip

WORD = "CONFIRM"
"""What is typed with a yes that must not be given in passing."""
PUBLIC = "public:/"
_HOUR = timedelta(hours=1)


class Policy(BaseModel):
    """What the owner wrote down about what the assistant may do."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    version: Literal[1] = 1
    """Of the format."""
    default: Action | None = None
    """What becomes of a call that no rule fits; None leaves it to the tool's own word."""
    autorun: Autorun | None = None
    rules: Annotated[tuple[Rule, ...], Field(max_length=2_000)] = ()
    """The first that fits counts: those for the very tool before those for every tool."""
    tools: dict[str, Governance] = Field(default_factory=dict)
    """Limits by the name of the tool."""


class CompiledPolicy:
    """A policy that is ready to be asked, often. Make it once, with ``compiled``."""

    __slots__ = ("_by_tool", "_for_all", "asks_taint", "limits", "policy", "version")

    def __init__(self, policy: Policy, version: int) -> None:
        self.policy = policy
        self.version = version
        """Which of the owner's policies it is; not that of the format."""
        self.limits = {name: Limits(terms) for name, terms in policy.tools.items()}
        self.asks_taint = any(
            one.param == "@tainted" for rule in policy.rules for one in rule.conditions
        )
        ready: dict[str, list[CompiledRule]] = defaultdict(list)
        for place, rule in enumerate(policy.rules):
            ready[rule.tool].append(CompiledRule(rule, place))
        self._for_all = RuleIndex(ready.pop(ANY_TOOL, []))
        self._by_tool = {name: RuleIndex(rules) for name, rules in ready.items()}

    def rule_for(self, request: Request, *, tainted: bool) -> CompiledRule | None:
        """The first rule for this tool that fits, else the first for every tool."""
        values = Values(request, tainted=tainted)
        own = self._by_tool.get(request.tool.name)
        return (own.first(values) if own else None) or self._for_all.first(values)

    def enforces(self, tool: ToolTraits) -> bool:
        """True when this tool always asks, by its own word or by the policy's."""
        limits = self.limits.get(tool.name)
        return tool.enforced or (limits is not None and limits.terms.enforced)


def compiled(policy: Policy, version: int = 0) -> CompiledPolicy:
    return CompiledPolicy(policy, version)


EMPTY = compiled(Policy())
"""No rules and no limits: what the tools say of themselves, the floor and the raises stand."""


@dataclass(frozen=True, kw_only=True)
class Standing:
    """How things stand when a request is judged, all from the transaction that records it."""

    now: datetime
    """Aware."""
    policy: CompiledPolicy = EMPTY
    mode: Mode = Mode.NORMAL
    autorun: Autorun | None = None
    """The stricter of this and the policy's counts; where neither speaks, ``no_public``."""
    grants: Sequence[Grant] = ()
    used: Mapping[str, int] = field(default_factory=dict)
    """Calls of each tool in the last hour, this one not among them."""
    free: bool = True
    """True where a person can be asked."""
    zone: str = "UTC"
    """The owner's, in which they are told a time."""

    @cached_property
    def runs(self) -> Autorun:
        """The autorun that is in force."""
        said = [one for one in (self.autorun, self.policy.policy.autorun) if one is not None]
        return max(said, key=_CAUTION.__getitem__, default=Autorun.NO_PUBLIC)


_CAUTION = {Autorun.ALL: 0, Autorun.NO_PUBLIC: 1, Autorun.NONE: 2}


def decide(request: Request, standing: Standing) -> Decision:
    """Decide on one call. Nothing in a request can make this raise, nor take long."""
    return _considered(request, standing).decision()


def explain(request: Request, standing: Standing) -> tuple[Step, ...]:
    """The same decision, layer by layer, with those that added nothing."""
    return tuple(_considered(request, standing).steps)


def _considered(request: Request, standing: Standing) -> "_Case":
    case = _Case(request, standing)
    for layer in _LAYERS:
        layer(case)
        if case.closed:
            break
    case.close()
    return case


class _Case:
    """A request on its way through the layers."""

    __slots__ = (
        "by", "closed", "enforced", "fixes", "floor", "grant", "limits", "message", "reads",
        "request", "risk", "rule", "standing", "steps", "verdict", "word",
    )  # fmt: skip

    def __init__(self, request: Request, standing: Standing) -> None:
        self.request = request
        self.standing = standing
        self.verdict = Verdict.ALLOW
        self.risk = request.risk or Risk.HIGH
        self.reads = request.reach is Reach.READS
        self.floor = on_the_floor(request.reach, request.facts)
        self.limits = standing.policy.limits.get(request.tool.name)
        self.enforced = standing.policy.enforces(request.tool)
        self.by = Layer.BASE
        self.rule = self.message = self.grant = self.word = ""
        self.fixes: list[str] = []
        self.steps: list[Step] = []
        self.closed = False

    def settle(self, layer: Layer, verdict: Verdict, words: str) -> None:
        """Say what becomes of it, in place of what earlier layers said."""
        self.verdict, self.by = verdict, layer
        self.steps.append(Step(layer, words, True, verdict))

    def at_least(self, layer: Layer, verdict: Verdict, words: str, fix: str = "") -> None:
        """Make it as strict as this, if it is not already."""
        if verdict.severity > self.verdict.severity:
            self.verdict, self.by = verdict, layer
        if verdict is Verdict.DENY and fix:
            self.fixes.append(fix)
        self.steps.append(Step(layer, words, True, self.verdict))

    def refuse(self, layer: Layer, violations: Sequence[Violation]) -> None:
        """No, for these reasons; the layers after this one are not asked."""
        for words, fix in violations:
            self.at_least(layer, Verdict.DENY, words, fix)
        self.closed = True

    def add_nothing(self, layer: Layer, words: str) -> None:
        self.steps.append(Step(layer, words, False, self.verdict))

    def close(self) -> None:
        """Nobody is asked where nobody is; layers that were not reached say so."""
        if self.closed:
            reached = {step.layer for step in self.steps}
            for layer in Layer:
                if layer not in reached:
                    self.add_nothing(layer, "not reached")
        if self.verdict is Verdict.ASK and not self.standing.free:
            fix = "ask for it where the owner can press a button"
            self.at_least(Layer.DENY, Verdict.DENY, "nobody can be asked here", fix)

    def decision(self) -> Decision:
        asks = self.verdict is Verdict.ASK
        runs = self.verdict.severity < Verdict.ASK.severity
        return Decision(
            verdict=self.verdict,
            risk=self.risk,
            reasons=tuple(str(step) for step in self.steps if step.spoke),
            layer=self.by,
            rule=self.rule,
            message=self.message,
            grant=self.grant if runs else "",
            word=self.word if asks else "",
            fix="; ".join(self.fixes) if self.verdict is Verdict.DENY else "",
            policy=self.standing.policy.version,
            mode=self.standing.mode,
        )


def _deny(case: _Case) -> None:
    request, tool = case.request, case.request.tool
    if request.facts.trouble:
        words = one_line(request.facts.trouble, 4_000) or "it cannot be carried out"
        case.refuse(Layer.DENY, [Violation(words, "")])
    elif not tool.known:
        words = f"there is no tool named {one_line(tool.name, 80)}"
        case.refuse(Layer.DENY, [Violation(words, "use one of the tools on offer")])
    elif request.risk is None or request.reach is None:
        words = f"what {tool.name} would do cannot be told"
        case.refuse(Layer.DENY, [Violation(words, "use another tool")])
    elif request.reach is Reach.GOVERNS and not request.by_owner:
        fix = "the owner does this, with a command or a button"
        words = "approving and governing are not for a model"
        case.refuse(Layer.DENY, [Violation(words, fix)])
    else:
        case.add_nothing(Layer.DENY, "nothing stands against it")


def _constraints(case: _Case) -> None:
    tool, mode, limits = case.request.tool, case.standing.mode, case.limits
    found = limits.violations(case.request.facts, mode) if limits else []
    if mode not in tool.allowed_modes:
        good = [one for one in Mode if one in tool.allowed_modes]
        found = [not_in_mode(mode, good), *found]
    if found:
        case.refuse(Layer.CONSTRAINT, found)
    elif limits:
        case.add_nothing(Layer.CONSTRAINT, "it keeps the limits that the policy sets")
    else:
        case.add_nothing(Layer.CONSTRAINT, "the policy sets it no limits")


_BASE = {Risk.LOW: Verdict.ALLOW, Risk.MEDIUM: Verdict.REPORT, Risk.HIGH: Verdict.ASK}


def _base(case: _Case) -> None:
    tool, name = case.request.tool, case.request.tool.name
    verdict = _BASE[case.risk]
    words = f"{name} is {case.risk} risk here, so {verdict}"
    if verdict is not Verdict.ASK and (why := _wants_a_yes(tool, case)):
        verdict, words = Verdict.ASK, f"{name} is {case.risk} risk here, but {why}, so ask"
    case.settle(Layer.BASE, verdict, words)


def _wants_a_yes(tool: ToolTraits, case: _Case) -> str:
    if case.enforced:
        return "it is enforced"
    if tool.confirmation is Confirmation.ALWAYS:
        return "it always wants a yes"
    destroys = case.request.facts.destructive or case.request.reach is Reach.DESTROYS
    if tool.confirmation is Confirmation.IF_DESTRUCTIVE and destroys:
        return "it wants a yes where something would be gone"
    return ""


def _rules(case: _Case) -> None:
    rule = _matching(case)
    if rule is not None:
        case.rule, case.message = rule.label, rule.rule.message
        if rule.verdict is Verdict.DENY:
            case.fixes.append(f"the owner would have to change {rule.label} of the policy")
        _replace(case, Layer.RULE, rule.verdict, _said(rule))
        case.add_nothing(Layer.DEFAULT, "not asked, as a rule fits")
        return
    case.add_nothing(Layer.RULE, "no rule fits")
    default = case.standing.policy.policy.default
    if default is None:
        case.add_nothing(Layer.DEFAULT, "the policy names none")
        return
    case.rule = "default"
    if default is Action.DENY:
        case.fixes.append("the owner would have to write a rule for it")
    _replace(case, Layer.DEFAULT, default.verdict, f"no rule fits, so {default}")


def _said(rule: CompiledRule) -> str:
    kind = "every tool" if rule.rule.tool == ANY_TOOL else rule.rule.tool
    told = f": {one_line(rule.rule.message)}" if rule.rule.message else ""
    return f"{rule.label}, for {kind}, says {rule.verdict}{told}"


def _matching(case: _Case) -> CompiledRule | None:
    """The rule that fits; for a tainted call none milder than for the same call untainted."""
    policy, request = case.standing.policy, case.request
    found = policy.rule_for(request, tainted=request.tainted)
    if not (request.tainted and policy.asks_taint):
        case.risk = _risk_by(case, found)
        return found
    clean = policy.rule_for(request, tainted=False)
    case.risk = max(_risk_by(case, found), _risk_by(case, clean), key=_severity)
    milder = _verdict_by(case, found).severity < _verdict_by(case, clean).severity
    return clean if milder else found


def _verdict_by(case: _Case, rule: CompiledRule | None) -> Verdict:
    """What layers 2 and 3 come to with this rule, or with none."""
    if rule is not None:
        return rule.verdict
    default = case.standing.policy.policy.default
    return default.verdict if default else case.verdict


def _risk_by(case: _Case, rule: CompiledRule | None) -> Risk:
    """A rule may put its own word on the risk, but what always asks is not talked down."""
    said = rule.rule.risk if rule else None
    if said is None:
        return case.risk
    held = case.enforced or bool(case.floor)
    return max(case.risk, said, key=_severity) if held else said


def _severity(risk: Risk) -> int:
    return _BASE[risk].severity


def _replace(case: _Case, layer: Layer, verdict: Verdict, words: str) -> None:
    if case.enforced and verdict is not (held := stricter(verdict, Verdict.ASK)):
        words = f"{words}; but {case.request.tool.name} is enforced, so {held}"
        verdict = held
    case.settle(layer, verdict, words)


def _floor(case: _Case) -> None:
    if not case.floor:
        case.add_nothing(Layer.FLOOR, "it is not among what always asks")
        return
    case.at_least(Layer.FLOOR, Verdict.ASK, f"{case.floor}, which always asks")
    if takes_a_word(case.request.reach, case.request.facts):
        case.word = WORD


def _grants(case: _Case) -> None:
    if case.verdict is not Verdict.ASK:
        case.add_nothing(Layer.GRANT, "none is needed so far")
    elif case.floor or case.enforced:
        case.add_nothing(Layer.GRANT, "none lowers what always asks")
    elif grant := _cover(case):
        case.grant = grant.id
        case.settle(Layer.GRANT, Verdict.REPORT, f"{grant.handle} covers it, so report")
    else:
        case.add_nothing(Layer.GRANT, "none covers it")


def _cover(case: _Case) -> Grant | None:
    if case.floor or case.enforced:
        return None
    return first_cover(case.standing.grants, case.request, case.standing.now)


_ALERT = {Risk.LOW: Verdict.REPORT, Risk.MEDIUM: Verdict.ASK, Risk.HIGH: Verdict.ASK}


def _mode(case: _Case) -> None:
    mode, limits = case.standing.mode, case.limits
    before = len(case.steps)
    if mode is Mode.ALERT:
        verdict = _ALERT[case.risk]
        typed = f", with {WORD} typed" if case.risk is Risk.HIGH else ""
        words = f"in alert, {case.risk} risk means {verdict}{typed}"
        case.at_least(Layer.MODE, verdict, words)
        case.word = WORD if typed else case.word
    elif mode is Mode.LOCKDOWN and not case.reads:
        fix = "leave lockdown, then ask again"
        case.at_least(Layer.MODE, Verdict.DENY, "in lockdown there are only reads", fix)
    elif mode is Mode.RECOVERY and not case.reads:
        case.at_least(Layer.MODE, Verdict.ASK, "in recovery every change asks")
    if limits and mode in limits.terms.requires_approval_in_modes:
        words = f"the policy wants {case.request.tool.name} approved in mode {mode}"
        case.at_least(Layer.MODE, Verdict.ASK, words)
    if len(case.steps) == before:
        case.add_nothing(Layer.MODE, f"{mode} adds nothing")


def _autorun(case: _Case) -> None:
    autorun = case.standing.runs
    if autorun is Autorun.NONE and not case.reads:
        case.at_least(Layer.AUTORUN, Verdict.ASK, "none: everything that is not a read asks")
    elif autorun is Autorun.NO_PUBLIC and not case.reads and _is_public(case.request):
        case.at_least(Layer.AUTORUN, Verdict.ASK, f"no_public: what touches {PUBLIC} asks")
    else:
        case.add_nothing(Layer.AUTORUN, f"{autorun} adds nothing")


def _is_public(request: Request) -> bool:
    places = (*request.facts.locations, request.facts.destination)
    return any(place.strip().lower().startswith(PUBLIC) for place in places)


def _rate(case: _Case) -> None:
    standing, tool, limits = case.standing, case.request.tool, case.limits
    said = (tool.rate_per_hour, limits.terms.rate_per_hour if limits else None)
    most = min((one for one in said if one is not None), default=None)
    if most is None:
        case.add_nothing(Layer.RATE, "it has no limit by the hour")
        return
    used = standing.used.get(tool.name, 0)
    if used < most:
        case.add_nothing(Layer.RATE, f"{used} of {most} in the last hour")
        return
    again = say_moment(standing.now + _HOUR, standing.zone)
    fix = f"try again within the hour, at {again} at the latest" if most else "raise the limit"
    words = f"{tool.name} ran {used} times in the last hour, of {most} at the most"
    case.at_least(Layer.RATE, Verdict.DENY, words, fix)


def _taint(case: _Case) -> None:
    request = case.request
    if not request.tainted:
        case.add_nothing(Layer.TAINT, "no outside text was in view")
    elif request.reach is Reach.EXECUTES:
        fix = "ask for it in a new conversation, before anything from outside is read"
        words = "outside text was in view, and what others wrote runs no command"
        case.at_least(Layer.TAINT, Verdict.DENY, words, fix)
    elif why := _taint_asks(request):
        _ask_for_taint(case, why)
    else:
        case.add_nothing(Layer.TAINT, f"outside text was in view; what {request.reach} may run")


def _taint_asks(request: Request) -> str:
    if request.reach is Reach.WRITES:
        return "what is remembered outlives the talk" if request.tool.remembers else ""
    return "" if request.reach is Reach.READS else f"it {request.reach}"


def _ask_for_taint(case: _Case, why: str) -> None:
    grant = _cover(case)
    if grant is not None:
        case.grant = grant.id
        words = f"outside text was in view, for which {grant.handle} was made, so report"
        case.at_least(Layer.TAINT, Verdict.REPORT, words)
        return
    case.at_least(Layer.TAINT, Verdict.ASK, f"outside text was in view, and {why}, so ask")


_LAYERS: tuple[Callable[[_Case], None], ...] = (
    _deny, _constraints, _base, _rules, _floor, _grants, _mode, _autorun, _rate, _taint,
)  # fmt: skip
