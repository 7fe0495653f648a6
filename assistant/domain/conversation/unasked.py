"""Tell which deliveries can wait for the end of quiet hours: nobody asked for them just then."""

_CAN_WAIT = ("mail-", "mails-", "held-", "audit-head-", "budget-", "reminder-", "expired-", "late-")
"""How the ids of these deliveries begin: new and held mail, the head of the audit, a spent budget,
what still waits or has expired, and what was late. All others come at once: answers, cards,
receipts, changes of mode and other alarms, and what the owner set a time for."""


def can_wait(delivery: str) -> bool:
    """Whether the delivery of this id can wait."""
    return delivery.startswith(_CAN_WAIT)
