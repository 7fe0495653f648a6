"""Read mails again: those that are held, and one that an older version read."""

import logging
from collections.abc import Sequence

from assistant.domain.errors import IllegalStep
from assistant.domain.jobs.job import Cause
from assistant.domain.mail.held import Retried, has_words
from assistant.domain.mail.mail import MAIL_NAMES, Mail, MailState
from assistant.domain.messages import ReadMail
from assistant.domain.store import Store

log = logging.getLogger(__name__)

PAGE = 100
"""Held mails that one transaction moves at the most."""


def retry_mail(id: str, *, cause: Cause, store: Store) -> Mail:
    """Move a mail from held to stored, and read it again.

    Raises:
        NotFound: there is no such mail.
        IllegalStep: the mail is not held.
    """
    return _read_again(id, MailState.HELD, cause=cause, store=store)


def reread_mail(id: str, *, cause: Cause, store: Store) -> Mail:
    """Read a mail again that was announced, as a newer version finds more in it.

    It keeps its card, which is edited once it is summarised again. If it cannot be read now, it is
    held.

    Raises:
        NotFound: there is no such mail.
        IllegalStep: the mail is not announced.
    """
    return _read_again(id, MailState.ANNOUNCED, cause=cause, store=store)


def _read_again(id: str, state: MailState, *, cause: Cause, store: Store) -> Mail:
    with store.begin(cause) as tx:
        mail = tx.mail(id, lock=True)
        if mail.state is not state:
            raise IllegalStep(f"mail {mail.id} is {MAIL_NAMES[mail.state]}")
        mail = tx.move_mail(mail, MailState.STORED, reason="")
        tx.emit(ReadMail(id=mail.id))
    return mail


def retry_mails(words: str, *, cause: Cause, store: Store) -> Retried:
    """Read all held mails again whose reason has these words; all of them without words.

    Goes through them in pages, each in a transaction of its own: if it is stopped halfway, what is
    left is still held. Of two at once, each mail is read again by one.
    """
    done, after = Retried(), 0
    while True:
        with store.read(cause) as tx:
            page = tx.held_mails(after=after, limit=PAGE)
        if not page:
            return done
        after = page[-1].number
        wanted = [one.id for one in page if has_words(one.reason, words)]
        if wanted:
            done = done.and_also(_retry_page(wanted, words, cause=cause, store=store))
            log.info("%d held mails are read again", len(done.again))


def _retry_page(ids: Sequence[str], words: str, *, cause: Cause, store: Store) -> Retried:
    again = []
    with store.begin(cause) as tx:
        for id in ids:
            mail = tx.mail(id, lock=True)
            if mail.state is MailState.HELD and has_words(mail.reason, words):
                tx.move_mail(mail, MailState.STORED, reason="")
                tx.emit(ReadMail(id=mail.id))
                again.append(mail.id)
    return Retried(again=tuple(again), gone=len(ids) - len(again))
