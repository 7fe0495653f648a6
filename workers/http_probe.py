"""Ask a server of this installation how it is, with the standard library alone."""

from http.client import HTTPConnection, HTTPException
from urllib.parse import urlsplit


def http_answer(url: str, *, timeout: float) -> tuple[int, str]:
    """Return status and text of a GET. Raises ``OSError`` where nothing that is HTTP answers."""
    address = urlsplit(url)
    connection = HTTPConnection(address.hostname or "", address.port, timeout=timeout)
    try:
        connection.request("GET", address.path or "/")
        answer = connection.getresponse()
        return answer.status, answer.read().decode("utf-8", "replace")
    except HTTPException as error:
        raise OSError(f"{url}: {error!r}") from error
    finally:
        connection.close()
