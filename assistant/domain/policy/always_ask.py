"""The calls that always ask a person. No rule, default, mode or grant lowers that (tested)."""

from collections.abc import Sequence

from assistant.domain.calls.call import Call, Facts, Reach

BULK = 5
"""The most objects that one yes may destroy before they count as many."""


def why_always_ask(reach: Reach | None, facts: Facts) -> str:
    """Return why a call of this reach always asks; empty if it does not."""
    if reach is Reach.GOVERNS:
        return "it changes what guards the assistant"
    if reach is Reach.EXECUTES:
        return "it runs a command"
    many = destroys_many(reach, facts)
    if reach is Reach.DESTROYS and not facts.own:
        count = f", and {many} things at once" if many else ""
        return f"it destroys what is the owner's own{count}"
    return f"it destroys {many} things at once" if many else ""


def needs_typed_word(reach: Reach | None, facts: Facts) -> bool:
    """Return whether the owner must type a word to approve such a call."""
    return reach is Reach.GOVERNS or bool(destroys_many(reach, facts))


def destroys_many(reach: Reach | None, facts: Facts) -> int:
    """Count what a call destroys; 0 unless that is more than ``BULK``."""
    count = len(set(facts.locations)) if _destroys(reach, facts) else 0
    return count if count > BULK else 0


def destroy_many(calls: Sequence[Call]) -> int:
    """Count what the calls of one approval destroy; 0 unless that is more than ``BULK``.

    A call without locations destroys one thing.
    """
    count = sum(
        max(1, len(set(call.facts.locations)))
        for call in calls
        if _destroys(call.reach, call.facts)
    )
    return count if count > BULK else 0


def _destroys(reach: Reach | None, facts: Facts) -> bool:
    return facts.destructive or reach is Reach.DESTROYS
