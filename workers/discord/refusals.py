"""What is known of messages that did not reach anybody where they should, from what was tried."""

from collections.abc import Iterator

from assistant.adapters.discord.places import HOME
from assistant.domain.conversation.deliveries import Delivery, ShownKind
from assistant.domain.conversation.ports import DeliveryTx
from workers.discord.place import CHANNEL, alone


def newest_note(tx: DeliveryTx) -> str:
    """What the owner should know of how they were told something last; empty where all is well."""
    told = (one for one in _tried(tx) if one.note or _is_direct(one))
    return next((one.note for one in told), "")


def refusals(tx: DeliveryTx) -> list[str]:
    """What direct messages refused: the newest of them if they did, and whatever is shown nowhere.

    The newest first, each reason once.
    """
    direct = [one for one in _tried(tx) if _is_direct(one)]
    nowhere = [one for one in _tried(tx, settled=False) if _is_direct(one) or one.place == HOME]
    return list(dict.fromkeys(one.note for one in (*direct[:1], *nowhere) if one.note))


def _tried(tx: DeliveryTx, *, settled: bool | None = None) -> Iterator[Delivery]:
    """What is shown for good, or was refused; the newest first."""
    for one in tx.deliveries(channel=CHANNEL, settled=settled):
        if (one.settled or one.note) and one.wanted.kind is not ShownKind.PROGRESS:
            yield one


def _is_direct(one: Delivery) -> bool:
    return one.place.startswith(alone(""))
