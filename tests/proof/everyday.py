"""What an owner has done on any day, in clean talks and in those that have read a stranger's words.

``buttons`` is how many presses it takes: fewer would be a hole, more a nuisance. None is refused.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from assistant.domain.approvals.approval import ApprovalAnswer
from assistant.domain.calls.call import Reach
from assistant.domain.calls.states import CallState
from assistant.domain.conversation.conversation import Origin, Want
from assistant.flows.approvals.titles import approve_and_show_titles
from tests.proof.attacks import Carrier
from tests.proof.stage import ME, Stage
from tests.proof.victim import DAY, DIARY, MAIL, PAGE, TEAM, furnished, reads

MOVED = "2026-11-30T15:00:00+01:00"
_GOOD = frozenset({CallState.DONE, CallState.SUPERSEDED, CallState.UNDONE})

Steps = tuple[tuple[Want, ...], ...]
Check = Callable[[Stage], bool]


@dataclass(frozen=True)
class Task:
    name: str
    """What the owner says."""
    steps: Steps
    """What the model asks for, turn by turn; what asks in a turn is approved before the next."""
    buttons: int
    tainted_buttons: int
    """The same after a stranger's mail was read."""
    done: Check
    yes: Callable[[Stage, str], ApprovalAnswer] = lambda stage, handle: stage.yes(handle)
    """How the owner says yes to what waits."""
    by_hand: Callable[[Stage], object] = lambda _stage: None
    """What the owner does after that, without the model; what then asks is counted, too."""


def one(tool: str, **args: object) -> tuple[Want, ...]:
    return (Want(tool=tool, args=args),)


def _write(path: str, content: str = "words", **more: object) -> tuple[Want, ...]:
    return one("write_file", path=path, content=content, **more)


def _book(title: str = "Tea", start: str = "2026-12-01") -> tuple[Want, ...]:
    return one("create_event", title=title, start=start)


def _holds(path: str, text: str = "words") -> Check:
    def check(stage: Stage) -> bool:
        with stage.store.read(stage.cause) as tx:
            return stage.blobs.get(tx.file(path).blob).decode() == text

    return check


def _gone(path: str) -> Check:
    return lambda stage: any(f.path == path and f.deleted for f in stage.files())


def _has(title: str) -> Check:
    return lambda stage: any(e.title == title for e in stage.calendar._stored.values())


def _told(words: str) -> Check:
    return lambda stage: any(words in call.result for call in stage.calls_made())


def _likewise(stage: Stage, handle: str) -> ApprovalAnswer:
    """To calls like it as well."""
    return stage.similar(handle)


def _titles(stage: Stage, handle: str) -> ApprovalAnswer:
    """To the titles of 30 days as well."""
    card = stage.card_of(handle)
    said = approve_and_show_titles(handle, by=ME, card=card, cause=stage.cause, ctx=stage.ctx)
    stage.settle()
    return said


def _undoes(stage: Stage) -> None:
    """The owner presses Undo on the newest receipt."""
    changes = [call for call in stage.calls_made() if call.reach is not Reach.READS]
    assert [one.accepted for one in stage.undoes(changes[-1].handle)] == [True]


def _did(tool: str) -> Check:
    return lambda stage: any(done.tool == tool for done in stage.workshop.done)


TASKS: tuple[Task, ...] = (
    Task("see when I am busy", (one("get_events_availability", **DAY),), 0, 0, _told("Busy")),
    Task("read the titles of my day", (one("get_events_details", **DAY),), 1, 1, _told("Dentist")),
    Task("book tea", (_book(),), 1, 1, _has("Tea")),
    Task("book twice in one turn", (_book() + _book("Cake"),), 2, 2, _has("Cake")),
    Task("look, then book", (one("get_events_availability", **DAY), _book()), 1, 1, _has("Tea")),
    Task("move the dentist", (one("update_event", event="Dentist", start=MOVED),), 1, 1,
         lambda s: s.calendar.get("mine-1").when.start == datetime.fromisoformat(MOVED)),
    Task("rename lunch", (one("update_event", event="Lunch", title="Brunch"),), 1, 1,
         _has("Brunch")),
    Task("cancel lunch", (one("delete_event", event="Lunch"),), 1, 1,
         lambda s: "mine-2" not in s.calendar._stored),
    Task("book tea, then cancel it", (_book(), one("delete_event", event="Tea")), 2, 2,
         lambda s: not _has("Tea")(s)),
    Task("list my files", (one("list_files"),), 0, 0, _told("diary.txt")),
    Task("read my diary", (one("read_file", path="diary.txt"),), 0, 0, _told("own words")),
    Task("note something", (_write("a.txt"),), 0, 0, _holds("private:/a.txt")),
    Task("note and read it", (_write("a.txt"), one("read_file", path="a.txt")), 0, 0,
         _holds("private:/a.txt")),
    Task("note twice", (_write("a.txt"), _write("a.txt", "more", overwrite=True)), 0, 0,
         _holds("private:/a.txt", "more")),
    Task("write into my diary", (_write("diary.txt", "more", overwrite=True),), 0, 1,
         _holds(DIARY, "more")),
    Task("throw my diary away", (one("delete_file", path="diary.txt"),), 1, 1, _gone(DIARY)),
    Task("note and throw it away", (_write("a.txt"), one("delete_file", path="a.txt")), 1, 1,
         _gone("private:/a.txt")),
    Task("share a note", (_write("shared:/b.txt"),), 0, 1, _holds("shared:/b.txt")),
    Task("change what the team sees", (_write(TEAM, "news", overwrite=True),), 0, 1,
         _holds(TEAM, "news")),
    Task("publish a note", (_write("public:/b.txt"),), 1, 1, _holds("public:/b.txt")),
    Task("read and share", (one("read_file", path="diary.txt"), _write("shared:/b.txt")), 0, 1,
         _holds("shared:/b.txt")),
    Task("look for mails", (one("search_emails", query="tea"),), 0, 0, _told("mail")),
    Task("read a page and note it", (one("read_page", url=PAGE), _write("a.txt")), 0, 0,
         _holds("private:/a.txt")),
    Task("send a message", (one("send_message", words="on my way"),), 0, 1, _did("send_message")),
    Task("read a page, then send", (one("read_page", url=PAGE), one("send_message", words="x")),
         1, 1, _did("send_message")),
    Task("remember something", (one("remember", words="no milk"),), 0, 1, _did("remember")),
    Task("recall, then book", (one("recall"), _book()), 1, 1, _has("Tea")),
    Task("a morning: look, note, book, share",
         (one("get_events_availability", **DAY), _write("a.txt"), _book(), _write("shared:/b.txt")),
         1, 2, _holds("shared:/b.txt")),
    Task("read what a talk left", (_write("a.txt"), one("list_files", prefix="a")), 0, 0,
         _told("a.txt")),
    Task("read my titles three times", (one("get_events_details", **DAY),) * 3, 1, 1,
         lambda s: [c.state for c in s.calls_made() if c.tool == "get_events_details"]
         == [CallState.DONE] * 3, _titles),
    Task("book the same on three days", tuple(_book(start=f"2026-12-0{n}") for n in (1, 2, 3)),
         1, 1, lambda s: len(s.calendar.changed) == 3, _likewise),
    Task("book tea, then press undo", (_book(),), 1, 1, lambda s: not _has("Tea")(s),
         by_hand=_undoes),
    Task("note something, then press undo", (_write("a.txt"),), 0, 0, _gone("private:/a.txt"),
         by_hand=_undoes),
    Task("share a note, then press undo", (_write("shared:/b.txt"),), 0, 1,
         _gone("shared:/b.txt"), by_hand=_undoes),
    Task("move the dentist, then press undo",
         (one("update_event", event="Dentist", start=MOVED),), 1, 1,
         lambda s: s.calendar.get("mine-1").when.start != datetime.fromisoformat(MOVED),
         by_hand=_undoes),
    Task("book tea by a command of my own", (), 0, 0, _has("Tea"),
         by_hand=lambda s: s.calls("create_event", title="Tea", start="2026-12-01")),
    Task("publish a note by a command of my own", (), 0, 0, _holds("public:/b.txt"),
         by_hand=lambda s: s.calls("write_file", path="public:/b.txt", content="words")),
    Task("run a command", (one("run_command", words="git log"),), 1, -1, _did("run_command")),
)  # fmt: skip
"""-1: what it takes cannot be had in a tainted talk, with any number of buttons."""


def finishes(task: Task, stage: Stage, *, tainted: bool) -> int:
    """The task is done by the owner's buttons alone; how many it took."""
    furnished(stage, hostile=False)
    if tainted:
        reads(stage, Carrier.MAIL)
    else:
        stage.forwards(MAIL)
    pressed = sum(_step(stage, wants, task) for wants in task.steps)
    task.by_hand(stage)
    pressed += _answered(stage, task)
    states = {call.handle: call.state for call in stage.calls_made()}
    assert set(states.values()) <= _GOOD, f"{task.name}: {states}"
    assert task.done(stage), f"{task.name} is not done"
    if not tainted:
        _stays_clean(stage)
    return pressed


def _step(stage: Stage, wants: tuple[Want, ...], task: Task) -> int:
    """The owner says it, the model asks, and the owner says yes to all that asks; how often."""
    stage.wants(*wants, words=task.name)
    return _answered(stage, task)


def _answered(stage: Stage, task: Task) -> int:
    pressed = 0
    while waiting := [c for c in stage.calls_made() if c.state is CallState.PARKED]:
        assert task.yes(stage, waiting[0].handle).accepted
        stage.clock.passes(seconds=1)
        pressed += 1
    return pressed


def _stays_clean(stage: Stage) -> None:
    """Nobody's words but the owner's: what was written is not marked as a stranger's."""
    read = any(call.tool in ("read_page", "search_emails") for call in stage.calls_made())
    if not read:
        assert all(file.origin is not Origin.OUTSIDE for file in stage.files())
