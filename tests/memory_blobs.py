"""The fake: blobs in a dict."""

from collections.abc import Iterable

from assistant.domain.errors import BLOBS, NotFound, Outage
from assistant.domain.files.blob_names import check_name


class MemoryBlobs:
    def __init__(self) -> None:
        self._kept: dict[str, bytes] = {}
        self.away = False
        """Whether no blob can be stored, read or deleted for now."""

    def put(self, name: str, data: bytes) -> None:
        self._answer()
        self._kept.setdefault(check_name(name), data)

    def get(self, name: str) -> bytes:
        self._answer()
        try:
            return self._kept[check_name(name)]
        except KeyError:
            raise NotFound(f"the blob {name}") from None

    def delete(self, name: str) -> None:
        self._answer()
        self._kept.pop(check_name(name), None)

    def names(self, prefix: str = "") -> Iterable[str]:
        return sorted(name for name in self._kept if name.startswith(prefix))

    def check(self) -> None:
        self._answer()

    def _answer(self) -> None:
        if self.away:
            raise Outage("the bucket", part=BLOBS)
