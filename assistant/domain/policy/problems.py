"""What is wrong with a policy: where, in words, and what would mend it."""

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
    """From 1; 0 where no file is known."""
    column: int = 0

    @property
    def where(self) -> str:
        """Such as ``rules[3].conditions[0].param``."""
        steps = (f"[{step}]" if isinstance(step, int) else f".{step}" for step in self.path)
        return "".join(steps).removeprefix(".")

    def __str__(self) -> str:
        place = f"line {self.line}, column {self.column}" if self.line else ""
        said = ": ".join(part for part in (place, self.where, self.words) if part)
        return f"{said} ({self.fix})" if self.fix else said


class BadPolicy(Misconfigured):
    """The policy cannot be used."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__("; ".join(str(one) for one in problems))
        self.problems = tuple(problems)


def wrong(words: str, fix: str) -> PydanticCustomError:
    """What a validator raises, so that a reader of policies finds both words and fix."""
    return PydanticCustomError("policy", "{words}", {"words": words, "fix": fix})
