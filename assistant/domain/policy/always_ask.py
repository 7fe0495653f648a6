"""The calls that always ask a person. No rule, default, mode or grant lowers that (tested)."""

from collections.abc import Sequence

from assistant.domain.calls.call import Call, Facts, Reach

BULK = 5
"""The most objects that one yes may destroy, or one conversation within an hour without a word."""


def why_always_ask(reach: Reach | None, facts: Facts, *, before: int = 0) -> str:
    """Return why a call of this reach always asks; empty if it does not.

    ``before``: what its conversation overwrote or deleted within the last hour.
    """
    if reach is Reach.GOVERNS:
        return "it changes what guards the assistant"
    if reach is Reach.EXECUTES:
        return "it runs a command"
    many, total = destroys_many(reach, facts), _too_many(reach, facts, before)
    whose = "what is the owner's own" if reach is Reach.DESTROYS and not facts.own else ""
    count = f"{many} things at once" if many else ""
    destroyed = ", and ".join(filter(None, (whose, count)))
    so_far = f"with it this conversation overwrites or deletes {total} things within an hour"
    why = (f"it destroys {destroyed}" if destroyed else "", so_far if total else "")
    return ", and ".join(filter(None, why))


def needs_typed_word(reach: Reach | None, facts: Facts, *, before: int = 0) -> bool:
    """Return whether the owner must type a word to approve such a call."""
    many = destroys_many(reach, facts) or _too_many(reach, facts, before)
    return reach is Reach.GOVERNS or bool(many)


def destroys(reach: Reach | None, facts: Facts) -> int:
    """Count what a call overwrites or deletes. A call without locations destroys one thing."""
    return max(1, len(set(facts.locations))) if _destroys(reach, facts) else 0


def _too_many(reach: Reach | None, facts: Facts, before: int) -> int:
    """Count what a call destroys and what went before it; 0 unless that is more than ``BULK``."""
    count = destroys(reach, facts)
    return before + count if before and count and before + count > BULK else 0


def destroys_many(reach: Reach | None, facts: Facts) -> int:
    """Count what a call destroys; 0 unless that is more than ``BULK``."""
    count = len(set(facts.locations)) if _destroys(reach, facts) else 0
    return count if count > BULK else 0


def destroy_many(calls: Sequence[Call]) -> int:
    """Count what the calls of one approval destroy; 0 unless that is more than ``BULK``."""
    count = sum(destroys(call.reach, call.facts) for call in calls)
    return count if count > BULK else 0


def _destroys(reach: Reach | None, facts: Facts) -> bool:
    return facts.destructive or reach is Reach.DESTROYS
