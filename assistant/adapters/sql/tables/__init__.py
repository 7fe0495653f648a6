"""The tables of the database. Columns bear the names of the domain's fields.

Every row belongs to an owner, except in three tables of the program itself: ``canary``,
``high_water`` and, as it lists them, ``owner``. Times are aware and in UTC. Only the job table
counts in epoch seconds, because the relay does arithmetic on them in SQL.
"""

from sqlmodel import SQLModel

from assistant.adapters.sql.tables.approvals import ApprovalRow
from assistant.adapters.sql.tables.audit import AuditRow
from assistant.adapters.sql.tables.calls import CallRow, EffectRow, OwnEventRow
from assistant.adapters.sql.tables.columns import JsonText, UtcDateTime, table
from assistant.adapters.sql.tables.conversations import (
    ConversationRow,
    EntryRow,
    ModelUseRow,
    SightingRow,
)
from assistant.adapters.sql.tables.deliveries import DeliveryRow, ScreenRow, TokenRow
from assistant.adapters.sql.tables.files import FileRow, FileVersionRow
from assistant.adapters.sql.tables.governance import ModeRow, PolicyRow
from assistant.adapters.sql.tables.grants import GrantRow
from assistant.adapters.sql.tables.jobs import CanaryRow, HighWaterRow, JobRow
from assistant.adapters.sql.tables.mails import AttachmentRow, MailRow
from assistant.adapters.sql.tables.owners import OwnerRow, PersonRow

__all__ = [
    "ApprovalRow",
    "AttachmentRow",
    "AuditRow",
    "CallRow",
    "CanaryRow",
    "ConversationRow",
    "DeliveryRow",
    "EffectRow",
    "EntryRow",
    "FileRow",
    "FileVersionRow",
    "GrantRow",
    "HighWaterRow",
    "JobRow",
    "JsonText",
    "MailRow",
    "ModeRow",
    "ModelUseRow",
    "OwnEventRow",
    "OwnerRow",
    "PersonRow",
    "PolicyRow",
    "SQLModel",
    "ScreenRow",
    "SightingRow",
    "TokenRow",
    "UtcDateTime",
    "table",
]
