"""A newcomer with a clean clone does what the README and the first walk say, in their order.

The blocks that are fenced as ``sh run`` are run. ``exit=N`` says how one ends if not
with 0; ``background`` that it goes on, and the next block waits until it says that it is ready;
``stopped`` that Ctrl-C ends it before this block.
"""

import os
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from workers.cli.output import EXIT_STALE
from workers.embedded.http_probe import free_port
from workers.settings import PREFIX

pytestmark = [pytest.mark.slow, pytest.mark.acceptance, pytest.mark.timeout(1200)]

ROOT = Path(__file__).resolve().parents[2]
PAGES = ("README.md", "docs/first-walk.md")
BLOCK = re.compile(r"^```sh run(?P<how>[^\n]*)\n(?P<commands>.*?)^```$", re.MULTILINE | re.DOTALL)
INSTALL_SECONDS = 300
READY_SECONDS = 240
STEP_SECONDS = 240
DEMO_SECONDS = 60


@dataclass(frozen=True)
class Step:
    """One block that was run."""

    commands: str
    code: int
    out: str
    seconds: float


@dataclass
class Newcomer:
    """Runs blocks in a clone, with nothing set but ports that are free."""

    clone: Path
    steps: list[Step] = field(default_factory=list)
    stopped: Step | None = None

    def __post_init__(self) -> None:
        kept = {name: value for name, value in os.environ.items() if not name.startswith(PREFIX)}
        self._environment = {
            **kept,
            "PATH": f"{self.clone / '.venv' / 'bin'}{os.pathsep}{kept['PATH']}",
            f"{PREFIX}SMTP_PORT": str(free_port()),
            f"{PREFIX}HTTP_PORT": str(free_port()),
        }
        self._log = self.clone / "background.log"

    def run(self, commands: str, *, code: int = 0, seconds: float = STEP_SECONDS) -> Step:
        """Run a block to its end. Fails unless it ends with ``code``."""
        began = time.monotonic()
        done = subprocess.run(
            ["sh", "-euc", commands],
            cwd=self.clone,
            env=self._environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=seconds,
            check=False,
        )
        step = Step(commands, done.returncode, done.stdout, time.monotonic() - began)
        assert step.code == code, f"{commands}ended with {step.code}:\n{step.out}"
        self.steps.append(step)
        return step

    @contextmanager
    def background(self, commands: str) -> Iterator["subprocess.Popen[bytes]"]:
        """Run a block in a terminal of its own, and end it if nobody else has."""
        with self._log.open("wb") as log:
            process = subprocess.Popen(
                ["sh", "-euc", f"exec {commands}"],
                cwd=self.clone,
                env=self._environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        try:
            self._await_ready(process)
            yield process
        finally:
            if process.poll() is None:
                process.terminate()
            process.wait(STEP_SECONDS)

    def press_ctrl_c(self, process: "subprocess.Popen[bytes]") -> None:
        began = time.monotonic()
        process.send_signal(signal.SIGINT)
        code = process.wait(STEP_SECONDS)
        self.stopped = Step("Ctrl-C", code, self._log.read_text(), time.monotonic() - began)

    def shown(self, words: str) -> str:
        """What the block printed whose commands hold these words; the first such block."""
        return next(step.out for step in self.steps if words in step.commands)

    def _await_ready(self, process: "subprocess.Popen[bytes]") -> None:
        give_up = time.monotonic() + READY_SECONDS
        while "ready" not in (said := self._log.read_text()):
            assert process.poll() is None, f"it ended:\n{said}"
            assert time.monotonic() < give_up, f"it is not ready:\n{said}"
            time.sleep(0.1)


@pytest.fixture(scope="module")
def newcomer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Newcomer]:
    """One who has cloned, installed, and done all that the pages say."""
    root = tmp_path_factory.mktemp("newcomer")
    clone = root / "assistant"
    subprocess.run(["git", "clone", "--quiet", ROOT, clone], check=True, timeout=STEP_SECONDS)
    newcomer = Newcomer(clone)
    newcomer.run("make install", seconds=INSTALL_SECONDS)
    _follow(newcomer, [block for page in PAGES for block in BLOCK.finditer(_text(clone / page))])
    yield newcomer
    shutil.rmtree(root)  # a whole environment: pytest would keep the last three


def _follow(newcomer: Newcomer, blocks: list["re.Match[str]"]) -> None:
    """All blocks, in order; while one goes on in the background, those up to ``stopped``."""
    for place, block in enumerate(blocks):
        if "background" in block["how"]:
            rest = blocks[place + 1 :]
            until = next(n for n, later in enumerate(rest) if "stopped" in later["how"])
            with newcomer.background(block["commands"]) as process:
                _follow(newcomer, rest[:until])
                newcomer.press_ctrl_c(process)
            _follow(newcomer, rest[until:])
            return
        code = re.search(r"exit=(\d+)", block["how"])
        newcomer.run(block["commands"], code=int(code[1]) if code else 0)


def _text(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def test_every_step_of_the_pages_ends_as_it_says(newcomer: Newcomer) -> None:
    text = "".join(_text(ROOT / page) for page in PAGES)
    ran = [step for step in newcomer.steps if step.commands != "make install"]
    assert len(ran) + 1 == text.count("```sh run")  # the one in the background is no step


def test_make_demo_plays_the_whole_path_in_under_a_minute(newcomer: Newcomer) -> None:
    demo = next(step for step in newcomer.steps if "make demo" in step.commands)
    assert demo.seconds < DEMO_SECONDS
    told = re.sub(r" +", " ", demo.out)
    for line in (
        "smtp 250 2.0.0 Kept as",
        "subject Rent for December",
        "summary The rent of 850 EUR for December is due on 30 November.",
        'you create "Pay the rent"',
        "is waiting. It asks because it changes your calendar.",
        "calendar (still empty)",
        "is approved and runs now.",
        "is done: Created “Pay the rent”",
        ": Pay the rent\n",
        "stopped 5 parts",
    ):
        assert line in told
    assert re.search(r"caldav \w{3} .* 10:00 to 10:30 \(.+\): Pay the rent", told)


def test_the_mail_is_kept_summarised_and_found(newcomer: Newcomer) -> None:
    assert "Rent for December" in newcomer.shown("mail add")
    assert "an excerpt: its own sentences" in newcomer.shown("mail add")
    assert "1 mail found." in newcomer.shown("'search rent'")


def test_the_event_waits_for_a_yes_and_is_made_once(newcomer: Newcomer) -> None:
    assert "▌ Create “Pay the rent”" in newcomer.shown("create ")
    approved = newcomer.shown("agenda tomorrow")
    assert "A2 is approved and runs now." in approved
    assert "10:00–10:30" in approved
    assert "- 10:00–10:30 Pay the rent" in approved
    assert "calendar.create" in approved
    second = next(step for step in newcomer.steps if step.code == EXIT_STALE)
    assert "answered already" in second.out


def test_ctrl_c_stops_everything_in_order(newcomer: Newcomer) -> None:
    assert newcomer.stopped is not None
    assert newcomer.stopped.code == 0
    assert "5 parts" in newcomer.stopped.out
    assert str(newcomer.clone / "data") in newcomer.stopped.out


def test_what_was_kept_is_there_without_workers_and_in_a_backup(newcomer: Newcomer) -> None:
    stopped, backup = newcomer.shown("assistant doctor"), newcomer.shown("assistant restore")
    assert "Rent for December" in stopped
    assert "none run" in stopped
    assert "WRONG" not in stopped
    assert "Rent for December" in backup
