"""What the owner is shown of a mail: rendered by code, from its row."""

from datetime import datetime
from zoneinfo import ZoneInfo

from assistant.domain.deliveries import Delivery, Line, Shown, ShownKind
from assistant.domain.mail import Mail, MailState
from assistant.ports import Tx

EXTRACT = "extract"
"""Who summarised a mail that no model has read."""

_PREFIX = "mail-"
_KEPT = "The mail is kept as it came. To try again: assistant mail retry {id}"


def announce(tx: Tx, mail: Mail, *, channel: str, place: str, zone: str) -> None:
    """See that the owner is shown this mail. The same mail again changes what is shown."""
    tx.want(
        Delivery(
            id=f"{_PREFIX}{mail.id}",
            owner=mail.owner,
            channel=channel,
            place=place,
            wanted=render(mail, zone=zone),
            trace=mail.trace,
        )
    )


def mark_announced(tx: Tx, delivery_id: str) -> None:
    """Note that a channel shows this delivery: the mail it is about counts as announced.

    Deliveries about anything else pass. Where the delivery's row is locked as well, lock it after
    this call: the order is mail, then delivery.
    """
    if not delivery_id.startswith(_PREFIX):
        return
    mail = tx.mail(delivery_id.removeprefix(_PREFIX), lock=True)
    if mail.state is MailState.SUMMARISED:
        tx.move_mail(mail, MailState.ANNOUNCED)


def mark_if_shown(tx: Tx, mail: Mail) -> None:
    """A mail that was summarised once more to the same words is shown already: nothing follows."""
    if tx.delivery(f"{_PREFIX}{mail.id}").settled:
        tx.move_mail(mail, MailState.ANNOUNCED)


def render(mail: Mail, *, zone: str) -> Shown:
    """A mail as the owner sees it, times in ``zone`` (an IANA name)."""
    return Shown(
        kind=ShownKind.MAIL,
        title=mail.subject or "(no subject)",
        text=_held(mail) if mail.state is MailState.HELD else mail.summary,
        fields=tuple(
            Line(label=label, value=value) for label, value in _facts(mail, zone) if value
        ),
    )


def _held(mail: Mail) -> str:
    return f"This mail is held: {mail.reason}\n{_KEPT.format(id=mail.id)}"


def _facts(mail: Mail, zone: str) -> tuple[tuple[str, str], ...]:
    summarised = mail.state is not MailState.HELD and mail.summary
    return (
        ("From", mail.sender),
        ("Sent", _when(mail.sent, zone)),
        ("Received", "" if mail.sent else _when(mail.received, zone)),
        ("Attachments", str(len(mail.attachments)) if mail.attachments else ""),
        ("Summary by", _author(mail) if summarised else ""),
        ("Mail", mail.id),
    )


def _author(mail: Mail) -> str:
    if mail.summarised_by == EXTRACT:
        return "extract (its own sentences; no model has read it)"
    return mail.summarised_by


def _when(at: datetime | None, zone: str) -> str:
    if at is None:
        return ""
    try:
        return f"{at.astimezone(ZoneInfo(zone)):%Y-%m-%d %H:%M %Z}"
    except OverflowError:  # at either end of the calendar
        return f"{at:%Y-%m-%d %H:%M} UTC"
