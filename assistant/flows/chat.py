"""hear -> think -> (calls, judged in the same commit) -> words."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass

from assistant.domain.budget import Trigger
from assistant.domain.calls import OWED, Call, CallState
from assistant.domain.canonical import canonical
from assistant.domain.deliveries import Shown, ShownKind
from assistant.domain.errors import BadArguments
from assistant.domain.fence import shortened
from assistant.domain.jobs import Cause, Job
from assistant.domain.limits import CallLimits, TalkLimits
from assistant.domain.messages import Expire, Run, Think
from assistant.domain.sound import sound, sound_json
from assistant.domain.talk import Conversation, Entry, Origin, Role, Turn, View, Want
from assistant.flows import cards
from assistant.flows.budget import Asking
from assistant.flows.proposals import judge_all
from assistant.flows.view import build_view
from assistant.flows.waiting import open_approval, show_card
from assistant.ports import Clock, Store, Tx
from assistant.tools.toolbox import Errand, Result, Toolbox

log = logging.getLogger(__name__)


def hear(
    text: str,
    *,
    channel: str,
    place: str,
    event: str,
    cause: Cause,
    store: Store,
    limits: TalkLimits,
) -> str | None:
    """Take in what the owner said, where they said it; the conversation, None if heard before.

    Raises:
        BadArguments: it is empty or longer than ``limits.said``.
    """
    if not text.strip():
        raise BadArguments("nothing was said")
    if len(text) > limits.said:
        raise BadArguments(f"{len(text)} characters at once; {limits.said} are heard")
    with store.begin(cause) as tx:
        if not tx.first_sight(channel, event):
            return None
        talk = tx.conversation_in(channel, place, idle=limits.idle)
        entry = Entry(role=Role.OWNER, origin=Origin.OWNER, text=text)
        tx.append(talk.id, entry, answer=True)
        tx.emit(Think(id=talk.id))
        return talk.id


def stop(
    *,
    channel: str,
    place: str,
    cause: Cause,
    store: Store,
    toolbox: Toolbox,
    zone: str,
    idle: float = 8 * 3600,
) -> str:
    """Stop what is going on in a conversation; what it says to the person.

    An answer under way is dropped when it comes, and calls that have not begun are cancelled. What
    has begun ends by itself, and what waits for a person goes on waiting.
    """
    with store.begin(cause) as tx:
        talk = tx.conversation_in(channel, place, idle=idle)
        entry = Entry(role=Role.OWNER, origin=Origin.OWNER, text="(the owner said: stop)")
        seq = tx.append(talk.id, entry, answer=True)
        tx.thought(talk.id, seen=seq, tainted=False)
        calls = tx.calls(conversation=talk.id, states=OWED)
        cancelled = [
            tx.move(call, CallState.CANCELLED, result="the owner stopped it")
            for call in calls
            if call.state is CallState.CLEARED
        ]
        for call in cancelled:
            show_card(tx, call, toolbox=toolbox, zone=zone)
        going = [call.handle for call in calls if call.state is not CallState.CLEARED]
    told = ["Stopped."]
    if cancelled:
        told.append(f"Not done: {', '.join(call.handle for call in cancelled)}.")
    if going:
        told.append(f"Too late to stop: {', '.join(going)}.")
    return " ".join(told)


def begin_anew(*, channel: str, place: str, cause: Cause, store: Store) -> None:
    """End the conversation there; what is said next begins a new one."""
    with store.begin(cause) as tx:
        tx.close(tx.conversation_in(channel, place, idle=float("inf")).id)


@dataclass(frozen=True, kw_only=True)
class Thinking:
    """What a step of thinking needs, bound once in the wiring."""

    store: Store
    asking: Asking
    toolbox: Toolbox
    clock: Clock
    talk: TalkLimits
    calls: CallLimits
    instructions: str
    zone: str


def think(message: Think, job: Job, *, use: Thinking) -> None:
    """One answer of the model to what it has not answered yet; exactly one is recorded.

    The model is asked outside any transaction. If the owner spoke meanwhile, the answer is dropped,
    its calls with it, and the model thinks again.
    """
    with use.store.read(job) as tx:
        talk = tx.conversation(message.id)
        entries = tx.entries(talk.id, last=use.talk.entries)
        calls = tx.calls(conversation=talk.id)
    if not talk.owed:
        return _finish(job, use.store)
    if talk.turns >= use.talk.turns:
        return _stop(
            job, talk, use, f"I stopped after {talk.turns} steps without coming to an end."
        )
    view = build_view(
        talk, entries, calls, instructions=use.instructions, now=use.clock.now(), zone=use.zone
    )
    turn = _bounded(use.asking.think(view, use.toolbox.schemas(), job), use.talk)
    proposed = judge_all(
        turn.wants,
        talk=talk,
        tainted=view.tainted,
        cause=job,
        toolbox=use.toolbox,
        now=use.clock.now(),
        zone=use.zone,
    )
    inline = _read_inline(proposed, job, use)
    with use.store.begin(job) as tx:
        tx.done(job)
        tx.used(turn.usage, subject=talk.id, cause=Trigger.CHAT)
        now = tx.conversation(talk.id, lock=True)
        if now.heard != talk.heard:
            tx.emit(Think(id=talk.id))
            return None
        _record(tx, talk, turn, proposed, inline, view=view, use=use)
    return None


def gave_up_thinking(message: Think, job: Job, reason: str, *, store: Store) -> None:
    """Tell the owner that no answer comes; what they said is kept."""
    with store.begin(job) as tx:
        talk = tx.conversation(message.id, lock=True)
        tx.thought(talk.id, seen=talk.heard, tainted=False)
        text = f"I could not answer: {reason}. What you said is kept; say it again to try again."
        tx.want(cards.to(talk, f"stuck-{talk.id}-{talk.heard}", cards.notice(text)))
        tx.fail(job, reason)


def _finish(job: Job, store: Store) -> None:
    with store.begin(job) as tx:
        tx.done(job)


def _stop(job: Job, talk: Conversation, use: Thinking, why: str) -> None:
    with use.store.begin(job) as tx:
        tx.done(job)
        now = tx.conversation(talk.id, lock=True)
        tx.thought(now.id, seen=now.heard, tainted=False)
        tx.want(cards.to(talk, f"stop-{talk.id}-{now.heard}", cards.notice(why)))


def _bounded(turn: Turn, limits: TalkLimits) -> Turn:
    """No more calls than a turn may have, and no text in it that cannot be kept and shown."""
    wants = tuple(_kept(want) for want in turn.wants[: limits.calls])
    return turn.model_copy(update={"text": sound(turn.text), "wants": wants})


def _kept(want: Want) -> Want:
    """The same call; without its arguments where these have no canonical JSON to show again."""
    tool = sound(want.tool)
    try:
        args = sound_json(want.args)
        canonical(args)
    except BadArguments as error:
        return Want(tool=tool, trouble=str(error))
    except RecursionError:
        return Want(tool=tool, trouble=str(BadArguments("they are nested too deeply")))
    return Want(tool=tool, args=args, trouble=sound(want.trouble))


def _read_inline(proposed: Sequence[Call], job: Job, use: Thinking) -> Result | None:
    """A lone, quick read needs no hop over the queue; None where it is better run from there.

    A read that does not work out at once takes the long way, which tries again: the model's answer
    is paid for and must be recorded.
    """
    if len(proposed) != 1 or proposed[0].state is not CallState.CLEARED:
        return None
    [call] = proposed
    tool = use.toolbox[call.tool]
    if not tool.quick:
        return None
    errand = Errand(cause=job, call=call.id, now=use.clock.now(), zone=use.zone)
    try:
        return tool.act(call.facts, errand)
    except Exception as error:  # noqa: BLE001 (whatever it was, the queue sees to it)
        log.info("%s takes the long way: %s", call.tool, error)
        return None


def _record(
    tx: Tx,
    talk: Conversation,
    turn: Turn,
    proposed: Sequence[Call],
    inline: Result | None,
    *,
    view: View,
    use: Thinking,
) -> None:
    """Write what the model said and what it asked for, judged, in one transaction."""
    # What was said with outside text in view may be that text in other words.
    origin = Origin.OUTSIDE if view.tainted else Origin.ASSISTANT
    entry = Entry(role=Role.ASSISTANT, origin=origin, text=turn.text)
    seq = tx.append(talk.id, entry, answer=False)
    tx.thought(talk.id, seen=talk.heard, tainted=view.tainted)
    if turn.text.strip():
        words = Shown(kind=ShownKind.WORDS, text=turn.text)
        tx.want(cards.to(talk, f"words-{talk.id}-{seq}", words))
    elif not proposed:
        silence = cards.notice("The model gave no answer.")
        tx.want(cards.to(talk, f"words-{talk.id}-{seq}", silence))
    placed = [
        _place(tx, talk, call.model_copy(update={"turn": seq}), inline, use) for call in proposed
    ]
    owed = any(call.state in OWED for call in placed)
    ended = [call for call in placed if call.state not in OWED]
    for call in ended:
        last = call is ended[-1]
        outside = view.tainted or (inline is not None and inline.outside)
        origin = Origin.OUTSIDE if outside else Origin.ASSISTANT
        outcome = Entry(role=Role.OUTCOME, origin=origin, text=call.result, call=call.id)
        tx.append(talk.id, outcome, answer=last and not owed)
    if ended and not owed:
        tx.emit(Think(id=talk.id))


def _place(tx: Tx, talk: Conversation, call: Call, inline: Result | None, use: Thinking) -> Call:
    """Store one judged call and see to what comes next for it."""
    if call.state is CallState.CLEARED and inline is not None:
        result = shortened(inline.text, use.calls.result)
        done = call.step(CallState.RUNNING).step(CallState.DONE, result=result, told=inline.told)
        return tx.add_call(done.model_copy(update={"ended": use.clock.now()}))
    if call.state is CallState.CLEARED:
        stored = tx.add_call(call)
        tx.emit(Run(id=call.id))
        return stored
    if call.state is CallState.PARKED:
        return _park(tx, talk, call, use)
    return tx.add_call(call.model_copy(update={"result": f"refused: {call.result}"}))


def _park(tx: Tx, talk: Conversation, call: Call, use: Thinking) -> Call:
    waiting = len(tx.calls(states={CallState.PARKED}, limit=use.talk.pending + 1))
    if waiting >= use.talk.pending:
        why = (
            f"refused: {waiting} calls wait for the owner already; ask again when some are answered"
        )
        full = call.model_copy(update={"state": CallState.REFUSED, "result": why})
        return tx.add_call(full)
    tool = use.toolbox[call.tool]
    stored = tx.add_call(call)
    told = (
        f"parked #{stored.handle}: it waits for the owner's approval and has NOT been done; "
        "its outcome will be told later"
    )
    stored = stored.model_copy(update={"result": told})
    approval, shown = open_approval(
        stored, tool, now=tx.high_water(use.clock.now()), limits=use.calls, zone=use.zone
    )
    tx.add_approval(approval)
    tx.want(cards.to(talk, cards.card_id(stored), shown))
    tx.emit(Expire(id=stored.id), due=approval.expires)
    return stored
