"""Forget a mail: its words go for good, on its owner's word alone.

The row is emptied in one transaction with the job that deletes what the words were kept in, so that
a crash between the two leaves nothing behind. What is left of the row knows the same bytes again.
"""

import logging
from datetime import timedelta

from assistant.domain.audit.entries import FORGOTTEN, mail_forgotten
from assistant.domain.files.ports import Blobs
from assistant.domain.jobs.job import Cause, Job
from assistant.domain.mail.mail import Mail, MailState
from assistant.domain.messages import EraseMail
from assistant.domain.store import Store
from assistant.domain.time.clock import Clock
from ingest.announce import take_back
from ingest.receive import folder

log = logging.getLogger(__name__)

GONE = "(What stood here came from a mail that was forgotten since.)"
LATER = timedelta(days=1)
"""When to look again: whoever was at work on the mail may be slow, or be stopped for hours."""


def forget_mail(id: str, *, by: str, cause: Cause, store: Store) -> Mail:
    """Take a mail's words away, as its owner wants. Twice is once.

    Args:
        id: the mail's, or the beginning of it.
        by: who wants it, by their channel's own id of them.
        cause: on whose behalf.
        store: where its row is; the blobs go with the job that this leaves there.

    Raises:
        NotFound: there is no such mail, or several begin so.
    """
    with store.begin(cause) as tx:
        mail = tx.mail(id, lock=True)
        if mail.state is MailState.FORGOTTEN:
            return mail
        tx.attach(mail.id, ())
        forgotten = tx.move_mail(
            mail.model_copy(update={"attachments": ()}),
            MailState.FORGOTTEN,
            reason=f"by {by}",
            raw="",
            message_id="",
            sender="",
            sender_address="",
            recipients="",
            subject="",
            body="",
            defects=(),
            summary="",
            summarised_by="",
            provisional=False,
        )
        take_back(tx, forgotten)
        tx.note(mail_forgotten(forgotten, by=by))
        tx.emit(EraseMail(id=mail.id))
    return forgotten


def erase_mail(message: EraseMail, job: Job, *, store: Store, blobs: Blobs, clock: Clock) -> None:
    """Delete every blob of a forgotten mail, and what calls found in it.

    It is done once more ``LATER``, and then until nothing is found any more.
    """
    with store.read(job) as tx:
        mail = tx.mail(message.id)
        noted = tx.audit(subject=mail.id, kind=FORGOTTEN, limit=1)
    found = list(blobs.names(f"{folder(mail.owner, mail.sha256)}/")) if noted else []
    for name in found:
        blobs.delete(name)
    now = clock.now()
    early = any(entry.at and now - entry.at < LATER for entry in noted)
    with store.begin(job) as tx:
        tx.done(job)
        if noted:
            tx.erase(mail.id, instead=GONE)
        if found or early:
            tx.emit(message, due=now + LATER)


def gave_up_erasing(
    message: EraseMail, job: Job, reason: str, *, store: Store, clock: Clock
) -> None:
    """It was promised to be gone for good: it is tried again, however long it takes."""
    log.error("something of the forgotten mail %s is still kept: %s", message.id, reason)
    with store.begin(job) as tx:
        tx.done(job)
        tx.emit(message, due=clock.now() + LATER)
