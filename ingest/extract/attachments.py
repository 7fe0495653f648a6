"""Read the attachments of stored mails, and keep the last texts for whoever pages through them."""

import sys
from typing import Protocol

from assistant.domain.files.ports import Blobs
from assistant.domain.mail.attached import READABLE, AttachmentText, FileKind
from assistant.domain.mail.mail import Attachment
from ingest.extract.extracted import MiB, no_text_in
from ingest.extract.signatures import UNKNOWN

TEXTS = 4
"""The most texts that are kept in memory."""
BYTES = 8 * MiB
"""The most memory of these texts."""
_KINDS = 100

_Of = tuple[str, ...]
"""What a kept value is of: the file's hash first."""


class Extract(Protocol):
    def kind_of(self, data: bytes, declared: str, name: str) -> FileKind:
        """Return what a file is."""
        ...

    def text_of(self, data: bytes, kind: FileKind) -> AttachmentText:
        """Return the text of a file."""
        ...


class AttachmentReader:
    """See ``assistant.domain.mail.attached.AttachmentTexts``. Any thread may use it.

    Whoever asks has looked at the mail's row before, and so knows that it is not forgotten.
    """

    def __init__(self, *, blobs: Blobs, extract: Extract) -> None:
        self._blobs = blobs
        self._extract = extract
        # Each is replaced as a whole, so that no lock is needed, which a fork could leave locked.
        self._kinds: tuple[tuple[_Of, FileKind], ...] = ()
        self._texts: tuple[tuple[_Of, AttachmentText], ...] = ()

    def kind_of(self, attachment: Attachment) -> FileKind:
        if attachment.kind:
            return FileKind(attachment.kind, attachment.said, attachment.doubt)
        of = (attachment.sha256, attachment.content_type, attachment.name)
        known = dict(self._kinds).get(of)
        if known is None:
            data = self._blobs.get(attachment.blob)
            known = self._extract.kind_of(data, attachment.content_type, attachment.name)
            if known.type != UNKNOWN.type:  # which is also said where the process died of it
                self._kinds = ((of, known), *self._kinds[: _KINDS - 1])
        return known

    def text_of(self, attachment: Attachment, kind: FileKind) -> AttachmentText:
        if kind.type not in READABLE:
            return AttachmentText(defects=(no_text_in(kind),))
        of = (attachment.sha256, kind.type)
        known = dict(self._texts).get(of)
        if known is None:
            known = self._extract.text_of(self._blobs.get(attachment.blob), kind)
        if known.text:
            self._keep(of, known)
        return known

    def _keep(self, of: _Of, text: AttachmentText) -> None:
        """Put a text in front of those that are kept, and drop the last until they fit."""
        kept = [(of, text), *(one for one in self._texts if one[0] != of)][:TEXTS]
        while sum(sys.getsizeof(one.text) for _, one in kept) > BYTES:
            kept.pop()
        self._texts = tuple(kept)
