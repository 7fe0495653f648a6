"""Let the model answer: ask it, judge the calls it proposes, record both, show its words."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from assistant.domain.calls.batches import owed, waits_for
from assistant.domain.calls.call import Call, Influence
from assistant.domain.calls.loops import why_stop
from assistant.domain.calls.quoted_arguments import OutsideText, Writings
from assistant.domain.calls.states import ENDED, CallState
from assistant.domain.calls.tool_call_ids import refuse_ambiguous
from assistant.domain.calls.typed_arguments import typed_arguments
from assistant.domain.canonical import canonical
from assistant.domain.conversation.conversation import (
    Conversation,
    Entry,
    Origin,
    Role,
    Turn,
    View,
    Want,
)
from assistant.domain.conversation.deliveries import Shown, ShownKind
from assistant.domain.conversation.ports import DeliveryTx
from assistant.domain.errors import BadArguments
from assistant.domain.governance.budget import Trigger
from assistant.domain.jobs.job import Job
from assistant.domain.limits import ConversationLimits
from assistant.domain.messages import Think
from assistant.domain.policy.decide import PolicyContext
from assistant.domain.policy.decisions import MODEL
from assistant.domain.store import Store, Tx
from assistant.domain.text.fence import unfence
from assistant.domain.text.sound import sound, sound_json
from assistant.domain.text.truncation import truncated
from assistant.flows.calls.judge import after_destroying, inspect_all, judge_turn, knows_all
from assistant.flows.calls.record import advance, record_call
from assistant.flows.context import Context
from assistant.flows.conversation.news import told
from assistant.flows.conversation.provenance import KnownNames, influenced_by
from assistant.flows.conversation.view import build_view
from assistant.flows.governance.model_gateway import ModelGateway
from assistant.flows.render import cards
from assistant.flows.render.ledger import belongs, ledger
from assistant.flows.render.outcomes import delivery_of
from assistant.tools.contract.arguments import too_large
from assistant.tools.contract.context import ToolContext
from assistant.tools.contract.invocation import Invocation
from assistant.tools.contract.results import Result

log = logging.getLogger(__name__)

_NAME = 64
"""Characters that are kept of a tool's name."""
_SILENT = "-"
"""The words of a model that has nothing to say: not every provider lets it answer with none."""


@dataclass(frozen=True, kw_only=True)
class ThinkContext(Context):
    """The context of thinking."""

    models: ModelGateway
    conversation: ConversationLimits
    instructions: str

    def title_of(self, name: str) -> str:
        """Name a tool for a person."""
        tool = self.toolbox.get(name)
        return tool.title if tool else name


def think(message: Think, job: Job, *, ctx: ThinkContext) -> None:
    """Ask the model for one answer to all it has not answered yet, and record it once.

    The model is asked outside any transaction. If the owner speaks meanwhile, the answer and its
    calls are dropped, and the model thinks again.
    """
    with ctx.store.read(job) as tx:
        conversation = tx.conversation(message.id)
        entries = tx.entries(conversation.id, last=ctx.conversation.entries)
        calls = tx.calls(conversation=conversation.id)
        influences = influenced_by(tx, entries)
        policy_context = ctx.policy_context_at(tx, ctx.clock.now())
    if not conversation.owed:
        return _finish(job, ctx.store)
    since = _since_the_owner_spoke(calls, entries)
    news = _since_the_last_words(calls, entries)
    limits = ctx.conversation
    if why := why_stop(since, turns=conversation.turns, limits=limits, title=ctx.title_of):
        return _stop(job, conversation, ctx, news, why)
    view = build_view(
        conversation,
        entries,
        calls,
        instructions=ctx.instructions,
        now=ctx.clock.now(),
        zone=ctx.zone,
    )
    schemas = ctx.toolbox.schemas(mode=policy_context.mode)
    turn = ctx.models.think(view, schemas, job)
    told_apart = refuse_ambiguous(turn.wants, known={call.id for call in calls})
    turn = _limited(turn.model_copy(update={"wants": tuple(told_apart)}), ctx)
    inspected = inspect_all(
        turn.wants,
        conversation=conversation,
        tainted=view.tainted,
        cause=job,
        ctx=ctx,
        now=ctx.clock.now(),
        knows=KnownNames(entries, calls, ctx.toolbox).by if view.tainted else knows_all,
    )
    inspected = _with_provenance(inspected, entries, influences, ctx)
    inline = _read_inline(inspected, conversation, policy_context, job, ctx)
    with ctx.store.begin(job) as tx:
        tx.done(job)
        tx.used(turn.usage, subject=conversation.id, cause=Trigger.CHAT)
        policy_context = ctx.policy_context(tx)
        now = tx.conversation(conversation.id, lock=True)
        if now.heard != conversation.heard:
            tx.emit(Think(id=conversation.id))
            return None
        policy_context = after_destroying(tx, policy_context, inspected, ctx)
        proposed = judge_turn(inspected, conversation, policy_context, ctx)
        _record(
            tx,
            conversation,
            turn,
            proposed,
            inline,
            view=view,
            made=bool(calls),
            news=news,
            now=policy_context,
            ctx=ctx,
        )
    return None


def _since_the_owner_spoke(calls: Sequence[Call], entries: Sequence[Entry]) -> list[Call]:
    """Return the model's calls made or ended since the owner last spoke to it; oldest first.

    Entries about the owner's own calls are not spoken to the model.
    """
    return _since(_last_said(calls, entries), calls, entries)


def _since_the_last_words(calls: Sequence[Call], entries: Sequence[Entry]) -> list[Call]:
    """Return the model's calls made or ended since the last words of either; oldest first.

    The record below the last words did not name the calls that came with them.
    """
    worded = (e.seq for e in entries if e.role is Role.ASSISTANT and e.text.strip())
    since = max(_last_said(calls, entries), max(worded, default=0))
    return _since(since, calls, entries)


def _last_said(calls: Sequence[Call], entries: Sequence[Entry]) -> int:
    noted = {call.turn for call in calls if call.actor != MODEL}
    spoken = {e.seq for e in entries if e.role is Role.OWNER and e.seq not in noted}
    return max(spoken, default=0)


def _since(seq: int, calls: Sequence[Call], entries: Sequence[Entry]) -> list[Call]:
    ended = {e.call for e in entries if e.role is Role.OUTCOME and e.seq > seq}
    since = [
        call for call in calls if call.actor == MODEL and (call.turn >= seq or call.id in ended)
    ]
    return sorted(since, key=lambda call: call.number)


def _with_provenance(
    inspected: Sequence[Call],
    entries: Sequence[Entry],
    influences: Sequence[Influence],
    ctx: ThinkContext,
) -> list[Call]:
    """Add to each call the writers in view, and which arguments quote them or were typed since."""
    if not inspected:
        return []
    texts = [
        OutsideText(entry.source, unfence(entry.text))
        for entry in entries
        if entry.origin is Origin.OUTSIDE
    ]
    said = [
        entry.text for entry in entries if entry.role is Role.OWNER and entry.origin is Origin.OWNER
    ]
    writings = Writings(texts, own=said)
    grades = {_source_key(one.source): one.grade for one in influences}
    found = [
        tuple(
            one.model_copy(update={"grade": grades.get(_source_key(one.source), one.grade)})
            for one in writings.quoted_in(call.asked)
        )
        for call in inspected
    ]
    return [
        call.model_copy(
            update={
                "copied": quoted,
                "led": tuple(influences),
                "typed": _typed_since(call, entries, ctx),
            }
        )
        for call, quoted in zip(inspected, found, strict=True)
    ]


def _typed_since(call: Call, entries: Sequence[Entry], ctx: ThinkContext) -> tuple[str, ...]:
    """Return the arguments that the owner typed after the newest words of others in view."""
    tool = ctx.offered_tool(call)
    if tool is None or not call.facts.args:
        return ()
    newest = max((one.seq for one in entries if one.origin is Origin.OUTSIDE), default=0)
    said = [
        entry.text
        for entry in entries
        if entry.role is Role.OWNER and entry.origin is Origin.OWNER and entry.seq > newest
    ]
    now = ctx.clock.now()
    known_as = {
        name: said for name, said in tool.glance(call.facts, ctx.zone, now).shows.items() if said
    }
    return typed_arguments(call.asked, said, known_as=known_as, now=now, zone=ctx.zone)


def _source_key(source: str) -> str:
    """Return the first two words of a source, which name it: ``mail 1a2b3c4d``."""
    return " ".join(source.split()[:2])


def gave_up_thinking(message: Think, job: Job, reason: str, *, store: Store) -> None:
    """Tell the owner that no answer comes, and that what they said is kept."""
    with store.begin(job) as tx:
        conversation = tx.conversation(message.id, lock=True)
        tx.thought(conversation.id, seen=conversation.heard, tainted=False)
        text = f"I could not answer: {reason}. What you said is kept; say it again to try again."
        tx.want(
            cards.to(
                conversation, f"stuck-{conversation.id}-{conversation.heard}", cards.notice(text)
            )
        )
        tx.fail(job, reason)


def _finish(job: Job, store: Store) -> None:
    with store.begin(job) as tx:
        tx.done(job)


def _stop(
    job: Job, conversation: Conversation, ctx: ThinkContext, news: Sequence[Call], why: str
) -> None:
    with ctx.store.begin(job) as tx:
        tx.done(job)
        now = tx.conversation(conversation.id, lock=True)
        if now.heard != conversation.heard:  # the owner spoke meanwhile: answer that
            tx.emit(Think(id=conversation.id))
            return
        tx.thought(now.id, seen=now.heard, tainted=False)
        text = " ".join(filter(None, (why, ledger(news))))
        tx.want(cards.to(conversation, f"stop-{conversation.id}-{now.heard}", cards.notice(text)))


def _limited(turn: Turn, ctx: ThinkContext) -> Turn:
    """Cut a turn to the calls it may have, and make its texts fit to be stored and shown.

    The model is told of calls beyond the limit, up to as many again.
    """
    limits = ctx.conversation
    wants = [_storable(want, ctx) for want in turn.wants[: limits.calls]]
    too_many = f"it was not looked at: a turn holds {limits.calls} calls; ask again for this one"
    wants += [
        Want(tool=sound(want.tool)[:_NAME], trouble=too_many)
        for want in turn.wants[limits.calls : 2 * limits.calls]
    ]
    text = "" if turn.text.strip() == _SILENT else sound(turn.text)
    return turn.model_copy(update={"text": text, "wants": tuple(wants)})


def _storable(want: Want, ctx: ThinkContext) -> Want:
    """Drop the arguments of a want if they are too large or have no canonical JSON, and say so.

    Their size is looked at first, so that nothing else ever takes time for what is too large.
    """
    tool = sound(want.tool)
    known = ctx.toolbox.offered(want.tool)
    if why := too_large(want.args, known.args if known else None):
        return Want(tool=tool, trouble=str(BadArguments(why)))
    try:
        args = sound_json(want.args)
        canonical(args)
    except BadArguments as error:
        return Want(tool=tool, trouble=str(error))
    except RecursionError:
        return Want(tool=tool, trouble=str(BadArguments("they are nested too deeply")))
    return Want(tool=tool, args=args, trouble=sound(want.trouble))


def _read_inline(
    inspected: Sequence[Call],
    conversation: Conversation,
    policy_context: PolicyContext,
    job: Job,
    ctx: ThinkContext,
) -> Result | None:
    """Run a lone quick read at once, without the queue; None if it has to run from the queue.

    A read that fails here goes to the queue, which tries again: the model's answer is paid for, so
    it must be recorded whatever happens to the read.
    """
    if len(inspected) != 1:
        return None
    [call] = judge_turn(inspected, conversation, policy_context, ctx)
    if call.state is not CallState.CLEARED:
        return None
    tool = ctx.tool(call)
    if not tool.quick:
        return None
    context = ToolContext(cause=job, call=call.id, now=ctx.clock.now(), zone=ctx.zone)
    try:
        result = Invocation(tool=tool, facts=call.facts, context=context).execute()
    except Exception as error:  # noqa: BLE001 (the queue tries again after any error)
        log.info("%s did not run at once and goes to the queue: %s", call.tool, error)
        return None
    whole = truncated(result.text, max_chars=ctx.limits.result, max_lines=ctx.limits.result_lines)
    return None if result.error or whole.cut else result


def _record(
    tx: Tx,
    conversation: Conversation,
    turn: Turn,
    proposed: Sequence[Call],
    inline: Result | None,
    *,
    view: View,
    made: bool,
    news: Sequence[Call],
    now: PolicyContext,
    ctx: ThinkContext,
) -> None:
    """Record the model's words and its judged calls, and show the words."""
    # With outside text in view, the model's words may be that text in other words.
    origin = Origin.OUTSIDE if view.tainted else Origin.ASSISTANT
    entry = Entry(role=Role.ASSISTANT, origin=origin, text=turn.text)
    seq = tx.append(conversation.id, entry, answer=False)
    tx.thought(conversation.id, seen=conversation.heard, tainted=view.tainted)
    calls = [
        _record_one(tx, call.model_copy(update={"turn": seq}), inline, ctx) for call in proposed
    ]
    public = not (calls or made or view.tainted or turn.tells)
    _show_words(tx, conversation, turn, seq, news, tainted=view.tainted, public=public, now=now.now)
    if calls:
        advance(tx, conversation, seq, now=now, ctx=ctx)
    pending = owed(calls)
    told = [call for call in calls if call not in pending]
    for call in told:
        outside = view.tainted or (inline is not None and inline.outside)
        outcome = Entry(
            role=Role.OUTCOME,
            origin=Origin.OUTSIDE if outside else Origin.ASSISTANT,
            source=inline.source if inline else "",
            text=_outcome(call, calls),
            call=call.id,
        )
        tx.append(conversation.id, outcome, answer=call is told[-1] and not pending)
    if told and not pending:
        tx.emit(Think(id=conversation.id))


def _show_words(
    tx: Tx,
    conversation: Conversation,
    turn: Turn,
    seq: int,
    news: Sequence[Call],
    *,
    tainted: bool,
    public: bool,
    now: datetime,
) -> None:
    """Show the model's words, and below them what came of the calls before, told by code.

    The calls that come with the words are not named: what waits has its card, and of what runs the
    model has still to speak. In a place that others can read, only words that rest on nothing but
    what was said there are shown; all others go to where the owner reads alone. What any call of
    the conversation found may be in the words, long after the call has left the model's view.
    """
    id = f"words-{conversation.id}-{seq}"
    shown = None
    if turn.tells:
        shown = told(tx, turn.tells, text=turn.text, now=now)
    elif turn.text.strip():
        shown = Shown(kind=ShownKind.WORDS, text=turn.text, ledger=ledger(news), outside=tainted)
    elif turn.wants:
        return
    elif said := _for_a_silent_model(tx, news):
        shown = cards.notice(said)
    if shown is not None:
        tx.want(cards.to(conversation, id, shown, public=public))
    if conversation.aside and not public:
        tx.want(cards.pointer(conversation, id if shown else ""))


def _for_a_silent_model(tx: DeliveryTx, news: Sequence[Call]) -> str:
    """Say what no card and no receipt shows; empty where nothing is left to say."""
    changes = [call for call in news if belongs(call)]
    if not changes:
        return "The model gave no answer."
    return ledger([call for call in changes if call.state in ENDED and not _is_shown(tx, call)])


def _is_shown(tx: DeliveryTx, call: Call) -> bool:
    """Whether a card, a receipt or a notice of its own tells what became of a call."""
    ids = (cards.card_id(call), cards.receipt_id(call))
    return call.unclear or any(delivery_of(tx, id) is not None for id in ids)


def _outcome(call: Call, turn: Sequence[Call]) -> str:
    if call.state is not CallState.CLEARED:
        return call.result
    before = ", ".join(f"#{other.handle}" for other in waits_for(call, turn))
    return f"it waits for {before} and has NOT been done; its outcome will be told later"


def _record_one(tx: Tx, call: Call, inline: Result | None, ctx: ThinkContext) -> Call:
    """Record one judged call; as done, if it was run at once."""
    if call.state is not CallState.CLEARED or inline is None:
        return record_call(tx, call, ctx=ctx)
    done = call.step(CallState.RUNNING).step(
        CallState.DONE, result=inline.text, told=inline.told, touched=inline.touched
    )
    ended = _now(ctx)
    started = ended - timedelta(seconds=inline.latency)
    if call.grant:
        tx.use_grant(call.grant, at=tx.high_water(ended))
    return tx.add_call(done.model_copy(update={"started": started, "ended": ended}))


def _now(ctx: ThinkContext) -> datetime:
    return ctx.clock.now()
