"""Ask again about a call, as the world is now: with a new call, a new card and a new yes."""

from typing import Any

from assistant.domain.approvals.approval import ApprovalAnswer, ApprovalState, is_person
from assistant.domain.calls.call import Call, Reach
from assistant.domain.calls.ports import CallTx
from assistant.domain.calls.quoted_arguments import still_quoted
from assistant.domain.calls.states import ASKED_AGAIN, CallState, state_name
from assistant.domain.conversation.conversation import Origin
from assistant.domain.errors import BadArguments, Denied, NotFound
from assistant.domain.governance.modes import Mode
from assistant.domain.jobs.job import Cause, Job
from assistant.domain.messages import Repropose
from assistant.domain.store import Tx
from assistant.domain.time.typed_times import read_times
from assistant.flows.approvals.hold import Held, Refused, hold
from assistant.flows.calls.judge import draft_of, inspect, judge, vacated
from assistant.flows.calls.record import advance, record_replacement
from assistant.flows.context import Context
from assistant.flows.render import cards
from assistant.flows.render.call_status import EDITED, lookup_status, too_late
from assistant.flows.render.outcomes import tell_model


def repropose(message: Repropose, job: Job, *, ctx: Context) -> None:
    """Look at the world again, replace a call that is out of date, and ask about the new one."""
    with ctx.store.read(job) as tx:
        old = tx.call(message.id)
    draft = draft_of(old, _pinned_args(old, ctx))
    # What is found by its id may be called otherwise by now than what the owner typed.
    named = ctx.tool(old).pin(old.facts) if old.facts.args else {}
    typed = tuple(name for name in old.typed if name not in named)
    new = _inspect_again(old, draft.model_copy(update={"typed": typed}), job, ctx)
    with ctx.store.begin(job) as tx:
        tx.done(job)
        _replace_and_ask(tx, old, new, ctx)


def _pinned_args(old: Call, ctx: Context) -> dict[str, Any]:
    """Return the arguments asked for, with their object named by the id that was found for it."""
    tool = ctx.tool(old)
    found = old.facts.args  # nothing, where it was refused before anything was found
    return {**old.asked, **(tool.pin(old.facts) if found else {})}


def _inspect_again(old: Call, draft: Call, cause: Cause, ctx: Context) -> Call:
    """Look at the world for a draft; the call has a trouble if it cannot be asked about."""
    now = ctx.clock.now()
    found = inspect(draft, cause=cause, ctx=ctx, now=now, patient=True)
    if len(found) == 1:
        return found[0]
    why = f"it would be {len(found)} calls now; ask for it in a new request"
    return draft.model_copy(update={"facts": old.facts.model_copy(update={"trouble": why})})


def _replace_and_ask(tx: Tx, old: Call, new: Call, ctx: Context) -> None:
    policy_context = ctx.policy_context(tx)
    conversation = tx.conversation(old.conversation, lock=True)
    call = tx.call(old.id, lock=True)
    waits = call.state is CallState.PARKED
    if not (waits or call.state in ASKED_AGAIN) or _has_successor(tx, call):
        return
    if waits:
        tx.settle(
            tx.approval(call.id), ApprovalState.VOID, by="change", reason="", at=policy_context.now
        )
    why = "it changed since it was shown"
    if new.facts.destination and new.facts.destination != call.facts.destination:
        why = "it was for another calendar"
    recorded = record_replacement(tx, conversation, call, new, now=policy_context, ctx=ctx, ask=why)
    tell_model(tx, recorded, recorded.result, origin=Origin.ASSISTANT, answer=False)
    if recorded.state is CallState.REFUSED:
        text = f"{call.handle} cannot be asked about again: {recorded.result}. Nothing was done."
        tx.want(cards.to(conversation, f"anew-{call.id}", cards.notice(text)))
    advance(tx, conversation, call.turn, now=policy_context, ctx=ctx, broken=recorded)


def _has_successor(tx: CallTx, call: Call) -> bool:
    """Whether another call has replaced this one; a refused call replaces none."""
    turn = tx.calls(conversation=call.conversation, turn=call.turn)
    return any(
        other.supersedes == call.id and other.state is not CallState.REFUSED for other in turn
    )


def ask_again(handle: str, *, cause: Cause, ctx: Context) -> ApprovalAnswer:
    """Order a new call for one that expired, failed or was cancelled.

    Raises:
        Denied: the assistant is in lockdown, where the new call would be refused.
    """
    try:
        with ctx.store.read(cause) as tx:
            call = tx.call_named(handle)
            replaced = _has_successor(tx, call)
            mode = tx.mode().mode
    except NotFound:
        return ApprovalAnswer(accepted=False, text=f"There is no call {handle}.")
    if call.state not in ASKED_AGAIN or replaced:
        return ApprovalAnswer(accepted=False, text=_why_not_again(call, replaced=replaced))
    if mode is Mode.LOCKDOWN and call.reach is not Reach.READS:
        raise Denied(f"{call.handle} cannot be asked about again in lockdown; leave that first")
    with ctx.store.begin(cause.model_copy(update={"trace": call.trace})) as tx:
        tx.emit(Repropose(id=call.id))
    return ApprovalAnswer(
        accepted=True, text=f"{call.handle} is looked at again; a new card comes."
    )


def _why_not_again(call: Call, *, replaced: bool) -> str:
    if replaced:
        return f"{call.handle} is asked about again already."
    if call.state is CallState.PARKED:
        return f"{call.handle} waits for your yes or no already."
    return (
        f"{call.handle} is {state_name(call.state)}. Only what expired, failed or was cancelled "
        "can be asked about again; otherwise say once more what you want."
    )


def edit_call(
    handle: str, args: dict[str, Any], *, by: str, card: str, cause: Cause, ctx: Context
) -> ApprovalAnswer:
    """Replace a waiting call by one with other arguments, and ask about the new one.

    An undo cannot be edited: code made its arguments from what was there before.

    Args:
        handle: the call, by id or as ``A17``.
        args: the changed arguments, as a person typed them: a time without an offset is in the
            owner's zone. The other arguments stay as they were asked for.
        by: who edits, by their id in the channel.
        card: digest of the card they were shown.
        cause: on whose behalf.
        ctx: the rows, the clock and the tools.

    Returns:
        The answer; ``call`` is the new call's id.

    Raises:
        NotFound: there is no such call.
        Transient: the world cannot be looked at for a moment; the call goes on waiting.
        BadArguments: the arguments are not valid, or cannot be carried out; the call goes on
            waiting.
    """
    with ctx.store.read(cause) as tx:
        old = tx.call_named(handle)
        no = _why_not_edited(tx, old, by)
    if no:
        return ApprovalAnswer(accepted=False, text=no)
    cause = cause.model_copy(update={"trace": old.trace})
    parameters = ctx.tool(old).schema.parameters
    args = read_times(args, parameters, zone=ctx.zone, was=old.asked)
    merged = {**_pinned_args(old, ctx), **args}
    draft = draft_of(old, merged)
    # An argument that the person has just typed is no longer quoted; the call stays tainted.
    changed = {name for name, value in args.items() if value != old.asked.get(name)}
    draft = draft.model_copy(
        update={
            "copied": still_quoted(old.copied, old.asked, args),
            "typed": tuple(sorted({*old.typed, *changed})),
        }
    )
    new = _inspect_again(old, draft, cause, ctx)
    if new.facts.trouble:
        raise BadArguments(new.told or new.facts.trouble)
    try:
        with hold(old.id, card=card, seen=old, cause=cause, ctx=ctx) as held:
            if {**old.asked, **args} == old.asked:
                text = f"You changed nothing; {old.handle} still waits for your yes."
                return ApprovalAnswer(accepted=False, text=text)
            recorded = _replace(held, new, by=by)
    except Refused as refused:
        return refused.answer
    text = f"{old.handle} is replaced by {recorded.handle}, which waits for your yes."
    return ApprovalAnswer(accepted=True, text=text, call=recorded.id)


def _replace(held: Held, new: Call, *, by: str) -> Call:
    """Replace the held call by the edited one. Raises ``BadArguments`` if that is refused."""
    tx, old, now, ctx = held.tx, held.call, held.policy_context, held.ctx
    judged = judge(new, held.conversation, vacated(now, old), ctx)
    if judged.state is CallState.REFUSED:
        raise BadArguments(judged.result)
    tx.settle(held.approval, ApprovalState.VOID, by=by, reason=EDITED, at=held.now)
    why = "the owner changed it"
    recorded = record_replacement(tx, held.conversation, old, new, now=now, ctx=ctx, ask=why)
    told = f"the owner changed {old.handle}; {recorded.result}"
    tell_model(tx, recorded, told, origin=Origin.ASSISTANT, answer=False)
    advance(tx, held.conversation, recorded.turn, now=now, ctx=ctx)
    return recorded


def _why_not_edited(tx: Tx, old: Call, by: str) -> str:
    """Say why a call cannot be edited, whatever the arguments; empty if it can."""
    if old.state is not CallState.PARKED:
        return too_late(lookup_status(tx, old))
    if not is_person(by):
        return f"{old.handle} waits for a person's answer."
    if old.undoes:
        undone = tx.call(old.undoes).handle
        only = "it can only be approved or denied"
        return f"{old.handle} undoes {undone}: {only}."
    return ""


def gave_up_reproposing(message: Repropose, job: Job, reason: str, *, ctx: Context) -> None:
    """Tell the owner that a call could not be looked at again."""
    with ctx.store.begin(job) as tx:
        call = tx.call(message.id)
        conversation = tx.conversation(call.conversation, lock=True)
        text = f"{call.handle} could not be looked at again: {reason}. Nothing was done."
        tx.want(cards.to(conversation, f"anew-{call.id}", cards.notice(text)))
        tx.fail(job, reason)
