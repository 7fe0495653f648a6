"""A worker without Celery: the real bus over the real wiring, and a bell that rings in itself.

It kills itself with SIGKILL at places that are drawn by lot. At some places it stops, as a machine
does whose lid is closed, and says so in a file; whoever runs it lets it go on later.
"""

import logging
import os
import random
import signal
import sys
import time
from collections import deque
from collections.abc import Callable, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from assistant.bus import Bus
from assistant.domain.conversation.ports import Model
from assistant.domain.errors import AssistantError
from assistant.domain.jobs.job import EXPECTED, Doorbell
from tests.prove.rows import rows
from tests.prove.sabotage import Twin, sabotage
from tests.prove.traffic import ProveModel
from workers.failpoints.parts import FailpointAssistant
from workers.failpoints.places import arm
from workers.settings import Settings

log = logging.getLogger(__name__)

AROUND = ("commit", "claim", "publish", "show", "retry", "postpone", "blob")
KILLS = {
    **{f"{act}.{when}": 0.001 for act in AROUND for when in ("before", "after")},
    "effect.before": 0.008,
    "effect.after": 0.012,
}
"""How likely a worker dies where it passes a place."""
STOPS = {"run.claim.after": 0.005, "run.effect.after": 0.004, "deliver.claim.after": 0.001}
"""How likely it stops. Never with a request in flight, nor in a transaction."""
_IDLE = 0.005


class OwnBell:
    """A bell that only this process hears."""

    def __init__(self) -> None:
        self.rung: deque[str] = deque()

    def ring(self, bells: Sequence[Doorbell]) -> None:
        self.rung.extend(bell.job for bell in bells if bell.kind != EXPECTED)


class BusAssistant(FailpointAssistant):
    """All parts of a worker, with a model of the harness's own."""

    @cached_property
    def model(self) -> Model:
        return ProveModel()

    @cached_property
    def offline(self) -> Model:
        return ProveModel()


def work(
    given: dict[str, Any], folder: str, seed: int, twin: str, *, odds: tuple[float, float]
) -> None:
    """Answer bells, also for jobs that others hold, until this is killed.

    It ends too when its starter is gone.

    Args:
        given: the settings.
        folder: for logs and marks, with the plugin in ``site``.
        seed: of what is drawn by lot.
        twin: what is taken out.
        odds: multiply those of dying, and those of stopping.
    """
    _write_to(Path(folder) / "workers.log")
    sys.path.append(str(Path(folder) / "site"))
    sabotage(Twin(twin))
    bell = OwnBell()
    assistant = BusAssistant(Settings(_env_file=None, **given), bell=bell)
    bus = assistant.bus
    lot = random.Random(seed)
    arm(_by_lot(lot, Path(folder), *odds) if any(odds) else {})
    starter = os.getppid()
    while os.getppid() == starter:
        try:
            if not _answer_some(assistant, bus, bell, lot):
                time.sleep(_IDLE)
        except AssistantError as error:
            log.warning("%s", error)
            time.sleep(0.1)


def _answer_some(assistant: BusAssistant, bus: Bus, bell: OwnBell, lot: random.Random) -> bool:
    if bell.rung:
        return bus.answer(bell.rung.popleft())
    due = rows(
        assistant,
        "SELECT id FROM job WHERE NOT failed AND due <= :now ORDER BY due LIMIT 64",
        now=time.time(),
    )
    return bool(due) and bus.answer(lot.choice(due)["id"])


def _by_lot(
    lot: random.Random, folder: Path, deaths: float, stops: float
) -> dict[str, Callable[[], None]]:
    return {
        **{place: partial(_perhaps, lot, deaths * odds, _die) for place, odds in KILLS.items()},
        **{
            place: partial(_perhaps, lot, stops * odds, partial(_stop, folder))
            for place, odds in STOPS.items()
        },
    }


def _perhaps(lot: random.Random, odds: float, act: Callable[[], None]) -> None:
    if lot.random() < odds:
        act()


def _die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def _stop(folder: Path) -> None:
    (folder / f"stopped-{os.getpid()}").touch()
    os.kill(os.getpid(), signal.SIGSTOP)


def _write_to(file: Path) -> None:
    opened = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    os.dup2(opened, 1)
    os.dup2(opened, 2)
    os.close(opened)
    logging.basicConfig(
        level=logging.WARNING, format="%(asctime)s %(process)d %(levelname)s %(message)s"
    )
