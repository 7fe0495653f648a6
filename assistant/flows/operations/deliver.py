"""Make a channel show a delivery as wanted."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta

from assistant.domain.approvals.approval import Verb
from assistant.domain.approvals.tokens import Token, mint
from assistant.domain.conversation.deliveries import Attempt, Delivery, Posted, ShownKind
from assistant.domain.conversation.ports import Channel, DeliveryTx
from assistant.domain.errors import Busy, Denied, NotFound, Outage, Transient, Unreachable
from assistant.domain.jobs.job import Job
from assistant.domain.messages import Deliver, Message
from assistant.domain.store import Store, Tx
from assistant.domain.time.clock import Clock
from assistant.domain.time.quiet_hours import QuietHours
from assistant.flows.operations.unasked_cards import waits_until
from assistant.flows.render.outcomes import delivery_of

RAREST = 300.0
"""Seconds between two tries to show something in a channel that has been away for hours."""
IN_ORDER = timedelta(seconds=30)
"""How long something new waits for what its place is to show before it, such as an earlier card."""
LOOK_AGAIN = timedelta(seconds=1)
"""How long until it is looked for again. Whatever is shown orders the next at once."""
_UNORDERED = ("mail", "progress-")
"""How ids begin of what waits for nothing, and is waited for by nothing."""
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
    quiet: QuietHours | None = None,
    zone: str = "UTC",
) -> None:
    """Show or edit a delivery; call ``after`` in the transaction that records what is shown.

    What one place is to show comes in the order in which it was wanted. In quiet hours, in the
    owner's zone or ``zone``, what nobody asked for goes back into its row until they end.
    """
    with store.read(job) as tx:
        delivery = tx.delivery(message.id)
        ends = quiet.end(clock.now(), tx.zone() or zone) if quiet else None
        early = _comes_early(tx, delivery, clock, ends=ends)
        waits = ends is not None and not delivery.shown and waits_until(tx, delivery.id, ends)
    later = ends if waits else clock.now() + LOOK_AGAIN if early else None
    if later is not None or delivery.settled:
        with store.begin(job) as tx:
            tx.done(job)
            if later is not None and not delivery.settled:
                tx.emit(message, due=later)
        return
    posted = _show(delivery, job, store=store, channels=channels, clock=clock)
    with store.begin(job) as tx:
        tx.done(job)
        after(tx, delivery)
        now = tx.delivery(message.id, lock=True)
        if not delivery.shown:
            for next in _unshown(tx, delivery)[1][:1]:
                tx.emit(Deliver(id=next))
        tx.shown(delivery, handle=posted.handle, note=posted.note)
        if now.revision != delivery.revision:
            tx.emit(message)


def _show(
    delivery: Delivery,
    job: Job,
    *,
    store: Store,
    channels: Mapping[str, Channel],
    clock: Clock,
) -> Posted:
    """Have the channel show it. Records that it refused; raises what kept it from being shown."""
    if delivery.channel not in channels:
        raise NotFound(f"channel {delivery.channel}")
    channel = channels[delivery.channel]
    attempt = Attempt(
        key=f"{delivery.owner}:{delivery.id}", handle=delivery.handle, note=delivery.note
    )
    if channel.far:
        attempt = _intend(delivery, attempt, job, store=store, clock=clock)
    try:
        return channel.show(delivery.place, delivery.wanted, attempt=attempt)
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


def shown_before(tx: DeliveryTx, delivery: Delivery) -> Sequence[str]:
    """Return the ids of what its place is to show before a new delivery, in order."""
    before, _ = _unshown(tx, delivery)
    return before


def _comes_early(tx: Tx, delivery: Delivery, clock: Clock, *, ends: datetime | None) -> bool:
    """Whether its place is still to show something before it, and not for too long already.

    ``ends``: when quiet hours end; what waits for that is not waited for.
    """
    before = [id for id in shown_before(tx, delivery) if not (ends and waits_until(tx, id, ends))]
    return bool(before and delivery.created and clock.now() - delivery.created < IN_ORDER)


def _unshown(tx: DeliveryTx, delivery: Delivery) -> tuple[Sequence[str], Sequence[str]]:
    """Return what its place is still to show before a new delivery, and what after it."""
    if delivery.shown or delivery.created is None or delivery.id.startswith(_UNORDERED):
        return (), ()
    found = tx.unshown(delivery, since=delivery.created - IN_ORDER)
    ids = [id for id in found if not id.startswith(_UNORDERED)]
    if delivery.id not in ids:
        return (), ids
    place = ids.index(delivery.id)
    return ids[:place], ids[place + 1 :]


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
    buttons = [(Verb(action.verb), action.subject, action.terms) for action in shown.actions]
    if shown.kind is not ShownKind.PROGRESS:
        buttons.append((Verb.REVEAL, delivery.id, {}))
    with store.begin(job) as tx:
        expires = tx.high_water(clock.now()) + PRESSABLE
        made: list[tuple[str, Token]] = [
            mint(
                verb,
                subject,
                expires=expires,
                card=shown.digest,
                delivery=delivery.id,
                terms=terms,
            )
            for verb, subject, terms in buttons
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
    """Fail the job: the owner has lost nothing, and ``status`` lists it. Nothing waits for it."""
    with store.begin(job) as tx:
        delivery = delivery_of(tx, message.id) if isinstance(message, Deliver) else None
        if delivery is not None and not delivery.shown:
            tx.refused(delivery, note=reason)
        tx.fail(job, reason)
