"""Read the XML of a stranger as a stream: no entities, no network, no tree in memory."""

from typing import Protocol

from lxml import etree  # type: ignore[import-untyped]  # lxml ships no types

from ingest.extract.extracted import NotReadableError


class Target(Protocol):
    """What hears of each element; names are without their namespace."""

    def start(self, tag: str, attrib: dict[str, str]) -> None: ...
    def end(self, tag: str) -> None: ...
    def data(self, text: str) -> None: ...


class _Bare:
    """Hands elements on without namespaces, and refuses a document type, which holds entities."""

    def __init__(self, target: Target) -> None:
        self._target = target

    def start(self, tag: str, attrib: dict[str, str]) -> None:
        self._target.start(bare(tag), {bare(key): value for key, value in attrib.items()})

    def end(self, tag: str) -> None:
        self._target.end(bare(tag))

    def data(self, text: str) -> None:
        self._target.data(text)

    def doctype(self, *_: object) -> None:
        raise NotReadableError("its XML declares a document type")

    def close(self) -> None:
        return None


def read_markup(data: bytes, target: Target) -> None:
    """Tell the target of each element. Raises ``NotReadableError`` where this is no sound XML."""
    parser = etree.XMLParser(
        target=_Bare(target),
        resolve_entities=False,
        huge_tree=False,
        no_network=True,
        load_dtd=False,
        remove_comments=True,
        remove_pis=True,
    )
    try:
        parser.feed(data)
        parser.close()
    except (etree.LxmlError, ValueError, AssertionError) as bad:
        if isinstance(bad, NotReadableError):
            raise
        raise NotReadableError("its XML is broken") from bad


def bare(name: str) -> str:
    return name.rpartition("}")[2]
