"""Reading mail as one would write it down in an evening: parse, put, insert. As durable as ours."""

import os
import sqlite3
from base64 import b64decode
from hashlib import sha256
from pathlib import Path

import mailparser

_SCHEMA = """
PRAGMA journal_mode=WAL;
PRAGMA synchronous=FULL;
CREATE TABLE mail (id TEXT PRIMARY KEY, message_id TEXT, sender TEXT, recipients TEXT,
                   subject TEXT, sent TEXT, body TEXT, defects TEXT);
CREATE TABLE attachment (mail TEXT, ordinal INTEGER, name TEXT, content_type TEXT, size INTEGER,
                         sha256 TEXT, blob TEXT, PRIMARY KEY (mail, ordinal));
"""


class ByHand:
    def __init__(self, root: Path) -> None:
        root.mkdir()
        self._root = root
        self._database = sqlite3.connect(root / "mail.sqlite3")
        self._database.executescript(_SCHEMA)

    def close(self) -> None:
        self._database.close()

    def read(self, raw: bytes) -> None:
        mail = mailparser.parse_from_bytes(raw)
        id = sha256(raw).hexdigest()
        folder = self._root / id
        folder.mkdir()
        _put(folder / "body.txt", "\n\n".join(mail.text_plain or mail.text_html).encode())
        attachments = []
        for ordinal, part in enumerate(mail.attachments):
            text = part["payload"]
            data = b64decode(text) if part["binary"] else text.encode()
            blob = folder / f"att-{ordinal}"
            _put(blob, data)
            facts = (part["filename"], part["mail_content_type"], len(data))
            attachments.append((id, ordinal, *facts, sha256(data).hexdigest(), str(blob)))
        facts_of_mail = (
            id,
            mail.message_id,
            str(mail.from_),
            str(mail.to),
            mail.subject,
            str(mail.date),
            str(folder / "body.txt"),
            str(mail.defects),
        )
        with self._database:
            self._database.execute("INSERT INTO mail VALUES (?,?,?,?,?,?,?,?)", facts_of_mail)
            self._database.executemany("INSERT INTO attachment VALUES (?,?,?,?,?,?,?)", attachments)


def _put(file: Path, data: bytes) -> None:
    """The file, with all its bytes or not at all, and on the disk."""
    aside = file.with_suffix(".new")
    with aside.open("wb") as stream:
        stream.write(data)
        stream.flush()
        os.fsync(stream.fileno())
    aside.rename(file)
    folder = os.open(file.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
