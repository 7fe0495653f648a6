#!/usr/bin/env python3
"""Install what a lock file pins with pip, and say in a few lines how far it is.

    python .ci/install.py requirements.lock

pip alone prints either nothing for minutes, or several lines for each package.
"""

import re
import subprocess
import sys
import time
from pathlib import Path

PIP = [
    *(sys.executable, "-m", "pip", "install", "--disable-pip-version-check", "--no-deps"),
    *("--progress-bar", "off", "--require-hashes", "-r"),
]
_PACKAGE = re.compile(r"(?:Collecting|Ignoring|Requirement already satisfied:) ([\w.-]+)")
"""What pip says of a package once: also of one that is for other machines, or is there already."""
STEP = 10
"""Packages between two lines."""


def main(lock: Path) -> int:
    began = time.monotonic()
    pinned = len(re.findall(r"(?m)^[\w.\[\]-]+==", lock.read_text(encoding="utf-8")))
    _say(f"Installing {pinned} packages that {lock} pins; this may take a few minutes")
    process = subprocess.Popen([*PIP, str(lock)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None  # noqa: S101 (it is a pipe)
    seen, fetched = [], 0
    for line in process.stdout:
        seen.append(line)
        if name := _PACKAGE.match(line):
            fetched += 1
            if fetched % STEP == 0:
                _say(f"  {fetched} of {pinned} fetched, last {name[1]}")
        elif line.startswith("Installing collected packages"):
            _say(f"  all fetched after {time.monotonic() - began:.0f} s; putting them into .venv")
    if code := process.wait():
        sys.stderr.writelines(seen[-20:])
        return code
    _say(f"  done after {time.monotonic() - began:.0f} s")
    return 0


def _say(line: str) -> None:
    print(line, flush=True)  # noqa: T201 (people read it)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
