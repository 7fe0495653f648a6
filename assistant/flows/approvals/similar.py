"""Approve similar: approve a call, and save a grant for calls like it with the scope shown."""

from dataclasses import replace

from assistant.domain.approvals.approval import ApprovalAnswer
from assistant.domain.approvals.tokens import Token
from assistant.domain.canonical import digest
from assistant.domain.errors import Denied
from assistant.domain.ids import new_id
from assistant.domain.jobs.job import Cause
from assistant.domain.policy.decide import Verdict, decide
from assistant.domain.policy.grants import Grant, similar
from assistant.flows.approvals.hold import Held, Refused, lock
from assistant.flows.approvals.with_grant import approve_with_grant
from assistant.flows.calls.judge import after_destroying, request_of, uncounted
from assistant.flows.context import Context


def scope_digest(grant: Grant) -> str:
    """Digest what a person agrees to in a grant: all of it but its id, maker and times."""
    shown = {"tool", "version", "scope", "destination", "reach", "tainted", "uses"}
    return digest(grant.model_dump(mode="json", include=shown))


def draft_similar(handle: str, *, by: str, cause: Cause, ctx: Context) -> Grant:
    """Draft the grant that "approve similar" would save, to show it first. Saves nothing.

    Raises:
        NotFound: there is no such call.
        Denied: the call never waited, or no grant can cover such a call.
    """
    with ctx.store.begin(cause) as tx:
        call = tx.call_named(handle)
        try:
            held = lock(tx, call, ctx)
        except Refused as refused:
            raise Denied(str(refused).removesuffix(".")) from refused
        return _draft(held, by)


def approve_similar(
    handle: str,
    *,
    by: str,
    card: str,
    scope: str,
    word: str = "",
    token: Token | None = None,
    cause: Cause,
    ctx: Context,
) -> ApprovalAnswer:
    """Save the grant and approve the call, both or neither.

    Args:
        handle: the call, by id or as ``A17``.
        by: who pressed, by their id in the channel.
        card: digest of the card they were shown.
        scope: ``scope_digest`` of the grant they were shown.
        word: the second step that was typed.
        token: the button's token; used up if the answer is accepted.
        cause: on whose behalf.
        ctx: the rows, the clock and the tools.
    """

    def draft(held: Held) -> Grant | str:
        grant = _draft(held, by)
        if scope_digest(grant) != scope:
            return "The grant is not what was shown; look at it again."
        return grant

    where = "assistant grants list, or /grants list in a chat, shows it"
    return approve_with_grant(
        handle,
        draft=draft,
        save=lambda held, grant: held.tx.add_grant(grant),
        told=lambda saved: f"{saved.handle} covers calls like it; {where}.",
        by=by,
        card=card,
        word=word,
        token=token,
        cause=cause,
        ctx=ctx,
    )


def _draft(held: Held, by: str) -> Grant:
    """Make the grant. Raises ``Denied`` if none can be made, or if the call would ask anyway."""
    request = request_of(held.call, held.conversation, held.ctx)
    grant = similar(
        request,
        id=new_id(),
        by=by,
        now=held.now,
        call=held.call.id,
        trace=held.call.trace,
        zone=held.ctx.zone,
    )
    now = replace(uncounted(held.policy_context, held.call), grants=(grant,))
    then = decide(request, after_destroying(held.tx, now, [held.call], held.ctx))
    if then.verdict is Verdict.ASK:
        raise Denied(f"such a call asks each time, with a grant or without: {then.why}")
    return grant


def revoke(handle: str, *, by: str, cause: Cause, ctx: Context) -> ApprovalAnswer:
    """End a grant, so that calls it covered ask again. Raises ``NotFound``."""
    with ctx.store.begin(cause) as tx:
        grant = tx.grant_named(handle)
        now = tx.high_water(ctx.clock.now())
        if not tx.revoke_grants([grant.id], by=by, at=now):
            return ApprovalAnswer(accepted=False, text=f"{grant.handle} was revoked already.")
    return ApprovalAnswer(accepted=True, text=f"{grant.handle} is revoked; such calls ask again.")
