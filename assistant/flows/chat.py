"""hear -> think -> (calls, judged in the same commit) -> words."""

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from assistant.domain.batches import owed, waits_for
from assistant.domain.budget import Trigger
from assistant.domain.call_states import OWED, CallState
from assistant.domain.calls import Call, Writer
from assistant.domain.canonical import canonical
from assistant.domain.copied import OutsideText, copied
from assistant.domain.decisions import MODEL
from assistant.domain.deliveries import Shown, ShownKind
from assistant.domain.errors import BadArguments
from assistant.domain.fence import fence, unfence
from assistant.domain.jobs import Cause, Job
from assistant.domain.limits import TalkLimits
from assistant.domain.loops import why_stop
from assistant.domain.messages import Think
from assistant.domain.output import truncated
from assistant.domain.policy import Standing
from assistant.domain.sound import sound, sound_json
from assistant.domain.talk import Conversation, Entry, Origin, Quoted, Role, Turn, View, Want
from assistant.flows import cards
from assistant.flows.budget import Asking
from assistant.flows.context import Context
from assistant.flows.judging import judge_turn, look_all
from assistant.flows.outcomes import show_card
from assistant.flows.placing import advance, place
from assistant.flows.view import build_view
from assistant.flows.writers import writers
from assistant.ports import Store, Tx
from assistant.tools.contract.context import ToolContext
from assistant.tools.contract.invocation import Invocation
from assistant.tools.contract.results import Result
from assistant.tools.contract.toolbox import Toolbox

log = logging.getLogger(__name__)

_NAME = 64
"""Characters of a tool's name."""


def hear(
    text: str,
    *,
    channel: str,
    place: str,
    event: str,
    cause: Cause,
    store: Store,
    limits: TalkLimits,
    aside: str = "",
    quoted: Sequence[Quoted] = (),
) -> str | None:
    """Take in what the owner said, where they said it; the conversation, None if heard before.

    Args:
        text: their own words.
        channel: where they said it.
        place: in that channel.
        event: the channel's own name for it; the same one twice is heard once.
        cause: on whose behalf.
        store: where it is kept.
        limits: how much is heard at once.
        aside: where the owner alone reads, if others can read the place.
        quoted: others' words that came along: outside text, whoever passed them on.

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
        talk = tx.conversation_in(channel, place, idle=limits.idle, aside=aside)
        for one in _bounded_quotes(quoted, limits.quoted):
            words = fence(one.text, source=one.source)
            tx.append(
                talk.id,
                Entry(role=Role.OUTCOME, origin=Origin.OUTSIDE, source=one.source, text=words),
                answer=False,
            )
        entry = Entry(role=Role.OWNER, origin=Origin.OWNER, text=text)
        tx.append(talk.id, entry, answer=True)
        tx.emit(Think(id=talk.id))
        return talk.id


def _bounded_quotes(quoted: Sequence[Quoted], left: int) -> Iterator[Quoted]:
    """As much of it as is heard, and how much is not."""
    for one in quoted:
        kept, cut = one.text[:left], len(one.text[left:])
        left -= len(kept)
        more = f"\n[{cut} more characters of this were left out]" if cut else ""
        yield Quoted(source=one.source, text=sound(kept + more))


def stop(
    *,
    channel: str,
    place: str,
    cause: Cause,
    store: Store,
    toolbox: Toolbox,
    zone: str,
) -> str:
    """Stop what is going on in a conversation; what it says to the person.

    An answer under way is dropped when it comes, and calls that have not begun are cancelled. What
    has begun hears of it and stops where nothing is half done, or ends by itself. What waits for a
    person goes on waiting. However long the owner has said nothing, it is that conversation.
    """
    with store.begin(cause) as tx:
        talk = tx.conversation_in(channel, place, idle=float("inf"))
        entry = Entry(role=Role.OWNER, origin=Origin.OWNER, text="(the owner said: stop)")
        seq = tx.append(talk.id, entry, answer=True)
        tx.thought(talk.id, seen=seq, tainted=False)
        # Workers go on meanwhile: each call is locked before it is told what becomes of it.
        seen = tx.calls(conversation=talk.id, states=OWED)
        held = [tx.call(call.id, lock=True) for call in seen]
        calls = [call for call in held if call.state in OWED]
        cancelled = [
            tx.move(call, CallState.CANCELLED, result="the owner stopped it")
            for call in calls
            if call.state is CallState.CLEARED
        ]
        for call in cancelled:
            show_card(tx, call, toolbox=toolbox, zone=zone)
        going = [call for call in calls if call.state is not CallState.CLEARED]
        for call in going:
            tx.ask_stop(call)
    told = ["Stopped."]
    if cancelled:
        told.append(f"Not done: {', '.join(call.handle for call in cancelled)}.")
    if going:
        names = ", ".join(call.handle for call in going)
        told.append(f"Under way, and told to stop: {names}.")
    return " ".join(told)


def begin_anew(*, channel: str, place: str, cause: Cause, store: Store) -> None:
    """End the conversation there; what is said next begins a new one."""
    with store.begin(cause) as tx:
        tx.close(tx.conversation_in(channel, place, idle=float("inf")).id)


@dataclass(frozen=True, kw_only=True)
class ThinkContext(Context):
    """What a step of thinking needs besides."""

    models: Asking
    talk: TalkLimits
    instructions: str


def think(message: Think, job: Job, *, ctx: ThinkContext) -> None:
    """One answer of the model to what it has not answered yet; exactly one is recorded.

    The model is asked outside any transaction. If the owner spoke meanwhile, the answer is dropped,
    its calls with it, and the model thinks again.
    """
    with ctx.store.read(job) as tx:
        talk = tx.conversation(message.id)
        entries = tx.entries(talk.id, last=ctx.talk.entries)
        calls = tx.calls(conversation=talk.id)
        led = writers(tx, entries)
        standing = ctx.standing_at(tx, ctx.clock.now())
    if not talk.owed:
        return _finish(job, ctx.store)
    since = _since_the_owner_spoke(calls, entries)
    if why := why_stop(since, turns=talk.turns, limits=ctx.talk):
        return _stop(job, talk, ctx, since, why)
    view = build_view(
        talk,
        entries,
        calls,
        instructions=ctx.instructions,
        now=ctx.clock.now(),
        zone=ctx.zone,
    )
    schemas = ctx.toolbox.schemas(mode=standing.mode)
    turn = _bounded(ctx.models.think(view, schemas, job), ctx.talk)
    looked = look_all(
        turn.wants,
        talk=talk,
        tainted=view.tainted,
        cause=job,
        ctx=ctx,
        now=ctx.clock.now(),
    )
    looked = _marked(looked, entries, led)
    inline = _read_inline(looked, talk, standing, job, ctx)
    with ctx.store.begin(job) as tx:
        tx.done(job)
        tx.used(turn.usage, subject=talk.id, cause=Trigger.CHAT)
        standing = ctx.standing(tx)
        now = tx.conversation(talk.id, lock=True)
        if now.heard != talk.heard:
            tx.emit(Think(id=talk.id))
            return None
        proposed = judge_turn(looked, talk, standing, ctx)
        _record(
            tx,
            talk,
            turn,
            proposed,
            inline,
            view=view,
            made=bool(calls),
            since=since,
            now=standing,
            ctx=ctx,
        )
    return None


def _since_the_owner_spoke(calls: Sequence[Call], entries: Sequence[Entry]) -> list[Call]:
    """The model's calls since the owner spoke, and earlier ones that ended since; oldest first.

    What the owner did without a model is noted in the talk, but was not said to it.
    """
    noted = {call.turn for call in calls if call.actor != MODEL}
    spoken = {e.seq for e in entries if e.role is Role.OWNER and e.seq not in noted}
    said = max(spoken, default=0)
    ended = {e.call for e in entries if e.role is Role.OUTCOME and e.seq > said}
    since = [
        call for call in calls if call.actor == MODEL and (call.turn > said or call.id in ended)
    ]
    return sorted(since, key=lambda call: call.number)


def _marked(looked: Sequence[Call], entries: Sequence[Entry], led: Sequence[Writer]) -> list[Call]:
    """The calls, each told whose words were in view, and which of its arguments are theirs."""
    texts = [
        OutsideText(entry.source, unfence(entry.text))
        for entry in entries
        if entry.origin is Origin.OUTSIDE
    ]
    said = [
        entry.text for entry in entries if entry.role is Role.OWNER and entry.origin is Origin.OWNER
    ]
    grades = {_named(one.source): one.grade for one in led}
    found = [
        tuple(
            one.model_copy(update={"grade": grades.get(_named(one.source), one.grade)})
            for one in copied(call.asked, texts, own=said)
        )
        for call in looked
    ]
    return [
        call.model_copy(update={"copied": copies, "led": tuple(led)})
        for call, copies in zip(looked, found, strict=True)
    ]


def _named(source: str) -> str:
    """What a source is called by, whatever else is said of it: ``mail 1a2b3c4d``."""
    return " ".join(source.split()[:2])


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


def _stop(job: Job, talk: Conversation, ctx: ThinkContext, since: Sequence[Call], why: str) -> None:
    with ctx.store.begin(job) as tx:
        tx.done(job)
        now = tx.conversation(talk.id, lock=True)
        if now.heard != talk.heard:  # the owner has spoken meanwhile, and is to be answered
            tx.emit(Think(id=talk.id))
            return
        tx.thought(now.id, seen=now.heard, tainted=False)
        text = " ".join(filter(None, (why, cards.ledger(since))))
        tx.want(cards.to(talk, f"stop-{talk.id}-{now.heard}", cards.notice(text)))


def _bounded(turn: Turn, limits: TalkLimits) -> Turn:
    """No more calls than a turn may have, and no text in it that cannot be kept and shown.

    Of what is beyond the limit the model is told, as far as that has an end itself.
    """
    wants = [_kept(want) for want in turn.wants[: limits.calls]]
    too_many = f"it was not looked at: a turn holds {limits.calls} calls; ask again for this one"
    wants += [
        Want(tool=sound(want.tool)[:_NAME], trouble=too_many)
        for want in turn.wants[limits.calls : 2 * limits.calls]
    ]
    return turn.model_copy(update={"text": sound(turn.text), "wants": tuple(wants)})


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


def _read_inline(
    looked: Sequence[Call], talk: Conversation, standing: Standing, job: Job, ctx: ThinkContext
) -> Result | None:
    """A lone, quick read needs no hop over the queue; None where it is better run from there.

    A read that does not work out at once takes the long way, which tries again: the model's answer
    is paid for and must be recorded.
    """
    if len(looked) != 1:
        return None
    [call] = judge_turn(looked, talk, standing, ctx)
    if call.state is not CallState.CLEARED:
        return None
    tool = ctx.tool(call)
    if not tool.quick:
        return None
    context = ToolContext(cause=job, call=call.id, now=ctx.clock.now(), zone=ctx.zone)
    try:
        result = Invocation(tool=tool, facts=call.facts, context=context).execute()
    except Exception as error:  # noqa: BLE001 (whatever it was, the queue sees to it)
        log.info("%s takes the long way: %s", call.tool, error)
        return None
    whole = truncated(result.text, max_chars=ctx.limits.result, max_lines=ctx.limits.result_lines)
    return None if result.error or whole.cut else result


def _record(
    tx: Tx,
    talk: Conversation,
    turn: Turn,
    proposed: Sequence[Call],
    inline: Result | None,
    *,
    view: View,
    made: bool,
    since: Sequence[Call],
    now: Standing,
    ctx: ThinkContext,
) -> None:
    """Write what the model said and what it asked for, judged, in one transaction."""
    # What was said with outside text in view may be that text in other words.
    origin = Origin.OUTSIDE if view.tainted else Origin.ASSISTANT
    entry = Entry(role=Role.ASSISTANT, origin=origin, text=turn.text)
    seq = tx.append(talk.id, entry, answer=False)
    tx.thought(talk.id, seen=talk.heard, tainted=view.tainted)
    placed = [_place(tx, call.model_copy(update={"turn": seq}), inline, ctx) for call in proposed]
    _say(tx, talk, turn, seq, [*since, *placed], view=view, made=made)
    if placed:
        advance(tx, talk, seq, now=now, ctx=ctx)
    pending = owed(placed)
    told = [call for call in placed if call not in pending]
    for call in told:
        outside = view.tainted or (inline is not None and inline.outside)
        outcome = Entry(
            role=Role.OUTCOME,
            origin=Origin.OUTSIDE if outside else Origin.ASSISTANT,
            source=inline.source if inline else "",
            text=_outcome(call, placed),
            call=call.id,
        )
        tx.append(talk.id, outcome, answer=call is told[-1] and not pending)
    if told and not pending:
        tx.emit(Think(id=talk.id))


def _say(
    tx: Tx,
    talk: Conversation,
    turn: Turn,
    seq: int,
    calls: Sequence[Call],
    *,
    view: View,
    made: bool,
) -> None:
    """Show the model's words, and below them what is so, told by code.

    Where others can read, only words that rest on nothing but what was said there are shown there.
    """
    # Whatever a call ever found here (the owner's mail, files, calendar) may be in what the model
    # said since, long after the call itself has left its view.
    public = not (calls or made or view.tainted)
    id = f"words-{talk.id}-{seq}"
    if turn.text.strip():
        words = Shown(
            kind=ShownKind.WORDS,
            text=turn.text,
            ledger=cards.ledger(calls),
            outside=view.tainted,
        )
        tx.want(cards.to(talk, id, words, public=public))
    elif not turn.wants:
        text = " ".join(filter(None, ("The model gave no answer.", cards.ledger(calls))))
        tx.want(cards.to(talk, id, cards.notice(text), public=public))
    if talk.aside and not public:
        tx.want(cards.pointer(talk))


def _outcome(call: Call, placed: Sequence[Call]) -> str:
    if call.state is not CallState.CLEARED:
        return call.result
    before = ", ".join(f"#{other.handle}" for other in waits_for(call, placed))
    return f"it waits for {before} and has NOT been done; its outcome will be told later"


def _place(tx: Tx, call: Call, inline: Result | None, ctx: ThinkContext) -> Call:
    """Store one judged call; one that was read already, with its end."""
    if call.state is not CallState.CLEARED or inline is None:
        return place(tx, call, ctx=ctx)
    done = call.step(CallState.RUNNING).step(
        CallState.DONE, result=inline.text, told=inline.told, touched=inline.touched
    )
    ended = _now(ctx)
    started = ended - timedelta(seconds=inline.latency)
    return tx.add_call(done.model_copy(update={"started": started, "ended": ended}))


def _now(ctx: ThinkContext) -> datetime:
    return ctx.clock.now()
