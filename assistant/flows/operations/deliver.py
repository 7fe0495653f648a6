"""Make a channel show what it should."""

from collections.abc import Callable, Mapping
from datetime import timedelta

from assistant.domain.approvals.approval import Verb
from assistant.domain.approvals.tokens import Token, mint
from assistant.domain.conversation.deliveries import Attempt, Delivery, ShownKind
from assistant.domain.conversation.ports import Channel
from assistant.domain.errors import Denied, NotFound
from assistant.domain.failpoints import hit
from assistant.domain.jobs.job import Job
from assistant.domain.messages import Deliver, Message
from assistant.domain.store import Store, Tx
from assistant.domain.time.clock import Clock

PRESSABLE = timedelta(days=90)
"""How long a button can be pressed. What it is about may have ended before; that is told then."""


def deliver(
    message: Deliver,
    job: Job,
    *,
    store: Store,
    channels: Mapping[str, Channel],
    clock: Clock,
    after: Callable[[Tx, Delivery], None],
) -> None:
    """Show or edit; ``after`` is told, in the recording transaction, what is shown now."""
    with store.read(job) as tx:
        delivery = tx.delivery(message.id)
    if delivery.settled:
        with store.begin(job) as tx:
            tx.done(job)
        return
    if delivery.channel not in channels:
        raise NotFound(f"channel {delivery.channel}")
    channel = channels[delivery.channel]
    attempt = Attempt(
        key=f"{delivery.owner}:{delivery.id}", handle=delivery.handle, note=delivery.note
    )
    if channel.far:
        attempt = _intend(delivery, attempt, job, store=store, clock=clock)
    kind = delivery.wanted.kind
    hit("show.before", kind=kind)
    try:
        posted = channel.show(delivery.place, delivery.wanted, attempt=attempt)
    except Denied as refused:
        with store.begin(job) as tx:
            tx.refused(delivery, note=str(refused))
        raise
    hit("show.after", kind=kind)
    with store.begin(job) as tx:
        tx.done(job)
        after(tx, delivery)
        now = tx.delivery(message.id, lock=True)
        tx.shown(delivery, handle=posted.handle, note=posted.note)
        if now.revision != delivery.revision:
            tx.emit(message)


def _intend(
    delivery: Delivery, attempt: Attempt, job: Job, *, store: Store, clock: Clock
) -> Attempt:
    """Write that it is about to be shown, and what its buttons mean, before it is."""
    shown = delivery.wanted
    buttons = [(Verb(action.verb), action.subject) for action in shown.actions]
    if shown.kind is not ShownKind.PROGRESS:
        buttons.append((Verb.REVEAL, delivery.id))
    with store.begin(job) as tx:
        expires = tx.high_water(clock.now()) + PRESSABLE
        made: list[tuple[str, Token]] = [
            mint(verb, subject, expires=expires, card=shown.digest, delivery=delivery.id)
            for verb, subject in buttons
        ]
        earlier = tx.tokens_of(delivery.id)
        tx.add_tokens([token for _, token in made])
        before = delivery.tried
        tx.trying(delivery)
    words = [word for word, _ in made]
    of_actions = len(shown.actions)
    return attempt.model_copy(
        update={
            "tokens": tuple(words[:of_actions]),
            "reveal": "".join(words[of_actions:]),
            "since": before,
            "minted": earlier,
        }
    )


def gave_up(message: Message, job: Job, reason: str, *, store: Store) -> None:
    """Nothing of the owner's hangs on it: the failed job stays, and ``status`` lists it."""
    del message
    with store.begin(job) as tx:
        tx.fail(job, reason)
