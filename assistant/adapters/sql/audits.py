"""The audit: appended with what it records."""

from assistant.adapters.sql.rows import Rows


class AuditRows(Rows):
    """See ``assistant.ports``."""
