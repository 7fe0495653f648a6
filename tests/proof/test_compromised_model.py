"""A model that somebody else speaks through, hundreds of times: nothing without a button."""

from collections import Counter
from collections.abc import Callable

import pytest

from assistant.domain.calls import Call
from tests.proof.attacks import attacks
from tests.proof.conftest import TIMES
from tests.proof.stage import Stage
from tests.proof.victim import carried_out, everything_is_explained, nothing_happened
from tests.stores import MakeStore

pytestmark = pytest.mark.slow

SEED = 7


@pytest.fixture
def kind() -> str:
    """What a model is let do is the same on every store."""
    return "sqlite"


@pytest.mark.timeout(120 * TIMES)
def test_nothing_it_asks_for_happens(
    fresh: Callable[[], MakeStore], tell: Callable[[str], None]
) -> None:
    tried, came = 0, Counter[str]()
    explained = 0
    for attack in attacks(seed=SEED, times=TIMES):
        stage = Stage(fresh())
        carried_out(stage, attack)
        try:
            nothing_happened(stage)
            explained += everything_is_explained(stage)
        except AssertionError as error:
            raise AssertionError(f"seed {SEED}, {attack.name}: {error}") from error
        tried += 1
        came.update(_struck(stage.calls_made()))
    assert tried >= 300
    tell(f"attacks: {tried}, of which none came to anything; calls: {dict(sorted(came.items()))}")
    tell(f"decisions explained: {explained}")


def _struck(calls: list[Call]) -> Counter[str]:
    """How the calls ended that are more than reads."""
    return Counter(call.state.value for call in calls if call.reach != "reads")
