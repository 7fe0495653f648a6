"""Our own Radicale: what is prepared, and that it survives a restart."""

import errno
import os
import stat
from collections.abc import Callable
from functools import partial
from pathlib import Path
from shutil import rmtree

import pytest
import requests

from assistant.domain.errors import Misconfigured, Unreachable
from tests.servers.radicale import RadicaleServer, free_port
from workers.embedded import valkey
from workers.embedded.radicale import command, ensure_calendar, prepare


def test_the_password_is_made_once_and_the_port_may_change(tmp_path: Path) -> None:
    first = prepare(tmp_path / "radicale", port=5001)
    second = prepare(tmp_path / "radicale", port=5002)
    assert first.password == second.password
    assert len(first.password) >= 32
    assert (first.url, second.url) == ("http://127.0.0.1:5001/", "http://127.0.0.1:5002/")
    assert prepare(tmp_path / "other", port=5001).password != first.password


def test_nobody_else_can_read_the_files(tmp_path: Path) -> None:
    root = tmp_path / "radicale"
    prepare(root, port=5001)
    assert stat.S_IMODE(root.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in root.iterdir()} == {0o600}
    assert prepare(root, port=5001).password not in (root / "users").read_text()


@pytest.mark.parametrize(
    "prepared", [partial(prepare, port=5001), partial(valkey.prepare, port=5001, password="x")]
)
def test_what_is_there_is_not_written_again_and_what_was_removed_is(
    prepared: Callable[[Path], object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tmp_path / "server"
    prepared(root)
    with monkeypatch.context() as full:
        full.setattr(Path, "touch", _no_space)
        prepared(root)
        names = sorted(path.name for path in root.iterdir())
        rmtree(root)
        with pytest.raises(OSError, match="No space left"):
            prepared(root)
        assert list(root.iterdir()) == []
    prepared(root)
    assert sorted(path.name for path in root.iterdir()) == names


def _no_space(*_: object, **__: object) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_password_lost_in_a_power_cut_is_made_again(tmp_path: Path) -> None:
    prepare(tmp_path, port=5001)
    (tmp_path / "password").write_text("")
    assert prepare(tmp_path, port=5001).password


def test_the_password_is_in_no_command_line_and_no_repr(tmp_path: Path) -> None:
    files = prepare(tmp_path, port=5001)
    assert files.password not in " ".join(command(files))
    assert files.password not in repr(files)


def test_a_calendar_is_made_once_and_is_there_after_a_restart(tmp_path: Path) -> None:
    for _ in range(2):
        with RadicaleServer(tmp_path) as server:
            files = server.files
            ensure_calendar(files.url, files.username, files.password)
            folder = tmp_path / "collections" / "collection-root" / files.username
            assert len([path for path in folder.iterdir() if path.suffix == ""]) == 1


def test_only_the_owner_gets_in(tmp_path: Path) -> None:
    with RadicaleServer(tmp_path) as server:
        with pytest.raises(Misconfigured):
            ensure_calendar(server.files.url, server.files.username, "guess")
        stranger = requests.request("PROPFIND", f"{server.files.url}owner/", timeout=10)
        assert stranger.status_code == requests.codes.unauthorized


def test_a_server_that_is_not_up_is_unreachable() -> None:
    with pytest.raises(Unreachable):
        ensure_calendar(f"http://127.0.0.1:{free_port()}/", "owner", "x")
