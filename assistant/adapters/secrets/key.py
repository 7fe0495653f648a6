"""The key that encrypts passwords: one that was given, or a file that is made once."""

import os
import secrets
from contextlib import suppress
from pathlib import Path

from assistant.domain.credentials.credential import WrongKey
from assistant.domain.errors import Misconfigured

_BYTES = 32


class Key:
    """Args:
    given: the key, as text; empty where it is kept in a file.
    file: where it is kept if none is given. It is made when it is first needed.
    setting: the name of the setting that gives one, for messages.
    """

    def __init__(self, *, given: str, file: Path, setting: str) -> None:
        self._given = given
        self._file = file
        self._setting = setting

    @property
    def said(self) -> str:
        """Where the key comes from, in words."""
        return self._setting if self._given else str(self._file)

    def read(self) -> str:
        """Return the key. Raises ``WrongKey`` where it is not there."""
        if self._given:
            return self._given
        try:
            text = self._file.read_text(encoding="ascii").strip()
        except FileNotFoundError:
            text = ""
        except (OSError, UnicodeDecodeError) as error:
            raise WrongKey(f"{self._file} cannot be read, which holds the key") from error
        if not text:
            raise WrongKey(f"the key is missing: there is no {self._file}")
        return text

    def ensure(self) -> str:
        """Return the key; make the file if there is none.

        Of two processes that make it at once, both take the file that was there first.
        """
        with suppress(WrongKey):
            return self.read()
        draft = self._file.with_name(f".{self._file.name}.{secrets.token_hex(4)}")
        try:
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
            with os.fdopen(os.open(draft, flags, 0o600), "w", encoding="ascii") as made:
                made.write(f"{secrets.token_urlsafe(_BYTES)}\n")
                made.flush()
                os.fsync(made.fileno())
            with suppress(FileExistsError):
                self._file.hardlink_to(draft)
            _flush_folder(self._file.parent)
        except OSError as error:
            why = f"{self._file} cannot be written ({error.strerror}), so no password is kept"
            raise Misconfigured(why) from error
        finally:
            draft.unlink(missing_ok=True)
        return self.read()


def _flush_folder(folder: Path) -> None:
    opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
