"""Discord's HTTP interactions endpoint: POST /discord, signed, to the same desk as the gateway.

Reference: https://docs.discord.com/developers/interactions/receiving-and-responding.
"""

import asyncio
import json
import logging
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from structlog.contextvars import bind_contextvars

from assistant.adapters.discord.api import point_at
from assistant.adapters.discord.callbacks import Callbacks
from assistant.adapters.discord.message import Message
from assistant.adapters.discord.signature import check
from assistant.domain.errors import AssistantError, BadArguments, Denied, Misconfigured, Transient
from ingest.doors.http import read_body
from workers.discord.answering import PATIENCE, Answering, Answers, Asked
from workers.discord.commands.registering import AGAIN, keep_trying, register
from workers.discord.commands.words import say
from workers.discord.desk import UNREACHABLE, make_desk
from workers.discord.follow import Follower, Progress
from workers.discord.interaction import LATER, PONG, Interaction, Kind, Reply, Way, parse
from workers.discord.rest import tell, type_in

if TYPE_CHECKING:
    from workers.parts import Assistant

log = logging.getLogger(__name__)

MOST = 256 * 1024
"""Bytes of a request."""
_DOOR = "discord-http"
"""The name under which interactions are noted that came in here."""
_ENDING = 3.0
"""Seconds that late answers may take once the door closes."""
_UNSETTLED = 3.0
"""Seconds in which Discord may not have read our first answer yet."""
_REMEMBERED = 10_000
_REPEATED = Reply(way=Way.LATER)


class Behind(Answers, Progress, Protocol):
    """What the door leads to: the desk."""

    def show_what_is_due(self) -> None: ...


class Endpoint:
    """The door's route. Lives on one loop.

    Raises ``Misconfigured`` when it is made where no public key is set.
    """

    def __init__(
        self,
        assistant: "Assistant",
        desk: Behind | None = None,
        *,
        patience: float = PATIENCE,
        again: float = AGAIN,
    ) -> None:
        self._key = assistant.settings.discord_public_key
        if not self._key:
            raise Misconfigured(
                "ASSISTANT_DISCORD_PUBLIC_KEY is needed: the application's public key"
            )
        point_at(assistant.settings.discord_api_base, assistant.settings.discord_gateway)
        self._assistant = assistant
        self._desk: Behind = desk or make_desk(assistant)
        self._pool = ThreadPoolExecutor(
            assistant.settings.threads,
            thread_name_prefix="discord-http",
            initializer=partial(bind_contextvars, process="doors"),
        )
        self._callbacks = Callbacks(unsettled=_UNSETTLED)
        self._follower = Follower(self._desk, pool=self._pool, typing=self._type)
        self._answering = Answering(
            self,
            pool=self._pool,
            callbacks=self._callbacks,
            tell=self._tell,
            follow=self._follower.follow,
            patience=patience,
        )
        self._seen: dict[str, None] = {}
        self._again = again
        self._finishing: set[asyncio.Task[None]] = set()
        self._starting: set[asyncio.Task[None]] = set()

    @property
    def route(self) -> Route:
        return Route("/discord", self._post, methods=["POST"])

    def answer(self, it: Interaction) -> Reply:
        """What the desk says, once for each interaction, whoever repeats a request."""
        if it.kind is Kind.AUTOCOMPLETE:  # which changes nothing
            return self._desk.answer(it)
        try:
            with self._assistant.store.begin(self._assistant.cause()) as tx:
                if not tx.first_sight(_DOOR, it.id):
                    return _REPEATED
        except Transient as error:
            log.warning("interaction %s: %s", it.id, error)
            return say(UNREACHABLE.format(why=str(error)))
        return self._desk.answer(it)

    def start(self) -> None:
        """Take up what was going on, and tell Discord our commands. All of it in the background."""
        self._follower.resume()
        works = (self._show_what_is_due(), self._register())
        self._starting = {asyncio.get_running_loop().create_task(work) for work in works}

    async def close(self) -> None:
        """Finish what is to come, and hang up."""
        for task in self._starting:
            task.cancel()
        await self._follower.close()
        if self._finishing:
            await asyncio.wait(self._finishing, timeout=_ENDING)
        await self._callbacks.close()
        self._pool.shutdown(wait=False, cancel_futures=True)

    async def _show_what_is_due(self) -> None:
        try:
            await self._in_pool(self._desk.show_what_is_due)
        except AssistantError as error:
            log.info("what is not shown yet is not tried again: %s", error)

    async def _register(self) -> None:
        await keep_trying(lambda: self._in_pool(self._tell_commands), again=self._again)

    def _tell_commands(self) -> None:
        api = self._assistant.discord_api
        if api is None:
            log.warning("no slash commands are registered: ASSISTANT_DISCORD_TOKEN is not set")
            return
        register(api, application="", house=self._assistant.house)

    async def _in_pool(self, work: Callable[[], None]) -> None:
        await asyncio.get_running_loop().run_in_executor(self._pool, work)

    async def _post(self, request: Request) -> Response:
        """200 with the callback; 400 for what is no interaction, 401, 409 again, 413 too large."""
        body = await read_body(request, MOST)
        self._check(request, body)
        try:
            raw = json.loads(body)
            it = parse(raw)
        except (ValueError, RecursionError, BadArguments) as error:
            raise HTTPException(400, "this is no interaction of Discord's") from error
        if it.kind is Kind.PING:
            return JSONResponse(PONG.payload())
        if not self._is_new(it):
            raise HTTPException(409, "this was answered already")
        return JSONResponse(await self._callback(it, raw))

    async def _callback(self, it: Interaction, raw: Mapping[str, Any]) -> dict[str, Any]:
        reply, asked = await self._answering.begin(it)
        if reply is _REPEATED:
            raise HTTPException(409, "this was answered already")
        if asked is None and reply.message and reply.message.files:  # they go by REST alone
            asked = asyncio.get_running_loop().create_future()
            asked.set_result(replace(reply, follow=""))
            reply = LATER
        if asked:
            self._finish(it, asked, raw)
        return reply.payload()

    def _check(self, request: Request, body: bytes) -> None:
        try:
            check(
                body,
                signature=request.headers.get("x-signature-ed25519", ""),
                timestamp=request.headers.get("x-signature-timestamp", ""),
                key=self._key,
                now=self._assistant.clock.now(),
            )
        except Denied as error:
            raise HTTPException(401, str(error)) from error

    def _is_new(self, it: Interaction) -> bool:
        """Here; rows say it for all processes."""
        if it.id in self._seen:
            return False
        self._seen[it.id] = None
        if len(self._seen) > _REMEMBERED:
            del self._seen[next(iter(self._seen))]
        return True

    def _finish(self, it: Interaction, asked: Asked, raw: Mapping[str, Any]) -> None:
        application, token = str(raw["application_id"]), str(raw["token"])
        work = self._answering.finish(it, asked, application=application, token=token)
        task = asyncio.get_running_loop().create_task(work)
        self._finishing.add(task)
        task.add_done_callback(self._finishing.discard)

    def _tell(self, user: str, message: Message, key: str) -> None:
        if api := self._assistant.discord_api:
            tell(api, user, message, key=key)

    def _type(self, place: str) -> None:
        if api := self._assistant.discord_api:
            type_in(api, place)
