"""Keep who wrote what in a mail, what is hidden in it, what it says, and what its files are.

Mail that was read before has none of it until it is read again.
"""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

TEXTS = ("more_senders", "sent_by", "reply_to", "words", "inside", "hidden")
JSONS = {"forward": "{}", "letters": "[]", "confirmation": "null", "understood": "{}"}
NUMBERS = ("hidden_words", "unproved")
OF_FILES = ("said", "kind", "doubt")

SEARCHED = ("subject", "sender", "summary", "inside")
SEARCHED_BEFORE = ("subject", "sender", "summary")


def upgrade() -> None:
    for name in TEXTS:
        _add("mail", name, sa.String(), "")
    for name, default in JSONS.items():
        _add("mail", name, sa.Text(), default)
    for name in NUMBERS:
        _add("mail", name, sa.Integer(), "0")
    for name in OF_FILES:
        _add("attachment", name, sa.String(), "")
    _add("attachment", "letter", sa.Integer(), "0")
    _search(SEARCHED)


def downgrade() -> None:
    _search(SEARCHED_BEFORE)
    op.drop_column("attachment", "letter")
    for name in OF_FILES:
        op.drop_column("attachment", name)
    for name in (*TEXTS, *JSONS, *NUMBERS):
        op.drop_column("mail", name)


def _add(table: str, name: str, kind: sa.types.TypeEngine[object], default: str) -> None:
    op.add_column(table, sa.Column(name, kind, nullable=False, server_default=default))


def _search(columns: tuple[str, ...]) -> None:
    """Make the index again that finds mails by their words."""
    if op.get_bind().dialect.name == "sqlite":
        for statement in _sqlite(columns):
            op.execute(statement)
        return
    # The expression is that of assistant/adapters/sql/mails.py, letter for letter.
    searched = " || ' ' || ".join(columns)
    op.execute("DROP INDEX ix_mail_search")
    op.execute(
        "CREATE INDEX ix_mail_search ON mail USING gin (to_tsvector('simple', "
        f"translate({searched}, '@._-+/:<>&#%=~', '              ')))"
    )


def _sqlite(columns: tuple[str, ...]) -> tuple[str, ...]:
    names = ", ".join(columns)
    new = ", ".join(f"new.{name}" for name in columns)
    old = ", ".join(f"old.{name}" for name in columns)
    add = f"INSERT INTO mail_fts (rowid, {names}) VALUES (new.number, {new});"  # noqa: S608
    remove = (
        f"INSERT INTO mail_fts (mail_fts, rowid, {names}) VALUES ('delete', old.number, {old});"  # noqa: S608
    )
    return (
        "DROP TRIGGER mail_fts_new",
        "DROP TRIGGER mail_fts_old",
        "DROP TRIGGER mail_fts_changed",
        "DROP TABLE mail_fts",
        (
            f"CREATE VIRTUAL TABLE mail_fts USING fts5({names}, content='mail',"
            " content_rowid='number', tokenize='unicode61 remove_diacritics 2')"
        ),
        f"CREATE TRIGGER mail_fts_new AFTER INSERT ON mail BEGIN {add} END",
        f"CREATE TRIGGER mail_fts_old AFTER DELETE ON mail BEGIN {remove} END",
        f"CREATE TRIGGER mail_fts_changed AFTER UPDATE OF {names} ON mail BEGIN {remove} {add} END",
        "INSERT INTO mail_fts (mail_fts) VALUES ('rebuild')",
    )
