"""Make a channel show a delivery as wanted."""

from collections.abc import Callable, Mapping
from datetime import timedelta

from assistant.domain.approvals.approval import Verb
from assistant.domain.approvals.tokens import Token, mint
from assistant.domain.conversation.deliveries import Attempt, Delivery, ShownKind
from assistant.domain.conversation.ports import Channel
from assistant.domain.errors import Busy, Denied, NotFound, Outage, Transient, Unreachable
from assistant.domain.jobs.job import Job
from assistant.domain.messages import Deliver, Message
from assistant.domain.store import Store, Tx
from assistant.domain.time.clock import Clock

RAREST = 300.0
"""Seconds between two tries to show something in a channel that has been away for hours."""
PRESSABLE = timedelta(days=90)
"""How long a button can be pressed. A press on a call that has ended by then is answered so."""


def deliver(
    message: Deliver,
    job: Job,
    *,
    store: Store,
    channels: Mapping[str, Channel],
    clock: Clock,
    after: Callable[[Tx, Delivery], None],
) -> None:
    """Show or edit a delivery; call ``after`` in the transaction that records what is shown."""
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
    try:
        posted = channel.show(delivery.place, delivery.wanted, attempt=attempt)
    except Denied as refused:
        with store.begin(job) as tx:
            tx.refused(delivery, note=str(refused))
        raise
    except Outage:
        raise
    except (
        Unreachable,
        Busy,
    ) as error:  # nobody is told less because a channel was away for a while
        raise _outage(delivery.channel, error, job, clock) from error
    with store.begin(job) as tx:
        tx.done(job)
        after(tx, delivery)
        now = tx.delivery(message.id, lock=True)
        tx.shown(delivery, handle=posted.handle, note=posted.note)
        if now.revision != delivery.revision:
            tx.emit(message)


def _outage(channel: str, error: Transient, job: Job, clock: Clock) -> Outage:
    """Make the outage of a channel. The longer it lasts, the rarer are the tries.

    Each of them mints tokens, as it may have reached the channel after all.
    """
    outage = Outage(*error.args, part=channel.capitalize())
    lasted = 0.0
    if job.waits_since is not None and job.waits_for == outage.part:
        lasted = (clock.now() - job.waits_since).total_seconds()
    outage.after = max(error.after, min(lasted / 60, RAREST))
    return outage


def _intend(
    delivery: Delivery, attempt: Attempt, job: Job, *, store: Store, clock: Clock
) -> Attempt:
    """Record, before a delivery is shown, that it is about to be, and the tokens of its buttons."""
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
    payloads = [payload for payload, _ in made]
    of_actions = len(shown.actions)
    return attempt.model_copy(
        update={
            "tokens": tuple(payloads[:of_actions]),
            "reveal": "".join(payloads[of_actions:]),
            "since": before,
            "minted": earlier,
        }
    )


def gave_up(message: Message, job: Job, reason: str, *, store: Store) -> None:
    """Fail the job, and nothing else: the owner has lost nothing, and ``status`` lists the job."""
    del message
    with store.begin(job) as tx:
        tx.fail(job, reason)
