"""A problem of a policy: its place, in words, and the fix."""

from collections.abc import Sequence

from pydantic import BaseModel, ConfigDict
from pydantic_core import PydanticCustomError

from assistant.domain.errors import Misconfigured


class Problem(BaseModel):
    """One thing to mend."""

    model_config = ConfigDict(frozen=True)
    path: tuple[str | int, ...] = ()
    """Steps from the top: ``("rules", 3, "tool")``."""
    words: str
    fix: str = ""
    line: int = 0
    """Counted from 1; 0 without a file."""
    column: int = 0

    @property
    def where(self) -> str:
        """Return the path as a text: ``rules[3].conditions[0].param``."""
        steps = (f"[{step}]" if isinstance(step, int) else f".{step}" for step in self.path)
        return "".join(steps).removeprefix(".")

    def __str__(self) -> str:
        place = f"line {self.line}, column {self.column}" if self.line else ""
        said = ": ".join(part for part in (place, self.where, self.words) if part)
        return f"{said} ({self.fix})" if self.fix else said


class BadPolicy(Misconfigured):
    """The policy cannot be used."""

    said_alone = False

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__("; ".join(str(one) for one in problems))
        self.problems = tuple(problems)


def wrong(words: str, fix: str) -> PydanticCustomError:
    """Make the error that a validator raises, with the words and the fix of a ``Problem``."""
    return PydanticCustomError("policy", "{words}", {"words": words, "fix": fix})
