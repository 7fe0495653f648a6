"""Remind the owner of a waiting call, and end it when it expires."""

from collections.abc import Sequence

from assistant.domain.approvals.approval import ApprovalState
from assistant.domain.calls.call import Call
from assistant.domain.calls.states import CallState
from assistant.domain.conversation.conversation import Origin
from assistant.domain.conversation.deliveries import moment
from assistant.domain.jobs.job import Job
from assistant.domain.messages import Expire
from assistant.flows.approvals.hold import Held, lock
from assistant.flows.calls.record import advance
from assistant.flows.context import Context
from assistant.flows.render import cards
from assistant.flows.render.outcomes import delivery_of, tell_model


def expire(message: Expire, job: Job, *, ctx: Context) -> None:
    """Remind the owner of a waiting call once; expire the call when its time has come."""
    with ctx.store.read(job) as tx:
        seen = tx.call(message.id)
    with ctx.store.begin(job) as tx:
        tx.done(job)
        held = lock(tx, seen, ctx)
        if held.approval.state is not ApprovalState.OPEN:
            return
        if held.call.state is not CallState.PARKED:
            return
        if held.now < held.approval.expires:
            _remind(held)
        else:
            _expire(held)


def _remind(held: Held) -> None:
    approval, call = held.approval, held.call
    if approval.remind is None or held.now < approval.remind:
        held.tx.emit(Expire(id=call.id), due=approval.remind or approval.expires)
        return
    held.tx.reminded(approval)
    until = moment("Until", approval.expires, held.ctx.zone)
    plan, names = _together(held)
    waits = "wait" if len(names) > 1 else "waits"
    said = f"{', '.join(names)} still {waits} for your yes or no."
    shown = cards.notice(said, fields=[until])
    id = f"reminder-{plan or call.id}-{int(approval.remind.timestamp())}"
    held.tx.want(cards.to(held.conversation, id, shown))
    held.tx.emit(Expire(id=call.id), due=approval.expires)


def _together(held: Held) -> tuple[str, Sequence[str]]:
    """Return the plan of a waiting call and what waits in it, as one reminder tells of all."""
    call = held.call
    plan = _plan(held, call)
    if not plan:
        return "", [call.handle]
    waiting = held.tx.calls(
        conversation=call.conversation, turn=call.turn, states={CallState.PARKED}
    )
    ordered = sorted(waiting, key=lambda one: (one.ordinal, one.number))
    return plan, [one.handle for one in ordered if _plan(held, one) == plan]


def _plan(held: Held, call: Call) -> str:
    card = delivery_of(held.tx, cards.card_id(call))
    return card.wanted.within if card is not None else ""


def _expire(held: Held) -> None:
    tx, call = held.tx, held.call
    ended = tx.settle(held.approval, ApprovalState.EXPIRED, by="time", reason="", at=held.now)
    told = "it expired before the owner answered; nothing was done"
    expired = tx.move(call, CallState.EXPIRED, result=told)
    held.show(expired, ended)
    tool = held.ctx.toolbox.get(call.tool)
    notice = cards.expired(expired, tool, zone=held.ctx.zone)
    tx.want(cards.to(held.conversation, f"expired-{call.id}", notice))
    advance(tx, held.conversation, call.turn, now=held.policy_context, ctx=held.ctx, broken=expired)
    tell_model(tx, expired, told, origin=Origin.ASSISTANT, answer=False)
