"""Carry out a cleared call: intent, act, record; and find out what a lost worker left."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from assistant.domain.approvals import ApprovalState
from assistant.domain.calls import Call, CallState, Reach
from assistant.domain.effects import EffectState
from assistant.domain.errors import (
    AssistantError,
    LeaseLost,
    NotFound,
    Permanent,
    Transient,
    Unreachable,
    Unsure,
)
from assistant.domain.failpoints import hit
from assistant.domain.fence import shortened
from assistant.domain.jobs import Job
from assistant.domain.limits import CallLimits
from assistant.domain.messages import Run
from assistant.domain.policy import Request, Standing, Verdict, decide
from assistant.domain.talk import Origin
from assistant.flows import cards
from assistant.flows.waiting import show_card, tell_model
from assistant.ports import Clock, Store, Tx
from assistant.tools.toolbox import Errand, Result, Tool, Toolbox

log = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True)
class Running:
    """What running a call needs, bound once in the wiring."""

    store: Store
    toolbox: Toolbox
    clock: Clock
    monotonic: Callable[[], float]
    lease: float
    """Seconds that a silent holder keeps its job."""
    limits: CallLimits
    zone: str


def run(message: Run, job: Job, *, use: Running) -> None:
    """One cleared call, once. What an earlier attempt may have done is asked of the world first."""
    call = _take(message.id, job, use)
    if call is not None and call.state is CallState.UNKNOWN:
        call = _reconcile(call, job, use)
    if call is not None:
        _carry_out(call, job, use)


def gave_up_running(message: Run, job: Job, reason: str, *, use: Running) -> None:
    """The tries ran out: the call has failed, and the owner and the model are told."""
    with use.store.read(job) as tx:
        call = tx.call(message.id)
    if call.state is CallState.CLEARED:
        told = f"it was not done: {reason}"
    else:
        told = f"whether it was done could not be found out: {reason}"
    with use.store.begin(job) as tx:
        tx.conversation(call.conversation, lock=True)
        call = tx.call(message.id, lock=True)
        if call.state is CallState.CLEARED:
            call = _start(tx, call, use.toolbox[call.tool])
        if call.state in (CallState.RUNNING, CallState.UNKNOWN):
            _end(tx, call, CallState.FAILED, Result(text=told, told=told), use)
        tx.fail(job, reason)


def _take(id: str, job: Job, use: Running) -> Call | None:
    """Decide where this call stands; None if nothing is left to do, else cleared or unknown."""
    with use.store.begin(job) as tx:
        call = tx.call(id, lock=True)
        if call.state is CallState.RUNNING:
            # The job was ours to claim, so whoever ran this lost its lease.
            lost = CallState.CLEARED if _only_reads(call, use) else CallState.UNKNOWN
            call = tx.move(call, lost)
        if call.state not in (CallState.CLEARED, CallState.UNKNOWN):
            tx.done(job)
            return None
        return call


def _reconcile(call: Call, job: Job, use: Running) -> Call | None:
    """Ask the world whether it happened. A cleared call if it did not, None if that was its end."""
    tool = use.toolbox[call.tool]
    if tool.settle is None:
        words = "it was interrupted, and this tool cannot tell whether it happened"
        _record(call, CallState.FAILED, Result(text=words, told=words), job, use)
        return None
    try:
        result = tool.settle(call.facts, _errand(call, job, use))
    except Permanent as error:
        words = f"it was interrupted; {error}"
        _record(call, CallState.FAILED, Result(text=words, told=words), job, use)
        return None
    if result is not None:
        _record(call, CallState.DONE, result, job, use)
        return None
    with use.store.begin(job) as tx:
        return tx.move(tx.call(call.id, lock=True), CallState.CLEARED)


def _carry_out(call: Call, job: Job, use: Running) -> None:
    tool = use.toolbox[call.tool]
    began = use.monotonic()
    running = _intend(call, tool, job, use)
    if running is None:
        return
    if use.monotonic() - began > max(0.0, use.lease - tool.timeout):
        raise LeaseLost(job.message.name)  # too late to begin: the lease may end before the effect
    try:
        hit("effect.before")
        result = tool.act(call.facts, _errand(call, job, use))
        hit("effect.after")
    except Transient:
        _let_go(running, CallState.CLEARED, job, use)
        raise
    except Permanent as error:
        words = f"failed: {error}"
        _record(running, CallState.FAILED, Result(text=words, told=str(error)), job, use)
        return
    except Exception as error:  # noqa: BLE001 (whatever it was, it may have happened)
        _doubt(running, error, job, use)
        return
    _record(running, CallState.DONE, result, job, use)


def _intend(call: Call, tool: Tool[Any], job: Job, use: Running) -> Call | None:
    """Check the yes once more, take the fence and write what is about to happen."""
    with use.store.begin(job) as tx:
        current = tx.call(call.id, lock=True)
        no = _invalid(tx, current, tool, use.clock.now())
        if not no:
            running = _start(tx, current, tool)
            tx.hold(job)
            return running
    _record(call, CallState.VOID, Result(text=no, told=no), job, use)
    return None


def _start(tx: Tx, call: Call, tool: Tool[Any]) -> Call:
    """Take the fence; what is about to happen is written before it does."""
    running = tx.move(call, CallState.RUNNING)
    if tool.effect is not None:
        effect = tool.effect(running.facts, running.id)
        tx.intend(effect.model_copy(update={"fence": running.fence}))
    if tool.makes is not None:
        calendar, uid = tool.makes(running.facts)
        tx.own_uid(uid, calendar=calendar, call=running.id)
    return running


def _invalid(tx: Tx, call: Call, tool: Tool[Any], now: datetime) -> str:
    """Why a yes no longer covers this call; empty if it does, or if none was needed."""
    try:
        approval = tx.approval(call.id)
    except NotFound:
        return _unasked(call, tool, now)
    if approval.state is not ApprovalState.APPROVED:
        return f"its approval is {approval.state}"
    if approval.binding != call.binding or tool.version != call.version:
        return "it is no longer what was approved"
    return ""


def _unasked(call: Call, tool: Tool[Any], now: datetime) -> str:
    """Why a call that nobody was asked about may not run; empty if it needs no yes."""
    request = Request(
        tool=tool.terms,
        facts=call.facts,
        risk=tool.risk(call.facts),
        reach=tool.reach_of(call.facts),
        owner=call.owner,
        actor=call.actor,
        tainted=call.tainted,
    )
    decision = decide(request, Standing(now=now))
    if decision.verdict in (Verdict.ALLOW, Verdict.REPORT):
        return ""
    return "it needs a yes, and there is none"


def _doubt(running: Call, error: Exception, job: Job, use: Running) -> None:
    """It ended in a way that does not say whether it happened."""
    if not isinstance(error, Unsure):
        log.error("%s ended unexpectedly", running.tool, exc_info=error)
    if _only_reads(running, use):
        words = f"failed: {error if isinstance(error, AssistantError) else 'an internal error'}"
        _record(running, CallState.FAILED, Result(text=words, told=words), job, use)
        return
    _let_go(running, CallState.UNKNOWN, job, use)
    later = Unreachable(str(error))
    later.after = use.toolbox[running.tool].timeout
    raise later from error


def _let_go(running: Call, to: CallState, job: Job, use: Running) -> None:
    with use.store.begin(job) as tx:
        tx.move(running, to)
        tx.hold(job)


def _record(call: Call, to: CallState, result: Result, job: Job, use: Running) -> None:
    """Write the end of a call, and of its job, in one transaction."""
    with use.store.begin(job) as tx:
        tx.conversation(call.conversation, lock=True)
        _end(tx, tx.call(call.id, lock=True), to, result, use)
        tx.done(job)


def _end(tx: Tx, call: Call, to: CallState, result: Result, use: Running) -> None:
    text = shortened(result.text, use.limits.result)
    ended = tx.move(call, to, result=text, told=result.told)
    tool = use.toolbox[call.tool]
    if tool.effect is not None and to is not CallState.VOID:
        state = EffectState.DONE if to is CallState.DONE else EffectState.FAILED
        effect = tool.effect(call.facts, call.id).model_copy(
            update={"fence": call.fence, "state": state, "after": result.after}
        )
        tx.record(effect)
    show_card(tx, ended, toolbox=use.toolbox, zone=use.zone)
    if to is CallState.DONE and (tool.effect is not None or call.report):
        talk = tx.conversation(call.conversation)
        shown = cards.receipt(ended, tool, zone=use.zone)
        tx.want(cards.to(talk, f"receipt-{call.id}", shown))
    origin = Origin.OUTSIDE if result.outside else Origin.ASSISTANT
    tell_model(tx, ended, text, origin=origin, answer=True)


def _only_reads(call: Call, use: Running) -> bool:
    return use.toolbox[call.tool].reach_of(call.facts) is Reach.READS


def _errand(call: Call, job: Job, use: Running) -> Errand:
    return Errand(cause=job, call=call.id, now=use.clock.now(), zone=use.zone)
