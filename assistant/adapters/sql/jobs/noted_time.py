"""The latest time that was noted, which tells when a clock was set back."""

from datetime import datetime

from sqlalchemy import bindparam, text

from assistant.adapters.sql.parts import StorePart
from assistant.adapters.sql.tables import UtcDateTime


class NotedTime(StorePart):
    """See ``assistant.ports.Store``."""

    def raise_high_water(self) -> None:
        """Note the time, so that no clock set back makes an expired approval fresh again."""
        self._count_flushed(_HIGH_WATER, {"now": self._clock.now()})

    def ticked(self) -> datetime | None:
        """When the time was noted last, None if never."""
        rows = self._read(_TICKED)
        return rows[0]["at"] if rows else None


_TICKED = text("SELECT at FROM high_water").columns(at=UtcDateTime())

_HIGH_WATER = text("""
INSERT INTO high_water (id, at) VALUES (1, :now)
ON CONFLICT (id) DO UPDATE SET at = excluded.at WHERE high_water.at < excluded.at
""").bindparams(bindparam("now", type_=UtcDateTime()))
