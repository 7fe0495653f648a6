"""The Radicale that a lone command starts for itself: next to others, and never longer than it."""

import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.servers.radicale import free_port
from workers.embedded import radicale
from workers.embedded.calendar import EmbeddedCalendar
from workers.embedded.http_probe import wait_for


def test_two_commands_at_once_each_reach_the_one_calendar(tmp_path: Path) -> None:
    own = [
        EmbeddedCalendar(root=tmp_path, running=str, connect=lambda *_: None)  # type: ignore[arg-type]  # nobody looks into it
        for _ in range(3)
    ]
    try:
        with ThreadPoolExecutor() as threads:
            urls = {*threads.map(EmbeddedCalendar._start_own, own)}
    finally:
        for each in own:
            each.close()
    assert len(urls) == 3
    calendars = [*(tmp_path / "collections" / "collection-root" / radicale.USERNAME).iterdir()]
    assert len([path for path in calendars if not path.name.startswith(".")]) == 1


def test_it_ends_with_whoever_started_it_however_that_ends(tmp_path: Path) -> None:
    with started(tmp_path, cwd=tmp_path) as server:
        assert server.stdin is not None
        server.stdin.close()
        assert server.wait(10) == 0


def test_it_runs_no_code_that_lies_about_where_one_happens_to_be(tmp_path: Path) -> None:
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / "radicale.py").write_text("raise SystemExit(77)")
    with started(tmp_path, cwd=tmp_path / "here") as server:
        assert server.poll() is None
        server.terminate()


def started(root: Path, *, cwd: Path) -> "subprocess.Popen[bytes]":
    files = radicale.prepare(root / "radicale", port=free_port())
    server = subprocess.Popen(
        radicale.command(files, tethered=True), stdin=subprocess.PIPE, cwd=cwd
    )
    wait_for(files.url, server)
    return server
