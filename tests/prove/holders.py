"""Which process holds a job: the one place that reads how a worker names itself."""

from tests.prove.rows import rows
from workers.parts import Assistant


def pid_of(worker: str) -> int | None:
    """Return the pid in the name of a worker; None if there is none.

    A name is ``w1 INSTALLATION BOOT NAMESPACE PID START``, or ``HOST/PID`` as it once was.
    """
    match worker.split():
        case ["w1", _, _, _, pid, _]:
            found = pid
        case [one]:
            found = one.rpartition("/")[2]
        case _:
            return None
    return int(found) if found.isdecimal() else None


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
