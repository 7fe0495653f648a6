"""The mail tools, in the order they are offered."""

from typing import Any

from assistant.domain.files.ports import Blobs
from assistant.domain.mail.attached import AttachmentTexts
from assistant.domain.store import Store
from assistant.tools.contract.tool import Tool
from assistant.tools.mail.attachments import attachment_reader
from assistant.tools.mail.commitments import commitment_lister
from assistant.tools.mail.reads import reader, searcher


def mail_tools(*, store: Store, blobs: Blobs, texts: AttachmentTexts) -> tuple[Tool[Any], ...]:
    """Make ``search_emails``, ``read_email``, ``read_attachment`` and ``list_commitments``."""
    return (
        searcher(store),
        reader(store, blobs),
        attachment_reader(store, texts),
        commitment_lister(store),
    )
