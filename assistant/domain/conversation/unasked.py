"""Tell which deliveries can wait for the end of quiet hours: nobody asked for them just then."""

_CAN_WAIT = (
    *("mail-", "mails-", "held-", "invited-", "elsewhere-"),
    *("audit-head-", "budget-", "reminder-", "expired-", "late-", "failed-"),
)
"""How the ids of these deliveries begin: new and held mail, an invitation that is not asked about,
a card withdrawn because of a change elsewhere, the head of the audit, a spent budget, what still
waits or has expired, what was late, and what failed long after its yes. All others come at once:
answers, receipts, changes of mode and other alarms, and what the owner set a time for. So do cards,
but for those that a mail made: see ``assistant.flows.operations.unasked_cards``."""


def can_wait(delivery: str) -> bool:
    """Whether the delivery of this id can wait."""
    return delivery.startswith(_CAN_WAIT)
