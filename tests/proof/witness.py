"""What must be so whatever happened, told by rows, the audit and the world; by no policy."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import pairwise

from assistant.domain.approvals.approval import NEXT as ANSWERS
from assistant.domain.approvals.approval import Approval, ApprovalState
from assistant.domain.audit.entry import AuditEntry
from assistant.domain.calls.batches import owed, startable
from assistant.domain.calls.call import Call, Reach
from assistant.domain.calls.states import NEXT, CallState
from assistant.domain.conversation.conversation import Role
from assistant.flows.operations.audit_chain import verify_stored
from tests.proof.stage import Act, Stage, last_moment

_S = CallState
_BEGAN = frozenset({_S.CLEARED, _S.RUNNING, _S.UNKNOWN, _S.DONE, _S.FAILED, _S.VOID, _S.UNDONE})
"""States of a call whose tool was let act. What had to be tried again may be void by then."""
_HAPPENED = frozenset({_S.RUNNING, _S.UNKNOWN, _S.DONE, _S.FAILED, _S.UNDONE})
_ANSWERED = {
    ApprovalState.OPEN: frozenset({_S.PARKED}),
    ApprovalState.APPROVED: _BEGAN | {_S.CANCELLED, _S.SUPERSEDED},
    ApprovalState.DENIED: frozenset({_S.DENIED}),
    ApprovalState.EXPIRED: frozenset({_S.EXPIRED}),
    ApprovalState.VOID: _BEGAN | {_S.SUPERSEDED},
}
"""What a call can be by the state of its approval."""
_TOLD = frozenset({_S.DONE, _S.FAILED, _S.DENIED, _S.REFUSED, _S.VOID, _S.EXPIRED})


def nothing_is_wrong(stage: Stage) -> None:
    """At any moment."""
    audit = _audit(stage)
    calls = {call.id: call for call in stage.calls_made()}
    _every_effect_is_of_one_call(stage, calls)
    for act in stage.acts:
        assert not act.wrong, f"{act}: {act.wrong}"
        if act.reach is not Reach.READS:
            _was_allowed(act, calls[act.call], audit[act.call], stage)
    for call in calls.values():
        _kept_its_steps(call, audit[call.id])
        _is_consistent(call, stage.approval(call))
    _nothing_is_stuck(stage, list(calls.values()))
    found = verify_stored(store=stage.store, cause=stage.cause)
    assert not found.faults, f"the audit and the rows differ: {found.faults}"


def all_is_told(stage: Stage) -> None:
    """At rest: what ended was told, and the model has answered what it was told."""
    with stage.store.read(stage.cause) as tx:
        for call in stage.calls_made():
            assert call.state not in (_S.PROPOSED, _S.RUNNING, _S.UNKNOWN), call
            if call.state not in _TOLD or call.actor != "model":
                continue
            conversation = tx.conversation(call.conversation)
            told = [
                entry.seq
                for entry in tx.entries(conversation.id, last=1_000)
                if entry.role is Role.OUTCOME and entry.call == call.id
            ]
            assert told, f"nobody was told of {call.handle}, which is {call.state}"
            turn = tx.calls(conversation=conversation.id, turn=call.turn)
            if call.state in (_S.DENIED, _S.DONE, _S.FAILED) and not owed(turn):
                assert told[0] <= conversation.thought, f"the model never heard of {call.handle}"


def _audit(stage: Stage) -> dict[str, list[AuditEntry]]:
    entries: dict[str, list[AuditEntry]] = defaultdict(list)
    with stage.store.read(stage.cause) as tx:
        for entry in tx.audit(limit=100_000):
            entries[entry.subject].append(entry)
    return entries


def _every_effect_is_of_one_call(stage: Stage, calls: dict[str, Call]) -> None:
    effects = Counter(stage.effects())
    for id, times in effects.items():
        assert id in calls, f"an effect of no call: {id!r}"
        assert times == 1, f"{calls[id].handle} had its effect {times} times"
        assert calls[id].state in _HAPPENED, f"{calls[id].handle} acted and is {calls[id].state}"
        assert any(act.call == id for act in stage.acts)


def _was_allowed(act: Act, call: Call, entries: Sequence[AuditEntry], stage: Stage) -> None:
    """The run that acted came after one yes to this very thing, or the policy had let it."""
    runs = [n for n, entry in enumerate(entries) if entry.kind == "call.running"]
    assert len(runs) >= act.fence > 0, f"{call.handle} acted and never ran"
    answers = [e for e in entries[: runs[act.fence - 1]] if e.kind.startswith("approval.")]
    asked = stage.approval(call)
    if asked is None:
        assert not answers
        assert call.verdict in ("allow", "report"), f"{call.handle} ran without a yes"
        return
    assert [answer.kind for answer in answers] == ["approval.approved"], f"{call.handle}: {answers}"
    [yes] = answers
    assert yes.args == call.binding, f"the yes to {call.handle} was for something else"
    assert yes.actor == stage.me
    assert yes.ended is not None
    assert yes.ended < asked.expires
    began = entries[runs[act.fence - 1]].at
    assert began is not None
    assert began < last_moment(asked, act.reach), f"{call.handle} began after its yes had ended"


def _kept_its_steps(call: Call, entries: Sequence[AuditEntry]) -> None:
    states = [_S(e.kind.partition(".")[2]) for e in entries if e.kind.startswith("call.")]
    assert states[0] in (_S.CLEARED, _S.PARKED, _S.REFUSED, _S.DONE)
    for before, after in pairwise(states):
        assert after in NEXT[before], f"{call.handle} went from {before} to {after}"
    assert states[-1] is call.state
    settled = [
        ApprovalState(e.kind.partition(".")[2]) for e in entries if e.kind.startswith("approval.")
    ]
    for one, next_one in pairwise([ApprovalState.OPEN, *settled]):
        assert next_one in ANSWERS[one], f"the approval of {call.handle}: {settled}"


def _is_consistent(call: Call, approval: Approval | None) -> None:
    if approval is None:
        assert call.state is not _S.PARKED, f"{call.handle} waits for nothing"
        return
    assert call.state in _ANSWERED[approval.state], f"{call.handle}: {call.state}, {approval}"


def _nothing_is_stuck(stage: Stage, calls: Sequence[Call]) -> None:
    """Whoever waits for code, not for a person, has a job that will see to it."""
    jobs = {job.id for job in stage.store.jobs() if not job.failed}
    turns: dict[tuple[str, int], list[Call]] = defaultdict(list)
    for call in calls:
        turns[call.conversation, call.turn].append(call)
        if call.state in (_S.RUNNING, _S.UNKNOWN):
            assert f"run:{call.id}" in jobs, f"{call.handle} is {call.state}, and nobody runs it"
        if call.state is _S.PARKED:
            assert f"expire:{call.id}" in jobs, f"{call.handle} waits for ever"
    for turn in turns.values():
        for call in startable(turn):
            assert f"run:{call.id}" in jobs, f"{call.handle} may begin, and nobody begins it"
    with stage.store.read(stage.cause) as tx:
        for conversation in {call.conversation for call in calls} | (stage.conversations - {""}):
            if tx.conversation(conversation).owed:
                assert f"think:{conversation}" in jobs, "an answer is owed, and nobody thinks"
