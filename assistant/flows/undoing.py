"""Take back what a call did: by a call of its own, if nothing else has changed since."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from pydantic import BaseModel, ConfigDict

from assistant.domain.call_states import OPEN, CallState
from assistant.domain.calls import Call
from assistant.domain.decisions import one_line
from assistant.domain.effects import Effect
from assistant.domain.errors import NotFound, Transient
from assistant.domain.jobs import Cause
from assistant.domain.talk import Want
from assistant.flows.asking import place_all
from assistant.flows.context import Context
from assistant.flows.judging import draft_for, look
from assistant.ports import Tx


class Undoing(BaseModel):
    """What came of wanting to undo a call."""

    model_config = ConfigDict(frozen=True)
    handle: str
    accepted: bool
    text: str
    stale: bool = False
    """True where it was changed since, so that it is not undone."""
    call: Call | None = None
    """The call that undoes it: cleared, waiting for a yes, or refused."""


def undo(
    handles: Sequence[str], *, by: str, channel: str, place: str, cause: Cause, ctx: Context
) -> list[Undoing]:
    """Undo these calls, in the order given, as one turn; what came of each.

    An undo is judged as what it does: putting an event back is a calendar change and waits for a
    yes. Where an object was changed since, nothing is done to it.

    Args:
        handles: calls, by id or as ``A17``.
        by: who asks, by the channel's own id of them.
        channel: where they ask, and are shown a card if one is needed.
        place: in that channel.
        cause: on whose behalf.
        ctx: the rows, the clock and the tools.
    """
    found = [_looked(handle, by=by, cause=cause, ctx=ctx) for handle in dict.fromkeys(handles)]
    found = list({one.call.undoes if one.call else one.handle: one for one in found}.values())
    drafts = [one.call for one in found if one.accepted and one.call is not None]
    if not drafts:
        return found
    placed = {
        call.undoes: call
        for call in place_all(drafts, channel=channel, where=place, cause=cause, ctx=ctx)
    }
    return [_said(one, placed) for one in found]


def done_since(since: datetime, *, cause: Cause, ctx: Context) -> list[str]:
    """Handles of the calls that changed something since then and can be undone, newest first."""
    with ctx.store.read(cause) as tx:
        effects = [effect for effect in tx.done_since(since) if effect.inverse]
        calls = [tx.call(effect.call) for effect in effects]
        being = {call.undoes for call in tx.calls(states=OPEN)}
        standing = [
            call for call in calls if call.id not in being and not _only_undoes(tx, call, since)
        ]
    return [call.handle for call in reversed(standing)]


def _only_undoes(tx: Tx, call: Call, since: datetime) -> bool:
    """True where this took back what was done since then, so that of both nothing is left."""
    if not call.undoes:
        return False
    before = [effect for effect in tx.effects(call.undoes) if effect.at and effect.at < since]
    return not before and not _only_undoes(tx, tx.call(call.undoes), since)


def _looked(handle: str, *, by: str, cause: Cause, ctx: Context) -> Undoing:
    """The undoing call, looked at, or why there is none."""
    try:
        with ctx.store.read(cause) as tx:
            call = tx.call_named(handle)
            effect, no = _effect(tx, call)
            left = _left(tx, call, effect) if effect else {}
    except NotFound:
        return Undoing(handle=handle, accepted=False, text=f"There is no call {handle}.")
    if effect is None:
        return Undoing(handle=call.handle, accepted=False, text=no)
    draft = draft_for(
        Want(tool=effect.inverse["tool"], args=_asked(effect, left)),
        cause=cause,
        tainted=call.tainted,
        actor=f"owner:{by}",
        undoes=call.id,
    )
    now = ctx.clock.now()
    try:
        [looked, *_] = look(draft, cause=cause, ctx=ctx, now=now, patient=True)
    except Transient as error:  # nobody could look, so nothing can be said of what is there
        text = f"{call.handle} cannot be undone: {error}."
        return Undoing(handle=call.handle, accepted=False, text=text)
    if looked.facts.trouble:
        text = f"{call.handle} cannot be undone: {looked.facts.trouble}."
        return Undoing(handle=call.handle, accepted=False, text=text, stale=True)
    if moved := _moved(effect, left, looked):
        text = f"{call.handle} is not undone; {moved}."
        return Undoing(handle=call.handle, accepted=False, text=text, stale=True)
    return Undoing(handle=call.handle, accepted=True, text=effect.inverse["words"], call=looked)


def _effect(tx: Tx, call: Call) -> tuple[Effect | None, str]:
    """What there is to take back, or why there is nothing."""
    if call.state is not CallState.DONE:
        return None, f"{call.handle} is {call.state}; there is nothing to undo."
    effect = next((one for one in tx.effects(call.id) if one.inverse), None)
    if effect is None:
        return None, f"{call.handle} changed nothing that can be taken back."
    for other in tx.calls(states=OPEN):
        if other.undoes == call.id:
            return None, f"{call.handle} is being undone by {other.handle} already."
    return effect, ""


def _left(tx: Tx, call: Call, effect: Effect) -> Mapping[str, Any]:
    """How the call left things: as it recorded, or as the undo of all that came after it did."""
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


def _asked(effect: Effect, left: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of the undoing call; the version it expects is the one that was left."""
    args = dict(effect.inverse["args"])
    if "current" in args and "version" in left:
        args["current"] = left["version"]
    return args


def _moved(effect: Effect, left: Mapping[str, Any], looked: Call) -> str:
    """How an object differs from how the call left it; empty where it does not."""
    states: Mapping[str, str] = left.get("state", {})
    for key, state in looked.facts.state.items():
        if key not in states:
            return "what it changed is not there any more"
        if states[key] != state:
            gone = not states[key] or bool(left.get("deleted"))
            return _difference(effect.after, looked.facts.before, gone=gone)
    return ""


def _difference(was: Mapping[str, Any], now: Mapping[str, Any], *, gone: bool) -> str:
    """What of it is otherwise; ``gone``: the call left nothing there."""
    if not now:
        return "what it made is not there any more"
    if gone:
        return "there is something in that place again"
    told = [
        f"{name}: {one_line(str(was[name]), 80)} is {one_line(str(now[name]), 80)} now"
        for name in sorted(was.keys() & now.keys() - {"state", "etag"})
        if was[name] != now[name]
    ]
    return "; ".join(told) or "something else of it was changed"


def _said(one: Undoing, placed: Mapping[str, Call]) -> Undoing:
    if not one.accepted or one.call is None:
        return one
    call = placed.get(one.call.undoes)
    if call is None:
        text = f"{one.handle} was undone, or is being undone, at the same moment."
        return one.model_copy(update={"accepted": False, "text": text, "call": None})
    if call.state is CallState.REFUSED:
        text = f"{one.handle} is not undone: {call.result.removeprefix('refused: ')}"
        return one.model_copy(update={"accepted": False, "text": text, "call": call})
    how = f"{call.handle} waits for your yes" if call.state is CallState.PARKED else call.handle
    return one.model_copy(update={"text": f"{one.text}: {how}", "call": call})
