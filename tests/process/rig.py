"""The assistant's processes on free loopback ports, for tests that stop and kill them."""

import json
import os
import signal
import smtplib
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from datetime import timedelta
from itertools import count
from pathlib import Path
from shutil import rmtree
from typing import Any, Self, TypeVar

import psutil
from sqlalchemy import text

from assistant.adapters.sql_screen import ScreenLine
from assistant.domain.approvals.approval import ApprovalAnswer, Verb
from assistant.domain.calendar.events import Event, When
from assistant.domain.calls.call import Call
from assistant.domain.calls.effects import Effect
from assistant.domain.calls.states import CallState
from assistant.domain.conversation.conversation import Entry
from assistant.domain.conversation.deliveries import ShownKind
from assistant.domain.errors import AssistantError
from assistant.domain.jobs.job import Doorbell, JobFacts
from assistant.domain.mail.mail import Mail, MailQuery
from assistant.domain.mail.understanding.report_tool import REPORT
from assistant.domain.messages import Queue
from assistant.flows.approvals.answers import decide_call
from assistant.flows.conversation.hear import begin_anew, hear
from ingest.receive import receive
from tests.servers.openai_api import KEY, Asked, OpenAIServer, Reply
from tests.servers.radicale import RadicaleServer, free_port
from workers.embedded import valkey
from workers.parts import Assistant, rung_assistant
from workers.processes.supervisor import prepare_database
from workers.processes.worker_id import WorkerId
from workers.settings import OWNER, PREFIX, load

T = TypeVar("T")
PATIENCE = 90.0
"""Seconds; a loaded machine needs a multiple of what it takes."""
LEASE = 6.0
_REPOSITORY = Path(__file__).parents[2]
_ASSISTANT = (sys.executable, "-m", "workers.cli")
_WORKER = (*_ASSISTANT, "worker", *Queue)
COMMANDS = {
    "processes": (*_WORKER, "--pool", "processes", "--concurrency", "3"),
    "threads": (*_WORKER, "--pool", "threads", "--concurrency", "4"),
    "beat": (*_ASSISTANT, "beat"),
    "doors": (*_ASSISTANT, "doors"),
}


class Clerk(OpenAIServer):
    """A model that summarises, and that answers words by asking for an event of that title."""

    def reply_to(self, asked: Asked) -> Reply:
        self.requests.append(asked)
        said = asked.messages[-1]
        if asked.reports_a_mail:
            return Reply(calls=((REPORT.name, json.dumps({"gist": "It is about rent."})),))
        if said["role"] != "user" or not str(said["content"]).startswith("event-"):
            return Reply(text="So be it.")
        return Reply(calls=(("create_event", json.dumps(event_of(str(said["content"])))),))


def event_of(title: str) -> dict[str, str]:
    """Where the clerk puts an event: the title says its day."""
    start = f"2027-03-{int(title.rpartition('-')[2]) % 28 + 1:02}T10:00:00+00:00"
    return {"title": title, "start": start, "end": start.replace("T10", "T11")}


class Rig:
    """One house: a broker, a calendar, a database, and whichever processes are started.

    Args:
        root: of everything it writes.
        roles: names of ``COMMANDS`` that run unless a test stops them.
        database_url: empty for SQLite below ``root``.
        failpoints: places and what happens there, once each time they are armed. A place holds in
            every process, but ``role:place`` in that role's alone.
        packages: a folder of installed packages that its processes find besides.
        settings: take the place of the rig's own.
    """

    def __init__(
        self,
        root: Path,
        *,
        roles: Sequence[str],
        database_url: str = "",
        failpoints: dict[str, str] | None = None,
        packages: Path | None = None,
        **settings: Any,
    ) -> None:
        self._root = root
        self._packages = packages
        self._given = settings
        self._roles = tuple(roles)
        self._processes: dict[str, subprocess.Popen[bytes]] = {}
        self._failpoints = failpoints or {}
        self._numbers = count(1)
        self._database_url = database_url
        self._calendar = RadicaleServer(root / "radicale")
        self.clerk = Clerk()
        self._servers = ExitStack()
        self.assistant: Assistant

    # --- the processes

    def __enter__(self) -> Self:
        try:
            self._open()
        except BaseException:
            self.__exit__()
            raise
        return self

    def _open(self) -> None:
        for folder in ("logs", "marks"):
            (self._root / folder).mkdir()
        for place in self._failpoints:
            self._mark(place).touch()
        self._servers.enter_context(self.clerk)
        self._servers.enter_context(self._calendar)
        self._settings = self._make_settings() | self._given
        self.start_valkey()
        self.assistant = rung_assistant(load(_env_file=None, **self._settings))
        self._servers.callback(self.assistant.close)
        prepare_database(self.assistant)
        self.start(*self._roles)
        self.wait_until_live()

    def __exit__(self, *_: object) -> None:
        for name in reversed(list(self._processes)):
            self.kill(name)
        self._servers.close()

    def start(self, *names: str) -> None:
        for name in names:
            self._start(name, COMMANDS[name])

    def start_valkey(self, *, empty: bool = False) -> None:
        folder = self._root / "valkey"
        if empty:
            rmtree(folder)
        files = valkey.prepare(folder, port=self._broker_port, password="rig")
        self._start("valkey", valkey.command(files))
        valkey.wait_until_ready(files.url)

    def process(self, name: str) -> psutil.Process:
        return psutil.Process(self._processes[name].pid)

    def alive(self, name: str) -> bool:
        return self._processes[name].poll() is None

    def stop(self, name: str) -> None:
        self._processes[name].terminate()
        self._processes[name].wait(PATIENCE)

    def kill(self, name: str) -> None:
        """As the kernel does when memory is short: the process and all that it started."""
        process = self._processes.pop(name)
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGCONT)
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    def revive(self) -> None:
        """Start again what a failpoint killed, and wait until every queue moves."""
        dead = [name for name in self._roles if name not in self._processes or not self.alive(name)]
        self.start(*dead)
        if dead:
            self.wait_until_live()

    def wait_until_live(self) -> None:
        since = self.assistant.clock.now()

        def crossed() -> bool:
            seen = self.assistant.store.canaries()
            return all(queue in seen and seen[queue] > since for queue in Queue)

        self.until(crossed, "every queue moves")

    def _start(self, name: str, command: Sequence[str]) -> None:
        with (self._root / "logs" / f"{name}.log").open("ab") as log:
            self._processes[name] = subprocess.Popen(
                command,
                cwd=self._root,
                env=self.environment_of(name),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    @property
    def environment(self) -> dict[str, str]:
        """What its processes see: the settings, and nobody else's."""
        return self.environment_of("")

    def environment_of(self, role: str) -> dict[str, str]:
        """The same, with the failpoints of one process."""
        inherited = {key: value for key, value in os.environ.items() if not key.startswith(PREFIX)}
        mine = {f"{PREFIX}{name.upper()}": str(value) for name, value in self._settings.items()}
        places = ";".join(
            f"{place.removeprefix(f'{role}:')}={action}@{self._mark(place)}"
            for place, action in self._failpoints.items()
            if place.partition(":")[0] in (role, place)
        )
        path = {"PYTHONPATH": os.pathsep.join(map(str, filter(None, self._path)))}
        return {**inherited, **path, **mine, f"{PREFIX}FAILPOINTS": places}

    @property
    def _path(self) -> tuple[Path | None, ...]:
        return (_REPOSITORY, self._packages)

    def _make_settings(self) -> dict[str, Any]:
        self._broker_port = free_port()
        self.smtp_port = free_port()
        calendar = self._calendar.files
        return {
            "data_dir": self._root / "house",
            "database_url": self._database_url,
            "broker_url": f"redis://:rig@127.0.0.1:{self._broker_port}/0",
            "caldav_url": calendar.url,
            "caldav_username": calendar.username,
            "caldav_password": calendar.password,
            "caldav_provider": "radicale",
            "model": "openai:clerk",
            "model_base_url": self.clerk.base_url,
            "model_api_key": KEY,
            "smtp_port": self.smtp_port,
            "http_port": free_port(),
            "timezone": "UTC",
            "lease_seconds": LEASE,
            "calendar_timeout": 5.0,
            "canary_seconds": 0.5,
            "tick_seconds": 0.3,
            "retry_seconds": 0.2,
        }

    # --- failpoints

    def arm(self, place: str) -> None:
        """Let what this place is for happen once more."""
        self._mark(place).unlink()

    def happened(self, place: str) -> bool:
        return self._mark(place).exists()

    def _mark(self, place: str) -> Path:
        return self._root / "marks" / place

    # --- what people do

    def mail(self) -> bytes:
        """Another mail than any before."""
        number = next(self._numbers)
        return (
            f"From: Ada <ada@example.org>\r\nTo: inbox@localhost\r\nSubject: Rent {number}\r\n"
            f"Message-ID: <{number}@example.org>\r\n\r\nThe rent of month {number} is due.\r\n"
        ).encode()

    def post(self, raw: bytes) -> None:
        """Send a mail through the SMTP door; raises what its client raises."""
        with smtplib.SMTP("127.0.0.1", self.smtp_port, timeout=PATIENCE) as client:
            client.sendmail("ada@example.org", ["inbox@localhost"], raw)

    def forward(self, raw: bytes | None = None) -> str:
        """Have a mail kept; its id."""
        received = receive(
            raw or self.mail(),
            owner=OWNER,
            door="file",
            trace=self.assistant.cause().trace,
            store=self.assistant.store,
            blobs=self.assistant.blobs,
            clock=self.assistant.clock,
            limits=self.assistant.mail_limits,
        )
        return received.id

    def ask_for_event(self) -> str:
        """Say, in a new conversation, what the model answers with an event; the conversation."""
        cause = self.assistant.cause()
        store = self.assistant.store
        begin_anew(channel="terminal", place=OWNER, cause=cause, store=store)
        title = f"event-{next(self._numbers)}"
        conversation = hear(
            title,
            channel="terminal",
            place=OWNER,
            event=title,
            cause=cause,
            store=store,
            limits=self.assistant.conversation_limits,
        )
        assert conversation is not None
        return conversation

    def parked(self, conversation: str) -> Call:
        """The call of a conversation, as soon as it waits for its owner."""
        return self.until(
            lambda: next(iter(self.calls(conversation, CallState.PARKED)), None), "a parked call"
        )

    def approve(self, call: Call) -> ApprovalAnswer:
        with self.assistant.store.read(self.assistant.cause()) as tx:
            approval = tx.approval(call.id)
        return decide_call(
            call.id,
            Verb.APPROVE,
            by="test",
            card=approval.card,
            cause=self.assistant.cause(),
            ctx=self.assistant.ctx,
        )

    # --- what there is

    def until(self, look: Callable[[], T | None], what: str, *, seconds: float = PATIENCE) -> T:
        """The first true answer. Fails with everything its processes wrote."""
        give_up = time.monotonic() + seconds
        while not (found := self._looked(look)):
            if time.monotonic() > give_up:
                left = "\n".join(str(job) for job in self.assistant.store.jobs())
                raise AssertionError(f"{what}: not within {seconds:g} s\n{left}\n{self.logs()}")
            time.sleep(0.05)
        return found

    def _looked(self, look: Callable[[], T | None]) -> T | None:
        try:
            return look()
        except AssistantError:
            return None

    def rest(self, *, seconds: float = PATIENCE) -> None:
        """Until no job is left but the expiries of what waits, and what orders itself again."""
        self.until(lambda: not self.jobs(), "everything is done", seconds=seconds)

    def jobs(self) -> list[JobFacts]:
        jobs = self.assistant.store.jobs()
        return [job for job in jobs if not (job.periodic or job.id.startswith("expire:"))]

    def calls(self, conversation: str, *states: CallState) -> Sequence[Call]:
        with self.assistant.store.read(self.assistant.cause()) as tx:
            return tx.calls(conversation=conversation, states=states)

    def entries(self, conversation: str) -> Sequence[Entry]:
        with self.assistant.store.read(self.assistant.cause()) as tx:
            return tx.entries(conversation, last=100)

    def effects(self, call: Call) -> Sequence[Effect]:
        with self.assistant.store.read(self.assistant.cause()) as tx:
            return tx.effects(call.id)

    def mails(self) -> list[str]:
        """The ids of all that were kept."""
        with self.assistant.store.read(self.assistant.cause()) as tx:
            return [mail.id for mail in tx.mails(MailQuery(limit=1000))]

    def kept(self, id: str) -> Mail:
        with self.assistant.store.read(self.assistant.cause()) as tx:
            return tx.mail(id)

    def shown(self, delivery: str) -> list[ScreenLine]:
        """What the terminal shows of one delivery."""
        lines = self.assistant.screen.lines(OWNER, last=1000)
        return [line for line in lines if line.key == f"{OWNER}:{delivery}"]

    def events(self, call: Call) -> list[Event]:
        """Read from the calendar server, by title."""
        when = When.model_validate(
            {"start": call.facts.args["start"], "end": call.facts.args["end"]}
        )
        around = When(start=when.start - timedelta(days=1), end=when.end + timedelta(days=1))
        found = self.assistant.server_calendar.between(around)
        return [event for event in found if event.title == call.facts.args["title"]]

    def answers(self, subject: str) -> int:
        """How many model answers are recorded about a mail or a conversation."""
        with self.assistant.engines.read.connect() as connection:
            found = connection.execute(
                text("SELECT count(*) FROM model_use WHERE subject = :it"), {"it": subject}
            )
            return int(found.scalar_one())

    def logs(self, *names: str) -> str:
        files = sorted((self._root / "logs").iterdir())
        return "\n".join(
            f"--- {file.name}\n{file.read_text()[-4000:]}"
            for file in files
            if not names or file.stem in names
        )

    def holder(self, job: str) -> psutil.Process | None:
        """The process that holds a job now."""
        claim, _ = self.assistant.store.held().get(job, ("", 0))
        worker = self.assistant.store.holders().get(claim, "")
        id = WorkerId.parse(worker)
        return psutil.Process(id.pid) if id else None

    def ring_all(self, *, until: threading.Event) -> None:
        """Ring for every job there is, claimed or not, over and over."""
        while not until.wait(0.1):
            jobs = self.jobs()
            self.assistant.bell.ring(
                [
                    Doorbell(job=job.id, kind=job.id.partition(":")[0], queue=job.queue)
                    for job in jobs
                ]
            )


def told_once(rig: Rig, mail: str) -> None:
    """A mail is summarised by one answer, and announced once."""
    kept = rig.kept(mail)
    assert kept.state == "announced", rig.logs()
    assert (kept.summary, kept.summarised_by) == ("It is about rent.", "openai:clerk")
    assert rig.answers(mail) == 1
    assert [line.revision for line in rig.shown(f"mail-{mail}")] == [1]


def made_once(rig: Rig, conversation: str) -> None:
    """The event of a conversation's call is in the calendar once, with one receipt."""
    [call] = rig.calls(conversation)
    assert call.state is CallState.DONE, rig.logs()
    assert len(rig.events(call)) == 1
    assert [effect.state for effect in rig.effects(call)] == ["done"]
    [card] = rig.shown(f"card-{call.id}")
    assert card.shown.kind is ShownKind.RECEIPT, "its card has become the receipt"
    assert rig.shown(f"receipt-{call.id}") == [], "there is no other"
    said = [entry for entry in rig.entries(conversation) if entry.role == "assistant"]
    # An answer that an outcome overtook was paid for, and is dropped.
    assert len(said) <= rig.answers(conversation)
