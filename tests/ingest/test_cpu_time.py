"""What takes too long is stopped, in seconds of computing."""

import subprocess
import sys

import pytest

pytestmark = pytest.mark.process

SCRIPT = """
import sys; sys.path[:] = {path!r}
from time import process_time
from ingest.child import ChildOrder, ChildReply
from ingest.cpu_time import CpuTime

def idle_again():
    print(cpu.run(ChildOrder("x", 5, 5), lambda: ChildReply(value="next")).value)

def stubborn():
    while True:
        try:
            while True: pass
        except BaseException: pass

cpu = CpuTime()
{work}
"""


def run(work: str) -> "subprocess.CompletedProcess[str]":
    code = SCRIPT.format(path=sys.path, work=work)
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False
    )


def test_python_code_is_stopped_and_the_process_goes_on() -> None:
    done = run(
        "reply = cpu.run(ChildOrder('x', 0.3, 0.3), lambda: exec('while True: pass'))\n"
        "assert reply.unfinished and 0.29 < reply.seconds < 0.6, reply\n"
        "idle_again()"
    )
    assert done.stdout == "next\n", done.stderr


def test_code_in_c_that_does_not_listen_is_ended_by_the_kernel() -> None:
    assert run("cpu.run(ChildOrder('x', 0.3, 0.3), lambda: sum(range(10**13)))").returncode == -24


def test_a_library_that_catches_everything_is_stopped_all_the_same() -> None:
    done = run("print(cpu.run(ChildOrder('x', 0.3, 0.3), stubborn).unfinished)")
    assert done.returncode == -24 or done.stdout == "True\n"


def test_waiting_costs_nothing() -> None:
    done = run(
        "import time\n"
        "slept = lambda: time.sleep(1) or ChildReply(value='slept')\n"
        "print(cpu.run(ChildOrder('x', 0.2, 0.2), slept).value)"
    )
    assert done.stdout == "slept\n", done.stderr


def test_work_that_others_wait_for_has_its_share_only() -> None:
    done = run(
        "reply = cpu.run(ChildOrder('x', 5, 0.2, True), lambda: exec('while True: pass'))\n"
        "assert reply.unfinished and 0.19 < reply.seconds < 1, reply\n"
        "idle_again()"
    )
    assert done.stdout == "next\n", done.stderr


def test_work_without_a_share_makes_way_at_once() -> None:
    done = run(
        "reply = cpu.run(ChildOrder('x', 5, 0, True), lambda: exec('while True: pass'))\n"
        "assert reply.unfinished and reply.seconds < 0.5, reply\n"
        "idle_again()"
    )
    assert done.stdout == "next\n", done.stderr


def test_work_that_others_come_to_wait_for_is_stopped_when_it_had_its_share() -> None:
    done = run(
        "import os, signal\n"
        "def work():\n"
        "    os.kill(os.getpid(), signal.SIGUSR1)\n"
        "    while True: pass\n"
        "reply = cpu.run(ChildOrder('x', 5, 0.2), work)\n"
        "assert reply.unfinished and 0.19 < reply.seconds < 1, reply\n"
        "os.kill(os.getpid(), signal.SIGUSR1)\n"  # nothing is at work
        "idle_again()"
    )
    assert done.stdout == "next\n", done.stderr


@pytest.mark.slow
def test_seconds_of_earlier_work_do_not_count() -> None:
    done = run(
        "for _ in range(8):\n"
        "    reply = cpu.run(ChildOrder('x', 0.5, 0.5), lambda: exec('while True: pass'))\n"
        "    assert reply.unfinished and reply.seconds < 1, reply\n"
        "idle_again()"
    )
    assert done.stdout == "next\n", done.stderr
