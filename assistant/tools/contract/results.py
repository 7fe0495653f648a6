"""What a tool returns: its result, or the error that kept it from one."""

from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from assistant.domain.fence import fence, unfence
from assistant.domain.tool_errors import ToolError, failure_of


class Result(BaseModel):
    """What a tool returns."""

    model_config = ConfigDict(frozen=True)
    text: str
    """For the model; what came from outside is fenced already."""
    told: str = ""
    """For the person, written by code."""
    outside: bool = False
    """True when ``text`` holds words of others."""
    source: str = ""
    """Where those words come from: ``mail 1a2b``."""
    after: dict[str, Any] = Field(default_factory=dict)
    """What the effect left: the object as it is now, its version."""
    data: dict[str, Any] = Field(default_factory=dict)
    """For programs, in the shape of the tool's ``result``."""
    error: ToolError | None = None
    """Why it could not be done."""
    touched: tuple[str, ...] = ()
    """The files or resources it changed."""
    latency: float = 0.0
    """Seconds that the execution took, measured by ``Invocation``."""

    @property
    def display(self) -> str:
        """What a person is shown."""
        return self.told or unfence(self.text)


def failed(error: Exception, *, source: str = "") -> Result:
    """Make the result of a call that ended in an error.

    With a ``source`` the error may quote it, so its words are fenced and count as outside.
    """
    _, said = failure_of(error)
    told = " ".join(said.message.split())
    text = f"failed:\n{fence(said.message, source=source)}" if source else f"failed: {said.message}"
    return Result(text=text, told=told, outside=bool(source), source=source, error=said)
