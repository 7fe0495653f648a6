#!/usr/bin/env python3
"""Make the locks from pyproject.toml, or check that they were made from what it says now.

``uv`` resolves for every platform and Python at once and writes hashes but no registry's address.
The first line of a lock holds a digest of what it was made from.
"""

import argparse
import hashlib
import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OVERRIDES = ROOT / "requirements.overrides"
RUNTIME, DEV = ROOT / "requirements.lock", ROOT / "requirements-dev.lock"
MARK = "# Made by `make lock` from dependencies with the digest "
PIN = re.compile(r"^[A-Za-z0-9._-]+==\S+", re.MULTILINE)
COMPILE = (
    *(
        "uv",
        "pip",
        "compile",
        "pyproject.toml",
        "--quiet",
        "--universal",
        "--python-version",
        "3.11",
    ),
    *("--generate-hashes", "--no-header", "--no-annotate", "--override", OVERRIDES.name),
)


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("what", choices=("check", "make"))
    arguments.add_argument("--upgrade", action="store_true", help="take the newest that fits")
    given = arguments.parse_args()
    if given.what == "make":
        make(upgrade=given.upgrade)
    problems = check()
    for problem in problems:
        print(problem, file=sys.stderr)  # noqa: T201 the answer of a command
    return 1 if problems else 0


def make(*, upgrade: bool) -> None:
    more = ["--upgrade"] if upgrade else []
    extras = ["--extra", "embedded", "--extra", "build"]
    compile_lock(RUNTIME, *extras, *more)
    compile_lock(DEV, *extras, "--extra", "dev", "--constraint", RUNTIME.name, *more)


def compile_lock(lock: Path, *options: str) -> None:
    subprocess.run([*COMPILE, *options, "--output-file", lock.name], cwd=ROOT, check=True)
    lock.write_text(f"{MARK}{digest()}\n{lock.read_text()}")


def check() -> list[str]:
    """What is wrong with the locks, in words."""
    problems = [
        f"{lock.name} was made from other dependencies than pyproject.toml has now: make lock"
        for lock in (RUNTIME, DEV)
        if not lock.read_text().startswith(f"{MARK}{digest()}\n")
    ]
    different = pins(RUNTIME) - pins(DEV)
    if different:
        problems.append(f"{DEV.name} pins other versions of {', '.join(sorted(different))}")
    return problems


def digest() -> str:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    asked = [project[key] for key in ("requires-python", "dependencies", "optional-dependencies")]
    return hashlib.sha256(json.dumps([asked, OVERRIDES.read_text()]).encode()).hexdigest()


def pins(lock: Path) -> set[str]:
    """Each ``name==version`` of a lock."""
    return set(PIN.findall(lock.read_text()))


if __name__ == "__main__":
    sys.exit(main())
