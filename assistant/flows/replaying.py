"""What a policy would have made of the calls there were, by what their rows tell of them.

Each call is judged by the same ``decide``, on the facts, taint, actor, channel and mode that were
recorded, with the grants and the counters of its moment. Nothing is looked at anew, and nothing is
written.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import takewhile
from typing import Self

from pydantic import BaseModel, ConfigDict

from assistant.domain.call_states import CallState
from assistant.domain.calls import Call, Risk
from assistant.domain.decisions import Decision, Layer, Request, Verdict
from assistant.domain.grants import Grant
from assistant.domain.jobs import Cause
from assistant.domain.modes import Mode
from assistant.domain.policy import CompiledPolicy, Standing, decide
from assistant.domain.talk import Conversation
from assistant.flows.context import Context
from assistant.flows.judging import AGAIN, request_of
from assistant.flows.standing import HOUR
from assistant.ports import Store, Tx

ALONE = f"{Layer.DENY}: nobody can be asked here"
"""The line of a decision that was made where nobody could be asked."""
_COUNTED = frozenset({Verdict.ALLOW, Verdict.REPORT, Verdict.ASK})
_RUNS = frozenset({Verdict.ALLOW, Verdict.REPORT})


class Judged(BaseModel):
    """What became, or would become, of a call."""

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
        """What makes a difference to people: the verdict, and what must be typed with a yes."""
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
        """Such as ``ask -> allow``."""
        then, now = (" ".join(filter(None, one.outcome)) for one in (self.then, self.now))
        return f"{then} -> {now}"


class Unjudged(BaseModel):
    """A call of which the rows do not tell enough."""

    model_config = ConfigDict(frozen=True)
    handle: str
    call: str
    tool: str
    why: str


class Replayed(BaseModel):
    """What came of a replay."""

    model_config = ConfigDict(frozen=True)
    since: datetime
    seen: int
    """Calls there were, those that could not be judged included."""
    changes: tuple[Change, ...]
    unjudged: tuple[Unjudged, ...]
    notes: tuple[str, ...]
    """What the rows do not tell, and what was taken in its place."""

    @property
    def same(self) -> int:
        return self.seen - len(self.changes) - len(self.unjudged)

    @property
    def ways(self) -> Mapping[str, int]:
        """How many went each way, the most frequent first."""
        return dict(Counter(change.way for change in self.changes).most_common())


@dataclass(frozen=True, kw_only=True)
class Past:
    """A recorded call as it was when it was judged."""

    call: Call
    standing: Standing
    request: Request | None
    """None where the rows do not tell enough."""
    why: str = ""
    other_version: bool = False
    """True when its tool has another version by now."""


def replay(
    since: datetime,
    *,
    policy: CompiledPolicy | None = None,
    cause: Cause,
    store: Store,
    ctx: Context,
) -> Replayed:
    """Judge again what was asked for since then.

    Args:
        since: when to begin; aware.
        policy: the one to go by; None: the one in force.
        cause: whose calls.
        store: where they are recorded. It is only read.
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
    then = Standing(now=since, policy=policy, mode=Mode.NORMAL, autorun=ctx.policies.autorun)
    return Replayed(
        since=since,
        seen=seen,
        changes=tuple(changes),
        unjudged=tuple(unjudged),
        notes=tuple(_notes(then, others=others)),
    )


def history(tx: Tx, since: datetime, *, policy: CompiledPolicy, ctx: Context) -> Iterator[Past]:
    """What was asked for since then, in order, each as things stood, but for the policy."""
    then = _Then(tx, since, policy=policy, ctx=ctx)
    talks: dict[str, Conversation] = {}
    for call in _calls(tx, since - HOUR):
        if call.created is not None and call.created >= since:
            if call.conversation not in talks:
                talks[call.conversation] = tx.conversation(call.conversation)
            talk = talks[call.conversation]
            yield _past(call, talk, then.standing(call, talk, call.created), ctx)
        then.count(call)


def rejudged(past: Past, request: Request) -> Decision:
    """The decision on it. What was shown for another reason than the policy asks whatever it says.

    Such as what took the place of another call, or was to follow one that was refused.
    """
    decision = decide(request, past.standing)
    shown = past.call.supersedes or past.call.layer == AGAIN
    if shown and decision.verdict in _RUNS:
        return decision.model_copy(update={"verdict": Verdict.ASK, "layer": AGAIN, "grant": ""})
    return decision


def _calls(tx: Tx, since: datetime) -> Iterator[Call]:
    after = 0
    while page := tx.calls_since(since, after=after):
        yield from page
        after = page[-1].number


def _past(call: Call, talk: Conversation, standing: Standing, ctx: Context) -> Past:
    tool = ctx.offered_tool(call)
    why, request = _untold(call, known=tool is not None), None
    if not why:
        try:
            request = request_of(call, talk, ctx)
        except Exception:  # noqa: BLE001 (a tool that has changed may stumble over old facts)
            why = f"today's {call.tool} does not understand what was recorded"
        else:
            request = replace(request, tool=replace(request.tool, version=call.version))
    other = tool is not None and bool(call.version) and tool.version != call.version
    return Past(call=call, standing=standing, request=request, why=why, other_version=other)


def _untold(call: Call, *, known: bool) -> str:
    """Why such a call cannot be judged again; empty if it can."""
    if not call.verdict:
        return "no decision on it is recorded"
    if call.facts.trouble:
        return ""
    if call.version and not known:
        return f"there is no tool {call.tool} any more"
    if known and not call.version:
        return f"there was no tool {call.tool} then, so nothing was looked at"
    return ""


class _Then:
    """How things stood, moved along with the calls: the hour's uses, and those of each grant."""

    def __init__(self, tx: Tx, since: datetime, *, policy: CompiledPolicy, ctx: Context) -> None:
        self._policy = policy
        self._ctx = ctx
        self._recent: dict[str, tuple[datetime, Call]] = {}
        """Calls of the hour and when they were asked for, the oldest first."""
        self._ctxs: Counter[str] = Counter()
        self._grants = tx.grants(ended=True)
        self._ctxd = {grant.id: grant.used for grant in self._grants}
        if self._grants:
            self._used_before(_calls(tx, since - HOUR))

    def _used_before(self, calls: Iterator[Call]) -> None:
        """Take back what was counted since."""
        for call in calls:
            if call.grant in self._ctxd:
                self._ctxd[call.grant] = max(0, self._ctxd[call.grant] - 1)

    def standing(self, call: Call, talk: Conversation, at: datetime) -> Standing:
        for old in self._gone(call, at):
            self._ctxs[self._recent.pop(old)[1].tool] -= 1
        return Standing(
            now=at,
            policy=self._policy,
            mode=call.mode,
            autorun=self._ctx.policies.autorun,
            grants=[self._as_it_was(one) for one in self._grants if _lived(one, call, at)],
            used=dict(self._ctxs),
            free=_free(call, talk, self._ctx),
        )

    def _gone(self, call: Call, at: datetime) -> Sequence[str]:
        """Calls that count no longer: of over an hour ago, and the one whose place this took."""
        old = list(takewhile(lambda one: self._recent[one][0] < at - HOUR, self._recent))
        other = self._recent.get(call.supersedes) if call.supersedes not in old else None
        replaced = other is not None and other[1].state is CallState.SUPERSEDED
        return [*old, call.supersedes] if replaced else old

    def count(self, call: Call) -> None:
        if call.verdict in _COUNTED and call.created is not None:
            self._recent[call.id] = (call.created, call)
            self._ctxs[call.tool] += 1
        if call.grant in self._ctxd:
            self._ctxd[call.grant] += 1

    def _as_it_was(self, grant: Grant) -> Grant:
        return grant.model_copy(update={"used": self._ctxd[grant.id], "revoked": None})


def _free(call: Call, talk: Conversation, ctx: Context) -> bool:
    """Whether somebody could be asked; where its row does not tell, whether somebody can today."""
    if ALONE in call.reasons:
        return False
    return call.verdict == Verdict.ASK or talk.channel in ctx.channels


def _lived(grant: Grant, call: Call, at: datetime) -> bool:
    """Whether it was there: after the moment it was made in, before the one it was revoked in."""
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
        at=past.standing.now,
        then=then,
        now=now,
    )


def _unjudged(past: Past) -> Unjudged:
    call = past.call
    return Unjudged(handle=call.handle, call=call.id, tool=call.tool, why=past.why)


def _notes(now: Standing, *, others: int) -> Sequence[str]:
    notes = [
        f"the setting of autorun is not recorded: it is taken as it is now ({now.runs})",
        "what tools say of themselves (risk, modes, limits by the hour) is taken as it is now",
    ]
    if others:
        notes.append(f"{others} calls were of another version of their tool than today's")
    names = {one.param for rule in now.policy.policy.rules for one in rule.conditions}
    if "@sender_grade" in names:
        notes.append(
            "@sender_grade is not recorded: it is taken as unknown where words of others were in "
            "view, and as empty elsewhere"
        )
    return notes
