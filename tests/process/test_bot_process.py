"""``assistant bot`` against a Discord on loopback: what only a process and a wire can show."""

import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from tests.process.command import run
from tests.servers.discord import DiscordServer, User
from workers.parts import Assistant, silent_assistant
from workers.processes.supervisor import prepare_database
from workers.settings import PREFIX, load

pytestmark = pytest.mark.slow

_REPOSITORY = Path(__file__).parents[2]
PATIENCE = 60.0
"""Seconds; a loaded machine needs a multiple of what it takes."""


class House:
    """A data directory, a Discord, and a bot between them; nobody does any work.

    Args:
        root: of everything it writes.
        discord: running.
        owner: who is listened to.
        more: settings.
    """

    def __init__(self, root: Path, discord: DiscordServer, owner: User, **more: str) -> None:
        self.root = root
        self._more = more
        self.data = root / "data"
        self.discord = discord
        self.owner = owner
        self.processes: list[subprocess.Popen[bytes]] = []

    @property
    def settings(self) -> dict[str, str]:
        return {
            f"{PREFIX}DATA_DIR": str(self.data),
            f"{PREFIX}TIMEZONE": "UTC",
            f"{PREFIX}BROKER_URL": "redis://127.0.0.1:1/0",
            f"{PREFIX}DISCORD_TOKEN": self.discord.token,
            f"{PREFIX}DISCORD_OWNER_IDS": self.owner.id,
            f"{PREFIX}DISCORD_API_BASE": self.discord.api_base,
            f"{PREFIX}DISCORD_GATEWAY": self.discord.gateway_url,
            **{f"{PREFIX}{name.upper()}": value for name, value in self._more.items()},
        }

    def assistant(self) -> Assistant:
        names = {name.removeprefix(PREFIX).lower(): v for name, v in self.settings.items()}
        return silent_assistant(load(_env_file=None, **names))

    def start(self, name: str, **more: str) -> "subprocess.Popen[bytes]":
        """A bot that logs to a file of that name; returns at once."""
        inherited = {k: v for k, v in os.environ.items() if not k.startswith(PREFIX)}
        mine = {f"{PREFIX}{name.upper()}": value for name, value in more.items()}
        with (self.root / f"{name}.log").open("ab") as log:
            process = subprocess.Popen(
                [sys.executable, "-m", "workers.cli", "bot"],
                cwd=self.root,
                env={**inherited, "PYTHONPATH": str(_REPOSITORY), **self.settings, **mine},
                stdin=subprocess.DEVNULL,
                stderr=log,
            )
        self.processes.append(process)
        return process

    def end(self) -> None:
        for process in self.processes:
            with suppress(ProcessLookupError):
                process.kill()
            process.wait()

    def log(self, name: str = "bot") -> str:
        return (self.root / f"{name}.log").read_text()

    def heard(self, words: str) -> int:
        """How often the owner is on record as having said this."""
        return self.count("SELECT count(*) FROM entry WHERE text = ?", words)

    def count(self, statement: str, *values: str) -> int:
        with sqlite3.connect(self.data / "assistant.sqlite3") as connection:
            return int(connection.execute(statement, values).fetchone()[0])

    def until(self, look: Any, what: str) -> Any:
        give_up = time.monotonic() + PATIENCE
        while not (found := look()):
            assert time.monotonic() < give_up, f"{what}\n{self.log()}"
            time.sleep(0.05)
        return found


@pytest.fixture(scope="module")
def discord() -> Iterator[DiscordServer]:
    with DiscordServer() as server:
        yield server


@pytest.fixture(scope="module")
def house(discord: DiscordServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    made = House(tmp_path_factory.mktemp("bot"), discord, discord.user("ann"))
    assistant = made.assistant()
    prepare_database(assistant)
    assistant.close()
    yield made
    made.end()


@pytest.fixture(scope="module", autouse=True)
def mistaken(house: House) -> "subprocess.Popen[bytes]":
    """Another one, started with a token of nobody's; it has ended long before it is looked at."""
    return house.start("mistaken", discord_token="not-the-token")


@pytest.fixture(scope="module")
def bot(house: House) -> "subprocess.Popen[bytes]":
    """Running, for all tests but those that begin or end one."""
    process = house.start("bot")
    house.discord.wait_for_bot(PATIENCE)
    house.until(lambda: house.discord.commands, "the commands are registered")
    return process


@pytest.mark.usefixtures("bot")
def test_what_is_said_directly_is_heard_once_though_the_socket_breaks(house: House) -> None:
    house.discord.say(house.owner, None, "good morning")
    house.until(lambda: house.heard("good morning"), "the words are heard")
    direct = house.discord.dm(house.owner)
    house.until(lambda: house.discord.typings(direct), "it is seen typing")
    house.discord.drop_sockets()
    house.discord.say(house.owner, None, "good evening")
    house.until(lambda: house.heard("good evening"), "what was said meanwhile is replayed")
    assert (house.heard("good morning"), house.heard("good evening")) == (1, 1)
    assert house.discord.connections[-1].how == "resume"


@pytest.mark.usefixtures("bot")
def test_a_command_is_answered_to_the_one_who_gave_it(house: House) -> None:
    given = house.discord.slash(house.owner, None, "help").wait_for_answer()
    assert given.acknowledged_ms < 3_000
    assert given.ephemeral
    assert "Write to me" in given.words


@pytest.mark.usefixtures("bot")
def test_with_a_locked_database_it_acknowledges_in_time_and_answers_later(house: House) -> None:
    with sqlite3.connect(house.data / "assistant.sqlite3") as lock:
        lock.execute("BEGIN EXCLUSIVE")
        given = house.discord.slash(house.owner, None, "new").wait_for_answer()
        assert given.acknowledged_ms < 3_000
        assert given.deferred
        lock.rollback()
    given.wait_for_words("A new conversation", PATIENCE)


@pytest.mark.usefixtures("bot")
def test_what_discord_takes_no_answer_for_is_told_directly(house: House) -> None:
    house.discord.late_callbacks()
    house.discord.slash(house.owner, None, "new")
    house.discord.wait_for_message(house.discord.dm(house.owner), "A new conversation", PATIENCE)


def test_health_and_status_know_that_it_lives(house: House, bot: "subprocess.Popen[bytes]") -> None:
    assert bot.poll() is None
    ended = run("health", "bot", data=house.data, env=house.settings)
    assert (ended.code, ended.out) == (0, "bot: ok\n"), ended
    told = run("status", "--json", data=house.data, env=house.settings).value["discord"]
    assert (told["live"], told["name"]) == (True, "assistant")


def test_two_on_one_token_hear_everything_once(
    house: House, bot: "subprocess.Popen[bytes]"
) -> None:
    second = house.start("second")
    house.discord.wait_for_bot(PATIENCE, count=2)
    house.discord.say(house.owner, None, "hello to both")
    given = house.discord.slash(house.owner, None, "ask", words="ask both").wait_for_answer()
    house.until(lambda: house.heard("hello to both"), "the words are heard")
    house.until(lambda: given.refused, "the slower one is refused")
    second.send_signal(signal.SIGTERM)
    assert second.wait(PATIENCE) == 0
    assert (house.heard("hello to both"), house.heard("ask both")) == (1, 1)
    assert bot.poll() is None


def test_sigterm_ends_it_within_five_seconds_also_when_the_database_hangs(
    house: House, bot: "subprocess.Popen[bytes]"
) -> None:
    with sqlite3.connect(house.data / "assistant.sqlite3") as lock:
        lock.execute("BEGIN EXCLUSIVE")
        house.discord.slash(house.owner, None, "new").wait_for_answer()
        began = time.monotonic()
        bot.send_signal(signal.SIGTERM)
        code = bot.wait(PATIENCE)
        took = time.monotonic() - began
    assert (code, took < 5.0) == (0, True), house.log()
    assert run("health", "bot", data=house.data, env=house.settings).code == 4


def test_a_wrong_token_is_one_plain_line_and_a_configuration_error(
    house: House, mistaken: "subprocess.Popen[bytes]"
) -> None:
    assert mistaken.wait(PATIENCE) == 3
    assert house.log("mistaken").splitlines()[-1] == (
        "assistant: ASSISTANT_DISCORD_TOKEN: Discord does not take it"
    )
    assert "Traceback" not in house.log("mistaken")
