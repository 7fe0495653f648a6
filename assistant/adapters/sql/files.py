"""What paths hold, and held."""

from assistant.adapters.sql.rows import Rows


class FileRows(Rows):
    """See ``assistant.ports``."""
