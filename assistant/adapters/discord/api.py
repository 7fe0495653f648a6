"""Discord's REST API for synchronous callers: discord.py's client on a loop in its own thread."""

import asyncio
import io
import json
import os
import threading
import weakref
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from typing import Any, Final, TypeVar

import aiohttp
import discord
import yarl
from discord.gateway import DiscordWebSocket
from discord.http import HTTPClient, MultipartParameters, Route, handle_message_parameters

from assistant.adapters.discord.text import one_line, shortened
from assistant.domain.errors import (
    AlreadyThere,
    AssistantError,
    Busy,
    Denied,
    Misconfigured,
    NotFound,
    Permanent,
    TooLarge,
    Unreachable,
)

T = TypeVar("T")
Json = dict[str, Any]
File = tuple[str, bytes]
"""Name and content."""
Ask = Callable[[HTTPClient], Coroutine[Any, Any, T]]
Run = Callable[[Coroutine[Any, Any, Any]], Any]

BASE = Route.BASE
GATEWAY = DiscordWebSocket.DEFAULT_GATEWAY

_PATIENCE = 30.0
"""Seconds of a rate limit that discord.py waits for itself; it takes no lower value."""
_BAN_SECONDS = 60.0
"""How long to wait after a ban that gives no time."""
_WEEK: Final = 10_080
"""Minutes until a silent thread is archived; Discord's longest value."""
_WORDS = 500


class NoDirectMessages(Denied):
    """Discord does not let the assistant write direct messages to this person."""


class UnknownChannel(NotFound):
    """The channel is gone, or the assistant cannot see it."""


class UnknownMessage(NotFound):
    """The message is gone."""


class ThreadExists(AlreadyThere):
    """That message has a thread already."""


class Archived(Denied):
    """The thread is archived."""


_CODES: Mapping[int, type[AssistantError]] = {
    10003: UnknownChannel,
    10008: UnknownMessage,
    40003: Busy,  # direct messages are opened too fast
    40005: TooLarge,
    50007: NoDirectMessages,
    50083: Archived,
    50278: NoDirectMessages,  # no server in common
    160004: ThreadExists,
}
"""What Discord's JSON error codes mean:
https://docs.discord.com/developers/topics/opcodes-and-status-codes#json."""
_STATUSES: Mapping[int, type[AssistantError]] = {
    401: Misconfigured,
    403: Denied,
    404: NotFound,
    408: Unreachable,
    413: TooLarge,
    429: Busy,
}


def point_at(base: str, gateway: str) -> None:
    """Set the addresses that discord.py uses in this process. Empty means Discord's own.

    Args:
        base: the base URL with its version: ``https://discord.com/api/v10``.
        gateway: such as ``wss://gateway.discord.gg/``.
    """
    Route.BASE = base.rstrip("/") or BASE
    DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(gateway) if gateway else GATEWAY


class DiscordApi:
    """A bot's REST API, from any thread and after a fork; each process connects at its first use.

    Channels, messages and users are given by Discord's ids; messages are Discord's JSON. Waits for
    rate limits up to half a minute, within the time-out.

    Every method raises:
        Busy: the rate limit, or a ban of this address, lasts longer; ``after`` says how long.
        Unreachable: Discord fails or does not answer; the request may have been carried out.
        Misconfigured: Discord refuses the token.
        UnknownChannel, UnknownMessage, NoDirectMessages, ThreadExists, Archived: as they say.
        Permanent: Discord refuses for another reason, given in its words.

    Args:
        token: the bot's token.
        base: see ``point_at``.
        gateway: see ``point_at``.
        timeout: seconds to wait for an answer.
        http: a client that is logged in, to use in place of an own one.
        run: runs a coroutine of that client on its loop, and waits for the result.
    """

    def __init__(
        self,
        token: str = "",
        *,
        base: str = "",
        gateway: str = "",
        timeout: float = 45.0,
        http: HTTPClient | None = None,
        run: Run | None = None,
    ) -> None:
        if not (token.isascii() and token.isprintable()):
            raise Misconfigured("the Discord token has characters that are not allowed in a header")
        self._token = token.strip()
        self._base = base
        self._gateway = gateway
        self._timeout = timeout
        self._http = http
        self._run = run
        self._me: Json = {}
        self._dms: dict[str, str] = {}
        self._lines: dict[int, _Connection] = {}
        weakref.finalize(self, _hang_up, self._lines)

    def send(self, channel: str, payload: Json, files: Sequence[File] = ()) -> Json:
        """Post a message. Raises ``UnknownMessage`` if its nonce belongs to a deleted message."""

        async def sent(http: HTTPClient) -> Json:
            with parameters(payload, files) as made:
                return dict(await http.send_message(channel, params=made))

        return self._ask(sent)

    def edit(self, channel: str, message: str, payload: Json, files: Sequence[File] = ()) -> Json:
        async def edited(http: HTTPClient) -> Json:
            with parameters(payload, files) as made:
                return dict(await http.edit_message(channel, message, params=made))

        return self._ask(edited)

    def delete(self, channel: str, message: str) -> None:
        self._ask(lambda http: http.delete_message(channel, message))

    def history(self, channel: str, *, after: str, limit: int = 100) -> list[Json]:
        """Return the next messages after an id, at most 100, newest first."""
        found = self._ask(lambda http: http.logs_from(channel, limit, after=after))
        return [dict(message) for message in found]

    def message(self, channel: str, id: str) -> Json:
        """Return a message, without its words where the assistant may not read them."""
        return dict(self._ask(lambda http: http.get_message(channel, id)))

    def open_dm(self, user: str) -> str:
        """Open the direct messages with a user; return their channel."""
        if user not in self._dms:
            try:
                opened = self._ask(lambda http: http.start_private_message(user))
            except Misconfigured:
                raise
            except Permanent as refused:
                raise NoDirectMessages(str(refused)) from refused
            self._dms[user] = str(opened["id"])
        return self._dms[user]

    def typing(self, channel: str) -> None:
        """Show the typing indicator for ten seconds, or until a message comes."""
        self._ask(lambda http: http.send_typing(channel))

    def start_thread(self, channel: str, message: str, name: str) -> str:
        """Start a thread on a message; return its id, which equals the message's."""
        started = self._ask(
            lambda http: http.start_thread_with_message(
                channel, message, name=name, auto_archive_duration=_WEEK
            )
        )
        return str(started["id"])

    def unarchive(self, thread: str) -> None:
        self._ask(lambda http: http.edit_channel(thread, archived=False))

    def me(self) -> Json:
        """Return the bot's own user."""
        if not self._me:
            self._me = self._ask(lambda http: http.request(Route("GET", "/users/@me")))
        return self._me

    def application(self) -> Json:
        return dict(self._ask(lambda http: http.application_info()))

    def commands(self) -> list[Json]:
        """Return the slash commands that the application has registered."""
        id = self.application()["id"]
        return [dict(one) for one in self._ask(lambda http: http.get_global_commands(id))]

    def set_commands(self, commands: list[Json], *, application: str) -> None:
        """Register these slash commands and no others; ``application`` is its id."""
        self._ask(lambda http: http.bulk_upsert_global_commands(application, commands))

    def close(self) -> None:
        """Disconnect. The next request connects again."""
        _hang_up(self._lines)

    def _ask(self, ask: Ask[T]) -> T:
        with translated():
            if self._http and self._run:
                answer: T = self._run(ask(self._http))
                return answer
            # No lock, as a fork may copy a held one: of two threads here, one value is kept.
            line = self._lines.setdefault(
                os.getpid(), _Connection(self._token, base=self._base, gateway=self._gateway)
            )
            return line.ask(ask, timeout=self._timeout)


class _Connection:
    """The event loop and client of one process. Connects at the first request."""

    def __init__(self, token: str, *, base: str, gateway: str) -> None:
        self._token = token
        self._base = base
        self._gateway = gateway
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stop = asyncio.Event()
        self._connecting = asyncio.Lock()
        self._http: HTTPClient | None = None

    def ask(self, ask: Ask[T], *, timeout: float) -> T:
        asked = asyncio.run_coroutine_threadsafe(self._asked(ask), self._running())
        try:
            return asked.result(timeout)
        except TimeoutError as late:
            asked.cancel()
            raise Unreachable(f"Discord did not answer within {timeout:g} seconds") from late

    def close(self) -> None:
        with self._lock:
            if self._loop and self._thread:
                self._loop.call_soon_threadsafe(self._stop.set)
                if self._thread is not threading.current_thread():  # which may collect garbage
                    self._thread.join()

    def _running(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None:
                ready: Future[asyncio.AbstractEventLoop] = Future()
                self._thread = threading.Thread(
                    target=lambda: asyncio.run(self._serve(ready)), name="discord-rest", daemon=True
                )
                self._thread.start()
                self._loop = ready.result()
            return self._loop

    async def _serve(self, ready: Future[asyncio.AbstractEventLoop]) -> None:
        ready.set_result(asyncio.get_running_loop())
        await self._stop.wait()
        if self._http:
            await self._http.close()

    async def _asked(self, ask: Ask[T]) -> T:
        return await ask(await self._client())

    async def _client(self) -> HTTPClient:
        async with self._connecting:
            if self._http is None:
                self._http = await self._connected()
        return self._http

    async def _connected(self) -> HTTPClient:
        point_at(self._base, self._gateway)
        http = HTTPClient(asyncio.get_running_loop(), max_ratelimit_timeout=_PATIENCE)
        try:
            await http.static_login(self._token)
        except BaseException:
            await http.close()
            raise
        return http


def _hang_up(lines: dict[int, _Connection]) -> None:
    """Close the connections of this process, not those of its parent."""
    if line := lines.pop(os.getpid(), None):
        line.close()


def parameters(payload: Json, files: Sequence[File]) -> MultipartParameters:
    """Return the payload as JSON, with the files beside it."""
    if not files:
        return MultipartParameters(payload=payload, multipart=None, files=None)
    told = (payload.get("data") or payload).get("attachments", ())
    alt = {one["filename"]: one.get("description") for one in told}
    beside = [
        discord.File(io.BytesIO(content), filename=name, description=alt.get(name))
        for name, content in files
    ]
    multipart = handle_message_parameters(files=beside).multipart
    body = {"name": "payload_json", "value": json.dumps(payload)}
    return MultipartParameters(payload=None, multipart=[body, *(multipart or ())[1:]], files=beside)


@contextmanager
def translated() -> Iterator[None]:
    """Translate what discord.py raises into our errors; see ``DiscordApi``."""
    try:
        yield
    except discord.RateLimited as limited:
        raise _busy("Discord's rate limit", limited.retry_after) from limited
    except discord.HTTPException as refused:
        raise _meaning(refused) from refused
    except discord.LoginFailure as refused:
        raise Misconfigured("Discord refuses this bot token") from refused
    except (aiohttp.ClientError, OSError, json.JSONDecodeError) as lost:
        raise Unreachable(f"Discord: {lost or type(lost).__name__}") from lost


def _meaning(refused: discord.HTTPException) -> AssistantError:
    said = f"Discord answered {refused.status} ({refused.code}): {_said(refused)}"
    kind = _CODES.get(refused.code) or _STATUSES.get(refused.status)
    if kind is Busy:
        return _busy(said, _seconds(refused))
    if kind is None:
        kind = Permanent if refused.status < 500 else Unreachable  # noqa: PLR2004 (HTTP's own limit)
    return kind(said)


def _said(refused: discord.HTTPException) -> str:
    return shortened(one_line(refused.text), _WORDS)


def _seconds(refused: discord.HTTPException) -> float:
    """Return how long to wait after an answer not from Discord itself (it has no ``Via``)."""
    try:
        return float(refused.response.headers["Retry-After"])
    except (KeyError, ValueError):
        return _BAN_SECONDS


def _busy(said: str, seconds: float) -> Busy:
    error = Busy(said)
    error.after = seconds
    return error
