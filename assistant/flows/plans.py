"""Approve a plan: several calls of one turn at once, carried out in their order."""

from collections.abc import Mapping, Sequence

from assistant.domain.approvals import Answer, Yes
from assistant.domain.call_states import CallState
from assistant.domain.calls import Call
from assistant.domain.errors import Conflict, NotFound
from assistant.domain.jobs import Cause
from assistant.domain.policy import WORD
from assistant.flows.cards import second_step
from assistant.flows.context import Context
from assistant.flows.waiting import (
    Held,
    answered,
    approve,
    hold,
    not_the_word,
    refusal,
    unfit,
)
from assistant.ports import Tx


class _Refused(Exception):
    """Something stands against one of them, so none is approved."""

    def __init__(self, call: Call, why: str, *, word: str = "") -> None:
        super().__init__(why)
        self.call = call
        self.word = word


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
        with ctx.store.read(cause) as tx:
            named = tx.call_named(handle)
            seen = _plan(tx, named)
    except NotFound:
        return Answer(accepted=False, text=f"There is no call {handle}.")
    if no := _unfit_together(named, seen, cards, word):
        return no
    try:
        with ctx.store.begin(cause.model_copy(update={"trace": seen[0].trace})) as tx:
            each = [_say_yes(tx, call, by, cards, word, ctx) for call in seen]
    except _Refused as refused:
        _see_to(refused.call, cards, word, cause, ctx)
        text = f"{refused} None of the plan was approved."
        return Answer(accepted=False, text=text, word=refused.word)
    except Conflict:
        return Answer(accepted=False, text="The plan was answered at the same moment.")
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
) -> Sequence[Yes]:
    held = hold(tx, seen, ctx)
    if held is None:
        raise _Refused(seen, f"{seen.handle} never waited for an answer.")
    if no := refusal(held, card=cards.get(seen.id, "")):
        raise _Refused(seen, no)
    if unmet := unfit(held, word=word):
        raise _Refused(seen, unmet.text, word=unmet.word)
    said = approve(held, by=by, word=held.approval.word)
    if not said.accepted:
        raise _Refused(seen, said.text)
    return said.approved


def _unfit(held: Held, word: str) -> Answer:
    return unfit(held, word=word) or Answer(accepted=False, text="")


def _see_to(call: Call, cards: Mapping[str, str], word: str, cause: Cause, ctx: Context) -> None:
    """What follows for the one that a yes cannot be taken for: it is void, or asked about anew."""
    card = cards.get(call.id, "")
    answered(call.id, card=card, cause=cause, ctx=ctx, answer=lambda held: _unfit(held, word))


def _plan(tx: Tx, call: Call) -> list[Call]:
    turn = tx.calls(conversation=call.conversation, turn=call.turn, states={CallState.PARKED})
    return sorted(turn, key=lambda one: (one.ordinal, one.number))
