"""A part of the assistant is away for ten minutes; then everything ends without a person."""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, cast

import pytest

from assistant.adapters.sql.driver import make_engines
from assistant.bus import Bus
from assistant.domain.approvals.approval import Verb
from assistant.domain.calls.call import Facts
from assistant.domain.calls.effects import EffectState
from assistant.domain.calls.states import CallState
from assistant.domain.conversation.conversation import Turn, Want
from assistant.domain.conversation.deliveries import Attempt, Posted, Shown, ShownKind
from assistant.domain.errors import (
    BLOBS,
    DATABASE,
    DISK,
    Busy,
    Misconfigured,
    Outage,
    Unreachable,
    Unsure,
)
from assistant.domain.jobs.job import Cause
from assistant.domain.mail.mail import MailContext, MailState, Parsed
from assistant.domain.messages import Run
from assistant.domain.store import Store
from assistant.flows.calls import run
from assistant.flows.operations.upkeep import Interval, LeaseWatch, tick
from assistant.tools import Confirmation, Result, Tool, ToolContext, cannot_tell
from ingest.parse import parse
from tests.stores import prepared, sql_store
from tests.tools.lamps import Lamp, lamp_tool
from tests.tools.wired import with_tools
from tests.world import LIMITS, OWNER, HandClock, Queue, World
from workers.wiring import _located, make_routes

_S = CallState
ON = Want(tool="switch_lamp", args={"lamp": "hall", "on": True})
RAW = b"From: Ann <ann@example.org>\r\nSubject: Tea\r\n\r\nTea at four.\r\n"
LONG = "on and on\n" * 3_000


def passes(world: World, *, minutes: int = 10) -> None:
    """Time goes on as it does, and every job is tried whenever it is due."""
    for _ in range(minutes * 12):
        world.settle()
        world.clock.passes(seconds=5)
    world.settle()


def waiting(world: World) -> dict[str, str]:
    """What each job waits for."""
    return {job.id.partition(":")[0]: job.waits_for for job in world.store.jobs() if job.waits_for}


def states_of(world: World) -> list[str]:
    with world.store.read(world.cause) as tx:
        entries = tx.audit(limit=1_000)
    return [entry.kind for entry in entries if entry.kind.startswith("call.")]


# Mails


def test_a_mail_is_read_and_told_after_ten_minutes_without_blobs(world: World) -> None:
    id = world.forwards(RAW, settle=False).id
    began = world.clock.now()
    world.blobs.away = True
    passes(world)
    [mail] = world.mails()
    assert mail.state is MailState.STORED
    [job] = world.store.jobs()
    assert (job.failed, job.waits_for, job.waits_since) == (False, BLOBS, began)
    assert world.wall.shown == {}
    world.blobs.away = False
    passes(world, minutes=1)
    [mail] = world.mails()
    assert (mail.id, mail.state) == (id, MailState.ANNOUNCED)
    assert world.store.jobs() == []


@pytest.mark.parametrize("after", ["it was parsed", "it was read"])
def test_blobs_that_go_away_halfway_hold_no_mail(world: World, after: str) -> None:
    def parsed(raw: bytes, context: MailContext) -> Parsed:
        world.blobs.away = True
        return parse(raw, LIMITS, context)

    if after == "it was parsed":
        world.read = parsed
    world.forwards(RAW, settle=False)
    if after == "it was read":
        world.answer_next()
        world.blobs.away = True
    passes(world)
    assert list(waiting(world).values()) == [BLOBS]
    world.read = lambda raw, context: parse(raw, LIMITS, context)
    world.blobs.away = False
    passes(world, minutes=1)
    assert [mail.state for mail in world.mails()] == [MailState.ANNOUNCED]


def test_a_key_of_the_bucket_that_is_wrong_for_a_while_holds_no_mail(world: World) -> None:
    get = world.blobs.get

    def refuses(name: str) -> bytes:
        del name
        raise Misconfigured("check the access key")

    world.blobs.get = refuses  # type: ignore[method-assign]
    world.forwards(RAW)
    passes(world)
    assert waiting(world) == {"read_mail": BLOBS}
    world.blobs.get = get  # type: ignore[method-assign]
    passes(world, minutes=1)
    assert [mail.state for mail in world.mails()] == [MailState.ANNOUNCED]


def test_a_reader_that_does_not_start_holds_no_mail(world: World) -> None:
    def silent(_raw: bytes, _context: MailContext) -> Parsed:
        raise Outage("it does not start", part="the process that reads mail")

    world.read = silent
    world.forwards(RAW)
    passes(world)
    assert waiting(world) == {"read_mail": "the process that reads mail"}
    world.read = lambda raw, context: parse(raw, LIMITS, context)
    passes(world, minutes=1)
    assert [mail.state for mail in world.mails()] == [MailState.ANNOUNCED]


# Deliveries


class Silent:
    """A channel that does not answer for a while."""

    name = "terminal"
    far = False

    def __init__(self, world: World, error: Callable[[], Exception]) -> None:
        self.world = world
        self.error = error
        self.away = True

    def show(self, place: str, shown: Shown, *, attempt: Attempt) -> Posted:
        if self.away:
            raise self.error()
        return self.world.wall.show(place, shown, attempt=attempt)


@pytest.mark.parametrize("error", [Unreachable, Busy])
def test_cards_receipts_and_notices_are_shown_after_ten_minutes_without_their_channel(
    world: World, error: Callable[[], Exception]
) -> None:
    silent = Silent(world, error)
    world.parts = replace(world.parts, channels={"terminal": silent, "discord": world.far})
    house = with_tools(world, lamp_tool({"hall": Lamp()}))
    house.asks(ON)
    house.forwards(RAW)
    passes(house)
    assert house.wall.shown == {}
    assert set(waiting(house).values()) == {"Terminal"}
    assert not any(job.failed for job in house.store.jobs())
    silent.away = False
    passes(house, minutes=1)
    assert len(house.cards()) == 1
    assert house.words() == ["So be it."]
    assert len(house.words(ShownKind.MAIL)) == 1


@pytest.mark.slow
def test_a_channel_that_is_away_for_days_is_tried_more_rarely(world: World) -> None:
    silent = Silent(world, Unreachable)
    world.parts = replace(world.parts, channels={"terminal": silent})
    house = with_tools(world)
    house.model.will(Turn(text="Hello."))
    house.says("hi")
    waits = []
    for _ in range(700):
        [job] = house.store.jobs()
        waits.append((job.due - house.clock.now()).total_seconds())
        house.clock.time = job.due
        house.settle()
    assert max(waits[:50]) <= 25
    assert 250 <= waits[-1] <= 375
    silent.away = False
    house.clock.passes(minutes=7)
    house.settle()
    assert house.words() == ["Hello."]


# Calls


@dataclass
class Database:
    """The store, which is away while ``away``, and from when one of ``after`` has happened."""

    store: Store
    world: World
    away: bool = False
    lost_commits: int = 0

    def __getattr__(self, name: str) -> Any:
        self._answer()
        return getattr(self.store, name)

    @contextmanager
    def begin(self, cause: Cause) -> Generator[Any]:
        self._answer()
        with self.store.begin(cause) as tx:
            yield tx
        if self.lost_commits:  # it was committed, and nobody was told
            self.lost_commits -= 1
            self._lost()

    def sleep(self, seconds: float) -> None:
        self.world.clock.passes(seconds=seconds)
        self.slept += seconds
        self.away = self.slept < 600

    slept: float = 0.0

    def _answer(self) -> None:
        if self.away:
            self._lost()

    def _lost(self) -> None:
        raise Outage("no answer", part=DATABASE)


def on_database(world: World, *tools: Tool[Any]) -> tuple[World, Database]:
    """The house, where everything that runs a call goes over a database that can be away."""
    database = Database(world.store, world)
    world.parts = replace(world.parts, store=cast("Store", database))
    house = with_tools(world, *tools)
    routes = make_routes(house.parts, house.toolbox)
    ctx = run.RunContext(
        **vars(house.ctx),
        blobs=house.parts.blobs,
        lease=house.parts.lease,
        home=house.parts.home,
        sleep=database.sleep,
    )
    routes[Run] = replace(
        routes[Run], run=_located(run.run, ctx), gave_up=_located(run.gave_up_running, ctx)
    )
    house.bus = Bus(
        routes,
        store=cast("Store", database),
        clock=house.clock,
        worker="test",
        tries=4,
        backoff=float,
        around=house.bus._around,
        sleep=database.sleep,
    )
    return house, database


def kind_of(kind: str, lamps: dict[str, Lamp]) -> Tool[Any]:
    """A keyed tool shows once what is done twice, one that settles can tell, one does neither."""
    tool = lamp_tool(lamps)
    assert tool.change is not None

    def execute(facts: Facts, context: ToolContext) -> Result:
        lamp = lamps[facts.args["lamp"]]
        if kind == "keyed" and context.call in lamp.switches:
            return Result(text="on already", told="on already")
        lamp.switches.append(context.call)
        lamp.on = True
        return Result(text="on", told="on", data=facts.args)

    reconcile = tool.change.reconcile if kind == "settles" else cannot_tell
    return replace(tool, execute=execute, change=replace(tool.change, reconcile=reconcile))


def unasked(tool: Tool[Any]) -> Tool[Any]:
    """The same, run without a yes, so that its whole result is kept in a file."""
    return replace(tool, traits=replace(tool.traits, confirmation=Confirmation.NEVER))


KINDS = pytest.mark.parametrize("kind", ["keyed", "settles", "neither"])


@KINDS
def test_blobs_that_cannot_keep_a_result_leave_a_call_done_once(world: World, kind: str) -> None:
    lamps = {"hall": Lamp()}
    tool = unasked(kind_of(kind, lamps))

    def execute(facts: Facts, context: ToolContext) -> Result:
        result = tool.execute(facts, context)
        world.blobs.away = True
        return result.model_copy(update={"text": LONG})

    house = with_tools(world, replace(tool, execute=execute))
    house.asks(ON)
    passes(house)
    call = house.call("A1")
    assert (call.state, call.fence, call.output) == (_S.DONE, 1, "")
    assert "Output truncated" in call.result
    assert ".results" not in call.result
    assert len(lamps["hall"].switches) == 1
    assert "call.unknown" not in states_of(house)
    with house.store.read(house.cause) as tx:
        assert [effect.state for effect in tx.effects(call.id)] == [EffectState.DONE]


@KINDS
@pytest.mark.parametrize("commits", [0, 1], ids=["away", "commit lost"])
def test_a_database_that_goes_away_after_the_effect_leaves_a_call_done_once(
    world: World, kind: str, commits: int
) -> None:
    lamps = {"hall": Lamp()}
    tool = kind_of(kind, lamps)

    def execute(facts: Facts, context: ToolContext) -> Result:
        result = tool.execute(facts, context)
        database.away, database.lost_commits = not commits, commits
        return result

    house, database = on_database(world, replace(tool, execute=execute))
    house.asks(ON)
    house.presses(Verb.APPROVE)
    assert (house.call("A1").state, house.call("A1").fence) == (_S.DONE, 1)
    assert len(lamps["hall"].switches) == 1
    assert "call.unknown" not in states_of(house)
    assert not [job for job in house.store.jobs() if job.failed]


@KINDS
def test_a_database_that_goes_away_with_the_intent_begins_nothing_and_says_nothing(
    world: World, kind: str
) -> None:
    """Whether the intent was committed is not known to who wrote it."""
    lamps = {"hall": Lamp()}
    tool = kind_of(kind, lamps)
    change = tool.change
    assert change is not None
    lose = [1]

    def effect(facts: Facts, call: str) -> Any:
        if lose:
            database.lost_commits = lose.pop()
        return change.effect(facts, call)

    lost = replace(tool, change=replace(change, effect=effect))
    house, database = on_database(world, lost)
    house.asks(ON)
    house.presses(Verb.APPROVE)
    assert house.states("A1") == [_S.CLEARED]
    assert lamps["hall"].switches == []
    passes(house, minutes=1)
    assert house.states("A1") == [_S.DONE]
    assert len(lamps["hall"].switches) == 1
    assert "call.unknown" not in states_of(house)


def test_what_certainly_did_not_happen_is_not_called_unclear_for_a_database(world: World) -> None:
    lamps = {"hall": Lamp()}
    tool = kind_of("neither", lamps)
    fails = [Unreachable("the lamp")]

    def execute(facts: Facts, context: ToolContext) -> Result:
        if fails:
            database.away = True
            raise fails.pop()
        return tool.execute(facts, context)

    house, database = on_database(world, replace(tool, execute=execute))
    house.asks(ON)
    house.presses(Verb.APPROVE)
    passes(house, minutes=1)
    assert house.states("A1") == [_S.DONE]
    assert "call.unknown" not in states_of(house)


def test_the_world_is_not_asked_too_soon_though_a_commit_was_lost(world: World) -> None:
    """What was sent may still arrive while the tool's time-out lasts."""
    lamps = {"hall": Lamp()}
    tool = kind_of("settles", lamps)

    def execute(facts: Facts, context: ToolContext) -> Result:
        tool.execute(facts, context)
        database.lost_commits = 1
        raise Unsure("no answer")

    house, database = on_database(world, replace(tool, execute=execute))
    house.asks(ON)
    house.presses(Verb.APPROVE)
    assert house.states("A1") == [_S.UNKNOWN]
    [due] = [job.due for job in house.store.jobs() if job.id.startswith("run:")]
    assert (due - house.clock.now()).total_seconds() >= tool.timeout
    passes(house, minutes=1)
    assert house.states("A1") == [_S.DONE]
    assert len(lamps["hall"].switches) == 1


def test_a_call_waits_for_the_blobs_and_keeps_its_one_retry(world: World) -> None:
    lamps = {"hall": Lamp()}
    tool = kind_of("neither", lamps)
    away = [Outage("the bucket", part=BLOBS)] * 20

    def execute(facts: Facts, context: ToolContext) -> Result:
        if away:
            raise away.pop()
        if not retried:
            retried.append(context.call)
            raise Unreachable("the lamp")
        return tool.execute(facts, context)

    retried: list[str] = []
    house = with_tools(world, replace(tool, execute=execute))
    house.asks(ON)
    house.presses(Verb.APPROVE)
    assert waiting(house) == {"run": BLOBS}
    passes(house)
    assert house.states("A1") == [_S.DONE]
    assert len(lamps["hall"].switches) == 1


def test_a_file_is_written_when_the_blobs_are_back(world: World) -> None:
    world.model.will(
        Turn(wants=(Want(tool="write_file", args={"path": "private:/a.txt", "content": "x"}),)),
        Turn(text="Written."),
    )
    put = world.blobs.put
    world.blobs.put = partial(_fail_first, world, put)  # type: ignore[method-assign]
    world.says("write it")
    assert waiting(world) == {"run": BLOBS}
    passes(world)
    assert world.states("A1") == [_S.CLEARED]
    world.blobs.away = False
    world.blobs.put = put  # type: ignore[method-assign]
    passes(world, minutes=1)
    assert world.states("A1") == [_S.DONE]
    assert world.words()[-1] == "Written."


def _fail_first(world: World, put: Callable[[str, bytes], None], name: str, data: bytes) -> None:
    world.blobs.away = True
    put(name, data)


def test_the_reason_for_giving_up_a_call_outlasts_the_blobs_and_the_database(world: World) -> None:
    """The tries of a call are over, its reason is long, and nothing of ours answers."""
    lamps = {"hall": Lamp()}
    tool = kind_of("neither", lamps)
    change = tool.change
    assert change is not None

    def inverse(_facts: Facts, _context: ToolContext) -> Any:
        database.away = True
        database.slept = 599.0  # it is back in a second
        world.blobs.away = True
        raise Unreachable(f"the switchboard {LONG}")

    house, database = on_database(
        world, unasked(replace(tool, change=replace(change, inverse=inverse)))
    )
    house.asks(ON)
    passes(house)
    call = house.call("A1")
    assert call.state is _S.FAILED
    assert "it was not done" in call.told
    assert "the switchboard" in call.told


# The database


def test_claims_are_not_lost_for_a_time_in_which_nobody_could_beat(world: World) -> None:
    """The first look after an outage finds counters that stood still, of workers that live."""
    watch = LeaseWatch(lease=30.0, monotonic=world.clock.monotonic)
    canaries = Interval(3600.0, world.clock.monotonic)
    database = Database(world.store, world)

    def ticks() -> None:
        tick(
            store=cast("Store", database),
            bell=world.queue,
            watch=watch,
            canaries=canaries,
            queues=(),
        )

    world.forwards(RAW, settle=False)
    [job] = world.store.jobs()
    assert world.store.claim(job.id, worker="alive") is not None
    ticks()
    database.away = True
    for _ in range(10):
        world.clock.passes(minutes=1)
        with pytest.raises(Outage):
            ticks()
    database.away = False
    ticks()
    world.clock.passes(seconds=29)
    ticks()
    assert list(world.store.held()) == [job.id]
    world.clock.passes(seconds=1)
    ticks()
    assert world.store.held() == {}


def test_a_full_disk_is_an_outage(tmp_path: Path) -> None:
    engines = prepared(make_engines(f"sqlite:///{tmp_path / 'full.sqlite3'}"))
    store = sql_store(engines, Queue(), HandClock())
    cause = Cause(owner=OWNER, trace="f" * 32)
    with engines.write.connect() as connection:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
        connection.exec_driver_sql(f"PRAGMA max_page_count={pages}")

    def fill() -> None:
        with store.begin(cause) as tx:
            for number in range(1_000):
                tx.emit(Run(id=f"{number:016}"))

    with pytest.raises(Outage, match="full") as raised:
        fill()
    assert raised.value.part == DISK
    engines.dispose()
