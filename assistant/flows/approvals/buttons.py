"""Check a pressed button, and carry out what it decides."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta

from assistant.domain.approvals.approval import Verb
from assistant.domain.approvals.tokens import Token, hashed, mint
from assistant.domain.audit.entries import button_refused
from assistant.domain.calls.call import Call
from assistant.domain.calls.ports import CallTx
from assistant.domain.conversation.deliveries import Action
from assistant.domain.errors import Denied, NotFound, Transient
from assistant.domain.jobs.job import Cause
from assistant.flows.context import Context

PRIVATE = timedelta(minutes=15)
"""How long a button in a private answer can be pressed."""
_UNKNOWN = "I do not know this button. Nothing was done."
_ANSWERS = frozenset({Verb.APPROVE, Verb.DENY})


class ReplayedButton(Denied):
    """This button was pressed on a message where it was never shown."""


@dataclass(frozen=True, kw_only=True)
class PressedButton:
    """A pressed button: its token, and the call that it answers."""

    token: Token
    call: Call | None = None
    """The call as it was when the button was looked up; None unless the button is a yes or no."""


def look_up(payload: str, *, by: str, shown_as: str, cause: Cause, ctx: Context) -> PressedButton:
    """Find the token of a pressed button.

    Args:
        payload: the secret that the button carries.
        by: who pressed, by their id in the channel.
        shown_as: the message that it was pressed on, as ``<channel>/<message>``; empty if unknown.
        cause: on whose behalf.
        ctx: the rows and the clock.

    Raises:
        NotFound: there is no such button.
        Denied: the button is somebody else's, or too old.
        ReplayedButton: the button was shown elsewhere, so somebody has copied its payload.
    """
    try:
        with ctx.store.read(cause) as tx:
            token = tx.token(hashed(payload))
            shown = tx.delivery(token.delivery).handle if token.delivery else ""
            now = tx.high_water(ctx.clock.now())
            call = _answered_call(tx, token)
    except NotFound as error:
        refuse(None, by=by, why="unknown", cause=cause, ctx=ctx)
        raise NotFound(_UNKNOWN) from error
    if token.actor and token.actor != by:
        refuse(token, by=by, why="another's", cause=cause, ctx=ctx)
        raise Denied("it was shown to somebody else")
    if shown and shown_as and not _refers_to(shown, shown_as):
        refuse(token, by=by, why="replayed", cause=cause, ctx=ctx)
        raise ReplayedButton
    if now >= token.expires:
        raise Denied("it is too old; ask for it again")
    return PressedButton(token=token, call=call)


def _answered_call(tx: CallTx, token: Token) -> Call | None:
    """Read the call of a yes or no along with its button, as somebody waits for the press."""
    if token.verb in _ANSWERS:
        with suppress(NotFound):
            return tx.call(token.subject)
    return None


def _refers_to(handle: str, message: str) -> bool:
    """Whether a handle ``<channel>/<message>,-<message>,-<channel>:<message>`` holds a message.

    A minus marks an earlier message of the delivery; its channel is given where it was another.
    """
    where, _, id = message.partition("/")
    channel, _, ids = handle.partition("/")
    known = {one.removeprefix("-") for one in ids.split(",")}
    return f"{where}:{id}" in known or (channel == where and id in known)


def refuse(token: Token | None, *, by: str, why: str, cause: Cause, ctx: Context) -> None:
    """Note a press that was refused because of its button, in the audit; once an hour a kind."""
    hour = f"{ctx.clock.now():%Y-%m-%dT%H}"
    about = token.hash if token else ""
    with ctx.store.begin(cause) as tx:
        if tx.first_sight("buttons", f"{why} {by} {about} {hour}"):
            tx.note(button_refused(token, by=by, why=why))


def buttons(
    actions: Sequence[Action],
    *,
    by: str,
    card: str = "",
    terms: Sequence[Mapping[str, str]] = (),
    cause: Cause,
    ctx: Context,
) -> list[str]:
    """Make buttons for a private answer; return their payloads, in order.

    Args:
        actions: what the buttons do.
        by: who sees them, by their id in the channel.
        card: digest of the card that they answer; empty if they answer none.
        terms: what else a press of each agrees to, in order; none for all of them.
        cause: on whose behalf.
        ctx: the rows and the clock.
    """
    agreed = terms or [{} for _ in actions]
    with ctx.store.begin(cause) as tx:
        expires = tx.high_water(ctx.clock.now()) + PRIVATE
        made = [
            mint(
                Verb(action.verb), action.subject, expires=expires, card=card, terms=also, actor=by
            )
            for action, also in zip(actions, agreed, strict=True)
        ]
        tx.add_tokens([token for _, token in made])
    return [payload for payload, _ in made]


def use_up(token: Token, *, by: str, cause: Cause, ctx: Context) -> bool:
    """Use up a button that is not a yes or no, after its act. Return False if that failed.

    Raises nothing, as the act is done: a token that stays usable allows nothing more.
    """
    try:
        with ctx.store.begin(cause) as tx:
            tx.use_token(token, by=by, at=tx.high_water(ctx.clock.now()))
    except Transient:
        return False
    return True
