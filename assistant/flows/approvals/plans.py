"""Approve a plan: several calls of one turn at once, carried out in their order."""

from collections.abc import Mapping, Sequence
from contextlib import suppress

from assistant.domain.approvals.approval import Answer, ApprovedCall
from assistant.domain.calls.call import Call
from assistant.domain.calls.states import CallState
from assistant.domain.errors import Conflict
from assistant.domain.jobs.job import Cause
from assistant.domain.policy.decide import WORD
from assistant.domain.store import Tx
from assistant.flows.approvals.answers import approve, not_the_word, unfit
from assistant.flows.approvals.hold import Refused, find, hold, lock, why_not
from assistant.flows.context import Context
from assistant.flows.render.cards import second_step


def plan_of(handle: str, *, cause: Cause, ctx: Context) -> list[Call]:
    """The calls that wait together with this one, in order. Raises ``NotFound``."""
    with ctx.store.read(cause) as tx:
        return _plan(tx, tx.call_named(handle))


def approve_plan(
    handle: str,
    *,
    by: str,
    cards: Mapping[str, str],
    word: str = "",
    cause: Cause,
    ctx: Context,
) -> Answer:
    """Say yes to every call of the turn that waits; to all of them or to none.

    Args:
        handle: any of them, by id or as ``A17``.
        by: who pressed, by the channel's own id of them.
        cards: digest of the card that was shown for each, by the call's id. A call that waits but
            was not shown makes the whole a no, and so does one that was shown and waits no more.
        word: what was typed with it, where one of them wants a word, or where they destroy as many
            things together as no yes in passing may.
        cause: on whose behalf.
        ctx: the rows, the clock and the tools.
    """
    try:
        named = find(handle, cause=cause, ctx=ctx)
        seen = plan_of(named.id, cause=cause, ctx=ctx)
        if no := _unfit_together(named, seen, cards, word):
            return no
        with ctx.store.begin(cause.model_copy(update={"trace": seen[0].trace})) as tx:
            each = [_say_yes(tx, call, by, cards, word, ctx) for call in seen]
    except Conflict:
        return Answer(accepted=False, text="The plan was answered at the same moment.")
    except Refused as refused:
        if refused.call is None:
            return refused.answer
        _follow_up(refused.call, cards, word, cause, ctx)
        text = f"{refused} None of the plan was approved."
        return refused.answer.model_copy(update={"text": text})
    return Answer.yes([yes for approved in each for yes in approved])


def _unfit_together(
    named: Call, seen: Sequence[Call], cards: Mapping[str, str], word: str
) -> Answer | None:
    """Why this is no plan that can be approved like this, whatever each of its calls says."""
    if not seen:
        return Answer(accepted=False, text=f"Nothing waits together with {named.handle}.")
    if set(cards) - {call.id for call in seen}:
        why = "Something of it was answered since it was shown."
        return Answer(accepted=False, text=f"{why} None of the plan was approved.")
    if (step := second_step(seen)) and word.strip() != WORD:
        no = not_the_word(word)
        text = f"{no}It takes a second step: {step}. None of the plan was approved."
        return Answer(accepted=False, text=text, word=WORD)
    return None


def _say_yes(  # noqa: PLR0917 (private)
    tx: Tx, seen: Call, by: str, cards: Mapping[str, str], word: str, ctx: Context
) -> Sequence[ApprovedCall]:
    held = lock(tx, seen, ctx)
    if why := why_not(held, card=cards.get(seen.id, "")):
        raise Refused(seen, why)
    if unmet := unfit(held, word=word):
        raise Refused(seen, unmet.text, word=unmet.word)
    said = approve(held, by=by, word=held.approval.word)
    if not said.accepted:
        raise Refused(seen, said.text)
    return said.approved


def _follow_up(call: Call, cards: Mapping[str, str], word: str, cause: Cause, ctx: Context) -> None:
    """Void the call that spoiled the plan, or ask about it again, now that all is rolled back."""
    with (
        suppress(Refused),
        hold(call.id, card=cards.get(call.id, ""), cause=cause, ctx=ctx) as held,
    ):
        unfit(held, word=word)


def _plan(tx: Tx, call: Call) -> list[Call]:
    turn = tx.calls(conversation=call.conversation, turn=call.turn, states={CallState.PARKED})
    return sorted(turn, key=lambda one: (one.ordinal, one.number))
