"""Render one drawing from standard input to a PNG on standard output, as a process of its own.

It reads the arguments of resvg as JSON. It loads nothing of the assistant, so that it starts
quickly.
"""

import json
import resource
import sys

import resvg_py

CPU_SECONDS = 5


def main() -> None:
    """Raises what resvg does; the kernel ends what takes longer than ``CPU_SECONDS``."""
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
    picture = bytes(resvg_py.svg_to_bytes(**json.load(sys.stdin.buffer)))
    sys.stdout.buffer.write(picture)


if __name__ == "__main__":
    main()
