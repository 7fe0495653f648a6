"""By when the owner was to be told something, and when a channel showed it.

What was due and is not there is how the assistant notices its own silence.
"""

from datetime import timedelta
from enum import StrEnum

from pydantic import AwareDatetime, BaseModel, ConfigDict

LATE = timedelta(minutes=10)
"""What is shown so long after it was due was late."""


class DueKind(StrEnum):
    REMINDER = "reminder"
    BRIEF = "brief"


class DueNotice(BaseModel):
    """Something that was to be told by a time. Its row also keeps it from being made twice."""

    model_config = ConfigDict(frozen=True)
    id: str
    """That of its delivery."""
    kind: DueKind
    due: AwareDatetime
    made: AwareDatetime
    """When the delivery was ordered."""
    shown: AwareDatetime | None = None
    """When a channel showed it."""
    says_late: bool = False
    """True if its own words say that it comes late."""
