"""What always asks a person. No rule, default, mode or grant lowers it; a test pins it."""

from assistant.domain.calls import Facts, Reach

BULK = 5
"""Objects that one call may destroy before it counts as many."""


def on_the_floor(reach: Reach | None, facts: Facts) -> str:
    """Why a call of this reach is on the floor; empty if it is not."""
    if reach is Reach.GOVERNS:
        return "it changes what guards the house"
    if reach is Reach.EXECUTES:
        return "it runs a command"
    if reach is Reach.DESTROYS and not facts.own:
        return "it destroys what is the owner's own"
    if (facts.destructive or reach is Reach.DESTROYS) and len(set(facts.locations)) > BULK:
        return f"it destroys {len(set(facts.locations))} things at once"
    return ""
