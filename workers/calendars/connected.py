"""The calendar that `assistant calendar connect` has stored; until one is, the private one."""

from collections.abc import Callable

from assistant.domain.calendar.copies.changes import ServerCalendar
from assistant.domain.credentials.credential import Credential
from workers.embedded.calendar import EmbeddedCalendar, ForwardedCalendar


class ConnectedCalendar(ForwardedCalendar):
    """Looks before each use which calendar is stored, so that no process is started again.

    Args:
        stored: returns the stored credential; None if there is none.
        connect: makes a calendar of it. Raises ``WrongKey``.
        private: the calendar that is used while none is stored.
    """

    def __init__(
        self,
        *,
        stored: Callable[[], Credential | None],
        connect: Callable[[Credential], ServerCalendar],
        private: EmbeddedCalendar,
    ) -> None:
        self._stored = stored
        self._connect = connect
        self._private = private
        self._last: tuple[Credential, ServerCalendar] | None = None

    def address(self) -> str:
        return self._reach().address()

    def _reach(self) -> ServerCalendar:
        credential = self._stored()
        if credential is None:
            return self._private
        # Two threads may both connect: a lock would break after a fork.
        last = self._last
        if last is None or last[0] != credential:
            last = self._last = (credential, self._connect(credential))
        return last[1]

    def close(self) -> None:
        """Stop the private calendar's server, if this process runs one."""
        self._private.close()
