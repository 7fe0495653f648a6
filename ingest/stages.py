"""What happens to a mail that is stored: it is read, then summarised, and at each end announced.

A handler looks, does its work outside any transaction, and writes what came of it in one, together
with the next job and the end of its own. A mail that is past its stage already is left as it is.
"""

from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from zoneinfo import ZoneInfo

from assistant.domain.conversation.conversation import Role, Summary, View, ViewEntry
from assistant.domain.errors import Conflict, NotFound, Unreadable
from assistant.domain.files.ports import Blobs
from assistant.domain.governance.budget import Trigger
from assistant.domain.jobs.job import Cause, Job
from assistant.domain.mail.mail import Attachment, Mail, MailState, Parsed, ParsedPart
from assistant.domain.messages import EraseMail, ReadMail, SummariseMail
from assistant.domain.store import Store, Tx
from assistant.domain.text.fence import fence
from ingest.announce import EXTRACT, Notices, tell
from ingest.receive import folder
from ingest.text import paragraphs

SHOWN = 20_000
"""Characters of a mail that a model is shown."""
SUMMARY = 2_000
REASON = 500


def read_mail(
    message: ReadMail,
    job: Job,
    *,
    store: Store,
    blobs: Blobs,
    read: Callable[[bytes], Parsed],
    notices: Notices,
) -> None:
    """From stored to read; or to held, and the owner is told, when it cannot be read.

    ``read`` makes facts and words of the raw bytes and raises ``Unreadable``. What was put for a
    mail that was forgotten meanwhile is deleted again.
    """
    mail = _look(message.id, job, store)
    if mail.state is not MailState.STORED:
        _leave(mail, job, store)
        return
    try:
        parsed = read(blobs.get(mail.raw))
    except (Unreadable, NotFound) as error:
        with store.begin(job) as tx:
            _hold(tx, mail.id, str(error), notices)
            tx.done(job)
        return
    body = _put_body(mail, parsed.text, blobs)
    attachments = tuple(
        _put_attachment(mail, number, part, blobs)
        for number, part in enumerate(parsed.attachments, 1)
    )
    facts = parsed.model_dump(exclude={"text", "attachments"})
    with store.begin(job) as tx:
        try:
            tx.move_mail(mail, MailState.READ, body=body, **facts)
            if attachments or mail.attachments:
                tx.attach(mail.id, attachments)
            tx.emit(SummariseMail(id=mail.id))
        except Conflict:  # another has read it meanwhile, or it is to be forgotten
            _see_to_what_was_put(tx, tx.mail(mail.id))
        tx.done(job)


def summarise_mail(
    message: SummariseMail,
    job: Job,
    *,
    store: Store,
    blobs: Blobs,
    ask: Callable[[View, Job], Summary],
    author: str,
    instructions: str,
    notices: Notices,
) -> None:
    """From read to summarised, and the owner is told. Of several answers one is recorded.

    ``ask`` gives a summary, or the mail's own sentences where no model may be asked; ``author`` is
    named where it does not say whose it is. ``instructions`` is what is asked for, in prose.
    """
    mail = _look(message.id, job, store)
    if mail.state is not MailState.READ:
        _leave(mail, job, store)
        return
    view = View(
        instructions=instructions,
        now=notices.clock.now().astimezone(ZoneInfo(notices.zone)),
        zone=notices.zone,
        entries=(ViewEntry(role=Role.OUTCOME, text=_fenced(mail, blobs)),),
        tainted=True,
    )
    summary = ask(view, job)
    with store.begin(job) as tx:
        mail = tx.mail(message.id, lock=True)
        tx.used(summary.usage, subject=mail.id, cause=Trigger.MAIL)
        if mail.state is MailState.READ:
            tell(
                tx,
                mail,
                MailState.SUMMARISED,
                notices=notices,
                summary=paragraphs(summary.text, SUMMARY),
                summarised_by=_author(summary, author),
                provisional=summary.extractive and summary.stood_in,
            )
        tx.done(job)


def hold_mail(
    message: ReadMail | SummariseMail,
    job: Job,
    reason: str,
    *,
    store: Store,
    notices: Notices,
) -> None:
    """Give up on a job whose tries ran out: the mail is held with the reason, the owner is told."""
    with store.begin(job) as tx:
        state = MailState.HELD
        with suppress(NotFound):  # a mail that is gone needs no holding, but the job an end
            state = _hold(tx, message.id, reason, notices)
        if state is MailState.FORGOTTEN:  # what is not there is no failure
            tx.done(job)
        else:
            tx.fail(job, reason)


def retry_mail(id: str, *, cause: Cause, store: Store) -> Mail:
    """From held to stored: read it once more.

    Raises:
        NotFound: there is no such mail.
        IllegalStep: it is not held.
    """
    with store.begin(cause) as tx:
        mail = tx.move_mail(tx.mail(id, lock=True), MailState.STORED, reason="")
        tx.emit(ReadMail(id=mail.id))
    return mail


def _look(id: str, job: Job, store: Store) -> Mail:
    with store.read(job) as tx:
        return tx.mail(id)


def _leave(mail: Mail, job: Job, store: Store) -> None:
    """It is past this stage. Whoever tried before may have died with blobs put."""
    with store.begin(job) as tx:
        _see_to_what_was_put(tx, mail)
        tx.done(job)


def _see_to_what_was_put(tx: Tx, mail: Mail) -> None:
    if mail.state is MailState.FORGOTTEN:
        tx.emit(EraseMail(id=mail.id))


def _hold(tx: Tx, id: str, reason: str, notices: Notices) -> MailState:
    """The state it is in then."""
    mail = tx.mail(id, lock=True)
    if mail.state in {MailState.STORED, MailState.READ}:
        words = paragraphs(reason, REASON)
        mail = tell(tx, mail, MailState.HELD, notices=notices, reason=words)
    _see_to_what_was_put(tx, mail)
    return mail.state


def _put_body(mail: Mail, text: str, blobs: Blobs) -> str:
    if not text:
        return ""
    name = f"{folder(mail.owner, mail.sha256)}/body.txt"
    blobs.put(name, text.encode())
    return name


def _put_attachment(mail: Mail, number: int, part: ParsedPart, blobs: Blobs) -> Attachment:
    name = f"{folder(mail.owner, mail.sha256)}/att-{number}"
    blobs.put(name, part.data)
    return Attachment(
        name=part.name,
        content_type=part.content_type,
        size=len(part.data),
        sha256=sha256(part.data).hexdigest(),
        blob=name,
    )


def _fenced(mail: Mail, blobs: Blobs) -> str:
    """The mail as a model is shown it: every line of it inside the fence."""
    text = blobs.get(mail.body).decode() if mail.body else ""
    head = "\n".join(f"{label}: {value}" for label, value in _headers(mail) if value)
    shown = f"{head}\n\n{text[:SHOWN] or '(no text)'}"
    if len(text) > SHOWN:
        shown += f"\n[{len(text) - SHOWN} more characters of this mail were left out]"
    # The label stands outside: a bare address there, not a name that anyone may choose.
    return fence(shown, source=f"mail {mail.id} from {mail.sender_address or 'nobody named'}")


def _headers(mail: Mail) -> tuple[tuple[str, str], ...]:
    return (
        ("Subject", mail.subject),
        ("From", mail.sender),
        ("Date", mail.sent.isoformat() if mail.sent else ""),
        ("Attachments", ", ".join(part.name for part in mail.attachments[:20])),
    )


def _author(summary: Summary, default: str) -> str:
    if summary.extractive:
        return EXTRACT
    return summary.usage[-1].model if summary.usage else default
