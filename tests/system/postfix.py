"""A private Postfix, as a mail server in front of the assistant would be: relay in, LMTP out.

It keeps its configuration, queue and log in a directory of its own and touches no other Postfix.
Its master process wants to be started by root.
"""

import json
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

_MAIN = """\
compatibility_level = 3.6
queue_directory = {root}/queue
data_directory = {root}/data
maillog_file = {root}/log
maillog_file_prefixes = {root}
command_directory = /usr/sbin
daemon_directory = /usr/lib/postfix/sbin
myhostname = relay.example.net
mydestination =
alias_maps =
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
mynetworks = 127.0.0.1/32
smtpd_recipient_restrictions = permit_mynetworks, reject
relay_domains = {domain}
relay_transport = lmtp:inet:127.0.0.1:{lmtp}
default_transport = error:5.4.4 this server knows no other
fast_flush_domains =
"""
_SERVICES = """\
127.0.0.1:{port} inet n - n - - smtpd
cleanup unix n - n - 0 cleanup
pickup unix n - n 60 1 pickup
qmgr unix n - n 300 1 qmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
lmtp unix - - n - - lmtp
error unix - - n - - error
retry unix - - n - - error
anvil unix - - n - 1 anvil
proxymap unix - - n - - proxymap
showq unix n - n - - showq
postlog unix-dgram n - n - 1 postlogd
"""
_SECONDS = 20.0


class Postfix:
    """A running one; ``port`` takes mail for one domain, which it hands to an LMTP door."""

    def __init__(self, root: Path, port: int) -> None:
        self._root = root
        self.port = port

    def waiting(self) -> list[str]:
        """The recipients of mail that is still in the queue."""
        said = self._run("postqueue", "-c", f"{self._root}/etc", "-j").stdout
        mails = [json.loads(line) for line in said.splitlines()]
        return [recipient["address"] for mail in mails for recipient in mail["recipients"]]

    def try_again(self) -> None:
        """Deliver what waits without waiting any longer."""
        self._run("postqueue", "-c", f"{self._root}/etc", "-f")

    def log(self) -> str:
        return (self._root / "log").read_text(errors="replace")

    def until(self, what: Callable[[], bool]) -> None:
        """Wait until something is so. Raises ``AssertionError`` with the log when it never is."""
        deadline = time.monotonic() + _SECONDS
        while not what():
            if time.monotonic() > deadline:
                raise AssertionError(f"not within {_SECONDS:.0f} s; Postfix says:\n{self.log()}")
            time.sleep(0.05)

    def start(self) -> None:
        self._run("postfix", "-c", f"{self._root}/etc", "start")
        self.until(self._answers)

    def stop(self) -> None:
        self._run("postfix", "-c", f"{self._root}/etc", "stop")

    def _answers(self) -> bool:
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=5) as connection:
                return connection.recv(3) == b"220"
        except ConnectionError:
            return False

    def _run(self, *command: str) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode == 0, f"{' '.join(command)} failed: {done.stdout}{done.stderr}"
        return done


@contextmanager
def postfix(*, domain: str, lmtp: int) -> Iterator[Postfix]:
    """A Postfix that takes mail for ``domain`` and hands it to the LMTP door on a loopback port."""
    # Not in pytest's directory, which nobody but root may enter: Postfix's daemons are not root.
    root = Path(tempfile.mkdtemp(prefix="postfix-"))
    root.chmod(0o755)
    port = _free_port()
    try:
        for name in ("etc", "queue", "data"):
            (root / name).mkdir()
        shutil.chown(root / "data", "postfix")
        (root / "etc" / "main.cf").write_text(_MAIN.format(root=root, domain=domain, lmtp=lmtp))
        (root / "etc" / "master.cf").write_text(_SERVICES.format(port=port))
        server = Postfix(root, port)
        server.start()
        try:
            yield server
        finally:
            server.stop()
    finally:
        shutil.rmtree(root)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
