"""The doors for mail servers: SMTP (RFC 5321) and LMTP (RFC 2033). They relay nothing.

``make_smtp`` and ``make_lmtp`` return protocol factories for ``loop.create_server``. A mail is
accepted for a recipient only when ``accept`` has returned for it. So a client without an answer may
send the mail again, and equal bytes are one mail.

A mail ends only at CR LF . CR LF (RFC 5321 section 4.1.1.4): a lone LF ends neither a line nor a
mail, so that no second mail can hide in a first one that a laxer server passed on.
"""

import asyncio
import re
import ssl
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from logging import getLogger

from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Session
from aiosmtpd.smtp import Envelope as Transaction

from assistant.domain.errors import Permanent, TooLarge, Transient
from assistant.domain.limits import MailLimits
from assistant.domain.mail.envelope import Envelope
from assistant.domain.mail.mail import Received
from ingest.doors.connections import ConnectionLimits, ConnectionPlaces

Accept = Callable[[bytes, Envelope], Received]
"""Stores a mail for one owner, whose recipients the envelope has. Blocking, called in a thread."""
Known = Callable[[str], str | None]
"""Returns the owner of an address; None if nobody has it. Must not block."""

LINE = 64 * 1024
"""The longest line. RFC 5321 section 4.5.3.1 wants at least 1,000 octets, and more if possible."""

CONNECTIONS = 32
"""The most connections of a door at one time."""
LIMITS = ConnectionLimits(most=CONNECTIONS)
FIRST_MAIL = 30.0
"""Seconds that a connection may take to begin a mail, STARTTLS included. One that names nobody who
lives here has not begun."""
SILENT = 10.0
"""Seconds without a byte in a mail, after which its connection may lose its place to another."""

_LINGER = 5.0
"""Seconds in which a peer may read the last word."""
_log = getLogger(__name__)
_WITHOUT_CODE = re.compile(r"([245])(\d\d) (?!\1\.\d)")
_NOBODY = "550 5.1.1 No such address here"
_CODES = {"552": "5.3.4", "503": "5.5.1", "500": "5.5.2", "501": "5.5.4", "553": "5.1.3"}


@dataclass
class _DoorHandler:
    """The handler that all connections of one door share."""

    accept: Accept
    known: Known
    recipients: int
    places: ConnectionPlaces
    first: float
    """Seconds that a connection may take to begin a mail."""
    silent: float
    """Seconds without a byte in a mail, after which its connection may lose its place."""

    async def handle_EHLO(  # noqa: N802 aiosmtpd's name
        self,
        _server: "_Door",
        session: Session,
        _envelope: Transaction,
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
        envelope: Transaction,
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
        self, server: "_Door", session: Session, envelope: Transaction
    ) -> str:
        owners = [self.known(address) for address in envelope.rcpt_tos]
        raw = bytes(envelope.original_content or b"")
        server.keeping = True
        try:
            answers = {
                owner: await self._keep(
                    raw,
                    Envelope(
                        mail_from=_address(envelope.mail_from),
                        recipients=_of(owner, owners, envelope.rcpt_tos),
                        helo=session.host_name or "",
                        peer=server.peer,
                        tls=server.tls,
                    ),
                )
                if owner
                else _NOBODY
                for owner in dict.fromkeys(owners)
            }
        finally:
            server.keeping = False
        return server.join_answers([answers[owner] for owner in owners])

    async def _keep(self, raw: bytes, envelope: Envelope) -> str:
        try:
            received = await asyncio.to_thread(self.accept, raw, envelope)
        except TooLarge as error:
            return f"552 5.3.4 {_words(error)}"
        except Permanent as error:
            return f"554 5.6.0 {_words(error)}"
        except Transient as error:
            _log.warning("could not store a mail now: %s", error)
            return "451 4.3.0 The mail cannot be stored now, please try again later"
        except Exception:  # noqa: BLE001 whatever happened, the sender still has the mail
            _log.exception("could not store a mail")
            return "451 4.3.0 The mail cannot be stored now, please try again later"
        return f"250 2.0.0 {'Known already' if received.known else 'Kept'} as {received.id}"

    async def handle_exception(self, error: Exception) -> str:
        _log.error("a mail session failed", exc_info=error)
        return "451 4.3.0 Something went wrong here, please try again later"


class _Door(SMTP):
    """One connection."""

    line_length_limit = LINE
    event_handler: _DoorHandler
    keeping = False
    """Whether a mail that has come is being stored."""
    _without_mail: float | None = None
    """Since when no mail is under way; None while one is."""
    _heard = 0.0
    """When something came last."""
    _greeted = False
    _answers_due = 1
    _took_place = False
    _too_late: asyncio.TimerHandle | None = None

    def join_answers(self, answers: list[str]) -> str:
        """Return one answer for all recipients: if one needs another try, all get one."""
        return min(answers, key=lambda answer: "425".index(answer[0]))

    @property
    def peer(self) -> str:
        """The network address of the other end; ``local`` on a Unix socket."""
        found = self.transport.get_extra_info("peername") if self.transport else None
        return str(found[0]) if isinstance(found, tuple) and found else "local"

    @property
    def tls(self) -> str:
        """The version and cipher of TLS; empty where it is not encrypted."""
        secured = self.transport.get_extra_info("ssl_object") if self.transport else None
        if not isinstance(secured, ssl.SSLObject):
            return ""
        name, *_ = secured.cipher() or ("",)
        return f"{secured.version()} {name}"

    @property
    def idle_since(self) -> float | None:
        """Since when its place may be another's, which may be later than now; None: it may not."""
        if self.keeping:
            return None
        if self._without_mail is not None:
            return self._without_mail
        return self._heard + self.event_handler.silent

    def data_received(self, data: bytes) -> None:
        self._heard = self.loop.time()
        super().data_received(data)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        if self._took_place:  # again, as it is encrypted now
            super().connection_made(transport)
            return
        if refused := self.event_handler.places.take(self, transport):
            assert isinstance(transport, asyncio.WriteTransport)  # noqa: S101 for the types
            transport.write(f"421 4.7.0 {refused}\r\n".encode())
            transport.close()
            return
        self._took_place = True
        self._idles()
        super().connection_made(transport)

    def connection_lost(self, error: Exception | None) -> None:
        if self._took_place:
            self.event_handler.places.leave(self)
            self._has_begun()
            super().connection_lost(error)

    def _has_begun(self) -> None:
        """A mail is under way: from now on, only the time-out for each command counts."""
        self._without_mail = None
        if self._too_late is not None:
            self._too_late.cancel()
            self._too_late = None

    def _idles(self) -> None:
        """No mail is under way. One has to begin soon, whatever else is said meanwhile."""
        if self._too_late is None:
            first = self.event_handler.first
            self._without_mail = self.loop.time()
            words = f"421 4.4.2 No mail began in {first:g} seconds, closing"
            self._too_late = self.loop.call_later(first, self._close_with, words)

    def send_away(self) -> None:
        """Close it, as somebody else needs its place."""
        self._close_with("421 4.7.0 Another connection needs the place, please try again later")

    def _close_with(self, words: str) -> None:
        transport = self.transport
        if transport is None or transport.is_closing():
            return
        assert isinstance(transport, asyncio.WriteTransport)  # noqa: S101 for the types
        transport.write(f"{words}\r\n".encode())
        transport.close()
        self.loop.call_later(_LINGER, transport.abort)  # a peer that reads nothing goes as well

    async def push(self, status: str | bytes) -> None:
        """Send an answer with the code of RFC 2034 that aiosmtpd leaves out.

        As each command is answered, this is where to see whether a mail is under way.
        """
        if self.envelope and self.envelope.rcpt_tos:
            self._has_begun()
        else:
            self._idles()
        text = status.decode() if isinstance(status, bytes) else status
        greets = not self._greeted or text in {"250 HELP", f"250 {self.hostname}"}
        if not greets:
            text = _WITHOUT_CODE.sub(_with_code, text, count=1)
        self._greeted = True
        await super().push("\r\n".join([text] * self._answers_due))

    async def smtp_VRFY(self, _arg: str | None) -> None:  # noqa: N802 aiosmtpd's name
        """Do not tell strangers which addresses exist (RFC 5321 section 7.3)."""
        await self.push("252 2.5.0 Cannot verify the address; send the mail to find out")


class _LmtpDoor(LMTP, _Door):
    """Gives one answer for each accepted recipient after DATA (RFC 2033 section 4.2)."""

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
    connections: ConnectionLimits = LIMITS,
    first: float = FIRST_MAIL,
    silent: float = SILENT,
    idle: float = 300.0,
) -> Callable[[], asyncio.Protocol]:
    """Make an SMTP door, for ``loop.create_server``; call the factory where that loop runs.

    Args:
        accept: stores a mail; raises ``TooLarge``, another ``Permanent``, or ``Transient``.
        known: returns the owner of an address.
        limits: its ``message`` is announced as SIZE (RFC 1870) and enforced.
        hostname: the door's name in its answers.
        tls: the context of STARTTLS (RFC 3207); without it, STARTTLS is not offered.
        recipients: the most recipients of one mail; RFC 5321 section 4.5.3.1.8 wants at least 100.
        connections: the most connections at one time, in all and from one address.
        first: the most seconds before a mail for somebody here begins, and between two.
        silent: seconds without a byte in a mail, after which another may have the place.
        idle: the most seconds for one command, DATA and the mail included.
    """
    handler = _DoorHandler(accept, known, recipients, ConnectionPlaces(connections), first, silent)
    return _factory(_Door, handler, limits=limits, hostname=hostname, tls=tls, idle=idle)


def make_lmtp(
    *,
    accept: Accept,
    known: Known,
    limits: MailLimits,
    hostname: str = "localhost",
    tls: ssl.SSLContext | None = None,
    recipients: int = 100,
    connections: ConnectionLimits = LIMITS,
    first: float = FIRST_MAIL,
    silent: float = SILENT,
    idle: float = 300.0,
) -> Callable[[], asyncio.Protocol]:
    """Make an LMTP door, for a mail server on this machine; arguments as for ``make_smtp``."""
    handler = _DoorHandler(accept, known, recipients, ConnectionPlaces(connections), first, silent)
    return _factory(_LmtpDoor, handler, limits=limits, hostname=hostname, tls=tls, idle=idle)


def _factory(
    door: type[_Door],
    handler: _DoorHandler,
    *,
    limits: MailLimits,
    hostname: str,
    tls: ssl.SSLContext | None,
    idle: float,
) -> Callable[[], asyncio.Protocol]:
    def connect() -> asyncio.Protocol:
        connection: asyncio.Protocol = door(
            handler,
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


def _address(given: str | None) -> str:
    """Return the address in MAIL FROM; empty for ``<>``, from which bounces come."""
    return "" if given in {None, "<>"} else str(given)


def _with_code(match: re.Match[str]) -> str:
    kind, rest = match.groups()
    return f"{kind}{rest} {_CODES.get(kind + rest, f'{kind}.0.0')} "


def _words(error: Exception) -> str:
    """Return an error in one line, as an answer may have no more."""
    return " ".join(str(error).split())[:400]
