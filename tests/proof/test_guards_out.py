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
from assistant.adapters.sql.store import SqlStore
from assistant.domain.approvals import approval
from assistant.domain.approvals.approval import Approval, why_too_late
from assistant.domain.calls.call import Call
from assistant.domain.conversation.conversation import Want
from assistant.domain.governance.modes import Mode
from assistant.domain.policy import decide as policy
from assistant.domain.policy.decisions import Layer, Request
from assistant.flows.approvals import hold
from assistant.flows.calls import judge, run
from assistant.flows.conversation import think, view
from tests.proof import test_found, test_no
from tests.proof.attacks import attacks
from tests.proof.stage import ME, Stage
from tests.proof.test_taken_for_the_owner import no_model_passes_for_its_owner
from tests.proof.victim import carried_out, nothing_happened
from tests.proof.witness import nothing_is_wrong
from tests.stores import Fresh
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
        think,
        "build_view",
        lambda *args, **more: build(*args, **more).model_copy(update={"tainted": False}),
    )


def owner(patch: pytest.MonkeyPatch) -> None:
    """Whoever comes is taken for the owner whose rows they are."""
    begin, read = SqlStore.begin, SqlStore.read
    as_owner = {"owner": OWNER}
    patch.setattr(SqlStore, "begin", lambda s, c: begin(s, c.model_copy(update=as_owner)))
    patch.setattr(SqlStore, "read", lambda s, c: read(s, c.model_copy(update=as_owner)))


def binding(patch: pytest.MonkeyPatch) -> None:
    """A yes to anything is a yes to everything."""
    patch.setattr(Call, "binding", property(lambda _call: "0" * 64))


def actor_of_requests(patch: pytest.MonkeyPatch) -> None:
    """Whoever asks for a call counts as the owner."""
    patch.setattr(Request, "by_owner", property(lambda _request: True))


def actor_of_drafts(patch: pytest.MonkeyPatch) -> None:
    """What a model wants is recorded as if its owner had asked for it."""
    draft = judge.draft_for
    patch.setattr(judge, "draft_for", lambda *args, **how: draft(*args, **how, actor=f"owner:{ME}"))


def expiry_of_a_press(patch: pytest.MonkeyPatch) -> None:
    """Whenever a button is pressed, it is as if its card had just been made."""
    lock = hold.lock

    def early(*args: Any) -> hold.Held:
        held = lock(*args)
        return replace(held, now=held.approval.created)

    patch.setattr(hold, "lock", early)


def expiry_of_a_run(patch: pytest.MonkeyPatch) -> None:
    """Whenever a call runs, it is as if its yes had just been asked for."""
    without = run._without_yes

    def early(tx: Any, call: Call, tool: Any, policy_context: Any, *rest: Any, **named: Any) -> str:
        then = replace(policy_context, now=tx.approval(call.id).created)
        return without(tx, call, tool, then, *rest, **named)

    patch.setattr(run, "_without_yes", early)


def no_grace(patch: pytest.MonkeyPatch) -> None:
    """What executes or governs has an hour of grace, too."""
    patch.setattr(approval, "NO_GRACE", frozenset())


def mootness(patch: pytest.MonkeyPatch) -> None:
    """What an approved call is about has never begun."""

    def never(given: Approval, **facts: Any) -> str:
        return why_too_late(given, **{**facts, "moot": None})

    patch.setattr(run, "why_too_late", never)


def card(patch: pytest.MonkeyPatch) -> None:
    """Whatever card somebody was shown, it counts as the one that was made."""
    why_not = hold.why_not
    patch.setattr(hold, "why_not", lambda held, card: why_not(held, card=held.approval.card))  # noqa: ARG005 (what is left out)


def lockdown_at_run_time(patch: pytest.MonkeyPatch) -> None:
    """What begins takes the assistant for normal."""
    invalid = run._invalid

    def lenient(tx: Any, call: Call, tool: Any, policy_context: Any, ctx: Any) -> str:
        return invalid(tx, call, tool, replace(policy_context, mode=Mode.NORMAL), ctx)

    patch.setattr(run, "_invalid", lenient)


_YES = "is approved and runs"
_RAN = "CallState.DONE: 'done'"
GUARDS: tuple[tuple[Out, Proof, str], ...] = (
    (claim, one_runs_at_a_time, "it was sent twice"),
    (taint_of_decisions, no_attack_comes_to_anything, "write_file sends"),
    (taint_of_views, no_attack_comes_to_anything, "passed for clean"),
    (actor_of_requests, no_model_passes_for_its_owner, "passed for its owner"),
    (actor_of_drafts, no_model_passes_for_its_owner, "passed for owner:"),
    (owner, is_no("another owner by handle"), _YES),
    (owner, is_no("another owner by id"), _YES),
    (binding, is_no("an argument, changed before the yes"), _YES),
    (binding, is_no("an argument, changed after the yes"), _RAN),
    (expiry_of_a_press, is_no("expired and nobody noticed"), _YES),
    (expiry_of_a_press, is_no("expired and the clock was set back"), _YES),
    (expiry_of_a_run, is_no("run too late"), _RAN),
    (expiry_of_a_run, is_no("run an hour late on the dot"), _RAN),
    (no_grace, is_no("run late though it executes"), _RAN),
    (mootness, is_no("run once it is moot"), _RAN),
    (card, is_no("the card of another call"), _YES),
    (card, is_no("a card that is absent"), _YES),
    (lockdown_at_run_time, no_retry_in_lockdown, _RAN),
)
"""A guard, a proof that needs it, and what the proof says without it, on each database."""
_NAMES = [f"{out.__name__}-{n}" for n, (out, _, _) in enumerate(GUARDS)]


@pytest.mark.slow
@pytest.mark.parametrize(("out", "proof", "why"), GUARDS, ids=_NAMES)
def test_without_its_guard_a_proof_fails(
    fresh: Fresh, monkeypatch: pytest.MonkeyPatch, *, out: Out, proof: Proof, why: str
) -> None:
    """The guard is taken out by the function that the case is named for."""
    out(monkeypatch)
    with pytest.raises(AssertionError, match=why):
        proof(fresh)


def test_with_it_there_is_one_run_at_a_time(fresh: Fresh) -> None:
    """The other proofs are tests of their own."""
    one_runs_at_a_time(fresh)
