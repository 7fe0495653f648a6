"""The whole server in a thread of the test, and what a test can do with it."""

import asyncio
import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Self

import requests
from aiohttp import web
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tests.servers.discord import people
from tests.servers.discord.callbacks import accept
from tests.servers.discord.faults import Faults, Route
from tests.servers.discord.gateway import BAD_TOKEN, Gateway
from tests.servers.discord.interaction import Interaction, wait
from tests.servers.discord.payloads import channel_json, guild_json
from tests.servers.discord.rest import remove, tell
from tests.servers.discord.serve import Front
from tests.servers.discord.state import (
    DM,
    PUBLIC_THREAD,
    REPLY,
    TEXT,
    Asked,
    Attachment,
    Channel,
    Connection,
    Event,
    Guild,
    Json,
    Message,
    User,
    World,
    mentioned,
)

PATIENCE = 30.0
TOKEN = "the-right-token"


class DiscordServer:
    """Listens on a free loopback port between ``start`` and ``stop``; what it knows stays.

    All methods may be called from any thread. ``message_content``: whether the privileged intent
    was granted to the application.
    """

    def __init__(self, *, token: str = TOKEN, message_content: bool = False) -> None:
        self._key = Ed25519PrivateKey.generate()
        public_key = self._key.public_key().public_bytes_raw().hex()
        self.world = World(token=token, public_key=public_key, message_content=message_content)
        self.faults = Faults()
        self._front = Front(self.world, self.faults)
        self._port = 0

    # its life

    def start(self) -> Self:
        """Listen; after a ``stop``, on the same port as before."""
        self._loop = asyncio.new_event_loop()
        self._gateway = Gateway(self.world, self._loop)
        self.world.listener = self._gateway.emit
        self._thread = threading.Thread(target=self._loop.run_forever, name="discord")
        self._thread.start()
        self._run(self._listen())
        return self

    def stop(self) -> None:
        """Break every connection and stop listening. Sessions of the gateway are forgotten."""
        self.world.listener = lambda _: None
        self._run(self._close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()

    async def _listen(self) -> None:
        app = self._front.app(self._gateway)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", self._port, reuse_address=True)
        await site.start()
        self._port = self._runner.addresses[0][1]
        self.world.origin = f"http://127.0.0.1:{self._port}"

    async def _close(self) -> None:
        self._gateway.drop_all()
        await self._runner.cleanup()
        rest = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for task in rest:
            task.cancel()
        await asyncio.gather(*rest, return_exceptions=True)

    def _run(self, work: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(PATIENCE)

    def _soon(self, work: Callable[[], Any]) -> None:
        self._loop.call_soon_threadsafe(work)

    # where it is, and who the bot is

    @property
    def api_base(self) -> str:
        """For ``discord.http.Route.BASE``."""
        return f"{self.world.origin}/api/v10"

    @property
    def gateway_url(self) -> str:
        """For ``DiscordWebSocket.DEFAULT_GATEWAY``."""
        return self.world.origin.replace("http://", "ws://") + "/gateway/"

    @property
    def token(self) -> str:
        return self.world.token

    def take_back_token(self) -> None:
        """Whoever has it is thrown out, and taken in no more."""
        with self.world.changed:
            self.world.token = f"not {self.world.token}"
        self.close_sockets(BAD_TOKEN)

    @property
    def application_id(self) -> str:
        return self.world.application_id

    @property
    def bot(self) -> User:
        return self.world.bot

    @property
    def public_key(self) -> str:
        """Ed25519, in hex, as Discord's developer portal shows it."""
        return self.world.public_key

    def sign(self, body: bytes, timestamp: str) -> dict[str, str]:
        """The headers of a request to an HTTP interactions endpoint."""
        signature = self._key.sign(timestamp.encode() + body).hex()
        return {"X-Signature-Ed25519": signature, "X-Signature-Timestamp": timestamp}

    # people and places

    def user(self, name: str, *, installed: bool = False) -> User:
        """``installed``: has the application for their own use everywhere."""
        with self.world.changed:
            made = self.world.add_user(name)
            made.installed = installed
            return made

    def guild(self, name: str, *members: User, with_bot: bool = True) -> Guild:
        """The first member owns it."""
        with self.world.changed:
            ids = [member.id for member in members]
            owner = ids[0] if ids else self.bot.id
            made = Guild(self.world.new_id(), name, owner, ids, bot_here=with_bot)
            self.world.guilds[made.id] = made
            if with_bot:
                self.world.tell(Event("GUILD_CREATE", guild_json(self.world, made), needs=1))
            return made

    def channel(self, guild: Guild, name: str) -> Channel:
        with self.world.changed:
            here = guild.bot_here
            made = self.world.add_channel(TEXT, name=name, guild_id=guild.id, bot_here=here)
            self._tell_of(made, "CHANNEL_CREATE")
            return made

    def thread(self, channel: Channel, name: str, owner: User) -> Channel:
        with self.world.changed:
            made = self.world.add_channel(
                PUBLIC_THREAD,
                name=name,
                guild_id=channel.guild_id,
                parent_id=channel.id,
                owner_id=owner.id,
                bot_here=channel.bot_here,
            )
            self._tell_of(made, "THREAD_CREATE")
            return made

    def archive(self, thread: Channel) -> None:
        """As Discord does after some time of silence: edits are refused with 50083."""
        with self.world.changed:
            thread.archived = True
            self._tell_of(thread, "THREAD_UPDATE")

    def dm(self, user: User) -> Channel:
        """The direct messages between the bot and them."""
        with self.world.changed:
            return self.world.dm_with(user)

    def private_channel(self, user: User, other: User) -> Channel:
        """Direct messages of two people, where only what a user installed can be called."""
        with self.world.changed:
            assert user.installed, f"{user.name} has not installed the application"
            return self.world.add_channel(DM, recipient_id=other.id, bot_here=False)

    def refuse_dms(self, user: User, *, refused: bool = True) -> None:
        """403 with code 50007 for whatever the bot sends them."""
        user.dms_open = not refused

    def channel_of(self, id: str) -> Channel:
        """Whatever channel, thread or DM has this id."""
        return self.world.channels[id]

    def threads(self, channel: Channel) -> list[Channel]:
        with self.world.changed:
            return [c for c in self.world.channels.values() if c.parent_id == channel.id]

    def _tell_of(self, channel: Channel, name: str) -> None:
        if channel.bot_here:
            self.world.tell(Event(name, channel_json(self.world, channel), needs=1))

    # what people do

    def say(
        self,
        user: User,
        channel: Channel | None,
        text: str = "",
        *,
        attachments: Mapping[str, bytes] | None = None,
        embeds: Sequence[Json] = (),
        reference: Message | None = None,
        forwarded: Message | None = None,
        mentions_bot: bool = False,
    ) -> Message:
        """In the bot's DM where there is no channel; ``reference`` is what it replies to.

        Replying mentions the author.
        """
        with self.world.changed:
            place = channel or self.world.dm_with(user)
            content = f"{self.bot.mention} {text}".strip() if mentions_bot else text
            told = mentioned(self.world, content)
            said = self.world.add_message(
                channel_id=place.id,
                author_id=user.id,
                content=content,
                embeds=tuple(embeds),
                attachments=self._attachments(attachments or {}),
                type=REPLY if reference else 0,
                reply_to=reference.id if reference else "",
                forwarded=forwarded,
                mentions=(*told, reference.author_id) if reference else told,
            )
            tell(self.world, "MESSAGE_CREATE", said)
            return said

    def _attachments(self, files: Mapping[str, bytes]) -> tuple[Attachment, ...]:
        return tuple(Attachment(self.world.new_id(), name, files[name]) for name in files)

    def edit(self, message: Message, text: str) -> Message:
        """A person changes what they said."""
        with self.world.changed:
            known = self.world.messages[message.id]
            edited = self.world.edit_message(known, content=text)
            tell(self.world, "MESSAGE_UPDATE", edited)
            return edited

    def delete(self, message: Message | str) -> None:
        """Gone, as when a person deleted it: 10008 for whoever edits or reads it."""
        with self.world.changed:
            id = message if isinstance(message, str) else message.id
            remove(self.world, self.world.messages[id])

    def press(
        self,
        user: User,
        message: Message | str,
        name: str,
        /,
        *,
        values: Sequence[str] | None = None,
    ) -> Interaction:
        """A button by its label or ``custom_id``; a select with ``values``."""
        return self.dispatch(self.raw_interaction("press", user, message, name, values))

    def slash(
        self, user: User, channel: Channel | None, name: str, /, **options: Any
    ) -> Interaction:
        """A registered command, ``"name sub"`` for a subcommand; in the DM without a channel."""
        return self.dispatch(self.raw_interaction("slash", user, channel, name, options))

    def autocomplete(
        self,
        user: User,
        channel: Channel | None,
        name: str,
        focused: str,
        typed: Any,
        /,
        **options: Any,
    ) -> Interaction:
        """While ``typed`` stands in the option ``focused``."""
        return self.dispatch(
            self.raw_interaction("autocomplete", user, channel, name, (focused, typed), options)
        )

    def submit(self, opened: Interaction, fields: Mapping[str, str] | None = None) -> Interaction:
        """The modal that ``opened`` was answered with; see ``people.submit``."""
        return self.dispatch(self.raw_interaction("submit", opened, fields or {}))

    def raw_interaction(self, kind: str, *what: Any) -> Interaction:
        """The same without telling the gateway: its ``json`` is for the HTTP endpoint.

        ``kind`` and what follows: ``"press", user, message, name[, values]``; ``"slash", user,
        channel, name, options``; ``"autocomplete", user, channel, name, (option, typed), options``;
        ``"submit", opened, fields``; ``"ping", user``.
        """
        makers: dict[str, Callable[..., Interaction]] = {
            "press": self._press,
            "slash": lambda user, channel, *more: people.slash(
                self.world, user, channel or self.world.dm_with(user), *more
            ),
            "autocomplete": lambda user, channel, name, typing, options: people.complete(
                self.world, user, channel or self.world.dm_with(user), name, typing, options=options
            ),
            "submit": lambda opened, fields: people.submit(self.world, opened, fields),
            "ping": lambda user: people.ping(self.world, user, self.world.dm_with(user)),
        }
        with self.world.changed:
            return makers[kind](*what)

    def _press(
        self, user: User, message: Message | str, name: str, values: Sequence[str] | None = None
    ) -> Interaction:
        id = message if isinstance(message, str) else message.id
        return people.press(self.world, user, self.world.messages[id], name, values)

    def dispatch(self, interaction: Interaction) -> Interaction:
        """Tell the gateway of a raw interaction, now: a press on what a client still showed."""
        with self.world.changed:
            interaction.created = self.world.clock.now()
            interaction.began = time.monotonic()
            self.world.tell(Event("INTERACTION_CREATE", interaction.json))
        return interaction

    # the HTTP interactions endpoint

    def accept(self, interaction: Interaction, answer: Json) -> Interaction:
        """Take the body of an endpoint's answer as the callback of a raw interaction."""
        asked = Asked("POST", "endpoint", "", {}, {}, {}, answer, {})
        with self.world.changed:
            accept(self.world, interaction, asked)
        return interaction

    def post(self, url: str, interaction: Interaction) -> requests.Response:
        """Send a raw interaction to an endpoint, signed, as Discord does; a good answer counts."""
        body = json.dumps(interaction.json).encode()
        headers = self.sign(body, str(int(time.time()))) | {"Content-Type": "application/json"}
        interaction.began = time.monotonic()
        response = requests.post(url, data=body, headers=headers, timeout=PATIENCE)
        if response.ok and response.json()["type"] != 1:
            self.accept(interaction, response.json())
        return response

    # what can be seen

    def messages(self, channel: Channel) -> list[Message]:
        """Oldest first, ephemeral ones included."""
        with self.world.changed:
            found = [m for m in self.world.messages.values() if m.channel_id == channel.id]
            return sorted(found, key=lambda message: int(message.id))

    def answers(self, channel: Channel) -> list[Message]:
        """What the bot said there and everybody there can see."""
        said = self.messages(channel)
        return [m for m in said if m.author_id == self.bot.id and not m.ephemeral]

    def message(self, id: str) -> Message:
        """As it stands now."""
        return self.world.messages[id]

    @property
    def commands(self) -> list[Json]:
        """As registered."""
        return self.world.commands

    @property
    def interactions(self) -> list[Interaction]:
        with self.world.changed:
            return list(self.world.interactions.values())

    @property
    def connections(self) -> list[Connection]:
        """Every websocket that was opened, in order."""
        with self.world.changed:
            return list(self.world.connections)

    def requests(self, route: Route | None = None) -> list[Asked]:
        """What came over REST, in order; those to one route."""
        with self.world.changed:
            return [a for a in self.world.requests if route is None or a.route == route]

    def typings(self, channel: Channel) -> list[float]:
        """When the bot was seen typing there, on the monotonic clock."""
        with self.world.changed:
            return [at for id, at in self.world.typings if id == channel.id]

    # waiting

    def wait_until(
        self, happened: Callable[[], object], seconds: float = PATIENCE, what: str = "change"
    ) -> None:
        """Raises AssertionError after ``seconds``, with the latest messages and requests."""
        wait(self.world, happened, seconds, what, self._seen)

    def wait_for_bot(self, seconds: float = PATIENCE, count: int = 1) -> None:
        """Until so many websockets have a session."""
        self.wait_until(lambda: self.connected >= count, seconds, f"{count} bots")

    def wait_for_message(
        self, channel: Channel, words: str = "", seconds: float = PATIENCE, count: int = 1
    ) -> Message:
        """Until the bot has said ``count`` messages there that hold ``words``; returns that one."""

        def found() -> list[Message]:
            return [m for m in self.answers(channel) if words in m.words]

        self.wait_until(lambda: len(found()) >= count, seconds, f"message {count} with {words!r}")
        return found()[count - 1]

    @property
    def connected(self) -> int:
        """Websockets with a session right now."""
        with self.world.changed:
            return sum(1 for c in self.world.connections if c.alive and c.session_id)

    def _seen(self) -> str:
        messages = [f"{m.author_id}: {m.words!r}" for m in list(self.world.messages.values())[-10:]]
        asked = [f"{a.method} {a.path} {a.status}" for a in self.world.requests[-10:]]
        return f"\nmessages {messages}\nrequests {asked}\nsockets {self.world.connections[-5:]}"

    # time

    def move_clock(self, seconds: float) -> None:
        """Let the server's time jump: interactions get old, nonces are forgotten."""
        with self.world.changed:
            self.world.clock.move(seconds)

    def forget_nonces(self) -> None:
        """The window in which a repeated nonce is honoured closes now."""
        with self.world.changed:
            self.world.nonces.clear()

    # what goes wrong with the gateway; with REST, see ``faults``

    def limit(self, route: Route, requests: int, seconds: float) -> None:
        """A real rate limit, per channel or interaction: 429 once it is used up."""
        self._front.limits[route] = (requests, seconds)

    def late_callbacks(self, times: int = 1) -> None:
        """The next callbacks come too late: 404 with code 10062."""
        with self.world.changed:
            self.world.late_callbacks = times

    def drop_sockets(self) -> None:
        """Every websocket breaks without a closing frame; sessions can be resumed."""
        self._run(self._at_once(self._gateway.drop_all))

    def close_sockets(self, code: int) -> None:
        self._run(self._gateway.close_all(code))

    def ask_to_reconnect(self) -> None:
        """Opcode 7."""
        self._run(self._at_once(self._gateway.ask_to_reconnect))

    def invalidate_sessions(self, *, tell: bool = True) -> None:
        """Opcode 9 now, or untold: at the next resume."""
        self._run(self._at_once(lambda: self._gateway.invalidate(tell=tell)))

    def set_heartbeat(self, seconds: float) -> None:
        """For the sockets that open from now on."""
        self._gateway.heartbeat_ms = int(seconds * 1000)

    def set_deaf(self, *, deaf: bool = True) -> None:
        """The gateway hears nothing and acknowledges no heartbeat, but the sockets stay open."""
        self._gateway.deaf = deaf

    def gateway_down(self) -> None:
        """Sockets break, and new ones are refused with 503, until ``gateway_up``."""
        self._gateway.down = True
        self.drop_sockets()

    def gateway_up(self) -> None:
        self._gateway.down = False

    @contextmanager
    def gateway_outage(self) -> Iterator[None]:
        self.gateway_down()
        try:
            yield
        finally:
            self.gateway_up()

    async def _at_once(self, work: Callable[[], None]) -> None:
        work()
