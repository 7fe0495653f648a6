"""What is said of policies and of the decisions that they make: in blocks, and as JSON."""

from typing import Any

from assistant.commands.answer import Block, Fields, Table, fields
from assistant.domain.decisions import Decision
from assistant.domain.grants import terms
from assistant.domain.moments import say_moment
from assistant.domain.policies import PolicyText
from assistant.domain.suggestions import Suggestion
from assistant.flows.explaining import Explained
from assistant.flows.replaying import Judged, Replayed


def explained_facts(one: Explained, file: str) -> dict[str, Any]:
    facts = one.request.facts
    return {
        "tool": one.request.tool.name,
        "arguments": facts.args,
        "destination": facts.destination,
        "actor": one.request.actor,
        "tainted": one.request.tainted,
        "reach": one.request.reach.value if one.request.reach else None,
        "note": one.note,
        **_decision_facts(one.decision),
        "file": file,
        "layers": [
            {
                "id": step.layer.value,
                "said": step.words,
                "spoke": step.spoke,
                "so_far": step.verdict.value,
            }
            for step in one.steps
        ],
        "then": _judged_facts(one.then) if one.then else None,
    }


def _decision_facts(decision: Decision) -> dict[str, Any]:
    return {
        **_judged_facts(Judged.decided(decision)),
        "message": decision.message,
        "grant": decision.grant,
        "fix": decision.fix,
    }


def _judged_facts(judged: Judged) -> dict[str, Any]:
    return judged.model_dump(mode="json")


def explained_blocks(one: Explained, file: str) -> tuple[Block, ...]:
    decision = one.decision
    then: tuple[Fields, ...] = ()
    if one.then:
        told = f"{one.then.verdict}, by policy {one.then.policy}, in mode {one.then.mode}"
        then = (fields({"Then": told, "Why": "\n".join(one.then.reasons)}),)
    rows = tuple(
        (step.layer.value, step.verdict.value if step.spoke else "", step.words)
        for step in one.steps
    )
    now = fields(
        {
            "Now" if one.then else "Verdict": decision.verdict.value,
            "By": " ".join(filter(None, (decision.layer, decision.rule))),
            "Risk": decision.risk.value,
            "To type": decision.word,
            "Message": decision.message,
            "What would help": decision.fix,
            "Policy": file or str(decision.policy),
            "Mode": decision.mode.value,
            "Note": one.note,
        }
    )
    return (*then, Table(columns=("layer", "verdict", "why"), rows=rows, empty=""), now)


def replayed_facts(found: Replayed) -> dict[str, Any]:
    return {
        "since": found.since.isoformat(),
        "seen": found.seen,
        "same": found.same,
        "ways": found.ways,
        "changes": [
            {"id": change.handle, "way": change.way, **change.model_dump(mode="json")}
            for change in found.changes
        ],
        "unjudged": [{"id": one.handle, **one.model_dump(mode="json")} for one in found.unjudged],
        "notes": list(found.notes),
    }


def replayed_blocks(found: Replayed, zone: str) -> tuple[Block, ...]:
    rows = tuple(
        (
            change.handle,
            say_moment(change.at, zone),
            change.tool,
            change.way,
            _by(change.then),
            _by(change.now),
        )
        for change in found.changes
    )
    columns = ("id", "when", "tool", "then -> now", "then by", "now by")
    counted = fields(
        {
            "Calls": f"{found.seen}, of which {found.same} would be decided alike",
            "Changes": "; ".join(f"{count} {way}" for way, count in found.ways.items()),
            "Not judged": "\n".join(f"{one.handle}: {one.why}" for one in found.unjudged),
            "Note": "\n".join(found.notes),
        }
    )
    empty = "Every decision would be the same."
    return (Table(columns=columns, rows=rows, empty=empty), counted)


def _by(judged: Judged) -> str:
    return " ".join(filter(None, (judged.layer, judged.rule)))


def suggested_facts(one: Suggestion, rule_text: str) -> dict[str, Any]:
    return {
        "id": one.calls[-1],
        "tool": one.tool,
        "same": one.same,
        "free": list(one.free),
        "calls": list(one.calls),
        "rule": one.rule.model_dump(mode="json", exclude_defaults=True) if one.rule else None,
        "rule_text": rule_text,
        "spared_by_rule": one.spared_by_rule,
        "grant": one.grant.model_dump(mode="json") if one.grant else None,
        "spared_by_grant": one.spared_by_grant,
    }


def suggested_words(one: Suggestion, rule_text: str, zone: str) -> str:
    lines = [f"{one.tool}: approved {len(one.calls)} times ({', '.join(one.calls)}), never refused"]
    if one.grant:
        lines.append(
            f"  A grant would have spared {one.spared_by_grant} questions. "
            "Approve the next such call together with those like it:"
        )
        lines += [f"    {line}" for line in terms(one.grant, zone)]
    if rule_text:
        lines.append(f"  A rule would have spared {one.spared_by_rule}. Behind your other rules:")
        lines += [f"    {line}" for line in rule_text.splitlines()]
    return "\n".join(lines)


def policy_facts(policy: PolicyText, newest: PolicyText) -> dict[str, Any]:
    facts = policy.model_dump(mode="json", exclude={"text"})
    return {"id": policy.version, **facts, "in_force": policy.version == newest.version}
