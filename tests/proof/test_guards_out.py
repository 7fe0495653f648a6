"""Each proof fails when its guard is taken out: it proves what it says, and the guard is needed.

Nowhere else is code of ours replaced. Here it has to be: that a proof notices a missing guard can
be seen only where the guard is missing.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import text

from assistant.adapters.sql.driver import Prepared
from assistant.adapters.sql.jobs import claims
from assistant.domain import policy
from assistant.domain.calls import Call
from assistant.domain.decisions import Layer
from assistant.domain.modes import Mode
from assistant.domain.talk import Want
from assistant.flows import chat, running, view, waiting
from tests.memory_state import JobRow
from tests.memory_store import MemoryStore
from tests.proof import test_found, test_no
from tests.proof.attacks import attacks
from tests.proof.conftest import Fresh
from tests.proof.stage import Stage
from tests.proof.victim import carried_out, nothing_happened
from tests.proof.witness import nothing_is_wrong
from tests.world import OWNER

pytestmark = pytest.mark.guard_out

Out = Callable[[pytest.MonkeyPatch], None]
Proof = Callable[[Fresh], None]


# The proofs, each as it runs with all guards in place.


def one_runs_at_a_time(fresh: Fresh) -> None:
    """A second worker answers the same bell while the first is at it: there is one effect."""
    stage = Stage(fresh())
    stage.saves("version: 1\ndefault: ask\n")
    stage.wants(Want(tool="send_message", args={"words": "x"}))
    stage.alone = False
    stage.within = lambda call: stage.works(f"run:{call.id}")
    stage.yes()
    stage.rests()
    assert stage.effects() == [stage.call().id], "it was sent twice"
    nothing_is_wrong(stage)


def no_attack_comes_to_anything(fresh: Fresh) -> None:
    for attack in attacks(seed=7):
        stage = Stage(fresh())
        carried_out(stage, attack)
        nothing_happened(stage)


def is_no(name: str) -> Proof:
    """One case of those that are no yes."""
    return lambda fresh: test_no.proves(test_no.CASES[name], Stage(fresh()))


def no_retry_in_lockdown(fresh: Fresh) -> None:
    test_found.test_a_retry_is_not_begun_in_lockdown(Stage(fresh()))


# The guards, each taken out.


def claim(patch: pytest.MonkeyPatch) -> None:
    """A job is claimed although another holds it."""
    guarded: Any = claims._CLAIM.statement
    statement = str(guarded.element).replace("claim IS NULL AND ", "")
    assert statement != str(guarded.element)
    unguarded = text(statement).columns(*guarded.selected_columns)
    patch.setattr(claims, "_CLAIM", Prepared(unguarded))
    patch.setattr(JobRow, "waiting", property(lambda row: not row.failed))


def taint_of_decisions(patch: pytest.MonkeyPatch) -> None:
    """The layer of the policy that goes by taint says nothing."""

    def silent(case: Any) -> None:
        case.add_nothing(Layer.TAINT, "taken out")

    layers = [silent if layer is policy._taint else layer for layer in policy._LAYERS]
    assert silent in layers
    patch.setattr(policy, "_LAYERS", tuple(layers))


def taint_of_views(patch: pytest.MonkeyPatch) -> None:
    """Whatever is in view counts as clean."""
    build = view.build_view
    patch.setattr(
        chat,
        "build_view",
        lambda *args, **more: build(*args, **more).model_copy(update={"tainted": False}),
    )


def owner(patch: pytest.MonkeyPatch) -> None:
    """Whoever comes is taken for the owner whose rows they are."""
    begin, read = MemoryStore.begin, MemoryStore.read
    as_owner = {"owner": OWNER}
    patch.setattr(MemoryStore, "begin", lambda s, c: begin(s, c.model_copy(update=as_owner)))
    patch.setattr(MemoryStore, "read", lambda s, c: read(s, c.model_copy(update=as_owner)))


def binding(patch: pytest.MonkeyPatch) -> None:
    """A yes to anything is a yes to everything."""
    patch.setattr(Call, "binding", property(lambda _call: "0" * 64))


def expiry_of_a_press(patch: pytest.MonkeyPatch) -> None:
    """Whenever a button is pressed, it is as if its card had just been made."""
    hold = waiting.hold

    def held(*args: Any) -> waiting.Held | None:
        found = hold(*args)
        return replace(found, now=found.approval.created) if found else None

    patch.setattr(waiting, "hold", held)


def expiry_of_a_run(patch: pytest.MonkeyPatch) -> None:
    """Whenever a call runs, it is as if its yes had just been asked for."""
    without = running._without_yes

    def early(tx: Any, call: Call, tool: Any, standing: Any, *rest: Any, **named: Any) -> str:
        then = replace(standing, now=tx.approval(call.id).created)
        return without(tx, call, tool, then, *rest, **named)

    patch.setattr(running, "_without_yes", early)


def card(patch: pytest.MonkeyPatch) -> None:
    """Whatever card somebody was shown, it counts as the one that was made."""
    refusal = waiting.refusal
    patch.setattr(waiting, "refusal", lambda held, card: refusal(held, card=held.approval.card))  # noqa: ARG005 (what is left out)


def lockdown_at_run_time(patch: pytest.MonkeyPatch) -> None:
    """What begins takes the house for normal."""
    invalid = running._invalid

    def lenient(tx: Any, call: Call, tool: Any, standing: Any, ctx: Any) -> str:
        return invalid(tx, call, tool, replace(standing, mode=Mode.NORMAL), ctx)

    patch.setattr(running, "_invalid", lenient)


ALL = ("memory", "sqlite", "postgres")
_YES = "is approved and runs"
_RAN = "CallState.DONE: 'done'"
GUARDS: tuple[tuple[Out, Proof, str, tuple[str, ...]], ...] = (
    (claim, one_runs_at_a_time, "it was sent twice", ALL),
    (taint_of_decisions, no_attack_comes_to_anything, "write_file sends", ("memory",)),
    (taint_of_views, no_attack_comes_to_anything, "passed for clean", ("memory",)),
    (owner, is_no("another owner by handle"), _YES, ("memory",)),
    (owner, is_no("another owner by id"), _YES, ("memory",)),
    (binding, is_no("an argument, changed before the yes"), _YES, ALL),
    (binding, is_no("an argument, changed after the yes"), _RAN, ALL),
    (expiry_of_a_press, is_no("expired and nobody noticed"), _YES, ALL),
    (expiry_of_a_press, is_no("expired and the clock was set back"), _YES, ALL),
    (expiry_of_a_run, is_no("run too late"), _RAN, ALL),
    (card, is_no("the card of another call"), _YES, ALL),
    (card, is_no("a card that is absent"), _YES, ALL),
    (lockdown_at_run_time, no_retry_in_lockdown, _RAN, ALL),
)
"""A guard, a proof that needs it, what the proof says without it, and on which stores."""
_CASES = [(out, proof, why, kind) for out, proof, why, kinds in GUARDS for kind in kinds]
_NAMES = [f"{out.__name__}-{n}-{kind}" for n, (out, _, _, kind) in enumerate(_CASES)]


@pytest.fixture
def kind(request: pytest.FixtureRequest) -> str:
    """As the case says."""
    return str(request.node.callspec.params["on"])


@pytest.mark.parametrize(("out", "proof", "why", "on"), _CASES, ids=_NAMES)
def test_without_its_guard_a_proof_fails(
    fresh: Fresh, monkeypatch: pytest.MonkeyPatch, *, out: Out, proof: Proof, why: str, on: str
) -> None:
    """The guard is taken out by the function that the case is named for."""
    del on  # the fixture named kind goes by it
    out(monkeypatch)
    with pytest.raises(AssertionError, match=why):
        proof(fresh)


@pytest.mark.parametrize("kind", ALL)
def test_with_it_there_is_one_run_at_a_time(fresh: Fresh) -> None:
    """The other proofs are tests of their own."""
    one_runs_at_a_time(fresh)
