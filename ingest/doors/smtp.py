"""The doors a mail server delivers to: SMTP (RFC 5321) and LMTP (RFC 2033). Nothing is relayed.

``make_smtp`` and ``make_lmtp`` give protocol factories for ``loop.create_server``. A mail is
accepted for a recipient only when ``accept`` has returned for it, so a client that was not told
may send it again, and the same bytes are the same mail.

A mail ends at CR LF . CR LF and nothing else (RFC 5321 section 4.1.1.4): a lone LF ends neither
line nor mail, so that no second mail can hide in a first one that a laxer server passed on.
"""

import asyncio
import re
import ssl
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from logging import getLogger

from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Envelope, Session

from assistant.domain.errors import Permanent, TooLarge, Transient
from assistant.domain.limits import MailLimits
from assistant.domain.mail.mail import Received

Accept = Callable[[bytes, tuple[str, ...]], Received]
"""Keep a mail for one owner's recipients. Blocking, called in a thread."""
Known = Callable[[str], str | None]
"""Whose address that is; None when it is nobody's. Must not block."""

LINE = 64 * 1024
"""RFC 5321 section 4.5.3.1 asks for 1,000 octets and for no limit where it can be avoided."""

_log = getLogger(__name__)
_WITHOUT_CODE = re.compile(r"([245])(\d\d) (?!\1\.\d)")
_NOBODY = "550 5.1.1 Nobody here has that address"
_CODES = {"552": "5.3.4", "503": "5.5.1", "500": "5.5.2", "501": "5.5.4", "553": "5.1.3"}


@dataclass
class _House:
    """What all connections of one door share."""

    accept: Accept
    known: Known
    recipients: int
    connections: int
    open: set["_Door"] = field(default_factory=set)

    async def handle_EHLO(  # noqa: N802 aiosmtpd's name
        self,
        _server: "_Door",
        session: Session,
        _envelope: Envelope,
        hostname: str,
        says: list[str],
    ) -> list[str]:
        session.host_name = hostname
        offered = [line for line in says if not line.startswith(("250-AUTH", "250 HELP"))]
        return [*offered, "250-PIPELINING", "250-ENHANCEDSTATUSCODES", "250 HELP"]

    async def handle_RCPT(  # noqa: N802 aiosmtpd's name
        self,
        _server: "_Door",
        _session: Session,
        envelope: Envelope,
        address: str,
        _options: list[str],
    ) -> str:
        if len(envelope.rcpt_tos) >= self.recipients:
            return "452 4.5.3 Too many recipients"
        # Bytes that are no UTF-8 are surrogates here, which no database would look up.
        if not address.isprintable() or self.known(address) is None:
            return _NOBODY
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 OK"

    async def handle_DATA(  # noqa: N802 aiosmtpd's name
        self, server: "_Door", _session: Session, envelope: Envelope
    ) -> str:
        owners = [self.known(address) for address in envelope.rcpt_tos]
        raw = bytes(envelope.original_content or b"")
        answers = {
            owner: await self._keep(raw, _of(owner, owners, envelope.rcpt_tos))
            if owner
            else _NOBODY
            for owner in dict.fromkeys(owners)
        }
        return server.join_answers([answers[owner] for owner in owners])

    async def _keep(self, raw: bytes, recipients: tuple[str, ...]) -> str:
        try:
            received = await asyncio.to_thread(self.accept, raw, recipients)
        except TooLarge as error:
            return f"552 5.3.4 {_words(error)}"
        except Permanent as error:
            return f"554 5.6.0 {_words(error)}"
        except Transient as error:
            _log.warning("a mail could not be kept now: %s", error)
            return "451 4.3.0 It cannot be kept now, please try again later"
        except Exception:  # noqa: BLE001 whatever it was, the sender still has the mail
            _log.exception("a mail could not be kept")
            return "451 4.3.0 It cannot be kept now, please try again later"
        return f"250 2.0.0 {'Known already' if received.known else 'Kept'} as {received.id}"

    async def handle_exception(self, error: Exception) -> str:
        _log.error("a mail session failed", exc_info=error)
        return "451 4.3.0 Something went wrong here, please try again later"


class _Door(SMTP):
    """One connection."""

    line_length_limit = LINE
    event_handler: _House
    _greeted = False
    _answers_due = 1

    def join_answers(self, answers: list[str]) -> str:
        """One answer for all recipients: whoever must try again tries again for all."""
        return min(answers, key=lambda answer: "425".index(answer[0]))

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        house = self.event_handler
        if self not in house.open and len(house.open) >= house.connections:
            assert isinstance(transport, asyncio.WriteTransport)  # noqa: S101 for the types
            transport.write(b"421 4.7.0 Too many connections, please try again later\r\n")
            transport.close()
            return
        house.open.add(self)
        super().connection_made(transport)

    def connection_lost(self, error: Exception | None) -> None:
        if self in self.event_handler.open:
            self.event_handler.open.discard(self)
            super().connection_lost(error)

    async def push(self, status: str | bytes) -> None:
        """Send an answer with the code of RFC 2034 that aiosmtpd leaves out."""
        text = status.decode() if isinstance(status, bytes) else status
        greets = not self._greeted or text in {"250 HELP", f"250 {self.hostname}"}
        if not greets:
            text = _WITHOUT_CODE.sub(_with_code, text, count=1)
        self._greeted = True
        await super().push("\r\n".join([text] * self._answers_due))

    async def smtp_VRFY(self, _arg: str | None) -> None:  # noqa: N802 aiosmtpd's name
        """Who lives here is not told to strangers (RFC 5321 section 7.3)."""
        await self.push("252 2.5.0 Send some mail and see")


class _LmtpDoor(LMTP, _Door):
    """After DATA there is one answer for each accepted recipient (RFC 2033 section 4.2)."""

    def join_answers(self, answers: list[str]) -> str:
        self._answers_due = 1
        return "\r\n".join(answers)

    async def push(self, status: str | bytes) -> None:
        await super().push(status)
        if status in {_GO_AHEAD, _GO_AHEAD.encode()} and self.envelope:
            self._answers_due = len(self.envelope.rcpt_tos)

    async def smtp_DATA(self, arg: str | None) -> None:  # noqa: N802 aiosmtpd's name
        try:
            await super().smtp_DATA(arg)
        finally:
            self._answers_due = 1


_GO_AHEAD = "354 End data with <CR><LF>.<CR><LF>"


def make_smtp(
    *,
    accept: Accept,
    known: Known,
    limits: MailLimits,
    hostname: str = "localhost",
    tls: ssl.SSLContext | None = None,
    recipients: int = 100,
    connections: int = 32,
    idle: float = 300.0,
) -> Callable[[], asyncio.Protocol]:
    """A door that speaks SMTP, for ``loop.create_server``; call it where that loop runs.

    Args:
        accept: keeps a mail; raises ``TooLarge``, another ``Permanent``, or ``Transient``.
        known: whose address a recipient is.
        limits: of which ``message`` is announced as SIZE (RFC 1870) and enforced.
        hostname: what the door calls itself.
        tls: what STARTTLS (RFC 3207) uses; without it, STARTTLS is not offered.
        recipients: of one mail; RFC 5321 section 4.5.3.1.8 wants at least 100.
        connections: at the same time.
        idle: seconds a connection may take for one command, DATA and the mail included.
    """
    house = _House(accept, known, recipients, connections)
    return _factory(_Door, house, limits=limits, hostname=hostname, tls=tls, idle=idle)


def make_lmtp(
    *,
    accept: Accept,
    known: Known,
    limits: MailLimits,
    hostname: str = "localhost",
    tls: ssl.SSLContext | None = None,
    recipients: int = 100,
    connections: int = 32,
    idle: float = 300.0,
) -> Callable[[], asyncio.Protocol]:
    """The same door for LMTP, which a mail server on the same machine speaks."""
    house = _House(accept, known, recipients, connections)
    return _factory(_LmtpDoor, house, limits=limits, hostname=hostname, tls=tls, idle=idle)


def _factory(
    door: type[_Door],
    house: _House,
    *,
    limits: MailLimits,
    hostname: str,
    tls: ssl.SSLContext | None,
    idle: float,
) -> Callable[[], asyncio.Protocol]:
    def connect() -> asyncio.Protocol:
        connection: asyncio.Protocol = door(
            house,
            data_size_limit=limits.message,
            enable_SMTPUTF8=True,
            hostname=hostname,
            ident="assistant",
            tls_context=tls,
            timeout=idle,
            loop=asyncio.get_running_loop(),
        )
        return connection

    return connect


def _of(owner: str | None, owners: Iterable[str | None], addresses: list[str]) -> tuple[str, ...]:
    return tuple(
        address for address, whose in zip(addresses, owners, strict=True) if whose == owner
    )


def _with_code(match: re.Match[str]) -> str:
    kind, rest = match.groups()
    return f"{kind}{rest} {_CODES.get(kind + rest, f'{kind}.0.0')} "


def _words(error: Exception) -> str:
    """An error as the one line that an answer may have."""
    return " ".join(str(error).split())[:400]
