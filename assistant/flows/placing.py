"""Judged calls are stored, each with what comes next for it; and those that may begin, begin."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from assistant.domain.approvals import Approval
from assistant.domain.batches import startable, stranded
from assistant.domain.call_states import CallState
from assistant.domain.calls import Call
from assistant.domain.deliveries import Shown
from assistant.domain.ids import new_id
from assistant.domain.messages import Expire, Run
from assistant.domain.policy import Standing
from assistant.domain.talk import Conversation, Origin
from assistant.flows import cards
from assistant.flows.call_status import approval_of
from assistant.flows.context import Context
from assistant.flows.judging import counted, draft_of, judge, vacated
from assistant.flows.outcomes import show_card, tell_model
from assistant.ports import Tx


def place(tx: Tx, call: Call, *, ctx: Context) -> Call:
    """Store a judged call of a locked conversation.

    ``advance`` has to follow, once all calls of the turn are placed: it asks about those that wait.
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
    talk: Conversation,
    turn: int,
    *,
    now: Standing,
    ctx: Context,
    broken: Call | None = None,
) -> Sequence[Call]:
    """Let those calls of a turn begin that may, and ask about those that wait for a person.

    Call it whenever a call of the turn was placed, cleared or ended, its conversation locked; where
    the model is told of the end as well, before that, so that it is told of all in one go.

    Args:
        tx: the transaction in which that happened.
        talk: where the calls were asked for.
        turn: theirs.
        now: how things stand.
        ctx: the tools and limits.
        broken: the call that has just come to nothing: what was cleared to follow it is parked
            again, each in the place of one that it supersedes.

    Returns:
        the calls of the turn, as they are now.
    """
    calls = tx.calls(conversation=talk.id, turn=turn)
    for old in stranded(calls, broken) if broken else []:
        why = "what was to happen before it did not"
        same = draft_of(old).model_copy(update={"version": old.version})
        new = place_anew(tx, talk, old, same, now=now, ctx=ctx, ask=why)
        now = counted(vacated(now, old), new)
        told = f"in place of #{old.handle}: {new.result}"
        tell_model(tx, new, told, origin=Origin.ASSISTANT, answer=False)
    if broken:
        calls = tx.calls(conversation=talk.id, turn=turn)
    _ask(tx, talk, calls, ctx)
    for call in startable(calls):
        tx.emit(Run(id=call.id))
    return calls


def place_anew(
    tx: Tx,
    talk: Conversation,
    old: Call,
    new: Call,
    *,
    now: Standing,
    ctx: Context,
    ask: str,
) -> Call:
    """Judge ``new`` and put it in the place of ``old``, which ends superseded unless it has ended.

    It is parked, for the reason ``ask``, whatever the policy would let run; a no stays a no.
    """
    place_of = {"turn": old.turn, "ordinal": old.ordinal, "supersedes": old.id}
    ends = old.can_become(CallState.SUPERSEDED)
    then = vacated(now, old) if ends else now
    judged = judge(new.model_copy(update=place_of), talk, then, ctx, ask=ask)
    if ends:
        old = tx.move(old, CallState.SUPERSEDED, result=f"replaced: {ask}", told=ask)
    placed = place(tx, judged, ctx=ctx)
    show_card(tx, old, toolbox=ctx.toolbox, zone=ctx.zone, successor=placed)
    return placed


def _park(tx: Tx, call: Call, ctx: Context) -> Call:
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


def _ask(tx: Tx, talk: Conversation, calls: Sequence[Call], ctx: Context) -> None:
    """Ask about each call that waits and was not asked about yet.

    Only now, as its card names all that it is asked together with, and the approval is bound to
    that card. What becomes of the others later changes nothing of it.
    """
    waiting = sorted(
        (call for call in calls if call.state is CallState.PARKED),
        key=lambda call: (call.ordinal, call.number),
    )
    unasked = [call for call in waiting if approval_of(tx, call) is None]
    if not unasked:
        return
    now = tx.high_water(ctx.clock.now())
    for call in unasked:
        was = tx.call(call.supersedes) if call.supersedes else None
        together = [other for other in waiting if other.id != call.id]
        approval, shown = open_approval(call, was=was, together=together, now=now, ctx=ctx)
        tx.add_approval(approval)
        tx.want(cards.to(talk, cards.card_id(call), shown))
        tx.emit(Expire(id=call.id), due=approval.remind or approval.expires)


def open_approval(
    call: Call, *, was: Call | None, together: Sequence[Call], now: datetime, ctx: Context
) -> tuple[Approval, Shown]:
    """The approval a parked call waits for, and the card it is bound to."""
    tool = ctx.tool(call)
    expires = now + timedelta(seconds=ctx.limits.wait_for(call.reach))
    useless = tool.expires_at(call.facts)
    if useless is not None and useless > now:
        expires = min(expires, useless)
    others = [(other, ctx.toolbox.get(other.tool)) for other in together]
    shown = cards.card(call, tool, expires=expires, zone=ctx.zone, was=was, together=others)
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
    )
    return approval, shown
