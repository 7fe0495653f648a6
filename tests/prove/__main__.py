"""``make prove``: kill workers, processes, servers and hosts, and see that the promises hold.

Exits with 1 if one was broken, or if a sabotaged twin stayed green; what was found is kept then.
``docs/proofs.md`` says what is tried, and how it is watched.
"""

import argparse
import json
import os
import random
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from tests.prove.bus_killer import Plan, kill_bus_workers, sabotaged
from tests.prove.calendar_killer import kill_at_the_calendar
from tests.prove.celery_killer import kill_celery_workers
from tests.prove.outcome import Outcome, say
from tests.prove.sabotage import TWINS
from tests.prove.up_killer import kill_whole_program
from tests.servers.postgres import postgres_server

PARTS = ("bus", "calendar", "twins", "celery", "up")
_SHARED_MEMORY = Path("/dev/shm")
Part = Callable[[], Outcome]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.prove", description=__doc__)
    parser.add_argument("--calls", type=int, default=3000, help="of bus workers, each database")
    parser.add_argument("--changes", type=int, default=80, help="of a calendar")
    parser.add_argument("--twin-calls", type=int, default=300, help="of each sabotaged twin")
    parser.add_argument("--celery-calls", type=int, default=300, help="of Celery's workers")
    parser.add_argument("--rounds", type=int, default=10, help="of the whole program")
    parser.add_argument("--only", choices=PARTS, action="append", help="one part; may be repeated")
    parser.add_argument(
        "--seed", type=int, default=random.randrange(10**6), help="draws the faults"
    )
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    given = parser.parse_args(arguments)
    began, place = time.monotonic(), _place()
    say(f"seed {given.seed}, in {place}, load {os.getloadavg()[0]:.1f}")
    with postgres_server() as postgres:
        made = _parts(given, place, lambda: postgres.url(postgres.make_database()))
        found = [part() for part in made]
    passed = all(one.passed for one in found)
    if given.json:
        whole = {"seed": given.seed, "passed": passed, "parts": [one.as_json() for one in found]}
        sys.stdout.write(json.dumps(whole, default=str, indent=1) + "\n")
    else:
        sys.stdout.write("\n".join(one.line() for one in found) + "\n")
    say(f"{'all held' if passed else 'BROKEN'} after {time.monotonic() - began:.0f} s")
    if passed:
        shutil.rmtree(place, ignore_errors=True)
    else:
        say(f"what was found is in {place}; seed {given.seed}")
    return 0 if passed else 1


def _parts(given: argparse.Namespace, place: Path, make_url: Callable[[], str]) -> Iterator[Part]:
    wanted, seed = given.only or PARTS, given.seed
    if "bus" in wanted:
        for name, url in (("SQLite", lambda: ""), ("Postgres", make_url)):
            yield lambda name=name, url=url: kill_bus_workers(  # type: ignore[misc]
                f"bus, {name}",
                place / f"bus-{name}",
                Plan(calls=given.calls),
                database_url=url(),
                seed=seed,
            )
    if "calendar" in wanted:
        for name, url in (("SQLite", lambda: ""), ("Postgres", make_url)):
            yield lambda name=name, url=url: kill_at_the_calendar(  # type: ignore[misc]
                f"calendar, {name}",
                place / f"calendar-{name}",
                database_url=url(),
                changes=given.changes // 2,
                seed=seed,
            )
    if "twins" in wanted:
        for twin in TWINS:
            yield lambda twin=twin: kill_bus_workers(  # type: ignore[misc]
                f"twin without {twin}",
                place / f"twin-{twin}",
                sabotaged(twin, calls=given.twin_calls),
                database_url="",
                seed=seed,
            )
    if "celery" in wanted:
        for name, url in (("SQLite", lambda: ""), ("Postgres", make_url)):
            yield lambda name=name, url=url: kill_celery_workers(  # type: ignore[misc]
                f"Celery, {name}",
                place / f"celery-{name}",
                database_url=url(),
                calls=given.celery_calls // 2,
                seed=seed,
            )
    if "up" in wanted:
        yield lambda: kill_whole_program(
            "the whole program", place / "up", rounds=given.rounds, seed=seed
        )


def _place() -> Path:
    """A folder in memory where there is one: what is proved are kills, and no power cuts."""
    there = _SHARED_MEMORY if os.access(_SHARED_MEMORY, os.W_OK) else None
    return Path(tempfile.mkdtemp(prefix="prove-", dir=there))


if __name__ == "__main__":
    sys.exit(main())
