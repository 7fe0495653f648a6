"""The fake: blobs in a dict."""

from collections.abc import Iterable

from assistant.domain.errors import NotFound
from assistant.domain.files.blob_names import check_name


class MemoryBlobs:
    def __init__(self) -> None:
        self._kept: dict[str, bytes] = {}

    def put(self, name: str, data: bytes) -> None:
        self._kept.setdefault(check_name(name), data)

    def get(self, name: str) -> bytes:
        try:
            return self._kept[check_name(name)]
        except KeyError:
            raise NotFound(f"the blob {name}") from None

    def delete(self, name: str) -> None:
        self._kept.pop(check_name(name), None)

    def names(self, prefix: str = "") -> Iterable[str]:
        return sorted(name for name in self._kept if name.startswith(prefix))

    def check(self) -> None:
        return None
