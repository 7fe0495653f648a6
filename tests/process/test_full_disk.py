"""A disk that fills up under `up`: parts die and come back, and all ends once there is space."""

import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from tests.process.test_up import ASSISTANT, House, until

pytestmark = pytest.mark.slow

_MIB = 1024 * 1024
_MOUNT = 'mount -t tmpfs -o size="$1",mode=700 tmpfs "$2" && shift 2 && exec "$@"'
_MARKS = {
    "valkey": "127.0.0.1:",
    "radicale": "-m radicale",
    "worker": "cli worker interactive",
    "tools": "cli worker tools",
    "doors": "cli doors",
}
"""What is in the command line of each part alone."""


class SmallHouse(House):
    """A house on a disk of its own: a small file system that only its processes see.

    It needs no rights where user namespaces are allowed.
    """

    def __init__(self, root: Path, *, size: str) -> None:
        super().__init__(root, disk_free_mib="8", lease_seconds="3", calendar_timeout="2")
        self.data.mkdir()
        self._size = size

    @property
    def command(self) -> list[str]:
        shell = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", _MOUNT, "sh"]
        return [*shell, self._size, str(self.data), *super().command]

    @property
    def disk(self) -> Path:
        """The data folder as the processes see it."""
        assert self._up is not None
        return Path(f"/proc/{self._up.pid}/root{self.data}")

    def children(self) -> dict[str, int]:
        """The processes that `up` has started, as they are and not as they are noted."""
        assert self._up is not None
        found: dict[str, int] = {}
        for child in psutil.Process(self._up.pid).children():
            if child.status() != psutil.STATUS_ZOMBIE:
                line = " ".join(child.cmdline())
                found |= {name: child.pid for name, mark in _MARKS.items() if mark in line}
        return found

    def fill(self) -> None:
        """Leave no byte."""
        with (self.disk / "filler").open("ab", buffering=0) as file:
            for size in (_MIB, 4096, 1):
                try:
                    while True:
                        file.write(b"x" * size)
                except OSError:
                    continue

    def free(self) -> None:
        (self.disk / "filler").unlink()

    def inside(self, *arguments: str) -> "subprocess.CompletedProcess[str]":
        """Run a command where the disk is seen."""
        assert self._up is not None
        target = ["nsenter", "--target", str(self._up.pid), "--user", "--preserve-credentials"]
        return subprocess.run(
            [*target, "--mount", *ASSISTANT, *arguments],
            env=self.environment | {"ASSISTANT_DATA_DIR": str(self.data)},
            cwd=self._work,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )


@pytest.fixture
def house(tmp_path: Path) -> Iterator[SmallHouse]:
    made = SmallHouse(tmp_path, size="48m")
    made.up()
    yield made
    for process in made.processes().values():
        process.kill()


def test_after_a_full_disk_every_part_lives_and_all_that_was_said_ends(house: SmallHouse) -> None:
    assert set(house.children()) == {"valkey", "radicale", "worker", "tools", "doors"}
    house.fill()
    killed = house.children()
    for pid in killed.values():
        os.kill(pid, signal.SIGKILL)
    shutil.rmtree(house.disk / "valkey")
    house.fill()
    until(lambda: "started again" in house.said, "the deaths are said")
    house.free()
    until(lambda: len(house.children()) == len(killed), "every part lives")
    assert not set(killed.values()) & set(house.children().values())
    said = house.inside("chat", "--once", 'create "Pay the rent" 2031-03-04 10:00-10:30', "--json")
    assert said.returncode == 6, said
    done = house.inside("approvals", "approve", "A1", "--json")
    assert '"state": "done"' in done.stdout, done
    doctor = house.inside("doctor")
    assert doctor.returncode == 0, doctor
    assert house.end(signal.SIGTERM) == 0


def test_it_stops_in_order_on_a_full_disk(house: SmallHouse) -> None:
    house.fill()
    assert house.end(signal.SIGTERM) == 0
    assert house.processes() == {}


def test_a_disk_that_is_full_from_the_start_is_said_to_be(tmp_path: Path) -> None:
    house = SmallHouse(tmp_path, size="16k")
    with pytest.raises(AssertionError, match="free some space"):
        house.up()
    assert "Traceback" not in house.said
