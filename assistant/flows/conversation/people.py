"""Decide whom the assistant listens to; pair and forget people."""

from base64 import b32encode
from dataclasses import dataclass
from datetime import datetime, timedelta
from secrets import token_bytes

from assistant.domain.approvals.approval import ApprovalAnswer, Verb
from assistant.domain.approvals.ports import TokenTx
from assistant.domain.approvals.tokens import Token, hashed, mint
from assistant.domain.audit.entries import person_refused
from assistant.domain.conversation.people import Person
from assistant.domain.errors import Conflict, Denied, NotFound
from assistant.domain.jobs.job import Cause
from assistant.domain.messages import Deliver
from assistant.domain.store import Store
from assistant.domain.time.clock import Clock

FRESH = timedelta(minutes=10)
"""How long a pairing code can be used."""
_GROUP = 5
"""Characters between two hyphens of a code."""


@dataclass(frozen=True, kw_only=True)
class PeopleContext:
    """The people of one channel whose messages, presses and commands are accepted."""

    store: Store
    clock: Clock
    channel: str
    owner: str
    """The owner for whom paired people speak."""
    named: frozenset[str] = frozenset()
    """Ids that the settings name. If there are any, nobody else is listened to."""

    def who(self, id: str) -> str:
        """Return the owner for whom a person speaks; empty for a stranger. Raises ``Transient``."""
        if self.named:
            return self.owner if id in self.named else ""
        return self.store.whose(self.channel, id)

    def everybody(self, owner: str) -> tuple[str, ...]:
        """Return the ids of the people who speak for an owner, the first one first."""
        if self.named:
            return tuple(sorted(self.named)) if owner == self.owner else ()
        with self.store.read(Cause(owner=owner, trace="")) as tx:
            return tuple(person.id for person in tx.people(self.channel))


def make_code(*, cause: Cause, ctx: PeopleContext) -> str:
    """Make a pairing code: who sends it back within ``FRESH`` is listened to. It works once.

    Raises:
        Denied: the settings name who is listened to, so that nobody can be added.
    """
    if ctx.named:
        raise Denied(f"the settings name who is listened to on {ctx.channel}")
    code = b32encode(token_bytes(16)).decode().rstrip("=")
    with ctx.store.begin(cause) as tx:
        expires = tx.high_water(ctx.clock.now()) + FRESH
        _, token = mint(Verb.PAIR, ctx.channel, expires=expires, word=code)
        tx.add_tokens([token])
    return "-".join(code[n : n + _GROUP] for n in range(0, len(code), _GROUP))


def pair(code: str, *, id: str, cause: Cause, ctx: PeopleContext) -> ApprovalAnswer:
    """Pair the person who sent a code back, and show them what could not be shown to anybody."""
    if ctx.named or not id.strip():
        refused(id, "pairing", cause=cause, ctx=ctx)
        return ApprovalAnswer(accepted=False, text="Who may speak here is set in the settings.")
    secret = "".join(code.upper().split()).replace("-", "")
    person = Person(channel=ctx.channel, id=id, owner=cause.owner, by="paired")
    try:
        with ctx.store.begin(cause) as tx:
            now = tx.high_water(ctx.clock.now())
            tx.use_token(_token_of(tx, secret, ctx, now=now), by=f"{ctx.channel}:{id}", at=now)
            tx.add_person(person)
            for delivery in tx.deliveries(channel=ctx.channel, settled=False):
                tx.emit(Deliver(id=delivery.id))
    except (NotFound, Conflict):
        refused(id, "pairing", cause=cause, ctx=ctx)
        text = "That code does not count: it is wrong, too old or used already. Make another."
        return ApprovalAnswer(accepted=False, text=text)
    return ApprovalAnswer(accepted=True, text="I know you now. Say what you want, or /help.")


def _token_of(tx: TokenTx, secret: str, ctx: PeopleContext, *, now: datetime) -> Token:
    """Find the token of a pairing code. Raises ``NotFound`` if it cannot be used here and now."""
    token = tx.token(hashed(secret))
    if (token.verb, token.subject) != (Verb.PAIR, ctx.channel) or now >= token.expires:
        raise NotFound("that code")
    return token


def refused(id: str, what: str, *, cause: Cause, ctx: PeopleContext) -> bool:
    """Note in the audit that a stranger talked, pressed or gave a command; True if it was noted.

    Notes each stranger once an hour, so that nobody can fill the audit.
    """
    hour = f"{ctx.clock.now():%Y-%m-%dT%H}"
    with ctx.store.begin(cause) as tx:
        if not tx.first_sight(ctx.channel, f"refused {what} {id} {hour}"):
            return False
        tx.note(person_refused(ctx.channel, id, what=what))
        return True


def forget(id: str, *, by: str, cause: Cause, ctx: PeopleContext) -> bool:
    """Stop listening to a person. Return False if they were not listened to."""
    person = Person(channel=ctx.channel, id=id, owner=cause.owner, by=by)
    with ctx.store.begin(cause) as tx:
        return tx.forget_person(person)
