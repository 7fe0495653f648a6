"""Call an address that notices when no call comes: a dead man's switch."""

import logging
from threading import Lock, Thread

import requests

log = logging.getLogger(__name__)

_SECONDS = 10.0


class HeartbeatUrl:
    """Sends GET without content, from a thread of its own, one call at a time."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._calling = Lock()

    def call(self) -> None:
        """Begin a call and return at once; none is begun while another is under way."""
        if self._calling.acquire(blocking=False):
            Thread(target=self._call, name="heartbeat", daemon=True).start()

    def _call(self) -> None:
        try:
            with requests.get(self._url, timeout=_SECONDS, stream=True) as answer:
                answer.raise_for_status()
        except requests.RequestException as error:  # its words may hold the secret address
            log.warning("the heartbeat was not heard: %s", type(error).__name__)
        finally:
            self._calling.release()
