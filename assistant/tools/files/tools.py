"""The file store's tools, in the order they are offered."""

from typing import Any

from assistant.domain.files.ports import Blobs
from assistant.domain.store import Store
from assistant.tools.contract.tool import Tool
from assistant.tools.files.args import WRITABLE
from assistant.tools.files.changes import deleter, restorer, writer
from assistant.tools.files.reads import lister, reader


def file_tools(*, store: Store, blobs: Blobs, limit: int = WRITABLE) -> tuple[Tool[Any], ...]:
    """Make ``list_files``, ``read_file``, ``write_file`` and ``delete_file``.

    ``limit`` is in bytes: what one call may write.
    """
    return (
        lister(store),
        reader(store, blobs),
        writer(store, blobs, limit),
        deleter(store, blobs),
    )


def file_undo_tools(*, store: Store, blobs: Blobs) -> tuple[Tool[Any], ...]:
    """Make ``restore_file``, which takes changes back: for an undo, never offered to a model."""
    return (restorer(store, blobs),)
