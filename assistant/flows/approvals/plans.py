"""Approve a plan: all waiting calls of one turn with one yes, to run in order."""

from collections.abc import Mapping, Sequence
from contextlib import suppress

from assistant.domain.approvals.approval import ApprovalAnswer, ApprovedCall
from assistant.domain.calls.call import Call
from assistant.domain.calls.ports import CallTx
from assistant.domain.calls.states import CallState
from assistant.domain.errors import Conflict
from assistant.domain.jobs.job import Cause
from assistant.domain.policy.decide import WORD
from assistant.domain.store import Tx
from assistant.flows.approvals.answers import approve, deny, recheck, say_reason, wrong_word
from assistant.flows.approvals.hold import Refused, find, hold, lock, why_not
from assistant.flows.context import Context
from assistant.flows.render.cards import second_step

_NAMED = 3
"""Calls that are named in an answer; the others are counted."""


def plan_of(handle: str, *, cause: Cause, ctx: Context) -> list[Call]:
    """Return the calls that wait in this call's turn, in order. Raises ``NotFound``."""
    with ctx.store.read(cause) as tx:
        return _waiting_in_turn(tx, tx.call_named(handle))


def approve_plan(
    handle: str,
    *,
    by: str,
    cards: Mapping[str, str],
    word: str = "",
    only_shown: bool = False,
    cause: Cause,
    ctx: Context,
) -> ApprovalAnswer:
    """Approve every waiting call of a turn: all of them or none.

    Args:
        handle: any call of the plan, by id or as ``A17``.
        by: who pressed, by their id in the channel.
        cards: digest of the card that was shown for each call, by the call's id. The plan is
            refused if a call waits that was not shown, or if one that was shown waits no longer.
        word: the second step that was typed; needed if a call of the plan needs it, or if the plan
            destroys many things at once.
        only_shown: approve those that wait as they were shown, and say which are left out.
        cause: on whose behalf.
        ctx: the rows, the clock and the tools.
    """
    try:
        named = find(handle, cause=cause, ctx=ctx)
        seen = plan_of(named.id, cause=cause, ctx=ctx)
        left_out = ""
        if only_shown:
            seen, cards, left_out = _as_shown(seen, cards, cause, ctx)
        if not seen and left_out:
            return ApprovalAnswer(accepted=False, text=f"Nothing was approved.{left_out}")
        if no := _refuse_plan(named, seen, cards, word):
            return no
        with ctx.store.begin(cause.model_copy(update={"trace": seen[0].trace})) as tx:
            each = [_approve_one(tx, call, by, cards, word, ctx) for call in seen]
    except Conflict:
        return ApprovalAnswer(accepted=False, text="The plan was answered at the same moment.")
    except Refused as refused:
        if refused.call is None:
            return refused.answer
        _follow_up(refused.call, cards, word, cause, ctx)
        text = f"{refused} None of the plan was approved."
        return refused.answer.model_copy(update={"text": text})
    said = ApprovalAnswer.yes([yes for approved in each for yes in approved])
    return said.model_copy(update={"text": f"{said.text}{left_out}"}) if left_out else said


def deny_plan(
    handle: str,
    *,
    by: str,
    cards: Mapping[str, str] | None,
    reason: str = "",
    cause: Cause,
    ctx: Context,
) -> ApprovalAnswer:
    """Deny the waiting calls of a turn that were shown as they are, and say which are left out.

    A denial does nothing, so that one which names the plan needs no look at its cards.

    Args:
        handle: any call of the plan, by id or as ``A17``.
        by: who pressed, by their id in the channel.
        cards: digest of the card that was shown for each call, by the call's id; None to deny all
            that wait now.
        reason: what the model is told.
        cause: on whose behalf.
        ctx: the rows, the clock and the tools.
    """
    try:
        named = find(handle, cause=cause, ctx=ctx)
        waiting = plan_of(named.id, cause=cause, ctx=ctx)
        if not waiting and cards is None:
            return _none_waits(named)
        if cards is None:
            cards = _cards_now(waiting, cause, ctx)
        seen, cards, left_out = _as_shown(waiting, cards, cause, ctx)
        if not seen:
            return ApprovalAnswer(accepted=False, text=f"Nothing was denied.{left_out}")
        with ctx.store.begin(cause.model_copy(update={"trace": seen[0].trace})) as tx:
            for call in seen:
                _deny_one(tx, call, by, cards, reason, ctx)
    except Conflict:
        return ApprovalAnswer(accepted=False, text="The plan was answered at the same moment.")
    except Refused as refused:
        return refused.answer
    names = ", ".join(call.handle for call in seen)
    verb = "is" if len(seen) == 1 else "are"
    text = f"{names} {verb} denied; nothing was done.{say_reason(reason)}{left_out}"
    return ApprovalAnswer(accepted=True, text=text)


def _deny_one(  # noqa: PLR0917 (private)
    tx: Tx, seen: Call, by: str, cards: Mapping[str, str], reason: str, ctx: Context
) -> None:
    held = lock(tx, seen, ctx)
    if why := why_not(held, card=cards[seen.id]):
        raise Refused(seen, f"{why} None of the plan was denied.")
    said = deny(held, by=by, reason=reason)
    if not said.accepted:
        raise Refused(seen, said.text)


def _cards_now(waiting: Sequence[Call], cause: Cause, ctx: Context) -> Mapping[str, str]:
    """Return by call the digest of the card that asks about it now."""
    with ctx.store.read(cause) as tx:
        return {call.id: tx.approval(call.id).card for call in waiting}


def _as_shown(
    waiting: Sequence[Call], cards: Mapping[str, str], cause: Cause, ctx: Context
) -> tuple[list[Call], Mapping[str, str], str]:
    """Return the waiting calls that were shown as they are asked about, with their cards.

    The text says which calls an answer to these cards leaves out; it is empty for none.
    """
    with ctx.store.read(cause) as tx:
        seen = [call for call in waiting if cards.get(call.id) == tx.approval(call.id).card]
        ids = {call.id for call in seen}
        gone = [tx.call(id).handle for id in cards if id not in ids]
    new = [call.handle for call in waiting if call.id not in ids and call.id not in cards]
    said = f" {_named(gone)}: answered or changed since it was shown." if gone else ""
    if new:
        waits = "so it waits" if len(new) == 1 else "so they wait"
        said = f"{said} {_named(new)}: not shown there, {waits} on."
    return seen, {call.id: cards[call.id] for call in seen}, said


def _named(handles: Sequence[str]) -> str:
    """Name some, and count the rest."""
    rest = f" and {len(handles) - _NAMED} more" if len(handles) > _NAMED else ""
    return f"{', '.join(handles[:_NAMED])}{rest}"


def _refuse_plan(
    named: Call, seen: Sequence[Call], cards: Mapping[str, str], word: str
) -> ApprovalAnswer | None:
    """Refuse a plan that is empty, was partly answered, or lacks its word; None if it may go on."""
    if not seen:
        return _none_waits(named)
    if set(cards) - {call.id for call in seen}:
        why = "Part of the plan was answered since it was shown."
        return ApprovalAnswer(accepted=False, text=f"{why} None of the plan was approved.")
    if (step := second_step(seen)) and word.strip() != WORD:
        no = wrong_word(word)
        text = f"{no}The plan takes a second step: {step}. None of the plan was approved."
        return ApprovalAnswer(accepted=False, text=text, word=WORD)
    return None


def _none_waits(named: Call) -> ApprovalAnswer:
    return ApprovalAnswer(accepted=False, text=f"Nothing waits together with {named.handle}.")


def _approve_one(  # noqa: PLR0917 (private)
    tx: Tx, seen: Call, by: str, cards: Mapping[str, str], word: str, ctx: Context
) -> Sequence[ApprovedCall]:
    held = lock(tx, seen, ctx)
    if why := why_not(held, card=cards.get(seen.id, "")):
        raise Refused(seen, why)
    if unmet := recheck(held, word=word):
        raise Refused(seen, unmet.text, word=unmet.word, look=unmet.look)
    said = approve(held, by=by, word=held.approval.word or word)
    if not said.accepted:
        raise Refused(seen, said.text)
    return said.approved


def _follow_up(call: Call, cards: Mapping[str, str], word: str, cause: Cause, ctx: Context) -> None:
    """Void the call that stopped the plan, or ask about it again, after the rollback undid that."""
    with (
        suppress(Refused),
        hold(call.id, card=cards.get(call.id, ""), cause=cause, ctx=ctx) as held,
    ):
        recheck(held, word=word)


def _waiting_in_turn(tx: CallTx, call: Call) -> list[Call]:
    turn = tx.calls(conversation=call.conversation, turn=call.turn, states={CallState.PARKED})
    return sorted(turn, key=lambda one: (one.ordinal, one.number))
