"""Forget a mail: delete its words for good, only when its owner says so.

One transaction empties the row and emits the job that deletes the blobs, so that a crash between
the two leaves nothing behind. The row stays, to recognise equal bytes.
"""

import logging
from datetime import timedelta

from assistant.domain.audit.entries import FORGOTTEN, mail_forgotten
from assistant.domain.files.ports import Blobs
from assistant.domain.jobs.job import Cause, Job
from assistant.domain.mail.envelope import Envelope
from assistant.domain.mail.forward import ForwardedMail
from assistant.domain.mail.mail import Mail, MailState
from assistant.domain.mail.understanding.understood import Understood
from assistant.domain.messages import EraseMail
from assistant.domain.store import Store
from assistant.domain.time.clock import Clock
from ingest.announce import take_back
from ingest.invitations.forgetting import forget_invitations
from ingest.receive import folder

log = logging.getLogger(__name__)

GONE = "(This text came from a mail that was forgotten since.)"
LATER = timedelta(days=1)
"""When to look for blobs again: a worker with the mail may be slow, or be stopped for hours."""


def forget_mail(id: str, *, by: str, cause: Cause, store: Store) -> Mail:
    """Delete a mail's words, as its owner wants. A second call changes nothing.

    Args:
        id: the mail's id, or an unambiguous prefix of it.
        by: the person who wants it, by the channel's id.
        cause: the owner and the trace.
        store: holds the row, and gets the job that deletes the blobs.

    Raises:
        NotFound: no mail has this id, or several have this prefix.
    """
    with store.begin(cause) as tx:
        mail = tx.mail(id, lock=True)
        if mail.state is MailState.FORGOTTEN:
            return mail
        tx.attach(mail.id, ())
        tx.forget_commitments(mail.id)
        forget_invitations(tx, mail.id)
        forgotten = tx.move_mail(
            mail.model_copy(update={"attachments": ()}),
            MailState.FORGOTTEN,
            reason=f"by {by}",
            envelope=Envelope(),
            raw="",
            message_id="",
            sender="",
            sender_address="",
            more_senders="",
            sent_by="",
            reply_to="",
            recipients="",
            subject="",
            forward=ForwardedMail(),
            letters=(),
            words="",
            inside="",
            confirmation=None,
            invitations="",
            body="",
            defects=(),
            hidden_words=0,
            hidden="",
            understood=Understood(),
            unproved=0,
            summary="",
            summarised_by="",
            provisional=False,
        )
        take_back(tx, forgotten)
        tx.note(mail_forgotten(forgotten, by=by))
        tx.emit(EraseMail(id=mail.id))
    return forgotten


def erase_mail(message: EraseMail, job: Job, *, store: Store, blobs: Blobs, clock: Clock) -> None:
    """Delete every blob of a forgotten mail, and the results of calls that quote it.

    Repeats itself ``LATER`` at least once, and until it finds no more blobs.
    """
    with store.read(job) as tx:
        mail = tx.mail(message.id)
        forgotten = mail.state is MailState.FORGOTTEN
        noted = tx.audit(subject=mail.id, kind=FORGOTTEN, limit=1)  # not for ever: see the archive
        quoted = forgotten and tx.quoted(mail.id)
    found = list(blobs.names(f"{folder(mail.owner, mail.sha256)}/")) if forgotten else []
    for name in found:
        blobs.delete(name)
    now = clock.now()
    early = any(entry.at and now - entry.at < LATER for entry in noted)
    with store.begin(job) as tx:
        tx.done(job)
        if quoted:
            tx.erase(mail.id, instead=GONE)
        if found or early:
            tx.emit(message, due=now + LATER)


def gave_up_erasing(
    message: EraseMail, job: Job, reason: str, *, store: Store, clock: Clock
) -> None:
    """Try again ``LATER``, without an end: the words were promised to be gone for good."""
    log.error("could not delete all of the forgotten mail %s: %s", message.id, reason)
    with store.begin(job) as tx:
        tx.done(job)
        tx.emit(message, due=clock.now() + LATER)
