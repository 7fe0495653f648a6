"""How careful the whole house is at the moment, and which way leads where."""

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum

from pydantic import BaseModel, ConfigDict


class Mode(StrEnum):
    NORMAL = "normal"
    ALERT = "alert"
    """Every risk counts one step more."""
    DEGRADED = "degraded"
    """No model answers: the offline grammar and extractive summaries stand in."""
    LOCKDOWN = "lockdown"
    """Reads only; whatever waited for a yes is void."""
    RECOVERY = "recovery"
    """Lockdown is over; each effect is looked at, and kept or undone, before all is normal."""


_M = Mode
NEXT: Mapping[Mode, frozenset[Mode]] = {
    _M.NORMAL: frozenset({_M.ALERT, _M.DEGRADED, _M.LOCKDOWN, _M.RECOVERY}),
    _M.ALERT: frozenset({_M.NORMAL, _M.DEGRADED, _M.LOCKDOWN, _M.RECOVERY}),
    _M.DEGRADED: frozenset({_M.NORMAL, _M.ALERT, _M.LOCKDOWN, _M.RECOVERY}),
    _M.LOCKDOWN: frozenset({_M.RECOVERY, _M.NORMAL}),
    _M.RECOVERY: frozenset({_M.NORMAL, _M.ALERT, _M.LOCKDOWN}),
}


class Autorun(StrEnum):
    """What may run without being asked about, whatever its risk."""

    ALL = "all"
    """Adds nothing to what the other layers say."""
    NO_PUBLIC = "no_public"
    """What touches ``public:/`` asks."""
    NONE = "none"
    """Everything that is not a read asks."""


class ModeRecord(BaseModel):
    """The mode an owner's house is in, since when and why. ``revision`` grows with each change."""

    model_config = ConfigDict(frozen=True)
    mode: Mode = Mode.NORMAL
    before: Mode = Mode.NORMAL
    """What it was, and where a mode that was entered by itself returns to."""
    by: str = "setup"
    """The owner's id on their channel, or ``signal:<name>``."""
    reason: str = ""
    revision: int = 0
    since: datetime | None = None
