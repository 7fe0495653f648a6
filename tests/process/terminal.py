"""A chat in a real terminal: a pseudo-terminal with the program behind it."""

import contextlib
import fcntl
import os
import pty
import re
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Generator
from pathlib import Path
from select import select

from workers.settings import PREFIX

_ESCAPES = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b[\]PX^_].*?(?:\x07|\x1b\\)|\x1b[@-_]|\r")
PATIENCE = 60.0


class Terminal:
    """What a person sees and types."""

    def __init__(self, process: "subprocess.Popen[bytes]", end: int) -> None:
        self.process = process
        self._end = end
        self._screen = ""
        self._seen = 0

    def types(self, text: str, *, enter: bool = True) -> None:
        os.write(self._end, text.encode() + (b"\r" if enter else b""))

    def shows(self, text: str) -> str:
        """Wait until it stands below what was waited for before; return all up to there."""
        give_up = time.monotonic() + PATIENCE
        while (place := self._screen.find(text, self._seen)) < 0:
            assert time.monotonic() < give_up, f"{text!r} never came: {self._screen[self._seen :]}"
            self._read()
        shown = self._screen[self._seen : place + len(text)]
        self._seen = place + len(text)
        return shown

    def rests(self, seconds: float = 2.0) -> str:
        """Wait until nothing new came for so long; return all that was ever shown."""
        size, since = -1, time.monotonic()
        while len(self._screen) != size or time.monotonic() < since + seconds:
            if len(self._screen) != size:
                size, since = len(self._screen), time.monotonic()
            self._read()
        return self._screen

    def ended(self) -> int:
        give_up = time.monotonic() + PATIENCE
        while self.process.poll() is None:
            assert time.monotonic() < give_up
            self._read()
        with contextlib.suppress(OSError):
            self._read()
        return self.process.returncode

    def _read(self) -> None:
        if select([self._end], [], [], 0.1)[0]:
            with contextlib.suppress(OSError):  # the other end was closed
                self._screen += _ESCAPES.sub(
                    "", os.read(self._end, 65_536).decode(errors="replace")
                )


def _outside() -> dict[str, str]:
    """The environment without settings of an assistant."""
    return {name: value for name, value in os.environ.items() if not name.startswith(PREFIX)}


@contextlib.contextmanager
def terminal(*args: str, data: Path) -> Generator[Terminal]:
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 100, 0, 0))
    process = subprocess.Popen(
        [sys.executable, "-m", "workers.cli", *args],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={
            **_outside(),
            f"{PREFIX}DATA_DIR": str(data),
            "TERM": "xterm-256color",
            "PROMPT_TOOLKIT_NO_CPR": "1",
        },
        start_new_session=True,
    )
    os.close(theirs)
    try:
        yield Terminal(process, ours)
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGKILL)
        process.wait()
        os.close(ours)
