"""Tell what became of a call: on its card, in a receipt, and to the model."""

from datetime import datetime
from typing import Any

from assistant.domain.approvals.approval import Approval
from assistant.domain.calls.batches import owed
from assistant.domain.calls.call import Call, Reach
from assistant.domain.calls.ports import CallTx
from assistant.domain.calls.states import ASKED_AGAIN, ASKED_ON_CARD, CallState
from assistant.domain.conversation.conversation import Conversation, Entry, Origin, Role
from assistant.domain.conversation.deliveries import Delivery, Shown
from assistant.domain.conversation.ports import DeliveryTx
from assistant.domain.errors import NotFound
from assistant.domain.governance.modes import Mode
from assistant.domain.governance.ports import ModeTx
from assistant.domain.messages import Think
from assistant.domain.policy.decisions import MODEL
from assistant.domain.store import Tx
from assistant.flows.render import cards, plan_card
from assistant.flows.render.call_status import approval_of, status_of
from assistant.tools.contract.tool import Tool
from assistant.tools.contract.toolbox import Toolbox


def delivery_of(tx: DeliveryTx, id: str, *, lock: bool = False) -> Delivery | None:
    """Return the delivery of an id, locked if so asked; None if there is none."""
    try:
        return tx.delivery(id, lock=lock)
    except NotFound:
        return None


def message_of(tx: DeliveryTx, card: Delivery) -> Delivery | None:
    """Return the delivery that shows a call's card: itself, or the plan of which it is a row."""
    return delivery_of(tx, card.wanted.within) if card.wanted.within else card


def shown_digest(tx: DeliveryTx, call: str, card: Delivery) -> str:
    """Return the digest of a call's card as its channel shows it; empty where it does not.

    A step of a plan is shown as far as the yes of the plan's message covers it.
    """
    message = message_of(tx, card)
    if message is None or not card.wanted.within:
        return card.shown
    return plan_card.covered(message.wanted).get(call, "") if message.settled else ""


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
    """Update the card of a call, if it has one, to show what became of the call.

    Args:
        tx: the transaction that records it.
        call: as it is now.
        toolbox: holds its tool.
        zone: the owner's IANA zone.
        approval: as it is now; read if not given.
        successor: the call that has just replaced it, or that asks about it again.
        due: when to show it, if the card does not change again before; now by default.
    """
    card = delivery_of(tx, cards.card_id(call))
    if card is None:
        return
    status = status_of(tx, call, approval=approval, successor=successor)
    again = call.state not in ASKED_ON_CARD or _can_ask(tx, call)
    shown = cards.ended_card(status, toolbox.get(call.tool), zone=zone, again=again)
    _show_instead(tx, call, card, shown, toolbox=toolbox, zone=zone, due=due)


def _can_ask(tx: ModeTx, call: Call) -> bool:
    """Whether a call can be asked about again in the mode of now: in lockdown only a read can."""
    return call.reach is Reach.READS or tx.mode().mode is not Mode.LOCKDOWN


def _show_instead(
    tx: Tx,
    call: Call,
    before: Delivery,
    shown: Shown,
    *,
    toolbox: Toolbox,
    zone: str,
    due: datetime | None = None,
) -> None:
    """Show this in the place of a call's card; of a step of a plan, in its row."""
    within = before.wanted.within
    # Others may change other steps of a plan meanwhile: who locks its row last renders them all.
    plan = delivery_of(tx, within, lock=True) if within else None
    shown = shown.model_copy(update={"within": within})
    tx.want(before.model_copy(update={"wanted": shown}), due=due)
    if plan is not None:
        wanted = plan_as_it_is(tx, call, within, toolbox=toolbox, zone=zone)
        tx.want(plan.model_copy(update={"wanted": wanted}), due=due)


def plan_as_it_is(tx: Tx, call: Call, id: str, *, toolbox: Toolbox, zone: str) -> Shown:
    """Render the plan of this id, to which a call belongs, from what is recorded of its steps."""
    steps = []
    turn = tx.calls(conversation=call.conversation, turn=call.turn)
    successors = {one.supersedes: one for one in turn if one.state is not CallState.REFUSED}
    for one in turn:
        card = delivery_of(tx, cards.card_id(one))
        if card is None or card.wanted.within != id:
            continue
        approval = approval_of(tx, one)
        tool = toolbox.get(one.tool)
        step = plan_card.Step(
            call=one,
            card=_in_the_plan(one, card.wanted, successors.get(one.id)),
            tool=tool,
            expires=approval.expires if approval else None,
        )
        steps.append(step)
    return plan_card.plan_card(steps, zone=zone)


def _in_the_plan(call: Call, card: Shown, successor: Call | None) -> Shown:
    """Return the card of a step as its row says it: one that is asked again names the new call."""
    if successor is None or call.state not in ASKED_AGAIN:
        return card
    what = card.title.partition(": ")[2] or card.title
    title = f"Asked again in {successor.handle}: {what}"
    return card.model_copy(update={"title": title, "text": ""})


def show_receipt(
    tx: Tx,
    call: Call,
    tool: Tool[Any],
    *,
    toolbox: Toolbox,
    zone: str,
    conversation: Conversation | None = None,
) -> None:
    """Show the receipt of a call: its card becomes it, where there is one.

    Args:
        tx: the transaction that records it.
        call: as it is now.
        tool: its tool.
        toolbox: holds the tools of the steps of its plan.
        zone: the owner's IANA zone.
        conversation: where to show a new receipt; None: only update one that is there.
    """
    several = call.state is CallState.DONE and _changed_more(tx, call)
    shown = cards.receipt(status_of(tx, call), tool, zone=zone, several=several)
    id = cards.receipt_id(call)
    before = delivery_of(tx, id) or delivery_of(tx, cards.card_id(call))
    if before is not None:
        _show_instead(tx, call, before, shown, toolbox=toolbox, zone=zone)
    elif conversation is not None:
        tx.want(cards.to(conversation, id, shown))


def _changed_more(tx: CallTx, call: Call) -> bool:
    """Whether its turn changed something else too, up to now."""
    turn = tx.calls(conversation=call.conversation, turn=call.turn)
    done = [one for one in turn if one.state is CallState.DONE and one.reach is not Reach.READS]
    return not call.undoes and any(one.id != call.id for one in done)


def tell_model(
    tx: Tx, call: Call, text: str, *, origin: Origin, answer: bool, source: str = ""
) -> None:
    """Append an outcome to the locked conversation; the model answers when its turn has ended.

    A model is not told of its owner's own calls.
    """
    if call.actor != MODEL:
        return
    calls = tx.calls(conversation=call.conversation, turn=call.turn)
    pending = [other for other in owed(calls) if other.id != call.id]
    entry = Entry(role=Role.OUTCOME, origin=origin, source=source, text=text, call=call.id)
    tx.append(call.conversation, entry, answer=answer and not pending)
    if answer and not pending:
        tx.emit(Think(id=call.conversation))
