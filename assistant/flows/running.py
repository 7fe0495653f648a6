"""Carry out a cleared call: intent, act, record; and find out what a lost worker left."""

import logging
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Any

from assistant.domain.approvals import ApprovalState
from assistant.domain.batches import waits_for
from assistant.domain.call_states import CallState
from assistant.domain.calls import Call, Reach
from assistant.domain.cancel import Cancel
from assistant.domain.decisions import MODEL, Decision
from assistant.domain.effects import EffectState
from assistant.domain.errors import (
    LeaseLost,
    NotFound,
    Permanent,
    Transient,
    Unreachable,
    Unsure,
)
from assistant.domain.failpoints import hit
from assistant.domain.files import FileVersion
from assistant.domain.inverse import Inverse
from assistant.domain.jobs import Job
from assistant.domain.messages import AskAnew, Run
from assistant.domain.modes import Mode
from assistant.domain.output import truncated
from assistant.domain.policy import Standing, Verdict, decide
from assistant.domain.talk import Conversation, Origin
from assistant.domain.tool_errors import Cancelled, ErrorType, ToolError
from assistant.flows.context import Context
from assistant.flows.judging import request_of, uncounted
from assistant.flows.outcomes import show_card, show_receipt, tell_model
from assistant.flows.placing import advance
from assistant.ports import Blobs, Tx
from assistant.tools.contract.context import ToolContext
from assistant.tools.contract.invocation import Invocation
from assistant.tools.contract.results import Result, failed
from assistant.tools.contract.tool import Tool

log = logging.getLogger(__name__)

RETRIES = 1
"""Tries after the first one that did not come about, since the world was unwell; then the person
who waits is told, and can ask again."""
WHOLE = "private:/.results/{handle}.txt"
"""Where the whole of a result is, of which the model is shown the beginning."""


@dataclass(frozen=True, kw_only=True)
class Watched:
    """How a call that runs is spoken with: it hears a stop and tells how far it is."""

    cancel: Cancel = field(default_factory=Cancel)
    update: Callable[[str], None] = lambda _words: None


Watch = Callable[[Job, Call], AbstractContextManager[Watched]]


def unwatched(_job: Job, _call: Call) -> AbstractContextManager[Watched]:
    """Nobody looks."""
    return nullcontext(Watched())


@dataclass(frozen=True, kw_only=True)
class RunContext(Context):
    """What running a call needs besides."""

    blobs: Blobs
    lease: float
    """Seconds that a silent holder keeps its job."""
    watch: Watch = unwatched


def run(message: Run, job: Job, *, ctx: RunContext) -> None:
    """One cleared call, once. What an earlier attempt may have done is asked of the world first."""
    call = _take(message.id, job, ctx)
    if call is not None and call.state is CallState.UNKNOWN:
        call = _reconcile(call, job, ctx)
    if call is not None:
        _carry_out(call, job, ctx)


def gave_up_running(message: Run, job: Job, reason: str, *, ctx: RunContext) -> None:
    """The tries ran out: the call has failed, and the owner and the model are told."""
    with ctx.store.read(job) as tx:
        call = tx.call(message.id)
    if call.state is CallState.CLEARED:
        told = f"it was not done: {reason}"
    else:
        told = f"whether it was done could not be found out: {reason}"
    error = ToolError(type=ErrorType.NETWORK, message=reason)
    ended = _Ended(CallState.FAILED, Result(text=told, told=told, error=error))
    cut = _cut(call, ended.result, ctx)
    with ctx.store.begin(job) as tx:
        standing, talk, call = _hold(tx, call, ctx)
        if call.state is CallState.CLEARED:
            call = _start(tx, call, ctx.tool(call), None)
        if call.can_become(CallState.FAILED):
            _end(tx, talk, call, ended, cut, now=standing, ctx=ctx)
        tx.fail(job, reason)


def _take(id: str, job: Job, ctx: RunContext) -> Call | None:
    """Decide where this call stands; None if nothing is left to do, else cleared or unknown."""
    with ctx.store.read(job) as tx:  # mostly nothing is to be written, and so nobody waited for
        seen = tx.call(id)
        may = seen.state is CallState.CLEARED and not _early(tx, seen)
    call = seen if may else _take_over(id, job, ctx)
    if call is not None and call.state is CallState.CLEARED and call.stop:
        stopped = Result(text="the owner stopped it", told="stopped")
        _record(call, _Ended(CallState.CANCELLED, stopped), job, ctx)
        return None
    return call


def _take_over(id: str, job: Job, ctx: RunContext) -> Call | None:
    """Give back what a lost worker ran, and end a job that has nothing to do; as ``_take``."""
    with ctx.store.begin(job) as tx:
        call = tx.call(id)
        if call.state is CallState.RUNNING:
            # The job was ours to claim, so whoever ran this lost its lease.
            lost = CallState.CLEARED if _only_reads(call, ctx) else CallState.UNKNOWN
            call = _give_back(tx, call, lost, ctx)
        left = call.state is CallState.CLEARED or call.state is CallState.UNKNOWN
        if not left or _early(tx, call):
            tx.done(job)
            return None
    return call


def _early(tx: Tx, call: Call) -> bool:
    """True for a call that waits for one before it, whose end will order it again."""
    if call.state is CallState.UNKNOWN:
        return False
    return bool(waits_for(call, tx.calls(conversation=call.conversation, turn=call.turn)))


def _reconcile(call: Call, job: Job, ctx: RunContext) -> Call | None:
    """Ask the world whether it happened. A cleared call if it did not, None if that was its end."""
    tool = ctx.tool(call)
    try:
        result = tool.reconcile(call.facts, _context(call, job, ctx))
    except Permanent as error:
        _record(call, _unclear(f"it was interrupted; {error}"), job, ctx)
        return None
    if result is not None:
        _record(call, _Ended(CallState.DONE, result), job, ctx)
        return None
    with ctx.store.begin(job) as tx:
        cleared = tx.move(tx.call(call.id, lock=True), CallState.CLEARED)
        _show(tx, cleared, ctx)
        return cleared


def _unclear(words: str) -> "_Ended":
    error = ToolError(type=ErrorType.UNKNOWN_OUTCOME, message=words)
    return _Ended(CallState.FAILED, Result(text=words, told=words, error=error))


def _carry_out(call: Call, job: Job, ctx: RunContext) -> None:
    tool = ctx.tool(call)
    context = _context(call, job, ctx)
    try:
        inverse = tool.inverse(call.facts, context)
    except Permanent as error:
        _record(call, _Ended(CallState.VOID, failed(error)), job, ctx)
        return
    began = ctx.clock.monotonic()
    running = _intend(call, tool, inverse, job, ctx)
    if running is None:
        return
    if ctx.clock.monotonic() - began > max(0.0, ctx.lease - tool.timeout):
        raise LeaseLost(job.message.name)  # too late to begin: the lease may end before the effect
    invocation = Invocation(
        tool=tool, facts=call.facts, context=context, monotonic=ctx.clock.monotonic
    )
    try:
        hit("effect.before")
        with ctx.watch(job, running) as watched:
            result = invocation.execute(watched.cancel, watched.update)
        hit("effect.after")
    except Cancelled as error:
        _record(running, _Ended(CallState.FAILED, failed(error)), job, ctx)
    except Transient as error:
        if running.fence > RETRIES:
            _record(running, _Ended(CallState.FAILED, failed(error)), job, ctx)
            return
        _let_go(running, CallState.CLEARED, job, ctx)
        raise
    except LeaseLost:
        raise
    except Exception as error:  # noqa: BLE001 (whatever it was, it may have happened)
        _doubt(running, error, job, ctx)
    else:
        to = CallState.FAILED if result.error else CallState.DONE
        _record(running, _Ended(to, result), job, ctx)


def _intend(
    call: Call, tool: Tool[Any], inverse: Inverse | None, job: Job, ctx: RunContext
) -> Call | None:
    """Check the yes once more, take the fence and write what is about to happen."""
    with ctx.store.begin(job) as tx:
        standing = ctx.standing(tx)
        current = tx.call(call.id, lock=True)
        no = _invalid(tx, current, tool, standing, ctx)
        if not no:
            running = _start(tx, current, tool, inverse)
            tx.hold(job)
            return running
    _record(call, _Ended(CallState.VOID, Result(text=no, told=no)), job, ctx)
    return None


def _start(tx: Tx, call: Call, tool: Tool[Any], inverse: Inverse | None) -> Call:
    """Take the fence; what is about to happen is written before it does."""
    running = tx.move(call, CallState.RUNNING)
    if tool.change is not None:
        back = inverse.model_dump(mode="json") if inverse else {}
        effect = tool.change.effect(running.facts, running.id)
        tx.intend(effect.model_copy(update={"fence": running.fence, "inverse": back}))
    created = tool.creates_event(running.facts)
    if created is not None:
        calendar, uid = created
        tx.own_uid(uid, calendar=calendar, call=running.id)
    return running


def _invalid(tx: Tx, call: Call, tool: Tool[Any], standing: Standing, ctx: RunContext) -> str:
    """Why this call may not run now; empty if a yes or the policy covers it still."""
    if standing.mode is Mode.LOCKDOWN and tool.reach_of(call.facts) is not Reach.READS:
        return "the house is in lockdown"
    talk = tx.conversation(call.conversation)
    before = uncounted(_with_own_grant(tx, call, standing), call)
    decision = decide(request_of(call, talk, ctx), before)
    if decision.verdict is Verdict.DENY:
        return decision.why
    return _without_yes(tx, call, tool, standing, decision)


def _without_yes(
    tx: Tx, call: Call, tool: Tool[Any], standing: Standing, decision: Decision
) -> str:
    """What is wrong with the yes to a call that was asked about; empty if it holds."""
    try:
        approval = tx.approval(call.id)
    except NotFound:
        # A grant that was not counted for this call when it was cleared covers others, not it.
        uncovered = decision.grant and decision.grant != call.grant
        needed = decision.verdict is Verdict.ASK or uncovered
        return "it needs a yes, and there is none" if needed else ""
    if approval.state is not ApprovalState.APPROVED:
        return f"its approval is {approval.state}"
    if approval.binding != call.binding or tool.version != call.version:
        return "it is no longer what was approved"
    if standing.now >= approval.expires:
        return "it was approved in time, and that has expired"
    if decision.word and decision.word != approval.word:
        return "it asks for more by now than a plain yes"
    return ""


def _with_own_grant(tx: Tx, call: Call, standing: Standing) -> Standing:
    """With the grant that let this call by, although it may be used up by this very call."""
    if not call.grant or any(grant.id == call.grant for grant in standing.grants):
        return standing
    return replace(standing, grants=(*standing.grants, tx.grant_named(call.grant)))


def _doubt(running: Call, error: Exception, job: Job, ctx: RunContext) -> None:
    """It ended in a way that does not say whether it happened."""
    if not isinstance(error, Unsure):
        log.error("%s ended unexpectedly", running.tool, exc_info=error)
    if _only_reads(running, ctx):
        _record(running, _Ended(CallState.FAILED, failed(error)), job, ctx)
        return
    _let_go(running, CallState.UNKNOWN, job, ctx)
    later = Unreachable(str(error))
    later.after = ctx.tool(running).timeout
    raise later from error


def _let_go(running: Call, to: CallState, job: Job, ctx: RunContext) -> None:
    with ctx.store.begin(job) as tx:
        _give_back(tx, running, to, ctx)
        tx.hold(job)


def _give_back(tx: Tx, running: Call, to: CallState, ctx: RunContext) -> Call:
    """It is cleared again, or unknown; in the second case what was to follow it is asked about."""
    if to is not CallState.UNKNOWN:
        return tx.move(running, to)
    standing, talk, _ = _hold(tx, running, ctx)
    unknown = tx.move(running, to)
    _show(tx, unknown, ctx)
    advance(tx, talk, running.turn, now=standing, ctx=ctx, broken=unknown)
    return unknown


@dataclass(frozen=True)
class _Ended:
    """How a call ends."""

    to: CallState
    result: Result

    @property
    def stale(self) -> bool:
        return self.result.error is not None and self.result.error.type is ErrorType.STALE


def _record(call: Call, ended: _Ended, job: Job, ctx: RunContext) -> None:
    """Write the end of a call, and of its job, in one transaction."""
    cut = _cut(call, ended.result, ctx)
    with ctx.store.begin(job) as tx:
        standing, talk, current = _hold(tx, call, ctx)
        _end(tx, talk, current, ended, cut, now=standing, ctx=ctx)
        tx.done(job)


def _hold(tx: Tx, call: Call, ctx: RunContext) -> tuple[Standing, Conversation, Call]:
    """Mode, conversation and call, locked in their order."""
    standing = ctx.standing(tx)
    talk = tx.conversation(call.conversation, lock=True)
    return standing, talk, tx.call(call.id, lock=True)


def _end(
    tx: Tx,
    talk: Conversation,
    call: Call,
    ended: _Ended,
    cut: "_Cut",
    *,
    now: Standing,
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
        output=_written(tx, cut.whole) if cut.whole else "",
    )
    tool = ctx.tool(call)
    if tool.change is not None and call.fence:  # an attempt was made; else nothing was intended
        state = EffectState.DONE if to is CallState.DONE else EffectState.FAILED
        effect = tool.change.effect(call.facts, call.id).model_copy(
            update={"fence": call.fence, "state": state, "after": result.after}
        )
        tx.record(effect)
    _show(tx, moved, ctx)
    if to is CallState.DONE and (tool.change is not None or call.report):
        show_receipt(tx, moved, tool, zone=ctx.zone, far=ctx.far, talk=talk)
    if to is CallState.DONE and call.undoes:
        _undo(tx, moved, ctx)
    if ended.stale and not call.undoes:
        tx.emit(AskAnew(id=call.id))
    origin = Origin.OUTSIDE if result.outside else Origin.ASSISTANT
    advance(tx, talk, call.turn, now=now, ctx=ctx, broken=moved)
    tell_model(tx, moved, cut.text, origin=origin, answer=True, source=result.source)


def _undo(tx: Tx, call: Call, ctx: RunContext) -> None:
    """What this call took back is undone now, and says so where it was shown."""
    old = tx.call(call.undoes, lock=True)
    if old.state is not CallState.DONE:
        return
    undone = tx.move(old, CallState.UNDONE)
    tx.undone(old.id, by=call.id)
    _show(tx, undone, ctx)
    show_receipt(tx, undone, ctx.tool(undone), zone=ctx.zone, far=ctx.far)


def _show(tx: Tx, call: Call, ctx: RunContext) -> None:
    show_card(tx, call, toolbox=ctx.toolbox, zone=ctx.zone)


# The whole of a long result


@dataclass(frozen=True)
class _Cut:
    """A result as it is told, and the file that holds all of it where that is not all."""

    text: str
    whole: FileVersion | None = None


def _cut(call: Call, result: Result, ctx: RunContext) -> _Cut:
    """Outside any transaction, as the bytes of a whole that is cut are kept here."""
    if call.actor != MODEL:  # no model is shown it, and its owner wants it whole
        return _Cut(result.text)
    limits, path = ctx.limits, WHOLE.format(handle=call.handle) if _open(call) else ""
    told = truncated(
        result.text, max_chars=limits.result, max_lines=limits.result_lines, whole=path
    )
    return _Cut(told.text, _kept(call, result, path, ctx) if told.cut and path else None)


def _open(call: Call) -> bool:
    """Whether a model may read the whole of it without a yes, as it may read any file.

    What asked before it was read once is not let out by this back door.
    """
    return call.actor == MODEL and call.verdict in (Verdict.ALLOW, Verdict.REPORT)


def _kept(call: Call, result: Result, path: str, ctx: RunContext) -> FileVersion:
    data = result.text.encode()
    digest = sha256(data).hexdigest()
    blob = f"results/{call.owner}/{call.id}-{digest[:16]}"
    ctx.blobs.put(blob, data)
    return FileVersion(
        path=path,
        size=len(data),
        sha256=digest,
        blob=blob,
        origin=Origin.OUTSIDE if result.outside or call.tainted else Origin.ASSISTANT,
        source=result.source,
        by="assistant",
    )


def _written(tx: Tx, file: FileVersion) -> str:
    """Put the whole result, whose bytes are kept already, among the owner's files; its path."""
    with suppress(NotFound):  # an attempt before this one may have left its own
        file = file.model_copy(update={"version": tx.file(file.path).version})
    tx.write_file(file)
    return file.path


def _only_reads(call: Call, ctx: RunContext) -> bool:
    return ctx.tool(call).reach_of(call.facts) is Reach.READS


def _context(call: Call, job: Job, ctx: RunContext) -> ToolContext:
    return ToolContext(cause=job, call=call.id, now=ctx.clock.now(), zone=ctx.zone)
