"""What became of a call, told where it was asked for: to the model, and on its card."""

from assistant.domain.batches import owed
from assistant.domain.calls import Call
from assistant.domain.decisions import MODEL
from assistant.domain.errors import NotFound
from assistant.domain.messages import Think
from assistant.domain.talk import Entry, Origin, Role
from assistant.flows import cards
from assistant.ports import Tx
from assistant.tools.toolbox import Toolbox


def show_card(tx: Tx, call: Call, *, toolbox: Toolbox, zone: str) -> None:
    """Let the card of a call, if it has one, show what became of it."""
    try:
        card = tx.delivery(cards.card_id(call))
    except NotFound:
        return
    shown = cards.ended_card(call, toolbox.get(call.tool), zone=zone)
    tx.want(card.model_copy(update={"wanted": shown}))


def tell_model(
    tx: Tx, call: Call, text: str, *, origin: Origin, answer: bool, source: str = ""
) -> None:
    """Append an outcome to the locked conversation; an answer waits for the rest of its turn.

    A model is told nothing of what its owner did without it.
    """
    if call.actor != MODEL:
        return
    calls = tx.calls(conversation=call.conversation, turn=call.turn)
    pending = [other for other in owed(calls) if other.id != call.id]
    entry = Entry(role=Role.OUTCOME, origin=origin, source=source, text=text, call=call.id)
    tx.append(call.conversation, entry, answer=answer and not pending)
    if answer and not pending:
        tx.emit(Think(id=call.conversation))
