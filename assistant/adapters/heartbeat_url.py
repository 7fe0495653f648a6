"""Call an address that notices when no call comes: a dead man's switch."""

import logging
from threading import Lock, Thread

import requests

log = logging.getLogger(__name__)

_SECONDS = 10.0


class HeartbeatUrl:
    """Sends GET without content, from a thread of its own, one call at a time.

    A redirect is not followed: only the address itself is called. No error leaves this class; the
    first of several in a row is logged, without the address, which may be secret.

    Args:
        url: the address.
        seconds: how long to wait for a connection, and for an answer.
    """

    def __init__(self, url: str, *, seconds: float = _SECONDS) -> None:
        self._url = url
        self._seconds = seconds
        self._calling = Lock()
        self._heard = True

    @property
    def calling(self) -> bool:
        """Whether a call is under way."""
        return self._calling.locked()

    def call(self) -> None:
        """Begin a call and return at once; none is begun while another is under way."""
        if not self._calling.acquire(blocking=False):
            return
        try:
            Thread(target=self._call, name="heartbeat", daemon=True).start()
        except RuntimeError as error:
            self._note(type(error).__name__)
            self._calling.release()

    def _call(self) -> None:
        try:
            self._note(self._get())
        except Exception as error:  # noqa: BLE001 (whoever waits for the call notices)
            self._note(type(error).__name__)
        finally:
            self._calling.release()

    def _get(self) -> str:
        """Call the address; return what was wrong with the answer, if anything."""
        with requests.get(
            self._url, timeout=self._seconds, stream=True, allow_redirects=False
        ) as answer:
            is_fine = answer.status_code // 100 == 2  # noqa: PLR2004  # 2xx
            return "" if is_fine else f"it was answered {answer.status_code}"

    def _note(self, wrong: str) -> None:
        if wrong and self._heard:
            log.warning("the heartbeat was not heard: %s", wrong)
        if not wrong and not self._heard:
            log.info("the heartbeat is heard again")
        self._heard = not wrong
