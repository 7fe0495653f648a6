"""One entry of the audit."""

from datetime import datetime

from pydantic import BaseModel, ConfigDict


class AuditEntry(BaseModel):
    """One decision or effect. It holds no secret and no words of a mail.

    ``place``, ``previous`` and ``hash`` are empty until a tick has chained the entry.
    """

    model_config = ConfigDict(frozen=True)
    id: str = ""
    owner: str = ""
    trace: str = ""
    at: datetime | None = None
    kind: str
    """What happened: ``call.parked``, ``approval.approved``, ``mode.lockdown``, ``file.write``."""
    subject: str = ""
    """What it happened to: a call's id, a path, a grant's id."""
    actor: str = ""
    tool: str = ""
    version: str = ""
    args: str = ""
    """SHA-256 of the canonical arguments; their readable form stays with the call.

    For an approval it is the binding, for an effect the hash of its kind, destination and key.
    """
    verdict: str = ""
    reason: str = ""
    """Lines written by code, never an owner's words, arguments or a result."""
    result: str = ""
    """The end: ``ok``, or the name of an error's type."""
    began: datetime | None = None
    ended: datetime | None = None
    number: int = 0
    place: int | None = None
    previous: str = ""
    hash: str = ""
