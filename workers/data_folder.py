"""The data folder: where the embedded parts keep their files, and how commands reach them.

The supervisor uses ``RunFolder``, so this loads the standard library alone.
"""

import errno
import fcntl
import json
import os
import re
import secrets
import shutil
from contextlib import suppress
from dataclasses import asdict, dataclass, fields
from datetime import UTC, datetime
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from assistant.domain.errors import AssistantError, InUse, Misconfigured, NoSpace
from workers.configuration.prefix import PREFIX

if TYPE_CHECKING:
    from workers.settings import Settings


@dataclass(frozen=True, kw_only=True)
class Endpoints:
    """Addresses of the parts that ``assistant up`` runs now. Its file is deleted when it stops."""

    broker_url: str = ""
    caldav_url: str = ""
    smtp_port: int = 0
    lmtp_port: int = 0
    http_port: int = 0


@dataclass(frozen=True, kw_only=True)
class Started:
    """A process: its pid, which may since be another's, and when it began, in epoch seconds."""

    pid: int
    began: float
    start: str = ""
    """When it began, told in a way that no step of the clock changes; empty if that is unknown."""


@dataclass(frozen=True, kw_only=True)
class BotSeen:
    """The bot's identity on Discord, and whether it may read the content of all messages."""

    name: str
    id: str
    content: bool = False


class UpState(Enum):
    """How it stands with ``assistant up``."""

    RUNS = "runs"
    KILLED = "killed"
    """It ended without stopping its parts."""
    STOPPED = "stopped"
    NEVER = "never started"


_INSTALLATION = re.compile(r"[0-9a-f]{16}")
_FULL = frozenset({errno.ENOSPC, errno.EDQUOT})

SQLITE = "assistant.sqlite3"

Noted = TypeVar("Noted", Endpoints, Started, BotSeen)
_NUMBER = (int, float)


def _noted(kind: type[Noted], value: object) -> Noted:
    """Make what was noted as JSON. Raises ``ValueError`` for what is no such note."""
    known: dict[str, Any] = {}
    for field in fields(kind):
        if isinstance(value, dict) and field.name in value:
            known[field.name] = found = value[field.name]
            wanted: Any = _NUMBER if field.type is float else field.type
            if not isinstance(found, wanted):
                break
    else:
        with suppress(TypeError):
            return kind(**known)
    raise ValueError(f"no {kind.__name__}: {value!r}")


class RunFolder:
    """The folders and small files of ``assistant up`` below ``DATA_DIR``, whatever the settings."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def open(self) -> None:
        """Make the folders, closed to other users.

        Raises:
            NoSpace: the disk is full.
            Misconfigured: the folder cannot be written to for another reason.
            InUse: a restore into it did not end.
        """
        if self.restoring.exists():
            raise InUse(
                f"a restore into {self.root} runs, or was cut off: "
                "wait, or run `assistant restore` again"
            )
        try:
            for folder in (self.root, self.run, self.logs):
                folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise not_written(self.root, error) from error

    @property
    def free(self) -> int:
        """Bytes that are free on the disk of the folder, or where it would be made.

        Raises ``OSError``.
        """
        there = next(path for path in (self.root, *self.root.parents) if path.exists())
        return shutil.disk_usage(there).free

    @property
    def up_lock(self) -> Path:
        """The file that ``up`` keeps locked while it runs. It stays when ``up`` ends."""
        return self.run / "up.lock"

    @property
    def up_state(self) -> UpState:
        """Whether ``up`` runs on this folder, and how it ended if not."""
        if _is_locked(self.up_lock):
            return UpState.RUNS
        if self.children or self._endpoints.exists():
            return UpState.KILLED
        return UpState.STOPPED if self.up_lock.exists() else UpState.NEVER

    @property
    def restoring(self) -> Path:
        """Where a restore puts what it copies. While it is there, the folder is not whole."""
        return self.root / ".restoring"

    @property
    def backups(self) -> Path:
        """The databases as they were before upgrades."""
        return self.root / "backups"

    @property
    def run(self) -> Path:
        return self.root / "run"

    @property
    def logs(self) -> Path:
        return self.root / "logs"

    @property
    def audit_heads(self) -> Path:
        """The file with the heads of the audit; see ``assistant.adapters.head_file``."""
        return self.root / "audit-heads.log"

    @property
    def audit_archive(self) -> Path:
        """The folder with what the audit no longer keeps in the database."""
        return self.root / "audit-archive"

    @property
    def credentials_key(self) -> Path:
        """The file with the key that encrypts passwords, unless the settings give one."""
        return self.root / "credentials.key"

    @property
    def radicale(self) -> Path:
        return self.root / "radicale"

    @property
    def valkey(self) -> Path:
        return self.root / "valkey"

    @property
    def endpoints(self) -> Endpoints:
        try:
            return _noted(Endpoints, json.loads(self._endpoints.read_bytes()))
        except (OSError, ValueError):
            return Endpoints()

    def write_endpoints(self, endpoints: Endpoints) -> None:
        self._write(self._endpoints, json.dumps(asdict(endpoints)))

    def forget_endpoints(self) -> None:
        self._endpoints.unlink(missing_ok=True)
        self.settings_file.unlink(missing_ok=True)

    @property
    def _endpoints(self) -> Path:
        return self.run / "endpoints.json"

    def secret(self, name: str) -> str:
        """Return a random secret of this installation (256 bits); make it on first use."""
        file = self.root / f"{name}.secret"
        # A power cut can leave a new file empty.
        if not file.exists() or not file.read_text(encoding="ascii").strip():
            self._write(file, secrets.token_urlsafe(32))
        return file.read_text(encoding="ascii").strip()

    def installation(self) -> str:
        """Return the id of this data folder: random, and made on first use.

        Where it cannot be kept, each call returns another, which nobody takes for a known one.
        """
        file = self.root / "installation"
        with suppress(OSError, ValueError):
            if found := _INSTALLATION.fullmatch(file.read_text(encoding="ascii").strip()):
                return found.group()
        made = secrets.token_hex(8)
        with suppress(AssistantError):
            self._write(file, f"{made}\n")
        return made

    def write_settings(self, written: str) -> None:
        """Write the settings that the processes of ``up`` read, wherever they came from."""
        self._write(self.settings_file, written)

    def addresses_missing(self) -> bool:
        """Whether a file is gone that the processes of ``up`` read when they start."""
        return not (self.settings_file.exists() and self._endpoints.exists())

    @property
    def settings_file(self) -> Path:
        return self.run / "settings.yaml"

    @property
    def children(self) -> dict[str, "Started"]:
        """The processes that ``up`` started, by name: their pid and when they began."""
        try:
            found = json.loads((self.run / "children.json").read_bytes())
            children = {name: _noted(Started, one) for name, one in dict(found).items()}
        except (OSError, TypeError, ValueError):
            return {}
        return children if all(one.pid > 0 for one in children.values()) else {}

    def write_children(self, children: dict[str, "Started"]) -> None:
        self._write(self.run / "children.json", json.dumps(_as_json(children)))

    def forget_children(self) -> None:
        """Note that no process runs, also on a full disk."""
        try:
            self.write_children({})
        except AssistantError:
            with suppress(OSError):
                (self.run / "children.json").unlink()

    def note_bot(self, seen: BotSeen) -> None:
        """Note that the bot lives now."""
        self._write(self._bot, json.dumps(asdict(seen)))

    def forget_bot(self) -> None:
        """Note that the bot no longer lives; keep the time when it last did."""
        with suppress(FileNotFoundError):
            self._bot.replace(self._last_bot)

    @property
    def bot_lived(self) -> datetime | None:
        """When a bot of this installation last said that it lives, even if it has ended since."""
        times: list[datetime] = []
        for file in (self._bot, self._last_bot):
            with suppress(FileNotFoundError):
                times.append(datetime.fromtimestamp(file.stat().st_mtime, UTC))
        return max(times, default=None)

    def bot(self) -> tuple[BotSeen, datetime] | None:
        """Return the bot of this installation, and when it last said that it lives."""
        try:
            at = datetime.fromtimestamp(self._bot.stat().st_mtime, UTC)
            return _noted(BotSeen, json.loads(self._bot.read_bytes())), at
        except (FileNotFoundError, ValueError):
            return None

    @property
    def _bot(self) -> Path:
        return self.run / "bot.alive"

    @property
    def _last_bot(self) -> Path:
        return self.run / "bot.last"

    @property
    def commands_told(self) -> str:
        """Digest of the slash commands that were last registered with Discord."""
        try:
            return self._commands.read_text(encoding="ascii")
        except FileNotFoundError:
            return ""

    def tell_commands(self, digest: str) -> None:
        self._write(self._commands, digest)

    @property
    def _commands(self) -> Path:
        return self.run / "discord-commands"

    def _write(self, file: Path, text: str) -> None:
        """Write a file whole or not at all, for this user alone."""
        draft = file.with_name(f".{file.name}.{os.getpid()}")
        try:
            descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(descriptor, "w", encoding="utf-8") as stream:
                stream.write(text)
            draft.replace(file)
        except OSError as error:
            with suppress(OSError):
                draft.unlink()
            raise not_written(file, error) from error


class DataFolder(RunFolder):
    """All folders and small files below ``DATA_DIR``, and what the settings put in their place."""

    def __init__(self, settings: "Settings") -> None:
        super().__init__(settings.data_dir)
        self._settings = settings

    @property
    def sqlite_file(self) -> Path | None:
        """The file of the database; None where the settings name a server."""
        url = self.database_url
        file = url.removeprefix("sqlite:///")
        return None if file == url else Path(file)

    @property
    def database_url(self) -> str:
        return self._settings.database_url or f"sqlite:///{self.root / SQLITE}"

    @property
    def broker_url(self) -> str:
        """URL of the broker. Raises ``Misconfigured`` if there is none."""
        url = self._settings.broker_url or self.endpoints.broker_url
        if not url:
            raise Misconfigured(
                f"there is no broker: set {PREFIX}BROKER_URL, "
                "or let `assistant up` run an embedded one"
            )
        return url

    @property
    def blobs(self) -> Path:
        url = self._settings.blobs
        return Path(url.removeprefix("file://")) if url else self.root / "blobs"

    @property
    def http_token(self) -> str:
        return self._settings.http_token.get_secret_value() or self.secret("http-token")


def _as_json(children: dict[str, Started]) -> dict[str, Any]:
    return {name: asdict(one) for name, one in children.items()}


def _is_locked(file: Path) -> bool:
    """Whether a process holds the lock of a file; takes it for a moment if nobody does."""
    try:
        descriptor = os.open(file, os.O_RDONLY)
    except OSError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(descriptor)
    return False


def not_written(file: Path, error: OSError) -> AssistantError:
    """Return the error of a file that could not be written."""
    if error.errno in _FULL:
        return NoSpace(
            f"{file} was not written ({error.strerror}); what was kept is kept, free some space"
        )
    return Misconfigured(f"{PREFIX}DATA_DIR: {file}: {error.strerror}")
