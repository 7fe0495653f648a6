"""HTTP's side: which function serves which route, who may ask, rate limits and planned faults."""

import asyncio
import json
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from aiohttp import web

from tests.servers.discord import callbacks, rest
from tests.servers.discord.faults import Canned, Fault, Faults, Route
from tests.servers.discord.gateway import Gateway
from tests.servers.discord.rest import Handler
from tests.servers.discord.state import Asked, Json, Refused, World

ROUTES: dict[Route, Handler] = {
    Route.GATEWAY: rest.gateway,
    Route.GATEWAY_BOT: rest.gateway_bot,
    Route.ME: rest.me,
    Route.USER: rest.user,
    Route.APPLICATION: rest.application,
    Route.OAUTH_APPLICATION: rest.application,
    Route.OPEN_DM: rest.open_dm,
    Route.CHANNEL: rest.channel,
    Route.EDIT_CHANNEL: rest.edit_channel,
    Route.TYPING: rest.typing,
    Route.HISTORY: rest.history,
    Route.SEND: rest.send,
    Route.MESSAGE: rest.message,
    Route.EDIT: rest.edit,
    Route.DELETE: rest.delete,
    Route.THREAD: rest.thread,
    Route.THREAD_OF_MESSAGE: rest.thread_of_message,
    Route.COMMANDS: rest.commands,
    Route.UPSERT_COMMANDS: rest.upsert_commands,
    Route.CALLBACK: callbacks.callback,
    Route.FOLLOWUP: callbacks.followup,
    Route.ANSWER: callbacks.answer,
    Route.EDIT_ANSWER: callbacks.edit_answer,
    Route.DELETE_ANSWER: callbacks.delete_answer,
}

_BY_TOKEN_IN_PATH = ("/interactions/", "/webhooks/")
_BODY_LIMIT = 100 * 1024 * 1024


@dataclass
class Bucket:
    """A rate limit: so many requests in a window of so many seconds, for one route and channel."""

    limit: int
    seconds: float
    used: int = 0
    until: float = 0.0

    def take(self) -> bool:
        if time.monotonic() >= self.until:
            self.used, self.until = 0, time.monotonic() + self.seconds
        self.used += 1
        return self.used <= self.limit

    def headers(self, name: str) -> dict[str, str]:
        left = max(0.0, self.until - time.monotonic())
        return {
            "X-RateLimit-Limit": str(self.limit),
            "X-RateLimit-Remaining": str(max(0, self.limit - self.used)),
            "X-RateLimit-Reset": f"{time.time() + left:.3f}",
            "X-RateLimit-Reset-After": f"{left:.3f}",
            "X-RateLimit-Bucket": name,
        }


class Front:
    """Serves one request after the other: asked, planned faults, limits, the handler, answered.

    ``limits`` holds requests and seconds per route; the others get ``limit``, which is generous.
    """

    def __init__(self, world: World, faults: Faults) -> None:
        self._world = world
        self._faults = faults
        self.limit = (1000, 1.0)
        self.limits: dict[Route, tuple[int, float]] = {}
        self._buckets: dict[tuple[str, str], Bucket] = {}

    def app(self, gateway: Gateway) -> web.Application:
        app = web.Application(client_max_size=_BODY_LIMIT)
        for route, handler in ROUTES.items():
            method, path = route.split(" ")
            app.router.add_route(method, f"/api/v10{path}", self._served(route, handler))
        app.router.add_get("/gateway/", gateway.serve)
        app.router.add_get("/resume-gateway/", gateway.serve)
        app.router.add_get("/attachments/{channel}/{id}/{name}", self._download)
        app.router.add_route("*", "/api/{rest:.*}", self._served("unknown", _not_found))
        return app

    def _served(
        self, route: str, handler: Handler
    ) -> Callable[[web.Request], Awaitable[web.StreamResponse]]:
        async def serve(request: web.Request) -> web.StreamResponse:
            asked = await _asked(route, request)
            with self._world.changed:
                self._world.requests.append(asked)
                fault = self._faults.take(asked)
            return await self._answer(request, asked, handler, fault)

        return serve

    async def _answer(
        self, request: web.Request, asked: Asked, handler: Handler, fault: Fault | None
    ) -> web.StreamResponse:
        if fault and fault.before:
            await asyncio.sleep(fault.before)
        if fault and fault.drop == "before":
            return _broken(request)
        canned = (fault and fault.canned) or self._carried_out(asked, handler)
        asked.status, asked.answer = canned.status, canned.body
        asked.seconds = time.monotonic() - asked.at
        with self._world.changed:
            self._world.changed.notify_all()
        if fault and fault.after:
            await asyncio.sleep(fault.after)
        if fault and fault.drop == "after":
            return _broken(request)
        return _response(canned)

    def _carried_out(self, asked: Asked, handler: Handler) -> Canned:
        with self._world.changed:
            name = asked.route
            bucket = self._bucket(asked)
            try:
                self._check_token(asked)
                if not bucket.take():
                    return _limited(bucket, name)
                body = handler(self._world, asked)
                return Canned(204 if body is None else 200, body, bucket.headers(name))
            except Refused as refused:
                return Canned(refused.status, refused.body(), bucket.headers(name))

    def _bucket(self, asked: Asked) -> Bucket:
        place = asked.params.get("channel_id", asked.params.get("token", ""))
        limit = next((v for r, v in self.limits.items() if r == asked.route), self.limit)
        bucket = self._buckets.setdefault((asked.route, place), Bucket(*limit))
        bucket.limit, bucket.seconds = limit
        return bucket

    def _check_token(self, asked: Asked) -> None:
        if any(part in asked.path for part in _BY_TOKEN_IN_PATH):
            return
        if asked.headers.get("Authorization") != f"Bot {self._world.token}":
            raise Refused(401, 0, "401: Unauthorized")

    async def _download(self, request: web.Request) -> web.Response:
        wanted = request.match_info["id"]
        with self._world.changed:
            for message in self._world.messages.values():
                for attachment in message.attachments:
                    if attachment.id == wanted:
                        return web.Response(body=attachment.content)
        return web.Response(status=404)


def _not_found(_: World, __: Asked) -> None:
    raise Refused(404, 0, "404: Not Found")


async def _asked(route: str, request: web.Request) -> Asked:
    body: Json = {}
    files: dict[str, tuple[str, bytes]] = {}
    if request.content_type == "multipart/form-data":
        for name, part in (await request.post()).items():
            if isinstance(part, web.FileField):
                files[name] = (part.filename, part.file.read())
            elif name == "payload_json" and isinstance(part, str):
                body = json.loads(part)
    elif request.can_read_body:
        told: Any = await request.json()
        body = told if isinstance(told, dict) else {"list": told}
    return Asked(
        request.method,
        route,
        request.path,
        dict(request.match_info),
        dict(request.query),
        dict(request.headers),
        body,
        files,
    )


def _response(canned: Canned) -> web.Response:
    if canned.status == 204:  # HTTP
        return web.Response(status=204, headers=canned.headers)
    headers = {**canned.headers, "Content-Type": "application/json"}
    return web.Response(
        status=canned.status, body=json.dumps(canned.body).encode(), headers=headers
    )


def _limited(bucket: Bucket, name: str) -> Canned:
    headers = bucket.headers(name)
    retry_after = float(headers["X-RateLimit-Reset-After"])
    told = {"message": "You are being rate limited.", "retry_after": retry_after, "global": False}
    more = {"Via": "1.1 google", "Retry-After": "1", "X-RateLimit-Scope": "user"}
    return Canned(429, told, headers | more)


def _broken(request: web.Request) -> web.StreamResponse:
    """The client sees the connection end; what is returned goes nowhere."""
    if request.transport is not None:
        request.transport.abort()
    return web.Response()
