"""The stages of a stored mail: read it, summarise it, and tell the owner.

A handler reads the row, works outside any transaction, and writes the result in one transaction,
together with the next job and the end of its own. It leaves a mail that is past its stage alone.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from hashlib import sha256
from zoneinfo import ZoneInfo

from assistant.domain.conversation.conversation import Role, Summary, View, ViewEntry
from assistant.domain.errors import BLOBS, Conflict, NotFound, Outage, Unreadable
from assistant.domain.files.ports import Blobs
from assistant.domain.governance.budget import Trigger
from assistant.domain.jobs.job import Job
from assistant.domain.jobs.ports import JobTx
from assistant.domain.mail.mail import (
    Attachment,
    Mail,
    MailContext,
    MailState,
    Parsed,
    ParsedPart,
    said_inside,
)
from assistant.domain.mail.understanding.commitments import commitments_of
from assistant.domain.mail.understanding.understood import Understood
from assistant.domain.mail.words import (
    as_bytes,
    invitations_as_bytes,
    invitations_of,
    letters_of,
    note_in,
    text_shown,
    without_words,
)
from assistant.domain.messages import EraseMail, ReadMail, SummariseMail
from assistant.domain.store import Store, Tx
from ingest.announce import EXTRACT, Notices, tell
from ingest.invitations.taking_in import TakingIn, is_offered, take_in
from ingest.receive import folder, needing_blobs
from ingest.summary.letters import seen_mail
from ingest.summary.understand import understand
from ingest.summary.wordless import sealed, wordless
from ingest.text import paragraphs

SUMMARY = 2_000
REASON = 500
_DIGITS = 16
"""Of its digest in the name of a blob."""
MISSING = timedelta(days=1)
"""How long a mail waits for a blob that is not there before it is held."""
_FACTS = (
    *("message_id", "sender", "sender_address", "more_senders", "sent_by", "reply_to"),
    *("recipients", "subject", "sent", "forward", "confirmation", "hidden_words", "defects"),
)
"""What a row has of a parsed mail as it is."""


def read_mail(
    message: ReadMail,
    job: Job,
    *,
    store: Store,
    blobs: Blobs,
    read: Callable[[bytes, MailContext], Parsed],
    notices: Notices,
    addresses: frozenset[str] = frozenset(),
) -> None:
    """Move a mail from stored to read; if it cannot be read, hold it and tell the owner.

    ``read`` parses the raw bytes and raises ``Unreadable``; ``addresses`` are the
    owner's. If the mail was forgotten meanwhile, the blobs written here are deleted again.
    """
    with store.read(job) as tx:
        mail = tx.mail(message.id)
        zone = tx.zone() or notices.zone
    if mail.state is not MailState.STORED:
        _leave(mail, job, store)
        return
    try:
        with _waiting_for_blobs(job, notices):
            raw = blobs.get(mail.raw)
        parsed = read(raw, MailContext(envelope=mail.envelope, zone=zone, addresses=addresses))
    except (Unreadable, NotFound) as error:
        with store.begin(job) as tx:
            _hold(tx, mail.id, str(error), notices)
            tx.done(job)
        return
    with needing_blobs():
        blobs_of_words = _put_words(mail, parsed, blobs)
        attachments = tuple(
            _put_attachment(mail, number, part, blobs)
            for number, part in enumerate(parsed.attachments, 1)
        )
    facts = {name: getattr(parsed, name) for name in _FACTS}
    with store.begin(job) as tx:
        try:
            tx.move_mail(
                mail,
                MailState.READ,
                letters=without_words(parsed.letters),
                inside=said_inside(parsed.letters),
                **blobs_of_words,
                **facts,
            )
            if attachments or mail.attachments:
                tx.attach(mail.id, attachments)
            tx.emit(SummariseMail(id=mail.id))
        except Conflict:  # another worker has read it meanwhile, or it was forgotten
            _erase_if_forgotten(tx, tx.mail(mail.id))
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
    cards: int,
) -> None:
    """Move a mail from read to summarised and tell the owner. Records one of several answers.

    ``ask`` returns a summary, extractive where no model may be asked; ``author`` names the model
    where the summary does not. ``instructions`` is the prompt. What the mail asks for goes into
    the ledger with the summary, in the place of what an earlier summary found. Its invitations go
    into their rows, and ``cards`` is how many calls may wait before no more are asked about.
    """
    mail = _load(message.id, job, store)
    if mail.state is not MailState.READ:
        _leave(mail, job, store)
        return
    with _waiting_for_blobs(job, notices):
        letters = letters_of(mail, blobs)
        invitations = invitations_of(mail, blobs)
    seen = seen_mail(mail, letters)
    with store.read(job) as tx:
        zone = tx.zone() or notices.zone
    view = View(
        instructions=instructions,
        now=notices.clock.now().astimezone(ZoneInfo(zone)),
        zone=zone,
        entries=tuple(ViewEntry(role=Role.OUTCOME, text=fenced) for fenced in seen.fences),
        tainted=True,
    )
    cipher = sealed(mail, seen.about)
    summary = _needing_no_model(mail, cipher) or ask(view, job)
    understood, unproved, by_model = understand(summary, seen, zone=zone)
    if cipher or mail.confirmation:  # letters of a cipher; a link that the owner need not press
        understood = Understood(gist="" if cipher else understood.gist)
    said = cipher or paragraphs(understood.gist, SUMMARY) or wordless(mail)
    when = notices.when(mail.model_copy(update={"summary": said}), text_shown(mail, letters))
    with store.begin(job) as tx:
        mail = tx.mail(message.id, lock=True)
        tx.used(summary.usage, subject=mail.id, cause=Trigger.MAIL)
        if mail.state is MailState.READ:
            asked = commitments_of(
                understood, owner=mail.owner, mail=mail.id, who=seen.writer, made=view.now
            )
            tx.keep_commitments(mail.id, asked)
            invited = take_in(tx, mail, invitations, TakingIn(notices.clock.now(), zone, cards))
            tell(
                tx,
                mail,
                MailState.SUMMARISED,
                notices=notices,
                dated=when is not None and is_offered(invited),
                understood=understood,
                unproved=unproved,
                note=note_in(mail, letters),
                invited=invited,
                summary=said,
                summarised_by=_author(summary, author) if by_model else EXTRACT,
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
    """Give up a job after its last try: hold the mail with the reason, and tell the owner."""
    with store.begin(job) as tx:
        state = MailState.HELD
        with suppress(NotFound):  # without the mail, only the job must end
            state = _hold(tx, message.id, reason, notices)
        if state is MailState.FORGOTTEN:  # a forgotten mail is no failure
            tx.done(job)
        else:
            tx.fail(job, reason)


def _load(id: str, job: Job, store: Store) -> Mail:
    with store.read(job) as tx:
        return tx.mail(id)


def _leave(mail: Mail, job: Job, store: Store) -> None:
    """End the job of a mail past this stage; a worker that died may have left blobs behind."""
    with store.begin(job) as tx:
        _erase_if_forgotten(tx, mail)
        tx.done(job)


def _erase_if_forgotten(tx: JobTx, mail: Mail) -> None:
    if mail.state is MailState.FORGOTTEN:
        tx.emit(EraseMail(id=mail.id))


def _hold(tx: Tx, id: str, reason: str, notices: Notices) -> MailState:
    """Hold a mail and tell the owner, unless it is past that; return its state then."""
    mail = tx.mail(id, lock=True)
    if mail.state in {MailState.STORED, MailState.READ}:
        words = paragraphs(reason, REASON)
        mail = tell(tx, mail, MailState.HELD, notices=notices, reason=words)
    _erase_if_forgotten(tx, mail)
    return mail.state


def _put_words(mail: Mail, parsed: Parsed, blobs: Blobs) -> dict[str, str]:
    """Store all words of a mail; return the names of the blobs, empty where there are none."""
    words = {
        "body": ("body.txt", parsed.text.encode()),
        "words": ("letters.json", as_bytes(parsed.letters) if parsed.letters else b""),
        "hidden": ("hidden.txt", "\n".join(parsed.hidden).encode()),
        "invitations": ("invitations.json", invitations_as_bytes(parsed.invitations)),
    }
    return {
        kind: _put(mail, name, data, blobs) if data else "" for kind, (name, data) in words.items()
    }


def _put_attachment(mail: Mail, number: int, part: ParsedPart, blobs: Blobs) -> Attachment:
    return Attachment(
        name=part.name,
        content_type=part.content_type,
        size=len(part.data),
        sha256=sha256(part.data).hexdigest(),
        blob=_put(mail, f"att-{number}", part.data, blobs),
        said=part.said,
        kind=part.kind,
        doubt=part.doubt,
        letter=part.letter,
    )


def _put(mail: Mail, what: str, data: bytes, blobs: Blobs) -> str:
    """Store a part of a mail under a name that has its digest; return the name.

    A blob never changes. A mail that is read again, perhaps by a newer version, may have another
    text, or its parts in another order: its row refers to the old ones until it has the new.
    """
    name = f"{folder(mail.owner, mail.sha256)}/{sha256(data).hexdigest()[:_DIGITS]}-{what}"
    blobs.put(name, data)
    return name


@contextmanager
def _waiting_for_blobs(job: Job, notices: Notices) -> Iterator[None]:
    """Wait for a blob that is not there, as for the store; raise ``NotFound`` after ``MISSING``.

    A blob is stored before the row that names it. Where it is missing, so is a part of the store,
    such as a disk that is not mounted, which may come back.
    """
    try:
        with needing_blobs():
            yield
    except NotFound as error:
        since = job.waits_since
        if since is not None and notices.clock.now() - since >= MISSING:
            raise
        raise Outage(*error.args, part=BLOBS) from error


def _needing_no_model(mail: Mail, cipher: str) -> Summary | None:
    """Return the summary of an encrypted mail or a provider's question; None of others."""
    if cipher:
        return Summary(understood=Understood(), extractive=True)
    if mail.confirmation is None:
        return None
    gist = mail.subject or "(no subject)"
    return Summary(understood=Understood(gist=gist), extractive=True)


def _author(summary: Summary, default: str) -> str:
    return summary.usage[-1].model if summary.usage else default
