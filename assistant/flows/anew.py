"""Ask again about what a call wanted, as the world is now: a new call, a new card, a new yes."""

from typing import Any

from assistant.domain.approvals import Answer, ApprovalState, is_person
from assistant.domain.call_states import ASKED_AGAIN, CallState
from assistant.domain.calls import Call, Reach
from assistant.domain.copied import still_copied
from assistant.domain.errors import BadArguments, Denied, NotFound
from assistant.domain.jobs import Cause, Job
from assistant.domain.messages import AskAnew
from assistant.domain.modes import Mode
from assistant.domain.talk import Origin
from assistant.domain.typed_times import read_times
from assistant.flows import cards
from assistant.flows.call_status import EDITED, lookup_status, too_late
from assistant.flows.context import Context
from assistant.flows.judging import draft_of, judge, look, vacated
from assistant.flows.outcomes import tell_model
from assistant.flows.placing import advance, place_anew
from assistant.flows.waiting import hold, refusal
from assistant.ports import Tx

_WAITS = CallState.PARKED


def ask_anew(message: AskAnew, job: Job, *, ctx: Context) -> None:
    """What was shown is not what is there any more: show what is, and ask."""
    with ctx.store.read(job) as tx:
        old = tx.call(message.id)
    new = _looked(old, draft_of(old, _named_by_id(old, ctx)), job, ctx)
    with ctx.store.begin(job) as tx:
        tx.done(job)
        _ask(tx, old, new, ctx)


def _named_by_id(old: Call, ctx: Context) -> dict[str, Any]:
    """What was asked for, its object named by the id that it was found to have."""
    tool = ctx.tool(old)
    found = old.facts.args  # nothing, where it was refused before anything was found
    return {**old.asked, **(tool.pin(old.facts) if found else {})}


def _looked(old: Call, draft: Call, cause: Cause, ctx: Context) -> Call:
    """One call, looked at; with the trouble that stands against asking, if any does."""
    now = ctx.clock.now()
    found = look(draft, cause=cause, ctx=ctx, now=now, patient=True)
    if len(found) == 1:
        return found[0]
    why = f"it would be {len(found)} calls now; ask for it anew"
    return draft.model_copy(update={"facts": old.facts.model_copy(update={"trouble": why})})


def _ask(tx: Tx, old: Call, new: Call, ctx: Context) -> None:
    standing = ctx.standing(tx)
    talk = tx.conversation(old.conversation, lock=True)
    call = tx.call(old.id, lock=True)
    if not (call.state is _WAITS or call.state in ASKED_AGAIN) or _taken(tx, call):
        return
    if call.state is _WAITS:
        tx.settle(tx.approval(call.id), ApprovalState.VOID, by="change", reason="", at=standing.now)
    why = "it changed since it was shown"
    placed = place_anew(tx, talk, call, new, now=standing, ctx=ctx, ask=why)
    tell_model(tx, placed, placed.result, origin=Origin.ASSISTANT, answer=False)
    if placed.state is CallState.REFUSED:
        text = f"{call.handle} cannot be asked about again: {placed.result}. Nothing was done."
        tx.want(cards.to(talk, f"anew-{call.id}", cards.notice(text)))
    advance(tx, talk, call.turn, now=standing, ctx=ctx, broken=placed)


def _taken(tx: Tx, call: Call) -> bool:
    """True when another call is in its place already; one that was refused is in nobody's."""
    turn = tx.calls(conversation=call.conversation, turn=call.turn)
    return any(
        other.supersedes == call.id and other.state is not CallState.REFUSED for other in turn
    )


def ask_again(handle: str, *, cause: Cause, ctx: Context) -> Answer:
    """The owner wants to be asked once more about a call that came to nothing.

    Raises:
        Denied: the house is in lockdown, where the new one would be refused.
    """
    try:
        with ctx.store.read(cause) as tx:
            call = tx.call_named(handle)
            taken = _taken(tx, call)
            mode = tx.mode().mode
    except NotFound:
        return Answer(accepted=False, text=f"There is no call {handle}.")
    if call.state not in ASKED_AGAIN or taken:
        return Answer(accepted=False, text=_not_again(call, taken=taken))
    if mode is Mode.LOCKDOWN and call.reach is not Reach.READS:
        raise Denied(f"{call.handle} cannot be asked about again in lockdown; leave that first")
    with ctx.store.begin(cause.model_copy(update={"trace": call.trace})) as tx:
        tx.emit(AskAnew(id=call.id))
    return Answer(accepted=True, text=f"{call.handle} is looked at again; a new card comes.")


def _not_again(call: Call, *, taken: bool) -> str:
    if taken:
        return f"{call.handle} is asked about again already."
    if call.state is _WAITS:
        return f"{call.handle} waits for your yes or no already."
    return (
        f"{call.handle} is {call.state}. What expired, failed or became void can be asked about "
        "again; for anything else, say once more what you want."
    )


def edit_call(
    handle: str, args: dict[str, Any], *, by: str, card: str, cause: Cause, ctx: Context
) -> Answer:
    """Put a call with other arguments in the place of one that waits, and ask about that.

    An undo has no others: code made its arguments from what was there.

    Args:
        handle: the call, by id or as ``A17``.
        args: what is to be otherwise, as a person typed it: a time without an offset is meant in
            the owner's zone. The rest stays as it was asked for.
        by: who edits, by the channel's own id of them.
        card: digest of the card they were shown.
        cause: on whose behalf.
        ctx: the rows, the clock and the tools.

    Returns:
        The answer; ``call`` is the new call's id.

    Raises:
        NotFound: there is no such call.
        Transient: what it is about cannot be looked at for a moment; the call waits on.
        BadArguments: the arguments do not fit, or what they want cannot be done; the call waits on.
    """
    with ctx.store.read(cause) as tx:
        old = tx.call_named(handle)
        no = _not_edited(tx, old, by)
    if no:
        return Answer(accepted=False, text=no)
    cause = cause.model_copy(update={"trace": old.trace})
    parameters = ctx.tool(old).schema.parameters
    args = read_times(args, parameters, zone=ctx.zone, was=old.asked)
    merged = {**_named_by_id(old, ctx), **args}
    draft = draft_of(old, merged)
    # What the person has just typed is theirs; the taint of the call stays.
    draft = draft.model_copy(update={"copied": still_copied(old.copied, old.asked, args)})
    new = _looked(old, draft, cause, ctx)
    if new.facts.trouble:
        raise BadArguments(new.facts.trouble)
    with ctx.store.begin(cause) as tx:
        held = hold(tx, old, ctx)
        if held is None:
            return Answer(accepted=False, text=f"{old.handle} never waited for an answer.")
        no = refusal(held, card=card)
        if no:
            return Answer(accepted=False, text=no)
        if {**old.asked, **args} == old.asked:
            text = f"Nothing of {old.handle} was changed; it waits for your yes."
            return Answer(accepted=False, text=text)
        standing = vacated(held.standing, held.call)
        judged = judge(new, held.talk, standing, ctx)
        if judged.state is CallState.REFUSED:
            raise BadArguments(judged.result)
        tx.settle(held.approval, ApprovalState.VOID, by=by, reason=EDITED, at=held.now)
        why = "the owner changed it"
        placed = place_anew(tx, held.talk, held.call, new, now=held.standing, ctx=ctx, ask=why)
        told = f"the owner changed {held.call.handle}; {placed.result}"
        tell_model(tx, placed, told, origin=Origin.ASSISTANT, answer=False)
        advance(tx, held.talk, placed.turn, now=held.standing, ctx=ctx)
    text = f"{old.handle} is replaced by {placed.handle}, which waits for your yes."
    return Answer(accepted=True, text=text, call=placed.id)


def _not_edited(tx: Tx, old: Call, by: str) -> str:
    """Why it stays as it is, whatever its arguments were to be; empty if they are looked at."""
    if old.state is not _WAITS:
        return too_late(lookup_status(tx, old))
    if not is_person(by):
        return f"{old.handle} waits for a person's answer."
    if old.undoes:
        undone = tx.call(old.undoes).handle
        only = "it can only be approved or denied"
        return f"{old.handle} takes back what {undone} did, as it was: {only}."
    return ""


def gave_up_asking(message: AskAnew, job: Job, reason: str, *, ctx: Context) -> None:
    """What a call is about could not be looked at again; the owner is told."""
    with ctx.store.begin(job) as tx:
        call = tx.call(message.id)
        talk = tx.conversation(call.conversation, lock=True)
        text = f"{call.handle} could not be looked at again: {reason}. Nothing was done."
        tx.want(cards.to(talk, f"anew-{call.id}", cards.notice(text)))
        tx.fail(job, reason)
