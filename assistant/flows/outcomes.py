"""What became of a call, told where it was asked for: to the model, and on its card."""

from collections.abc import Collection
from datetime import datetime
from typing import Any

from assistant.domain.approvals import Approval
from assistant.domain.batches import owed
from assistant.domain.calls import Call
from assistant.domain.decisions import MODEL
from assistant.domain.deliveries import Delivery
from assistant.domain.errors import NotFound
from assistant.domain.messages import Think
from assistant.domain.talk import Conversation, Entry, Origin, Role
from assistant.flows import cards
from assistant.flows.call_status import status_of
from assistant.ports import Tx
from assistant.tools.contract.tool import Tool
from assistant.tools.contract.toolbox import Toolbox


def delivery_of(tx: Tx, id: str) -> Delivery | None:
    """What should be shown under this id; None where nothing ever was to be."""
    try:
        return tx.delivery(id)
    except NotFound:
        return None


def show_card(
    tx: Tx,
    call: Call,
    *,
    toolbox: Toolbox,
    zone: str,
    approval: Approval | None = None,
    successor: Call | None = None,
    due: datetime | None = None,
) -> None:
    """Let the card of a call, if it has one, show what became of it.

    Args:
        tx: the transaction that records it.
        call: as it is now.
        toolbox: with its tool.
        zone: the owner's.
        approval: as it is now, where that is at hand; it is read where it is not.
        successor: the call that has just taken its place, or that asks about the same again.
        due: when it is shown at the latest, if nothing else becomes of it before; now by default.
    """
    card = delivery_of(tx, cards.card_id(call))
    if card is None:
        return
    status = status_of(tx, call, approval=approval, successor=successor)
    shown = cards.ended_card(status, toolbox.get(call.tool), zone=zone)
    tx.want(card.model_copy(update={"wanted": shown}), due=due)


def show_receipt(
    tx: Tx,
    call: Call,
    tool: Tool[Any],
    *,
    zone: str,
    far: Collection[str],
    talk: Conversation | None = None,
) -> None:
    """Show what a call has done: on its card where that is a message that can be edited.

    Args:
        tx: the transaction that records it.
        call: as it is now.
        tool: its tool.
        zone: the owner's.
        far: channels whose messages are edited; elsewhere a receipt follows below what was said.
        talk: where a receipt is shown that there is no message for yet; None makes none.
    """
    shown = cards.receipt(status_of(tx, call), tool, zone=zone)
    card, id = delivery_of(tx, cards.card_id(call)), f"receipt-{call.id}"
    if card is not None and card.channel in far:
        tx.want(card.model_copy(update={"wanted": shown}))
    elif talk is not None:
        tx.want(cards.to(talk, id, shown))
    elif before := delivery_of(tx, id):
        tx.want(before.model_copy(update={"wanted": shown}))


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
