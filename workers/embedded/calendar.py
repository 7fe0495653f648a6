"""The private calendar: a Radicale that ``up`` runs, or that a single command starts for itself."""

import atexit
import contextlib
import subprocess
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path

from assistant.domain.calendar.copies.changes import (
    CopiedObject,
    ObjectVersions,
    ServerCalendar,
)
from assistant.domain.calendar.events import Event, When
from assistant.domain.calendar.ports import checked
from assistant.domain.calendar.series import Affected, SeriesEdit
from assistant.domain.calendar.times import EventTimes
from workers.embedded import radicale
from workers.embedded.http_probe import free_port, wait_for

ADDRESS = "the assistant's private calendar"


class ForwardedCalendar(ABC):
    """Hands everything on to another calendar, and looks each time which one that is."""

    @abstractmethod
    def address(self) -> str:
        """Return the address of the calendar."""

    @abstractmethod
    def _reach(self) -> ServerCalendar:
        """Return the calendar to use now."""

    def at(self, address: str) -> ServerCalendar:
        return self._reach().at(address)

    def between(self, when: When) -> Sequence[Event]:
        return self._reach().between(when)

    def times(self, when: When) -> EventTimes:
        return self._reach().times(when)

    def get(self, uid: str, *, occurrence: date | None = None) -> Event:
        return self._reach().get(uid, occurrence=occurrence)

    def create(self, event: Event) -> str:
        return self._reach().create(event)

    def update(self, event: Event) -> str:
        return self._reach().update(event)

    def delete(self, uid: str, *, etag: str) -> None:
        self._reach().delete(uid, etag=etag)

    def refuse_to_mail(self, uid: str) -> None:
        self._reach().refuse_to_mail(uid)

    def affected(self, edit: SeriesEdit) -> Affected:
        return self._reach().affected(edit)

    def change_series(self, edit: SeriesEdit) -> str:
        return self._reach().change_series(edit)

    def holds(self, edit: SeriesEdit) -> bool:
        return self._reach().holds(edit)

    def raw(self, uid: str) -> bytes:
        return self._reach().raw(uid)

    def restore(self, uid: str, ics: bytes, *, etag: str) -> str:
        return self._reach().restore(uid, ics, etag=etag)

    def check(self) -> None:
        self._reach().check()

    def changes(self, token: str) -> ObjectVersions:
        return self._reach().changes(token)

    def objects(self, names: Sequence[str]) -> Sequence[CopiedObject]:
        return self._reach().objects(names)


class EmbeddedCalendar(ForwardedCalendar):
    """See ``assistant.domain.calendar.ports.Calendar``. Its address does not change with its port.

    Args:
        root: where Radicale keeps everything.
        running: returns the URL of the server that runs now; empty if none does.
        connect: makes a calendar of a URL, a user name and a password.
    """

    def __init__(
        self,
        *,
        root: Path,
        running: Callable[[], str],
        connect: Callable[[str, str, str], ServerCalendar],
    ) -> None:
        self._root = root
        self._running = running
        self._connect = connect
        self._lock = threading.Lock()
        self._server: subprocess.Popen[bytes] | None = None
        self._own_url = ""
        self._at = ""
        self._calendar: ServerCalendar | None = None

    def address(self) -> str:
        return ADDRESS

    def at(self, address: str) -> ServerCalendar:
        return checked(self, address)

    def _reach(self) -> ServerCalendar:
        with self._lock:
            url = self._running() or self._start_own()
            if self._calendar is None or url != self._at:
                self._calendar = self._connect(url, *radicale.credentials(self._root))
                self._at = url
            return self._calendar

    def _start_own(self) -> str:
        """Start a server for this process alone; Radicale's own lock keeps two servers apart."""
        if self._server is None or self._server.poll() is not None:
            with radicale.alone(self._root):
                files = radicale.prepare(self._root, port=free_port())
                self._server = subprocess.Popen(
                    radicale.command(files, tethered=True),
                    stdin=subprocess.PIPE,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                )
                atexit.register(self.close)
                wait_for(files.url, self._server)
                radicale.ensure_calendar(files.url, files.username, files.password)
            self._own_url = files.url
        return self._own_url

    def close(self) -> None:
        """Stop the server, if this process runs one."""
        if self._server is not None:
            self._server.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._server.wait(5)
