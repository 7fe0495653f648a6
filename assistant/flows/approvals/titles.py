"""Show the titles of the owner's own events without asking: save a grant for reading them."""

from dataclasses import replace
from datetime import datetime, timedelta

from assistant.domain.approvals.approval import ApprovalAnswer, is_person
from assistant.domain.approvals.tokens import Token
from assistant.domain.calls.call import Facts, Reach, Risk
from assistant.domain.conversation.conversation import Want
from assistant.domain.errors import Denied
from assistant.domain.governance.modes import Mode
from assistant.domain.ids import new_id
from assistant.domain.jobs.job import Cause
from assistant.domain.policy.decide import PolicyContext, Verdict, decide
from assistant.domain.policy.decisions import Request
from assistant.domain.policy.grants import READ_TITLES, Grant, rule, titles
from assistant.domain.store import Tx
from assistant.flows.approvals.hold import Held
from assistant.flows.approvals.with_grant import approve_with_grant
from assistant.flows.calls.judge import draft_for, inspect
from assistant.flows.context import Context

_SOON = timedelta(hours=1)


def approve_and_show_titles(
    handle: str,
    *,
    by: str,
    card: str,
    word: str = "",
    token: Token | None = None,
    cause: Cause,
    ctx: Context,
) -> ApprovalAnswer:
    """Approve a waiting read of titles, and save the grant for those to come: both or neither.

    Args:
        handle: the call, by id or as ``A17``.
        by: who pressed, by their id in the channel.
        card: digest of the card they were shown.
        word: the second step that was typed.
        token: the button's token; used up if the answer is accepted.
        cause: on whose behalf.
        ctx: the rows, the clock and the tools.
    """

    def draft(held: Held) -> Grant | str:
        call = held.call
        if call.tool != READ_TITLES:
            return f"{call.handle} reads no titles; approve it by itself."
        return _draft(
            call.facts.destination,
            call=call.id,
            by=by,
            cause=cause.model_copy(update={"trace": call.trace}),
            how=held.policy_context,
            ctx=ctx,
        )

    return approve_with_grant(
        handle,
        draft=draft,
        save=lambda held, grant: _save(held.tx, grant, by=by, at=held.now),
        told=lambda saved: _told(saved, ctx),
        by=by,
        card=card,
        word=word,
        token=token,
        cause=cause,
        ctx=ctx,
    )


def show_titles(*, by: str, cause: Cause, ctx: Context) -> ApprovalAnswer:
    """Save the grant without a call that waits.

    Args:
        by: who asks, by their id in the channel.
        cause: on whose behalf.
        ctx: the rows, the clock and the tools.

    Raises ``Denied`` where such a grant would spare no question, and what the calendar raises.
    """
    if not is_person(by):
        raise Denied("only a person grants anything")
    destination = _destination(by=by, cause=cause, ctx=ctx)
    with ctx.store.begin(cause) as tx:
        how = ctx.policy_context(tx)
        grant = _draft(destination, call="", by=by, cause=cause, how=how, ctx=ctx)
        saved = _save(tx, grant, by=by, at=how.now)
    return ApprovalAnswer(accepted=True, text=_told(saved, ctx))


def _destination(*, by: str, cause: Cause, ctx: Context) -> str:
    """Return the calendar that a read of titles is for, by a look at it."""
    now = ctx.clock.now()
    want = Want(tool=READ_TITLES, args=_around(now))
    draft = draft_for(want, cause=cause, tainted=False, actor=f"owner:{by}")
    [looked, *_] = inspect(draft, cause=cause, ctx=ctx, now=now, patient=True)
    if looked.facts.trouble or not looked.facts.destination:
        raise Denied(looked.facts.trouble or "there is no calendar to read")
    return looked.facts.destination


def _around(now: datetime) -> dict[str, str]:
    return {"start": now.isoformat(), "end": (now + _SOON).isoformat()}


def _draft(
    destination: str, *, call: str, by: str, cause: Cause, how: PolicyContext, ctx: Context
) -> Grant:
    """Make the grant. Raises ``Denied`` if there is no such tool, or a read would ask anyway."""
    tool = ctx.toolbox.get(READ_TITLES)
    if tool is None:
        raise Denied("there is no calendar to read")
    grant = titles(
        id=new_id(),
        owner=cause.owner,
        version=tool.version,
        destination=destination,
        by=by,
        now=how.now,
        trace=cause.trace,
        call=call,
    )
    request = Request(
        tool=tool.traits,
        facts=Facts(args={**_around(how.now), "uids": []}, destination=destination),
        risk=Risk.HIGH,
        reach=Reach.READS,
        owner=cause.owner,
    )
    then = decide(request, replace(how, grants=(grant,), used={}))
    if how.mode is Mode.LOCKDOWN or then.verdict is not Verdict.ALLOW:
        why = "the assistant is in lockdown" if how.mode is Mode.LOCKDOWN else then.why
        raise Denied(f"titles are asked about each time, with a grant or without: {why}")
    return grant


def _save(tx: Tx, grant: Grant, *, by: str, at: datetime) -> Grant:
    """Save it in place of an earlier one."""
    earlier = [one.id for one in tx.grants() if one.tool == READ_TITLES and one.hourly]
    if earlier:
        tx.revoke_grants(earlier, by=by, at=at)
    return tx.add_grant(grant)


def _told(grant: Grant, ctx: Context) -> str:
    tool = ctx.toolbox.get(READ_TITLES)
    title = tool.title if tool else READ_TITLES
    return f"{grant.handle}: {rule(grant, title, ctx.zone)} /revoke {grant.handle} ends it."
