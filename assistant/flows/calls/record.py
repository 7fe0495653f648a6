"""Record judged calls, ask about those that wait, and start those that may begin."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from assistant.domain.approvals.approval import Approval
from assistant.domain.calls.batches import startable, stranded
from assistant.domain.calls.call import Call
from assistant.domain.calls.ports import CallTx
from assistant.domain.calls.states import CallState
from assistant.domain.conversation.conversation import Conversation, Origin
from assistant.domain.conversation.deliveries import Shown
from assistant.domain.ids import new_id
from assistant.domain.messages import Expire, Run
from assistant.domain.policy.decide import PolicyContext
from assistant.domain.store import Tx
from assistant.flows.calls.judge import after_destroying, counted, draft_of, judge, vacated
from assistant.flows.context import Context
from assistant.flows.render import cards, plan_card
from assistant.flows.render.call_status import approval_of
from assistant.flows.render.outcomes import delivery_of, plan_as_it_is, show_card, tell_model


def record_call(tx: Tx, call: Call, *, ctx: Context) -> Call:
    """Record a judged call of a locked conversation.

    Call ``advance`` once all calls of the turn are recorded: it asks about those that wait.
    """
    if call.state is CallState.CLEARED:
        if call.grant:
            tx.use_grant(call.grant, at=tx.high_water(ctx.clock.now()))
        return tx.add_call(call)
    if call.state is CallState.PARKED:
        return _park(tx, call, ctx)
    return tx.add_call(call.model_copy(update={"result": f"refused: {call.result}"}))


def advance(
    tx: Tx,
    conversation: Conversation,
    turn: int,
    *,
    now: PolicyContext,
    ctx: Context,
    broken: Call | None = None,
) -> Sequence[Call]:
    """Start the calls of a turn that may begin, and ask about those that wait for a person.

    Call it whenever a call of the turn was recorded, cleared or ended, with the conversation
    locked. Call it before ``tell_model``, so that the model is told of all outcomes at once.

    Args:
        tx: the transaction that changed the call.
        conversation: where the calls were asked for.
        turn: the turn that asked for them.
        now: the state that decisions depend on.
        ctx: the tools and limits.
        broken: the call that has just come to nothing: each call that was cleared to follow it is
            superseded by a parked one.

    Returns:
        the calls of the turn, as they are now.
    """
    calls = tx.calls(conversation=conversation.id, turn=turn)
    why = _why_again(broken) if broken else ""
    for old in stranded(calls, broken) if broken else []:
        same = draft_of(old).model_copy(update={"version": old.version})
        new = record_replacement(tx, conversation, old, same, now=now, ctx=ctx, ask=why)
        now = counted(vacated(now, old), new)
        told = f"in place of #{old.handle}: {new.result}"
        tell_model(tx, new, told, origin=Origin.ASSISTANT, answer=False)
    if broken:
        calls = tx.calls(conversation=conversation.id, turn=turn)
    _ask(tx, conversation, calls, ctx)
    for call in startable(calls):
        tx.emit(Run(id=call.id))
    return calls


def _why_again(broken: Call) -> str:
    """Say why a change is asked about again of which an earlier one came to nothing."""
    if broken.state is CallState.UNKNOWN or broken.unclear:
        return "it was not sure whether the change before it was done"
    return "what was to happen before it did not"


def record_replacement(
    tx: Tx,
    conversation: Conversation,
    old: Call,
    new: Call,
    *,
    now: PolicyContext,
    ctx: Context,
    ask: str,
) -> Call:
    """Judge ``new`` and record it as the successor of ``old``; supersede ``old`` if it is open.

    ``new`` is parked for the reason ``ask`` where the policy would let it run; a refusal stands.
    """
    position = {"turn": old.turn, "ordinal": old.ordinal, "supersedes": old.id}
    ends = old.can_become(CallState.SUPERSEDED)
    then = vacated(now, old) if ends else now
    new = new.model_copy(update=position)
    then = after_destroying(tx, then, [new], ctx)
    judged = judge(new, conversation, then, ctx, ask=ask)
    if ends:
        old = tx.move(old, CallState.SUPERSEDED, result=f"replaced: {ask}", told=ask)
    recorded = record_call(tx, judged, ctx=ctx)
    show_card(tx, old, toolbox=ctx.toolbox, zone=ctx.zone, successor=recorded)
    return recorded


def _park(tx: CallTx, call: Call, ctx: Context) -> Call:
    waiting = len(tx.calls(states={CallState.PARKED}, limit=ctx.limits.pending + 1))
    if waiting >= ctx.limits.pending:
        why = (
            f"refused: {waiting} calls wait for the owner already; ask again when some are answered"
        )
        full = call.model_copy(update={"state": CallState.REFUSED, "result": why})
        return tx.add_call(full)
    stored = tx.add_call(call)
    told = (
        f"parked #{stored.handle}: it waits for the owner's approval and has NOT been done; "
        "its outcome will be told later"
    )
    return stored.model_copy(update={"result": told})


def _ask(tx: Tx, conversation: Conversation, calls: Sequence[Call], ctx: Context) -> None:
    """Open an approval and show a card for each waiting call that has none yet.

    Done once the whole turn is recorded: a card names the calls that are asked together with it,
    and its approval is bound to the card. The card stays the same whatever becomes of the others.
    """
    waiting = sorted(
        (call for call in calls if call.state is CallState.PARKED),
        key=lambda call: (call.ordinal, call.number),
    )
    unasked = [call for call in waiting if approval_of(tx, call) is None]
    if not unasked:
        return
    now = tx.high_water(ctx.clock.now())
    plan = _plan_of(tx, waiting, unasked)
    for call in unasked:
        was = tx.call(call.supersedes) if call.supersedes else None
        together = [other for other in waiting if other.id != call.id]
        approval, shown = open_approval(
            call, was=was, together=together, within=plan, now=now, ctx=ctx
        )
        tx.add_approval(approval)
        tx.want(cards.to(conversation, cards.card_id(call), shown))
        tx.emit(Expire(id=call.id), due=approval.remind or approval.expires)
    if plan:
        delivery_of(tx, plan, lock=True)
        shown = plan_as_it_is(tx, unasked[0], plan, toolbox=ctx.toolbox, zone=ctx.zone)
        tx.want(cards.to(conversation, plan, shown))


def _plan_of(tx: Tx, waiting: Sequence[Call], unasked: Sequence[Call]) -> str:
    """Return the id of the plan whose steps these calls are; empty for one that waits alone.

    They join a plan of their turn of which a step still waits. Else several make a new one, in a
    message of its own, so that it is noticed.
    """
    for call in waiting:
        card = delivery_of(tx, cards.card_id(call))
        if card is not None and card.wanted.within:
            return card.wanted.within
    return plan_card.plan_id(unasked[0]) if len(unasked) > 1 else ""


def open_approval(
    call: Call,
    *,
    was: Call | None,
    together: Sequence[Call],
    within: str = "",
    now: datetime,
    ctx: Context,
) -> tuple[Approval, Shown]:
    """Make the approval that a parked call waits for, and the card it is bound to.

    ``within``: id of the plan that shows the card as one of its rows.
    """
    tool = ctx.tool(call)
    expires = now + timedelta(seconds=ctx.limits.wait_for(call.reach))
    useless = tool.expires_at(call.facts)
    if useless is not None and useless > now:
        expires = min(expires, useless)
    shown, unseen = cards.card(
        call, tool, expires=expires, zone=ctx.zone, was=was, together=together
    )
    shown = shown.model_copy(update={"within": within})
    approval = Approval(
        id=new_id(),
        call=call.id,
        owner=call.owner,
        binding=call.binding,
        card=shown.digest,
        expires=expires,
        created=now,
        remind=now + (expires - now) / 2,
        word=call.word,
        policy=call.policy,
        unseen=unseen if call.tainted else 0,
    )
    return approval, shown
