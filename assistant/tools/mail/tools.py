"""The mail tools, in the order they are offered."""

from typing import Any

from assistant.ports import Blobs, Store
from assistant.tools.contract.tool import Tool
from assistant.tools.mail.reads import reader, searcher


def mail_tools(*, store: Store, blobs: Blobs) -> tuple[Tool[Any], ...]:
    """Make ``search_emails`` and ``read_email``."""
    return (searcher(store), reader(store, blobs))
