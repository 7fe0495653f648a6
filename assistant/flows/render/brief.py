"""The morning brief in a few lines, from facts that code found in rows."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from assistant.domain.conversation.deliveries import Shown, ShownKind
from assistant.domain.policy.decisions import one_line
from assistant.domain.time.moments import zone_of

LINES = 11
"""Lines below the title, at the most."""
NOTHING = "Nothing waits, and nothing is on today."
_WIDTH = 76
"""Characters of a line."""


@dataclass(frozen=True)
class BriefPart:
    """A heading with how much there is, and what is worth a line of its own."""

    heading: str
    lines: tuple[str, ...] = ()
    more: int = 0
    """How many there are beyond ``lines``."""


@dataclass(frozen=True)
class BriefFacts:
    """What a brief tells. Words of others are among it: mails, titles."""

    now: datetime
    zone: str
    parts: tuple[BriefPart, ...]
    late: str = ""
    """Says that it comes late; empty if it does not."""


def brief(facts: BriefFacts) -> Shown:
    """Render a brief: its date, then each part with as many lines as there is room for."""
    local = facts.now.astimezone(zone_of(facts.zone))
    lines = _fitted(facts.parts, LINES - bool(facts.late))
    text = "\n".join(filter(None, (facts.late, *(lines or [NOTHING]))))
    title = f"{local:%A} {local.day} {local:%B}"
    return Shown(kind=ShownKind.NOTICE, title=title, text=text, outside=True)


def _fitted(parts: Sequence[BriefPart], room: int) -> list[str]:
    """Give each part its heading, and then a line in turn until there is no room."""
    given = [0] * len(parts)
    left = room - len(parts)
    while left > 0 and any(given[n] < len(part.lines) for n, part in enumerate(parts)):
        for n, part in enumerate(parts):
            if left > 0 and given[n] < len(part.lines):
                given[n] += 1
                left -= 1
    told: list[str] = []
    for n, part in enumerate(parts):
        hidden = len(part.lines) - given[n] + part.more
        more = f" (and {hidden} more)" if hidden and given[n] else ""
        told.append(one_line(f"{part.heading}{more}", _WIDTH))
        told += [f"  {one_line(line, _WIDTH)}" for line in part.lines[: given[n]]]
    return told
