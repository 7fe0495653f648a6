"""What goes wrong around the whole program. Each fault is repaired when its function returns."""

import errno
import os
import random
import subprocess
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from tests.prove.house import House, NotUp
from tests.servers.postgres import PostgresServer

DISK = "96m"
_CHILDREN = ("worker", "tools", "doors", "valkey", "radicale")


@dataclass
class Faults:
    """One round's. Each returns what it did, in words for the table."""

    house: House
    random: random.Random
    disk: Path | None
    """The small file system to fill; None where none could be mounted."""
    postgres: PostgresServer | None
    second_host: bool

    def drawn(self) -> list[Callable[[], str]]:
        """All faults that are possible here, in an order drawn by lot."""
        found = [self.kill_child, self.kill_child, self.kill_up, self.wipe_broker, self.blobs_gone]
        if self.disk is not None:
            found.append(self.fill_disk)
        if self.postgres is not None:
            found.append(self.crash_postgres)
        self.random.shuffle(found)
        return found

    def kill_child(self) -> str:
        name = self.random.choice(_CHILDREN)
        return f"{name} killed" if self.house.kill_child(name) else "a dead child"

    def kill_up(self) -> str:
        self.house.kill_up()
        time.sleep(self.random.uniform(0, 2))
        self.keep_up()
        return "up killed"

    def wipe_broker(self) -> str:
        self.house.wipe_broker()
        return "broker wiped"

    def fill_disk(self) -> str:
        """Leave no byte for some seconds, in which a child dies too."""
        assert self.disk is not None
        ballast = self.disk / "ballast"
        with ballast.open("wb", buffering=0) as stream, suppress(OSError):
            while True:
                stream.write(bytes(65536))
        try:
            time.sleep(self.random.uniform(0.5, 1.5))
            self.kill_child()
            for _ in range(20):
                time.sleep(0.15)
                _fill(ballast)
        finally:
            ballast.unlink()
        return "disk full"

    def blobs_gone(self) -> str:
        """A file lies where the folder was, so that nobody can make another."""
        blobs = self.house.data / "blobs"
        away = blobs.with_name("blobs-away")
        with suppress(OSError):
            blobs.mkdir(parents=True, exist_ok=True)
            blobs.rename(away)
            blobs.touch()
        try:
            time.sleep(self.random.uniform(3, 6))
        finally:
            if away.exists():
                blobs.unlink(missing_ok=True)
                away.rename(blobs)
        return "blobs gone"

    def crash_postgres(self) -> str:
        assert self.postgres is not None
        with self.postgres.crashed():
            time.sleep(self.random.uniform(1, 3))
        return "Postgres crashed"

    def keep_up(self) -> bool:
        """Start ``up`` again if it is gone; False if it ran."""
        if self.house.is_up:
            return False
        for again in range(3):
            try:
                self.house.up()
            except NotUp:
                if again == 2:
                    raise
            else:
                break
        return True


def _fill(ballast: Path) -> None:
    """Take what was freed meanwhile."""
    with ballast.open("ab", buffering=0) as stream:
        try:
            while True:
                stream.write(bytes(4096))
        except OSError as error:
            if error.errno != errno.ENOSPC:
                raise


@contextmanager
def small_disk(at: Path) -> Generator[Path | None]:
    """A file system of its own in memory, small enough to fill; None where that is not allowed."""
    at.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={DISK},mode=0700", "prove", str(at)]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode:
        yield None
        return
    try:
        yield at
    finally:
        subprocess.run(["umount", "--lazy", str(at)], check=False)
