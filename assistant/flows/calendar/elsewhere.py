"""Follow changes that were made elsewhere: ask again about what waits and rests on them."""

import logging
from collections.abc import Mapping
from enum import Enum

from assistant.domain.approvals.approval import ApprovalState
from assistant.domain.calendar.copies.changes import same_etag
from assistant.domain.calls.call import Call
from assistant.domain.calls.states import CallState
from assistant.domain.conversation.conversation import Origin
from assistant.domain.errors import AssistantError, NotFound
from assistant.domain.jobs.job import Cause
from assistant.domain.messages import Repropose
from assistant.domain.policy.decisions import one_line
from assistant.domain.text.quotes import quoted
from assistant.flows.approvals.hold import Refused, lock
from assistant.flows.calendar.keeping import CopyKeeper
from assistant.flows.calls.record import advance
from assistant.flows.context import Context
from assistant.flows.render import cards
from assistant.flows.render.outcomes import tell_model

log = logging.getLogger(__name__)

_PLACE = "calendar:"
"""How facts name an event among the places that a call affects."""
_MANY = 1_000
_WIDTH = 80


class _Found(Enum):
    """How an event is, of which the copy says that it changed."""

    SAME = "same"
    CHANGED = "changed"
    GONE = "gone"


def follow_changes(keeper: CopyKeeper, *, cause: Cause, ctx: Context) -> None:
    """Look at each call that waits and rests on an event which is another one by now.

    The copy says which may be; the calendar is asked before anything is done. So a call that was
    inspected after the sync is left alone, and so is one whose event only looks different.
    """
    source = keeper.source()
    with ctx.store.read(cause) as tx:
        copy = tx.calendar_copy(source=source)
        if copy is None:
            return
        waiting = [
            (call, rests)
            for call in tx.calls(states={CallState.PARKED}, limit=_MANY)
            if call.facts.destination == copy.address and (rests := _rests_on(call))
        ]
        if not waiting:
            return
        there = tx.copied_uids(copy.address, {uid for _, rests in waiting for uid in rests})
    for call, rests in waiting:
        suspects = {uid: etag for uid, etag in rests.items() if _differs(etag, there.get(uid, ""))}
        if suspects:
            _follow(call, suspects, keeper, cause, ctx)


def _rests_on(call: Call) -> Mapping[str, str]:
    """Return the etags of the events that a call rests on, by UID."""
    places = (place for place in call.facts.locations if place.startswith(_PLACE))
    uids = [place.removeprefix(_PLACE) for place in places]
    return {uid: call.facts.state[uid] for uid in uids if uid in call.facts.state}


def _differs(one: str, other: str) -> bool:
    return bool(one) != bool(other) or not same_etag(one, other)


def _follow(
    call: Call, suspects: Mapping[str, str], keeper: CopyKeeper, cause: Cause, ctx: Context
) -> None:
    cause = cause.model_copy(update={"trace": call.trace})
    try:
        found = {_now(uid, etag, keeper) for uid, etag in suspects.items()}
    except AssistantError as problem:
        log.warning("what %s rests on cannot be looked at: %s", call.handle, problem)
        return
    if _Found.GONE in found:
        _void(call, cause, ctx)
    elif _Found.CHANGED in found:
        with ctx.store.begin(cause) as tx:
            tx.emit(Repropose(id=call.id))


def _now(uid: str, etag: str, keeper: CopyKeeper) -> _Found:
    try:
        event = keeper.server.get(uid)
    except NotFound:
        return _Found.GONE if etag else _Found.SAME
    return _Found.CHANGED if _differs(etag, event.etag) else _Found.SAME


def _void(call: Call, cause: Cause, ctx: Context) -> None:
    """End a call whose event was deleted elsewhere, and tell its owner."""
    title = call.facts.before.get("title") or call.facts.args.get("title") or ""
    named = f"the event {quoted(one_line(title, _WIDTH))}" if title else "its event"
    why = f"{named} was deleted elsewhere"
    with ctx.store.begin(cause) as tx:
        try:
            held = lock(tx, call, ctx)
        except Refused:
            return
        if held.approval.state is not ApprovalState.OPEN or held.call.state is not CallState.PARKED:
            return
        ended = tx.settle(held.approval, ApprovalState.VOID, by="change", reason="", at=held.now)
        # The title may be one that no model has seen: only the owner is told it.
        told = "void: its event was deleted elsewhere; nothing was done"
        void = tx.move(held.call, CallState.VOID, result=told, told=why)
        held.show(void, ended)
        words = f"{void.handle} is cancelled, as {why}. Nothing was done."
        tx.want(cards.to(held.conversation, f"elsewhere-{void.id}", cards.notice(words)))
        advance(
            tx, held.conversation, void.turn, now=held.policy_context, ctx=held.ctx, broken=void
        )
        tell_model(tx, void, told, origin=Origin.ASSISTANT, answer=False)
