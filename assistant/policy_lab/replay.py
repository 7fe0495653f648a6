"""Replay recorded calls under a policy, and list those that would be decided otherwise.

Each call is judged by ``decide``, on the facts, taint, actor, channel and mode that were recorded,
with the grants and counters of its moment. There is no new look at the world, and nothing is
written.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import takewhile
from typing import Self

from pydantic import BaseModel, ConfigDict

from assistant.domain.calls.call import Call, Risk
from assistant.domain.calls.ports import CallTx
from assistant.domain.calls.states import NOT_BEGUN, CallState
from assistant.domain.conversation.conversation import Conversation
from assistant.domain.governance.modes import Mode
from assistant.domain.jobs.job import Cause
from assistant.domain.policy.always_ask import destroys
from assistant.domain.policy.decide import CompiledPolicy, PolicyContext, decide
from assistant.domain.policy.decisions import MODEL, Decision, Layer, Request, Verdict
from assistant.domain.policy.grants import Grant
from assistant.domain.store import Store, Tx
from assistant.flows.calls.judge import AGAIN, request_of
from assistant.flows.context import Context
from assistant.flows.policies import HOUR

ALONE = f"{Layer.DENY}: nobody can be asked here"
"""Reason of a decision that was made where nobody could be asked."""
_COUNTED = frozenset({Verdict.ALLOW, Verdict.REPORT, Verdict.ASK})
_RUNS = frozenset({Verdict.ALLOW, Verdict.REPORT})


class Judged(BaseModel):
    """A decision about a call: the recorded one, or the one of a replay."""

    model_config = ConfigDict(frozen=True)
    verdict: str
    risk: Risk
    layer: str
    """The layer that had the last word."""
    rule: str
    word: str
    reasons: tuple[str, ...]
    policy: int
    mode: Mode

    @classmethod
    def recorded(cls, call: Call) -> Self:
        return cls(
            verdict=call.verdict,
            risk=call.risk,
            layer=call.layer,
            rule=call.rule,
            word=call.word,
            reasons=call.reasons,
            policy=call.policy,
            mode=call.mode,
        )

    @classmethod
    def decided(cls, decision: Decision) -> Self:
        return cls(
            verdict=decision.verdict.value,
            risk=decision.risk,
            layer=decision.layer,
            rule=decision.rule,
            word=decision.word,
            reasons=decision.reasons,
            policy=decision.policy,
            mode=decision.mode,
        )

    @property
    def outcome(self) -> tuple[str, str]:
        """The part that makes a difference to people: the verdict, and the word a yes needs."""
        return self.verdict, self.word


class Change(BaseModel):
    """A call that would be decided otherwise."""

    model_config = ConfigDict(frozen=True)
    handle: str
    call: str
    tool: str
    at: datetime
    then: Judged
    now: Judged

    @property
    def way(self) -> str:
        """Say how the decision changes, such as ``ask -> allow``."""
        then, now = (" ".join(filter(None, one.outcome)) for one in (self.then, self.now))
        return f"{then} -> {now}"


class Unjudged(BaseModel):
    """A call that cannot be judged again, as its rows do not hold enough."""

    model_config = ConfigDict(frozen=True)
    handle: str
    call: str
    tool: str
    why: str


class Replayed(BaseModel):
    """The result of a replay."""

    model_config = ConfigDict(frozen=True)
    since: datetime
    seen: int
    """Number of calls, with those that could not be judged."""
    changes: tuple[Change, ...]
    unjudged: tuple[Unjudged, ...]
    notes: tuple[str, ...]
    """What is not recorded, and what was assumed instead."""

    @property
    def same(self) -> int:
        return self.seen - len(self.changes) - len(self.unjudged)

    @property
    def ways(self) -> Mapping[str, int]:
        """Count the changes by their way, the most frequent first."""
        return dict(Counter(change.way for change in self.changes).most_common())


@dataclass(frozen=True, kw_only=True)
class Past:
    """A recorded call as it was when it was judged."""

    call: Call
    policy_context: PolicyContext
    request: Request | None
    """None if the rows do not hold enough."""
    why: str = ""
    other_version: bool = False
    """True if its tool has another version by now."""


def replay(
    since: datetime,
    *,
    policy: CompiledPolicy | None = None,
    cause: Cause,
    store: Store,
    ctx: Context,
) -> Replayed:
    """Judge the calls since then again.

    Args:
        since: when to begin; aware.
        policy: the policy to judge by; None: the one in force.
        cause: whose calls.
        store: where they are recorded; only read.
        ctx: the tools as they are now.
    """
    seen = others = 0
    changes: list[Change] = []
    unjudged: list[Unjudged] = []
    with store.read(cause) as tx:
        policy = policy or ctx.policies.ready(tx.policy())
        for past in history(tx, since, policy=policy, ctx=ctx):
            seen += 1
            others += past.other_version
            if past.request is None:
                unjudged.append(_unjudged(past))
                continue
            if change := _change(past, past.request):
                changes.append(change)
    then = PolicyContext(now=since, policy=policy, mode=Mode.NORMAL, autorun=ctx.policies.autorun)
    return Replayed(
        since=since,
        seen=seen,
        changes=tuple(changes),
        unjudged=tuple(unjudged),
        notes=tuple(_notes(then, others=others)),
    )


def history(tx: Tx, since: datetime, *, policy: CompiledPolicy, ctx: Context) -> Iterator[Past]:
    """Yield the calls since then, in order, each with the state of its moment but this policy."""
    state = _StateThen(tx, since, policy=policy, ctx=ctx)
    conversations: dict[str, Conversation] = {}
    for call in _calls(tx, since - HOUR):
        if call.created is not None and call.created >= since:
            if call.conversation not in conversations:
                conversations[call.conversation] = tx.conversation(call.conversation)
            conversation = conversations[call.conversation]
            yield _past(
                call, conversation, state.policy_context(call, conversation, call.created), ctx
            )
        state.count(call)


def rejudged(past: Past, request: Request) -> Decision:
    """Decide about a past call again.

    A call that was asked about for another reason than the policy asks again, whatever the policy
    says: one that replaced another call, or was to follow a refused one.
    """
    decision = decide(request, past.policy_context)
    shown = past.call.supersedes or past.call.layer == AGAIN
    if shown and decision.verdict in _RUNS:
        return decision.model_copy(update={"verdict": Verdict.ASK, "layer": AGAIN, "grant": ""})
    return decision


def _calls(tx: CallTx, since: datetime) -> Iterator[Call]:
    after = 0
    while page := tx.calls_since(since, after=after):
        yield from page
        after = page[-1].number


def _past(
    call: Call, conversation: Conversation, policy_context: PolicyContext, ctx: Context
) -> Past:
    tool = ctx.offered_tool(call)
    why, request = _untold(call, known=tool is not None), None
    if not why:
        try:
            request = request_of(call, conversation, ctx)
        except Exception:  # noqa: BLE001 (a tool that has changed may raise on old facts)
            why = f"today's {call.tool} does not understand what was recorded"
        else:
            request = replace(request, tool=replace(request.tool, version=call.version))
    other = tool is not None and bool(call.version) and tool.version != call.version
    return Past(
        call=call, policy_context=policy_context, request=request, why=why, other_version=other
    )


def _untold(call: Call, *, known: bool) -> str:
    """Say why a call cannot be judged again; empty if it can."""
    if not call.verdict:
        return "no decision on it is recorded"
    if call.facts.trouble:
        return ""
    if call.version and not known:
        return f"there is no tool {call.tool} any more"
    if known and not call.version:
        return f"there was no tool {call.tool} then, so nothing was looked at"
    return ""


class _StateThen:
    """The state of the past, call by call: uses of tools in the last hour, and uses of grants."""

    def __init__(self, tx: Tx, since: datetime, *, policy: CompiledPolicy, ctx: Context) -> None:
        self._policy = policy
        self._ctx = ctx
        self._recent: dict[str, tuple[datetime, Call]] = {}
        """Calls of the last hour and when they were asked for, the oldest first."""
        self._used: Counter[str] = Counter()
        self._grants = tx.grants(ended=True)
        self._grant_uses = {grant.id: grant.used for grant in self._grants}
        if self._grants:
            self._rewind_grant_uses(_calls(tx, since - HOUR))

    def _rewind_grant_uses(self, calls: Iterator[Call]) -> None:
        """Subtract the uses of grants that were counted since."""
        for call in calls:
            if call.grant in self._grant_uses:
                self._grant_uses[call.grant] = max(0, self._grant_uses[call.grant] - 1)

    def policy_context(self, call: Call, conversation: Conversation, at: datetime) -> PolicyContext:
        """Return the state in which a call was judged."""
        for old in self._no_longer_counted(call, at):
            self._used[self._recent.pop(old)[1].tool] -= 1
        return PolicyContext(
            now=at,
            policy=self._policy,
            mode=call.mode,
            autorun=self._ctx.policies.autorun,
            grants=[self._as_it_was(one) for one in self._grants if _lived(one, call, at)],
            used=dict(self._used),
            destroyed=self._destroyed_before(call, at),
            free=_free(call, conversation, self._ctx),
        )

    def _destroyed_before(self, call: Call, at: datetime) -> int:
        """Count what the call's conversation had overwritten or deleted in the last hour."""
        if call.actor != MODEL or not destroys(call.reach, call.facts):
            return 0
        return sum(
            destroys(one.reach, one.facts)
            for _, one in self._recent.values()
            if one.conversation == call.conversation
            and one.actor == MODEL
            and one.id != call.supersedes
            and (_counted(one, at) or _refused_when_recorded(one, call))
        )

    def _no_longer_counted(self, call: Call, at: datetime) -> Sequence[str]:
        """Return the calls of over an hour ago, and the call that this one replaced."""
        old = list(takewhile(lambda one: self._recent[one][0] < at - HOUR, self._recent))
        other = self._recent.get(call.supersedes) if call.supersedes not in old else None
        replaced = other is not None and other[1].state is CallState.SUPERSEDED
        return [*old, call.supersedes] if replaced else old

    def count(self, call: Call) -> None:
        """Count the uses of a call for those after it."""
        if call.verdict in _COUNTED and call.created is not None:
            self._recent[call.id] = (call.created, call)
            self._used[call.tool] += 1
        if call.grant in self._grant_uses:
            self._grant_uses[call.grant] += 1

    def _as_it_was(self, grant: Grant) -> Grant:
        return grant.model_copy(update={"used": self._grant_uses[grant.id], "revoked": None})


def _counted(call: Call, at: datetime) -> bool:
    """Whether a call had run then, or could still run."""
    return call.state not in NOT_BEGUN or (call.ended is not None and call.ended > at)


def _refused_when_recorded(one: Call, call: Call) -> bool:
    """Whether a call of the same turn was judged to ask, and refused as too many waited.

    That is known when the turn is recorded, and the calls after it were judged before.
    """
    full = one.state is CallState.REFUSED and one.verdict == Verdict.ASK
    return full and one.turn == call.turn


def _free(call: Call, conversation: Conversation, ctx: Context) -> bool:
    """Whether a person could be asked then; if its row does not say, whether one can be today."""
    if ALONE in call.reasons:
        return False
    return call.verdict == Verdict.ASK or conversation.channel in ctx.channels


def _lived(grant: Grant, call: Call, at: datetime) -> bool:
    """Whether a grant existed then: made before, and not yet revoked."""
    if grant.tool != call.tool:
        return False
    ended = grant.revoked is not None and grant.revoked <= at
    return grant.id == call.grant or (grant.created < at and not ended)


def _change(past: Past, request: Request) -> Change | None:
    call = past.call
    then, now = Judged.recorded(call), Judged.decided(rejudged(past, request))
    if then.outcome == now.outcome:
        return None
    return Change(
        handle=call.handle,
        call=call.id,
        tool=call.tool,
        at=past.policy_context.now,
        then=then,
        now=now,
    )


def _unjudged(past: Past) -> Unjudged:
    call = past.call
    return Unjudged(handle=call.handle, call=call.id, tool=call.tool, why=past.why)


def _notes(now: PolicyContext, *, others: int) -> Sequence[str]:
    notes = [
        f"the setting of autorun is not recorded: today's is used ({now.runs})",
        "risk, modes and hourly limits of tools are not recorded: today's are used",
    ]
    if others:
        notes.append(f"{others} calls used another version of their tool than today's")
    names = {one.param for rule in now.policy.policy.rules for one in rule.conditions}
    if "@sender_grade" in names:
        notes.append(
            "@sender_grade is not recorded: unknown is used where words of others were in view, "
            "and empty elsewhere"
        )
    return notes
