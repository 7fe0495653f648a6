"""A button was pressed somewhere far away: is it one of ours, and what does it mean?"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta

from assistant.domain.approvals import Verb
from assistant.domain.audit_entries import button_refused
from assistant.domain.calls import Call
from assistant.domain.deliveries import Action
from assistant.domain.errors import Denied, NotFound, Transient
from assistant.domain.jobs import Cause
from assistant.domain.tokens import Token, hashed, mint
from assistant.flows.context import Context
from assistant.ports import Tx

PRIVATE = timedelta(minutes=15)
"""How long a button counts that was shown to one person alone, in an answer."""
_UNKNOWN = "I do not know this button. Nothing was done."
_ANSWERS = frozenset({Verb.APPROVE, Verb.DENY})


class Replayed(Denied):
    """This button was pressed where it was never shown."""


@dataclass(frozen=True, kw_only=True)
class PressedButton:
    """What a pressed button means."""

    token: Token
    call: Call | None = None
    """As it was when the button was looked up; None where that is not one yes or no."""


def look_up(word: str, *, by: str, shown_as: str, cause: Cause, ctx: Context) -> PressedButton:
    """What a pressed button means.

    Args:
        word: what it carries.
        by: who pressed, by the channel's own id of them.
        shown_as: the message that it was pressed on, as ``<channel>/<message>``; empty where that
            is not told.
        cause: on whose behalf.
        ctx: the rows and the clock.

    Raises:
        NotFound: there is no such button.
        Denied: it is somebody else's, or too old.
        Replayed: it was shown elsewhere. Somebody has got hold of what it carries.
    """
    try:
        with ctx.store.read(cause) as tx:
            token = tx.token(hashed(word))
            shown = tx.delivery(token.delivery).handle if token.delivery else ""
            now = tx.high_water(ctx.clock.now())
            call = _answered(tx, token)
    except NotFound as error:
        refuse(None, by=by, why="unknown", cause=cause, ctx=ctx)
        raise NotFound(_UNKNOWN) from error
    if token.actor and token.actor != by:
        refuse(token, by=by, why="another's", cause=cause, ctx=ctx)
        raise Denied("it was shown to somebody else")
    if shown and shown_as and not _names(shown, shown_as):
        refuse(token, by=by, why="replayed", cause=cause, ctx=ctx)
        raise Replayed
    if now >= token.expires:
        raise Denied("it is too old; ask for it again")
    return PressedButton(token=token, call=call)


def _answered(tx: Tx, token: Token) -> Call | None:
    """The call that is said yes or no to, read with its button: a press is waited for."""
    if token.verb in _ANSWERS:
        with suppress(NotFound):
            return tx.call(token.subject)
    return None


def _names(handle: str, message: str) -> bool:
    """Whether ``<channel>/<message>,-<message>,-<channel>:<message>`` names it.

    One with a minus was there before, with a channel in that one.
    """
    where, _, id = message.partition("/")
    channel, _, ids = handle.partition("/")
    known = {one.removeprefix("-") for one in ids.split(",")}
    return f"{where}:{id}" in known or (channel == where and id in known)


def refuse(token: Token | None, *, by: str, why: str, cause: Cause, ctx: Context) -> None:
    """Note a press that counts for nothing because of its button; once an hour for each kind."""
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
    terms: Mapping[Verb, Mapping[str, str]] | None = None,
    cause: Cause,
    ctx: Context,
) -> list[str]:
    """Buttons for an answer that one person alone sees: what each carries.

    Args:
        actions: what they are for.
        by: who sees them, by the channel's own id of them.
        card: digest of the card that they answer, if they answer one.
        terms: what else a press agrees to, by the verb of its button.
        cause: on whose behalf.
        ctx: the rows and the clock.
    """
    agreed = terms or {}
    with ctx.store.begin(cause) as tx:
        expires = tx.high_water(ctx.clock.now()) + PRIVATE
        made = [
            mint(verb, subject, expires=expires, card=card, terms=agreed.get(verb), actor=by)
            for verb, subject in ((Verb(action.verb), action.subject) for action in actions)
        ]
        tx.add_tokens([token for _, token in made])
    return [word for word, _ in made]


def use_up(token: Token, *, by: str, cause: Cause, ctx: Context) -> bool:
    """Use a button that leads to something else than an answer; whether it had not been yet.

    What it led to is done, so nothing is raised: a button that stays counts for no more by that.
    """
    try:
        with ctx.store.begin(cause) as tx:
            tx.use_token(token, by=by, at=tx.high_water(ctx.clock.now()))
    except Transient:
        return False
    return True
