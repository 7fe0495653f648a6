"""Keep two assistants with private calendars off one database: either would miss half the events.

Each ``assistant up`` says every few seconds that it lives. Times are the database's, so that the
clocks of two machines need not agree.
"""

import logging
import os
import socket
import threading
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import Connection, inspect, text

from assistant.adapters.sql.driver import Engines, translated
from assistant.adapters.sql.tables.columns import table
from assistant.adapters.sql.tables.installations import InstallationRow
from assistant.domain.errors import AssistantError, InUse
from workers.configuration.prefix import PREFIX
from workers.processes.children import MARK

if TYPE_CHECKING:
    from workers.parts import Assistant

log = logging.getLogger(__name__)

SAY_SECONDS = 5.0
"""How often an installation says that it lives."""
_LATELY = 30.0
"""Seconds after which an installation that says nothing does not live."""
_FORGOTTEN = 86_400.0


@dataclass(frozen=True, kw_only=True)
class Installation:
    """One ``assistant up`` and its place on a database."""

    engines: Engines
    id: str
    private_calendar: bool

    def check(self) -> None:
        """Raise ``InUse`` if another one lives whose calendar is private too."""
        with translated(), self.engines.read.connect() as connection, connection.begin():
            if inspect(connection).has_table(table(InstallationRow).name):
                self._check(connection)

    def take(self) -> None:
        """Check, and say that this one lives, in one step."""
        with translated(), self.engines.write.connect() as connection, connection.begin():
            if not self.engines.sqlite:
                connection.execute(text("LOCK TABLE installation IN EXCLUSIVE MODE"))
            self._check(connection)
            self._write(connection)
            forgotten = f"DELETE FROM installation WHERE seen < {self._now} - {_FORGOTTEN}"  # noqa: S608 (constants)
            connection.execute(text(forgotten))

    def say_alive(self) -> None:
        """Say that this one lives, whoever has come since."""
        with translated(), self.engines.write.connect() as connection, connection.begin():
            self._write(connection)

    def leave(self) -> None:
        """Say that this one has ended, so that another may start at once."""
        with translated(), self.engines.write.connect() as connection, connection.begin():
            connection.execute(text("DELETE FROM installation WHERE id = :id"), {"id": self.id})

    def _check(self, connection: Connection) -> None:
        if not self.private_calendar:
            return
        found = connection.execute(
            text(
                f"SELECT host, {self._now} - seen AS ago FROM installation "  # noqa: S608 (constants)
                f"WHERE id <> :id AND private_calendar AND seen > {self._now} - {_LATELY} "
                "ORDER BY seen DESC"
            ),
            {"id": self.id},
        ).first()
        if found is not None:
            raise InUse(
                f"an assistant with a private calendar works on this database, on the machine "
                f"{found.host} (heard of {max(0.0, found.ago):.0f} s ago); two of them would each "
                f"miss the other's events: stop that one, or name one calendar for both with "
                f"{PREFIX}CALDAV_URL; if it was killed, try again in {_LATELY:.0f} s"
            )

    def _write(self, connection: Connection) -> None:
        connection.execute(
            text(
                "INSERT INTO installation (id, host, private_calendar, seen) "  # noqa: S608 (constants)
                f"VALUES (:id, :host, :private, {self._now}) ON CONFLICT (id) DO UPDATE "
                "SET host = excluded.host, private_calendar = excluded.private_calendar, "
                "seen = excluded.seen"
            ),
            {"id": self.id, "host": socket.gethostname(), "private": self.private_calendar},
        )

    @property
    def _now(self) -> str:
        """The database's clock, in epoch seconds."""
        if self.engines.sqlite:
            return "(julianday('now') - 2440587.5) * 86400.0"
        return "EXTRACT(EPOCH FROM clock_timestamp())"


def installation_of(assistant: "Assistant") -> Installation:
    """Return the place of an installation on its database."""
    return Installation(
        engines=assistant.engines,
        id=assistant.data_folder.installation(),
        private_calendar=not assistant.settings.own_calendar,
    )


def keep_saying_alive(assistant: "Assistant") -> None:
    """Say that this installation lives while this process runs, if ``assistant up`` started it.

    In a thread: a database may hang.
    """
    if MARK in os.environ:
        place = installation_of(assistant)
        threading.Thread(target=_say_alive, args=(place,), name="installation", daemon=True).start()


def _say_alive(place: Installation) -> None:
    heard = True
    pause = threading.Event()
    while True:
        try:
            place.say_alive()
            heard = True
        except Exception as error:  # noqa: BLE001 (said again soon, and no work rests on it)
            if heard:
                log.warning("could not say in the database that this one lives: %s", error)
            heard = False
        pause.wait(SAY_SECONDS)


def main() -> None:
    """Give up the place of the installation that the settings name."""
    from workers.parts import silent_assistant  # noqa: PLC0415 (heavy)
    from workers.settings import load  # noqa: PLC0415 (heavy)

    with suppress(AssistantError):
        installation_of(silent_assistant(load())).leave()


if __name__ == "__main__":
    main()
