"""The bot on a loopback Discord, with a desk that says what a test has it say."""

import asyncio
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self, cast

import pytest

from assistant.adapters.discord.api import DiscordApi, point_at
from assistant.adapters.discord.message import DiscordMessage
from tests.servers.discord import Channel, DiscordServer, Route, User
from tests.servers.discord import Interaction as Pressed
from tests.servers.discord.state import Event
from workers.data_folder import DataFolder
from workers.discord.commands.words import say
from workers.discord.desk import Desk
from workers.discord.gateway.bot import Bot
from workers.discord.interaction import Interaction, Reply, Way
from workers.discord.said import AnswerProgress, Heard, Said
from workers.settings import only

PATIENCE = 10.0
HURRY = 0.3
"""The patience of a bot whose desk is to be late."""
"""Seconds that this bot waits for the desk."""
AGAIN = 0.05
"""Seconds until it tells commands again that Discord did not take."""


def decided(_: Interaction) -> Reply:
    return say("Done.")


@dataclass
class Told:
    """A desk that does as it is told, and remembers what it heard."""

    says: Callable[[Interaction], Reply] = decided
    hears: Callable[[Said], Heard] = lambda _: Heard()
    takes: float = 0.0
    known: frozenset[str] = frozenset()
    heard: list[Said] = field(default_factory=list)

    @property
    def listening(self) -> "Told":
        return self

    owner = "owner"

    def who(self, id: str) -> str:
        return self.owner if id in self.known else ""

    def everybody(self, _: str) -> tuple[str, ...]:
        return tuple(self.known)

    def answer(self, it: Interaction) -> Reply:
        time.sleep(self.takes)
        return self.says(it)

    def hear(self, said: Said) -> Heard:
        self.heard.append(said)
        return self.hears(said)

    def busy(self, _: str) -> AnswerProgress:
        return AnswerProgress(owed=False)

    def progress(self, conversation: str, line: str, *, after: float = 0.0) -> None:  # the port's
        """Nobody looks at it."""

    def following(self) -> Sequence[str]:
        return ()

    def show_what_is_due(self) -> None:
        """Nothing is."""


class Eager(Bot):
    """Says when it is connected, and not only two seconds after the last server was told of."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.connected = asyncio.Event()

    async def on_connect(self) -> None:
        await super().on_connect()
        self.connected.set()

    async def before_identify_hook(self, _shard: int | None, *, initial: bool = False) -> None:
        """Do not wait five seconds for the next session, as discord.py does."""


class Running:
    """A bot on a loop of its own thread."""

    def __init__(
        self, discord: DiscordServer, desk: Told | Desk, *, data_folder: DataFolder | None = None
    ) -> None:
        self._discord = discord
        self._desk = cast("Desk", desk)
        self._house = data_folder
        self._thread = threading.Thread(target=lambda: asyncio.run(self._run()))
        self._stop = asyncio.Event()
        self._up = threading.Event()

    def __enter__(self) -> Self:
        self._thread.start()
        assert self._up.wait(10)
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(10)

    async def _run(self) -> None:
        self._loop = asyncio.get_running_loop()
        with ThreadPoolExecutor(4) as pool:
            self.bot = bot = Eager(
                self._desk, pool=pool, data_folder=self._house, patience=PATIENCE, again=AGAIN
            )
            async with bot:
                running = asyncio.create_task(bot.start(self._discord.token))
                await bot.connected.wait()
                self._up.set()
                await self._stop.wait()
                running.cancel()
                await bot.leave()


@dataclass
class Scene:
    discord: DiscordServer
    desk: Told
    ann: User
    bob: User
    general: Channel
    running: Running

    @property
    def direct(self) -> Channel:
        return self.discord.dm(self.ann)

    def press(self) -> Pressed:
        button = {"type": 2, "style": 1, "label": "Approve", "custom_id": "a:token"}
        gateway = self.discord.gateway_url  # of the whole process: the bot's as well
        api = DiscordApi(self.discord.token, base=self.discord.api_base, gateway=gateway)
        row = {"type": 1, "components": [button]}
        sent = api.send(self.direct.id, {"content": "Well?", "components": [row]})
        api.close()
        return self.discord.press(self.ann, sent["id"], "Approve")

    def said(self) -> Said:
        """What the desk heard next."""
        self.discord.wait_until(lambda: self.desk.heard, what="something heard")
        return self.desk.heard.pop(0)


@pytest.fixture(scope="module")
def discord() -> Iterator[DiscordServer]:
    with DiscordServer() as server:
        point_at(server.api_base, server.gateway_url)
        yield server
        point_at("", "")


@pytest.fixture(scope="module")
def stage(discord: DiscordServer) -> Iterator[Scene]:
    ann, bob = discord.user("ann"), discord.user("bob")
    general = discord.channel(discord.guild("home", ann, bob), "general")
    desk = Told()
    with Running(discord, desk) as running:
        yield Scene(discord, desk, ann, bob, general, running)


@pytest.fixture
def late(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> Scene:
    """The desk takes longer than the bot waits for it."""
    monkeypatch.setattr(scene.running.bot._answering, "_patience", HURRY)
    scene.desk.takes = HURRY * 3
    return scene


@pytest.fixture
def scene(stage: Scene) -> Scene:
    stage.desk.__init__(known=frozenset({stage.ann.id}))  # type: ignore[misc]  # the bot has it
    stage.discord.faults.clear()
    return stage


def test_what_is_decided_in_time_is_the_answer(scene: Scene) -> None:
    pressed = scene.press().wait_for_answer()
    assert (pressed.text, pressed.ephemeral, pressed.deferred) == ("Done\\.", True, False)


def test_what_takes_longer_is_acknowledged_and_follows(late: Scene) -> None:
    pressed = late.press().wait_for_answer()
    assert pressed.deferred
    pressed.wait_for_words("Done")


def test_an_answer_whose_token_died_meanwhile_is_told_directly(late: Scene) -> None:
    scene = late
    scene.desk.says = lambda _: say("It was approved.")
    pressed = scene.press().wait_for_answer()
    pressed.age(16 * 60)
    scene.discord.wait_for_message(scene.direct, "It was approved")


def test_a_lost_callback_is_sent_once_more(scene: Scene) -> None:
    scene.discord.faults.lose_answer(Route.CALLBACK)
    pressed = scene.press().wait_for_answer()
    scene.discord.wait_until(lambda: pressed.refused, what="the second try")
    assert pressed.text == "Done\\."
    assert pressed.refused == [40060]


def test_of_two_bots_the_slower_one_keeps_quiet(scene: Scene) -> None:
    with Running(scene.discord, Told(says=lambda _: say("Another said it."))):
        pressed = scene.press().wait_for_answer()
        scene.discord.wait_until(lambda: pressed.refused, what="the other's answer")
    assert (pressed.refused, pressed.followups) == ([40060], [])
    assert not [m for m in scene.discord.answers(scene.direct) if "Another" in m.words]


def test_a_form_is_opened(scene: Scene) -> None:
    typed = {"type": 4, "custom_id": "text", "style": 1, "label": "Why?"}
    form = {"title": "Deny A1", "custom_id": "a:token"}
    rows = [{"type": 1, "components": [typed]}]
    scene.desk.says = lambda _: Reply(way=Way.MODAL, modal={**form, "components": rows})
    pressed = scene.press().wait_for_answer()
    assert pressed.modal is not None
    assert pressed.modal["title"] == "Deny A1"


def test_files_come_with_an_answer(scene: Scene) -> None:
    whole = DiscordMessage(content="All of it:", files=(("details.txt", b"all of it"),))
    scene.desk.says = lambda _: Reply(way=Way.SAY, message=whole)
    pressed = scene.press().wait_for_answer()
    assert pressed.message is not None
    assert [one.content for one in pressed.message.attachments] == [b"all of it"]


def test_whatever_breaks_becomes_words(scene: Scene) -> None:
    def broken(_: Interaction) -> Reply:
        raise RuntimeError

    scene.desk.says = broken
    assert "Something went wrong" in scene.press().wait_for_answer().text


def test_what_nobody_can_read_is_no_end(scene: Scene) -> None:
    with scene.discord.world.changed:
        scene.discord.world.tell(Event("INTERACTION_CREATE", {"type": 99, "id": "1"}))
    assert scene.press().wait_for_answer().text == "Done\\."


def test_direct_messages_are_heard_with_what_came_along(scene: Scene) -> None:
    files = {"notes.txt": b"the plan", "photo.png": b"\x89PNG"}
    scene.discord.say(scene.ann, None, "look", attachments=files)
    said = scene.said()
    assert (said.text, said.private, said.user) == ("look", True, scene.ann.id)
    assert [one.source for one in said.quoted] == [
        "the attachment notes.txt of ann",
        "the attachment photo.png of ann",
    ]
    assert said.quoted[0].text == "the plan"
    assert "not read" in said.quoted[1].text


def test_a_strangers_attachments_are_not_fetched(scene: Scene) -> None:
    scene.discord.say(scene.bob, None, "look", attachments={"notes.txt": b"the plan"})
    assert ["not read" in one.text for one in scene.said().quoted] == [True]


def test_in_a_server_only_what_is_for_us_is_heard(scene: Scene) -> None:
    scene.discord.say(scene.ann, scene.general, "not for us")
    scene.discord.say(scene.ann, scene.general, "for us", mentions_bot=True)
    said = scene.said()
    assert (said.text, said.mentioned, said.threadable) == ("for us", True, True)


def test_in_a_thread_it_says_what_the_thread_hangs_on(scene: Scene) -> None:
    thread = scene.discord.thread(scene.general, "talk", scene.ann)
    scene.discord.say(scene.ann, thread, "here", mentions_bot=True)
    said = scene.said()
    assert (said.parent, said.channel, said.threadable) == (scene.general.id, thread.id, False)


def test_what_is_forwarded_is_quoted(scene: Scene) -> None:
    theirs = scene.discord.say(scene.bob, scene.general, "delete everything")
    scene.discord.say(scene.ann, None, forwarded=theirs)
    said = scene.said()
    assert (said.text, [one.text for one in said.quoted]) == ("", ["delete everything"])


def test_what_is_to_be_told_at_once_is_a_reply_that_notifies_nobody(scene: Scene) -> None:
    scene.desk.hears = lambda _: Heard(reply="say it again, @everyone")
    said = scene.discord.say(scene.ann, scene.general, "hello", mentions_bot=True)
    told = scene.discord.wait_for_message(scene.general, "say it again")
    assert (told.reply_to, told.pinged) == (said.id, ())


def test_a_stranger_is_told_alone(scene: Scene) -> None:
    scene.desk.hears = lambda _: Heard(refused=True, reply="I do not know you.")
    scene.discord.say(scene.bob, scene.general, "hello", mentions_bot=True)
    scene.discord.wait_for_message(scene.discord.dm(scene.bob), "I do not know you")
    assert not [m for m in scene.discord.answers(scene.general) if "know you" in m.words]


def test_a_stranger_who_takes_no_messages_is_no_trouble(scene: Scene) -> None:
    scene.discord.refuse_dms(scene.bob)
    scene.desk.hears = lambda _: Heard(refused=True, reply="Nor now.")
    scene.discord.say(scene.bob, scene.general, "hello", mentions_bot=True)
    scene.said()
    assert scene.press().wait_for_answer().text == "Done\\."
    scene.discord.refuse_dms(scene.bob, refused=False)


def test_discord_is_told_the_commands_once(scene: Scene, tmp_path: Path) -> None:
    data_folder = DataFolder(only(data_dir=tmp_path))
    data_folder.open()
    before = len(scene.discord.requests(Route.UPSERT_COMMANDS))
    for _ in range(2):
        with Running(scene.discord, Told(), data_folder=data_folder):
            scene.discord.wait_until(lambda: data_folder.commands_told, what="commands")
    assert len(scene.discord.requests(Route.UPSERT_COMMANDS)) == before + 1
    [command] = [one for one in scene.discord.commands if one["name"] == "ask"]
    assert (command["integration_types"], command["contexts"]) == ([0, 1], [0, 1, 2])


def test_commands_that_discord_did_not_take_are_told_again(scene: Scene, tmp_path: Path) -> None:
    data_folder = DataFolder(only(data_dir=tmp_path))
    data_folder.open()
    before = len(scene.discord.requests(Route.UPSERT_COMMANDS))
    scene.discord.faults.fail(Route.UPSERT_COMMANDS, 400, code=50035, times=2)
    with Running(scene.discord, Told(), data_folder=data_folder):
        scene.discord.wait_until(lambda: data_folder.commands_told, what="commands")
    assert len(scene.discord.requests(Route.UPSERT_COMMANDS)) == before + 3


@pytest.mark.parametrize("granted", [False, True])
def test_it_asks_for_content_only_where_that_was_granted(granted: bool) -> None:  # noqa: FBT001 (a case)
    with DiscordServer(message_content=granted) as discord:
        point_at(discord.api_base, discord.gateway_url)
        with Running(discord, Told()):
            intents = discord.connections[-1].intents
    assert bool(intents & 1 << 15) is granted
    assert intents & ~(1 << 15) == 1 << 0 | 1 << 9 | 1 << 12


def test_what_was_said_between_two_sessions_is_read_in_the_next(discord: DiscordServer) -> None:
    with DiscordServer() as other:
        point_at(other.api_base, other.gateway_url)
        ann, bob = other.user("ann"), other.user("bob")
        desk = Told(known=frozenset({ann.id}))
        with Running(other, desk):
            other.invalidate_sessions(tell=False)
            other.gateway_down()
            for said in ("one", "two"):
                other.say(ann, None, said)
            other.say(bob, None, "who is nobody here")
            other.gateway_up()
            other.wait_until(lambda: len(desk.heard) > 1, 20, "both heard")
    point_at(discord.api_base, discord.gateway_url)
    assert [said.text for said in desk.heard] == ["one", "two"]
