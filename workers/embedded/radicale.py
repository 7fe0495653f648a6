"""Prepare a private Radicale: a CalDAV server for this machine alone, with one account.

Nothing here starts a process: the caller runs ``command(files)`` and then ``ensure_calendar``.
"""

import fcntl
import os
import secrets
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from assistant.domain.errors import AssistantError, Misconfigured, Unreachable
from workers.embedded.files import write_changed

USERNAME = "owner"
# Few rounds and no delay: bcrypt rounds and a delay after a failed login protect passwords that can
# be guessed. This one has 256 random bits. It is checked with every request, and every client sends
# its first request without it.
_ROUNDS = 4
_PROPS = f"collection-root/{USERNAME}/*/.Radicale.props"
"""Where the server keeps what kind of collection each is, below its folder of collections."""

_TETHERED = """\
import os, runpy, sys, threading

def watch():
    sys.stdin.buffer.read()
    os._exit(0)

threading.Thread(target=watch, daemon=True).start()
runpy.run_module("radicale", run_name="__main__", alter_sys=True)
"""

_CONFIG = """\
[server]
hosts = 127.0.0.1:{port}

[auth]
type = htpasswd
htpasswd_filename = {users}
htpasswd_encryption = bcrypt
delay = 0

[rights]
type = owner_only

[storage]
filesystem_folder = {collections}

[web]
type = none

[logging]
level = warning
"""


@dataclass(frozen=True, kw_only=True)
class RadicaleFiles:
    """The files, URL and account of a prepared server."""

    config: Path
    url: str
    username: str
    password: str = field(repr=False)


def prepare(root: Path, *, port: int) -> RadicaleFiles:
    """Write all that a server at ``127.0.0.1:port`` needs below ``root``, for this user alone.

    Keeps the password and the calendars that are there; only the port may change. What is there
    already is not written again, so that it takes no space to start the server again.
    """
    root = root.resolve()
    root.mkdir(mode=0o700, parents=True, exist_ok=True)
    root.chmod(0o700)
    password = _password(root / "password")
    users = root / "users"
    if not _lets_in(users, password):
        import bcrypt  # noqa: PLC0415 (the supervisor does without)

        hashed = bcrypt.hashpw(password.encode(), bcrypt.gensalt(_ROUNDS)).decode()
        write_changed(users, f"{USERNAME}:{hashed}\n")
    config = root / "config"
    write_changed(config, _CONFIG.format(port=port, users=users, collections=root / "collections"))
    return RadicaleFiles(
        config=config, url=f"http://127.0.0.1:{port}/", username=USERNAME, password=password
    )


def credentials(root: Path) -> tuple[str, str]:
    """Return the user name and the password below ``root``; make the password if it is missing."""
    root.mkdir(mode=0o700, parents=True, exist_ok=True)
    return USERNAME, _password(root / "password")


def command(files: RadicaleFiles, *, tethered: bool = False) -> list[str]:
    """Return the command that starts the server; it stays in the foreground and ends on SIGTERM.

    ``tethered``: the server also ends when its standard input closes, a pipe of its parent, so that
    it does not outlive the parent. ``-P``: no module is imported from the current directory.
    """
    module = ["-c", _TETHERED] if tethered else ["-m", "radicale"]
    return [sys.executable, "-P", *module, "--config", str(files.config)]


@contextmanager
def alone(root: Path) -> Generator[None]:
    """Keep other processes from preparing or starting a server below ``root`` while this lasts."""
    root.mkdir(mode=0o700, parents=True, exist_ok=True)
    lock = os.open(root / "starting.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
    finally:
        os.close(lock)


def ensure_calendar(url: str, username: str, password: str, name: str = "Assistant") -> None:
    """Make the calendar ``name`` unless the account has a calendar. Safe to repeat.

    Raises:
        Unreachable: no server answers there (yet).
        Misconfigured: the server answers, but does not let this account make a calendar.
    """
    # These imports take a quarter of a second, so only this function pays for them.
    import requests  # noqa: PLC0415
    from caldav.davclient import DAVClient  # noqa: PLC0415
    from caldav.lib.error import DAVError  # noqa: PLC0415

    try:
        with DAVClient(
            url=url, username=username, password=password, timeout=10, features="radicale"
        ) as client:
            client.session.trust_env = False
            account = client.get_principal()
            if not client.get_calendars(account):
                account.make_calendar(name=name, supported_calendar_component_set=["VEVENT"])
    except requests.RequestException as silence:
        raise Unreachable(f"the calendar server at {url}") from silence
    except DAVError as refusal:
        raise Misconfigured(f"no calendar could be made at {url}: {refusal.reason}") from refusal


def see_to_calendar(root: Path, url: str) -> None:
    """Do as ``ensure_calendar`` for the server of ``root``, unless the files show a calendar.

    In a short-lived process, so that the one that asks loads no client.
    """
    if any(_is_calendar(props) for props in (root / "collections").glob(_PROPS)):
        return
    command = [sys.executable, "-P", "-m", "workers.embedded.radicale", str(root), url]
    path = {"PYTHONPATH": str(Path(__file__).parents[2])}
    ended = subprocess.run(command, env={**os.environ, **path}, capture_output=True, check=False)
    if ended.returncode:
        raise Unreachable(ended.stderr.decode(errors="replace").strip().rpartition("\n")[2])


def _is_calendar(props: Path) -> bool:
    with suppress(OSError, UnicodeDecodeError):
        return '"VCALENDAR"' in props.read_text(encoding="utf-8")
    return False


def _password(path: Path) -> str:
    # A power cut can leave a new file empty; the hash beside it is then made anew as well.
    if not path.exists() or not path.read_text():
        write_changed(path, secrets.token_urlsafe(32))
    return path.read_text()


def _lets_in(users: Path, password: str) -> bool:
    """Whether the file of accounts holds the one account with this password."""
    import bcrypt  # noqa: PLC0415 (as above)

    try:
        name, _, hashed = users.read_bytes().strip().partition(b":")
        return name == USERNAME.encode() and bcrypt.checkpw(password.encode(), hashed)
    except (FileNotFoundError, ValueError):
        return False


def main(root: str, url: str) -> None:
    """Make the calendar of an account whose files are below ``root``."""
    try:
        ensure_calendar(url, *credentials(Path(root)))
    except AssistantError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main(*sys.argv[1:])
