"""Rounds of the whole program, with mails and calls, while everything around it goes wrong."""

import random
import smtplib
import sys
import threading
import time
from collections import Counter
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path

from assistant.domain.errors import AssistantError
from tests.prove.clerk import ProveClerk
from tests.prove.faults import Faults, small_disk
from tests.prove.house import House
from tests.prove.invariants import Evidence, Violation, gather, live, quiet_within, violations
from tests.prove.outcome import Outcome, keep, outcome, say, tell
from tests.prove.sink import Sink, install
from tests.prove.traffic import Traffic
from tests.servers.postgres import PostgresServer, postgres_server
from workers.parts import Assistant

_PAUSE = (0.5, 2.0)
"""Seconds between two faults."""
_BETWEEN_MAILS = 0.7


@dataclass
class _People:
    """Ask, answer and send mail from a thread of their own, whatever is broken."""

    assistant: Assistant
    traffic: Traffic
    smtp_port: int
    stop: threading.Event = field(default_factory=threading.Event)
    resting: threading.Event = field(default_factory=threading.Event)
    """Set when nothing new is to be asked for."""
    accepted: list[str] = field(default_factory=list)
    errors: Counter[str] = field(default_factory=Counter)
    _unsent: list[str] = field(default_factory=list)
    _mails: int = 0

    def run(self) -> None:
        next_mail = 0.0
        while not self.stop.wait(0.05):
            if self.resting.is_set():
                self.traffic.total = len(self.traffic.asked)
            try:
                self.traffic.step()
            except AssistantError as error:
                self.errors[type(error).__name__] += 1
            except Exception as error:  # noqa: BLE001 (told at the end)
                self.errors[f"{type(error).__name__}: {error}"[:100]] += 1
            if time.monotonic() > next_mail:
                next_mail = time.monotonic() + _BETWEEN_MAILS
                self._mail()

    def _mail(self) -> None:
        """Send a mail; one that was not accepted is sent again."""
        if not self._unsent and not self.resting.is_set():
            self._mails += 1
            self._unsent.append(f"Prove-{self._mails:05}")
        with suppress(OSError, smtplib.SMTPException):
            for subject in list(self._unsent):
                with smtplib.SMTP("127.0.0.1", self.smtp_port, timeout=10) as client:
                    client.sendmail("ada@example.org", ["inbox@localhost"], _mail(subject))
                self._unsent.remove(subject)
                self.accepted.append(subject)


def _mail(subject: str) -> bytes:
    return (
        f"From: Ada <ada@example.org>\r\nTo: inbox@localhost\r\nSubject: {subject}\r\n"
        f"Message-ID: <{subject}@example.org>\r\n\r\nThe rent of {subject} is due.\r\n"
    ).encode()


def kill_whole_program(name: str, folder: Path, *, rounds: int, seed: int) -> Outcome:
    began = time.monotonic()
    folder.mkdir(parents=True)
    faults: Counter[str] = Counter()
    found: list[Evidence] = []
    broken: list[Violation] = []
    slowest, full = 0.0, True
    with postgres_server() as postgres:
        for number in range(1, rounds + 1):
            one = _Round(folder / f"round-{number}", number, seed, postgres)
            one.play()
            faults += one.faults
            slowest = max(slowest, one.quiet)
            full = full and one.filled
            found.append(one.found)
            wrong = violations(one.found)
            if wrong:
                keep(one.folder, one.found, wrong)
            broken += [
                Violation(each.invariant, f"round {number}, {each.subject}", each.said)
                for each in wrong
            ]
            say(f"  {name}: round {number} ({one.about}): {len(wrong)} violations")
            tell(wrong)
    note = "" if full else "no disk was filled: a small file system takes root"
    done = outcome(name, found, broken, began=began, faults=dict(faults), quiet=slowest, note=note)
    say(done.line())
    return done


class _Round:
    """One installation, from its first start to its end."""

    def __init__(self, folder: Path, number: int, seed: int, postgres: PostgresServer) -> None:
        self.folder = folder
        self._random = random.Random(f"{seed} {number}")
        self._postgres = postgres if number % 2 == 0 else None
        self._two_hosts = number % 3 == 0
        self.faults: Counter[str] = Counter()
        self.quiet = 0.0
        self.filled = False
        self.found: Evidence

    @property
    def about(self) -> str:
        database = "Postgres" if self._postgres else "SQLite"
        return f"{database}{', two hosts' if self._two_hosts else ''}; {dict(self.faults)}"

    def play(self) -> None:
        self.folder.mkdir()
        site = self.folder / "site"
        install(site)
        sink = Sink(self.folder / "sink")
        with ExitStack() as held:
            disk = held.enter_context(small_disk(self.folder / "data"))
            self.filled = disk is not None
            clerk = held.enter_context(ProveClerk())
            sys.path.append(str(site))
            held.callback(sys.path.remove, str(site))
            url = self._postgres.url(self._postgres.make_database()) if self._postgres else ""
            house = House(
                self.folder,
                self.folder / "data",
                site=site,
                clerk=clerk,
                database_url=url,
                own_broker=not self._two_hosts,
            )
            held.callback(self._save_logs, house)
            held.callback(house.close)
            house.up()
            assistant = house.assistant()
            held.callback(assistant.close)
            if self._two_hosts:
                house.start_second_host()
            traffic = Traffic(assistant, sink.file, self._random, 10**6, slow=0.2, open=12)
            people = _People(assistant, traffic, house.smtp_port)
            thread = threading.Thread(target=people.run, name="people")
            thread.start()
            try:
                drawn = Faults(house, self._random, disk, self._postgres, self._two_hosts)
                self._go_wrong(drawn)
                people.resting.set()
                left = self._settle(assistant, drawn)
                dead = house.dead()
            finally:
                people.stop.set()
                thread.join()
            self.found = gather(
                assistant,
                sink.lines(),
                asked=traffic.asked,
                accepted=people.accepted,
                live=left,
                dead=dead,
            )
            for error, count in people.errors.items():
                say(f"    {count} times somebody was told: {error}")

    def _go_wrong(self, faults: Faults) -> None:
        time.sleep(2.0)
        for fault in faults.drawn():
            self.faults[fault()] += 1
            time.sleep(self._random.uniform(*_PAUSE))
            if faults.keep_up():
                self.faults["up ended by itself"] += 1

    def _settle(self, assistant: Assistant, faults: Faults) -> list[str]:
        """Wait until all is at rest; what is still live when time is over."""
        last = time.monotonic()
        while True:
            left = self._live(assistant)
            dead = faults.house.dead()
            self.quiet = time.monotonic() - last
            if (not left and not dead) or self.quiet > quiet_within():
                return left
            time.sleep(0.1)

    def _live(self, assistant: Assistant) -> list[str]:
        try:
            return live(assistant)
        except AssistantError as error:
            return [str(error)]

    def _save_logs(self, house: House) -> None:
        """The data folder goes away with its file system; its logs stay."""
        logs = self.folder / "logs"
        logs.mkdir(exist_ok=True)
        with suppress(OSError):
            for file in (house.data / "logs").glob("*.log"):
                (logs / file.name).write_bytes(file.read_bytes()[-200_000:])
