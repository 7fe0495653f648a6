"""Run a cleared call: write the intent, act, record the end; reconcile what a lost worker left."""

import logging
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from datetime import timedelta
from itertools import count
from typing import Any, TypeVar

from assistant.domain.approvals.approval import ApprovalState, approval_name, why_too_late
from assistant.domain.approvals.ports import ApprovalTx
from assistant.domain.calls.batches import waits_for
from assistant.domain.calls.call import Call, Reach
from assistant.domain.calls.cancel import Cancel
from assistant.domain.calls.effects import EffectState
from assistant.domain.calls.inverse import Inverse
from assistant.domain.calls.ports import CallTx
from assistant.domain.calls.states import CallState
from assistant.domain.calls.tool_errors import Cancelled, ErrorType, ToolError
from assistant.domain.conversation.conversation import Conversation, Origin
from assistant.domain.conversation.deliveries import Home
from assistant.domain.errors import (
    Conflict,
    LeaseLost,
    NotBegun,
    NotFound,
    Outage,
    Permanent,
    Transient,
    Unreachable,
    Unsure,
)
from assistant.domain.files.ports import Blobs
from assistant.domain.governance.modes import Mode
from assistant.domain.jobs.job import Job
from assistant.domain.messages import Repropose, Run
from assistant.domain.policy.decide import PolicyContext, Verdict, decide
from assistant.domain.policy.decisions import Decision
from assistant.domain.policy.ports import GrantTx
from assistant.domain.store import Tx
from assistant.flows.calls.judge import after_destroying, request_of, uncounted
from assistant.flows.calls.long_results import Cut, keep_whole, shorten
from assistant.flows.calls.record import advance
from assistant.flows.context import Context
from assistant.flows.render import cards
from assistant.flows.render.outcomes import show_card, show_receipt, tell_model
from assistant.tools.contract.context import ToolContext
from assistant.tools.contract.invocation import Invocation
from assistant.tools.contract.results import Result, failed
from assistant.tools.contract.tool import Tool

log = logging.getLogger(__name__)

BEGIN_WITHIN = 1 / 3
"""The part of a lease within which an effect begins, from when its intent is being written.

The intent beats, so the lease lasts for the rest at least. This has nothing to do with how long the
effect may take: the job is beaten for while it happens.
"""
RETRIES = 1
"""Tries after a first one that failed for a passing trouble; then the call fails, so that the
person who waits is told and can ask again. An outage of a part of the assistant is waited for."""
_LOOKED_AT = timedelta(minutes=1)
"""How long after a yes its card is still looked at."""
_WRITE_AGAIN = 1.0
"""Seconds between two tries to record something while the database is away."""

T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class Watched:
    """The way to a running call: it hears a stop and reports its progress."""

    cancel: Cancel = field(default_factory=Cancel)
    update: Callable[[str], None] = lambda _words: None


Watch = Callable[[Job, Call], AbstractContextManager[Watched]]


def unwatched(_job: Job, _call: Call) -> AbstractContextManager[Watched]:
    """Watch nothing: no stop is heard, and no progress is reported."""
    return nullcontext(Watched())


Ended = Callable[[Tx, Call], None]
"""Records what else follows from the end of a call, in the transaction that records the end."""


def nothing_more(_tx: Tx, _call: Call) -> None:
    """Record nothing else."""


Hold = Callable[[Job, float], None]
"""Has a job beaten for while a tool runs that may take so many seconds."""


def unheld(_job: Job, _seconds: float) -> None:
    """Beat for no job."""


@dataclass(frozen=True, kw_only=True)
class RunContext(Context):
    """The context of running a call."""

    blobs: Blobs
    lease: float
    """Seconds that a worker keeps a job without a beat."""
    home: Home
    watch: Watch = unwatched
    hold: Hold = unheld
    ended: Ended = nothing_more
    sleep: Callable[[float], None] = time.sleep


def run(message: Run, job: Job, *, ctx: RunContext) -> None:
    """Run a cleared call once. First reconcile an earlier attempt whose outcome is unknown."""
    call = _claim(message.id, job, ctx)
    if call is not None and call.facts.trouble:
        _end_unreadable(call, job, ctx)
        return
    if call is not None and call.state is CallState.UNKNOWN:
        call = _reconcile(call, job, ctx)
    if call is not None:
        _carry_out(call, job, ctx)


def _end_unreadable(call: Call, job: Job, ctx: RunContext) -> None:
    """End a call whose row cannot be read: nothing is known of what it would do, or did."""
    if call.state is CallState.CLEARED:
        told = f"it was not done: {call.facts.trouble}"
        _record_end(call, _Ended(CallState.VOID, Result(text=told, told=told)), job, ctx)
    else:
        why = f"whether it was done could not be found out: {call.facts.trouble}"
        _record_end(call, _unclear(why), job, ctx)


def gave_up_running(message: Run, job: Job, reason: str, *, ctx: RunContext) -> None:
    """Fail a call whose tries ran out, and tell the owner and the model."""
    with ctx.store.read(job) as tx:
        call = tx.call(message.id)
    if call.state is CallState.CLEARED:
        told = f"it was not done: {reason}"
        error = ToolError(type=ErrorType.NETWORK, message=reason)
        ended = _Ended(CallState.FAILED, Result(text=told, told=told, error=error))
    else:
        ended = _unclear(f"whether it was done could not be found out: {reason}")
    cut = shorten(call, ended.result, blobs=ctx.blobs, limits=ctx.limits)
    with ctx.store.begin(job) as tx:
        policy_context, conversation, call = _lock(tx, call, ctx)
        if call.state is CallState.CLEARED:
            call = _start(tx, call, ctx.tool(call), None)
        if call.can_become(CallState.FAILED):
            _end(tx, conversation, call, ended, cut, now=policy_context, ctx=ctx)
        tx.fail(job, reason)


def _claim(id: str, job: Job, ctx: RunContext) -> Call | None:
    """Return the call of this job, cleared or unknown; None if nothing is left to do."""
    with ctx.store.read(job) as tx:  # mostly there is nothing to write, so no lock is waited for
        seen = tx.call(id)
        may = seen.state is CallState.CLEARED and not _must_wait(tx, seen)
    call = seen if may else _recover(id, job, ctx)
    if call is not None and call.state is CallState.CLEARED and call.stop:
        stopped = Result(text="the owner stopped it", told="stopped")
        _record_end(call, _Ended(CallState.CANCELLED, stopped), job, ctx)
        return None
    return call


def _recover(id: str, job: Job, ctx: RunContext) -> Call | None:
    """Release a call that a lost worker ran; end a job that has nothing to do. As ``_claim``."""
    with ctx.store.begin(job) as tx:
        call = tx.call(id)
        if call.state is CallState.RUNNING:
            # We could claim the job, so the worker that ran this call has lost its lease,
            # unless we have lost ours since: the beat says so.
            lost = CallState.CLEARED if _only_reads(call, ctx) else CallState.UNKNOWN
            call = _release(tx, call, lost, ctx)
            tx.beat(job)
        left = call.state is CallState.CLEARED or call.state is CallState.UNKNOWN
        if not left or _must_wait(tx, call):
            tx.done(job)
            return None
    return call


def _must_wait(tx: CallTx, call: Call) -> bool:
    """Whether a call before this one is still open; its end orders this one again."""
    if call.state is CallState.UNKNOWN:
        return False
    return bool(waits_for(call, tx.calls(conversation=call.conversation, turn=call.turn)))


def _reconcile(call: Call, job: Job, ctx: RunContext) -> Call | None:
    """Ask the world whether the call happened; return it cleared if not, None if it has ended."""
    tool = ctx.tool(call)
    try:
        result = tool.reconcile(call.facts, _context(call, job, ctx))
    except Permanent as error:
        _record_end(call, _unclear(f"it was interrupted; {error}"), job, ctx)
        return None
    if result is not None:
        _record_end(call, _Ended(CallState.DONE, result), job, ctx)
        return None
    with ctx.store.begin(job) as tx:
        cleared = tx.move(tx.call(call.id, lock=True), CallState.CLEARED)
        _show(tx, cleared, ctx)
        tx.beat(job)  # else it may be another's call by now, and be executed
        return cleared


def _unclear(why: str) -> "_Ended":
    error = ToolError(type=ErrorType.UNKNOWN_OUTCOME, message=why)
    return _Ended(CallState.FAILED, Result(text=why, told=why, error=error))


def _carry_out(call: Call, job: Job, ctx: RunContext) -> None:
    tool = ctx.tool(call)
    context = _context(call, job, ctx)
    running = _begin(call, tool, context, job, ctx)
    if running is not None:
        _execute(running, tool, context, job, ctx)


def _begin(
    call: Call, tool: Tool[Any], context: ToolContext, job: Job, ctx: RunContext
) -> Call | None:
    """Write the intent; return the call, running, or None if it may not run.

    Raises ``NotBegun`` if that took so long that the effect might come after the lease.
    """
    try:
        inverse = tool.inverse(call.facts, context)
    except Permanent as error:
        _record_end(call, _Ended(CallState.VOID, failed(error)), job, ctx)
        return None
    began = ctx.clock.monotonic()
    try:
        running = _intend(call, tool, inverse, job, ctx)
    except Outage:  # it may be committed all the same
        _insist(lambda: _put_back_unsure(call, job, ctx), job, ctx)
        raise
    if running is not None and ctx.clock.monotonic() - began > ctx.lease * BEGIN_WITHIN:
        _insist(lambda: _put_back(running, job, ctx), job, ctx)
        raise NotBegun(job.message.name)
    return running


def _execute(
    running: Call, tool: Tool[Any], context: ToolContext, job: Job, ctx: RunContext
) -> None:
    """Execute the tool, and record what came of it."""
    ctx.hold(job, tool.timeout)
    invocation = Invocation(
        tool=tool, facts=running.facts, context=context, monotonic=ctx.clock.monotonic
    )
    try:
        with ctx.watch(job, running) as watched:
            result = invocation.execute(watched.cancel, watched.update)
    except Cancelled as error:
        _record_end(running, _Ended(CallState.FAILED, failed(error)), job, ctx)
    except Transient as error:
        if job.attempts > RETRIES and not isinstance(error, Outage):
            _record_end(running, _Ended(CallState.FAILED, failed(error)), job, ctx)
            return
        _release_call(running, CallState.CLEARED, job, ctx)
        raise
    except LeaseLost:
        raise
    except Exception as error:  # noqa: BLE001 (after any error the effect may have happened)
        _record_unknown(running, error, job, ctx)
    else:
        to = CallState.FAILED if result.error else CallState.DONE
        _record_end(running, _Ended(to, result), job, ctx)


def _intend(
    call: Call, tool: Tool[Any], inverse: Inverse | None, job: Job, ctx: RunContext
) -> Call | None:
    """Check the yes once more, take the fence and write the intent; None if it may not run."""
    with ctx.store.begin(job) as tx:
        policy_context = ctx.policy_context(tx)
        current = tx.call(call.id, lock=True)
        no = _invalid(tx, current, tool, policy_context, ctx)
        if not no:
            running = _start(tx, current, tool, inverse)
            tx.beat(job)
            return running
    _record_end(call, _Ended(CallState.VOID, Result(text=no, told=no)), job, ctx)
    return None


def _put_back(running: Call, job: Job, ctx: RunContext) -> None:
    """Clear a call again that was not begun, if it still runs under the fence of this attempt.

    Raises ``LeaseLost`` if another worker has taken it over.
    """
    try:
        with ctx.store.begin(job) as tx:
            _release(tx, running, CallState.CLEARED, ctx)
    except Conflict as taken:
        raise LeaseLost(job.message.name) from taken


def _put_back_unsure(call: Call, job: Job, ctx: RunContext) -> None:
    """Clear a call again that was not begun, if its intent was committed after all.

    Another attempt may have taken the same fence since: only the claim tells whose it is.
    """
    with ctx.store.begin(job) as tx:
        current = tx.call(call.id, lock=True)
        if current.state is CallState.RUNNING and current.fence == call.fence + 1:
            _release(tx, current, CallState.CLEARED, ctx)
        tx.beat(job)


def _insist(write: Callable[[], T], job: Job, ctx: RunContext) -> T:
    """Carry out a write as soon as the database is there.

    What it says of an effect is known to nobody else: without it, whether the effect happened would
    be uncertain. Another worker that took over meanwhile is noticed by the write.
    """
    while True:
        try:
            return write()
        except Outage as outage:
            log.warning("%s waits to be recorded: %s", job.message.name, outage)
        ctx.hold(job, 0.0)
        ctx.sleep(_WRITE_AGAIN)


def _start(tx: CallTx, call: Call, tool: Tool[Any], inverse: Inverse | None) -> Call:
    """Take the fence, and write the intended effect before it happens."""
    running = tx.move(call, CallState.RUNNING)
    if tool.change is not None:
        back = inverse.model_dump(mode="json", exclude_defaults=True) if inverse else {}
        effect = tool.change.effect(running.facts, running.id)
        tx.intend(effect.model_copy(update={"fence": running.fence, "inverse": back}))
    created = tool.creates_event(running.facts)
    if created is not None:
        calendar, uid = created
        tx.own_uid(uid, calendar=calendar, call=running.id)
    return running


def _invalid(
    tx: Tx, call: Call, tool: Tool[Any], policy_context: PolicyContext, ctx: RunContext
) -> str:
    """Say why this call may not run now; empty if a yes or the policy still covers it."""
    if policy_context.mode is Mode.LOCKDOWN and tool.reach_of(call.facts) is not Reach.READS:
        return "the assistant is in lockdown"
    conversation = tx.conversation(call.conversation)
    before = uncounted(_with_own_grant(tx, call, policy_context), call)
    before = after_destroying(tx, before, [call], ctx)
    decision = decide(request_of(call, conversation, ctx), before)
    if decision.verdict is Verdict.DENY:
        return decision.why
    return _without_yes(tx, call, tool, policy_context, decision)


def _without_yes(
    tx: ApprovalTx, call: Call, tool: Tool[Any], policy_context: PolicyContext, decision: Decision
) -> str:
    """Say what is wrong with the yes to a call that was asked about; empty if it holds."""
    try:
        approval = tx.approval(call.id)
    except NotFound:
        # Only a grant that was counted when this call was cleared covers this call.
        uncovered = decision.grant and decision.grant != call.grant
        needed = decision.verdict is Verdict.ASK or uncovered
        return "it needs a yes, and there is none" if needed else ""
    if approval.state is not ApprovalState.APPROVED:
        return f"its approval is {approval_name(approval.state)}"
    if not call.is_bound_by(approval.binding) or tool.version != call.version:
        return "it is no longer what was approved"
    reach, moot = tool.reach_of(call.facts), tool.expires_at(call.facts)
    if late := why_too_late(approval, reach=reach, moot=moot, now=policy_context.now):
        return late
    if decision.word and decision.word != approval.word:
        return "it needs a second step by now, not a plain yes"
    return ""


def _with_own_grant(tx: GrantTx, call: Call, policy_context: PolicyContext) -> PolicyContext:
    """Put the grant that cleared this call first, although calls since then may have used it up."""
    if not call.grant:
        return policy_context
    others = [grant for grant in policy_context.grants if grant.id != call.grant]
    own = [grant for grant in policy_context.grants if grant.id == call.grant]
    mine = own[0] if own else tx.grant_named(call.grant)
    return replace(policy_context, grants=(mine.counted(), *others))


def _record_unknown(running: Call, error: Exception, job: Job, ctx: RunContext) -> None:
    """Record that nobody knows whether the effect happened; raises ``Unreachable`` to reconcile.

    A read has no effect: it fails.
    """
    if not isinstance(error, Unsure):
        log.error("%s raised an unexpected error", running.tool, exc_info=error)
    if _only_reads(running, ctx):
        _record_end(running, _Ended(CallState.FAILED, failed(error)), job, ctx)
        return
    _release_call(running, CallState.UNKNOWN, job, ctx)
    later = Unreachable(str(error))
    later.after = ctx.tool(running).timeout
    raise later from error


def _release_call(running: Call, to: CallState, job: Job, ctx: RunContext) -> None:
    tries = count()

    def release() -> None:
        again = next(tries) > 0
        with ctx.store.begin(job) as tx:
            if not (again and _is_at(tx.call(running.id, lock=True), to, running)):
                _release(tx, running, to, ctx)
            tx.beat(job)

    _insist(release, job, ctx)


def _is_at(current: Call, to: CallState, before: Call) -> bool:
    """Whether a commit came through although the database was lost before it said so."""
    return (current.state, current.fence) == (to, before.fence)


def _release(tx: Tx, running: Call, to: CallState, ctx: RunContext) -> Call:
    """Make a running call cleared again, or unknown; if unknown, ask about its followers."""
    if to is not CallState.UNKNOWN:
        return tx.move(running, to)
    policy_context, conversation, _ = _lock(tx, running, ctx)
    unknown = tx.move(running, to)
    _show(tx, unknown, ctx)
    advance(tx, conversation, running.turn, now=policy_context, ctx=ctx, broken=unknown)
    return unknown


@dataclass(frozen=True)
class _Ended:
    """The final state of a call, and its result."""

    to: CallState
    result: Result

    @property
    def stale(self) -> bool:
        return self.result.error is not None and self.result.error.type is ErrorType.STALE


def _record_end(call: Call, ended: _Ended, job: Job, ctx: RunContext) -> None:
    """Record the end of a call and of its job, in one transaction."""
    cut = shorten(call, ended.result, blobs=ctx.blobs, limits=ctx.limits)
    tries = count()

    def record() -> None:
        again = next(tries) > 0
        with ctx.store.begin(job) as tx:
            policy_context, conversation, current = _lock(tx, call, ctx)
            if again and _is_at(current, ended.to, call):
                return
            _end(tx, conversation, current, ended, cut, now=policy_context, ctx=ctx)
            tx.done(job)

    _insist(record, job, ctx)


def _lock(tx: Tx, call: Call, ctx: RunContext) -> tuple[PolicyContext, Conversation, Call]:
    """Lock mode, conversation and call, in this order."""
    policy_context = ctx.policy_context(tx)
    conversation = tx.conversation(call.conversation, lock=True)
    return policy_context, conversation, tx.call(call.id, lock=True)


def _end(
    tx: Tx,
    conversation: Conversation,
    call: Call,
    ended: _Ended,
    cut: Cut,
    *,
    now: PolicyContext,
    ctx: RunContext,
) -> None:
    result, to = ended.result, ended.to
    moved = tx.move(
        call,
        to,
        result=cut.text,
        told=result.told,
        failure=result.error,
        touched=result.touched,
        output=keep_whole(tx, cut.whole) if cut.whole else "",
    )
    tool = ctx.tool(call)
    # If no attempt was made, nothing was intended.
    if tool.change is not None and call.fence and not call.facts.trouble:
        state = EffectState.DONE if to is CallState.DONE else EffectState.FAILED
        effect = tool.change.effect(call.facts, call.id).model_copy(
            update={"fence": call.fence, "state": state, "after": result.after}
        )
        tx.record(effect)
    _show(tx, moved, ctx)
    if to is CallState.DONE and (tool.change is not None or call.report):
        show_receipt(tx, moved, tool, toolbox=ctx.toolbox, zone=ctx.zone, conversation=conversation)
    if moved.unclear:
        shown = cards.unclear(moved, tool, zone=ctx.zone)
        tx.want(cards.at(ctx.home, call.owner, f"unclear-{call.id}", shown))
    elif tool.change is not None and _failed_late(moved):
        shown = cards.failed_late(moved, tool, zone=ctx.zone)
        tx.want(cards.at(ctx.home, call.owner, f"failed-{call.id}", shown))
    if to is CallState.DONE and call.undoes:
        _record_undone(tx, moved, ctx)
    ctx.ended(tx, moved)
    if ended.stale and not call.undoes:
        tx.emit(Repropose(id=call.id))
    origin = Origin.OUTSIDE if result.outside else Origin.ASSISTANT
    advance(tx, conversation, call.turn, now=now, ctx=ctx, broken=moved)
    tell_model(tx, moved, cut.text, origin=origin, answer=True, source=result.source)


def _failed_late(call: Call) -> bool:
    """Whether a change failed so long after its yes that nobody looks at its card any more."""
    if call.state is not CallState.FAILED or call.cleared is None or call.ended is None:
        return False
    return call.ended - call.cleared > _LOOKED_AT


def _record_undone(tx: Tx, call: Call, ctx: RunContext) -> None:
    """Record that this call undid another, and update the card and receipt of that one."""
    old = tx.call(call.undoes, lock=True)
    if old.state is not CallState.DONE:
        return
    for each in (old, *_undone_with(tx, old, call)):
        undone = tx.move(each, CallState.UNDONE)
        tx.undone(each.id, by=call.id)
        _show(tx, undone, ctx)
        show_receipt(tx, undone, ctx.tool(undone), toolbox=ctx.toolbox, zone=ctx.zone)


def _undone_with(tx: CallTx, old: Call, undo: Call) -> list[Call]:
    """Lock and return the later changes of what was put back: they are undone with it."""
    effect = next(iter(tx.effects(old.id)), None)
    if effect is None or effect.at is None:
        return []
    since = effect.at - timedelta(microseconds=1)
    later = {one.call for one in tx.effects_on(list(effect.after.get("state", {})), since=since)}
    calls = [tx.call(id, lock=True) for id in sorted(later - {old.id, undo.id})]
    return [
        call
        for call in calls
        if old.number < call.number < undo.number
        and call.state is CallState.DONE
        and not call.undoes
    ]


def _show(tx: Tx, call: Call, ctx: RunContext) -> None:
    show_card(tx, call, toolbox=ctx.toolbox, zone=ctx.zone)


def _only_reads(call: Call, ctx: RunContext) -> bool:
    return not call.facts.trouble and ctx.tool(call).reach_of(call.facts) is Reach.READS


def _context(call: Call, job: Job, ctx: RunContext) -> ToolContext:
    return ToolContext(cause=job, call=call.id, now=ctx.clock.now(), zone=ctx.zone)
