"""Tell which cards can wait for the end of quiet hours: a mail made them, and nobody asked."""

from datetime import datetime, timedelta

from assistant.domain.calls.call import Call
from assistant.domain.conversation.unasked import can_wait
from assistant.domain.errors import NotFound
from assistant.domain.policy.decisions import MAIL
from assistant.domain.store import Tx
from assistant.flows.render.cards import call_of_card

TIME_TO_ANSWER = timedelta(hours=1)
"""What is left at least for an answer to a card that waited. Its approval expires all the same:
that counts from when it was asked for."""


def waits_until(tx: Tx, delivery: str, ends: datetime) -> bool:
    """Whether a delivery that is not shown yet waits for the end of quiet hours.

    A card that would expire before its owner could answer it comes at once.
    """
    if can_wait(delivery):
        return True
    try:
        call = tx.call(call_of_card(delivery))
        in_time = tx.approval(call.id).expires - ends >= TIME_TO_ANSWER
        return in_time and _is_of_a_mail(tx, call)
    except NotFound:  # it is no card
        return False


def _is_of_a_mail(tx: Tx, call: Call) -> bool:
    """Whether a mail asked for it, and not its owner, who may have changed what a mail asked for.

    What a newer mail put in the place of a call was asked for by that mail.
    """
    if call.actor != MAIL:
        return False
    return not call.supersedes or tx.approval(call.supersedes).by == MAIL
