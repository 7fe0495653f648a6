"""What the process that expands series is asked, and the reasons it gives."""

from pydantic import AwareDatetime, BaseModel, ConfigDict

TOO_LONG = "expanding it took too long"
NO_TIME = "expanding others took too long"


class ExpandQuestion(BaseModel):
    """What is asked of the objects that follow, one behind the other."""

    model_config = ConfigDict(frozen=True)
    start: AwareDatetime
    end: AwareDatetime
    zone: str
    seconds: float
    """CPU seconds for each object."""
    all_seconds: float
    ends: tuple[int, ...]
    """Where each object ends."""
