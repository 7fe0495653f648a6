"""Undo a call: by a call of its own, if nothing else changed its objects since."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from pydantic import BaseModel, ConfigDict

from assistant.domain.calls.call import Call
from assistant.domain.calls.effects import Effect
from assistant.domain.calls.ports import CallTx
from assistant.domain.calls.states import OPEN, CallState
from assistant.domain.conversation.conversation import Want
from assistant.domain.errors import NotFound, Transient
from assistant.domain.jobs.job import Cause
from assistant.domain.policy.decisions import one_line
from assistant.flows.calls.judge import draft_for, inspect
from assistant.flows.calls.owner_calls import record_all
from assistant.flows.context import Context


class Undoing(BaseModel):
    """The answer to a request to undo a call."""

    model_config = ConfigDict(frozen=True)
    handle: str
    accepted: bool
    text: str
    stale: bool = False
    """True if its object was changed since, so that the call is not undone."""
    call: Call | None = None
    """The call that undoes it: cleared, waiting for a yes, or refused."""


def undo(
    handles: Sequence[str], *, by: str, channel: str, place: str, cause: Cause, ctx: Context
) -> list[Undoing]:
    """Undo these calls as one turn, in the order given; return an answer for each.

    An undo is judged as what it does: putting an event back is a calendar change and waits for a
    yes. An object that was changed since is left alone.

    Args:
        handles: calls, by id or as ``A17``.
        by: who asks, by their id in the channel.
        channel: where they ask, and are shown a card if one is needed.
        place: where in that channel.
        cause: on whose behalf.
        ctx: the rows, the clock and the tools.
    """
    found = [_inspect(handle, by=by, cause=cause, ctx=ctx) for handle in dict.fromkeys(handles)]
    found = list({one.call.undoes if one.call else one.handle: one for one in found}.values())
    drafts = [one.call for one in found if one.accepted and one.call is not None]
    if not drafts:
        return found
    recorded = {
        call.undoes: call
        for call in record_all(drafts, channel=channel, place=place, cause=cause, ctx=ctx)
    }
    return [_with_outcome(one, recorded) for one in found]


def done_since(since: datetime, *, cause: Cause, ctx: Context) -> list[str]:
    """List handles of calls that changed something since then and can be undone, newest first."""
    with ctx.store.read(cause) as tx:
        effects = [effect for effect in tx.done_since(since) if effect.inverse]
        calls = [tx.call(effect.call) for effect in effects]
        being_undone = {call.undoes for call in tx.calls(states=OPEN)}
        found = [
            call
            for call in calls
            if call.id not in being_undone and not _only_undoes(tx, call, since)
        ]
    return [call.handle for call in reversed(found)]


def _only_undoes(tx: CallTx, call: Call, since: datetime) -> bool:
    """Whether this call undid one made since then, so that nothing is left of the two."""
    if not call.undoes:
        return False
    before = [effect for effect in tx.effects(call.undoes) if effect.at and effect.at < since]
    return not before and not _only_undoes(tx, tx.call(call.undoes), since)


def _inspect(handle: str, *, by: str, cause: Cause, ctx: Context) -> Undoing:
    """Draft the undoing call and look at the world for it, or say why there is none."""
    try:
        with ctx.store.read(cause) as tx:
            call = tx.call_named(handle)
            effect, no = _effect_to_undo(tx, call)
            left = _left_by(tx, call, effect) if effect else {}
    except NotFound:
        return Undoing(handle=handle, accepted=False, text=f"There is no call {handle}.")
    if effect is None:
        return Undoing(handle=call.handle, accepted=False, text=no)
    draft = draft_for(
        Want(tool=effect.inverse["tool"], args=_inverse_args(effect, left)),
        cause=cause,
        tainted=call.tainted,
        actor=f"owner:{by}",
        undoes=call.id,
    )
    now = ctx.clock.now()
    try:
        [inspected, *_] = inspect(draft, cause=cause, ctx=ctx, now=now, patient=True)
    except Transient as error:  # nobody could look, so it is not known to be stale
        text = f"{call.handle} cannot be undone: {error}."
        return Undoing(handle=call.handle, accepted=False, text=text)
    if inspected.facts.trouble:
        text = f"{call.handle} cannot be undone: {inspected.facts.trouble}."
        return Undoing(handle=call.handle, accepted=False, text=text, stale=True)
    if change := _change_since(effect, left, inspected):
        text = f"{call.handle} is not undone; {change}."
        return Undoing(handle=call.handle, accepted=False, text=text, stale=True)
    return Undoing(handle=call.handle, accepted=True, text=effect.inverse["words"], call=inspected)


def _effect_to_undo(tx: CallTx, call: Call) -> tuple[Effect | None, str]:
    """Return the effect to undo, or None and the reason."""
    if call.state is not CallState.DONE:
        return None, f"{call.handle} is {call.state}; there is nothing to undo."
    effect = next((one for one in tx.effects(call.id) if one.inverse), None)
    if effect is None:
        return None, f"{call.handle} changed nothing that can be undone."
    for other in tx.calls(states=OPEN):
        if other.undoes == call.id:
            return None, f"{call.handle} is being undone by {other.handle} already."
    return effect, ""


def _left_by(tx: CallTx, call: Call, effect: Effect) -> Mapping[str, Any]:
    """Return the state that the call left; if all later changes were undone, what that left."""
    if effect.at is None:
        return effect.after
    keys = list(effect.after.get("state", {}))
    since = effect.at - timedelta(microseconds=1)
    later = [
        (other, after)
        for after in tx.effects_on(keys, since=since)
        if (other := tx.call(after.call)).number > call.number
    ]
    if not later or not all(after.undone or other.undoes for other, after in later):
        return effect.after
    return max(later, key=lambda one: one[0].number)[1].after


def _inverse_args(effect: Effect, left: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of the undoing call, which expects the version that was left."""
    args = dict(effect.inverse["args"])
    if "current" in args and "version" in left:
        args["current"] = left["version"]
    return args


def _change_since(effect: Effect, left: Mapping[str, Any], inspected: Call) -> str:
    """Say how an object differs from what the call left; empty if it does not."""
    states: Mapping[str, str] = left.get("state", {})
    for key, state in inspected.facts.state.items():
        if key not in states:
            return "what it changed is not there any more"
        if states[key] != state:
            gone = not states[key] or bool(left.get("deleted"))
            return _difference(effect.after, inspected.facts.before, gone=gone)
    return ""


def _difference(was: Mapping[str, Any], now: Mapping[str, Any], *, gone: bool) -> str:
    """Say what differs. ``gone``: the call left nothing there."""
    if not now:
        return "what it made is not there any more"
    if gone:
        return "there is something in that place again"
    told = [
        f"{name}: {one_line(str(was[name]), 80)} is {one_line(str(now[name]), 80)} now"
        for name in sorted(was.keys() & now.keys() - {"state", "etag"})
        if was[name] != now[name]
    ]
    return "; ".join(told) or "something else about it was changed"


def _with_outcome(one: Undoing, recorded: Mapping[str, Call]) -> Undoing:
    if not one.accepted or one.call is None:
        return one
    call = recorded.get(one.call.undoes)
    if call is None:
        text = f"{one.handle} was undone, or is being undone, at the same moment."
        return one.model_copy(update={"accepted": False, "text": text, "call": None})
    if call.state is CallState.REFUSED:
        text = f"{one.handle} is not undone: {call.result.removeprefix('refused: ')}"
        return one.model_copy(update={"accepted": False, "text": text, "call": call})
    how = f"{call.handle} waits for your yes" if call.state is CallState.PARKED else call.handle
    return one.model_copy(update={"text": f"{one.text}: {how}", "call": call})
