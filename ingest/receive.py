"""Accept a mail: make its bytes durable, and emit the job that reads it."""

from collections.abc import Generator
from contextlib import contextmanager
from hashlib import sha256

from assistant.domain.errors import BLOBS, Misconfigured, Outage, TooLarge, Unreadable
from assistant.domain.files.ports import Blobs
from assistant.domain.jobs.job import Cause
from assistant.domain.limits import MailLimits
from assistant.domain.mail.envelope import Envelope
from assistant.domain.mail.mail import Mail, MailState, Received
from assistant.domain.messages import EraseMail, ReadMail
from assistant.domain.store import Store
from assistant.domain.time.clock import Clock
from ingest import text

NAME = 255
"""The most characters of a host's name, RFC 1035 section 2.3.4."""
RECIPIENTS = 100

NO_ENVELOPE = Envelope()


def receive(
    raw: bytes,
    *,
    owner: str,
    door: str,
    envelope: Envelope = NO_ENVELOPE,
    trace: str,
    store: Store,
    blobs: Blobs,
    clock: Clock,
    limits: MailLimits,
) -> Received:
    """Store a mail. When this returns, a door may accept it.

    One owner's equal bytes are one mail, however often and through whichever door they come. A mail
    that still waits to be read is queued again, which does no harm. A forgotten mail is recognised
    and not stored again. The envelope that it came in first is kept.

    Raises:
        TooLarge: more than ``limits.message`` bytes.
        Unreadable: the message is empty.
        Transient: the mail could not be stored now; the sender must try again.
    """
    if len(raw) > limits.message:
        raise TooLarge(f"{len(raw)} bytes, and {limits.message} is the most")
    if not raw.strip():
        raise Unreadable("it is empty")
    mail = _mail(raw, owner=owner, door=door, envelope=envelope, trace=trace, clock=clock)
    cause = Cause(owner=owner, trace=trace)
    with store.read(cause) as tx:
        known = tx.mail_of(mail.sha256)
    if known is not None and known.state is MailState.FORGOTTEN:
        return Received(id=mail.id, known=True)
    with needing_blobs():
        blobs.put(mail.raw, raw)
    with store.begin(cause) as tx:
        known = tx.add_mail(mail)
        if known is None or known.state is MailState.STORED:
            tx.emit(ReadMail(id=mail.id))
        elif known.state is MailState.FORGOTTEN:  # forgotten since it was looked up
            tx.emit(EraseMail(id=mail.id))
    return Received(id=mail.id, known=known is not None)


@contextmanager
def needing_blobs() -> Generator[None]:
    """Raise wrong settings of the blobs as their outage: no mail is to blame for them."""
    try:
        yield
    except Misconfigured as error:
        raise Outage(*error.args, part=BLOBS) from error


def folder(owner: str, digest: str) -> str:
    """Return the folder of a mail's blobs; ``digest`` is the SHA-256 of its bytes, in hex."""
    return f"mail/{owner}/{digest}"


def _mail(
    raw: bytes, *, owner: str, door: str, envelope: Envelope, trace: str, clock: Clock
) -> Mail:
    digest = sha256(raw).hexdigest()
    return Mail(
        id=sha256(f"{owner}{digest}".encode()).hexdigest()[:16],
        owner=owner,
        sha256=digest,
        size=len(raw),
        door=door,
        envelope=_cleaned(envelope),
        raw=f"{folder(owner, digest)}/raw.eml",
        received=clock.now(),
        trace=trace,
    )


def _cleaned(envelope: Envelope) -> Envelope:
    """Return an envelope that every database can keep: short, with no invisible character."""
    sender = envelope.mail_from
    return Envelope(
        mail_from=None if sender is None else text.line(sender, text.ADDRESS),
        recipients=tuple(text.line(one, text.ADDRESS) for one in envelope.recipients[:RECIPIENTS]),
        helo=text.line(envelope.helo, NAME),
        peer=text.line(envelope.peer, NAME),
        tls=text.line(envelope.tls, NAME),
    )
