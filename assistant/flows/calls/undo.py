"""Undo a call: by a call of its own, if nothing else changed its objects since."""

import sys
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from pydantic import BaseModel, ConfigDict, ValidationError

from assistant.domain.audit.entries import UNDO_REFUSED, undo_refused
from assistant.domain.calendar.events import When
from assistant.domain.calls.call import Call, Reach
from assistant.domain.calls.effects import Effect
from assistant.domain.calls.ports import CallTx
from assistant.domain.calls.states import OPEN, CallState, state_name
from assistant.domain.conversation.conversation import Role, Want
from assistant.domain.errors import AssistantError, NotFound
from assistant.domain.jobs.job import Cause
from assistant.domain.policy.decisions import MODEL, one_line
from assistant.domain.reminders.ports import ReminderTx
from assistant.domain.store import Tx
from assistant.domain.time.moments import say_lately, say_moment, say_when
from assistant.flows.calls.judge import draft_for, inspect
from assistant.flows.calls.owner_calls import record_all
from assistant.flows.context import Context

_MANY = 2_000
"""Calls and entries of a conversation that are looked through for one request."""


_WHEN = frozenset({"start", "end"})
"""Where facts say when something is."""


class Undoing(BaseModel):
    """The answer to a request to undo a call."""

    model_config = ConfigDict(frozen=True)
    handle: str
    accepted: bool
    text: str
    stale: bool = False
    """True if its object was changed since, so that the call is not undone."""
    for_good: bool = False
    """True if it is stale by what others did, so that no undo of a later change helps."""
    call: Call | None = None
    """The call that undoes it: cleared, waiting for a yes, or refused."""


def undo(
    handles: Sequence[str], *, by: str, channel: str, place: str, cause: Cause, ctx: Context
) -> list[Undoing]:
    """Undo these calls as one turn, in the order given; return an answer for each.

    An undo is judged as what it does, and that the owner asks for it is the yes to what the base, a
    rule, autorun or taint would ask. What a call made is the assistant's own while it is as the
    call left it, so that its deletion destroys nothing of the owner's. An object that was changed
    since is left alone.

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
    return _record(found, by=by, channel=channel, place=place, cause=cause, ctx=ctx)


def undo_all(
    handle: str, *, by: str, channel: str, place: str, cause: Cause, ctx: Context
) -> list[Undoing]:
    """Undo all that was done in answer to the same words of the owner, newest first, as one turn.

    The arguments are those of ``undo``. Raises ``NotFound``.
    """
    with ctx.store.read(cause) as tx:
        done = [call.id for call in done_with(tx, tx.call_named(handle))]
    return undo_these(done, by=by, channel=channel, place=place, cause=cause, ctx=ctx)


def undo_these(
    ids: Sequence[str], *, by: str, channel: str, place: str, cause: Cause, ctx: Context
) -> list[Undoing]:
    """Undo these calls and no others, newest first, as one turn.

    What changed one object several times is undone at once, by the undo of the first change. A call
    that is not done any more is left alone, and the answer says so.
    The other arguments are those of ``undo``. Raises ``NotFound``.
    """
    with ctx.store.read(cause) as tx:
        calls = sorted((tx.call(id) for id in ids), key=lambda call: call.number)
        done = [call for call in calls if call.state is CallState.DONE]
        ended = [[call] for call in calls if call.state is not CallState.DONE]
        chains = [*_chains(tx, done), *ended]
        busy = {other.undoes: other.handle for other in tx.calls(states=OPEN) if other.undoes}
    found: list[Undoing] = []
    for first, *later in chains:
        taken = next((busy[one.id] for one in (first, *later) if one.id in busy), "")
        if taken:
            text = f"{first.handle} is being undone by {taken} already."
            found.append(Undoing(handle=first.handle, accepted=False, text=text))
            continue
        one = _inspect(first.id, with_it=later, by=by, cause=cause, ctx=ctx)
        also = ", ".join(other.handle for other in later)
        text = f"{one.text} (with it {also})" if also and one.accepted else one.text
        found.append(one.model_copy(update={"text": text}))
    return _record(found, by=by, channel=channel, place=place, cause=cause, ctx=ctx)


def done_with(tx: Tx, call: Call) -> list[Call]:
    """List the changes done in answer to the same words of the owner as this one; oldest first.

    For a call of the owner's own, these are the changes of its turn.
    """
    conversation = call.conversation
    if call.actor != MODEL:
        since, until = call.turn, call.turn + 1
    else:
        calls = tx.calls(conversation=conversation, limit=_MANY)
        own = {one.turn for one in calls if one.actor != MODEL}
        said = [
            entry.seq
            for entry in tx.entries(conversation, last=_MANY)
            if entry.role is Role.OWNER and entry.seq not in own
        ]
        since = max((seq for seq in said if seq < call.turn), default=0)
        until = min((seq for seq in said if seq > call.turn), default=sys.maxsize)
    done = tx.calls(conversation=conversation, states={CallState.DONE}, limit=_MANY)
    mine = [
        one
        for one in done
        if since <= one.turn < until
        and one.actor == call.actor
        and one.reach is not Reach.READS
        and not one.undoes
    ]
    return sorted(mine, key=lambda one: one.number)


def _chains(tx: CallTx, calls: Sequence[Call]) -> list[list[Call]]:
    """Group calls by the object they changed, each group oldest first; the newest group first."""
    groups: dict[tuple[str, ...], list[Call]] = {}
    for call in calls:
        effects = tx.effects(call.id)
        objects = sorted({key for effect in effects for key in effect.after.get("state", {})})
        groups.setdefault(tuple(objects) or (call.id,), []).append(call)
    return sorted(groups.values(), key=lambda group: -group[-1].number)


def _record(
    found: list[Undoing], *, by: str, channel: str, place: str, cause: Cause, ctx: Context
) -> list[Undoing]:
    """Judge and record the undoing calls, as one turn."""
    if refused := [one.handle for one in found if one.for_good]:
        with ctx.store.begin(cause) as tx:
            for handle in refused:
                tx.note(undo_refused(tx.call_named(handle), by=by))
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
    return [call.handle for call, _ in undoable_since(since, cause=cause, ctx=ctx)]


def undoable_since(since: datetime, *, cause: Cause, ctx: Context) -> list[tuple[Call, str]]:
    """List calls that changed something since then and can be undone, newest first.

    Each comes with the words of what would undo it.
    """
    with ctx.store.read(cause) as tx:
        effects = [effect for effect in tx.done_since(since) if effect.inverse]
        calls = [
            (tx.call(effect.call), str(effect.inverse["words"]))
            for effect in effects
            if not _is_over(tx, effect) and not _was_refused(tx, effect)
        ]
        being_undone = {call.undoes for call in tx.calls(states=OPEN)}
        found = [
            (call, words)
            for call, words in calls
            if call.id not in being_undone and not _only_undoes(tx, call, since)
        ]
    return list(reversed(found))


def _is_over(tx: ReminderTx, effect: Effect) -> bool:
    """Whether a reminder is not as the call left it: told, or changed by a command or a button."""
    id = effect.inverse["args"].get("reminder")
    if id is None:
        return False
    try:
        state = tx.reminder(id).state.value
    except NotFound:
        return True
    return state not in effect.after.get("state", {}).values()


def _was_refused(tx: Tx, effect: Effect) -> bool:
    """Whether an undo was refused for good, and the assistant changed nothing of it since."""
    for entry in tx.audit(subject=effect.call, kind=UNDO_REFUSED, newest=True, limit=1):
        if entry.at is not None:
            return not tx.effects_on(list(effect.after.get("state", {})), since=entry.at)
    return False


def being_undone_since(since: datetime, *, cause: Cause, ctx: Context) -> list[tuple[Call, Call]]:
    """List calls that changed something since then, each with the open call that undoes it."""
    with ctx.store.read(cause) as tx:
        done = {effect.call for effect in tx.done_since(since)}
        undoing = [call for call in reversed(tx.calls(states=OPEN)) if call.undoes in done]
        return [(tx.call(call.undoes), call) for call in undoing]


def _only_undoes(tx: CallTx, call: Call, since: datetime) -> bool:
    """Whether this call undid one made since then, so that nothing is left of the two."""
    if not call.undoes:
        return False
    before = [effect for effect in tx.effects(call.undoes) if effect.at and effect.at < since]
    return not before and not _only_undoes(tx, tx.call(call.undoes), since)


def _inspect(
    handle: str, *, with_it: Sequence[Call] = (), by: str, cause: Cause, ctx: Context
) -> Undoing:
    """Draft the undoing call and look at the world for it, or say why there is none.

    ``with_it``: later changes of the same object that are undone with it.
    """
    try:
        with ctx.store.read(cause) as tx:
            call = tx.call_named(handle)
            effect, no = _effect_to_undo(tx, call)
            later = _later_changes(tx, call, effect, with_it) if effect else _Later()
    except NotFound:
        return Undoing(handle=handle, accepted=False, text=f"There is no call {handle}.")
    if effect is None:
        return Undoing(handle=call.handle, accepted=False, text=no)
    left = _left_by(effect, later)
    draft = draft_for(
        Want(tool=effect.inverse["tool"], args=_inverse_args(effect, left)),
        cause=cause,
        tainted=call.tainted,
        actor=f"owner:{by}",
        undoes=call.id,
    )
    now = ctx.clock.now()
    try:
        if away := _out_of_reach(call, ctx):
            return Undoing(
                handle=call.handle, accepted=False, text=f"{call.handle} is not undone; {away}."
            )
        [inspected, *_] = inspect(draft, cause=cause, ctx=ctx, now=now, patient=True)
    except AssistantError as error:  # nobody could look, so it is not known to be stale
        text = f"{call.handle} cannot be undone: {error}."
        return Undoing(handle=call.handle, accepted=False, text=text)
    found = _judged(call, effect, left, inspected, cause=cause, ctx=ctx)
    return found.model_copy(update={"for_good": found.stale and not later.stand})


def _out_of_reach(call: Call, ctx: Context) -> str:
    """Say why nothing can be done now where the call did it; empty if it can."""
    tool = ctx.toolbox.get(call.tool)
    return tool.out_of_reach(call.facts) if tool else ""


def _judged(
    call: Call,
    effect: Effect,
    left: Mapping[str, Any],
    inspected: Call,
    *,
    cause: Cause,
    ctx: Context,
) -> Undoing:
    """Say whether the call can be undone, as the world was found to be."""
    if inspected.facts.trouble:
        why = _gone_elsewhere(call, effect, cause, ctx) or inspected.facts.trouble
        text = f"{call.handle} cannot be undone: {why}."
        return Undoing(handle=call.handle, accepted=False, text=text, stale=True)
    if change := _change_since(effect, left, inspected, ctx.zone):
        text = f"{call.handle} is not undone; {change}."
        return Undoing(handle=call.handle, accepted=False, text=text, stale=True)
    if effect.inverse.get("of_creation") and _is_as_left(effect, inspected):
        facts = inspected.facts.model_copy(update={"own": True})
        inspected = inspected.model_copy(update={"facts": facts})
    return Undoing(handle=call.handle, accepted=True, text=effect.inverse["words"], call=inspected)


def _gone_elsewhere(call: Call, effect: Effect, cause: Cause, ctx: Context) -> str:
    """Say when the event that a call made was found deleted elsewhere; empty if it was not."""
    keys = list(effect.after.get("state", {}))
    with ctx.store.read(cause) as tx:
        gone = [when for key in keys if (when := tx.own_event_gone(call.facts.destination, key))]
        if not gone or effect.at is None:
            return ""
        later = tx.effects_on(keys, since=effect.at - timedelta(microseconds=1))
    left = [after.after.get("state", {}).get(after.key) for after in later if after.call != call.id]
    if "" in left:  # the assistant deleted it itself
        return ""
    lately = say_lately(min(gone), ctx.zone, now=ctx.clock.now())
    return f"it was deleted elsewhere, as was found at {lately}"


def _effect_to_undo(tx: CallTx, call: Call) -> tuple[Effect | None, str]:
    """Return the effect to undo, or None and the reason."""
    if call.state is not CallState.DONE:
        return None, f"{call.handle} is {state_name(call.state)}; there is nothing to undo."
    effect = next((one for one in tx.effects(call.id) if one.inverse), None)
    if effect is None:
        return None, f"{call.handle} changed nothing that can be undone."
    for other in tx.calls(states=OPEN):
        if other.undoes == call.id:
            return None, f"{call.handle} is being undone by {other.handle} already."
    return effect, ""


class _Later(NamedTuple):
    """What the assistant did later to what a call changed, oldest first."""

    effects: tuple[Effect, ...] = ()
    stand: bool = False
    """True if some of it is not undone, nor is undone with the call."""


def _later_changes(tx: CallTx, call: Call, effect: Effect, with_it: Sequence[Call]) -> _Later:
    gone = {one.id for one in with_it}
    if effect.at is None:
        return _Later()
    keys = list(effect.after.get("state", {}))
    since = effect.at - timedelta(microseconds=1)
    later = [
        (other, after)
        for after in tx.effects_on(keys, since=since)
        if (other := tx.call(after.call)).number > call.number
    ]
    later.sort(key=lambda one: one[0].number)
    stand = not all(after.undone or other.undoes or other.id in gone for other, after in later)
    return _Later(tuple(after for _, after in later), stand=stand)


def _left_by(effect: Effect, later: _Later) -> Mapping[str, Any]:
    """Return the state that the call left; if all later changes are undone, what they left."""
    if later.stand or not later.effects:
        return effect.after
    # A later change may be of one object of several: each is as the last change of it left it.
    state = dict(effect.after.get("state", {}))
    for each in later.effects:
        state |= each.after.get("state", {})
    return {**later.effects[-1].after, "state": state}


def _inverse_args(effect: Effect, left: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of the undoing call, which expects the version that was left."""
    args = dict(effect.inverse["args"])
    if "current" in args and "version" in left:
        args["current"] = left["version"]
    return args


def _change_since(effect: Effect, left: Mapping[str, Any], inspected: Call, zone: str) -> str:
    """Say how an object differs from what the call left; empty if it does not."""
    states: Mapping[str, str] = left.get("state", {})
    for key, state in inspected.facts.state.items():
        if key not in states:
            return "what it changed is not there any more"
        if states[key] != state:
            gone = not states[key] or bool(left.get("deleted"))
            return _difference(effect.after, inspected.facts.before, zone, gone=gone)
    return ""


def _is_as_left(effect: Effect, inspected: Call) -> bool:
    """Whether each object is in the very state in which the call itself left it."""
    states: Mapping[str, str] = effect.after.get("state", {})
    found = inspected.facts.state
    return bool(found) and all(states.get(key) == state for key, state in found.items())


def _difference(was: Mapping[str, Any], now: Mapping[str, Any], zone: str, *, gone: bool) -> str:
    """Say what differs. ``gone``: the call left nothing there."""
    if not now:
        return "what it made is not there any more"
    if gone:
        return "there is something in that place again"
    # What is left of a change to a series says when one of it is, and ``now`` when the first is.
    unlike = {"state", "etag", *(_WHEN if was.get("scope") else ())}
    names = {name for name in was.keys() & now.keys() - unlike if was[name] != now[name]}
    told = []
    if names & _WHEN:
        then, there = _span(was), _span(now)
        if then and there:
            names -= _WHEN
            told = [f"it is {say_when(there, zone)} now, and not {say_when(then, zone)}"]
    told += [
        f"{name}: {_said(was[name], zone)} is {_said(now[name], zone)} now"
        for name in sorted(names)
    ]
    return "; ".join(told) or "something else about it was changed"


def _span(facts: Mapping[str, Any]) -> When | None:
    try:
        return When.model_validate({name: facts[name] for name in _WHEN})
    except (KeyError, ValidationError):
        return None


def _said(value: object, zone: str) -> str:
    """Write a value on one line, and a moment as people read it."""
    try:
        moment = datetime.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        moment = None
    return say_moment(moment, zone) if moment and moment.tzinfo else one_line(str(value), 80)


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
