"""Keep the children of ``assistant up`` running: start each that ended again, at its own time."""

import logging
import time
from collections.abc import Callable

from assistant.domain.errors import AssistantError
from workers.processes.children import Child

log = logging.getLogger(__name__)

Say = Callable[[str, str], None]
"""Prints the name of a part and its news."""

_MISCONFIGURED = 3
"""Exit code of a child whose settings do not work."""
_MINUTE = 60.0
_NOTES = "notes"


class Watch:
    """Looks at every child in turn, and never waits for one of them.

    What goes wrong with one child, or with a note, is said once and tried again at a later look.

    Args:
        children: those that are to run; one that is given up is taken out.
        start: starts a child again; raises ``OSError`` or ``AssistantError``.
        note: writes down which processes run; raises ``AssistantError``.
        say: tells the owner.
        give_up: the words for a child that ended as its settings do not work; None for one that is
            started again nevertheless.
        monotonic: a clock that never goes back.
    """

    def __init__(
        self,
        children: list[Child],
        *,
        start: Callable[[Child], None],
        note: Callable[[], None],
        say: Say,
        give_up: Callable[[Child], str | None],
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._children = children
        self._start = start
        self._note = note
        self._say = say
        self._give_up = give_up
        self._monotonic = monotonic
        self._noted = True
        self._said: dict[str, str] = {}
        """What was said last of each part that does not work."""

    def look(self) -> None:
        """Start again what is due, and note what changed. Raises nothing."""
        for child in list(self._children):
            try:
                self._look_at(child)
            except Exception as error:
                log.exception("%s could not be looked after", child.name)
                self._say_once(child.name, f"not looked after, and tried again: {error}")
        try:
            self._write_note()
        except Exception as error:
            log.exception("the children could not be noted")
            self._say_once(_NOTES, f"not written, and tried again: {error}")

    def changed(self) -> None:
        """Have the children noted, now if that is possible."""
        self._noted = False
        self._write_note()

    def _look_at(self, child: Child) -> None:
        if child.restart_at is None:
            code = child.process.poll()
            if code is None:
                return
            if code == _MISCONFIGURED and (words := self._give_up(child)) is not None:
                self._tell(child.name, words)
                self._children.remove(child)
                self._noted = False
                return
            pause = self._plan(child)
            self._tell(child.name, f"ended (exit {code}); started again in {pause:.1f} s")
        elif self._monotonic() >= child.restart_at:
            self._start_again(child)

    def _start_again(self, child: Child) -> None:
        try:
            self._start(child)
        except (AssistantError, OSError) as error:
            self._plan(child)
            self._say_once(child.name, f"not started, and tried again: {error}")
            return
        child.restart_at = None
        if self._said.pop(child.name, None):
            self._tell(child.name, "started again")
        self._noted = False

    def _plan(self, child: Child) -> float:
        """Plan the next start, later the more often it died in the last minute; the wait."""
        now = self._monotonic()
        child.deaths = [at for at in child.deaths if now - at < _MINUTE] + [now]
        pause = min(child.longest_pause, 0.2 * 2.0 ** len(child.deaths))
        child.restart_at = now + pause
        return pause

    def _write_note(self) -> None:
        if self._noted:
            return
        try:
            self._note()
        except AssistantError as error:
            self._say_once(_NOTES, f"not written, and tried again: {error}")
            return
        self._noted = True
        self._said.pop(_NOTES, None)

    def _say_once(self, part: str, words: str) -> None:
        """Say it unless it was the last that was said of this part."""
        if self._said.get(part) != words:
            self._said[part] = words
            self._tell(part, words)

    def _tell(self, part: str, words: str) -> None:
        """Say it; where that fails, the log has it."""
        try:
            self._say(part, words)
        except Exception:
            log.exception("%s %s", part, words)
