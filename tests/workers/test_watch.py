"""The watch over the children of `up`: each has its own time, and nothing ends the watch."""

import errno
import logging
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import psutil
import pytest

from assistant.domain.errors import AssistantError, NoSpace
from tests.logs import own_logging
from workers import logs
from workers.data_folder import DataFolder, Endpoints, Started
from workers.processes.children import Child, left_behind, noted, start_process
from workers.processes.supervisor import Supervisor
from workers.processes.watch import Watch
from workers.settings import only

FULL = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


class _Process:
    """As much of a process as the watch looks at."""

    def __init__(self, code: int | None = None) -> None:
        self.code = code

    def poll(self) -> int | None:
        return self.code


class _Stage:
    """Children that a test ends, on a clock in its hand."""

    def __init__(self, *names: str) -> None:
        self.now = 100.0
        self.children = [Child(name, [], _process()) for name in names]
        self.said: list[tuple[str, str]] = []
        self.starts: list[str] = []
        self.noted = 0
        self.broken: dict[str, Exception] = {}
        """What goes wrong: by the name of a child, of the notes, or of what is said."""
        self.crashing: set[str] = set()
        self.watch = Watch(
            self.children,
            start=self._start,
            note=self._note,
            say=self._say,
            give_up=lambda child: "given up" if child.name == "bot" else None,
            monotonic=lambda: self.now,
        )

    def child(self, name: str) -> Child:
        return next(child for child in self.children if child.name == name)

    def end(self, name: str, code: int = -9) -> None:
        cast("_Process", self.child(name).process).code = code

    def pass_time(self, seconds: float) -> None:
        """Look twice a second."""
        for _ in range(int(seconds * 2)):
            self.now += 0.5
            self.watch.look()

    def _start(self, child: Child) -> None:
        self._break(child.name)
        self.starts.append(child.name)
        child.process = _process(1 if child.name in self.crashing else None)

    def _note(self) -> None:
        self._break("notes")
        self.noted += 1

    def _say(self, part: str, words: str) -> None:
        self._break("said")
        self.said.append((part, words))

    def _break(self, what: str) -> None:
        if what in self.broken:
            raise self.broken[what]


def _process(code: int | None = None) -> "subprocess.Popen[bytes]":
    return cast("subprocess.Popen[bytes]", _Process(code))


def test_a_child_that_dies_over_and_over_delays_no_other() -> None:
    stage = _Stage("bot", "doors")
    stage.child("bot").longest_pause = 30.0
    stage.crashing.add("bot")
    stage.end("bot", 1)
    stage.pass_time(30)
    assert stage.child("bot").restart_at is not None
    stage.end("doors")
    stage.pass_time(1.5)
    assert stage.starts[-1] == "doors"
    assert stage.child("doors").process.poll() is None


def test_it_is_started_again_later_each_time_and_soon_enough() -> None:
    stage = _Stage("worker")
    stage.crashing.add("worker")
    stage.end("worker")
    stage.pass_time(60)
    assert 10 <= len(stage.starts) <= 25
    stage.crashing.clear()
    stage.pass_time(4)
    assert stage.child("worker").process.poll() is None


@pytest.mark.parametrize(
    "error",
    [FULL, OSError(errno.EAGAIN, "fork"), NoSpace("config"), RuntimeError("a defect")],
    ids=["log", "fork", "config", "defect"],
)
def test_a_start_that_fails_is_said_once_and_tried_until_it_works(error: Exception) -> None:
    stage = _Stage("worker", "doors")
    stage.broken["worker"] = error
    stage.end("worker")
    stage.end("doors")
    stage.pass_time(60)
    assert stage.child("doors").process.poll() is None
    words = [words for part, words in stage.said if part == "worker"]
    assert len(words) == 2, words
    assert str(error) in words[1]
    stage.broken.clear()
    stage.pass_time(4)
    assert stage.starts.count("worker") == 1
    assert stage.child("worker").process.poll() is None


def test_notes_that_cannot_be_written_are_written_later() -> None:
    stage = _Stage("worker")
    stage.broken["notes"] = NoSpace("children.json")
    stage.watch.changed()
    stage.end("worker")
    stage.pass_time(10)
    assert stage.child("worker").process.poll() is None
    assert [part for part, _ in stage.said].count("notes") == 1
    assert stage.noted == 0
    stage.broken.clear()
    stage.pass_time(0.5)
    assert stage.noted == 1
    stage.pass_time(5)
    assert stage.noted == 1


def test_words_that_cannot_be_said_keep_nothing_from_running() -> None:
    stage = _Stage("worker")
    stage.broken["said"] = FULL
    stage.broken["notes"] = RuntimeError("a defect")
    stage.end("worker")
    stage.pass_time(5)
    assert stage.child("worker").process.poll() is None


def test_a_bot_whose_settings_do_not_work_is_given_up_and_no_other_part_is() -> None:
    stage = _Stage("bot", "doors")
    stage.end("bot", 3)
    stage.end("doors", 3)
    stage.pass_time(3)
    assert [child.name for child in stage.children] == ["doors"]
    assert stage.said[0] == ("bot", "given up")
    assert stage.starts == ["doors"]


# The real processes


@pytest.fixture
def data_folder(tmp_path: Path) -> DataFolder:
    made = DataFolder(only(data_dir=tmp_path))
    made.open()
    return made


def test_a_child_whose_log_cannot_be_opened_starts_without_one(data_folder: DataFolder) -> None:
    data_folder.logs.rmdir()
    data_folder.logs.write_text("a file")
    process = start_process("child", [sys.executable, "-c", "print(1)"], data_folder)
    assert process.wait(30) == 0


class _FullDisk:
    """A stream of a file on a full disk."""

    def write(self, _text: str) -> int:
        raise FULL

    def flush(self) -> None:
        raise FULL

    def isatty(self) -> bool:
        return False


@pytest.mark.parametrize("form", ["json", "console"])
def test_a_line_that_cannot_be_logged_reaches_nobody(
    form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with own_logging():
        monkeypatch.setattr(sys, "stderr", _FullDisk())
        logs.configure(only(log_format=form), process="worker")
        logging.getLogger("workers").error("a line")
        try:
            _fail()
        except RuntimeError:
            logging.getLogger("workers").exception("a line with what was raised")


def _fail() -> None:
    raise RuntimeError


class _FullFolder(DataFolder):
    """A data folder whose disk a test fills."""

    full = False

    def _write(self, file: Path, text: str) -> None:
        if self.full:
            raise NoSpace(f"{file} was not written")
        super()._write(file, text)


def sleeping(folder: DataFolder, said: list[str]) -> Supervisor:
    """A supervisor with one child that sleeps, and no other part."""

    class _One(Supervisor):
        def _start(self) -> Endpoints:
            self._spawn("sleeper", [sys.executable, "-c", "import time; time.sleep(600)"])
            self._watch_over()
            return Endpoints()

    settings = only(data_dir=folder.root)
    return _One(
        settings, say=lambda part, words: said.append(f"{part} {words}"), data_folder=folder
    )


def _wait_for(look: Callable[[], Any]) -> Any:
    give_up = time.monotonic() + 30
    while not (found := look()):
        assert time.monotonic() < give_up
        time.sleep(0.05)
    return found


def test_a_child_that_dies_on_a_full_disk_comes_back_and_is_noted_when_there_is_space(
    tmp_path: Path,
) -> None:
    folder, said = _FullFolder(only(data_dir=tmp_path)), list[str]()
    supervisor = sleeping(folder, said)
    supervisor.start()
    try:
        first = folder.children["sleeper"]
        folder.full = True
        mine = psutil.Process()
        before = {one.pid for one in mine.children()}  # servers of other tests are among them
        psutil.Process(first.pid).kill()
        second = _wait_for(lambda: {one.pid for one in mine.children()} - before)
        _wait_for(lambda: any("notes" in line for line in said))
        assert folder.children["sleeper"] == first
        folder.full = False
        _wait_for(lambda: folder.children["sleeper"].pid in second)
        folder.full = True
    finally:
        assert supervisor.stop()
    assert folder.children == {}


def test_what_an_earlier_start_left_behind_is_ended_though_it_was_not_noted(
    tmp_path: Path, data_folder: DataFolder
) -> None:
    elsewhere = DataFolder(only(data_dir=tmp_path / "elsewhere"))
    elsewhere.open()
    wait = [sys.executable, "-c", "import time; time.sleep(600)"]
    ours, others = (start_process("x", wait, folder) for folder in (data_folder, elsewhere))
    said: list[str] = []
    try:
        supervisor = sleeping(data_folder, said)
        supervisor._reap()
        assert not psutil.pid_exists(ours.pid)
        assert others.poll() is None
    finally:
        others.kill()
        others.wait()
    assert said == ["reaped 1 processes that an earlier start left behind"]


def test_a_folder_that_was_removed_is_made_again_before_a_child_starts(tmp_path: Path) -> None:
    folder = DataFolder(only(data_dir=tmp_path))
    supervisor = sleeping(folder, [])
    supervisor.start()
    try:
        first = folder.children["sleeper"]
        for file in folder.logs.iterdir():
            file.unlink()
        folder.logs.rmdir()
        psutil.Process(first.pid).kill()
        _wait_for(lambda: folder.children["sleeper"] != first)
        assert (folder.logs / "sleeper.log").exists()
    finally:
        supervisor.stop()


def test_an_end_of_the_watch_ends_the_waiting_with_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def end(_watch: Watch) -> None:
        raise SystemExit

    monkeypatch.setattr(Watch, "look", end)
    supervisor = sleeping(DataFolder(only(data_dir=tmp_path)), [])
    supervisor.start()
    try:
        supervisor.check_watch()
        supervisor.wait()
        assert supervisor.ending()
        with pytest.raises(AssistantError, match="nothing watches over the parts"):
            supervisor.check_watch()
    finally:
        supervisor.stop()


def test_with_little_space_it_says_so_and_where_a_part_cannot_start_for_that_it_says_that(
    tmp_path: Path,
) -> None:
    class _Little(DataFolder):
        free = 3 * 1024

    class _None(Supervisor):
        def _choose_ports(self) -> Endpoints:
            raise FULL

    said = list[str]()
    settings = only(data_dir=tmp_path)
    supervisor = _None(
        settings, say=lambda _part, words: said.append(words), data_folder=_Little(settings)
    )
    with pytest.raises(NoSpace, match=r"No space left .* free some space"):
        supervisor.start()
    assert [words for words in said if words.startswith("only 0 MiB are free in")]


def test_a_note_on_a_full_disk_says_what_happened_and_leaves_no_draft(
    data_folder: DataFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_self: Path, _target: Path) -> None:
        raise FULL

    noted = {"beat": Started(pid=7, began=1.5)}
    data_folder.write_children(noted)
    monkeypatch.setattr(Path, "replace", refuse)
    with pytest.raises(NoSpace, match=r"children.json was not written \(No space left"):
        data_folder.write_children({})
    assert data_folder.children == noted
    assert [file.name for file in data_folder.run.iterdir()] == ["children.json"]
    data_folder.forget_children()
    assert data_folder.children == {}


def test_a_copied_folder_ends_no_process_of_the_first(tmp_path: Path) -> None:
    folders = [DataFolder(only(data_dir=tmp_path / name)) for name in ("first", "copy")]
    for folder in folders:
        folder.open()
    process = start_process("sleeper", ["sleep", "60"], folders[0])
    try:
        started = noted(process)
        assert started is not None
        for folder in folders:
            folder.write_children({"sleeper": started})
        assert [one.pid for one in left_behind(folders[0])] == [process.pid]
        assert left_behind(folders[1]) == []
    finally:
        process.kill()
        process.wait()
