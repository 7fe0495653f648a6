"""From a press on Discord to the start of the tool, beside a queue that flushes as often: twice."""

import os
import sys
import time
from collections.abc import Callable, Generator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from secrets import token_hex
from statistics import median
from typing import Any

from assistant.domain.calls.call import Call
from assistant.domain.conversation.conversation import Entry, Origin, Role, Want
from assistant.domain.ids import new_id
from assistant.domain.messages import Queue, ReadMail
from assistant.flows.calls.judge import inspect_all, judge_turn
from assistant.flows.calls.record import advance, record_call
from assistant.flows.conversation.hear import begin_anew
from tests.bench import tool
from tests.bench.calls import PAUSE, databases
from tests.bench.comparison import Comparison, compare
from tests.bench.ground import WAIT, running, worker
from tests.bench.marks import Marks
from tests.bench.worker import FORKED, ended, entered
from tests.servers.discord import DiscordServer, Message, User
from workers.discord.desk import Desk, make_desk
from workers.discord.interaction import parse
from workers.discord.place import CHANNEL, alone
from workers.embedded import valkey
from workers.embedded.http_probe import free_port
from workers.parts import Assistant, rung_assistant
from workers.processes.supervisor import prepare_database
from workers.settings import PREFIX, Settings, load

SHARE = 20
"""One press for so many calls of the other benchmarks: each has a life before and after it."""
_REPOSITORY = Path(__file__).parents[2]


def bench_pressing(folder: Path, *, size: int, rounds: int) -> list[Comparison]:
    """Milliseconds, the median of ``size / 20`` presses, each made when all is at rest."""
    found: list[Comparison] = []
    times = max(1, size // SHARE)
    with databases() as urls:
        for name, url in urls.items():
            with _house(folder / name, url) as house:
                found.extend(_bench(name, house, times, rounds))
    return found


def _bench(name: str, house: "_House", times: int, rounds: int) -> list[Comparison]:
    def latency(what: str, press: Callable[[Message], float]) -> Comparison:
        return compare(
            f"{what}, {name}",
            "ms",
            ours=partial(house.pressed, press, times),
            beside=partial(house.idle, times),
            rounds=rounds,
        )

    return [
        latency("press to tool start", house.press),
        latency("the same from the gateway's event", house.press_afar),
    ]


@dataclass
class _House:
    """What ``assistant up`` runs with a token of Discord's, and one worker more that is idle."""

    folder: Path
    assistant: Assistant
    desk: Desk
    discord: DiscordServer
    owner: User

    @cached_property
    def _started(self) -> Marks:
        return Marks(self.folder / "started")

    @cached_property
    def _entered(self) -> Marks:
        return entered(self.folder)

    @cached_property
    def _ended(self) -> Marks:
        return ended(self.folder)

    # Ours

    def pressed(self, press: Callable[[Message], float], times: int) -> float:
        """Milliseconds from the press until the tool begins; the median."""
        store, place = self.assistant.store, alone(self.owner.id)
        begin_anew(channel=CHANNEL, place=place, cause=self.assistant.cause(), store=store)
        return median(self._until_started(press) for _ in range(times)) * 1000

    def press(self, card: Message) -> float:
        """Tell the desk, as the bot does once it has read what came; when that was."""
        it = parse(self._raw(card))
        began = time.monotonic()
        self.desk.answer(it)
        return began

    def press_afar(self, card: Message) -> float:
        """Send the event to the bot; when that was."""
        return self.discord.press(self.owner, card, "Approve").began

    def _raw(self, card: Message) -> dict[str, Any]:
        return self.discord.raw_interaction("press", self.owner, card, "Approve").json

    def _until_started(self, press: Callable[[Message], float]) -> float:
        card = self._card(self._ask())
        self._rest()
        self._started.clear()
        began = press(card)
        return self._started.wait_for(1, seconds=WAIT) - began

    def _ask(self) -> Call:
        """A call that waits for a yes, placed as a model's is."""
        cause, ctx = self.assistant.cause(), self.assistant.ctx
        want = Want(tool=tool.NAME, args={"file": str(self.folder / "started")})
        with self.assistant.store.begin(cause) as tx:
            policy_context = ctx.policy_context(tx)
            conversation = tx.conversation_in(CHANNEL, alone(self.owner.id), idle=float("inf"))
            inspected = inspect_all(
                [want],
                conversation=conversation,
                tainted=False,
                cause=cause,
                ctx=ctx,
                now=policy_context.now,
            )
            [judged] = judge_turn(inspected, conversation, policy_context, ctx)
            said = Entry(role=Role.ASSISTANT, origin=Origin.ASSISTANT, text="")
            turn = tx.append(conversation.id, said, answer=False)
            call = record_call(tx, judged.model_copy(update={"turn": turn}), ctx=ctx)
            advance(tx, conversation, turn, now=policy_context, ctx=ctx)
        return call

    def _card(self, call: Call) -> Message:
        where = self.discord.dm(self.owner)
        return self.discord.wait_for_message(where, f"{call.handle} · ", WAIT)

    def _rest(self) -> None:
        """Wait until nothing is to be done but what is due later, and a little longer."""
        give_up = time.monotonic() + WAIT
        while left := [
            job for job in self.assistant.store.jobs() if not job.id.startswith("expire:")
        ]:
            if time.monotonic() > give_up:
                raise TimeoutError(f"it does not come to rest: {left[0]}")
            time.sleep(0.01)
        time.sleep(PAUSE)

    # Beside

    def idle(self, times: int) -> float:
        """Milliseconds from before a job is written until its handler has written; the median."""
        return median(self._once() for _ in range(times)) * 1000

    def _once(self) -> float:
        self._rest()
        self._entered.clear()
        self._ended.clear()
        began = time.monotonic()
        with self.assistant.store.begin(self.assistant.cause()) as tx:
            tx.emit(ReadMail(id=new_id()))
        self._ended.wait_for(1, seconds=WAIT)
        return self._entered.wait_for(1, seconds=WAIT) - began


@contextmanager
def _house(folder: Path, database_url: str) -> Generator[_House]:
    """Everything up and warm; SQLite in ``folder`` unless a database is named."""
    folder.mkdir()
    tool.install(folder / "site")
    with ExitStack() as held:
        discord = held.enter_context(DiscordServer())
        owner = discord.user("owner")
        files = valkey.prepare(folder / "valkey", port=free_port(), password=token_hex(8))
        held.enter_context(running(valkey.command(files), folder / "valkey.log"))
        valkey.wait_until_ready(files.url)
        given = {
            "data_dir": str(folder),
            "database_url": database_url,
            "broker_url": files.url,
            "log_level": "warning",
            "tools": tool.NAME,
            "discord_token": discord.token,
            "discord_owner_ids": owner.id,
            "discord_api_base": discord.api_base,
            "discord_gateway": discord.gateway_url,
        }
        held.enter_context(_found(folder / "site"))
        settings = load(**given)
        assistant = rung_assistant(settings)
        held.callback(assistant.close)
        prepare_database(assistant)
        for role, command in _commands(settings).items():
            environment = _environment(given, folder / "site")
            held.enter_context(running(command, folder / f"{role}.log", environment))
        held.enter_context(worker(FORKED, folder, settings))
        made = _House(folder, assistant, make_desk(assistant), discord, owner)
        discord.wait_for_bot(WAIT)
        _ = made.pressed(made.press, 1), made.idle(settings.tool_processes)
        yield made


def _commands(settings: Settings) -> dict[str, list[str]]:
    """The processes as ``assistant up`` starts them; the queue of the idle one is its own."""
    own = [sys.executable, "-m", "workers.cli"]
    threads = ["--pool", "threads", "--concurrency", str(settings.threads)]
    processes = ["--pool", "processes", "--concurrency", str(settings.tool_processes)]
    return {
        "worker": [*own, "worker", Queue.INTERACTIVE.value, Queue.SLOW.value, *threads],
        "tools": [*own, "worker", Queue.TOOLS.value, *processes],
        "bot": [*own, "bot"],
    }


def _environment(given: dict[str, str], site: Path) -> dict[str, str]:
    inherited = {key: value for key, value in os.environ.items() if not key.startswith(PREFIX)}
    mine = {f"{PREFIX}{name.upper()}": value for name, value in given.items()}
    return {**inherited, **mine, "PYTHONPATH": os.pathsep.join((str(_REPOSITORY), str(site)))}


@contextmanager
def _found(site: Path) -> Generator[None]:
    """What is installed there is installed here."""
    sys.path.append(str(site))
    try:
        yield
    finally:
        sys.path.remove(str(site))
