"""What is known of direct messages that did not reach anybody, from what was tried."""

from assistant.domain.deliveries import ShownKind
from assistant.ports import Store, Tx
from workers.discord.place import CHANNEL, alone

_REFUSED = "does not let the assistant write direct messages"
"""Of what ``NoDirectMessages`` says in a job; its module is heavy."""


def newest_note(tx: Tx) -> str:
    """What the owner should know of their newest direct message; empty where it reached them."""
    for one in tx.deliveries(channel=CHANNEL):
        direct = one.place.startswith(alone("")) and one.wanted.kind is not ShownKind.PROGRESS
        if direct and one.settled:
            return one.note
    return ""


def given_up(store: Store, owner: str) -> list[str]:
    """Why deliveries were given up that direct messages refused, as their jobs have it."""
    failed = [job for job in store.jobs(failed=True) if job.owner == owner]
    return [job.error for job in failed if job.id.startswith("deliver:") and _REFUSED in job.error]
