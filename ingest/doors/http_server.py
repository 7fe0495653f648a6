"""The web server of the doors: who may connect, and for how long they may say nothing."""

import asyncio
from collections.abc import Generator
from contextlib import contextmanager
from functools import partial
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from ingest.doors.connections import ConnectionLimits, ConnectionPlaces
from ingest.doors.http import HEALTH, RETRY_SECONDS

CONNECTIONS = 64
"""The most connections at one time."""
LIMITS = ConnectionLimits(most=CONNECTIONS)
RESERVE = 16
"""Connections beside these, which may ask how the process does and nothing else."""
FIRST_REQUEST = 15.0
"""Seconds in which a connection has to send the head of a request."""


def make_server(
    app: Starlette,
    *,
    host: str,
    port: int,
    connections: ConnectionLimits = LIMITS,
    first: float = FIRST_REQUEST,
) -> uvicorn.Server:
    """Make the server of an app. ``first``: see ``FIRST_REQUEST``."""
    places = ConnectionPlaces(connections)
    # Of the reserve no address has a share: whoever came before makes room at once.
    reserve = ConnectionPlaces(ConnectionLimits(most=RESERVE, each=RESERVE, grace=0.0))
    # uvicorn calls it with names, as it calls a class.
    protocol: Any = partial(PatientProtocol, places=places, reserve=reserve, first=first)
    return _Server(
        uvicorn.Config(
            app,
            host=host,
            port=port,
            log_config=None,
            access_log=False,
            server_header=False,
            http=protocol,
            ws="none",
            timeout_keep_alive=5,
        )
    )


class _Server(uvicorn.Server):
    @contextmanager
    def capture_signals(self) -> Generator[None]:
        """Install no handlers: the process has its own."""
        yield


class PatientProtocol(H11Protocol):
    """One connection. It is closed unless the head of each request comes within ``first`` seconds.

    Where there is no place for it, it may still ask whether the process is well.
    """

    def __init__(
        self,
        *args: Any,
        places: ConnectionPlaces,
        reserve: ConnectionPlaces,
        first: float,
        **more: Any,
    ) -> None:
        super().__init__(*args, **more)
        self._places, self._reserve = places, reserve
        self._first = first
        self._waits: asyncio.TimerHandle | None = None
        self.idle_since: float | None = None
        """Since when no request is under way; None while one is."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if refused := self._places.take(self, transport):
            self.app = _Health(self.app, refused)
            if self._reserve.take(self, transport):
                self.transport.close()
                return
        self._idles()

    def connection_lost(self, error: Exception | None) -> None:
        super().connection_lost(error)
        self._has_begun()
        self._places.leave(self)
        self._reserve.leave(self)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._look()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._look()

    def send_away(self) -> None:
        """Close it, as somebody else needs its place. It asked nothing, and so is told nothing."""
        if not self.transport.is_closing():
            self.transport.close()

    def _look(self) -> None:
        if self.cycle is None or self.cycle.response_complete:
            self._idles()
        else:
            self._has_begun()

    def _idles(self) -> None:
        if self._waits is None and not self.transport.is_closing():
            self.idle_since = self.loop.time()
            self._waits = self.loop.call_later(self._first, self.send_away)

    def _has_begun(self) -> None:
        self.idle_since = None
        if self._waits is not None:
            self._waits.cancel()
            self._waits = None


class _Health:
    """The app for a connection without a place: health is told, and all else refused for now."""

    def __init__(self, app: ASGIApp, refused: str) -> None:
        self._app = app
        self._refused = refused

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["path"] not in HEALTH:
            headers = {"Retry-After": RETRY_SECONDS, "Connection": "close"}
            refusal = JSONResponse({"error": self._refused}, status_code=503, headers=headers)
            await refusal(scope, receive, send)
            return
        await self._app(scope, receive, send)
