"""What always asks a person. No rule, default, mode or grant lowers it; a test pins it."""

from collections.abc import Sequence

from assistant.domain.calls.call import Call, Facts, Reach

BULK = 5
"""Objects that may be destroyed at once before they count as many."""


def on_the_floor(reach: Reach | None, facts: Facts) -> str:
    """Why a call of this reach is on the floor; empty if it is not."""
    if reach is Reach.GOVERNS:
        return "it changes what guards the assistant"
    if reach is Reach.EXECUTES:
        return "it runs a command"
    many = destroys_many(reach, facts)
    if reach is Reach.DESTROYS and not facts.own:
        count = f", and {many} things at once" if many else ""
        return f"it destroys what is the owner's own{count}"
    return f"it destroys {many} things at once" if many else ""


def takes_a_word(reach: Reach | None, facts: Facts) -> bool:
    """Whether a yes to such a call must not be given in passing."""
    return reach is Reach.GOVERNS or bool(destroys_many(reach, facts))


def destroys_many(reach: Reach | None, facts: Facts) -> int:
    """How many things it destroys; 0 unless that is more than ``BULK``."""
    count = len(set(facts.locations)) if _destroys(reach, facts) else 0
    return count if count > BULK else 0


def destroy_many(calls: Sequence[Call]) -> int:
    """How many things calls that get one yes destroy; 0 unless that is more than ``BULK``.

    A call that names no place destroys one thing.
    """
    count = sum(
        max(1, len(set(call.facts.locations)))
        for call in calls
        if _destroys(call.reach, call.facts)
    )
    return count if count > BULK else 0


def _destroys(reach: Reach | None, facts: Facts) -> bool:
    return facts.destructive or reach is Reach.DESTROYS
