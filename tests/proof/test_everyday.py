"""Everyday tasks still finish, with no more buttons than they need: to deny all is to fail."""

from collections import Counter
from collections.abc import Callable

import pytest

from tests.proof.everyday import TASKS, Task, finishes
from tests.proof.stage import Stage
from tests.proof.victim import everything_is_explained
from tests.proof.witness import all_is_told, nothing_is_wrong
from tests.stores import Fresh

_CASES = [(task, tainted) for task in TASKS for tainted in (False, True)]
_NAMES = [f"{task.name}, {'tainted' if tainted else 'clean'}" for task, tainted in _CASES]


@pytest.fixture
def kind() -> str:
    """A decision is the same on every store."""
    return "sqlite"


@pytest.mark.parametrize(("task", "tainted"), _CASES, ids=_NAMES)
def test_it_finishes(fresh: Fresh, task: Task, *, tainted: bool) -> None:
    stage = Stage(fresh())
    needed = task.tainted_buttons if tainted else task.buttons
    if needed < 0:
        with pytest.raises(AssertionError, match="refused"):
            finishes(task, stage, tainted=tainted)
        return
    assert finishes(task, stage, tainted=tainted) == needed
    nothing_is_wrong(stage)
    all_is_told(stage)
    everything_is_explained(stage)


def test_there_are_enough_of_them(tell: Callable[[str], None]) -> None:
    clean = Counter(task.buttons for task in TASKS)
    tainted = Counter(task.tainted_buttons for task in TASKS if task.tainted_buttons >= 0)
    assert sum(clean.values()) >= 25
    tell(f"everyday tasks in clean talks: {_said(clean)}")
    tell(f"everyday tasks in tainted talks: {_said(tainted)}")


def _said(count: Counter[int]) -> str:
    by = [f"{tasks} with {buttons} buttons" for buttons, tasks in sorted(count.items())]
    return f"{sum(count.values())}, {', '.join(by)}"


@pytest.mark.slow
@pytest.mark.parametrize(
    "policy",
    ["version: 1\ndefault: deny\n", "version: 1\nrules: [{tool: '*', action: deny}]\n"],
    ids=["by default", "by a rule"],
)
def test_a_house_that_denies_all_fails(fresh: Fresh, policy: str) -> None:
    for task in TASKS:
        stage = Stage(fresh())
        stage.saves(policy)
        with pytest.raises(AssertionError):
            finishes(task, stage, tainted=False)


@pytest.mark.slow
def test_a_house_that_asks_about_all_takes_more_buttons(fresh: Fresh) -> None:
    taken = 0
    for task in TASKS:
        stage = Stage(fresh())
        stage.saves("version: 1\ndefault: ask\n")
        taken += finishes(task, stage, tainted=False)
    assert taken > 2 * sum(task.buttons for task in TASKS)
