"""Reading mail as one would write it down in an evening: parse, put, update. As durable as ours.

It begins where ours begins: the message is a file, and a row says that it waits. What is read can
be searched for. Of ours it leaves out the queue (the row's state is the queue), limits, and a
process that may die of a message.
"""

import os
import sqlite3
from base64 import b64decode
from hashlib import sha256
from pathlib import Path

import mailparser

_SCHEMA = """
PRAGMA journal_mode=WAL;
PRAGMA synchronous=FULL;
CREATE TABLE mail (number INTEGER PRIMARY KEY, id TEXT UNIQUE, raw TEXT,
                   state TEXT DEFAULT 'stored', message_id TEXT, sender TEXT DEFAULT '',
                   recipients TEXT, subject TEXT DEFAULT '', sent TEXT, body TEXT, defects TEXT);
CREATE TABLE attachment (mail TEXT, ordinal INTEGER, name TEXT, content_type TEXT, size INTEGER,
                         sha256 TEXT, blob TEXT, PRIMARY KEY (mail, ordinal));
CREATE VIRTUAL TABLE search USING fts5 (subject, sender, content='mail', content_rowid='number');
CREATE TRIGGER stored AFTER INSERT ON mail BEGIN
  INSERT INTO search (rowid, subject, sender) VALUES (new.number, new.subject, new.sender);
END;
CREATE TRIGGER read AFTER UPDATE OF subject, sender ON mail BEGIN
  INSERT INTO search (search, rowid, subject, sender)
  VALUES ('delete', old.number, old.subject, old.sender);
  INSERT INTO search (rowid, subject, sender) VALUES (new.number, new.subject, new.sender);
END;
"""
_READ = """
UPDATE mail SET state = 'read', message_id = ?, sender = ?, recipients = ?, subject = ?, sent = ?,
                body = ?, defects = ?
WHERE id = ? AND state = 'stored'
"""


class ByHand:
    def __init__(self, root: Path) -> None:
        root.mkdir()
        self._root = root
        self._database = sqlite3.connect(root / "mail.sqlite3")
        self._database.executescript(_SCHEMA)

    def close(self) -> None:
        self._database.close()

    def receive(self, raw: bytes) -> str:
        """The id of a mail that waits to be read."""
        id = sha256(raw).hexdigest()
        folder = self._root / id
        folder.mkdir()
        _flush(self._root)
        _put(folder / "raw.eml", raw)
        with self._database:
            row = (id, str(folder / "raw.eml"))
            self._database.execute("INSERT INTO mail (id, raw) VALUES (?, ?)", row)
        return id

    def read(self, id: str) -> None:
        looked = self._database.execute("SELECT raw, state FROM mail WHERE id = ?", (id,))
        raw, state = looked.fetchone()
        if state != "stored":
            return
        file = Path(raw)
        mail = mailparser.parse_from_bytes(file.read_bytes())
        folder = file.parent
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
            mail.message_id,
            str(mail.from_),
            str(mail.to),
            mail.subject,
            str(mail.date),
            str(folder / "body.txt"),
            str(mail.defects),
        )
        with self._database:
            self._database.execute(_READ, (*facts_of_mail, id))
            self._database.executemany("INSERT INTO attachment VALUES (?,?,?,?,?,?,?)", attachments)


def _put(file: Path, data: bytes) -> None:
    """The file, with all its bytes or not at all, and on the disk."""
    aside = file.with_suffix(".new")
    with aside.open("wb") as stream:
        stream.write(data)
        stream.flush()
        os.fsync(stream.fileno())
    aside.rename(file)
    _flush(file.parent)


def _flush(folder: Path) -> None:
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
