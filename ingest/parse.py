"""Parse one message: its facts, its text and its attachments. Pure, and within limits.

A message forwarded as an attachment (``message/rfc822``, RFC 2046 section 5.2) is not parsed. It is
removed before mail-parser sees the tree, which would mix its words with the sender's.
"""

import re
from base64 import b64decode
from binascii import Error as BadBase64
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from datetime import datetime
from email import message_from_bytes
from email.message import Message
from email.policy import compat32
from itertools import islice
from mimetypes import guess_extension
from pathlib import PurePosixPath
from typing import Any

from mailparser.core import MailParser

from assistant.domain.errors import Unreadable
from assistant.domain.limits import MailLimits
from assistant.domain.mail.mail import Parsed, ParsedPart
from assistant.domain.text.invisible import count_invisible, say_invisible
from ingest import html_text, text
from ingest.receive import ADDRESS

SUBJECT = 998
"""The most characters of a subject: those of a line (RFC 5322 section 2.1.1)."""
NAME = 200
"""The most characters of a display name and of a file name."""
RECIPIENTS = 2_000
DEFECTS = 50

_BLANK_LINE = re.compile(rb"\r?\n\r?\n|\r\r")
_FIELD = re.compile(rb"(?:^|[\r\n])[^ \t\r\n]")
# The parameter in MIME and in RFC 2231; every nested part declares one.
_BOUNDARIES = (b"boundary=", b"boundary*")
_BODY_TYPES = frozenset({"text/plain", "text/html"})
_ASKED = frozenset({"from", "to", "cc", "subject", "date", "message-id", "mime-version"})
_NO_BRACKETS = str.maketrans("", "", "<>")
_FOR_PATHS = re.compile(r'[<>:"|?*/\\]')
# No line is folded again: a signature in a forwarded mail covers its lines as they are.
_AS_SENT = compat32.clone(linesep="\r\n", max_line_length=0)

FromHtml = Callable[[str], str]


def parse(raw: bytes, limits: MailLimits, *, from_html: FromHtml = html_text.from_html) -> Parsed:
    """Parse one message by RFC 5322 and MIME, leniently.

    Errors of form (bad character sets, broken boundaries, impossible dates) become ``defects``.
    A date without a zone, or outside the calendar, becomes None; an unknown zone counts as UTC
    (RFC 5322 section 4.3). Where ``from_html`` raises ``ValueError`` or ``TimeoutError``, that part
    has no text.

    Raises:
        Unreadable: the message exceeds a limit, or the parsers fail on it. Raises nothing else.
    """
    _check_before(raw, limits)
    try:
        return _parse(raw, limits, from_html)
    except (Unreadable, MemoryError):
        raise
    except RecursionError as error:
        raise Unreadable("its parts are nested too deeply") from error
    # Neither parser documents what it raises on bytes that no mail program would write.
    except Exception as error:
        raise Unreadable(f"the parser failed on it ({type(error).__name__})") from error


def _check_before(raw: bytes, limits: MailLimits) -> None:
    """Check the limits that need no parsing."""
    if not raw.strip():
        raise Unreadable("it is empty")
    if len(raw) > limits.message:
        raise Unreadable(f"it has {len(raw)} bytes, and {limits.message} is the most")
    end = _BLANK_LINE.search(raw, 0, limits.headers + 4)
    header = raw[: end.start()] if end else raw
    if len(header) > limits.headers:
        raise Unreadable(f"its header has more than {limits.headers} bytes")
    _check_count("header fields", len(_FIELD.findall(header)), limits.header_fields)
    lower = raw.lower()
    _check_count("nested parts", sum(lower.count(sign) for sign in _BOUNDARIES), limits.parts)


def _check_count(what: str, found: int, most: int) -> None:
    if found > most:
        raise Unreadable(f"it has more than {most} {what}")


def _parse(raw: bytes, limits: MailLimits, from_html: FromHtml) -> Parsed:
    message = message_from_bytes(raw)
    _check_tree(message, limits)
    embedded = tuple(_remove_embedded(message))
    _prefer_plain(message)
    _name_attachments(message)
    message.epilogue = message.epilogue or ""  # mail-parser reads it without a check for None
    _drop_unused_headers(message)
    seen = MailParser(message)  # as parse_from_bytes() does, but of the remaining tree
    words, trouble = _words(seen, from_html)
    attachments = (*_attachments(seen), *embedded)
    _check_count("attachments", len(attachments), limits.attachments)
    decoded = sum(len(part.data) for part in attachments) + len(words)
    if decoded > limits.decoded:
        raise Unreadable(f"it decodes to {decoded} bytes, and {limits.decoded} is the most")
    sender, address = _sender(seen, message)
    return Parsed(
        message_id=_header(message, "Message-ID", SUBJECT),
        sender=sender,
        sender_address=address,
        recipients=_recipients(seen),
        subject=text.line(_first(seen.subject), SUBJECT),
        sent=_sent(seen.date),
        text=words,
        attachments=attachments,
        defects=_defects(seen.defects, [*_hidden(f"{_first(seen.subject)}\n{words}"), *trouble]),
    )


# The tree


def _check_tree(message: Message, limits: MailLimits) -> None:
    for count, (part, depth) in enumerate(_walk(message), 1):
        _check_count("levels of nested parts", depth, limits.depth)
        _check_count("parts", count, limits.parts)
        _check_count("header fields in one part", len(part), limits.header_fields)


def _walk(message: Message) -> Iterator[tuple[Message, int]]:
    """Yield every part with its depth, embedded messages included, without recursion."""
    waiting = [(message, 1)]
    while waiting:
        part, depth = waiting.pop()
        yield part, depth
        waiting.extend((child, depth + 1) for child in reversed(_children(part)))


def _children(part: Message) -> list[Message]:
    if not part.is_multipart():
        return []
    payload: Any = part.get_payload()
    return list(payload)


def _is_embedded(part: Message) -> bool:
    """Return whether a part is a message in the message, or a tree sent as one attachment."""
    if part.get_content_maintype() == "message":
        return bool(_children(part))
    return part.is_multipart() and part.get_content_disposition() == "attachment"


def _remove_embedded(message: Message) -> Iterator[ParsedPart]:
    if _is_embedded(message):
        yield _forwarded(message, 1)
        message.set_payload("")
    count = 0
    for part, _ in _walk(message):  # the walk goes on with the remaining children
        kept = []
        for child in _children(part):
            if _is_embedded(child):
                count += 1
                yield _forwarded(child, count)
            else:
                kept.append(child)
        if part.is_multipart():
            _keep(part, kept)


def _keep(part: Message, children: list[Message]) -> None:
    payload: Any = children
    part.set_payload(payload)


def _forwarded(part: Message, number: int) -> ParsedPart:
    kind = part.get_content_type()
    if part.get_content_maintype() != "message":
        return ParsedPart(name=f"attached-{number}.eml", content_type=kind, data=_as_bytes(part))
    data = b"\r\n".join(_embedded_bytes(part, child) for child in _children(part))
    return ParsedPart(name=f"forwarded-{number}.eml", content_type=kind, data=data)


def _embedded_bytes(part: Message, inner: Message) -> bytes:
    coding = str(part.get("Content-Transfer-Encoding", "")).strip().lower()
    if coding not in {"base64", "quoted-printable"} or inner.keys():
        return _as_bytes(inner)
    # RFC 2046 forbids this encoding here; some send it, and the parser keeps the encoded text.
    coded = Message()
    coded["Content-Transfer-Encoding"] = coding
    coded.set_payload(inner.get_payload())
    data = coded.get_payload(decode=True)
    return data if isinstance(data, bytes) else b""


def _as_bytes(part: Message) -> bytes:
    try:
        return part.as_bytes(policy=_AS_SENT)
    except (LookupError, ValueError, TypeError):
        # The standard library can parse some headers that it cannot write.
        return str(part.get_payload()).encode("utf-8", "surrogateescape")


def _prefer_plain(message: Message) -> None:
    """Drop HTML that is an alternative to plain text (RFC 2046 section 5.1.4)."""
    for part, _ in list(_walk(message)):
        if part.get_content_type() != "multipart/alternative":
            continue
        inside = list(_walk(part))
        if any(_has_plain_text(leaf) for leaf, _ in inside):
            for container, _ in inside:
                if container.is_multipart():
                    _keep(container, _without_html(container))


def _without_html(container: Message) -> list[Message]:
    return [child for child in _children(container) if not _is_body(child, "text/html")]


def _is_body(part: Message, kind: str) -> bool:
    return (
        part.get_content_type() == kind
        and part.get_content_disposition() in {None, "inline"}
        and not _filename(part)
    )


def _has_plain_text(part: Message) -> bool:
    if part.is_multipart() or not _is_body(part, "text/plain"):
        return False
    payload = part.get_payload(decode=True)
    return isinstance(payload, bytes) and bool(payload.strip())


def _name_attachments(message: Message) -> None:
    """Name every part that is no text: mail-parser reads it as text or gives it a random name."""
    for number, (part, _) in enumerate(_walk(message), 1):
        if part.is_multipart():
            continue
        kind = part.get_content_type()
        if kind in _BODY_TYPES and part.get_content_disposition() in {None, "inline"}:
            continue
        if _filename(part):
            continue
        if part is message and kind.startswith("message/"):
            continue  # the embedded message was removed from it
        del part["Content-Disposition"]
        part.add_header(
            "Content-Disposition", "attachment", filename=f"part-{number}{_extension(kind)}"
        )


def _drop_unused_headers(message: Message) -> None:
    """Drop headers that are not used: with five Received lines, they cost two fifths of a parse."""
    for name in {name.lower() for name in message}:
        if name not in _ASKED and not name.startswith("content-"):
            del message[name]


def _filename(part: Message) -> str:
    with suppress(LookupError, ValueError, TypeError):  # broken RFC 2231 parameters
        return part.get_filename() or ""
    return ""


def _extension(kind: str) -> str:
    return ".eml" if kind.startswith("message/") else guess_extension(kind) or ".bin"


# The words


def _words(seen: MailParser, from_html: FromHtml) -> tuple[str, list[str]]:
    """Return the text, and the defects of parts that could not be turned into text."""
    found = [part.strip() for part in seen.text_plain]
    trouble = []
    for source in seen.text_html:
        if len(source) > html_text.HTML_CHARACTERS:
            trouble.append(
                f"only the first {html_text.HTML_CHARACTERS} characters of its HTML were read"
            )
        try:
            found.append(from_html(source))
        except (ValueError, TimeoutError) as error:
            trouble.append(f"its HTML could not be turned into text: {error}")
    words = "\n\n".join(part for part in found if part)
    words = words.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "")
    return words.encode("utf-8", "replace").decode("utf-8"), trouble


# What is attached


def _attachments(seen: MailParser) -> Iterator[ParsedPart]:
    for number, found in enumerate(seen.attachments, 1):
        yield ParsedPart(
            name=file_name(str(found["filename"]), number),
            content_type=text.line(str(found["mail_content_type"]), NAME),
            data=_bytes(found["payload"], binary=found["binary"]),
        )


def file_name(given: str, number: int) -> str:
    """Return a name that is valid for a file on every system; ``attachment-N`` if none is left."""
    base = text.line(given.replace("\\", "/").rpartition("/")[2], 10 * NAME)
    base = _FOR_PATHS.sub("_", base).strip(". ")
    if len(base) > NAME:
        suffix = PurePosixPath(base).suffix[:20]
        base = base[: NAME - len(suffix)] + suffix
    return base or f"attachment-{number}"


def _bytes(payload: str, *, binary: bool) -> bytes:
    if not binary:
        return payload.encode("utf-8", "surrogateescape")
    for padding in ("", "=", "=="):
        with suppress(BadBase64, ValueError):
            return b64decode(payload + padding)
    return payload.encode("utf-8", "replace")


# The facts


def _sender(seen: MailParser, message: Message) -> tuple[str, str]:
    """Return the sender for people, and the bare address, or empty if it cannot be parsed."""
    mailboxes = _mailboxes(seen.from_)
    if not mailboxes:
        return _header(message, "From", NAME), ""
    return _person(*mailboxes[0]), text.line(mailboxes[0][1], ADDRESS)


def _recipients(seen: MailParser) -> str:
    people = (_person(*mailbox) for mailbox in (*_mailboxes(seen.to), *_mailboxes(seen.cc)))
    return text.line(", ".join(islice(people, 100)), RECIPIENTS)


def _mailboxes(found: object) -> list[tuple[str, str]]:
    return [pair for pair in found if pair[1]] if isinstance(found, list) else []


def _person(name: str, address: str) -> str:
    """Write ``Name <address>``, without brackets in the name, so that it cannot look like one."""
    shown = text.line(name.translate(_NO_BRACKETS), NAME).strip("\"' ")
    bare = text.line(address, ADDRESS)
    return f"{shown} <{bare}>" if shown else bare


def _header(message: Message, name: str, limit: int) -> str:
    return text.line(str(message.get(name, "")), limit)


def _first(found: object) -> str:
    """Return the first value of a header; mail-parser gives a list where there are several."""
    if isinstance(found, list):
        found = found[0] if found else ""
    return str(found)


def _sent(found: object) -> datetime | None:
    return found if isinstance(found, datetime) and found.tzinfo else None


def _hidden(words: str) -> Iterator[str]:
    """Say how many characters nobody sees, if there are any."""
    if said := say_invisible(count_invisible(words)):
        yield said


def _defects(found: Sequence[dict[str, list[str]]], trouble: list[str]) -> tuple[str, ...]:
    named = (f"{where}: {what}" for part in found for where, all_ in part.items() for what in all_)
    lines = dict.fromkeys(text.line(words, NAME) for words in (*trouble, *named))
    return tuple(islice(lines, DEFECTS))
