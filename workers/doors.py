"""The process that takes mail in: SMTP, LMTP and HTTP on one event loop."""

import asyncio
import logging
import signal
import ssl
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

import structlog
import uvicorn
from starlette.routing import Route

from assistant.domain.errors import AssistantError
from assistant.domain.ids import new_trace
from assistant.domain.mail.envelope import Envelope
from assistant.domain.mail.mail import Received
from ingest.doors import http_server, smtp
from ingest.doors.http import make_app
from ingest.doors.http_server import make_server
from ingest.doors.smtp import make_lmtp, make_smtp
from ingest.receive import receive
from workers.parts import Assistant
from workers.settings import OWNER, Settings

if TYPE_CHECKING:
    from workers.discord.endpoint import Endpoint

log = logging.getLogger(__name__)


class Doors:
    """The mail doors of one process."""

    def __init__(self, assistant: Assistant) -> None:
        self.assistant = assistant
        self._settings = assistant.settings

    def accept(self, raw: bytes, envelope: Envelope, *, door: str) -> Received:
        """Keep one mail; return once it is durable."""
        trace = new_trace()
        with structlog.contextvars.bound_contextvars(trace=trace, door=door):
            return self._keep(raw, envelope, door=door, trace=trace)

    def _keep(self, raw: bytes, envelope: Envelope, *, door: str, trace: str) -> Received:
        received = receive(
            raw,
            owner=OWNER,
            door=door,
            envelope=envelope,
            trace=trace,
            store=self.assistant.store,
            blobs=self.assistant.blobs,
            clock=self.assistant.clock,
            limits=self.assistant.mail_limits,
        )
        log.info("kept mail %s%s", received.id, " (known)" if received.known else "")
        return received

    def known(self, address: str) -> str | None:
        """Return the owner of an address in any case of letters; None if there is none."""
        return OWNER if address.casefold() == self._settings.inbox_address.casefold() else None

    def troubles(self) -> Sequence[str]:
        """Return the reasons why a mail could not be kept now; empty if it could."""
        found: list[str] = []
        for check in (self.assistant.store.held, self.assistant.blobs.check):
            try:
                check()
            except AssistantError as error:
                found.append(str(error))
        return found

    async def serve(self) -> None:
        """Serve until SIGTERM or SIGINT."""
        stop = asyncio.Event()
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, stop.set)
        tls = _tls(self._settings)
        connections = self._settings.connection_limits(most=smtp.CONNECTIONS)
        mail_server = await loop.create_server(
            make_smtp(
                accept=partial(self.accept, door="smtp"),
                known=self.known,
                limits=self.assistant.mail_limits,
                tls=tls,
                connections=connections,
            ),
            self._settings.bind_host,
            self._settings.smtp_port,
        )
        servers = [mail_server]
        if self._settings.lmtp_port is not None:
            lmtp = await loop.create_server(
                make_lmtp(
                    accept=partial(self.accept, door="lmtp"),
                    known=self.known,
                    limits=self.assistant.mail_limits,
                    connections=connections,
                ),
                self._settings.bind_host,
                self._settings.lmtp_port,
            )
            servers.append(lmtp)
        discord = self._discord()
        web = _web(self, [discord.route] if discord else [])
        serving = asyncio.create_task(web.serve())
        log.info("the doors are open")
        if discord:
            discord.start()
        await asyncio.wait(
            {serving, asyncio.create_task(stop.wait())}, return_when=asyncio.FIRST_COMPLETED
        )
        for server in servers:
            server.close()
        web.should_exit = True
        await serving
        if discord:
            await discord.close()

    def _discord(self) -> "Endpoint | None":
        """Make the endpoint for Discord's interactions over HTTP; None if no public key is set."""
        if not self._settings.discord_public_key:
            return None
        from workers.discord.endpoint import Endpoint  # noqa: PLC0415 (discord.py is heavy)

        return Endpoint(self.assistant)


def _web(doors: Doors, more: Sequence[Route]) -> uvicorn.Server:
    assistant = doors.assistant
    app = make_app(
        accept=partial(doors.accept, door="http"),
        token=assistant.data_folder.http_token,
        limits=assistant.mail_limits,
        ready=doors.troubles,
        live=lambda: (),
        more=more,
    )
    return make_server(
        app,
        host=assistant.settings.bind_host,
        port=assistant.settings.http_port,
        connections=assistant.settings.connection_limits(most=http_server.CONNECTIONS),
    )


def _tls(settings: Settings) -> ssl.SSLContext | None:
    if settings.tls_cert is None:
        return None
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(settings.tls_cert, settings.tls_key)
    return context
