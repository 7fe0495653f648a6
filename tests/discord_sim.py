"""The whole assistant on a Discord without a wire: the real bot, the real desk, the real channel.

SimCord stands in for Discord, behind discord.py's own HTTP client and the gateway's parsers. The
bot has a loop and threads of its own; the workers run in the test's thread, while they are let.
"""

import asyncio
import threading
from collections.abc import Coroutine, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

import discord
from simcord import ChannelHandle, Env, InteractionResult, MemberActor, UserHandle
from simcord.http.client import FakeHTTPClient

from assistant.adapters.discord.api import DiscordApi
from assistant.adapters.discord.channel import DiscordChannel
from assistant.domain.conversation.deliveries import Home
from tests.discord_world import Discord
from tests.world import HandClock, MakeStore, World
from workers.discord.desk import Desk
from workers.discord.gateway.bot import Bot

T = TypeVar("T")

PAUSE = 60.0
"""Virtual seconds between two looks at how far an answer is: none comes unless time is moved."""
HANGS = 20.0
"""Seconds after which what is asked of the loop hangs."""


@dataclass(frozen=True)
class Seen:
    """A message as somebody reads it."""

    message: discord.Message

    @property
    def text(self) -> str:
        """The words of its content, embeds and files' names, without escapes."""
        parts: list[str | None] = [self.message.content]
        for embed in self.message.embeds:
            parts += [embed.author.name, embed.title, embed.description]
            parts += [f"{one.name}: {one.value}" for one in embed.fields]
            parts.append(embed.footer.text)
        parts += [file.filename for file in self.message.attachments]
        return "\n".join(filter(None, parts)).replace("\\", "")

    @property
    def buttons(self) -> list[str]:
        rows = [row for row in self.message.components if isinstance(row, discord.ActionRow)]
        there = [one for row in rows for one in row.children if isinstance(one, discord.Button)]
        return [str(one.label) for one in there]

    @property
    def choices(self) -> dict[str, str]:
        """What its lists offer, by label: what is chosen."""
        rows = [row for row in self.message.components if isinstance(row, discord.ActionRow)]
        lists = [one for row in rows for one in row.children if isinstance(one, discord.SelectMenu)]
        return {option.label: option.value for one in lists for option in one.options}


@dataclass(frozen=True)
class Answered:
    """What an interaction was answered with."""

    result: InteractionResult

    @property
    def text(self) -> str:
        return self.seen.text

    @property
    def buttons(self) -> list[str]:
        return self.seen.buttons

    @property
    def seen(self) -> Seen:
        assert self.result.response, f"not answered by a message: {self.result}"
        return Seen(self.result.response.message)

    @property
    def private(self) -> bool:
        return self.result.ephemeral

    @property
    def title(self) -> str:
        """A form's."""
        return str(self._form["title"])

    @property
    def labels(self) -> dict[str, str]:
        """What a form asks for, by the inputs' names."""
        return {row["component"]["custom_id"]: row["label"] for row in self._form["components"]}

    @property
    def held(self) -> dict[str, str]:
        """What a form holds before anybody types."""
        inputs = [row["component"] for row in self._form["components"]]
        return {one["custom_id"]: one.get("value", "") for one in inputs}

    @property
    def _form(self) -> dict[str, Any]:
        assert self.result.modal, f"not answered by a form: {self.result}"
        return self.result.modal


class Granted(Bot):
    """A bot that Discord lets read what is not said to it."""

    async def setup_hook(self) -> None:
        self._connection.application_flags = discord.ApplicationFlags(gateway_message_content=True)
        await super().setup_hook()


class Stage:
    """Ann, to whom the assistant listens, Mallory, to whom it does not, and a server of theirs.

    Args:
        env: SimCord's, begun.
        loop: where it lives.
        pool: the bot's threads.
        store: makes the world's.
        notices: whether they go to the room, where others read as well.
        known: whether the settings name Ann; otherwise she pairs.
        world: what else is said to the ``World``.
    """

    def __init__(
        self,
        env: Env,
        loop: "Loop",
        pool: ThreadPoolExecutor,
        store: MakeStore,
        *,
        notices: bool = False,
        known: bool = True,
        **world: Any,
    ) -> None:
        self.env = env
        self._loop = loop
        self._pool = pool
        self.ann, self.mallory = env.create_user("ann"), env.create_user("mallory")
        guild = env.create_guild("The assistant")
        self.room = guild.create_text_channel("kitchen")
        self._members = {one.id: guild.add_member(one) for one in (self.ann, self.mallory)}
        clock = HandClock()
        api = DiscordApi(http=FakeHTTPClient(env.backend, loop.loop), run=loop.run)
        self.world = World(
            store,
            clock=clock,
            home=Home(channel="discord", place="home"),
            discord=DiscordChannel(
                api,
                people=lambda: [str(self.ann.id)],
                channel=str(self.room.id) if notices else "",
                clock=clock,
                known=lambda _: (),  # nothing that was posted gets lost here
            ),
            **world,
        )
        named = frozenset({str(self.ann.id)}) if known else frozenset[str]()
        self.people = Discord(self.world, named=named)
        self.people.works()
        self.working = True
        """Whether workers run."""
        self.bot = self._starts(Bot, self.people.desk)

    def restarts(self, kind: type[Bot] = Bot, *, desk: Desk | None = None) -> None:
        """Another process takes the place of the bot's, and knows nothing of it."""
        self.leaves()
        self.bot = self._starts(kind, desk or self.people.make_desk())

    def leaves(self) -> None:
        self._loop.run(self.bot.close())

    def _starts(self, kind: type[Bot], desk: Desk) -> Bot:
        bot = kind(desk, pool=self._pool, pause=PAUSE, patience=HANGS)
        self._loop.run(self.env.restart_bot(bot))
        return bot

    @property
    def me(self) -> str:
        """A mention of the assistant."""
        return f"<@{self.env.backend.bot_user.id}>"

    # What people do.

    def writes(self, text: str, *, who: UserHandle | None = None, **more: Any) -> None:
        """In their direct messages with the assistant."""
        self._do((who or self.ann).send_dm(text, **more))

    def writes_in(
        self, place: ChannelHandle, text: str, *, who: UserHandle | None = None, **more: Any
    ) -> None:
        """In a channel or a thread of the server."""
        self._do(self.member(who).send(place, text, **more))

    def slash(
        self,
        command: str,
        /,
        *,
        place: ChannelHandle | None = None,
        who: UserHandle | None = None,
        **options: str,
    ) -> Answered:
        """A command, in their direct messages or in a place of the server."""
        if place is None:
            return self._answered((who or self.ann).slash(command, **options))
        return self._answered(self.member(who).slash(place, command, **options))

    def asks_about(self, message: discord.Message, *, who: UserHandle | None = None) -> Answered:
        """``Ask about this`` on the menu of a message in the room."""
        member = self.member(who)
        return self._answered(member.context_menu(self.room, "Ask about this", message))

    def types(self, command: str, option: str, text: str = "") -> list[str]:
        """Half an option; what is offered for it."""
        offered = self._do(self.ann.autocomplete(command, option, text))
        return [str(one["value"]) for one in offered]

    def presses(
        self, label: str, on: Seen | Answered, *, who: UserHandle | None = None
    ) -> Answered:
        """A button of a message or of an answer."""
        seen = on.seen if isinstance(on, Answered) else on
        actor = self.member(who) if seen.message.guild else (who or self.ann)
        return self._answered(actor.click(seen.message, label=label))

    def chooses(
        self, label: str, on: Seen | Answered, *, who: UserHandle | None = None
    ) -> Answered:
        """From the list of a message or of an answer."""
        seen = on.seen if isinstance(on, Answered) else on
        actor = self.member(who) if seen.message.guild else (who or self.ann)
        return self._answered(actor.select(seen.message, [seen.choices[label]]))

    def fills(self, form: Answered, /, **fields: str) -> Answered:
        """Ann sends a form; what is not named stays as it was."""
        actor = self.member() if form.result._interaction.guild_id else self.ann
        return self._answered(actor.submit_modal(form.result, form.held | fields))

    def member(self, who: UserHandle | None = None) -> MemberActor:
        return self._members[(who or self.ann).id]

    def refuses(self, method: str, path: str, *, status: int, code: int) -> None:
        """Discord, from now on."""
        self._loop.run(
            _later(
                lambda: self.env.inject_error(method, path, status=status, code=code, times=None)
            )
        )

    def refuses_nothing(self) -> None:
        """From now on."""
        self._loop.run(_later(self.env.backend.faults.clear))

    def waits(self, seconds: float = PAUSE + 1) -> None:
        """Time passes on Discord, and with it comes the next look at how far an answer is."""
        self._do(self.env.advance_time(seconds))

    # What they see.

    def reads(self, place: ChannelHandle | None = None) -> list[Seen]:
        """What the assistant has said in a place, or to Ann directly; the oldest first."""
        bot = self.env.backend.bot_user.id
        said = [one for one in self.said_in(place or self.ann.dm_channel) if one.author.id == bot]
        return [Seen(one) for one in said if not (one.flags.ephemeral or one.is_system())]

    def said_in(self, place: ChannelHandle) -> list[discord.Message]:
        """What anybody has."""
        return self._loop.run(_later(place.history))

    def last(self, place: ChannelHandle | None = None) -> Seen:
        return self.reads(place)[-1]

    # How it comes about.

    def is_called(self, name: str) -> None:
        """The assistant, by everybody."""
        assert self.bot.user
        self.runs(self.bot.user.edit(username=name))

    def runs(self, work: Coroutine[Any, Any, T]) -> T:
        """On the loop, and nothing else meanwhile."""
        return self._loop.run(work)

    def delivers(self) -> None:
        """The workers do what lies before them now, but for the thinking."""
        for bell in (*self.world.queue.bells, *self.world.store.due()):
            if bell.kind == "deliver":
                self.world.bus.answer(bell.job)

    def settle(self) -> None:
        """Until the workers and the bot have nothing left to do now."""
        self.world.settle()
        self._loop.run(self.env.settle())

    def _answered(self, work: Coroutine[Any, Any, InteractionResult]) -> Answered:
        return Answered(self._do(work))

    def _do(self, work: Coroutine[Any, Any, T]) -> T:
        done = self._loop.start(work)
        while self.working and not wait({done}, timeout=0.01).done:
            self.world.settle()  # it may wait for them
        answer = done.result(HANGS)
        if self.working:
            self.settle()
        return answer


class Loop:
    """An event loop in a thread of its own."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self.loop.run_forever, name="discord", daemon=True)
        self._thread.start()

    def start(self, work: Coroutine[Any, Any, T]) -> "Future[T]":
        return asyncio.run_coroutine_threadsafe(work, self.loop)

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        return self.start(work).result(HANGS)

    def close(self) -> None:
        self.loop.call_soon_threadsafe(self.loop.stop)
        self._thread.join()
        self.loop.close()


async def _later(work: Any) -> Any:
    return work()


async def _env() -> Env:
    client = discord.Client(intents=discord.Intents(guilds=True))
    # A busy machine takes longer than 5 s. A timer beyond this counts as settled, and must.
    env = Env(client, settle_timeout=15.0)
    await env.start()
    return env


@contextmanager
def staged(store: MakeStore, **how: Any) -> Iterator[Stage]:
    """``how``: see ``Stage``. What went wrong within the bot is raised at the end."""
    loop = Loop()
    pool = ThreadPoolExecutor(4, thread_name_prefix="desk")
    env = loop.run(_env())
    stage = Stage(env, loop, pool, store, **how)
    try:
        yield stage
        loop.run(env.settle())
        loop.run(_later(env.raise_errors))
    finally:
        stage.leaves()
        loop.run(env.shutdown())
        pool.shutdown()
        loop.close()
