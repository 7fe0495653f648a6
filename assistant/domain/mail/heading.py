"""Say who wrote what a mail is about: of what was forwarded in it, else of the mail itself."""

from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple

from assistant.domain.mail.forward import HowForwarded
from assistant.domain.mail.letter import FORWARDS, Letter, LetterKind
from assistant.domain.mail.mail import Mail
from assistant.domain.policy.decisions import one_line
from assistant.domain.text.subjects import bare_subject
from assistant.domain.time.moments import say_moment

NOBODY = "nobody named"
_WHO = 200
_SUBJECT = 200
_SENT = 100
"""The most characters of each part of a letter's title."""


class MailHeading(NamedTuple):
    """Who is said to have written what a mail is about, about what, and when. None of it proven."""

    sender: str
    sender_address: str
    subject: str
    sent: datetime | None
    recipients: str
    sent_words: str = ""
    """When it was sent as a forward says it, where it does not say the moment exactly."""
    forwarded_by: str = ""
    """Who forwarded it by hand, or whose rule wrote a mail around it; else empty."""
    beside: int = 0
    """How many more letters were forwarded beside it."""


def heading_of(mail: Mail) -> MailHeading:
    """Return who wrote what was forwarded, or who wrote the mail if nothing was."""
    letter = mail.forwarded
    if letter is None:
        return MailHeading(
            mail.sender, mail.sender_address, mail.subject, mail.sent, mail.recipients
        )
    together = (one.kind in FORWARDS and one.inside == letter.inside for one in mail.letters)
    return MailHeading(
        sender=letter.sender or letter.sender_address,
        sender_address=letter.sender_address,
        subject=bare_subject(letter.subject) or bare_subject(mail.subject),
        sent=letter.sent,
        recipients=letter.recipients,
        sent_words=letter.sent_words,
        forwarded_by=mail.sender or mail.sender_address or mail.forward.forwarder or NOBODY,
        beside=sum(together) - 1,
    )


def letter_title(mail: Mail, letter: Letter, zone: str) -> str:
    """Say in a line whose words a letter is said to hold, times in ``zone`` (an IANA name)."""
    who = one_line(letter.sender or letter.sender_address, _WHO) or NOBODY
    if letter.kind is LetterKind.MAIL:
        return f"Note by {who}, who forwarded this" if mail.forwarded else f"Words of {who}"
    when = say_moment(letter.sent, zone) if letter.sent else one_line(letter.sent_words, _SENT)
    told = {
        LetterKind.ATTACHED_FORWARD: "Forwarded as an attachment, from",
        LetterKind.INLINE_FORWARD: "Forwarded from",
        LetterKind.QUOTED_REPLY: "Earlier words of",
    }[letter.kind]
    subject = one_line(letter.subject, _SUBJECT)
    parts = (f"{told} {who}", when and f"sent {when}", subject and f"subject: {subject}")
    return ", ".join(filter(None, parts))


def how_it_came(mail: Mail, zone: str) -> Mapping[str, str]:
    """Say in labelled words what else its header tells: other mailboxes, how it was forwarded.

    Strangers wrote the values; they are empty where there is nothing to tell.
    """
    return {
        "Came as": _came_as(mail, zone) if mail.forwarded else "",
        "Forwarded": _forwarded(mail),
        "Answers go to": mail.reply_to,
        "Sent by": mail.sent_by,
        "Also from": mail.more_senders,
        "Asked": _asked(mail),
    }


def _came_as(mail: Mail, zone: str) -> str:
    sent = f"sent {say_moment(mail.sent, zone)}" if mail.sent else ""
    to = f"to {mail.recipients}" if mail.recipients else ""
    return ", ".join(filter(None, (mail.subject or "(no subject)", to, sent)))


def _forwarded(mail: Mail) -> str:
    told = mail.forward
    if told.how is HowForwarded.NOT:
        return ""
    parts = (
        str(told.how),
        f"by {told.forwarder}" if told.forwarder else "",
        f"first delivered to {told.original_recipient}" if told.original_recipient else "",
        f"its envelope said from {told.original_mail_from}" if told.original_mail_from else "",
    )
    rests = f"; seen from: {', '.join(told.rests_on)}" if told.rests_on else ""
    return ", ".join(filter(None, parts)) + rests


def _asked(mail: Mail) -> str:
    asked = mail.confirmation
    if asked is None:
        return ""
    of = f" of {asked.for_address}" if asked.for_address else ""
    parts = (
        f"{asked.provider} asks whether to forward mail{of} here",
        f"code {asked.code}" if asked.code else "",
        f"link {asked.link}" if asked.link else "",
        "press only if you have just set this up: anybody can write such a mail",
    )
    return "; ".join(filter(None, parts))
