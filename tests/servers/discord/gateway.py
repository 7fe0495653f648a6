"""The websocket gateway (version 10, JSON): sessions, their events, and how they are resumed."""

import asyncio
import json
import zlib
from contextlib import suppress
from dataclasses import dataclass, field
from enum import IntEnum
from itertools import count
from typing import Any

from aiohttp import WSMsgType, web

from tests.servers.discord.payloads import (
    GUILD_MEMBERS,
    MESSAGE_CONTENT,
    PRESENCES,
    application_json,
    guild_json,
    user_json,
)
from tests.servers.discord.state import Connection, Event, Json, World


class Op(IntEnum):
    """What a payload is, either way."""

    DISPATCH = 0
    HEARTBEAT = 1
    IDENTIFY = 2
    PRESENCE = 3
    VOICE_STATE = 4
    RESUME = 6
    RECONNECT = 7
    REQUEST_MEMBERS = 8
    INVALID_SESSION = 9
    HELLO = 10
    HEARTBEAT_ACK = 11


UNKNOWN_OPCODE, NOT_AUTHENTICATED, BAD_TOKEN, TWICE = 4001, 4003, 4004, 4005
BAD_VERSION, BAD_INTENTS, DISALLOWED_INTENTS = 4012, 4013, 4014

_ENDED = frozenset({1000, 1001})  # closed by the client for good: nothing to resume


class Closed(Exception):
    """The gateway closes the socket, with this code."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


@dataclass
class Session:
    """Outlives its sockets; keeps all it told, so that it can be replayed."""

    id: str
    intents: int
    told: list[Json] = field(default_factory=list)
    wire: "Wire | None" = None

    def tell(self, name: str, data: Json) -> None:
        event = {"op": Op.DISPATCH, "s": len(self.told) + 1, "t": name, "d": data}
        self.told.append(event)
        if self.wire:
            self.wire.send(event)


class Wire:
    """One websocket's way out: a queue, so that what is compressed keeps its order."""

    def __init__(self, socket: web.WebSocketResponse, log: Connection) -> None:
        self.socket = socket
        self.log = log
        self.session: Session | None = None
        self._queue: asyncio.Queue[Json] = asyncio.Queue()
        self._squeeze = zlib.compressobj() if log.compressed else None

    def send(self, payload: Json) -> None:
        self._queue.put_nowait(payload)

    async def pump(self) -> None:
        while True:
            text = json.dumps(await self._queue.get())
            if self._squeeze is None:
                await self.socket.send_str(text)
                continue
            packed = self._squeeze.compress(text.encode())
            await self.socket.send_bytes(packed + self._squeeze.flush(zlib.Z_SYNC_FLUSH))


class Gateway:
    """Lives on the server's loop; only ``emit`` may be called from elsewhere."""

    def __init__(self, world: World, loop: asyncio.AbstractEventLoop) -> None:
        self._world = world
        self._loop = loop
        self._ids = count(1)
        self.sessions: dict[str, Session] = {}
        self.wires: dict[Wire, web.Request] = {}
        self.down = False
        self.heartbeat_ms = 41_250
        self.deaf = False

    def emit(self, event: Event) -> None:
        self._loop.call_soon_threadsafe(self._deliver, event)

    def _deliver(self, event: Event) -> None:
        for session in self.sessions.values():
            if event.needs and not session.intents & event.needs:
                continue
            hidden = event.plain is not None and not session.intents & MESSAGE_CONTENT
            session.tell(event.name, event.plain if hidden and event.plain else event.data)

    async def serve(self, request: web.Request) -> web.StreamResponse:
        if self.down:
            return web.Response(status=503)
        socket = web.WebSocketResponse(compress=False)
        await socket.prepare(request)
        log = Connection(request.path, compressed=request.query.get("compress") == "zlib-stream")
        wire = Wire(socket, log)
        self.wires[wire] = request
        self._note(log)
        pump = asyncio.create_task(wire.pump())
        try:
            await self._converse(wire, request)
        except Closed as closed:
            log.how = f"{log.how}, refused"
            log.closed = closed.code
            await socket.close(code=closed.code)
        finally:
            await self._end(wire, pump)
        return socket

    async def _end(self, wire: Wire, pump: "asyncio.Task[None]") -> None:
        pump.cancel()
        with suppress(asyncio.CancelledError, ConnectionError):
            await pump
        self.wires.pop(wire, None)
        session = wire.session
        if session and session.wire is wire:
            session.wire = None
            if wire.socket.close_code in _ENDED:
                self.sessions.pop(session.id, None)
        wire.log.closed = wire.log.closed or wire.socket.close_code
        wire.log.alive = False
        self._note(wire.log)

    async def _converse(self, wire: Wire, request: web.Request) -> None:
        query = request.query
        if query.get("v") != "10" or query.get("encoding") != "json":
            raise Closed(BAD_VERSION)
        wire.send({"op": Op.HELLO, "d": {"heartbeat_interval": self.heartbeat_ms}, "s": None})
        async for message in wire.socket:
            if message.type is WSMsgType.TEXT:
                payload = json.loads(message.data)
                if not self.deaf:
                    self._hear(wire, payload["op"], payload.get("d"))

    def _hear(self, wire: Wire, op: int, data: Any) -> None:
        match op:
            case Op.HEARTBEAT:
                wire.log.heartbeats += 1
                wire.send({"op": Op.HEARTBEAT_ACK})
            case Op.IDENTIFY:
                self._identify(wire, data)
            case Op.RESUME:
                self._resume(wire, data)
            case Op.PRESENCE | Op.VOICE_STATE | Op.REQUEST_MEMBERS:  # of no consequence here
                if wire.session is None:
                    raise Closed(NOT_AUTHENTICATED)
            case _:
                raise Closed(UNKNOWN_OPCODE)

    def _identify(self, wire: Wire, data: Json) -> None:
        wire.log.how = "identify"
        if wire.session is not None:
            raise Closed(TWICE)
        if data["token"] != self._world.token:
            raise Closed(BAD_TOKEN)
        session = Session(f"session-{next(self._ids)}", _intents(data, self._world))
        with self._world.changed:
            self.sessions[session.id] = session
            self._attach(wire, session)
            self._welcome(session)
            self._note(wire.log)

    def _welcome(self, session: Session) -> None:
        world = self._world
        guilds = [guild for guild in world.guilds.values() if guild.bot_here]
        ready = {
            "v": 10,
            "user": user_json(world.bot),
            "guilds": [{"id": guild.id, "unavailable": True} for guild in guilds],
            "private_channels": [],
            "session_id": session.id,
            "resume_gateway_url": world.origin.replace("http://", "ws://") + "/resume-gateway/",
            "session_type": "normal",
            "application": {
                "id": world.application_id,
                "flags": application_json(world)["flags"],
            },
        }
        session.tell("READY", ready)
        if session.intents & 1:
            for guild in guilds:
                session.tell("GUILD_CREATE", guild_json(world, guild))

    def _resume(self, wire: Wire, data: Json) -> None:
        wire.log.how = "resume"
        if data["token"] != self._world.token:
            raise Closed(BAD_TOKEN)
        session = self.sessions.get(data["session_id"] or "")
        if session is None or (data["seq"] or 0) > len(session.told):
            wire.log.how = "resume, invalid"
            wire.send({"op": Op.INVALID_SESSION, "d": False})
            return
        self._attach(wire, session)
        for event in session.told[data["seq"] or 0 :]:
            wire.send(event)
        session.tell("RESUMED", {})
        self._note(wire.log)

    def _attach(self, wire: Wire, session: Session) -> None:
        if session.wire:
            self.drop(session.wire)
        session.wire = wire
        wire.session = session
        wire.log.session_id = session.id
        wire.log.intents = session.intents

    def drop(self, wire: Wire) -> None:
        """The socket breaks, without a closing frame."""
        request = self.wires.get(wire)
        if request is not None and request.transport is not None:
            request.transport.abort()

    def drop_all(self) -> None:
        for wire in list(self.wires):
            self.drop(wire)

    async def close_all(self, code: int) -> None:
        for wire in list(self.wires):
            await wire.socket.close(code=code)

    def invalidate(self, *, tell: bool) -> None:
        """Forget every session; ``tell`` those that are connected."""
        gone, self.sessions = self.sessions, {}
        for session in gone.values():
            if session.wire and tell:
                session.wire.send({"op": Op.INVALID_SESSION, "d": False})

    def ask_to_reconnect(self) -> None:
        for wire in self.wires:
            wire.send({"op": Op.RECONNECT, "d": None})

    def _note(self, log: Connection) -> None:
        with self._world.changed:
            if not any(known is log for known in self._world.connections):
                self._world.connections.append(log)
            self._world.changed.notify_all()


def _intents(data: Json, world: World) -> int:
    intents = data.get("intents")
    if not isinstance(intents, int) or intents >= 1 << 26:
        raise Closed(BAD_INTENTS)
    privileged = GUILD_MEMBERS | PRESENCES
    if not world.message_content:
        privileged |= MESSAGE_CONTENT
    if intents & privileged:
        raise Closed(DISALLOWED_INTENTS)
    return intents
