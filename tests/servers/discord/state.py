"""What a Discord knows: people, places, messages. Plain values, kept under one lock."""

import re
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.servers.discord.interaction import Interaction

Json = dict[str, Any]

EPOCH = 1_420_070_400_000  # milliseconds; the first of 2015, where Discord's ids begin

TEXT, DM, GROUP, PUBLIC_THREAD, PRIVATE_THREAD = 0, 1, 3, 11, 12
DEFAULT, REPLY, COMMAND = 0, 19, 20
HAS_THREAD, EPHEMERAL, LOADING, COMPONENTS_V2 = 1 << 5, 1 << 6, 1 << 7, 1 << 15


class Refused(Exception):
    """What Discord answers to a request it does not carry out: HTTP status and JSON error code."""

    def __init__(self, status: int, code: int, message: str, errors: Json | None = None) -> None:
        super().__init__(f"{status} (error code: {code}): {message} {errors or ''}")
        self.status = status
        self.code = code
        self.message = message
        self.errors = errors

    def body(self) -> Json:
        body: Json = {"message": self.message, "code": self.code}
        return {**body, "errors": self.errors} if self.errors else body


class Clock:
    """The server's own time in seconds since 1970; a test can move it."""

    def __init__(self) -> None:
        self._ahead = 0.0

    def now(self) -> float:
        return time.time() + self._ahead

    def move(self, seconds: float) -> None:
        self._ahead += seconds


def iso(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat()


@dataclass
class User:
    """``installed``: has the application installed for their own use, wherever they are."""

    id: str
    name: str
    bot: bool = False
    dms_open: bool = True
    installed: bool = False

    @property
    def mention(self) -> str:
        return f"<@{self.id}>"


@dataclass
class Guild:
    id: str
    name: str
    owner_id: str
    member_ids: list[str]
    bot_here: bool = True


@dataclass
class Channel:
    """A text channel, a thread (``parent_id``), or direct messages (``recipient_id``).

    ``bot_here``: whether the bot can read and write; where it cannot, only interactions reach it.
    """

    id: str
    type: int
    name: str = ""
    guild_id: str = ""
    parent_id: str = ""
    recipient_id: str = ""
    owner_id: str = ""
    bot_here: bool = True
    archived: bool = False

    @property
    def is_dm(self) -> bool:
        return self.type in (DM, GROUP)

    @property
    def is_thread(self) -> bool:
        return self.type in (PUBLIC_THREAD, PRIVATE_THREAD)


@dataclass(frozen=True)
class Attachment:
    id: str
    filename: str
    content: bytes
    description: str = ""


@dataclass(frozen=True)
class Message:
    """A message as it stands; an edit makes a new value, the earlier ones are in ``earlier``.

    ``visible_to`` is the one person who sees an ephemeral message; ``pinged`` are the ids (or
    ``everyone``) that would be notified; ``reply_to`` is another message's id; ``interaction``
    is the token of the interaction that it answers.
    """

    id: str
    channel_id: str
    author_id: str
    content: str = ""
    embeds: tuple[Json, ...] = ()
    components: tuple[Json, ...] = ()
    attachments: tuple[Attachment, ...] = ()
    type: int = DEFAULT
    flags: int = 0
    nonce: str = ""
    reply_to: str = ""
    forwarded: "Message | None" = None
    mentions: tuple[str, ...] = ()
    pinged: tuple[str, ...] = ()
    visible_to: str = ""
    interaction: str = ""
    at: float = 0.0
    edited_at: float | None = None
    earlier: tuple["Message", ...] = field(default=(), repr=False)

    @property
    def ephemeral(self) -> bool:
        return bool(self.flags & EPHEMERAL)

    @property
    def loading(self) -> bool:
        return bool(self.flags & LOADING)

    @property
    def buttons(self) -> list[Json]:
        """Whatever can be pressed or chosen from, in reading order."""
        return [part for part in walk(self.components) if part["type"] in PRESSABLE]

    @property
    def labels(self) -> list[str]:
        return [button.get("label", "") for button in self.buttons]

    @property
    def words(self) -> str:
        """Everything a reader sees: content, embeds, texts of components, a line each."""
        lines = [self.content]
        for embed in self.embeds:
            lines += [embed.get("author", {}).get("name", ""), embed.get("title", "")]
            lines.append(embed.get("description", ""))
            for part in embed.get("fields", []):
                lines += [part["name"], part["value"]]
            lines.append(embed.get("footer", {}).get("text", ""))
        lines += [part.get("content", "") for part in walk(self.components)]
        return "\n".join(line for line in lines if line)

    def edited(self, at: float, changes: Mapping[str, Any]) -> "Message":
        return replace(
            self,
            **changes,
            edited_at=at,
            earlier=(*self.earlier, replace(self, earlier=())),
        )


BUTTON, TEXT_INPUT, LABEL = 2, 4, 18
PRESSABLE = frozenset({BUTTON, 3, 5, 6, 7, 8})


def walk(components: Any) -> list[Json]:
    """Every component with those inside it, in reading order."""
    found: list[Json] = []
    for part in components:
        found.append(part)
        found += walk(part.get("components", []))
        found += walk([part[key] for key in ("component", "accessory") if part.get(key)])
    return found


@dataclass(frozen=True)
class Event:
    """What the gateway tells. ``needs``: one of these intents (0: everybody is told).

    ``plain`` is told instead to sessions without the message content intent.
    """

    name: str
    data: Json
    needs: int = 0
    plain: Json | None = None


@dataclass
class Asked:
    """One REST request as it came; ``status`` and ``answer`` once it was answered."""

    method: str
    route: str
    path: str
    params: Mapping[str, str]
    query: Mapping[str, str]
    headers: Mapping[str, str]
    body: Json
    files: Mapping[str, tuple[str, bytes]]
    at: float = field(default_factory=time.monotonic)
    status: int = 0
    answer: Any = None
    seconds: float = 0.0


@dataclass
class Connection:
    """One websocket: ``how`` is opened, identify, resume or refused; ``closed`` its end's code."""

    path: str
    how: str = "opened"
    session_id: str = ""
    intents: int = 0
    compressed: bool = False
    alive: bool = True
    heartbeats: int = 0
    closed: int | None = None
    at: float = field(default_factory=time.monotonic)


@dataclass
class World:
    """Everything; whoever reads or changes more than one thing holds ``changed``."""

    token: str
    public_key: str
    message_content: bool
    clock: Clock = field(default_factory=Clock)
    origin: str = ""
    acknowledge_within: float = 3.0
    token_life: float = 15 * 60.0
    nonce_window: float = 5 * 60.0
    users: dict[str, User] = field(default_factory=dict)
    guilds: dict[str, Guild] = field(default_factory=dict)
    channels: dict[str, Channel] = field(default_factory=dict)
    messages: dict[str, Message] = field(default_factory=dict)
    interactions: "dict[str, Interaction]" = field(default_factory=dict)
    nonces: dict[tuple[str, str], tuple[str, float]] = field(default_factory=dict)
    commands: list[Json] = field(default_factory=list)
    typings: list[tuple[str, float]] = field(default_factory=list)
    requests: list[Asked] = field(default_factory=list)
    connections: list[Connection] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    late_callbacks: int = 0
    changed: threading.Condition = field(default_factory=threading.Condition)
    listener: Callable[[Event], None] = field(default=lambda _: None)
    _last_id: int = 0

    def __post_init__(self) -> None:
        self.bot = self.add_user("assistant", bot=True)

    @property
    def application_id(self) -> str:
        return self.bot.id

    def new_id(self) -> str:
        """A snowflake: ordered by the clock, never twice."""
        now = (int(self.clock.now() * 1000) - EPOCH) << 22
        self._last_id = max(self._last_id + 1, now)
        return str(self._last_id)

    def add_user(self, name: str, *, bot: bool = False) -> User:
        user = User(self.new_id(), name, bot=bot)
        self.users[user.id] = user
        return user

    def add_channel(self, type: int, **what: Any) -> Channel:
        channel = Channel(what.pop("id", None) or self.new_id(), type, **what)
        self.channels[channel.id] = channel
        return channel

    def dm_with(self, user: User) -> Channel:
        for channel in self.channels.values():
            if channel.type == DM and channel.recipient_id == user.id and channel.bot_here:
                return channel
        return self.add_channel(DM, recipient_id=user.id)

    def add_message(self, **what: Any) -> Message:
        message = Message(id=self.new_id(), at=self.clock.now(), **what)
        self.messages[message.id] = message
        return message

    def edit_message(self, message: Message, **changes: Any) -> Message:
        edited = message.edited(self.clock.now(), changes)
        self.messages[message.id] = edited
        return edited

    def tell(self, event: Event) -> None:
        self.events.append(event)
        self.listener(event)
        self.changed.notify_all()


_USER_MENTION = re.compile(r"<@!?(\d+)>")
_EVERYONE = re.compile(r"@(everyone|here)\b")


def mentioned(world: World, content: str) -> tuple[str, ...]:
    """Ids of the users whom a text mentions, each once."""
    found = _USER_MENTION.findall(content)
    return tuple(dict.fromkeys(id for id in found if id in world.users))


def pinged(world: World, content: str, allowed: Json | None) -> tuple[str, ...]:
    """Whom a message would notify, by its text and its ``allowed_mentions``."""
    everyone = ("everyone",) if _EVERYONE.search(content) else ()
    users = mentioned(world, content)
    if allowed is None:
        return (*everyone, *users)
    kinds = allowed.get("parse", [])
    chosen = [str(id) for id in allowed.get("users", [])]
    told = tuple(id for id in users if "users" in kinds or id in chosen)
    return (*(everyone if "everyone" in kinds else ()), *told)
