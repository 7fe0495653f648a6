"""What commands do with mail, bound to what takes it in."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from assistant.domain.calendar.events import When
from assistant.domain.conversation.deliveries import Action, Line
from assistant.domain.errors import Unreadable
from assistant.domain.jobs.job import Cause
from assistant.domain.mail.attached import AttachmentTexts
from assistant.domain.mail.held import Retried
from assistant.domain.mail.mail import Mail, Received
from assistant.domain.mail.words import letters_of, text_shown
from ingest.announce import actions_on
from ingest.forget import forget_mail
from ingest.receive import receive
from ingest.retry import reread_mail, retry_mail, retry_mails
from ingest.showing import whole
from workers.mail_dates import time_in

if TYPE_CHECKING:
    from workers.parts import Assistant


class MailParts:
    """See ``assistant.commands.context.MailPorts``."""

    def __init__(self, assistant: "Assistant") -> None:
        self._assistant = assistant

    @property
    def largest(self) -> int:
        return self._assistant.mail_limits.message

    @property
    def texts(self) -> AttachmentTexts:
        return self._assistant.attachment_texts

    def add(self, raw: bytes, *, cause: Cause) -> Received:
        assistant = self._assistant
        return receive(
            raw,
            owner=cause.owner,
            door="file",
            trace=cause.trace,
            store=assistant.store,
            blobs=assistant.blobs,
            clock=assistant.clock,
            limits=assistant.mail_limits,
        )

    def retry(self, id: str, *, cause: Cause) -> Mail:
        return retry_mail(id, cause=cause, store=self._assistant.store)

    def retry_all(self, words: str, *, cause: Cause) -> Retried:
        return retry_mails(words, cause=cause, store=self._assistant.store)

    def reread(self, id: str, *, cause: Cause) -> Mail:
        return reread_mail(id, cause=cause, store=self._assistant.store)

    def forget(self, id: str, *, by: str, cause: Cause) -> Mail:
        return forget_mail(id, by=by, cause=cause, store=self._assistant.store)

    def whole(self, mail: Mail, *, as_it_stands: bool = False) -> Sequence[Line]:
        assistant = self._assistant
        return whole(mail, blobs=assistant.blobs, zone=assistant.zone, as_it_stands=as_it_stands)

    def when(self, mail: Mail) -> When | None:
        assistant = self._assistant
        try:
            text = text_shown(mail, letters_of(mail, assistant.blobs))
        except Unreadable:  # its buttons are those of a mail that names no time
            return None
        return time_in(mail, text, zone=assistant.settings.timezone, clock=assistant.clock)

    def actions(self, mail: Mail) -> Sequence[Action]:
        return tuple(actions_on(mail, dated=self.when(mail) is not None))
