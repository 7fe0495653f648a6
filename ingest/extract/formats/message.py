"""A message that was attached as a file, read as mail is."""

from datetime import UTC

from assistant.domain.errors import Unreadable
from assistant.domain.limits import MailLimits
from ingest.extract.extracted import ExtractLimits, NotReadableError, Writing, many


def read_message(data: bytes, out: Writing, _limits: ExtractLimits) -> None:
    """Write who wrote it to whom, what is attached to it, and its text.

    Raises:
        NotReadableError: it is no message, or beyond the limits of one.
        FullError: the text is longer than the limit.
    """
    from ingest.parse import parse  # noqa: PLC0415 (which looks at attachments itself)

    try:
        found = parse(data, MailLimits(message=len(data)))
    except Unreadable as error:
        raise NotReadableError(str(error.args[0])) from error
    out.defects.extend(found.defects)
    if count := found.hidden_words:
        out.defects.append(f"{many(count, 'word')} {'is' if count == 1 else 'are'} hidden")
    head = {
        "From": found.sender,
        "To": found.recipients,
        "Date": f"{found.sent.astimezone(UTC):%Y-%m-%d %H:%M} UTC" if found.sent else "",
        "Subject": found.subject,
        "Attached": ", ".join(part.name for part in found.attachments),
    }
    for label, value in head.items():
        if value:
            out.line(f"{label}: {value}")
    out.line("")
    out.add(found.text)
