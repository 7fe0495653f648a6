"""What an older revision of the program left behind, opened by this one."""

import json
import sqlite3
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, insert, select, text
from sqlmodel import SQLModel

from assistant.adapters.sql.driver import Engines, make_engines
from assistant.adapters.sql_screen import SqlScreen
from assistant.domain.approvals.approval import Approval, Verb
from assistant.domain.calendar.events import Event
from assistant.domain.calls.call import Call
from assistant.domain.conversation.conversation import Turn, Want
from assistant.domain.conversation.deliveries import Delivery, Home, Shown
from assistant.domain.errors import NotFound
from assistant.domain.limits import CallLimits
from assistant.flows.render.cards import card_id
from tests.discord_world import Discord
from tests.memory_blobs import MemoryBlobs
from tests.memory_calendar import MemoryCalendar
from tests.servers.postgres import PostgresServer
from tests.stores import sql_store, sqlite_engines
from tests.world import OWNER, HandClock, Weather, World
from workers import migrate
from workers.wiring import make_context, make_toolbox, wire

HERE = Path(__file__).parent
DUMP = HERE / "before_recut.sql"
BEFORE_PLANS = HERE / "before_plans.sql"
WHERES = ("terminal", "discord")
on_both = pytest.mark.parametrize(
    "left", ["sqlite", pytest.param("postgres", marks=pytest.mark.weather)], indirect=True
)
"""Over both databases; a test without this runs over SQLite."""
_COUNTED = ("audit", "mail", "model_use", "screen")
"""Tables whose rows Postgres numbers by itself."""


class LeftCalendar(MemoryCalendar):
    """The calendar as it was; ``written`` names the event of each change made since."""

    def __init__(self, known: Mapping[str, Any]) -> None:
        super().__init__()
        self.written: list[str] = []
        for one in known["events"]:
            event = Event.model_validate(one["event"])
            self._stored[event.uid] = event
            if one["object"]:
                self._objects[event.uid] = one["object"].encode()
        for _ in range(known["next"]):  # etags grow: none is given twice
            next(self._versions)

    def create(self, event: Event) -> str:
        etag = super().create(event)
        self.written.append(event.uid)
        return etag

    def update(self, event: Event) -> str:
        etag = super().update(event)
        self.written.append(event.uid)
        return etag

    def delete(self, uid: str, *, etag: str) -> None:
        super().delete(uid, etag=etag)
        self.written.append(uid)

    def restore(self, uid: str, ics: bytes, *, etag: str) -> str:
        made = super().restore(uid, ics, etag=etag)
        self.written.append(uid)
        return made


@dataclass
class Left:
    """The assistant over what was left, with people at the terminal and on Discord.

    ``known`` is what nobody can tell from the rows: what the buttons carry, what is in the calendar
    and in the blobs, and by which names the tests call the calls.
    """

    engines: Engines
    known: Mapping[str, Any]
    world: World
    discord: Discord
    calendar: LeftCalendar

    def handle(self, name: str) -> str:
        """``A17`` for what a test calls ``create_event/terminal``."""
        return str(self.known["names"][name])

    def call(self, name: str) -> Call:
        return self.world.call(self.handle(name))

    def after(self, name: str, more: int) -> Call:
        """A call that was asked for in one turn with this one, so many places later."""
        return self.call(f"{name}.{more + 1}" if more else name)

    def approval(self, call: Call) -> Approval:
        with self.world.store.read(self.world.cause) as tx:
            return tx.approval(call.id)

    def delivery(self, id: str) -> Delivery:
        with self.world.store.read(self.world.cause) as tx:
            return tx.delivery(id)

    def card(self, call: Call) -> Delivery:
        return self.delivery(card_id(call))

    def button(self, private: str, label: str) -> str:
        """What a button of an answer carries that one person alone saw."""
        return str(self.known["private"][private][label])

    def newest(self) -> Call:
        with self.world.store.read(self.world.cause) as tx:
            [call] = tx.calls(limit=1)
        return call

    def follower(self, old: Call) -> Call:
        """The call that took this one's place, or takes back what it did."""
        with self.world.store.read(self.world.cause) as tx:
            calls = tx.calls(limit=1000)
        [call] = [one for one in calls if old.id in (one.supersedes, one.undoes)]
        return call

    def asks(self, *wants: Want, far: str = "") -> None:
        """The model asks for these calls in one turn, once all that waited for a worker is done."""
        self.settles_for(minutes=2)
        self.world.model.will(Turn(wants=wants), Turn(text="So be it."))
        self.world.says("once more", far=far)

    def written_of(self, calls: Sequence[Call]) -> list[str]:
        """The events of these calls that were changed, in order, as often as they were."""
        about = {uid for call in calls for uid in (*call.facts.state, call.facts.args.get("uid"))}
        return [uid for uid in self.calendar.written if uid in about]

    def jobs(self) -> list[str]:
        """The names of the jobs that there are, failed ones with a mark."""
        with self.engines.read.connect() as connection:
            rows = connection.execute(text("SELECT id, failed FROM job ORDER BY id")).all()
        return [f"{id} FAILED" if failed else id for id, failed in rows]

    def claims(self) -> list[str]:
        """The names of the jobs that somebody holds."""
        with self.engines.read.connect() as connection:
            return list(connection.scalars(text("SELECT id FROM job WHERE claim IS NOT NULL")))

    def blob(self, name: str) -> str:
        return self.world.blobs.get(name).decode()

    def content(self, path: str) -> str | None:
        """What a path holds; None for nothing."""
        with self.world.store.read(self.world.cause) as tx:
            try:
                file = tx.file(path)
            except NotFound:
                return None
        return None if file.deleted else self.blob(file.blob)

    def versions(self, path: str) -> int:
        with self.world.store.read(self.world.cause) as tx:
            return len(tx.file_versions(path))

    def events(self) -> Sequence[Event]:
        return list(self.calendar._stored.values())

    def settles_for(self, **span: float) -> None:
        """Let time pass. What was rung for just before the stop is rung for again in a minute."""
        self.world.clock.passes(**span)
        self.world.settle()


@cache
def _known(dump: Path) -> Mapping[str, Any]:
    found: Mapping[str, Any] = json.loads(dump.with_suffix(".json").read_text("utf-8"))
    return found


def sqlite_left(folder: Path, dump: Path = DUMP) -> Engines:
    """A file of it, not brought to the newest schema yet."""
    file = folder / "left.sqlite3"
    with sqlite3.connect(file) as connection:
        connection.executescript(dump.read_bytes().decode())
    connection.close()
    return make_engines(f"sqlite:///{file}")


@cache
def _upgraded(dump: Path) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        engines = sqlite_left(Path(folder), dump)
        migrate.upgrade(engines)
        engines.dispose()
        return (Path(folder) / "left.sqlite3").read_bytes()


@contextmanager
def upgraded_sqlite(dump: Path = DUMP) -> Iterator[Engines]:
    """A file of it in shared memory, brought to the newest schema."""
    with sqlite_engines() as engines:
        Path(engines.write.url.database or "").write_bytes(_upgraded(dump))
        yield engines


def postgres_left(server: PostgresServer) -> str:
    """A database on Postgres with its rows, put there through the tables of this code; its name."""
    name = server.make_database()
    engines = server.engines(name)
    migrate.upgrade(engines)
    with upgraded_sqlite() as left, left.read.connect() as old, engines.write.begin() as new:
        for rows in SQLModel.metadata.sorted_tables:
            if found := [dict(row) for row in old.execute(select(rows)).mappings()]:
                new.execute(insert(rows), found)
        for counted in _COUNTED:
            number = SQLModel.metadata.tables[counted].c.number
            sequence = func.pg_get_serial_sequence(counted, "number")
            new.execute(select(func.setval(sequence, select(func.max(number)).scalar_subquery())))
    engines.dispose()
    return name


def opened_left(engines: Engines, *, weather: Weather, dump: Path = DUMP) -> Left:
    """The assistant wired over it, at the moment at which the older one was stopped."""
    known = _known(dump)
    calendar = LeftCalendar(known["calendar"])
    blobs = MemoryBlobs()
    for name, content in known["blobs"].items():
        blobs.put(name, content.encode())
    world = World(
        lambda bell, clock: sql_store(engines, bell, clock),
        weather=weather,
        clock=HandClock(datetime.fromisoformat(known["at"])),
        blobs=blobs,
        calendar=calendar,
        home=Home(channel="discord", place="home"),
    )
    world.parts = replace(world.parts, calls=CallLimits(pending=500))
    world.toolbox = make_toolbox(world.parts)
    world.ctx = make_context(world.parts, world.toolbox)
    world.bus = wire(
        world.parts, worker="new", tries=4, backoff=float, around=lambda _job: nullcontext()
    )
    world.heard = known["heard"]
    world.wall.shown |= on_the_screen(engines)
    left = Left(engines, known, world, Discord(world), calendar)
    calls = {f"A{row['number']}": str(row["id"]) for row in rows_of(engines, "call")}
    for named, word in known["buttons"].items():
        verb, _, subject = named.rpartition(" ")
        world.far.tokens[Verb(verb), calls.get(subject, subject)] = word
    return left


def on_the_screen(engines: Engines) -> dict[str, Shown]:
    """What a terminal reads from its rows."""
    screen = SqlScreen(engines=engines, clock=HandClock())
    return {line.key: line.shown for line in screen.lines(OWNER, last=10_000)}


def lines_of(shown: Shown) -> dict[str, str]:
    return {line.label: line.value for line in shown.fields}


def rows_of(engines: Engines, table: str) -> Sequence[Mapping[str, Any]]:
    rows = SQLModel.metadata.tables[table]
    with engines.read.connect() as connection:
        return [dict(row) for row in connection.execute(select(rows)).mappings()]
