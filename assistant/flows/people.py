"""Whom the assistant listens to, and how somebody becomes one of them."""

from base64 import b32encode
from dataclasses import dataclass
from datetime import datetime, timedelta
from secrets import token_bytes

from assistant.domain.approvals import Answer, Verb
from assistant.domain.audit_entries import person_refused
from assistant.domain.errors import Conflict, Denied, NotFound
from assistant.domain.jobs import Cause
from assistant.domain.messages import Deliver
from assistant.domain.people import Person
from assistant.domain.tokens import Token, hashed, mint
from assistant.ports import Clock, Store, Tx

FRESH = timedelta(minutes=10)
"""How long a pairing code counts."""
_GROUP = 5


@dataclass(frozen=True, kw_only=True)
class Listening:
    """Whom one channel's messages, presses and commands are taken from."""

    store: Store
    clock: Clock
    channel: str
    owner: str
    """Who is paired with here."""
    named: frozenset[str] = frozenset()
    """Ids that the settings name. Where there are any, nobody else is listened to."""

    def who(self, id: str) -> str:
        """The owner for whom this person speaks; empty for a stranger. Raises ``Transient``."""
        if self.named:
            return self.owner if id in self.named else ""
        return self.store.whose(self.channel, id)

    def everybody(self, owner: str) -> tuple[str, ...]:
        """The ids of those who speak for an owner, the first one first."""
        if self.named:
            return tuple(sorted(self.named)) if owner == self.owner else ()
        with self.store.read(Cause(owner=owner, trace="")) as tx:
            return tuple(person.id for person in tx.people(self.channel))


def make_code(*, cause: Cause, ctx: Listening) -> str:
    """A pairing code, to be given back once, soon, by whoever is to be listened to.

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


def pair(code: str, *, id: str, cause: Cause, ctx: Listening) -> Answer:
    """Somebody gave back a code: from now on they are listened to.

    What had been written to nobody is shown to them.
    """
    if ctx.named or not id.strip():
        refused(id, "pairing", cause=cause, ctx=ctx)
        return Answer(accepted=False, text="Who may speak here is set in the settings.")
    word = "".join(code.upper().split()).replace("-", "")
    person = Person(channel=ctx.channel, id=id, owner=cause.owner, by="paired")
    try:
        with ctx.store.begin(cause) as tx:
            now = tx.high_water(ctx.clock.now())
            tx.use_token(_code(tx, word, ctx, now=now), by=f"{ctx.channel}:{id}", at=now)
            tx.add_person(person)
            for delivery in tx.deliveries(channel=ctx.channel, settled=False):
                tx.emit(Deliver(id=delivery.id))
    except (NotFound, Conflict):
        refused(id, "pairing", cause=cause, ctx=ctx)
        text = "That code does not count: it was used, is too old, or never was. Make another."
        return Answer(accepted=False, text=text)
    return Answer(accepted=True, text="I know you now. Say what you want, or /help.")


def _code(tx: Tx, word: str, ctx: Listening, *, now: datetime) -> Token:
    token = tx.token(hashed(word))
    if (token.verb, token.subject) != (Verb.PAIR, ctx.channel) or now >= token.expires:
        raise NotFound("that code")
    return token


def refused(id: str, what: str, *, cause: Cause, ctx: Listening) -> bool:
    """Somebody whom nobody knows talked, pressed or gave a command; whether that is news.

    It enters the audit once an hour for each of them, so that none can fill it.
    """
    hour = f"{ctx.clock.now():%Y-%m-%dT%H}"
    with ctx.store.begin(cause) as tx:
        if not tx.first_sight(ctx.channel, f"refused {what} {id} {hour}"):
            return False
        tx.note(person_refused(ctx.channel, id, what=what))
        return True


def forget(id: str, *, by: str, cause: Cause, ctx: Listening) -> bool:
    """Listen to them no longer; whether they were listened to."""
    person = Person(channel=ctx.channel, id=id, owner=cause.owner, by=by)
    with ctx.store.begin(cause) as tx:
        return tx.forget_person(person)
