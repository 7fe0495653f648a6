"""What ``assistant doctor`` says of the work: what moves, what stands still, what is open."""

from collections import defaultdict
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial

from assistant.domain.jobs.job import JobFacts
from assistant.domain.mail.held import groups_of, retry_line
from assistant.domain.messages import Queue
from assistant.domain.reminders.due_notices import LATE
from assistant.domain.time.moments import say_moment
from workers.cli.doctor.parts import Wrong, distributed
from workers.cli.session import Session
from workers.data_folder import UpState
from workers.status import UNCLEAR

_TOO_LONG = timedelta(seconds=60)
"""How long due work may stand unclaimed."""
_LATE = timedelta(minutes=15)
"""How old the copy of a calendar may be while workers run."""
_NAMED = 5
_MANY = 200


def checks(opened: Session) -> list[tuple[str, Callable[[], str]]]:
    found: list[tuple[str, Callable[[], str]]] = [
        ("workers", partial(_workers, opened)),
        ("tick", partial(_tick, opened)),
        ("queues", partial(_queues, opened)),
        ("notices", partial(_notices, opened)),
        ("mail", partial(_mail, opened)),
        ("copy of the calendar", partial(_copy, opened)),
        ("calls", partial(_calls, opened)),
    ]
    return found if _should_run(opened) else [one for one in found if one[0] != "tick"]


def _should_run(opened: Session) -> bool:
    """Whether workers are to run now: under ``up``, or started one by one."""
    folder = opened.assistant.data_folder
    return folder.up_state is UpState.RUNS or distributed(opened.settings, folder)


def _workers(opened: Session) -> str:
    if opened.live:
        return "every queue was crossed lately"
    if not _should_run(opened):
        return "none run; commands do their own work (`assistant up` starts workers)"
    seen, fresh = opened.assistant.store.canaries(), _fresh(opened)
    still = [
        f"{queue.value} ({_since(opened, seen.get(queue))})"
        for queue in Queue
        if queue not in seen or seen[queue] <= fresh
    ]
    raise Wrong(
        f"no worker was heard of lately in {', '.join(still)}: see that one runs for each queue, "
        "and what its log says"
    )


def _tick(opened: Session) -> str:
    noted = opened.assistant.store.ticked()
    if noted is None or noted <= _fresh(opened):
        raise Wrong(
            f"no tick lately ({_since(opened, noted)}): see that `assistant beat` runs, and a "
            "worker for interactive"
        )
    return "ran lately"


def _queues(opened: Session) -> str:
    """Name each queue with due work that nobody claimed in time, also one of a newer version."""
    before = opened.assistant.clock.now() - _TOO_LONG
    late: dict[str, list[JobFacts]] = defaultdict(list)
    for job in opened.assistant.store.jobs(failed=False):
        if not job.claimed and job.due < before and not (job.periodic and not _should_run(opened)):
            late[job.queue].append(job)
    if not late:
        return "nothing has waited for more than a minute"
    said = [
        f"{len(jobs)} in {queue}, due since {_said(opened, min(job.due for job in jobs))}"
        for queue, jobs in sorted(late.items())
    ]
    todo = "see the logs of the workers" if _should_run(opened) else "run `assistant up`"
    raise Wrong(f"{'; '.join(said)}: {todo}")


def _notices(opened: Session) -> str:
    """Say what was to be told by now, and is not shown: a reminder, the brief."""
    now = opened.assistant.clock.now()
    with opened.assistant.store.read(opened.assistant.cause()) as tx:
        missing = tx.notices_missing(due_before=now - LATE)
        overdue = tx.due_reminders(now - LATE, limit=_MANY)
    dues = sorted([*(one.due for one in missing), *(one.at for one in overdue)])
    if not dues:
        return "all that was due was told"
    raise Wrong(
        f"{_counted(len(dues), 'notice')} not told, due since {_said(opened, dues[0])}: "
        + ("see `tick`, `queues` and the channel" if _should_run(opened) else "run `assistant up`")
    )


def _mail(opened: Session) -> str:
    with opened.assistant.store.read(opened.assistant.cause()) as tx:
        groups = groups_of(tx.held_reasons())
    if not groups:
        return "each could be read"
    held = sum(one.count for one in groups)
    why = "; ".join(f"{one.count} as {one.kind}" for one in groups[:_NAMED])
    more = "; ..." if len(groups) > _NAMED else ""
    raise Wrong(
        f"{_counted(held, 'mail')} could not be read: `assistant mail list "
        f"--state could-not-be-read` says why ({why}{more}), `{retry_line()}` tries again"
    )


def _copy(opened: Session) -> str:
    """Say as of when the copy of the calendar is true."""
    with opened.assistant.store.read(opened.assistant.cause()) as tx:
        copy = tx.calendar_copy()
        unreadable = tx.calendar_defects(copy.address) if copy else 0
    if copy is None:
        return "none yet; `assistant up` keeps one"
    if copy.trouble:
        raise Wrong(f"{_synced(opened, copy.synced)}, as it cannot be synced: {copy.trouble}")
    before = opened.assistant.clock.now() - _LATE
    if _should_run(opened) and copy.synced is not None and copy.synced < before:
        raise Wrong(f"{_synced(opened, copy.synced)}: see the logs of the workers")
    left_out = f"; {_counted(unreadable, 'event')} in it cannot be read" if unreadable else ""
    return f"{_synced(opened, copy.synced)}, by {copy.kind or 'nothing yet'}{left_out}"


def _synced(opened: Session, synced: datetime | None) -> str:
    return f"true as of {_said(opened, synced)}" if synced else "not whole yet"


def _calls(opened: Session) -> str:
    """Count those that ended lately without anybody knowing whether they happened."""
    after = opened.assistant.clock.now() - UNCLEAR
    with opened.assistant.store.read(opened.assistant.cause()) as tx:
        unclear = tx.unclear(after)
    if not unclear:
        return "none ended unclear in the last week"
    named = ", ".join(call.handle for call in unclear[:_NAMED])
    more = "..." if len(unclear) > _NAMED else ""
    raise Wrong(
        f"of {_counted(len(unclear), 'call')} nobody knows whether it happened ({named}{more}): "
        f"look for yourself; `assistant calls show {unclear[0].handle}` says what it was"
    )


def _fresh(opened: Session) -> datetime:
    return opened.assistant.clock.now() - opened.settings.lately


def _since(opened: Session, seen: datetime | None) -> str:
    return f"last {_said(opened, seen)}" if seen else "never"


def _said(opened: Session, moment: datetime) -> str:
    return say_moment(moment, opened.assistant.zone)


def _counted(number: int, noun: str) -> str:
    return f"1 {noun}" if number == 1 else f"{number} {noun}s"
