"""A policy as it was written, and which one is in force."""

from datetime import datetime
from hashlib import sha256
from typing import Self

from pydantic import BaseModel, ConfigDict

from assistant.domain.audit.entry import AuditEntry
from assistant.domain.limits import MiB
from assistant.domain.text.sound import sound

LARGEST = 1 * MiB
"""Bytes of one policy, as it is written."""


def digest_of(text: str) -> str:
    """By which a text is known to be the one that is stored: SHA-256 of it as it would be."""
    return sha256(sound(text).encode()).hexdigest()


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
                "digest": digest_of(text),
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
