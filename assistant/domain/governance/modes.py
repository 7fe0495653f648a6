"""The modes of the assistant, and which mode may follow which."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from enum import StrEnum
from hashlib import sha256
from typing import Self

from pydantic import BaseModel, ConfigDict

from assistant.domain.audit.entry import AuditEntry
from assistant.domain.errors import IllegalStep

SIGNAL = "signal:"
"""Begins the ``by`` of a mode that a signal entered; the name of the signal follows."""
WORD_LIVES = timedelta(minutes=10)
"""How long the word for leaving lockdown is valid."""


class Mode(StrEnum):
    NORMAL = "normal"
    ALERT = "alert"
    """Every risk counts one step more."""
    DEGRADED = "degraded"
    """No model answers: the offline grammar and extractive summaries replace it."""
    LOCKDOWN = "lockdown"
    """Only reads run; every waiting call is void."""
    RECOVERY = "recovery"
    """After lockdown: the owner reviews each effect, and keeps or undoes it, before normal."""


_M = Mode
NEXT: Mapping[Mode, frozenset[Mode]] = {
    _M.NORMAL: frozenset({_M.ALERT, _M.DEGRADED, _M.LOCKDOWN, _M.RECOVERY}),
    _M.ALERT: frozenset({_M.NORMAL, _M.DEGRADED, _M.LOCKDOWN, _M.RECOVERY}),
    _M.DEGRADED: frozenset({_M.NORMAL, _M.ALERT, _M.LOCKDOWN, _M.RECOVERY}),
    _M.LOCKDOWN: frozenset({_M.RECOVERY, _M.NORMAL}),
    _M.RECOVERY: frozenset({_M.NORMAL, _M.ALERT, _M.LOCKDOWN}),
}


class Autorun(StrEnum):
    """What may run without approval, whatever its risk."""

    ALL = "all"
    """Adds nothing to the other layers."""
    NO_PUBLIC = "no_public"
    """Calls that touch ``public:/`` ask."""
    NONE = "none"
    """Every call that is not a read asks."""


class ModeRecord(BaseModel):
    """The mode of an owner's assistant, with time and reason. Each change raises ``revision``."""

    model_config = ConfigDict(frozen=True)
    mode: Mode = Mode.NORMAL
    before: Mode = Mode.NORMAL
    """The mode before this one, to which a mode that a signal entered returns."""
    by: str = "setup"
    """The owner's id on their channel, or ``signal:<name>``."""
    reason: str = ""
    revision: int = 0
    since: datetime | None = None
    review: datetime | None = None
    """In recovery: the owner reviews what was done since then."""
    word: str = ""
    """``sealed`` of the word that leaves this mode; empty until somebody asks for a word."""
    asked: datetime | None = None
    """When that word was issued."""

    @property
    def by_itself(self) -> bool:
        return self.by.startswith(SIGNAL)

    def entering(self, wanted: "ModeRecord", *, at: datetime) -> Self:
        """Return the next record, as ``wanted`` describes it. Raises ``IllegalStep``."""
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
        """Return the SHA-256 of a word, bound to this revision of the mode and to one person."""
        return sha256(f"{self.revision}\n{by}\n{word}".encode(errors="replace")).hexdigest()


def mode_entered(record: ModeRecord) -> AuditEntry:
    """Return the audit entry: a signal's reason in full, only the length of an owner's."""
    why = record.reason if record.by_itself else f"{len(record.reason)} characters of why"
    return AuditEntry(
        kind=f"mode.{record.mode.value}",
        subject=f"mode {record.revision}",
        actor=record.by,
        reason="; ".join(filter(None, (f"from {record.before}", why if record.reason else ""))),
    )
