"""Named places where a test can stop a process, and what happens there.

Code that runs in production names no place. Wrappers around the ports do (``ports``, ``bot``,
``acks``), and they are installed only where ``ASSISTANT_FAILPOINTS`` is set.

| Place | Where |
|---|---|
| ``commit.before``, ``commit.after`` | a transaction that writes, and its bells |
| ``publish.before``, ``publish.after`` | ringing bells, which follows the commit |
| ``expect.before``, ``expect.after`` | ringing for a job that is still to be written |
| ``claim.before`` and so on | a single statement that writes, named for its method of the store |
| ``blob.before``, ``blob.after`` | putting a blob |
| ``blob.delete.before``, ``blob.delete.after`` | deleting a blob |
| ``effect.before``, ``effect.after`` | the execution of a call |
| ``show.before``, ``show.after`` | a channel showing something |
| ``ack.before`` | a task returning to Celery |
| ``ack.after`` | the broker has the acknowledgement |
| ``bot.heard``, ``bot.answered``, ``bot.before_callback`` | the Discord bot |

A prefix limits a place to one kind: of message (``run.effect.after``), of what is shown
(``card.show.before``), or of Discord event (``words``, ``press``, ``command``, ``modal``).
"""

import os
import signal
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

from assistant.domain.errors import Misconfigured, Transient

handling: ContextVar[str] = ContextVar("handling", default="")
"""The kind of the message or event being handled."""

_armed: dict[str, Callable[[], None]] = {}


def hit(name: str, *, kind: str = "") -> None:
    """Run what is armed at this place, if anything.

    Give ``kind``, the kind of the message, where none is being handled.
    """
    if not _armed:
        return
    for place in (name, f"{kind or handling.get()}.{name}"):
        if place in _armed:
            _armed[place]()


@contextmanager
def at_hand(kind: str) -> Iterator[None]:
    """Set the kind of what is handled inside the block."""
    token = handling.set(kind)
    try:
        yield
    finally:
        handling.reset(token)


def arm(places: Mapping[str, Callable[[], None]]) -> None:
    """Arm these places and no others; an empty mapping disarms all."""
    _armed.clear()
    _armed.update(places)


def parse_failpoints(text: str) -> dict[str, Callable[[], None]]:
    """Read ``place=action[@MARK];...`` with the actions ``kill``, ``fail`` and ``sleep:SECONDS``.

    With a mark the action happens once: it creates the file ``MARK`` first, and does nothing where
    that file exists, so that a restarted process gets past.

    Raises:
        Misconfigured: the text has another form.
    """
    return dict(_parse(item) for item in text.split(";") if item.strip())


def _parse(item: str) -> tuple[str, Callable[[], None]]:
    place, _, rest = item.strip().partition("=")
    action, _, mark = rest.partition("@")
    if not place:
        raise Misconfigured(f"failpoint {item!r}")
    if action == "kill":
        act = _kill
    elif action == "fail":
        act = _fail
    elif action.startswith("sleep:"):
        act = _sleeping(item, action.removeprefix("sleep:"))
    else:
        raise Misconfigured(f"failpoint {item!r}")
    return place, _once(act, Path(mark)) if mark else act


def _kill() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def _fail() -> None:
    raise Transient("a failpoint")


def _sleeping(item: str, text: str) -> Callable[[], None]:
    try:
        seconds = float(text)
    except ValueError as error:
        raise Misconfigured(f"failpoint {item!r}") from error
    return lambda: time.sleep(seconds)


def _once(act: Callable[[], None], mark: Path) -> Callable[[], None]:
    def once() -> None:
        try:
            mark.touch(exist_ok=False)
        except FileExistsError:
            return
        act()

    return once
