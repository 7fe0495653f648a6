"""Make a channel show what it should."""

from collections.abc import Callable, Mapping

from assistant.domain.errors import NotFound
from assistant.domain.jobs import Job
from assistant.domain.messages import Deliver, Message
from assistant.ports import Channel, Store, Tx


def deliver(
    message: Deliver,
    job: Job,
    *,
    store: Store,
    channels: Mapping[str, Channel],
    after: Callable[[Tx, str], None],
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
    handle = channels[delivery.channel].show(
        delivery.place,
        delivery.wanted,
        key=f"{delivery.owner}:{delivery.id}",
        handle=delivery.handle,
    )
    with store.begin(job) as tx:
        tx.done(job)
        after(tx, message.id)
        now = tx.delivery(message.id, lock=True)
        tx.shown(delivery, handle=handle)
        if now.revision != delivery.revision:
            tx.emit(message)


def gave_up(message: Message, job: Job, reason: str, *, store: Store) -> None:
    """Nothing of the owner's hangs on it: the failed job stays, and ``status`` lists it."""
    del message
    with store.begin(job) as tx:
        tx.fail(job, reason)
