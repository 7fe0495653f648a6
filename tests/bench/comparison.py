"""Two ways of doing the same, measured in turns, so that a noisy machine disturbs both alike."""

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from statistics import median
from typing import Any

Once = Callable[[], float]
"""Does it once; what it measured."""


@dataclass(frozen=True, kw_only=True)
class Aim:
    """A promise about a ratio: ``most`` where less is better, ``least`` where more is."""

    least: float = 0.0
    most: float = float("inf")

    def met(self, ratio: float) -> bool:
        return self.least <= ratio <= self.most

    def __str__(self) -> str:
        return f">= {self.least:g}" if self.least else f"<= {self.most:g}"


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """What came of it: medians over the rounds, and the ratio of each round's two halves."""

    name: str
    unit: str
    ours: float
    beside: float
    ratios: tuple[float, ...]
    aim: Aim | None

    @property
    def ratio(self) -> float:
        return median(self.ratios)

    @property
    def met(self) -> bool | None:
        return self.aim.met(self.ratio) if self.aim else None

    def as_json(self) -> dict[str, Any]:
        aim = None if self.aim is None else str(self.aim)
        return asdict(self) | {"ratio": self.ratio, "aim": aim, "met": self.met}


def compare(
    name: str, unit: str, *, ours: Once, beside: Once, rounds: int, aim: Aim | None = None
) -> Comparison:
    """Ours, beside, ours, beside ... after one unmeasured round of each."""
    ours()
    beside()
    pairs = [(ours(), beside()) for _ in range(rounds)]
    return Comparison(
        name=name,
        unit=unit,
        ours=median(pair[0] for pair in pairs),
        beside=median(pair[1] for pair in pairs),
        ratios=tuple(ours / beside for ours, beside in pairs),
        aim=aim,
    )


def table(found: list[Comparison]) -> Iterator[str]:
    """Lines for people."""
    width = max((len(one.name) for one in found), default=0)
    yield f"{'':{width}}   ratio   (from    to)  aim                  ours    beside"
    for one in found:
        aim = str(one.aim) if one.aim else ""
        verdict = {True: "met", False: "MISSED", None: ""}[one.met]
        yield (
            f"{one.name:{width}}  {one.ratio:6.2f} {min(one.ratios):7.2f} {max(one.ratios):6.2f}  "
            f"{aim:8}{verdict:8}{one.ours:9.2f} {one.beside:9.2f} {one.unit}"
        )
