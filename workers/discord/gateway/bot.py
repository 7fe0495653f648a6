"""The gateway process: what happens on Discord is told to the desk, and what it says is told there.

It keeps nothing. Two of them on one token do everything once, since rows decide.
"""

import asyncio
import logging
import os
import signal
import threading
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, TypeVar
from weakref import WeakValueDictionary

import aiohttp
import discord
from discord.backoff import ExponentialBackoff
from structlog.contextvars import bind_contextvars

from assistant.adapters.discord.api import DiscordApi, point_at, translated
from assistant.adapters.discord.callbacks import Callbacks
from assistant.adapters.discord.message import DiscordMessage
from assistant.adapters.discord.split import split
from assistant.adapters.discord.text import harmless
from assistant.domain.conversation.conversation import Quoted
from assistant.domain.errors import AssistantError, BadArguments, Misconfigured
from workers.data_folder import BotSeen, DataFolder
from workers.discord.answering import PATIENCE, Answering, call_back
from workers.discord.commands.registering import AGAIN, keep_trying, register
from workers.discord.desk import UNHEARD, Desk, make_desk
from workers.discord.follow import PAUSE, Follower
from workers.discord.gateway import messages
from workers.discord.gateway.messages import MOST_FILES, File, Spot
from workers.discord.gateway.missed import Spoken, missed, missed_in
from workers.discord.interaction import parse
from workers.discord.rest import tell, type_in
from workers.discord.said import Heard, Said

if TYPE_CHECKING:
    from workers.parts import Assistant

log = logging.getLogger(__name__)

T = TypeVar("T")
Json = dict[str, Any]

LEAVING = 3.0
"""Seconds that what is being done may take once we are told to end."""
_AT_LAST = 4.5
"""Seconds after which we end whatever still hangs: rows decide, so nothing is lost."""
_HANG_UP = 0.5
_FETCH = 5.0
"""Seconds an attachment may take."""
_LOOK_UP = 3.0
_RATE_LIMIT = 30.0
"""Seconds of a rate limit that are waited for."""
_REST = 45.0
_NOT_ALLOWED = 4004
_OUTAGES = (OSError, TimeoutError, aiohttp.ClientError, discord.DiscordException)


class Bot(discord.Client):
    """One connection to the gateway.

    Args:
        desk: who decides. It blocks, and is asked in the pool.
        pool: threads.
        data_folder: notes which commands Discord knows; None where they are told each time.
        callbacks: answers interactions; the bot closes it.
        ask_content: whether to ask for the content of all messages where that was granted.
        patience: see ``Answering``.
        pause: see ``Follower``.
        again: see ``keep_trying``.
        since: when we were last told things, by whoever was here before; None if nobody was.
    """

    def __init__(
        self,
        desk: Desk,
        *,
        pool: Executor,
        data_folder: DataFolder | None = None,
        callbacks: Callbacks | None = None,
        ask_content: bool = True,
        patience: float = PATIENCE,
        pause: float = PAUSE,
        again: float = AGAIN,
        since: datetime | None = None,
    ) -> None:
        discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False  # never used
        wanted = discord.Intents(guilds=True, guild_messages=True, dm_messages=True)
        super().__init__(
            intents=wanted,
            max_messages=None,
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            allowed_mentions=discord.AllowedMentions.none(),
            max_ratelimit_timeout=_RATE_LIMIT,
        )
        self._wanted = wanted
        self._ask_content = ask_content
        self._desk = desk
        self._pool = pool
        self._house = data_folder
        self._callbacks = callbacks or Callbacks()
        self._follower = Follower(desk, pool=pool, typing=self._type, pause=pause)
        self._answering = Answering(
            desk,
            pool=pool,
            callbacks=self._callbacks,
            tell=self._tell,
            follow=self._follower.follow,
            patience=patience,
        )
        self._again = again
        self._registering: asyncio.Task[None] | None = None
        self._doing: set[asyncio.Task[None]] = set()
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._since = since
        self._unread_since = since
        """The same for servers, of which we are told a little later."""
        self.up = False
        """True while the gateway tells us things."""
        # The JSON as it comes: no view of discord.py's piles up, and both doors read the same.
        parsers = self._connection.parsers
        parsers["INTERACTION_CREATE"] = lambda raw: self._do(self._acted(raw))
        parsers["MESSAGE_CREATE"] = lambda raw: self._do(self._wrote(raw))

    # Coming and going

    async def setup_hook(self) -> None:
        flags = self.application_flags
        granted = flags.gateway_message_content or flags.gateway_message_content_limited
        # The connection goes by this very value, and has not been made yet.
        self._wanted.message_content = bool(granted and self._ask_content)
        self._registering = self.loop.create_task(self._logged(self._register()))

    async def on_connect(self) -> None:
        name = self.user.name if self.user else "nobody"
        content = "" if self._wanted.message_content else ", without the Message Content intent"
        log.info("on Discord as %s%s", name, content)
        self._is_up()
        if self._since:
            self._do(self._hear_missed(self._since))

    async def on_ready(self) -> None:
        """By now we were told of each server, and what was said last in each of its channels."""
        since, self._unread_since = self._unread_since, None
        if since:
            self._do(self._hear_missed_in_servers(since))

    async def on_resumed(self) -> None:
        log.info("on Discord again")
        self._is_up()

    async def on_disconnect(self) -> None:
        if self.up:
            self._since = datetime.now(UTC)
            self._unread_since = self._unread_since or self._since
        self.up = False

    async def leave(self) -> None:
        """Finish what has begun, hear nothing more, hang up."""
        self.up = False
        self._connection.parsers.clear()
        with suppress(TimeoutError):
            async with asyncio.timeout(_HANG_UP):
                if self.ws:
                    await self.ws.close(code=1000)
        await self._follower.close()
        if self._registering:
            self._registering.cancel()
        if self._doing:
            await asyncio.wait(self._doing, timeout=LEAVING)
        await self.close()

    async def close(self) -> None:
        await super().close()
        await self._callbacks.close()

    def seen(self) -> BotSeen | None:
        """Who we are, while the gateway tells us things."""
        if not self.up or self.user is None:
            return None
        return BotSeen(
            name=self.user.name, id=str(self.user.id), content=self._wanted.message_content
        )

    def _is_up(self) -> None:
        self.up = True
        self._follower.resume()
        self._do(self._quietly(self._desk.show_what_is_due))

    async def _register(self) -> None:
        application = str(self.application_id)

        def tell() -> None:
            register(self._rest, application=application, data_folder=self._house)

        await keep_trying(lambda: self._in_pool(tell), again=self._again)

    # Presses, forms, commands

    async def _acted(self, raw: Json) -> None:
        try:
            it = parse(raw)
        except BadArguments as error:
            log.warning("%s", error)
            return
        await call_back(
            self._answering,
            self._callbacks,
            it,
            application=str(raw["application_id"]),
            token=str(raw["token"]),
        )

    # Messages

    async def _wrote(self, raw: Json) -> None:
        """Messages of a channel are heard in the order in which they came."""
        me = str(self.user.id) if self.user else ""
        if not messages.written_to_us(raw, me=me):
            return
        turn = self._turns.setdefault(str(raw["channel_id"]), asyncio.Lock())
        async with turn:
            said, files = messages.read(raw, me=me, spot=await self._spot(raw))
            if not (said.private or said.mentioned or said.reply_to_us or said.parent):
                return
            quoted = await self._read(said.user, files)
            heard = await self._in_pool(
                lambda: self._hear(replace(said, quoted=(*said.quoted, *quoted)))
            )
        if heard.refused and heard.reply:
            await self._refuse(said, heard)
        elif heard.reply:
            await self._reply(said, heard.reply)
        if heard.conversation:
            self._follower.follow(heard.conversation)

    async def _hear_missed(self, since: datetime) -> None:
        """What was heard already is not heard again, since rows decide."""

        def read() -> list[Json]:
            listening = self._desk.listening
            people = listening.everybody(listening.owner)
            return list(missed(people, since=since, api=self._rest))

        for raw in await self._in_pool(read):
            await self._wrote(raw)

    async def _hear_missed_in_servers(self, since: datetime) -> None:
        known: list[discord.TextChannel | discord.Thread] = []
        for guild in self.guilds:
            known += [*guild.text_channels, *guild.threads]
        places = [
            Spoken(guild=str(it.guild.id), channel=str(it.id), newest=it.last_message_id or 0)
            for it in known
        ]
        for raw in await self._in_pool(
            lambda: list(missed_in(places, since=since, api=self._rest))
        ):
            await self._wrote(raw)

    def _hear(self, said: Said) -> Heard:
        try:
            return self._desk.hear(said)
        except Exception:
            log.exception("message %s", said.id)
            return Heard(reply=UNHEARD)

    async def _spot(self, raw: Json) -> Spot:
        """The gateway does not say with a message what kind of channel it is in."""
        if "guild_id" not in raw:
            return Spot()
        id = int(raw["channel_id"])
        known = self.get_channel(id) or await self._lookup_status(id)
        if isinstance(known, discord.Thread):
            return Spot(parent=str(known.parent_id))
        if not isinstance(known, discord.TextChannel):
            return Spot()
        me = known.guild.me
        return Spot(threadable=not me or known.permissions_for(me).create_public_threads)

    async def _lookup_status(self, id: int) -> Any:
        try:
            async with asyncio.timeout(_LOOK_UP):
                with translated():
                    return await self.fetch_channel(id)
        except (AssistantError, TimeoutError, discord.DiscordException) as error:
            log.info("channel %s is unknown: %s", id, error)
        return None

    async def _read(self, user: str, files: Sequence[File]) -> list[Quoted]:
        """What files say, of those whom we listen to; of the others and of pictures, the names."""
        if not files:
            return []
        wanted = [file for file in files if file.is_text][:MOST_FILES]
        if wanted and not await self._in_pool(lambda: self._knows(user)):
            wanted = []
        read = dict(zip(wanted, await asyncio.gather(*map(self._fetched, wanted)), strict=True))
        return [read.get(file) or file.unread() for file in files]

    def _knows(self, user: str) -> bool:
        try:
            return bool(self._desk.listening.who(user))
        except AssistantError:
            return False

    async def _fetched(self, file: File) -> Quoted | None:
        try:
            async with asyncio.timeout(_FETCH):
                with translated():
                    return file.read(await self.http.get_from_cdn(file.url))
        except (AssistantError, TimeoutError) as error:
            log.info("an attachment could not be read: %s", error)
        return None

    async def _reply(self, said: Said, words: str) -> None:
        answered = {"message_id": said.id, "fail_if_not_exists": False}
        await self._quietly(
            lambda: self._send(said.channel, words, message_reference=answered, key=said.id)
        )

    async def _refuse(self, said: Said, heard: Heard) -> None:
        """In private, where they let us; the desk says when that is due."""
        await self._quietly(
            lambda: self._send(self._rest.open_dm(said.user), heard.reply, key=said.id)
        )

    def _send(self, channel: str, words: str, *, key: str, **more: Any) -> None:
        for part, content in enumerate(split(harmless(words))):
            once = {"nonce": f"{part}-{key}"[:25], "enforce_nonce": True}
            self._rest.send(channel, {**DiscordMessage(content=content).payload(), **once, **more})

    def _tell(self, user: str, message: DiscordMessage, key: str) -> None:
        tell(self._rest, user, message, key=key)

    def _type(self, place: str) -> None:
        type_in(self._rest, place)

    # Threads and tasks

    @cached_property
    def _rest(self) -> DiscordApi:
        """For whoever blocks in the pool, on the loop of ours."""
        return DiscordApi(http=self.http, run=self._wait_for)

    def _wait_for(self, work: Coroutine[Any, Any, Any]) -> Any:
        asked = asyncio.run_coroutine_threadsafe(work, self.loop)
        try:
            return asked.result(_REST)
        except TimeoutError:
            asked.cancel()
            raise

    async def _in_pool(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._pool, work)

    async def _quietly(self, work: Callable[[], None]) -> None:
        try:
            await self._in_pool(work)
        except AssistantError as error:
            log.info("this could not be told: %s", error)

    def _do(self, work: Coroutine[Any, Any, None]) -> None:
        task = self.loop.create_task(self._logged(work))
        self._doing.add(task)
        task.add_done_callback(self._doing.discard)

    async def _logged(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except Exception:
            log.exception("something of Discord's could not be dealt with")


async def serve(
    assistant: "Assistant",
    *,
    desk_of: Callable[["Assistant"], Desk] = make_desk,
    make_callbacks: Callable[[], Callbacks] = Callbacks,
) -> None:
    """Until SIGTERM or SIGINT. Raises ``Misconfigured`` where Discord does not take the token."""
    settings = assistant.settings
    token = settings.discord_token.get_secret_value()
    if not settings.on_discord or not (token.isascii() and token.isprintable()):
        raise Misconfigured("ASSISTANT_DISCORD_TOKEN is needed: a bot's token")
    assistant.data_folder.open()
    point_at(settings.discord_api_base, settings.discord_gateway)
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, _told_to_end, stop)
    pool = ThreadPoolExecutor(
        settings.threads,
        thread_name_prefix="desk",
        initializer=partial(bind_contextvars, process="bot"),
    )
    desk = await loop.run_in_executor(pool, desk_of, assistant)
    backoff, ask_content = ExponentialBackoff[bool](), True
    since = assistant.data_folder.bot_lived
    while not stop.is_set():
        bot = Bot(
            desk,
            pool=pool,
            data_folder=assistant.data_folder,
            callbacks=make_callbacks(),
            ask_content=ask_content,
            since=since,
        )
        try:
            await _one_connection(bot, token, assistant, stop)
        except discord.PrivilegedIntentsRequired:
            log.warning("Discord refuses the Message Content intent; going on without it")
            ask_content = False
        except _OUTAGES as error:
            pause = backoff.delay()
            log.warning("Discord cannot be reached (%s); again in %.0f s", error, pause)
            await _either(stop, asyncio.sleep(pause))
    pool.shutdown(wait=False, cancel_futures=True)


async def _one_connection(
    bot: Bot, token: str, assistant: "Assistant", stop: asyncio.Event
) -> None:
    async with bot:
        noting = asyncio.create_task(_note(bot, assistant))
        try:
            await _either(stop, bot.start(token))
        except discord.LoginFailure as error:
            raise Misconfigured("ASSISTANT_DISCORD_TOKEN: Discord does not take it") from error
        except discord.ConnectionClosed as closed:
            if closed.code != _NOT_ALLOWED:
                raise
            raise Misconfigured(
                "ASSISTANT_DISCORD_TOKEN: Discord does not take it any more"
            ) from closed
        finally:
            noting.cancel()
            assistant.data_folder.forget_bot()
            await bot.leave()


async def _either(stop: asyncio.Event, work: Coroutine[Any, Any, None]) -> None:
    """Until the work is done or we are told to end; raises what the work does."""
    doing, told = asyncio.create_task(work), asyncio.create_task(stop.wait())
    await asyncio.wait({doing, told}, return_when=asyncio.FIRST_COMPLETED)
    told.cancel()
    if not doing.done():
        doing.cancel()
        await asyncio.wait({doing})
        return
    doing.result()


async def _note(bot: Bot, assistant: "Assistant") -> None:
    """Say on disk that we live, while we do."""
    while True:
        if seen := bot.seen():
            try:
                assistant.data_folder.note_bot(seen)
            except AssistantError as error:
                log.warning("%s", error)
        await asyncio.sleep(min(1.0, assistant.settings.canary_seconds))


def _told_to_end(stop: asyncio.Event) -> None:
    stop.set()
    at_last = threading.Timer(_AT_LAST, os._exit, args=(0,))
    at_last.daemon = True
    at_last.start()
