"""How careful the assistant is at the moment, and which way leads where."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from enum import StrEnum
from hashlib import sha256
from typing import Self

from pydantic import BaseModel, ConfigDict

from assistant.domain.audit.entry import AuditEntry
from assistant.domain.errors import IllegalStep

SIGNAL = "signal:"
"""How the ``by`` of a mode begins that was entered by itself; its signal's name follows."""
WORD_LIVES = timedelta(minutes=10)
"""How long the word that leaving lockdown takes can be typed."""


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
    """The mode of an owner's assistant, since when and why. ``revision`` grows with each change."""

    model_config = ConfigDict(frozen=True)
    mode: Mode = Mode.NORMAL
    before: Mode = Mode.NORMAL
    """What it was, and where a mode that was entered by itself returns to."""
    by: str = "setup"
    """The owner's id on their channel, or ``signal:<name>``."""
    reason: str = ""
    revision: int = 0
    since: datetime | None = None
    review: datetime | None = None
    """In recovery: what was done since then is looked at."""
    word: str = ""
    """``sealed`` of the word that would leave this mode now; empty while nobody asked for one."""
    asked: datetime | None = None
    """When that word was given out."""

    @property
    def by_itself(self) -> bool:
        return self.by.startswith(SIGNAL)

    def entering(self, wanted: "ModeRecord", *, at: datetime) -> Self:
        """The next record, as ``wanted`` asks for it. Raises ``IllegalStep``."""
        if wanted.mode not in NEXT[self.mode]:
            raise IllegalStep(f"the assistant cannot go from {self.mode} to {wanted.mode}")
        return self.model_copy(
            update={
                "mode": wanted.mode,
                "before": self.mode,
                "by": wanted.by,
                "reason": wanted.reason,
                "revision": self.revision + 1,
                "since": at,
                "review": wanted.review,
                "word": "",
                "asked": None,
            }
        )

    def sealed(self, word: str, *, by: str) -> str:
        """SHA-256 of a word as it leaves this very mode for whoever asked for it."""
        return sha256(f"{self.revision}\n{by}\n{word}".encode(errors="replace")).hexdigest()


def mode_entered(record: ModeRecord) -> AuditEntry:
    """What the audit keeps: why in full where code says so, of an owner's words the length."""
    why = record.reason if record.by_itself else f"{len(record.reason)} characters of why"
    return AuditEntry(
        kind=f"mode.{record.mode.value}",
        subject=f"mode {record.revision}",
        actor=record.by,
        reason="; ".join(filter(None, (f"from {record.before}", why if record.reason else ""))),
    )
