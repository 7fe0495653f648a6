"""The mode of the house and the policies it went by."""

from assistant.adapters.sql.rows import Rows


class ModeRows(Rows):
    """See ``assistant.ports``."""
