"""A policy as it was written, and which one is in force."""

from datetime import datetime
from hashlib import sha256
from typing import Self

from pydantic import BaseModel, ConfigDict

from assistant.domain.audit import AuditEntry
from assistant.domain.sound import sound


class PolicyText(BaseModel):
    """One version of an owner's policy. Version 0 is the built-in one, which has no text."""

    model_config = ConfigDict(frozen=True)
    version: int = 0
    digest: str = ""
    """SHA-256 of ``text``."""
    text: str = ""
    by: str = ""
    at: datetime | None = None

    def saved(self, *, at: datetime) -> Self:
        """The version after this one, with this text, as it is stored."""
        text = sound(self.text)
        return self.model_copy(
            update={
                "version": self.version + 1,
                "digest": sha256(text.encode()).hexdigest(),
                "text": text,
                "at": at,
            }
        )


def policy_saved(policy: PolicyText) -> AuditEntry:
    return AuditEntry(
        kind="policy.saved",
        subject=f"policy {policy.version}",
        actor=policy.by,
        version=str(policy.version),
        args=policy.digest,
    )
