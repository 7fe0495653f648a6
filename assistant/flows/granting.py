"""Approve similar: a yes to this call, and to calls like it, within a scope that was shown."""

from dataclasses import replace

from assistant.domain.approvals import Answer
from assistant.domain.canonical import digest
from assistant.domain.errors import Denied
from assistant.domain.grants import Grant, similar
from assistant.domain.ids import new_id
from assistant.domain.jobs import Cause
from assistant.domain.policy import Verdict, decide
from assistant.domain.tokens import Token
from assistant.flows.context import Context
from assistant.flows.judging import request_of, uncounted
from assistant.flows.waiting import Held, answered, approve, hold, spending


def scope_digest(grant: Grant) -> str:
    """What a person agrees to when they are shown a grant, whenever it is made."""
    shown = {"tool", "version", "scope", "destination", "reach", "tainted", "uses"}
    return digest(grant.model_dump(mode="json", include=shown))


def draft_similar(handle: str, *, by: str, cause: Cause, ctx: Context) -> Grant:
    """The grant that "approve similar" would save, to be shown first. Saves nothing.

    Raises:
        NotFound: there is no such call.
        Denied: it never waited, or no grant can cover such a call.
    """
    with ctx.store.begin(cause) as tx:
        call = tx.call_named(handle)
        held = hold(tx, call, ctx)
        if held is None:
            raise Denied(f"{call.handle} never waited for an answer")
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
) -> Answer:
    """Save the grant and approve the call, both or neither.

    Args:
        handle: the call, by id or as ``A17``.
        by: who pressed, by the channel's own id of them.
        card: digest of the card they were shown.
        scope: ``scope_digest`` of the grant they were shown.
        word: what was typed with it.
        token: the button's; used up with this answer, if it counts.
        cause: on whose behalf.
        ctx: the rows, the clock and the tools.
    """

    def answer(held: Held) -> Answer:
        try:
            grant = _draft(held, by)
        except Denied as error:
            return Answer(accepted=False, text=str(error))
        if scope_digest(grant) != scope:
            text = "What would be granted is not what was shown; look at it again."
            return Answer(accepted=False, text=text)
        said = approve(held, by=by, word=word)
        if not said.accepted:
            return said
        saved = held.tx.add_grant(grant)
        where = "assistant grants list, or /grants in a chat, shows it"
        also = f"{saved.handle} covers calls like it; {where}."
        return Answer.yes(said.approved, also=also)

    return answered(
        handle, card=card, cause=cause, ctx=ctx, answer=spending(token, by=by, answer=answer)
    )


def _draft(held: Held, by: str) -> Grant:
    """The grant. Raises ``Denied`` where none can be made, or where it would spare no question."""
    request = request_of(held.call, held.talk, held.ctx)
    grant = similar(
        request,
        id=new_id(),
        by=by,
        now=held.now,
        call=held.call.id,
        trace=held.call.trace,
    )
    then = decide(request, replace(uncounted(held.standing, held.call), grants=(grant,)))
    if then.verdict is Verdict.ASK:
        raise Denied(f"such a call asks each time, whatever is granted: {then.why}")
    return grant


def revoke(handle: str, *, by: str, cause: Cause, ctx: Context) -> Answer:
    """End a grant: what it covered asks again. Raises ``NotFound``."""
    with ctx.store.begin(cause) as tx:
        grant = tx.grant_named(handle)
        now = tx.high_water(ctx.clock.now())
        if not tx.revoke_grants([grant.id], by=by, at=now):
            return Answer(accepted=False, text=f"{grant.handle} was revoked already.")
    return Answer(accepted=True, text=f"{grant.handle} is revoked; such calls ask again.")
