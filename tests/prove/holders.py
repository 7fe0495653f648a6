"""Which process holds a job: the one place that reads how a worker names itself."""

import os
import re

from tests.prove.rows import rows
from workers.parts import Assistant


def pid_of(worker: str) -> int | None:
    """Return the pid in the name of a worker; None if there is none.

    A name is ``host/pid``, or ``installation/boot/namespace/pid/began``.
    """
    parts = re.split(r"[/:]", worker)
    place = {2: 1, 5: 3}.get(len(parts))
    if place is None or not parts[place].isdigit():
        return None
    return int(parts[place])


def holders(assistant: Assistant, *, kind: str = "") -> dict[str, tuple[str, int]]:
    """Return the claim and the pid of each job that is held, perhaps only of one kind."""
    found = rows(
        assistant,
        "SELECT id, claim, worker FROM job "
        "WHERE claim IS NOT NULL AND (:kind = '' OR kind = :kind)",
        kind=kind,
    )
    return {
        row["id"]: (row["claim"], pid)
        for row in found
        if (pid := pid_of(row["worker"])) is not None
    }


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
