"""A backup that is whole is restored to the same; anything else is refused, and nothing changed."""

import json
import os
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from shutil import copytree, rmtree
from typing import Any

import pytest

from assistant.domain.errors import NoSpace
from tests.process.command import Ended, run
from workers import migrate
from workers.backup import before_upgrade
from workers.backup.database import blobs_named
from workers.backup.manifest import MANIFEST
from workers.data_folder import SQLITE
from workers.parts import silent_assistant
from workers.settings import only

ATTACHED = (
    b"From: Ada <ada@example.org>\r\nSubject: Rent\r\nMIME-Version: 1.0\r\n"
    b'Content-Type: multipart/mixed; boundary="x"\r\n\r\n--x\r\n\r\nThe rent is due.\r\n--x\r\n'
    b'Content-Disposition: attachment; filename="a.txt"\r\n\r\nattached\r\n--x--\r\n'
)
EVENT = ("title=Dentist", "start=2031-03-04T10:00:00+00:00", "end=2031-03-04T10:30:00+00:00")
ZONE = {"ASSISTANT_TIMEZONE": "UTC"}


def approved(data: Path, *arguments: str) -> None:
    """Give a command, and say yes to what waits after it."""
    assert run(*arguments, data=data, env=ZONE).code in (0, 6)
    for asked in run("approvals", "list", "--json", data=data, env=ZONE).value:
        assert run("approvals", "approve", asked["id"], data=data, env=ZONE).code == 0


@pytest.fixture(scope="module")
def lived_in(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with a mail, files, an event, an undo, a policy and heads of the audit."""
    data = tmp_path_factory.mktemp("lived") / "data"
    assert run("mail", "add", "-", data=data, input=ATTACHED, env=ZONE).code == 0
    approved(data, "call", "write_file", "path=private:/a.txt", "content=first")
    approved(data, "call", "write_file", "path=private:/a.txt", "content=2nd", "overwrite=true")
    approved(data, "call", "create_event", *EVENT)
    approved(data, "call", "update_event", "event=Dentist", "on=2031-03-04", "title=The dentist")
    (data / "policy.yaml").write_text("version: 1\n")
    assert run("audit", "export", "-", data=data, env=ZONE).code == 0
    assert run("status", data=data, env=ZONE).code == 0
    return data


@pytest.fixture
def data(lived_in: Path, tmp_path: Path) -> Path:
    return copytree(lived_in, tmp_path / "data")


@pytest.fixture(scope="module")
def taken(lived_in: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A backup of it, and its digest."""
    to = tmp_path_factory.mktemp("taken") / "backup"
    ended = run("backup", str(to), "--json", data=lived_in)
    assert ended.code == 0, ended
    return to, ended.value["digest"]


@pytest.fixture
def backup(taken: tuple[Path, str], tmp_path: Path) -> Path:
    return copytree(taken[0], tmp_path / "backup")


def rows(data: Path) -> dict[str, list[Any]]:
    """All rows of a database but those of who lives."""
    with closing(sqlite3.connect(data / SQLITE)) as opened:
        tables = [
            row[0] for row in opened.execute("SELECT name FROM sqlite_master WHERE type='table'")
        ]
        return {
            name: sorted(opened.execute(f'SELECT * FROM "{name}"'), key=repr)  # noqa: S608
            for name in tables
            if name not in {"installation", "sqlite_sequence"}
        }


def tree(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def restored(backup: Path, to: Path, *more: str) -> Ended:
    return run("restore", str(backup), *more, "--json", data=to)


def test_what_is_restored_is_what_was_backed_up(
    lived_in: Path, taken: tuple[Path, str], tmp_path: Path
) -> None:
    backup, digest = taken
    new = tmp_path / "new"
    ended = restored(backup, new, "--digest", digest)
    assert ended.code == 0, ended
    assert rows(new) == rows(lived_in)
    assert tree(new / "blobs") == tree(lived_in / "blobs")
    assert tree(new / "radicale" / "collections") == {
        name: data
        for name, data in tree(lived_in / "radicale" / "collections").items()
        if ".Radicale.cache" not in name and ".Radicale.lock" not in name
    }
    for name in ("policy.yaml", "audit-heads.log"):
        assert (new / name).read_bytes() == (lived_in / name).read_bytes()
    assert not (new / ".restoring").exists()
    assert {path.stat().st_mode & 0o077 for path in new.rglob("*")} == {0}
    listed = run("agenda", "2031-03-04", "--json", data=new)
    assert [event["title"] for event in listed.value["events"]] == ["The dentist"]
    assert run("files", "get", "private:/a.txt", data=new).out == "2nd"
    [mail] = run("mail", "list", "--json", data=new).value
    assert run("mail", "show", mail["id"], "--json", data=new).value["text"].startswith("The rent")
    assert run("audit", "verify", data=new).code == 0


def test_a_backup_holds_every_blob_that_a_row_names_and_no_other(
    taken: tuple[Path, str], lived_in: Path, tmp_path: Path
) -> None:
    assert tree(taken[0] / "blobs") == tree(lived_in / "blobs")
    data = copytree(lived_in, tmp_path / "data")
    (data / "blobs" / "orphan").write_bytes(b"nobody names it")
    gone = next(path for path in (data / "blobs").rglob("*.eml"))
    gone.unlink()
    ended = run("backup", str(tmp_path / "another"), "--json", data=data)
    assert (ended.code, len(ended.value["missing"])) == (0, 1)
    assert gone.name.removesuffix(".eml") in ended.err
    assert not list((tmp_path / "another").rglob("orphan"))


def test_the_letters_of_a_mail_and_its_hidden_words_are_among_its_blobs(data: Path) -> None:
    with closing(sqlite3.connect(data / SQLITE)) as opened:
        opened.execute("UPDATE mail SET words = 'mail/letters.json', hidden = 'mail/hidden.txt'")
        opened.commit()
    assert {"mail/letters.json", "mail/hidden.txt"} <= set(blobs_named(data / SQLITE))


def test_a_database_of_before_a_column_names_the_blobs_that_it_has(tmp_path: Path) -> None:
    older = tmp_path / "older.sqlite3"
    with closing(sqlite3.connect(older)) as made:
        made.execute("CREATE TABLE mail (raw TEXT, body TEXT)")
        made.execute("INSERT INTO mail VALUES ('raw.eml', '')")
        made.commit()
    assert blobs_named(older) == ["raw.eml"]


def test_rows_that_cannot_be_read_keep_nothing_from_being_backed_up(
    data: Path, tmp_path: Path
) -> None:
    with closing(sqlite3.connect(data / SQLITE)) as opened, opened:
        opened.execute("UPDATE effect SET inverse = '{broken'")
        opened.execute("UPDATE call SET facts = '[]', output = 'no blob''s name' WHERE number = 1")
        opened.execute("UPDATE call SET output = 'private:/.results/A2.txt' WHERE number = 2")
    ended = run("backup", str(tmp_path / "backup"), "--json", data=data)
    assert (ended.code, ended.value["missing"]) == (0, ["no blob's name"])
    assert restored(tmp_path / "backup", tmp_path / "new").code == 0
    assert rows(tmp_path / "new") == rows(data)


def test_the_place_and_the_secrets_of_an_installation_stay_with_it(
    lived_in: Path, taken: tuple[Path, str], tmp_path: Path
) -> None:
    assert restored(taken[0], tmp_path / "new").code == 0
    run("mode", "set", "alert", data=tmp_path / "new")
    names = {path.name for path in taken[0].iterdir()}
    assert not names & {"installation", "valkey", "run", "logs", "valkey.secret"}
    there = (lived_in / "installation", tmp_path / "new" / "installation")
    assert len({path.read_text() for path in there if path.exists()}) == sum(
        path.exists() for path in there
    )
    with closing(sqlite3.connect(taken[0] / SQLITE)) as opened:
        assert opened.execute("SELECT count(*) FROM installation").fetchone() == (0,)


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-1])


def _forged(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(data)


def _linked(path: Path) -> None:
    away = path.with_name("away")
    path.rename(away)
    path.symlink_to(away)


def _pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


@pytest.mark.parametrize("harm", [_cut, _forged, _linked, _pipe, Path.unlink])
@pytest.mark.parametrize("name", [SQLITE, "*.eml", "policy.yaml", MANIFEST])
def test_a_torn_cut_or_forged_backup_is_refused_and_nothing_is_changed(
    taken: tuple[Path, str], backup: Path, tmp_path: Path, name: str, harm: Callable[[Path], None]
) -> None:
    harm(next(backup.rglob(name)))
    for new in (tmp_path / "new", tmp_path / "empty"):
        if new.name == "empty":
            new.mkdir()
        ended = restored(backup, new, "--digest", taken[1])
        assert (ended.code, "no whole backup" in ended.err) == (1, True), ended
        assert new.exists() == (new.name == "empty")
        assert not (new.exists() and list(new.iterdir()))


def rewritten(backup: Path, change: Callable[[dict[str, Any]], None]) -> None:
    """Forge the list of a backup."""
    listed = json.loads((backup / MANIFEST).read_text())
    change(listed)
    (backup / MANIFEST).write_text(json.dumps(listed))


@pytest.mark.parametrize(
    "path",
    [
        "../outside",
        "/etc/outside",
        "blobs/../../outside",
        "blobs//x",
        "installation",
        "run/settings.yaml",
        "radicale/config",
        "valkey.secret",
        "blobs",
    ],
)
def test_a_list_that_names_what_no_backup_holds_is_refused(
    backup: Path, tmp_path: Path, path: str
) -> None:
    def add(listed: dict[str, Any]) -> None:
        listed["files"].append({"path": path, "size": 1, "sha256": sha256(b"x").hexdigest()})

    rewritten(backup, add)
    (tmp_path / "outside").write_bytes(b"x")
    ended = restored(backup, tmp_path / "new")
    assert (ended.code, "no backup holds" in ended.err) == (1, True), ended
    assert not (tmp_path / "new").exists()


def test_a_list_without_a_database_or_with_a_file_twice_is_refused(
    taken: tuple[Path, str], tmp_path: Path
) -> None:
    changes: Mapping[str, Callable[[dict[str, Any]], None]] = {
        "no database": lambda listed: listed.update(
            files=[file for file in listed["files"] if file["path"] != SQLITE]
        ),
        "twice": lambda listed: listed["files"].append(listed["files"][0]),
        "format": lambda listed: listed.update(format=2),
    }
    for said, change in changes.items():
        forged = copytree(taken[0], tmp_path / said)
        rewritten(forged, change)
        ended = restored(forged, tmp_path / "new")
        assert (ended.code, said in ended.err) == (1, True), ended


def test_a_backup_of_a_newer_version_is_refused(backup: Path, tmp_path: Path) -> None:
    rewritten(backup, lambda listed: listed.update(revision="9999"))
    ended = restored(backup, tmp_path / "new")
    assert (ended.code, "newer version" in ended.err) == (3, True)
    assert not (tmp_path / "new").exists()


def test_a_folder_with_data_is_left_alone(backup: Path, data: Path) -> None:
    before = tree(data)
    ended = restored(backup, data)
    assert (ended.code, "holds data" in ended.err) == (1, True)
    assert tree(data) == before
    assert not (data / ".restoring").exists()


def test_a_restore_that_was_cut_off_keeps_all_else_out_and_is_done_again(
    backup: Path, lived_in: Path, tmp_path: Path
) -> None:
    new = tmp_path / "new"
    (new / ".restoring" / "blobs").mkdir(parents=True)
    (new / ".restoring" / "half").write_text("a")
    (new / "radicale").mkdir()
    for command in (("status",), ("up", "--no-chat"), ("mail", "add", "-")):
        ended = run(*command, data=new, input=ATTACHED)
        assert (ended.code, "was cut off" in ended.err) == (1, True), ended
    assert restored(backup, new).code == 0
    assert rows(new) == rows(lived_in)


def test_a_backup_goes_into_a_new_folder_and_leaves_nothing_when_it_fails(
    data: Path, tmp_path: Path
) -> None:
    full = tmp_path / "full"
    full.mkdir()
    (full / "mine").write_text("mine")
    assert run("backup", str(full), data=data).code == 1
    (data / SQLITE).write_bytes(b"no database" * 100)
    assert run("backup", str(tmp_path / "new"), data=data).code == 4
    assert {path.name for path in tmp_path.iterdir()} == {"data", "full"}
    assert run("backup", str(tmp_path / "new"), data=tmp_path / "none").code == 7


def test_what_a_killed_backup_has_left_counts_as_none_and_goes(data: Path, tmp_path: Path) -> None:
    left = tmp_path / ".new.0a1b2c3d.part"
    left.mkdir()
    (left / SQLITE).write_text("half")
    assert run("restore", str(left), data=tmp_path / "other").code == 1
    assert run("backup", str(tmp_path / "new"), data=data).code == 0
    assert not left.exists()


@pytest.mark.parametrize(
    ("env", "told"),
    [
        ({"DATABASE_URL": "postgresql://me:hidden@127.0.0.1/mine"}, ["pg_dump"]),
        (
            {"BLOBS": "s3://bucket", "S3_ACCESS_KEY": "key", "S3_SECRET_KEY": "hidden"},
            ["s3://bucket", "VACUUM INTO", "replication"],
        ),
    ],
)
def test_servers_of_ones_own_have_backups_of_their_own(
    data: Path, tmp_path: Path, env: dict[str, str], told: list[str]
) -> None:
    settings = {f"ASSISTANT_{name}": value for name, value in env.items()}
    for command in (("backup", str(tmp_path / "new")), ("restore", str(tmp_path / "new"))):
        ended = run(*command, data=data, env=settings)
        assert ended.code == 3
        assert all(one in ended.err for one in told)
        assert ended.err.count("\n") == 1
        assert "hidden" not in ended.err


@pytest.fixture
def older(data: Path) -> Iterator[Path]:
    """The folder as the last version left it: a revision behind."""
    assistant = silent_assistant(only(data_dir=data, timezone="UTC"))
    migrate.downgrade(assistant.engines, "0007")
    assistant.close()
    yield data
    rmtree(data, ignore_errors=True)


def test_an_upgrade_keeps_the_database_as_it_was_and_says_so(older: Path) -> None:
    ended = run("status", data=older)
    assert ended.code == 0
    [kept] = (older / "backups").iterdir()
    assert ended.err == f"{kept}: the database as it was before this upgrade\n"
    with closing(sqlite3.connect(kept)) as opened:
        assert opened.execute("SELECT version_num FROM alembic_version").fetchone() == ("0007",)
    assert kept.stat().st_mode & 0o077 == 0
    assert run("status", data=older).err == ""


def test_the_newest_three_are_kept(older: Path) -> None:
    folder = older / "backups"
    folder.mkdir()
    for day in (1, 2, 3, 4):
        (folder / f"assistant-000{9 - day}-2026010{day}T000000000000Z.sqlite3").write_text("")
    (folder / "mine.sqlite3").write_text("")
    assert run("status", data=older).code == 0
    names = sorted(path.name.partition("T")[0].rpartition("-")[2] for path in folder.iterdir())
    assert names[0:2] == ["20260103", "20260104"]
    assert len(names) == 4
    assert "mine.sqlite3" in names


def test_without_a_backup_there_is_no_upgrade_unless_told_otherwise(older: Path) -> None:
    (older / "backups").write_text("in the way")
    ended = run("status", data=older)
    assert (ended.code, "was not upgraded" in ended.err, "--no-backup" in ended.err) == (
        3,
        True,
        True,
    )
    with closing(sqlite3.connect(older / SQLITE)) as opened:
        assert opened.execute("SELECT version_num FROM alembic_version").fetchone() == ("0007",)
    assert run("migrate", "--no-backup", data=older).code == 0
    assert run("status", data=older).code == 0


def test_on_a_full_disk_it_says_so_and_stops_before_the_upgrade(
    older: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_source: Path, _target: Path) -> str:
        raise NoSpace("assistant.sqlite3: database or disk is full")

    monkeypatch.setattr(before_upgrade, "snapshot", full)
    ended = run("migrate", data=older)
    assert ended.code == 4
    assert ended.err.startswith("assistant: The disk is full: the database was not upgraded")
    with closing(sqlite3.connect(older / SQLITE)) as opened:
        assert opened.execute("SELECT version_num FROM alembic_version").fetchone() == ("0007",)
    assert list((older / "backups").iterdir()) == []
