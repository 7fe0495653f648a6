"""What came of one part of the harness, and how it is told."""

import json
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from tests.prove.invariants import Evidence, Invariant, Violation, is_unclear

_SHOWN = 12


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """One part, such as the killing of bus workers on Postgres."""

    name: str
    calls: int
    mails: int = 0
    faults: dict[str, int] = field(default_factory=dict)
    seconds: float
    states: dict[str, int] = field(default_factory=dict)
    unclear: int = 0
    quiet: float = 0.0
    """Seconds from the last fault until nothing was live; the longest of all rounds."""
    violations: Sequence[Violation] = ()
    wanted: Invariant | None = None
    """For a sabotaged twin, the promise that must be seen to break."""
    note: str = ""

    @property
    def passed(self) -> bool:
        if self.wanted is not None:
            return any(one.invariant is self.wanted for one in self.violations)
        return not self.violations

    @property
    def broken(self) -> dict[str, int]:
        return dict(Counter(one.invariant.value for one in self.violations))

    def as_json(self) -> dict[str, Any]:
        return {**asdict(self), "passed": self.passed}

    def line(self) -> str:
        faults = ", ".join(f"{count} {what}" for what, count in sorted(self.faults.items()))
        verdict = "red, as it must be" if self.wanted else "held"
        if not self.passed:
            verdict = "STAYED GREEN" if self.wanted else "BROKEN"
        broken = "; ".join(f"{what} ({count})" for what, count in self.broken.items())
        of = f"{self.calls} calls" + (f", {self.mails} mails" if self.mails else "")
        return (
            f"{self.name:<26} {verdict:<17} {of}, {self.unclear} unclear; {faults or 'no faults'}; "
            f"quiet after {self.quiet:.1f} s; {self.seconds:.0f} s"
            + (f"\n{'':<26} broken: {broken}" if broken else "")
            + (f"\n{'':<26} {self.note}" if self.note else "")
        )


def outcome(
    name: str,
    found: Sequence[Evidence],
    violations: Sequence[Violation],
    *,
    began: float,
    **more: Any,
) -> Outcome:
    """Sum up what was found."""
    calls = [call for one in found for call in one.calls]
    return Outcome(
        name=name,
        calls=len(calls),
        mails=sum(len(one.accepted) for one in found),
        seconds=time.monotonic() - began,
        states=dict(Counter(str(call["state"]) for call in calls)),
        unclear=sum(map(is_unclear, calls)),
        violations=violations,
        **more,
    )


def keep(folder: Path, found: Evidence, violations: Sequence[Violation]) -> None:
    """Write all that was found beside the logs."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "evidence.json").write_text(
        json.dumps(asdict(found), default=str, indent=1), encoding="utf-8"
    )
    lines = [f"{one.invariant.value}: {one.subject}: {one.said}" for one in violations]
    (folder / "violations.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")


def say(words: str) -> None:
    sys.stderr.write(f"{time.strftime('%H:%M:%S')} {words}\n")
    sys.stderr.flush()


def tell(violations: Sequence[Violation]) -> None:
    """Say the first few."""
    for one in violations[:_SHOWN]:
        say(f"  {one.invariant.value}: {one.subject}: {one.said}")
    if len(violations) > _SHOWN:
        say(f"  and {len(violations) - _SHOWN} more")
