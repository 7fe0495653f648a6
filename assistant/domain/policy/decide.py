"""Decide whether a call may run: one pure function, with a line for each layer that has a say.

The layers run in the order of ``_LAYERS``. First, an impossible call is denied. Then the tool's own
risk, a rule or the policy's default, and a grant set the verdict. The layers after them only make
it stricter.

Where the base, a rule, the default, autorun or taint would ask about a call that the owner asked
for in person, that layer stands back: to ask for it was the yes. What denies, the floor, the mode,
the rate and what is enforced do not stand back.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cached_property
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from assistant.domain.calls.call import Reach, Risk
from assistant.domain.governance.modes import Autorun, Mode
from assistant.domain.policy.always_ask import needs_typed_word, why_always_ask
from assistant.domain.policy.decisions import (
    Decision,
    Layer,
    LayerStep,
    Request,
    Verdict,
    one_line,
    stricter,
)
from assistant.domain.policy.grants import Grant, first_cover
from assistant.domain.policy.rule_index import RuleIndex
from assistant.domain.policy.rules import ANY_TOOL, CompiledRule, Rule, RuleAction, Values
from assistant.domain.policy.tool_limits import Governance, Limits, Violation, not_in_mode
from assistant.domain.policy.traits import Confirmation, ToolTraits
from assistant.domain.time.moments import say_moment

__all__ = [
    "EMPTY",
    "WORD",
    "CompiledPolicy",
    "Decision",
    "LayerStep",
    "Policy",
    "PolicyContext",
    "Request",
    "ToolTraits",
    "Verdict",
    "compiled",
    "decide",
    "explain",
]  # fmt: skip

WORD = "CONFIRM"
"""What the owner types to approve a call that takes more than a press."""
PUBLIC = "public:/"
OWN_YES = "but the owner asked for it in person, which is the yes, so report"
"""Ends the line of a layer that stands back from asking."""
_HOUR = timedelta(hours=1)


class Policy(BaseModel):
    """What the assistant may do, as the owner wrote it."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    version: Literal[1] = 1
    """The version of the format."""
    default: RuleAction | None = None
    """The action where no rule matches; None keeps the verdict of the tool's risk."""
    autorun: Autorun | None = None
    rules: Annotated[tuple[Rule, ...], Field(max_length=2_000)] = ()
    """The first match counts; rules for the tool come before rules for every tool."""
    tools: dict[str, Governance] = Field(default_factory=dict)
    """Limits by tool name."""


class CompiledPolicy:
    """A policy compiled for fast decisions. Make it once, with ``compiled``."""

    __slots__ = ("_by_tool", "_for_all", "asks_taint", "limits", "policy", "version")

    def __init__(self, policy: Policy, version: int) -> None:
        self.policy = policy
        self.version = version
        """The version of the owner's policy, not of the format."""
        self.limits = {name: Limits(governance) for name, governance in policy.tools.items()}
        self.asks_taint = any(
            one.param == "@tainted" for rule in policy.rules for one in rule.conditions
        )
        ready: dict[str, list[CompiledRule]] = defaultdict(list)
        for place, rule in enumerate(policy.rules):
            ready[rule.tool].append(CompiledRule(rule, place))
        self._for_all = RuleIndex(ready.pop(ANY_TOOL, []))
        self._by_tool = {name: RuleIndex(rules) for name, rules in ready.items()}

    def rule_for(self, request: Request, *, tainted: bool) -> CompiledRule | None:
        """Return the first matching rule for this tool, else the first for every tool."""
        values = Values(request, tainted=tainted)
        own = self._by_tool.get(request.tool.name)
        return (own.first(values) if own else None) or self._for_all.first(values)

    def enforces(self, tool: ToolTraits) -> bool:
        """Return whether this tool always asks, by its own declaration or by the policy."""
        limits = self.limits.get(tool.name)
        return tool.enforced or (limits is not None and limits.governance.enforced)


def compiled(policy: Policy, version: int = 0) -> CompiledPolicy:
    return CompiledPolicy(policy, version)


EMPTY = compiled(Policy())
"""No rules and no limits: the tools' risks, what always asks, and the later layers decide."""


@dataclass(frozen=True, kw_only=True)
class PolicyContext:
    """What a decision rests on beside the request, from the transaction that records it."""

    now: datetime
    """Aware."""
    policy: CompiledPolicy = EMPTY
    mode: Mode = Mode.NORMAL
    autorun: Autorun | None = None
    """The stricter of this and the policy's autorun counts; without both, ``no_public``."""
    grants: Sequence[Grant] = ()
    used: Mapping[str, int] = field(default_factory=dict)
    """Calls of each tool in the last hour, without this one."""
    destroyed: int = 0
    """What the model's earlier calls of this conversation overwrote or deleted in the last hour."""
    free: bool = True
    """True where a person can be asked."""
    zone: str = "UTC"
    """The owner's zone, for times in messages."""

    @cached_property
    def runs(self) -> Autorun:
        """Return the autorun that is in force."""
        said = [one for one in (self.autorun, self.policy.policy.autorun) if one is not None]
        return max(said, key=_CAUTION.__getitem__, default=Autorun.NO_PUBLIC)


_CAUTION = {Autorun.ALL: 0, Autorun.NO_PUBLIC: 1, Autorun.NONE: 2}


def decide(request: Request, policy_context: PolicyContext) -> Decision:
    """Decide on one call. No request can make this raise or take long."""
    return _run_layers(request, policy_context).decision()


def explain(request: Request, policy_context: PolicyContext) -> tuple[LayerStep, ...]:
    """Return the decision's lines layer by layer, also of layers that added nothing."""
    return tuple(_run_layers(request, policy_context).steps)


def _run_layers(request: Request, policy_context: PolicyContext) -> "_Case":
    case = _Case(request, policy_context)
    for layer in _LAYERS:
        layer(case)
        if case.closed:
            break
    case.close()
    return case


class _Case:
    """A request on its way through the layers."""

    __slots__ = (
        "always_asks",
        "before",
        "by",
        "closed",
        "enforced",
        "fixes",
        "grant",
        "limits",
        "message",
        "policy_context",
        "reads",
        "request",
        "risk",
        "rule",
        "steps",
        "verdict",
        "word",
    )  # fmt: skip

    def __init__(self, request: Request, policy_context: PolicyContext) -> None:
        self.request = request
        self.policy_context = policy_context
        self.verdict = Verdict.ALLOW
        self.risk = request.risk or Risk.HIGH
        self.reads = request.reach is Reach.READS
        self.before = 0 if request.by_owner else policy_context.destroyed
        self.always_asks = why_always_ask(request.reach, request.facts, before=self.before)
        self.limits = policy_context.policy.limits.get(request.tool.name)
        self.enforced = policy_context.policy.enforces(request.tool)
        self.by = Layer.BASE
        self.rule = self.message = self.grant = self.word = ""
        self.fixes: list[str] = []
        self.steps: list[LayerStep] = []
        self.closed = False

    def settle(self, layer: Layer, verdict: Verdict, words: str) -> None:
        """Set the verdict, in place of that of earlier layers."""
        self.verdict, self.by = verdict, layer
        self.steps.append(LayerStep(layer, words, True, verdict))

    def at_least(self, layer: Layer, verdict: Verdict, words: str, fix: str = "") -> None:
        """Raise the verdict to this one, if it is milder."""
        if verdict.severity > self.verdict.severity:
            self.verdict, self.by = verdict, layer
        if verdict is Verdict.DENY and fix:
            self.fixes.append(fix)
        self.steps.append(LayerStep(layer, words, True, self.verdict))

    def stand_back(self, verdict: Verdict, words: str) -> tuple[Verdict, str]:
        """Return what a layer says that would ask about the owner's own call: no second yes."""
        if verdict is not Verdict.ASK or not self.request.by_owner or self.enforced:
            return verdict, words
        return Verdict.REPORT, f"{words}; {OWN_YES}"

    def refuse(self, layer: Layer, violations: Sequence[Violation]) -> None:
        """Deny the call for these reasons, and skip the later layers."""
        for words, fix in violations:
            self.at_least(layer, Verdict.DENY, words, fix)
        self.closed = True

    def add_nothing(self, layer: Layer, words: str) -> None:
        self.steps.append(LayerStep(layer, words, False, self.verdict))

    def close(self) -> None:
        """Add lines for skipped layers; deny a call that asks where nobody can be asked."""
        if self.closed:
            reached = {step.layer for step in self.steps}
            for layer in Layer:
                if layer not in reached:
                    self.add_nothing(layer, "not reached")
        if self.verdict is Verdict.ASK and not self.policy_context.free:
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
            policy=self.policy_context.policy.version,
            mode=self.policy_context.mode,
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
    tool, mode, limits = case.request.tool, case.policy_context.mode, case.limits
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
    if verdict is not Verdict.ASK and (why := _why_confirm(tool, case)):
        verdict, words = Verdict.ASK, f"{name} is {case.risk} risk here, but {why}, so ask"
    case.settle(Layer.BASE, *case.stand_back(verdict, words))


def _why_confirm(tool: ToolTraits, case: _Case) -> str:
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
        _replace(case, Layer.RULE, rule.verdict, _describe(rule))
        case.add_nothing(Layer.DEFAULT, "not asked, as a rule fits")
        return
    case.add_nothing(Layer.RULE, "no rule fits")
    default = case.policy_context.policy.policy.default
    if default is None:
        case.add_nothing(Layer.DEFAULT, "the policy names none")
        return
    case.rule = "default"
    if default is RuleAction.DENY:
        case.fixes.append("the owner would have to write a rule for it")
    _replace(case, Layer.DEFAULT, default.verdict, f"no rule fits, so {default}")


def _describe(rule: CompiledRule) -> str:
    kind = "every tool" if rule.rule.tool == ANY_TOOL else rule.rule.tool
    message = one_line(rule.rule.message)
    return f"{rule.label}, for {kind}, says {rule.verdict}" + (f": {message}" if message else "")


def _matching(case: _Case) -> CompiledRule | None:
    """Return the matching rule; for a tainted call, one at least as strict as if untainted."""
    policy, request = case.policy_context.policy, case.request
    found = policy.rule_for(request, tainted=request.tainted)
    if not (request.tainted and policy.asks_taint):
        case.risk = _risk_by(case, found)
        return found
    clean = policy.rule_for(request, tainted=False)
    case.risk = max(_risk_by(case, found), _risk_by(case, clean), key=_severity)
    milder = _verdict_by(case, found).severity < _verdict_by(case, clean).severity
    return clean if milder else found


def _verdict_by(case: _Case, rule: CompiledRule | None) -> Verdict:
    """Return the verdict of the base, rule and default layers with this rule, or with none."""
    if rule is not None:
        return rule.verdict
    default = case.policy_context.policy.policy.default
    return default.verdict if default else case.verdict


def _risk_by(case: _Case, rule: CompiledRule | None) -> Risk:
    """Return the rule's risk; for a call that always asks, never less than the tool's risk."""
    said = rule.rule.risk if rule else None
    if said is None:
        return case.risk
    keeps = case.enforced or bool(case.always_asks)
    return max(case.risk, said, key=_severity) if keeps else said


def _severity(risk: Risk) -> int:
    return _BASE[risk].severity


def _replace(case: _Case, layer: Layer, verdict: Verdict, words: str) -> None:
    if case.enforced and verdict is not (held := stricter(verdict, Verdict.ASK)):
        words = f"{words}; but {case.request.tool.name} is enforced, so {held}"
        verdict = held
    case.settle(layer, *case.stand_back(verdict, words))


def _always_ask(case: _Case) -> None:
    if not case.always_asks:
        case.add_nothing(Layer.FLOOR, "it is not among what always asks")
        return
    case.at_least(Layer.FLOOR, Verdict.ASK, f"{case.always_asks}, which always asks")
    if needs_typed_word(case.request.reach, case.request.facts, before=case.before):
        case.word = WORD


def _grants(case: _Case) -> None:
    if case.verdict is not Verdict.ASK:
        case.add_nothing(Layer.GRANT, "none is needed so far")
    elif case.always_asks or case.enforced:
        case.add_nothing(Layer.GRANT, "none lowers what always asks")
    elif grant := _cover(case):
        case.grant = grant.id
        verdict = Verdict.ALLOW if case.reads and grant.hourly else Verdict.REPORT
        case.settle(Layer.GRANT, verdict, f"{grant.handle} covers it, so {verdict}")
    else:
        case.add_nothing(Layer.GRANT, "none covers it")


def _cover(case: _Case) -> Grant | None:
    if case.always_asks or case.enforced:
        return None
    how = case.policy_context
    used = how.used.get(case.request.tool.name, 0)
    return first_cover(how.grants, case.request, how.now, zone=how.zone, used=used)


_ALERT = {Risk.LOW: Verdict.REPORT, Risk.MEDIUM: Verdict.ASK, Risk.HIGH: Verdict.ASK}


def _mode(case: _Case) -> None:
    mode, limits = case.policy_context.mode, case.limits
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
    if limits and mode in limits.governance.requires_approval_in_modes:
        words = f"the policy wants {case.request.tool.name} approved in mode {mode}"
        case.at_least(Layer.MODE, Verdict.ASK, words)
    if len(case.steps) == before:
        case.add_nothing(Layer.MODE, f"{mode} adds nothing")


def _autorun(case: _Case) -> None:
    autorun = case.policy_context.runs
    if autorun is Autorun.NONE and not case.reads:
        words = "none: everything that is not a read asks"
        case.at_least(Layer.AUTORUN, *case.stand_back(Verdict.ASK, words))
    elif autorun is Autorun.NO_PUBLIC and not case.reads and _is_public(case.request):
        words = f"no_public: what touches {PUBLIC} asks"
        case.at_least(Layer.AUTORUN, *case.stand_back(Verdict.ASK, words))
    else:
        case.add_nothing(Layer.AUTORUN, f"{autorun} adds nothing")


def _is_public(request: Request) -> bool:
    places = (*request.facts.locations, request.facts.destination)
    return any(place.strip().lower().startswith(PUBLIC) for place in places)


def _rate(case: _Case) -> None:
    policy_context, tool, limits = case.policy_context, case.request.tool, case.limits
    rates = (tool.rate_per_hour, limits.governance.rate_per_hour if limits else None)
    most = min((one for one in rates if one is not None), default=None)
    if most is None:
        case.add_nothing(Layer.RATE, "it has no limit by the hour")
        return
    used = policy_context.used.get(tool.name, 0)
    if used < most:
        case.add_nothing(Layer.RATE, f"{used} of {most} in the last hour")
        return
    again = say_moment(policy_context.now + _HOUR, policy_context.zone)
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
    if request.reach is not Reach.WRITES:
        return "" if request.reach is Reach.READS else f"it {request.reach}"
    if request.tool.remembers:
        return "what is remembered outlives the talk"
    overwrites = request.facts.destructive and not (request.facts.made_here or request.by_owner)
    return "it overwrites what this conversation did not write" if overwrites else ""


def _ask_for_taint(case: _Case, why: str) -> None:
    grant = _cover(case)
    if grant is not None:
        case.grant = grant.id
        words = f"outside text was in view, for which {grant.handle} was made, so report"
        case.at_least(Layer.TAINT, Verdict.REPORT, words)
        return
    words = f"outside text was in view, and {why}, so ask"
    case.at_least(Layer.TAINT, *case.stand_back(Verdict.ASK, words))


_LAYERS: tuple[Callable[[_Case], None], ...] = (
    _deny, _constraints, _base, _rules, _always_ask, _grants, _mode, _autorun, _rate, _taint,
)  # fmt: skip
