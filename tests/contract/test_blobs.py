"""What every store of blobs promises, and what each kind must be able to bear."""

import os
import resource
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from assistant.adapters.blobs.dir_blobs import DirBlobs
from assistant.adapters.blobs.s3_blobs import S3Blobs
from assistant.domain.errors import (
    BLOBS,
    AssistantError,
    BadArguments,
    Misconfigured,
    NotFound,
    Outage,
    Unreachable,
)
from assistant.domain.files.ports import Blobs
from tests.memory_blobs import MemoryBlobs
from tests.servers.s3 import S3Server

BAD_NAMES = (
    "",
    "/raw",
    "raw/",
    "raw//1",
    ".",
    "..",
    "../etc/passwd",
    "raw/../../etc/passwd",
    "raw/./1",
    "raw 1",
    "raw\\1",
    "raw\n",
    "raw\x00",
    "räw",
    "raw+/1",
    "~1",
    "a" * 201,
    "/".join(["a" * 100] * 6),
)
GOOD_NAMES = (
    "a",
    "A-b_c.9",
    ".hidden",
    "...",
    "raw/3f/9a.eml",
    "a" * 200,
    "/".join(["a" * 127] * 4),
)


@pytest.fixture(params=["memory", "directory", "s3"])
def blobs(request: pytest.FixtureRequest, tmp_path: Path) -> Blobs:
    if request.param == "memory":
        return MemoryBlobs()
    if request.param == "directory":
        return DirBlobs(tmp_path / "data" / "blobs")
    return bucket_of(request.getfixturevalue("s3_server"))


@pytest.fixture
def directory(tmp_path: Path) -> DirBlobs:
    return DirBlobs(tmp_path / "blobs")


@pytest.fixture
def bucket(s3_server: S3Server) -> S3Blobs:
    return bucket_of(s3_server)


def bucket_of(server: S3Server) -> S3Blobs:
    return s3_blobs(server, bucket=server.make_bucket())


def s3_blobs(
    server: S3Server,
    *,
    bucket: str,
    endpoint: str = "",
    access_key: str = "",
    secret_key: str = "",
) -> S3Blobs:
    """A client of the server, told something else where a test says so; two names a page."""
    return S3Blobs(
        bucket=bucket,
        endpoint=endpoint or server.endpoint,
        region=server.region,
        access_key=access_key or server.access_key,
        secret_key=secret_key or server.secret_key,
        read_seconds=10.0,
        page=2,
    )


# Every store


def test_what_was_put_comes_back(blobs: Blobs) -> None:
    for number, data in enumerate((b"", b"\x00\r\n\xff", b"words")):
        blobs.put(f"raw/{number}", data)
        assert blobs.get(f"raw/{number}") == data


def test_a_mail_of_the_largest_size_comes_back(blobs: Blobs) -> None:
    data = os.urandom(25 * 1024 * 1024)
    blobs.put("raw/large", data)
    assert blobs.get("raw/large") == data


def test_the_first_bytes_of_a_name_stay(blobs: Blobs) -> None:
    blobs.put("raw/1", b"first")
    blobs.put("raw/1", b"second")
    assert blobs.get("raw/1") == b"first"
    assert list(blobs.names()) == ["raw/1"]


def test_many_writers_of_one_name_leave_one_of_their_texts_whole(blobs: Blobs) -> None:
    texts = [bytes([writer]) * 50_000 for writer in range(8)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda text: blobs.put("raw/1", text), texts))
    assert blobs.get("raw/1") in texts
    assert list(blobs.names()) == ["raw/1"]


def test_what_was_never_put_is_not_found(blobs: Blobs) -> None:
    blobs.check()
    with pytest.raises(NotFound, match="raw/1"):
        blobs.get("raw/1")


def test_what_was_deleted_is_not_found(blobs: Blobs) -> None:
    blobs.put("raw/1", b"words")
    blobs.delete("raw/1")
    with pytest.raises(NotFound):
        blobs.get("raw/1")
    assert list(blobs.names()) == []


def test_deleting_twice_or_what_was_never_there_is_harmless(blobs: Blobs) -> None:
    blobs.put("raw/1", b"words")
    for name in ("raw/1", "raw/1", "never/there"):
        blobs.delete(name)
    assert list(blobs.names()) == []


def test_a_deleted_name_can_be_put_again(blobs: Blobs) -> None:
    blobs.put("raw/1", b"first")
    blobs.delete("raw/1")
    blobs.put("raw/1", b"second")
    assert blobs.get("raw/1") == b"second"


def test_names_come_in_order_and_by_prefix(blobs: Blobs) -> None:
    names = ["a", "a-1", "a.1", "a/1", "a/1/2", "a/B", "a/b", "a0", "b/1", "b/2"]
    for name in reversed(names):
        blobs.put(name, name.encode())
    assert list(blobs.names()) == names
    assert list(blobs.names("a/")) == ["a/1", "a/1/2", "a/B", "a/b"]
    assert list(blobs.names("a/1")) == ["a/1", "a/1/2"]
    assert list(blobs.names("b")) == ["b/1", "b/2"]
    assert [blobs.get(name) for name in names] == [name.encode() for name in names]


def test_a_prefix_that_no_name_has_lists_nothing(blobs: Blobs) -> None:
    blobs.put("a/1", b"words")
    for prefix in ("c", "a/1/", "..", "../", "/", "//", "a+/"):
        assert list(blobs.names(prefix)) == []


def test_a_new_store_is_empty(blobs: Blobs) -> None:
    assert list(blobs.names()) == []


def test_a_bad_name_is_refused(blobs: Blobs) -> None:
    for name in BAD_NAMES:
        with pytest.raises(BadArguments):
            blobs.put(name, b"")
        with pytest.raises(BadArguments):
            blobs.get(name)
        with pytest.raises(BadArguments):
            blobs.delete(name)


def test_a_good_name_is_kept_whole(blobs: Blobs) -> None:
    for name in GOOD_NAMES:
        blobs.put(name, name.encode())
    assert list(blobs.names()) == sorted(GOOD_NAMES)
    assert [blobs.get(name) for name in GOOD_NAMES] == [name.encode() for name in GOOD_NAMES]


def test_checking_a_store_that_works_says_nothing_and_leaves_nothing(blobs: Blobs) -> None:
    blobs.check()
    assert list(blobs.names()) == []


# A directory


def test_another_process_reads_what_a_killed_one_had_put(tmp_path: Path) -> None:
    story = (
        "import os, signal, sys; from pathlib import Path\n"
        "from assistant.adapters.blobs.dir_blobs import DirBlobs\n"
        "DirBlobs(Path(sys.argv[1])).put('raw/1', b'words')\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    done = subprocess.run([sys.executable, "-c", story, str(tmp_path / "blobs")], check=False)
    assert done.returncode == -signal.SIGKILL
    assert DirBlobs(tmp_path / "blobs").get("raw/1") == b"words"


def test_only_its_user_can_read_a_directory(directory: DirBlobs, tmp_path: Path) -> None:
    directory.put("raw/3f/1", b"words")
    modes = {path.stat().st_mode & 0o777 for path in tmp_path.rglob("*") if path.is_dir()}
    assert modes == {0o700}
    assert (tmp_path / "blobs/raw+/3f+/1").stat().st_mode & 0o777 == 0o600


def test_a_link_that_leads_outside_is_not_followed(directory: DirBlobs, tmp_path: Path) -> None:
    directory.put("raw/1", b"words")
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret").write_bytes(b"secret")
    (tmp_path / "blobs/led+").symlink_to(outside)
    (tmp_path / "blobs/raw+/secret").symlink_to(outside / "secret")
    (tmp_path / "blobs/raw+/new").symlink_to(outside / "new")
    for name in ("led/secret", "raw/secret"):
        with pytest.raises(Unreachable):
            directory.get(name)
    for name in ("led/secret", "led/new"):
        with pytest.raises(Unreachable):
            directory.put(name, b"overwritten")
        with pytest.raises(Unreachable):
            directory.delete(name)
    directory.put("raw/new", b"written")
    assert [(path.name, path.read_bytes()) for path in outside.iterdir()] == [("secret", b"secret")]
    assert list(directory.names()) == ["raw/1"]


def test_a_write_that_does_not_fit_leaves_nothing_and_says_why(
    directory: DirBlobs, tmp_path: Path
) -> None:
    directory.put("raw/1", b"words")
    with files_of_at_most(1000), pytest.raises(Outage, match=r"raw/2 was not stored.*large"):
        directory.put("raw/2", b"x" * 2000)
    assert [path.name for path in tmp_path.rglob("*") if path.is_file()] == ["1"]
    assert directory.get("raw/1") == b"words"
    directory.put("raw/2", b"x" * 2000)
    assert directory.get("raw/2") == b"x" * 2000


def test_a_blob_is_on_the_disk_with_every_folder_on_its_way(
    directory: DirBlobs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tmp_path / "blobs"
    with flushes(monkeypatch) as flushed:
        directory.put("raw/3f/1", b"words")
    assert {tmp_path, root, root / "raw+", root / "raw+/3f+"} <= set(flushed)
    with flushes(monkeypatch) as flushed:
        directory.put("raw/3f/2", b"words")
    assert flushed[-1] == root / "raw+/3f+"
    with flushes(monkeypatch) as flushed:
        directory.put("raw/3f/2", b"words")  # whoever put it may not have come to that yet
    assert flushed[-1] == root / "raw+/3f+"


def test_a_folder_that_another_has_just_made_is_flushed(
    directory: DirBlobs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    directory.put("raw/3f/1", b"words")
    (tmp_path / "blobs/raw+/9a+").mkdir()
    with flushes(monkeypatch) as flushed:
        directory.put("raw/9a/1", b"words")
    assert flushed[0] == tmp_path / "blobs/raw+"
    with flushes(monkeypatch) as flushed:
        DirBlobs(tmp_path / "blobs").put("raw/9a/2", b"words")
    assert tmp_path / "blobs/raw+" not in flushed  # as it was before anything was in 9a


@contextmanager
def flushes(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Path]]:
    """What is flushed meanwhile, in order."""
    flushed: list[Path] = []
    fsync = os.fsync

    def noting(opened: int) -> None:
        fsync(opened)
        flushed.append(Path(f"/proc/self/fd/{opened}").readlink())

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", noting)
        yield flushed


def test_what_a_crash_left_half_written_is_no_blob(directory: DirBlobs, tmp_path: Path) -> None:
    directory.put("raw/1", b"words")
    (tmp_path / "blobs/raw+/~0123456789abcdef").write_bytes(b"half a ma")
    assert list(directory.names()) == ["raw/1"]


def test_while_the_root_is_gone_nothing_is_called_lost_or_deleted(
    directory: DirBlobs, tmp_path: Path
) -> None:
    directory.put("raw/1", b"words")
    (tmp_path / "blobs").rename(tmp_path / "unmounted")
    for act in (directory.get, directory.delete):
        with pytest.raises(Outage, match="is not there") as raised:
            act("raw/1")
        assert raised.value.part == BLOBS
    (tmp_path / "unmounted").rename(tmp_path / "blobs")
    assert directory.get("raw/1") == b"words"


def test_a_root_that_is_a_file_is_misconfigured(tmp_path: Path) -> None:
    (tmp_path / "blobs").write_bytes(b"")
    with pytest.raises(Misconfigured, match=r"blobs: Not a directory"):
        DirBlobs(tmp_path / "blobs").check()


@contextmanager
def files_of_at_most(size: int) -> Iterator[None]:
    """A full disk, as far as one process can arrange it for itself."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


# A bucket


def test_more_names_than_one_page_holds_are_all_listed(bucket: S3Blobs) -> None:
    names = [f"raw/{number}" for number in range(7)]
    for name in names:
        bucket.put(name, b"words")
    assert list(bucket.names("raw/")) == names


@pytest.mark.parametrize(
    "wrong", [{"secret_key": "a-wrong-secret"}, {"access_key": "test:nobody"}], ids=str
)
def test_a_wrong_key_is_misconfigured(s3_server: S3Server, wrong: dict[str, str]) -> None:
    right = bucket_of(s3_server)
    right.put("raw/1", b"words")
    blobs = s3_blobs(s3_server, bucket=right._bucket, **wrong)
    uses = (
        lambda: blobs.get("raw/1"),
        lambda: blobs.put("raw/2", b""),
        lambda: blobs.delete("raw/1"),
        lambda: list(blobs.names()),
        blobs.check,
    )
    for use in uses:
        with pytest.raises(Misconfigured, match="check the access key") as caught:
            use()
        assert "a-wrong-secret" not in str(caught.value)
    assert list(right.names()) == ["raw/1"]


def test_a_missing_bucket_is_misconfigured_and_named(s3_server: S3Server) -> None:
    blobs = s3_blobs(s3_server, bucket="nobody-made-this")
    uses = (
        lambda: blobs.get("raw/1"),
        lambda: blobs.put("raw/2", b""),
        lambda: blobs.delete("raw/1"),
        lambda: list(blobs.names()),
        blobs.check,
    )
    for use in uses:
        with pytest.raises(Misconfigured, match=r"nobody-made-this at http.*no such bucket"):
            use()


@pytest.mark.parametrize(
    "wrong",
    [{"endpoint": "localhost"}, {"bucket": "not a bucket"}, {"bucket": "No_Bucket"}],
    ids=str,
)
def test_a_setting_that_cannot_be_is_misconfigured(
    s3_server: S3Server, wrong: dict[str, str]
) -> None:
    settings = {"bucket": s3_server.make_bucket(), **wrong}
    with pytest.raises(Misconfigured):
        s3_blobs(s3_server, **settings).check()


@pytest.mark.parametrize("missing", ["bucket", "region", "access_key", "secret_key"])
def test_an_empty_setting_is_misconfigured(missing: str) -> None:
    settings = {"bucket": "mail", "region": "here", "access_key": "key", "secret_key": "secret"}
    settings[missing] = ""
    with pytest.raises(Misconfigured):
        S3Blobs(
            endpoint="",
            bucket=settings["bucket"],
            region=settings["region"],
            access_key=settings["access_key"],
            secret_key=settings["secret_key"],
        )


def test_nobody_at_the_endpoint_is_told_quickly() -> None:
    began = time.monotonic()
    with pytest.raises(Unreachable, match="raw/1 was not stored"):
        lonely(f"http://127.0.0.1:{free_port()}").put("raw/1", b"words")
    assert time.monotonic() - began < 30


def test_a_server_that_says_nothing_is_not_waited_for_long() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        began = time.monotonic()
        with pytest.raises(Unreachable):
            lonely(f"http://127.0.0.1:{silent.getsockname()[1]}", patience=0.2).get("raw/1")
        assert time.monotonic() - began < 30


def test_only_one_request_waits_for_a_server_that_did_not_answer_the_last() -> None:
    """Else every thread of a worker would wait, and no chat would be answered."""
    with socket.create_server(("127.0.0.1", 0), backlog=64) as silent:
        blobs = lonely(f"http://127.0.0.1:{silent.getsockname()[1]}", patience=2)

        def fails() -> str:
            with pytest.raises(Outage) as raised:
                blobs.get("raw/1")
            return str(raised.value)

        fails()
        with ThreadPoolExecutor(8) as pool:
            said = list(pool.map(lambda _: fails(), range(8)))
    assert sum("another request waits" in words for words in said) == 7


@pytest.mark.parametrize(
    ("status", "meaning"),
    [(500, Outage), (503, Outage), (429, Outage), (501, Misconfigured)],
)
def test_an_answer_that_is_no_success_says_whether_to_try_again(
    status: int, meaning: type[AssistantError]
) -> None:
    with answering(status, b"") as endpoint, pytest.raises(meaning, match=f"HTTP {status}"):
        lonely(endpoint).put("raw/1", b"words")


@pytest.mark.parametrize("status", [400, 404, 405])
def test_a_server_that_does_not_speak_s3_is_misconfigured(status: int) -> None:
    with answering(status, b"<html><p>It works!<br></html>") as endpoint:
        blobs = lonely(endpoint)
        for use in (lambda: blobs.get("raw/1"), lambda: list(blobs.names()), blobs.check):
            with pytest.raises(Misconfigured):
                use()


def test_a_server_that_says_yes_and_keeps_nothing_is_misconfigured() -> None:
    with answering(200, b"") as endpoint, pytest.raises(Misconfigured, match="give back"):
        lonely(endpoint).check()


def test_an_answer_that_breaks_off_is_no_blob() -> None:
    with answering(200, b"half a ma", length=100) as endpoint, pytest.raises(Unreachable):
        lonely(endpoint).get("raw/1")


@pytest.mark.slow
def test_blobs_outlive_a_killed_server(s3_server: S3Server, bucket: S3Blobs) -> None:
    bucket.put("raw/1", b"words")
    s3_server.kill()
    try:
        with pytest.raises(Unreachable):
            bucket.get("raw/1")
    finally:
        s3_server.start()
    assert bucket.get("raw/1") == b"words"
    assert list(bucket.names()) == ["raw/1"]
    bucket.put("raw/1", b"other words")
    assert bucket.get("raw/1") == b"words"


def lonely(endpoint: str, *, patience: float = 10.0) -> S3Blobs:
    return S3Blobs(
        bucket="mail",
        endpoint=endpoint,
        region="us-east-1",
        access_key="key",
        secret_key="secret",
        read_seconds=patience,
    )


@contextmanager
def answering(status: int, body: bytes, *, length: int | None = None) -> Iterator[str]:
    """The endpoint of a server that has one answer for everything."""

    class Answer(BaseHTTPRequestHandler):
        def handle_one_request(self) -> None:
            self.close_connection = True
            self.raw_requestline = self.rfile.readline()
            if self.parse_request():
                self.rfile.read(int(self.headers.get("Content-Length", 0)))
                self.send_response(status)
                self.send_header("Content-Length", str(len(body) if length is None else length))
                self.end_headers()
                self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            return None

    with ThreadingHTTPServer(("127.0.0.1", 0), Answer) as server:
        Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
        return port
