"""The HTTP door: POST /mail, and the health of this process."""

import asyncio
import re
from collections.abc import Callable, Sequence
from hmac import compare_digest

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from assistant.domain.errors import Permanent, TooLarge, Transient
from assistant.domain.limits import MailLimits
from assistant.domain.mail.envelope import Envelope
from assistant.domain.mail.mail import Received

Accept = Callable[[bytes, Envelope], Received]
"""Stores a mail. Blocking, called in a thread."""
Check = Callable[[], Sequence[str]]
"""Returns what is wrong, in plain words; empty if nothing is. Blocking, called in a thread."""

_TYPES = frozenset({"message/rfc822", "message/global"})
RETRY_SECONDS = "30"
MAIL_SECONDS = 300.0
"""How long a mail may take to come, as over SMTP. Its sender has the token."""
HEALTH = frozenset({"/healthz", "/readyz"})
FRESH = 2.0
"""Seconds for which a readiness check is reused."""


def make_app(
    *,
    accept: Accept,
    token: str,
    limits: MailLimits,
    ready: Check,
    live: Check,
    fresh: float = FRESH,
    more: Sequence[Route] = (),
) -> Starlette:
    """Make the app of the webhook door, with the routes ``more``.

    ``POST /mail`` takes one raw message (``message/rfc822``) with ``Authorization: Bearer <token>``
    (RFC 6750) and answers 202 ``{"id": ..., "known": ...}`` once the mail is stored. Errors are
    ``{"error": ...}``: 400 empty, 401 no valid token, 413 too large, 415 not a message, 422 refused
    for good, 503 not now. Without a ``token`` the door is closed and answers 503. What took the
    mail in over SMTP before may pass its envelope on, in ``X-Envelope-From`` and
    ``X-Envelope-To`` (addresses, by commas) and ``X-Envelope-Helo``.

    ``GET /healthz`` and ``GET /readyz`` answer 200 ``{"ok": true}``, or 503 with the reasons. As
    anybody may ask, the result of ``ready`` is reused for ``fresh`` seconds. A request with both
    ``Content-Length`` and ``Transfer-Encoding`` is answered 400, whatever it asks.
    """
    readiness = _CachedCheck(ready, seconds=fresh)

    async def mail(request: Request) -> Response:
        _check_token(request, token)
        _check_type(request)
        raw = await read_body(request, limits.message, seconds=MAIL_SECONDS)
        received = await run_in_threadpool(accept, raw, _envelope(request))
        return JSONResponse(received.model_dump(), status_code=202)

    async def healthz(_request: Request) -> Response:
        return _health(await run_in_threadpool(live))

    async def readyz(_request: Request) -> Response:
        return _health(await readiness.found())

    return Starlette(
        routes=[
            Route("/mail", mail, methods=["POST"]),
            Route("/healthz", healthz, methods=["GET"]),
            Route("/readyz", readyz, methods=["GET"]),
            *more,
        ],
        middleware=[Middleware(_OneLength)],
        exception_handlers={
            HTTPException: _refuse,
            ClientDisconnect: _gone,
            Permanent: _refuse_for_good,
            Transient: _later,
            Exception: _broken,
        },
    )


class _OneLength:
    """Refuses a request that gives its length in two ways: two programs may read it as two.

    See RFC 9112 section 6.1. It says so, and closes the connection.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        names = {name for name, _ in scope.get("headers", ())}
        if {b"content-length", b"transfer-encoding"} <= names:
            words = "a request has Content-Length or Transfer-Encoding, not both"
            await _error(400, words, {"Connection": "close"})(scope, receive, send)
            return
        await self._app(scope, receive, send)


def _check_token(request: Request, token: str) -> None:
    if not token:
        raise HTTPException(503, "this door is closed: it has no token in the settings")
    kind, _, given = request.headers.get("authorization", "").partition(" ")
    if kind.lower() != "bearer" or not compare_digest(given.strip().encode(), token.encode()):
        raise HTTPException(
            401, "the bearer token is missing or wrong", {"WWW-Authenticate": 'Bearer realm="mail"'}
        )


def _check_type(request: Request) -> None:
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind not in _TYPES:
        raise HTTPException(415, "send one raw message as message/rfc822")


def _envelope(request: Request) -> Envelope:
    passed = request.headers
    return Envelope(
        mail_from=passed.get("x-envelope-from"),
        recipients=tuple(filter(None, re.split(r"[,\s]+", passed.get("x-envelope-to", "")))),
        helo=passed.get("x-envelope-helo", ""),
        peer=request.client.host if request.client else "local",
    )


BODY_SECONDS = 120.0
"""How long a body may take to come."""


async def read_body(request: Request, limit: int, *, seconds: float = BODY_SECONDS) -> bytes:
    """Read the whole body, never more than the limit; refuse a larger announced length at once."""
    too_large = HTTPException(413, f"{limit} bytes is the most", {"Connection": "close"})
    announced = request.headers.get("content-length", "")
    if announced.isdecimal() and int(announced) > limit:
        raise too_large
    body = bytearray()
    try:
        async with asyncio.timeout(seconds):
            async for chunk in request.stream():
                body += chunk
                if len(body) > limit:
                    raise too_large
    except TimeoutError as error:
        slow = f"the message did not come in {seconds:g} seconds"
        raise HTTPException(408, slow, {"Connection": "close"}) from error
    if not body.strip():
        raise HTTPException(400, "the message is empty")
    return bytes(body)


class _CachedCheck:
    """A check that runs once for concurrent requests, and whose result is reused for a while."""

    def __init__(self, check: Check, *, seconds: float) -> None:
        self._check = check
        self._seconds = seconds
        self._asked: asyncio.Task[Sequence[str]] | None = None
        self._until = 0.0

    async def found(self) -> Sequence[str]:
        now = asyncio.get_running_loop().time()
        if self._asked is None or (self._asked.done() and now >= self._until):
            self._asked = asyncio.create_task(self._ask())
        return await asyncio.shield(self._asked)  # a client that hangs up ends it for no other

    async def _ask(self) -> Sequence[str]:
        found = await run_in_threadpool(self._check)
        self._until = asyncio.get_running_loop().time() + self._seconds
        return found


def _health(reasons: Sequence[str]) -> Response:
    if reasons:
        return JSONResponse({"ok": False, "reasons": list(reasons)}, status_code=503)
    return JSONResponse({"ok": True})


async def _refuse(_request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)  # noqa: S101 the table above says so
    return _error(error.status_code, error.detail, dict(error.headers or {}))


async def _refuse_for_good(_request: Request, error: Exception) -> Response:
    return _error(413 if isinstance(error, TooLarge) else 422, str(error))


async def _later(_request: Request, error: Exception) -> Response:
    return _error(503, str(error), {"Retry-After": RETRY_SECONDS})


async def _gone(_request: Request, _why: Exception) -> Response:
    return _error(400, "the message ended before it was complete")


async def _broken(_request: Request, _why: Exception) -> Response:
    return _error(500, "something went wrong here, and the mail was not accepted")


def _error(status: int, words: str, headers: dict[str, str] | None = None) -> Response:
    return JSONResponse({"error": words}, status_code=status, headers=headers)
