"""The text of a policy, in versions."""

from datetime import datetime
from hashlib import sha256
from typing import Self

from pydantic import BaseModel, ConfigDict

from assistant.domain.audit.entry import AuditEntry
from assistant.domain.limits import MiB
from assistant.domain.text.sound import sound

LARGEST = 1 * MiB
"""The most bytes of the text of one policy."""


def digest_of(text: str) -> str:
    """Return the SHA-256 of a policy's text as it is stored."""
    return sha256(sound(text).encode()).hexdigest()


class PolicyText(BaseModel):
    """One version of an owner's policy. Version 0 is the built-in policy, without text."""

    model_config = ConfigDict(frozen=True)
    version: int = 0
    digest: str = ""
    """SHA-256 of ``text``."""
    text: str = ""
    by: str = ""
    at: datetime | None = None

    def saved(self, *, at: datetime) -> Self:
        """Return the version after this one, with this text, as it is stored."""
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
