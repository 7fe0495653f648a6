"""``make bench``: each promise about speed, beside what it is a ratio of.

Exits with 0 whether the aims are met or not: a busy machine is no error. ``docs/benchmarks.md``
says what is measured and what was seen.
"""

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median

from tests.bench.availability import bench_availability
from tests.bench.calls import bench_calls
from tests.bench.comparison import Comparison, table
from tests.bench.deciding import bench_deciding
from tests.bench.hostile import bench_hostile
from tests.bench.pressing import bench_pressing
from tests.bench.reading import bench_reading
from tests.bench.weight import bench_weight

BENCHES: dict[str, Callable[..., list[Comparison]]] = {
    "availability": bench_availability,
    "calls": bench_calls,
    "deciding": bench_deciding,
    "hostile": bench_hostile,
    "pressing": bench_pressing,
    "reading": bench_reading,
    "weight": bench_weight,
}


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--size", type=int, default=500, help="calls in one measurement")
    parser.add_argument("--rounds", type=int, default=5, help="rounds, each of ours and beside")
    parser.add_argument("--only", choices=sorted(BENCHES), help="one of the benchmarks")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    given = parser.parse_args(arguments)
    found = []
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        for name, bench in BENCHES.items():
            if given.only in (None, name):
                place = Path(folder) / name
                place.mkdir()
                found.extend(bench(place, size=given.size, rounds=given.rounds))
        weather = _weather(Path(folder) / "flushed")
    if given.json:
        sys.stdout.write(json.dumps([one.as_json() for one in found], indent=1) + "\n")
    else:
        sys.stdout.write("\n".join((*table(found), weather)) + "\n")


def _weather(file: Path) -> str:
    """What most disturbs these numbers: others' load, and how long the disk takes."""
    with file.open("wb", buffering=0) as stream:
        took = [_flush(stream.fileno()) for _ in range(50)]
    load, *_ = os.getloadavg()
    return (
        f"{os.cpu_count()} cores, load {load:.1f}; "
        f"a flushed page takes {median(took) * 1000:.2f} ms, at most {max(took) * 1000:.2f}"
    )


def _flush(file: int) -> float:
    os.write(file, bytes(4096))
    began = time.perf_counter()
    os.fsync(file)
    return time.perf_counter() - began


if __name__ == "__main__":
    main()
